"""The port `MciClient`: the adapters over real sockets and the shipped scripted one keep the same promises."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any

import pytest
from aiohttp import web

from axhub.toolkit.config.settings import LengthField, MciSystemSettings
from axhub.toolkit.connectors.mci.client import PooledMciClient
from axhub.toolkit.context import Encrypted, ToolContext, current_context
from axhub.toolkit.errors import LegacyError
from axhub.toolkit.mci import Layout
from axhub.toolkit.ports import MciClient
from axhub.toolkit.testing_mci import ScriptedMci, SentMci
from support.mci_hosts import Host, Line, system, with_digits
from support.telegrams import (
    CLCNNB00001_I,
    CLCNNB00001_O,
    ENVELOPE,
    QUESTION,
    answer_to,
    answered,
    claim_no_of,
    header_of,
    refused,
)

SLOW, REFUSED, WRONG, CUT, BROKEN = "slow", "refused", "wrong", "cut", "broken"
"""What a question asks for besides an answer."""
OTHER = "0" * 32
HASTY = "hasty"
"""The same system for a client that waits for a moment only."""


@dataclass
class Subject:
    """One adapter with the system `cfpa`, which does what a claim number says."""

    client: MciClient
    senders: Callable[[], list[str]]
    """Of each request so far, the trace id that its header has."""


def telegram(raw: bytes) -> bytes | None:
    """Return the answer that the system gives, its length not written yet; None: it gives none."""
    asked = claim_no_of(raw)
    if asked == REFUSED:
        return refused(raw, "E0042", "해지된 계약입니다")
    if asked in {SLOW, BROKEN}:
        return None
    whole = answered(raw)
    if asked == WRONG:
        correlation = header_of(raw).correlation.encode()
        return whole.replace(correlation, OTHER.encode())
    return whole[:-1] if asked == CUT else whole


class System:
    """The system at the other end of a real transport."""

    def __init__(self) -> None:
        self.senders: list[str] = []

    def told(self, raw: bytes) -> bytes | None:
        self.senders.append(header_of(raw).sender)
        return telegram(raw)

    async def line(self, line: Line) -> None:
        while True:
            raw = await line.read()
            answer = self.told(raw)
            if answer is None:
                return await self._silent(line, raw)
            await line.send(with_digits(answer[4:]))

    async def _silent(self, line: Line, raw: bytes) -> None:
        if claim_no_of(raw) == SLOW:
            await line.is_closed()

    async def body(self, request: web.BaseRequest) -> web.StreamResponse:
        raw = await request.read()
        answer = self.told(raw)
        if answer is None:
            if claim_no_of(raw) == SLOW:
                await asyncio.sleep(10)
            assert request.transport is not None
            request.transport.abort()
            return web.Response()
        return web.Response(body=with_digits(answer[4:]), content_type="application/octet-stream")


def scripted(sent: SentMci) -> Any:
    """Answer as the system does, with what a real adapter would raise."""
    asked = claim_no_of(sent.raw)
    raised = {SLOW: "timeout", BROKEN: "unreachable"}
    if asked in raised:
        return LegacyError(raised[asked])
    if asked == REFUSED:
        return LegacyError("E0042", "해지된 계약입니다")
    return telegram(sent.raw)


@pytest.fixture(params=["tcp", "http", "scripted"])
async def subject(request: pytest.FixtureRequest) -> AsyncIterator[Subject]:
    there = System()
    if request.param == "scripted":
        script = ScriptedMci({"CLCNNB00001": scripted})
        yield Subject(script, lambda: [sent.call.trace_id for sent in script.requests])
    elif request.param == "tcp":
        async with Host(there.line) as host, PooledMciClient(systems(host.port)) as client:
            yield Subject(client, lambda: there.senders)
    else:
        runner = web.ServerRunner(web.Server(there.body), shutdown_timeout=0.01)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        port = runner.addresses[0][1]
        async with PooledMciClient([over_http(port), over_http(port, name=HASTY, total_timeout_millis=100)]) as client:
            yield Subject(client, lambda: there.senders)
        await runner.cleanup()


def systems(port: int) -> list[MciSystemSettings]:
    return [system(port), system(port, name=HASTY, total_timeout_millis=100)]


def over_http(port: int, **more: Any) -> MciSystemSettings:
    said = {"name": "cfpa", "transport": "http", "domain": f"http://127.0.0.1:{port}", "url": "/telegrams", **more}
    return MciSystemSettings(length=LengthField(kind="ascii", size=4), **said)


async def ask(subject: Subject, claim_no: str = "1", response_type: type[Layout] = CLCNNB00001_O) -> Layout:
    name = HASTY if claim_no == SLOW else "cfpa"
    return await subject.client.call(name, ENVELOPE, CLCNNB00001_I(claim_no=claim_no), response_type)


async def failure(subject: Subject, claim_no: str, response_type: type[Layout] = CLCNNB00001_O) -> LegacyError:
    with pytest.raises(LegacyError) as caught:
        await ask(subject, claim_no, response_type)
    return caught.value


@pytest.mark.req("toolkit/B3")
async def test_an_answer_is_the_value_of_its_layout(subject: Subject) -> None:
    assert await subject.client.call("cfpa", ENVELOPE, QUESTION, CLCNNB00001_O) == answer_to("청구-1")


@pytest.mark.req("toolkit/B3")
async def test_a_refusal_has_the_systems_code_and_words_and_needs_no_data(subject: Subject) -> None:
    error = await failure(subject, REFUSED)
    assert (error.code, error.message) == ("E0042", "해지된 계약입니다")
    assert await ask(subject, "2") == answer_to("2")


@pytest.mark.req("toolkit/B3")
async def test_an_answer_to_another_question_is_none(subject: Subject) -> None:
    error = await failure(subject, WRONG)
    assert error.code == "invalid_answer"
    assert error.message.startswith("the answer is one to another question: ")
    assert OTHER not in error.message
    assert await ask(subject, "2") == answer_to("2")


@pytest.mark.req("toolkit/B3", "toolkit/B2")
async def test_an_answer_that_is_none_is_told_by_layout_and_field_without_a_value(subject: Subject) -> None:
    error = await failure(subject, CUT)
    assert error.code == "invalid_answer"
    assert error.message.startswith("the answer is no telegram: CLCNNB00001_O")
    assert "홍길동" not in f"{error!r} {error.message} {error.__cause__!r} {error.__context__!r}"


@pytest.mark.req("toolkit/B3", "toolkit/B2")
async def test_a_value_without_a_place_is_not_sent(subject: Subject) -> None:
    error = await failure(subject, "geheim" * 3)
    assert (error.code, error.message) == (
        "invalid_request",
        "the request is no telegram: CLCNNB00001_I.claim_no @byte 0: 18 bytes do not fit in 16",
    )
    assert "geheim" not in f"{error!r} {error.__cause__!r} {error.__context__!r}"
    assert subject.senders() == []


@pytest.mark.req("toolkit/B3")
@pytest.mark.parametrize(("claim_no", "code"), [(SLOW, "timeout"), (BROKEN, "unreachable")])
async def test_what_fails_has_a_code(claim_no: str, code: str, subject: Subject) -> None:
    assert (await failure(subject, claim_no)).code == code
    assert await ask(subject, "2") == answer_to("2")


@pytest.mark.req("toolkit/B3", "toolkit/H1")
async def test_what_is_not_configured_is_an_error_of_the_author(subject: Subject) -> None:
    class CLCNNB00009_O(CLCNNB00001_O, id="CLCNNB00009"):  # noqa: N801 - as interfaces are called
        pass

    if isinstance(subject.client, ScriptedMci):
        with pytest.raises(LookupError, match='no answer for the interface "CLCNNB00009"; it has: CLCNNB00001'):
            await ask(subject, response_type=CLCNNB00009_O)
        return
    with pytest.raises(LookupError) as caught:
        await subject.client.call("nowhere", ENVELOPE, QUESTION, CLCNNB00001_O)
    assert str(caught.value) == (
        'glow.communication.mci.system-list has no entry named "nowhere"; there are: cfpa, hasty'
    )


@pytest.mark.req("toolkit/B3")
async def test_calls_at_the_same_time_get_their_own_answers(subject: Subject) -> None:
    answers = await asyncio.gather(*(ask(subject, str(number)) for number in range(60)))
    assert answers == [answer_to(str(number)) for number in range(60)]


@pytest.mark.req("toolkit/H2")
async def test_the_context_of_the_call_goes_along(subject: Subject) -> None:
    async def call(number: int) -> None:
        current_context.set(ToolContext(f"trace-{number}", "request", employee=Encrypted("cipher")))
        await ask(subject)

    await asyncio.gather(*(asyncio.create_task(call(number)) for number in range(3)))
    assert sorted(subject.senders()) == ["trace-0", "trace-1", "trace-2"]


@pytest.mark.req("toolkit/B3")
async def test_a_call_that_is_cancelled_ends_and_leaves_the_others_alone(subject: Subject) -> None:
    task = asyncio.create_task(ask(subject, SLOW))
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises((asyncio.CancelledError, LegacyError)):  # the scripted one has failed already
        await task
    assert await ask(subject, "2") == answer_to("2")
