"""What reaches a real MCP server: the caller's own bytes, and a call although its session has died."""

import asyncio
import http.client
from collections.abc import Iterator
from pathlib import Path

import pytest
from mcp import Client

from support.gateway import NEW, call_request
from support.http import Lines
from upstreams import compare
from upstreams.kinds import KINDS, OLD, REFERENCE, Kind, require
from upstreams.stand import DIRECT, THROUGH, Stand, standing

pytestmark = pytest.mark.req("gateway/P11")

ARGUMENTS = (
    b'{ "number" :1e2,"integer":1.0 , "items":[0.1000000000000000055,1E400,-0,123456789012345678901234567890, '
    b'"\\ud64d\xea\xb8\xb8\\u002f\\/"],"nested":{"z":1,"a":2,"z":3}}'
)
"""Numbers that parsers write anew, white space, escapes, members out of order and twice."""
DIRECTLY = THROUGH == DIRECT


async def posted(port: int, body: bytes, lines: Lines) -> int:
    """Send a body as it is, read the answer to its end, whatever its framing, and return the status."""

    def post() -> int:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        try:
            headers = {name.decode(): value.decode() for name, value in lines}
            connection.request("POST", "/mcp", body, {**headers, "Content-Type": "application/json"})
            answer = connection.getresponse()
            answer.read()
            return answer.status
        finally:
            connection.close()

    return await asyncio.to_thread(post)


@pytest.mark.parametrize("revision", ["2025-03-26", "2025-06-18", "2025-11-25", NEW])
async def test_arguments_keep_their_bytes(stand: Stand, revision: str) -> None:
    if DIRECTLY and (revision != NEW or stand.era(NEW) != NEW):
        pytest.skip("only a gateway serves this without a session")
    body, lines = call_request("echo", ARGUMENTS, revision=revision)
    before = len(stand.recorder.sent)
    status = await posted(stand.port, body, lines)
    sent = stand.recorder.sent[before:]
    assert status == 200
    assert sent.count(ARGUMENTS) == 1


SESSIONS = [*(kind for kind in KINDS if kind.has_sessions and kind.spoken == OLD), REFERENCE]


@pytest.fixture(params=SESSIONS, ids=lambda kind: kind.name)
def own_stand(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Stand]:
    """A server that one test may stop and start."""
    kind: Kind = request.param
    require(kind)
    with standing(kind, tmp_path) as started:
        yield started


@pytest.mark.skipif(DIRECTLY, reason="only a gateway begins a session anew by itself")
@pytest.mark.parametrize("era", [OLD, NEW])
async def test_a_call_after_the_server_was_restarted_is_answered(own_stand: Stand, era: str) -> None:
    called = ("echo", {"message": "x"}) if own_stand.kind is REFERENCE else ("echo", {"텍스트": "x"})
    async with Client(own_stand.url, mode=era) as client:
        before = compare.result(await client.call_tool(*called))
        own_stand.server.stop()
        own_stand.server.start()
        assert compare.result(await client.call_tool(*called)) == before
        assert compare.result(await client.call_tool(*called)) == before
    assert "isError" not in before


@pytest.mark.skipif(DIRECTLY, reason="only a gateway has a caller's session id to keep back")
async def test_a_callers_session_id_is_not_sent_on(own_stand: Stand) -> None:
    body, lines = call_request("echo", b"{}", revision="2025-11-25")
    assert await posted(own_stand.port, body, (*lines, (b"Mcp-Session-Id", b"callers-own-session"))) == 200
    assert b"callers-own-session" not in own_stand.recorder.sent
    assert own_stand.recorder.sent.lower().count(b"\nmcp-session-id:") >= 2  # tools/list and the call, with its own
