"""Results of MCP servers on every revision: content as it came, structure where there is such (gateway/P11, X5)."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from support.events import asking
from support.gateway import HANDSHAKE, NEW, REVISIONS, Front, RunningGateway, running, settings
from support.http import Response
from support.mcp_hosts import McpHost, listed, mcp_bundle, progress
from support.mcp_hosts_wire import event, response_to, stream
from support.tool_service import Answer, reply

STAMP = {"io.modelcontextprotocol/serverInfo": {"name": "mcp-test", "version": "0.1.0"}}
OBJECT = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
ARRAY = {"type": "array", "items": {"type": "integer"}}
BLOCKS: dict[str, bytes] = {
    "text": '{"type":"text","text":"한글 \\u0041 \\/ 😀"}'.encode(),
    "image": b'{"type":"image","data":"aGk=","mimeType":"image/png"}',
    "audio": b'{"type":"audio","data":"aGk=","mimeType":"audio/wav"}',
    "resource": b'{"type":"resource","resource":{"uri":"test://a","mimeType":"text/plain","text":"x"}}',
    "annotated": b'{"type":"text","text":"x","annotations":{"audience":["user"],"priority":1.0,"lastModified":"x"}}',
    "of the future": b'{"type":"hologram","n":1e400,"z":1,"a":{"b":[1.0,-0]}}',
}


@pytest.fixture
async def host() -> AsyncIterator[McpHost]:
    async with McpHost(
        listed("t"), listed("t_object", outputSchema=OBJECT), listed("t_array", outputSchema=ARRAY)
    ) as one:
        yield one


@pytest.fixture
async def gateway(host: McpHost, front: Front) -> AsyncIterator[RunningGateway]:
    async with running(settings(mcp_bundle(host)), front) as started:
        yield started


def gives(host: McpHost, result: bytes | dict[str, Any]) -> None:
    host.says("tools/call", lambda seen: reply(body=response_to(seen, result)))


async def result_of(gateway: RunningGateway, revision: str, name: str = "t") -> dict[str, Any]:
    answer = await gateway.call(name, revision=revision)
    assert answer.status == 200
    found: dict[str, Any] = answer.json["result"]
    assert found.pop("resultType", "old") == ("complete" if revision == NEW else "old")
    own = found.pop("_meta", {})
    assert own == (STAMP if revision == NEW else {})
    return found


@pytest.mark.parametrize("revision", REVISIONS)
@pytest.mark.req("gateway/P11", "gateway/X5", "input/B76")
async def test_every_kind_of_content_passes_with_its_numbers_and_order(
    gateway: RunningGateway, host: McpHost, revision: str
) -> None:
    """Only white space goes, and the first block says how long the call took."""
    for first, block in BLOCKS.items():
        gives(host, b'{"content":[ %b , %b ],"isError":false}' % (block, BLOCKS["image"]))
        answer = await gateway.call("t", revision=revision)
        timed = answer.json["result"]["content"][0]["_meta"]
        assert list(timed) == ["searchTime"]
        shown = b'"content":[%b,"_meta":{"searchTime":%d}},%b]' % (block[:-1], timed["searchTime"], BLOCKS["image"])
        assert shown in answer.body, first


@pytest.mark.parametrize("revision", REVISIONS)
@pytest.mark.req("gateway/P11", "gateway/X5")
async def test_the_servers_meta_is_kept_but_for_what_is_ours(
    gateway: RunningGateway, host: McpHost, revision: str
) -> None:
    gives(
        host,
        b'{"content":[{"type":"text","text":"x","_meta":{"searchTime":"theirs","own":1.0}}],"x-other":[1.0],'
        b'"_meta":{"fastmcp":{"wrap_result":true},"io.modelcontextprotocol/serverInfo":{"name":"them"}},"ttlMs":5,"cacheScope":"x"}',
    )
    answer: Response = await gateway.call("t", revision=revision)
    result = answer.json["result"]
    assert result["content"][0]["_meta"]["own"] == 1
    assert isinstance(result["content"][0]["_meta"]["searchTime"], int)
    assert result["_meta"] == {**(STAMP if revision == NEW else {}), "fastmcp": {"wrap_result": True}}
    assert b'"x-other":[1.0]' in answer.body
    assert result.keys().isdisjoint({"ttlMs", "cacheScope"})


@pytest.mark.parametrize("revision", REVISIONS)
@pytest.mark.req("gateway/P11", "gateway/X5")
async def test_no_content_stays_none(gateway: RunningGateway, host: McpHost, revision: str) -> None:
    gives(host, b'{"content":[]}')
    assert await result_of(gateway, revision) == {"content": []}


@pytest.mark.parametrize("revision", REVISIONS)
@pytest.mark.req("gateway/P11", "gateway/P8")
async def test_links_become_text_where_the_revision_has_none(
    gateway: RunningGateway, host: McpHost, revision: str
) -> None:
    gives(host, b'{"content":[{"type":"resource_link","uri":"test://a \\u0041","name":"a"}]}')
    (block,) = (await result_of(gateway, revision))["content"]
    block.pop("_meta")
    if revision == "2025-03-26":
        assert block == {"type": "text", "text": "test://a A"}
    else:
        assert block == {"type": "resource_link", "uri": "test://a A", "name": "a"}


@pytest.mark.parametrize("revision", REVISIONS)
@pytest.mark.req("gateway/P11", "gateway/X12", "gateway/P8", "decision/D6")
async def test_structure_is_checked_on_every_revision_and_shown_where_it_is_listed(
    gateway: RunningGateway, host: McpHost, revision: str
) -> None:
    for name, structured, right in (
        ("t_object", b'{"n":1.0,"z":1e2}', True),
        ("t_object", b'{"n":"1"}', False),
        ("t_object", b"null", False),
        ("t_array", b"[1,2]", True),
        ("t_array", b'["x"]', False),
    ):
        gives(
            host,
            b'{"content":[{"type":"text","text":"x"}],"structuredContent":%b,"resultType":"complete"}' % structured,
        )
        answer = await gateway.call(name, revision=revision)
        assert answer.json["result"].get("isError", False) is not right, (name, structured)
        shows = right and (revision == NEW or (name == "t_object" and revision != "2025-03-26"))
        assert (b'"structuredContent":%b' % structured in answer.body) == shows
    gives(host, b'{"content":[{"type":"text","text":"x"}]}')
    assert (await gateway.call("t_object", revision=revision)).json["result"]["isError"] is True
    gives(host, b'{"content":[{"type":"text","text":"bad"}],"isError":true}')
    found = await result_of(gateway, revision, "t_object")
    assert (found["isError"], found["content"][0]["text"]) == (True, "bad")


@pytest.mark.parametrize("revision", REVISIONS)
@pytest.mark.req("gateway/P11", "gateway/X12")
async def test_structure_without_a_schema_is_shown_where_a_value_of_its_kind_may_stand(
    gateway: RunningGateway, host: McpHost, revision: str
) -> None:
    for structured, since in ((b'{"a":1}', "2025-06-18"), (b"[1]", NEW), (b"null", NEW)):
        gives(host, b'{"content":[],"structuredContent":%b}' % structured)
        answer = await gateway.call("t", revision=revision)
        assert (b'"structuredContent":%b' % structured in answer.body) == (revision >= since)


@pytest.mark.parametrize("revision", REVISIONS)
@pytest.mark.req("gateway/P11")
async def test_progress_comes_before_the_result_on_its_own_stream(
    gateway: RunningGateway, host: McpHost, revision: str
) -> None:
    def tells(seen: Any) -> Answer:
        notices = [event(progress(seen, at, total=2, message="한글")) for at in (0, 1.0, 2)]
        return stream(*notices, event(response_to(seen, {"content": [{"type": "text", "text": "done"}]})))

    host.says("tools/call", tells)
    async with asking(
        gateway.port, "tools/call", {"name": "t", "_meta": {"progressToken": 'mine "1"'}}, revision=revision
    ) as answer:
        assert answer.headers[b"content-type"].startswith(b"text/event-stream")
        for at in (0, 1.0, 2):
            notice = await answer.message()
            params = {"progressToken": 'mine "1"', "progress": at, "total": 2, "message": "한글"}
            assert notice == {"jsonrpc": "2.0", "method": "notifications/progress", "params": params}
        final = await answer.message()
        assert (final["id"], final["result"]["content"][0]["text"]) == (7, "done")
        assert await answer.block() == b""
        assert answer.whole


@pytest.mark.parametrize("accept", [b"application/json", b"*/*", b"text/event-stream"])
@pytest.mark.req("gateway/P11")
async def test_who_takes_no_events_or_asks_for_no_progress_gets_one_answer(
    gateway: RunningGateway, host: McpHost, accept: bytes
) -> None:
    def tells(seen: Any) -> Answer:
        notices = [event(progress(seen, at)) for at in range(5)] if "progressToken" in seen.meta else []
        return stream(*notices, event(response_to(seen, {"content": [{"type": "text", "text": "done"}]})))

    host.says("tools/call", tells)
    params = {"name": "t", "arguments": {}}
    if accept != b"text/event-stream":
        params["_meta"] = {"progressToken": 1}
    async with asking(
        gateway.port, "tools/call", params, revision=HANDSHAKE[0], headers=((b"Accept", accept),)
    ) as answer:
        assert answer.status == 200
        body = (
            json.loads(await answer.reader.readexactly(int(answer.headers[b"content-length"])))
            if accept != b"text/event-stream"
            else await answer.message()
        )
        assert body["result"]["content"][0]["text"] == "done"
