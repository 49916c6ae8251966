"""All pages of a list as one document, within one deadline and one bound (gateway/P11, gateway/G4)."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from axhub.gateway.adapters.mcp_client.source import McpManifestSource
from axhub.gateway.ports import Pulled, PullFailure
from support.mcp_clients import Attached, attached
from support.mcp_hosts import Era, Heard, listed
from support.mcp_hosts_wire import error_to, response_to, stream
from support.tool_service import Answer, Close, Drip, Hang, Reset, reply

Says = Callable[[Heard], Answer]


def result(body: bytes) -> Says:
    return lambda seen: reply(200, response_to(seen, body))


def page(*tools: str, cursor: str | None = None, **more: Any) -> bytes:
    shown = {"tools": list(tools), **({} if cursor is None else {"nextCursor": cursor}), **more}
    return json.dumps(shown, ensure_ascii=False, separators=(",", ":")).encode()


def asked_for(client: Attached) -> list[bytes | None]:
    found = [seen.params.get("cursor") for seen in client.host.of("tools/list")]
    return [None if cursor is None else bytes(cursor) for cursor in found]


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize("streams", [False, True])
@pytest.mark.parametrize("era", ["new", "old"])
async def test_tools_keep_their_bytes_but_for_white_space(era: str, streams: bool) -> None:
    async with attached(era=era, streams=streams) as client:
        tools = b'[ { "name" : "a", "x" : 1.0,"x":1e400 } , "\\u00e9" ]'
        client.host.says(
            "tools/list", lambda seen: client.host.respond(seen, response_to(seen, b'{"tools":%b}' % tools))
        )
        assert await client.source().pull("mcp", "r1") == Pulled(
            body=b'{"tools":[{"name":"a","x":1.0,"x":1e400},"\\u00e9"]}'
        )


@pytest.mark.req("gateway/P11")
async def test_all_pages_are_one_document_and_cursors_go_back_as_they_came() -> None:
    async with attached() as client:
        pages = [page("a", "b", cursor="2"), page(cursor='청구 "\\'), page("c", cursor=""), page("d")]
        client.host.says("tools/list", *map(result, pages))
        assert (await client.source().pull("mcp", None)).body == b'{"tools":["a","b","c","d"]}'
        assert asked_for(client) == [None, b'"2"', '"청구 \\"\\\\"'.encode(), b'""']


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize("cursors", [["1", "1"], ["1", "2", "1"]])
async def test_a_cursor_that_comes_again_ends_the_pull(cursors: list[str]) -> None:
    async with attached() as client:
        client.host.says("tools/list", *(result(page("a", cursor=cursor)) for cursor in cursors))
        pulled = await client.source().pull("mcp", None)
        assert pulled.failure is PullFailure.INVALID_MANIFEST
        assert "no end" in pulled.detail


@pytest.mark.req("gateway/P11", "threat/T04")
async def test_pages_without_end_are_ended_by_their_number() -> None:
    number = 0

    def says(seen: Heard) -> Answer:
        nonlocal number
        number += 1
        return reply(200, response_to(seen, page(cursor=str(number))))

    async with attached() as client:
        client.host.says("tools/list", says)
        pulled = await client.source(seconds=30.0, max_bytes=1_000_000).pull("mcp", None)
        assert (pulled.failure, number) == (PullFailure.INVALID_MANIFEST, 1001)


@pytest.mark.req("gateway/P11", "threat/T04")
async def test_the_bound_is_that_of_all_pages_together() -> None:
    async with attached() as client:
        parts = [page("x" * 400, cursor=str(number)) for number in range(4)]
        client.host.says("tools/list", *map(result, parts), result(page("y")))
        assert (await client.source(max_bytes=2100).pull("mcp", None)).failure is None
        client.host.says("tools/list", *map(result, parts), result(page("y" * 400)))
        assert (await client.source(max_bytes=2100).pull("mcp", None)).failure is PullFailure.TOO_LARGE
        client.host.says("tools/list", result(page("x" * 3000)))
        assert (await client.source(max_bytes=2100).pull("mcp", None)).failure is PullFailure.TOO_LARGE


@pytest.mark.req("gateway/P11", "threat/T04")
async def test_the_deadline_is_that_of_all_pages_together() -> None:
    number = 0

    def says(seen: Heard) -> Answer:
        nonlocal number
        number += 1
        return (Drip(reply(200, response_to(seen, page(cursor=str(number))))[0].data, 0.01, 4),)  # type: ignore[union-attr]  # a Send

    async with attached() as client:
        await client.server.open(5.0)
        client.host.says("tools/list", says)
        async with asyncio.timeout(10):
            pulled = await client.source(seconds=0.4).pull("mcp", None)
        assert pulled.failure is PullFailure.TIMED_OUT
        assert number < 20


FAILURES: dict[str, tuple[Says | Answer, PullFailure]] = {
    "no tools": (result(b"{}"), PullFailure.INVALID_MANIFEST),
    "null tools": (result(b'{"tools":null}'), PullFailure.INVALID_MANIFEST),
    "tools that are no array": (result(b'{"tools":{}}'), PullFailure.INVALID_MANIFEST),
    "tools twice": (result(b'{"tools":[],"tools":[]}'), PullFailure.INVALID_MANIFEST),
    "no object": (result(b"[]"), PullFailure.INVALID_MANIFEST),
    "a cursor that is a number": (result(b'{"tools":[],"nextCursor":7}'), PullFailure.INVALID_MANIFEST),
    "an error": (lambda seen: reply(200, error_to(seen, -32603, "secret")), PullFailure.INVALID_MANIFEST),
    "an error with a status": (lambda seen: reply(400, error_to(seen, -32602, "secret")), PullFailure.HTTP_STATUS),
    "another id": (
        lambda _seen: reply(200, b'{"jsonrpc":"2.0","id":99999,"result":{"tools":[]}}'),
        PullFailure.INVALID_JSON,
    ),
    "a batch": (lambda seen: reply(200, b"[%b]" % response_to(seen, b'{"tools":[]}')), PullFailure.INVALID_JSON),
    "half a character": (result(b'{"tools":["\\ud800"]}'), PullFailure.INVALID_JSON),
    "a page": (reply(200, b"<html>", content_type=b"text/html"), PullFailure.CONTENT_TYPE),
    "an empty stream": (stream(), PullFailure.INVALID_JSON),
    "503": (reply(503, b"busy"), PullFailure.HTTP_STATUS),
    "accepted": (reply(202, b"", content_type=None), PullFailure.HTTP_STATUS),
    "reset": ((Reset(),), PullFailure.CONNECT_FAILED),
    "closed": ((Close(),), PullFailure.CONNECT_FAILED),
    "silence": ((Hang(),), PullFailure.TIMED_OUT),
    "an open stream": (stream(Hang()), PullFailure.TIMED_OUT),
}


@pytest.mark.req("gateway/P11", "gateway/G3", "gateway/G5")
@pytest.mark.parametrize("second", [False, True])
@pytest.mark.parametrize("era", ["new", "old"])
@pytest.mark.parametrize("name", FAILURES)
async def test_what_is_no_list_has_a_name_on_the_first_page_and_on_a_later_one(
    name: str, era: str, second: bool
) -> None:
    says, reason = FAILURES[name]
    async with attached(era=era) as client:
        client.host.says("tools/list", *([result(page("a", cursor="1"))] if second else []), says)
        pulled = await client.source(seconds=0.3 if reason is PullFailure.TIMED_OUT else 20.0).pull("mcp", None)
        assert (pulled.failure, pulled.body) == (reason, None)
        assert "secret" not in pulled.detail


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize(
    ("ttls", "seconds"),
    [
        ([b"5000"], 5.0),
        ([b"9000", b"1500", b"3000"], 1.5),
        ([b"0"], None),
        ([b"0", b"2000"], 2.0),
        ([b"-1"], None),
        ([b"1.5"], None),
        ([b'"5000"'], None),
        ([b"null"], None),
        ([b"1e3"], None),
        ([b"9" * 5000], None),
        ([b"999999999999"], 999999999.999),
    ],
)
async def test_a_list_holds_as_long_as_its_shortest_page_says(ttls: list[bytes], seconds: float | None) -> None:
    async with attached() as client:
        ends = [b'"nextCursor":"%d"' % number for number in range(len(ttls) - 1)] + [b'"nextCursor":null']
        pages = [b'{"tools":[],"ttlMs":%b,%b}' % both for both in zip(ttls, ends, strict=True)]
        client.host.says("tools/list", *map(result, pages))
        assert await client.source().pull("mcp", None) == Pulled(body=b'{"tools":[]}', fresh_seconds=seconds)


@pytest.mark.req("gateway/P11")
async def test_a_session_that_has_gone_is_opened_anew_in_the_same_pull() -> None:
    async with attached(listed("find"), era="old") as client:
        source = client.source()
        assert (await source.pull("mcp", None)).failure is None
        client.host.lose_sessions()
        assert (await source.pull("mcp", None)).failure is None
        assert [seen.session for seen in client.host.of("tools/list")] == [b"s-1", b"s-1", b"s-2"]
        assert client.server.session is not None
        assert client.server.session.id == b"s-2"


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize(("before", "after"), [("new", "old"), ("old", "new"), ("both", "old"), ("old", "both")])
async def test_a_server_that_is_replaced_by_one_of_the_other_era_is_spoken_to_in_that(before: Era, after: Era) -> None:
    async with attached(listed("find"), era=before) as client:
        source = client.source()
        assert (await source.pull("mcp", None)).failure is None
        client.host.lose_sessions()
        client.host.era = after
        assert (await source.pull("mcp", None)).failure is None
        assert client.server.session is not None
        assert client.server.session.stateless is (after != "old")


@pytest.mark.req("gateway/P11")
async def test_a_session_that_dies_between_two_pages_is_opened_anew_by_the_next_pull() -> None:
    async with attached(era="old") as client:

        def says(seen: Heard) -> Answer:
            client.host.lose_sessions()
            return reply(200, response_to(seen, page("a", cursor="1")))

        client.host.says("tools/list", says, result(page("a")))
        assert (await client.source().pull("mcp", None)).failure is PullFailure.HTTP_STATUS
        assert client.server.session is None
        assert (await client.source().pull("mcp", None)).body == b'{"tools":["a"]}'


@pytest.mark.req("gateway/P11", "gateway/G3")
async def test_a_server_that_cannot_be_reached_is_a_value() -> None:
    async with attached(era="old") as client:
        await client.host.stop()
        pulled = await client.source(seconds=1.0).pull("mcp", None)
        assert (pulled.failure, pulled.body) == (PullFailure.CONNECT_FAILED, None)
        assert client.host.url("/mcp") in pulled.detail
        await client.host.start()
        assert (await client.source().pull("mcp", None)).body == b'{"tools":[]}'


@pytest.mark.req("gateway/P11")
async def test_no_caller_is_asked_for_by_a_pull() -> None:
    async with attached(era="old") as client:
        assert isinstance(client.source(), McpManifestSource)
        await client.source().pull("mcp", None)
        for seen in client.host.heard:
            assert not seen.request.headers.keys() & {b"authorization", b"cookie", b"guid", b"employee-no"}
            assert seen.request.headers[b"accept-encoding"] == b"identity"
