"""An API that misbehaves in every way: each is a `LegacyError` with a code, in bounded time (toolkit/H2)."""

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator
from typing import Any, Final

import pytest

from axhub.gateway.ports import PullFailure
from axhub.toolkit.connectors.http_client import PooledHttpClient
from axhub.toolkit.context import ToolContext, current_context
from axhub.toolkit.errors import LegacyError
from support import tree
from support.http_apis import QUESTION, Answer, Pauses, Question, api, client
from support.misbehaviour import misbehaviours
from support.tool_service import Answers, Close, Drip, Hang, Send, ToolService, reply, response

GOOD: Final = b'{"clmNo": "1"}'
OK: Final = reply(body=GOOD)
LIMIT: Final = 100_000
PEM: Final = tree.ROOT / "tests/gateway/config/pem"
CODES: Final = {
    PullFailure.TOO_LARGE: {"too_large"},
    PullFailure.TIMED_OUT: {"timeout"},
    PullFailure.CONNECT_FAILED: {"unreachable", "invalid_answer"},
    PullFailure.INVALID_JSON: {"invalid_answer"},
    PullFailure.INVALID_MANIFEST: {"invalid_answer"},
    PullFailure.CONTENT_TYPE: {"invalid_answer"},
}
WAYS: Final = {
    name: (answer, failure)
    for name, (answer, failure) in misbehaviours(GOOD, LIMIT).items()
    if failure in CODES and not name.startswith("type") and name not in {"body: a byte order mark", "body: 65 levels"}
}


@pytest.fixture
async def legacy() -> AsyncIterator[ToolService]:
    async with ToolService() as service:
        yield service


async def code_of(http: PooledHttpClient, **more: Any) -> str:
    with pytest.raises(LegacyError) as caught:
        await http.call("claim", Question(clmNo="1"), Answer)
    return caught.value.code


@pytest.mark.req("toolkit/H2")
@pytest.mark.parametrize("name", WAYS)
async def test_an_answer_that_is_none_has_a_code(name: str, legacy: ToolService) -> None:
    answer, failure = WAYS[name]
    legacy.on("/claims", answer)
    seconds = 0.1 if failure is PullFailure.TIMED_OUT else 10
    entry = api(legacy.origin, read_timeout_millis=int(seconds * 1000), total_timeout_millis=int(seconds * 2000))
    async with client(entry, max_answer_bytes=LIMIT) as http, asyncio.timeout(20):
        code = await code_of(http)
        assert code in CODES[failure]
        legacy.on("/claims", OK)
        assert await http.call("claim", QUESTION, Answer) == Answer(clmNo="1")


@pytest.mark.req("toolkit/H2")
@pytest.mark.parametrize("status", [300, 304, 400, 401, 404, 409, 418, 429, 500, 502, 503, 504, 599, 999])
async def test_a_status_that_is_no_success_is_the_code(status: int, legacy: ToolService) -> None:
    legacy.on("/claims", reply(status, b"" if status == 304 else GOOD, length=None if status == 304 else -1))
    async with client(api(legacy.origin)) as http:
        assert await code_of(http) == str(status)


@pytest.mark.req("toolkit/H2")
@pytest.mark.parametrize("status", [200, 201, 202, 206, 226])
async def test_every_success_is_read(status: int, legacy: ToolService) -> None:
    legacy.on("/claims", reply(status, GOOD))
    async with client(api(legacy.origin)) as http:
        assert await http.call("claim", QUESTION, Answer) == Answer(clmNo="1")


@pytest.mark.req("toolkit/H1")
@pytest.mark.parametrize(
    ("content_type", "charset"),
    [
        ("application/json", "utf-8"),
        ("application/json", "utf-8-sig"),
        ("text/html; charset=utf-8", "utf-8"),
        ("application/json;charset=EUC-KR", "euc-kr"),
        ('application/json; Charset="euc-kr"; x=1', "euc-kr"),
        ("application/json; charset=ks_c_5601-1987", "euc-kr"),
        ("application/json;charset=EUC-KR", "cp949"),
        ("application/json;charset=MS949", "cp949"),
    ],
)
async def test_an_answer_is_read_in_the_charset_that_it_names(
    content_type: str, charset: str, legacy: ToolService
) -> None:
    text = "똠방각하" if charset == "cp949" else "청구"
    legacy.on("/claims", reply(body=f'{{"clmNo": "{text}"}}'.encode(charset), content_type=content_type.encode()))
    async with client(api(legacy.origin)) as http:
        assert await http.call("claim", QUESTION, Answer) == Answer(clmNo=text)


@pytest.mark.req("toolkit/H1")
@pytest.mark.parametrize(
    ("content_type", "message"),
    [
        (b"application/json", "the answer is not utf-8"),
        (b"application/json;charset=UTF-8", "the answer is not utf-8"),
        (b"application/json;charset=klingon", "the answer is in an unknown charset"),
        (b"application/json;charset=utf-16", "the answer is in an unknown charset"),
    ],
)
async def test_a_wrong_charset_is_never_guessed(content_type: bytes, message: str, legacy: ToolService) -> None:
    legacy.on("/claims", reply(body='{"clmNo": "청구"}'.encode("euc-kr"), content_type=content_type))
    async with client(api(legacy.origin)) as http:
        with pytest.raises(LegacyError) as caught:
            await http.call("claim", QUESTION, Answer)
    assert (caught.value.code, caught.value.message) == ("invalid_answer", message)


@pytest.mark.req("toolkit/H2")
async def test_nobody_there_is_unreachable(legacy: ToolService) -> None:
    entry = api(legacy.origin)
    await legacy.stop()
    async with client(entry) as http:
        assert await code_of(http) == "unreachable"


@pytest.mark.req("toolkit/H2")
async def test_connecting_has_a_bound_of_its_own() -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=0) as full:
        port = full.getsockname()[1]
        waiting = [socket.socket() for _ in range(4)]
        try:
            for one in waiting:
                one.setblocking(False)
                one.connect_ex(("127.0.0.1", port))
            entry = api(f"http://127.0.0.1:{port}", connect_timeout_millis=100, read_timeout_millis=20_000)
            async with client(entry) as http, asyncio.timeout(4):
                assert await code_of(http) == "timeout"
        finally:
            for one in waiting:
                one.close()


@pytest.mark.req("toolkit/H2")
async def test_the_whole_call_has_a_bound_however_busy_the_other_side_is(legacy: ToolService) -> None:
    head = response(200, b"", length=1000)
    legacy.on("/claims", (Send(head), Drip(b" " * 1000)))
    async with client(api(legacy.origin, total_timeout_millis=200)) as http, asyncio.timeout(4):
        assert await code_of(http) == "timeout"


@pytest.mark.req("toolkit/H2")
async def test_the_deadline_of_the_tools_call_is_kept(legacy: ToolService) -> None:
    legacy.on("/claims", (Hang(),))
    current_context.set(ToolContext("t", "r", deadline=asyncio.get_running_loop().time() + 0.1))
    async with client(api(legacy.origin, read_timeout_millis=5000)) as http, asyncio.timeout(4):
        assert await code_of(http) == "timeout"


@pytest.mark.req("toolkit/H2")
async def test_waiting_for_a_connection_counts(legacy: ToolService) -> None:
    legacy.on("/claims", (Hang(),))
    entry = api(legacy.origin, max_connections=1, read_timeout_millis=5000, total_timeout_millis=2000)
    async with client(entry) as http, asyncio.timeout(8):
        first = asyncio.create_task(code_of(http))
        await legacy.received(1)
        current_context.set(ToolContext("t", "r", deadline=asyncio.get_running_loop().time() + 0.2))
        assert await code_of(http) == "timeout"
        assert len(legacy.requests) == 1, "it has not been sent"
        assert await first == "timeout"


# Retries.


async def tried(legacy: ToolService, answers: tuple[Answers, ...], **more: Any) -> tuple[str, list[float]]:
    """Return what came of a call that is always in the middle of its chances, and its pauses."""
    target = "/claims?clmNo=1" if more.get("method") in {"GET", "DELETE", "HEAD", "OPTIONS"} else "/claims"
    legacy.on(target, *answers)
    pauses = Pauses()
    async with client(api(legacy.origin, **more), chance=lambda: 0.5, sleep=pauses.sleep) as http:
        try:
            await http.call("claim", Question(clmNo="1"), Answer)
        except LegacyError as error:
            return error.code, pauses.seconds
    return "ok", pauses.seconds


PASSING: Final[tuple[tuple[str, Answers], ...]] = (
    ("502", reply(502)),
    ("503", reply(503)),
    ("504", reply(504)),
    ("unreachable", (Close(),)),
    ("unreachable", (Send(response(200, GOOD)[:-3]), Close())),
    ("timeout", (Hang(),)),
)


@pytest.mark.req("toolkit/H2")
@pytest.mark.parametrize(("code", "answer"), PASSING)
@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "OPTIONS"])
async def test_what_may_pass_is_tried_again_with_growing_pauses(
    method: str, code: str, answer: Answers, legacy: ToolService
) -> None:
    more = {"method": method, "max_retries": 2, "read_timeout_millis": 50}
    assert await tried(legacy, (answer, answer, OK), **more) == ("ok", [0.05, 0.1])
    assert await tried(legacy, (answer,), **more) == (code, [0.05, 0.1])
    assert len(legacy.requests) == 6


@pytest.mark.req("toolkit/H2")
@pytest.mark.parametrize(("code", "answer"), PASSING)
@pytest.mark.parametrize("method", ["POST", "PATCH"])
async def test_what_changes_something_is_sent_once(
    method: str, code: str, answer: Answers, legacy: ToolService
) -> None:
    more = {"method": method, "max_retries": 2, "read_timeout_millis": 50}
    assert await tried(legacy, (answer, OK), **more) == (code, [])
    assert len(legacy.requests) == 1


@pytest.mark.req("toolkit/H2")
@pytest.mark.parametrize(
    "answer", [reply(500), reply(404), reply(429), reply(302), reply(body=b"{"), reply(body=b"[]")]
)
async def test_what_will_be_the_same_again_is_not_tried_again(answer: Answers, legacy: ToolService) -> None:
    code, pauses = await tried(legacy, (answer, OK), method="GET", max_retries=2)
    assert (code != "ok", pauses, len(legacy.requests)) == (True, [], 1)


@pytest.mark.req("toolkit/H2")
async def test_pauses_grow_to_a_bound(legacy: ToolService) -> None:
    found = await tried(legacy, (reply(503),), method="GET", max_retries=8, total_timeout_millis=60_000)
    assert found == ("503", [0.05, 0.1, 0.2, 0.4, 0.8, 1.0, 1.0, 1.0])


@pytest.mark.req("toolkit/H2")
async def test_a_pause_is_anything_from_nothing_up(legacy: ToolService) -> None:
    legacy.on("/claims?clmNo=1", reply(503))
    pauses, chances = Pauses(), iter([0.0, 1.0, 0.25])
    entry = api(legacy.origin, method="GET", max_retries=3)
    async with client(entry, chance=lambda: next(chances, 0.0), sleep=pauses.sleep) as http:
        assert await code_of(http) == "503"
    assert pauses.seconds == [0.0, 0.2, 0.1]


@pytest.mark.req("toolkit/H2")
async def test_there_is_no_try_for_which_there_is_no_time(legacy: ToolService) -> None:
    found = await tried(legacy, (reply(503),), method="GET", max_retries=8, total_timeout_millis=350)
    assert found == ("503", [0.05, 0.1, 0.2])
    current_context.set(ToolContext("t", "r", deadline=asyncio.get_running_loop().time() + 0.18))
    assert await tried(legacy, (reply(503),), method="GET", max_retries=8) == ("503", [0.05, 0.1])


@pytest.mark.req("toolkit/H2")
async def test_nothing_is_sent_again_behind_our_back_over_a_kept_connection(legacy: ToolService) -> None:
    legacy.on("/claims?clmNo=1", OK, (Close(),), OK)
    async with client(api(legacy.origin, method="GET")) as http:
        await http.call("claim", Question(clmNo="1"), Answer)
        assert await code_of(http) == "unreachable"
    assert len(legacy.requests) == 2


@pytest.mark.req("toolkit/H2")
async def test_a_certificate_that_nobody_vouches_for_is_not_accepted() -> None:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(PEM / "cert.pem", PEM / "key.pem")
    asked: list[bytes] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(await reader.read(1))
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0, ssl=context) as server:
        port = server.sockets[0].getsockname()[1]
        async with client(api(f"https://127.0.0.1:{port}")) as http:
            assert await code_of(http) == "unreachable"
    assert asked == []
