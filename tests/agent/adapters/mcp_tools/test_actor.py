"""Who acts goes as headers, encrypted or not at all, and stands nowhere else (agent/A7, agent/A9, threat/T11)."""

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import pytest

from axhub.agent import ActorCipher, OutcomeUnknownError, SealedActor, ToolError, reads
from axhub.agent.testing import FakeActor
from support.mcp_peer import ERAS, listed, peer, result
from support.remote import CALL, RUN, Can, Remote, remote
from support.tool_service import Received, Reset, reply

pytestmark = pytest.mark.req("agent/A9", "agent/A7", "threat/T11")

FIND = {Can.READ: [reads("claim_find")]}
CANARY = "canary-4711"


@dataclass
class Cipher:
    """Encrypts by turning round, so that nothing of the plain text is left."""

    virtual: bool = False
    raises: Exception | None = None
    sealed: list[FakeActor] = field(default_factory=list)

    async def seal(self, actor: FakeActor) -> SealedActor:
        if self.raises is not None:
            raise self.raises
        self.sealed.append(actor)
        text = f"enc:{actor.user_id[::-1]}"
        return SealedActor(virtual_employee_no=text) if self.virtual else SealedActor(employee_no=text)


def employee(request: Received) -> dict[bytes, bytes]:
    return {name: value for name, value in request.headers.items() if b"employee" in name}


@pytest.mark.parametrize("era", ERAS)
async def test_employee_headers_hold_what_the_cipher_gave_and_nothing_without_one(era: str) -> None:
    async with peer(era) as server:
        server.tools = [listed("claim_find")]
        async with remote(server.url, FIND) as it:
            await it.call("claim_find", no="7")
        async with remote(server.url, FIND, cipher=Cipher()) as it:
            await it.call("claim_find", FakeActor(user_id=CANARY), no="7")
        async with remote(server.url, FIND, cipher=Cipher(virtual=True)) as it:
            await it.call("claim_find", FakeActor(user_id=CANARY), no="7")
        sealed = f"enc:{CANARY[::-1]}".encode()
        assert [employee(one) for one in server.calls] == [
            {},
            {b"employee-no": sealed},
            {b"virtual-employee-no": sealed},
        ]
        ids = {(one.headers[b"guid"], one.headers[b"x-request-id"]) for one in server.calls}
        assert ids == {(RUN.encode(), CALL.encode())}
        lists = [one for one in server.service.requests if one not in server.calls]
        assert lists
        assert [one for one in lists if employee(one) or b"guid" in one.headers] == []


async def test_the_headers_of_one_actor_are_never_those_of_another() -> None:
    async with peer() as server:
        server.tools = [listed("claim_find")]
        server.on_call = lambda request: result(employee(request)[b"employee-no"].decode())
        async with remote(server.url, FIND, cipher=Cipher()) as it:
            people = [f"person-{number:02}" for number in range(30)]
            said = await asyncio.gather(*(it.call("claim_find", FakeActor(user_id=one), no=one) for one in people))
        assert said == [f"enc:{one[::-1]}" for one in people]


@pytest.mark.parametrize(
    "cipher",
    [
        Cipher(raises=RuntimeError(f"no key for {CANARY}")),
        Cipher(raises=TimeoutError()),
    ],
    ids=["raises", "times out"],
)
async def test_without_the_encrypted_actor_nothing_is_sent_and_nothing_of_it_is_told(
    cipher: Cipher, caplog: pytest.LogCaptureFixture
) -> None:
    await _is_not_sent(cipher, caplog)


@pytest.mark.req("threat/T10", "input/B53")
@pytest.mark.parametrize("value", ["", "a b", "가나다", "x\r\nAuthorization: y", "x\0", "x" * 8193])
async def test_what_the_cipher_gives_must_be_a_headers_value(value: str, caplog: pytest.LogCaptureFixture) -> None:
    class Odd:
        async def seal(self, _actor: FakeActor) -> SealedActor:
            return SealedActor(employee_no=value)

    await _is_not_sent(Odd(), caplog)


async def _is_not_sent(cipher: ActorCipher[FakeActor], caplog: pytest.LogCaptureFixture) -> None:
    async with peer() as server:
        server.tools = [listed("claim_find")]
        async with remote(server.url, FIND, cipher=cipher) as it:
            with pytest.raises(ToolError) as told:
                await it.call("claim_find", FakeActor(user_id=CANARY), no="7")
            assert (told.value.code, server.calls) == ("ACTOR_UNAVAILABLE", [])
            text = "Who this is for could not be told to the system behind this tool. Nothing was sent."
            assert told.value.public_message == f"{text} Reference: {CALL}."
            (fault,) = it.observer.faults.items()
            assert fault[0] == CALL
            assert CANARY not in f"{fault[1]!r} {fault[1].__cause__!r} {caplog.text}"


@pytest.mark.req("threat/T11")
async def test_neither_the_actor_nor_what_a_server_sent_is_in_any_log_however_much_is_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    async with peer() as server:
        server.tools = [listed("claim_find")]
        async with remote(server.url, FIND, cipher=Cipher()) as it:
            await _everything_goes_wrong(server, it)
        told = f"{it.observer.notes} {it.observer.faults}"
    for secret in (CANARY, CANARY[::-1], "answer-secret", "argument-secret"):
        assert secret not in caplog.text
        assert secret not in told


async def _everything_goes_wrong(server: Any, it: Remote) -> None:
    actor = FakeActor(user_id=CANARY, tenant_id=CANARY)
    for said in (
        result("answer-secret"),
        result("answer-secret", isError=True),
        reply(body=b"{answer-secret"),
        reply(body=b"event: message\ndata: answer-secret\n\n", content_type=b"text/event-stream"),
        reply(500, b"answer-secret"),
        {"content": "answer-secret"},
        (Reset(),),
    ):
        server.on_call = lambda _, said=said: said
        with suppress(ToolError, OutcomeUnknownError):
            await it.call("claim_find", actor, no="argument-secret")
    assert len(server.calls) == 7


def test_a_sealed_actor_shows_nothing_of_itself() -> None:
    assert CANARY not in f"{SealedActor(CANARY, CANARY)!r} {SealedActor(CANARY)}"
