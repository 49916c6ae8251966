"""Calls of MCI systems: whose answer is whose, how long they may take, and what the log says of them (toolkit/B3)."""

import asyncio
import logging
import random
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from typing import Any, Final

import pytest

from axhub.toolkit.config.settings import LengthField
from axhub.toolkit.connectors.mci.client import LOGGER, PooledMciClient
from axhub.toolkit.context import Encrypted, ToolContext, current_context
from axhub.toolkit.errors import LegacyError
from axhub.toolkit.mci import Envelope, MciCall
from axhub.toolkit.service.log import JsonFormatter
from support.mci_hosts import Host, Line, Script, system, with_digits
from support.telegrams import (
    CLCNNB00001_I,
    CLCNNB00001_O,
    ENVELOPE,
    QUESTION,
    Header,
    answer_to,
    answered,
    claim_no_of,
    header_of,
    refused,
)


@asynccontextmanager
async def opened(script: Script, **more: Any) -> AsyncIterator[tuple[PooledMciClient, Host]]:
    async with Host(script) as host, PooledMciClient([system(host.port, **more)]) as client:
        yield client, host


async def ask(client: PooledMciClient, claim_no: str = "1") -> CLCNNB00001_O:
    return await client.call("cfpa", ENVELOPE, CLCNNB00001_I(claim_no=claim_no), CLCNNB00001_O)


async def failure(client: PooledMciClient, claim_no: str = "1") -> tuple[str, str]:
    with pytest.raises(LegacyError) as caught:
        await ask(client, claim_no)
    return caught.value.code, caught.value.message


def good(raw: bytes) -> bytes:
    return with_digits(answered(raw)[4:])


async def honest(line: Line) -> None:
    while True:
        await line.send(good(await line.read()))


async def silent(line: Line) -> None:
    await line.is_closed()


class Misbehaving:
    """A host that does something else with each telegram, and answers only a part of them well."""

    KINDS: Final = ("good", "half", "double", "late", "wrong", "stale", "cut", "garble", "reset", "silent", "surplus")

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._last = b""
        self.done: Counter[str] = Counter()

    async def __call__(self, line: Line) -> None:
        while True:
            raw = await line.read()
            kind = self._chance.choice(self.KINDS)
            self.done[kind] += 1
            answer = good(raw)
            stale, self._last = self._last, answer
            if not await self._do(kind, line, answer, stale):
                return

    async def _do(self, kind: str, line: Line, answer: bytes, stale: bytes) -> bool:
        """Do it; say whether the connection goes on."""
        if kind in {"reset", "cut", "silent"}:
            await self._end(kind, line, answer)
            return False
        parts = {
            "half": (answer[:50], answer[50:]),
            "double": (answer * 2,),
            "late": (answer, answer),
            "wrong": (answer[:15] + b"f" * 32 + answer[47:],),
            "stale": (stale or answer,),
            "garble": (answer[:4] + b"\xff" * (len(answer) - 4),),
            "surplus": (answer + b"0",),
        }
        await line.send(*parts.get(kind, (answer,)), pause=0.003)
        return True

    async def _end(self, kind: str, line: Line, answer: bytes) -> None:
        if kind == "reset":
            line.reset()
        elif kind == "cut":
            await line.send(answer[:50])
        else:
            await asyncio.sleep(0.06)
            await line.send(answer)


@pytest.mark.req("toolkit/B3")
@pytest.mark.parametrize("seed", range(4))
async def test_whatever_a_host_does_each_answer_is_that_to_its_own_question(seed: int) -> None:
    host_does = Misbehaving(seed)
    codes: set[str] = set()

    async def caller(client: PooledMciClient, name: int) -> int:
        answers = 0
        for number in range(12):
            claim_no = f"{name}-{number}"
            try:
                assert await ask(client, claim_no) == answer_to(claim_no)
                answers += 1
            except LegacyError as error:
                codes.add(error.code)
        return answers

    async with (
        opened(host_does, max_connections=5, total_timeout_millis=1000) as (patient, host),
        PooledMciClient([system(host.port, max_connections=5, total_timeout_millis=50)]) as hasty,
    ):
        found = await asyncio.gather(*(caller(one, name) for name in range(20) for one in (patient, hasty)))
    assert set(host_does.done) == set(Misbehaving.KINDS)
    assert codes == {"timeout", "unreachable", "invalid_answer"}
    assert sum(found) > 0


@pytest.mark.req("toolkit/B3")
async def test_a_greeting_after_the_question_is_no_answer_either() -> None:
    async def greeting(line: Line) -> None:
        hello = Header(interface="CLCNNB00001", correlation="0" * 32).encode() + answer_to("1").encode()
        raw = await line.read()
        await line.send(with_digits(hello[4:]) + good(raw))
        await line.is_closed()

    async with opened(greeting) as (client, host):
        code, message = await failure(client)
        assert code == "invalid_answer"
        assert message.startswith("the answer is one to another question: ")
        assert host.connections == 1


@pytest.mark.req("toolkit/B3", "toolkit/B2")
@pytest.mark.parametrize(
    ("at", "into", "message"),
    [
        (slice(0, 4), b"0040", "the answer is no telegram: Header: 40 bytes came, and 80 are laid down"),
        (slice(90, 97), b"geheim!", "CLCNNB00001_O.rate @byte 10: "),
    ],
)
async def test_an_answer_that_is_none_names_layout_and_field(at: slice, into: bytes, message: str) -> None:
    async def garbling(line: Line) -> None:
        answer = bytearray(good(await line.read()))
        answer[at] = into
        await line.send(bytes(answer[:40] if into == b"0040" else answer))

    async with opened(garbling) as (client, _):
        code, said = await failure(client)
        assert (code, message in said, "geheim" in said) == ("invalid_answer", True, False)


IN_TIME: Final = "no answer within the time of the whole call"


@pytest.mark.req("toolkit/B3", "toolkit/H2")
async def test_the_whole_call_is_bounded_also_while_bytes_drip() -> None:
    async def dripping(line: Line) -> None:
        answer = good(await line.read())
        await line.send(*(answer[n : n + 1] for n in range(len(answer))), pause=0.01)

    async with opened(dripping, total_timeout_millis=60) as (client, _):
        assert await failure(client) == ("timeout", IN_TIME)


@pytest.mark.req("toolkit/B3", "toolkit/H2")
async def test_waiting_for_a_connection_is_part_of_the_call() -> None:
    async with opened(silent, max_connections=1) as (client, host):
        holding = asyncio.create_task(ask(client))
        await asyncio.sleep(0)  # so that it has the one connection
        current_context.set(ToolContext("trace", "request", deadline=asyncio.get_running_loop().time() + 0.08))
        assert await asyncio.gather(*(failure(client) for _ in range(3))) == [("timeout", IN_TIME)] * 3
        assert host.connections == 1
        holding.cancel()


@pytest.mark.req("toolkit/B3", "toolkit/H2")
async def test_what_is_left_of_the_tools_time_bounds_a_call() -> None:
    async with opened(silent) as (client, _):
        deadline = asyncio.get_running_loop().time() + 0.05
        current_context.set(ToolContext("trace", "request", deadline=deadline))
        assert await failure(client) == ("timeout", IN_TIME)
        assert await failure(client) == ("timeout", IN_TIME)


@pytest.mark.req("toolkit/H2")
async def test_a_header_is_made_of_the_call_and_each_has_its_own_correlation() -> None:
    seen: list[MciCall] = []
    noon = datetime(2026, 11, 30, 12, tzinfo=UTC)

    def noting(call: MciCall) -> Header:
        seen.append(call)
        return Header(interface=call.interface_id, correlation=call.correlation_id)

    envelope = Envelope(
        header=Header, head=noting, correlation="correlation", result="result", success=frozenset({"0000"})
    )
    current_context.set(ToolContext("trace-1", "request-1", employee=Encrypted("cipher")))
    async with Host(honest) as host, PooledMciClient([system(host.port)], now=lambda: noon) as client:
        for _ in range(2):
            assert await client.call("cfpa", envelope, QUESTION, CLCNNB00001_O) == answer_to("청구-1")
    assert [(one.interface_id, one.trace_id, one.request_id, one.employee, one.sent_at) for one in seen] == [
        ("CLCNNB00001", "trace-1", "request-1", "cipher", noon)
    ] * 2
    assert len({one.correlation_id for one in seen}) == 2
    assert all(len(one.correlation_id) == 32 for one in seen)


@pytest.mark.req("toolkit/B3")
async def test_a_refusal_leaves_its_connection_in_use() -> None:
    async def refusing(line: Line) -> None:
        while True:
            raw = await line.read()
            answer = refused(raw, "E0042", "해지된 계약입니다") if claim_no_of(raw) == "no" else answered(raw)
            await line.send(with_digits(answer[4:]))

    async with opened(refusing) as (client, host):
        assert await failure(client, "no") == ("E0042", "해지된 계약입니다")
        assert await ask(client, "1") == answer_to("1")
        assert host.connections == 1


@pytest.mark.req("toolkit/B3")
async def test_without_a_length_telegrams_go_and_come_whole() -> None:
    async def to_the_end(line: Line) -> None:
        raw = await line.read_to_end()
        assert header_of(raw).interface == "CLCNNB00001"
        answer = answered(raw)
        await line.send(answer[:30], answer[30:])

    async with opened(to_the_end, length=LengthField()) as (client, host):
        assert [await ask(client, one) for one in ("1", "2")] == [answer_to("1"), answer_to("2")]
        assert host.connections == 2


@pytest.mark.req("toolkit/B3")
async def test_a_client_that_is_not_open_says_so() -> None:
    client = PooledMciClient([system(1)])
    with pytest.raises(RuntimeError) as caught:
        await ask(client)
    assert str(caught.value) == "the MCI client is not open: it is opened by the start of its service"


class Lines(logging.Handler):
    """Keeps what is logged."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


@pytest.fixture
def lines() -> Iterator[Lines]:
    handler, logger = Lines(), logging.getLogger(LOGGER)
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    yield handler
    logger.removeHandler(handler)
    logger.setLevel(level)


SECRET: Final = "geheim"
SIZES: Final = {"requestBytes": 96, "answerBytes": 129}


@pytest.mark.req("toolkit/B3", "toolkit/H2", "threat/T11")
@pytest.mark.parametrize(
    ("claim_no", "level", "line"),
    [
        (SECRET, logging.INFO, SIZES),
        ("refused", logging.WARNING, {"requestBytes": 96, "answerBytes": 128, "code": "E0042"}),
        (
            "cut",
            logging.WARNING,
            {
                "requestBytes": 96,
                "answerBytes": 128,
                "code": "invalid_answer",
                "problem": (
                    "the answer is no telegram: CLCNNB00001_O.rows[0].amount @byte 36: 13 bytes are laid down, and 12 "
                    "are left"
                ),
            },
        ),
        (
            "silent",
            logging.WARNING,
            {"requestBytes": 96, "answerBytes": None, "code": "timeout", "problem": IN_TIME},
        ),
        (
            SECRET * 3,
            logging.WARNING,
            {
                "requestBytes": None,
                "answerBytes": None,
                "code": "invalid_request",
                "problem": "the request is no telegram: CLCNNB00001_I.claim_no @byte 0: 18 bytes do not fit in 16",
            },
        ),
    ],
)
async def test_a_line_says_what_happened_and_shows_no_value(
    claim_no: str, level: int, line: dict[str, Any], lines: Lines
) -> None:
    async def there(host: Line) -> None:
        raw = await host.read()
        kind = claim_no_of(raw)
        if kind == "silent":
            await host.is_closed()
        answer = refused(raw, "E0042", SECRET) if kind == "refused" else answered(raw)
        await host.send(with_digits(answer[4 : -1 if kind == "cut" else None]))

    current_context.set(ToolContext("trace-1", "request-1", employee=Encrypted(SECRET)))
    async with opened(there, total_timeout_millis=60 if claim_no == "silent" else 5000) as (client, _):
        with suppress(LegacyError):
            await ask(client, claim_no)
    (record,) = lines.records
    fields = dict(vars(record)["fields"])
    assert isinstance(fields.pop("durationMs"), float)
    ids = {"system": "cfpa", "interface": "CLCNNB00001", "traceId": "trace-1", "xRequestId": "request-1"}
    assert fields == {**ids, **line}
    assert (record.levelno, record.getMessage()) == (level, "mci_call")
    assert SECRET not in f"{JsonFormatter().format(record)} {vars(record)!r}"
