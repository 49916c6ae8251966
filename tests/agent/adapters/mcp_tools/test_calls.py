"""One call, sent once, in both eras: what is sent, and what each kind of end means (agent/A9, agent/L6)."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from axhub.agent import OutcomeUnknownError, ToolError, reads, writes
from axhub.agent.domain.canonical import canonical
from axhub.agent.domain.definition import published_digest
from axhub.agent.ports.effects import Noted
from support.mcp_peer import ERAS, NEW, OLD, Peer, error, listed, peer, result, rpc
from support.remote import CALL, RUN, Can, Remote, context, remote
from support.tool_service import PATIENCE_SECONDS, Answer, Close, Hang, Received, Reset, Send, reply, response

pytestmark = pytest.mark.req("agent/A9", "agent/L6")

UNREACHABLE = "The system behind this tool cannot be reached now. Nothing was sent, so trying again later does no harm."
REFUSED = "The system behind this tool did not take the call. Nothing was done."


@asynccontextmanager
async def claims(
    era: str = NEW, *, schema: dict[str, Any] | None = None, **said: Any
) -> AsyncIterator[tuple[Peer, Remote]]:
    """Serve a tool that reads and one that writes, and a source that has both."""
    more = {} if schema is None else {"inputSchema": schema}
    async with peer(era) as server:
        server.tools = [listed("claim_find", **more), listed("claim_add", **more)]
        digest = published_digest(server.tools[1])
        mapping = {Can.READ: [reads("claim_find")], Can.WRITE: [writes("claim_add", digest=digest, key=["no"])]}
        async with remote(server.url, mapping, **said) as it:
            yield server, it


async def ended(it: Remote, tool: str) -> tuple[str, str]:
    """Call a tool; say how it ended, as the loop sees it, and with which text."""
    try:
        return "done", await it.call(tool, no="7")
    except ToolError as told:
        return told.code, told.public_message
    except OutcomeUnknownError as unknown:
        return "unknown", str(unknown)


@pytest.mark.parametrize("era", ERAS)
async def test_a_result_comes_back_and_the_call_is_sent_once_with_the_ids_of_run_and_call(era: str) -> None:
    async with claims(era) as (server, it):
        assert await ended(it, "claim_find") == ("done", "done")
        (sent,) = server.calls
        assert (sent.headers[b"guid"], sent.headers[b"x-request-id"]) == (RUN.encode(), CALL.encode())
        assert [name for name in sent.headers if b"employee" in name] == []
        assert json.loads(sent.body)["params"]["name"] == "claim_find"
        assert sent.headers[b"mcp-protocol-version"] == era.encode()


@pytest.mark.parametrize("era", ERAS)
async def test_the_bytes_that_were_approved_are_the_bytes_that_are_sent(era: str) -> None:
    arguments = {
        "no": "7",
        "z": 10**40,
        "a": 0.1,
        "n": None,
        "t": "가 \u2028 \U0001f600",
        "l": [1.0, {"b": False, "a": 1}],
    }
    async with claims(era) as (server, it):
        tool = await it.tool("claim_find")
        await tool.call(tool.read(arguments), context())
        assert b'"arguments":' + canonical(arguments).encode() in server.calls[0].body


async def test_arguments_that_a_server_wants_in_headers_go_there_on_the_newer_revision_alone() -> None:
    schema = {
        "type": "object",
        "properties": {"no": {"type": "string", "x-mcp-header": "Claim-No"}, "n": {"type": "integer"}},
        "required": ["no"],
    }
    async with claims(NEW, schema=schema) as (server, it):
        assert await it.call("claim_find", no="가") == "done"
        assert server.calls[0].headers[b"mcp-param-claim-no"] == b"=?base64?6rCA?="
    async with claims(OLD, schema=schema) as (server, it):
        await it.call("claim_find", no="7")
        assert b"mcp-param-claim-no" not in server.calls[0].headers


@pytest.mark.parametrize("era", ERAS)
async def test_an_error_result_is_told_to_the_model_in_the_servers_words(era: str) -> None:
    async with claims(era) as (server, it):
        server.on_call = lambda _: result("No claim 7.\u202e", isError=True)
        for tool in ("claim_find", "claim_add"):
            assert await ended(it, tool) == ("TOOL_ERROR", "No claim 7.")
        server.on_call = lambda _: result(isError=True)
        assert await ended(it, "claim_find") == ("TOOL_ERROR", "The tool failed and gave no reason.")


async def test_a_server_that_would_ask_a_person_first_has_done_nothing() -> None:
    async with claims() as (server, it):
        server.on_call = lambda _: {"resultType": "input_required", "requestState": "s"}
        assert (await ended(it, "claim_add"))[0] == "NEEDS_INPUT"
        assert len(server.calls) == 1


Said = Callable[[Received], Any]


def _cut(request: Received) -> Answer:
    return (Send(response(length=5000, body=b'{"jsonrpc":"2.0","id":1,')), Close())


def _streamed(*events: bytes) -> Said:
    body = b"".join(b"event: message\ndata: " + event + b"\n\n" for event in events)
    return lambda _: reply(body=body, content_type=b"text/event-stream")


def _of_gateway(text: str) -> Said:
    return lambda _: result(text, isError=True)


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(
    "said",
    [
        pytest.param(lambda _: (Reset(),), id="reset"),
        pytest.param(lambda _: (Close(),), id="closed"),
        pytest.param(_cut, id="cut"),
        pytest.param(lambda _: reply(body=b"<html>", content_type=b"text/html"), id="html"),
        pytest.param(lambda _: reply(body=b"{not json"), id="no-json"),
        pytest.param(lambda _: reply(body=b'{"jsonrpc":"2.0","id":1,"result":{"content":7}}'), id="no-result"),
        pytest.param(lambda _: reply(202, b"", content_type=None), id="202"),
        pytest.param(lambda _: reply(500, b"oops"), id="500"),
        pytest.param(lambda _: reply(502, b"oops"), id="502"),
        pytest.param(lambda _: reply(504, b"oops"), id="504"),
        pytest.param(lambda _: reply(307, b"", headers=[(b"Location", b"/mcp")]), id="redirect"),
        pytest.param(lambda _: reply(303, b"", headers=[(b"Location", b"http://127.0.0.1:1/x")]), id="see-other"),
        pytest.param(lambda _: error(-32603, "Internal error"), id="internal"),
        pytest.param(lambda _: error(0, "Traceback"), id="code-0"),
        pytest.param(lambda _: error(-32001, "Request timed out"), id="timed-out"),
        pytest.param(lambda _: rpc(1, error(-32600, "No back-channel"), status=400), id="asks-in-the-middle"),
        pytest.param(lambda _: rpc(1, error(-32021, "No elicitation"), status=400), id="wants-a-capability"),
        pytest.param(lambda _: reply(headers=[(b"Content-Encoding", b"gzip")], body=b"\x1f\x8b"), id="encoded"),
        pytest.param(_streamed(b'{"jsonrpc":"2.0","method":"notifications/progress"}'), id="stream-without-answer"),
        pytest.param(_streamed(b"{not json"), id="stream-no-json"),
        pytest.param(_streamed(b'{"jsonrpc":"2.0","id":1,"result":{"resultType":"task"}}'), id="a-task"),
    ],
)
async def test_no_clear_answer_is_an_outcome_unknown_and_the_call_is_not_repeated(era: str, said: Said) -> None:
    async with claims(era) as (server, it):
        server.on_call = said
        for tool in ("claim_add", "claim_find"):
            assert (await ended(it, tool))[0] == "unknown"
        assert len(server.calls) == 2


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(
    "said",
    [
        pytest.param(lambda _: error(-32602, ""), id="invalid-params"),
        pytest.param(lambda _: error(-32601, "Method not found"), id="no-method"),
        pytest.param(lambda _: error(-32020, "Header mismatch"), id="header-mismatch"),
        pytest.param(lambda _: error(-32001, "Tool not found", data={"reason": "tool_not_found"}), id="gone"),
        pytest.param(lambda _: rpc(1, error(-32603, data={"reason": "overloaded"}), status=503), id="overloaded"),
        pytest.param(lambda _: rpc(1, error(-32602, ""), status=400), id="400"),
        *(
            pytest.param(lambda _, status=status: reply(status, b"no"), id=str(status))
            for status in (400, 401, 403, 404, 405, 408, 413, 415, 421, 429, 431)
        ),
    ],
)
async def test_a_server_that_did_not_begin_has_done_nothing(era: str, said: Said) -> None:
    async with claims(era) as (server, it):
        server.on_call = said
        assert await ended(it, "claim_add") == ("REFUSED", REFUSED)
        assert len(server.calls) == 1
        (told,) = it.told(Noted.CALL_NOT_TAKEN)
        assert (told["kind"], told["tool"]) == ("refused", "claim_add")


async def test_a_redirect_is_not_followed_even_to_the_same_place() -> None:
    async with claims() as (server, it):
        server.on_call = lambda _: reply(308, b"", headers=[(b"Location", b"/mcp")])
        assert await ended(it, "claim_add") == ("unknown", "claim_add: redirect with status 308")
        assert len(server.calls) == 1


async def test_what_a_server_says_of_bad_arguments_reaches_the_model() -> None:
    async with claims() as (server, it):
        server.on_call = lambda _: error(-32602, "no: must be\x00 8 digits" + "!" * 900)
        code, text = await ended(it, "claim_find")
        assert code == "REFUSED"
        assert text == f"{REFUSED} It says: {('no: must be 8 digits' + '!' * 900)[:500]}"


async def test_a_server_that_cannot_be_reached_was_sent_nothing() -> None:
    async with claims() as (server, it):
        await server.service.stop()
        for tool in ("claim_add", "claim_find"):
            assert await ended(it, tool) == ("UNREACHABLE", UNREACHABLE)
        assert [one["kind"] for one in it.told(Noted.CALL_NOT_TAKEN)] == ["unsent", "unsent"]


async def test_a_source_that_does_not_run_sends_nothing() -> None:
    async with claims() as (_, it):
        tool = await it.tool("claim_add")
    with pytest.raises(ToolError) as told:
        await tool.call(tool.read({"no": "7"}), context())
    assert told.value.code == "UNREACHABLE"


@pytest.mark.parametrize("era", ERAS)
async def test_a_call_that_hangs_ends_when_its_time_is_over_and_the_server_sees_it_go(era: str) -> None:
    async with claims(era) as (server, it):
        server.on_call = lambda _: (Hang(),)
        began = time.monotonic()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.3):
                await it.call("claim_add", no="7")
        assert time.monotonic() - began < 4
        await it.until(lambda: server.service.open_connections <= 1)
        server.on_call = lambda _: result("again")
        assert await ended(it, "claim_find") == ("done", "again")


@pytest.mark.parametrize("era", ERAS)
async def test_a_call_that_breaks_takes_no_other_with_it(era: str) -> None:
    async with claims(era) as (server, it):

        def said(request: Received) -> Any:
            number = json.loads(request.body)["params"]["arguments"]["no"]
            return (Reset(),) if number == "breaks" else result(number)

        server.on_call = said
        ended_ = await asyncio.gather(
            *(it.call("claim_find", no=one) for one in ("a", "breaks", "b", "breaks", "c")), return_exceptions=True
        )
        assert [one if isinstance(one, str) else type(one).__name__ for one in ended_] == [
            *("a", "OutcomeUnknownError", "b", "OutcomeUnknownError", "c"),
        ]


async def test_a_huge_answer_is_not_read_to_its_end() -> None:
    async with claims(max_answer_bytes=100_000) as (server, it):
        server.on_call = lambda _: result("x" * 200_000)
        assert (await ended(it, "claim_find"))[0] == "TOO_LARGE"
        assert (await ended(it, "claim_add"))[0] == "unknown"
        server.on_call = _streamed(b'{"jsonrpc":"2.0","id":1,"result":{"content":[]},"x":"' + b"x" * 200_000 + b'"}')
        assert (await ended(it, "claim_add"))[0] == "unknown"


async def test_a_streamed_answer_is_taken_and_progress_is_not_looked_at() -> None:
    async with claims() as (server, it):
        progress = b'{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}'
        answer = b'{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text","text":"ok"}]}}'
        server.on_call = _streamed(progress, progress, answer)
        assert await ended(it, "claim_find") == ("done", "ok")


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("The tool did not answer within its time limit. It is not known whether it did its work.", "unknown"),
        ("The tool refused the call (HTTP 409): {}", "TOOL_ERROR"),
    ],
)
async def test_a_gateway_that_does_not_know_leaves_a_write_unknown_and_a_read_failed(text: str, word: str) -> None:
    async with claims() as (server, it):
        server.on_call = _of_gateway(text)
        assert (await ended(it, "claim_add"))[0] == word
        assert await ended(it, "claim_find") == ("TOOL_ERROR", text)


def _without_session(status: int, number: Any) -> Answer:
    """Refuse a request unread, as servers do whose session is gone."""
    body = {"jsonrpc": "2.0", "error": {"code": -32600, "message": "Session not found"}, "id": number}
    return reply(status, json.dumps(body).encode())


@pytest.mark.parametrize(
    "gone",
    [reply(404, b""), _without_session(404, "server-error"), _without_session(400, None)],
    ids=["404", "404 with an id of its own", "400 without an id"],
)
async def test_a_session_that_is_gone_is_renewed_for_the_next_call_and_this_one_is_not_repeated(gone: Answer) -> None:
    async with peer(OLD, session="s-1") as server:
        server.tools = [listed("claim_find")]
        async with remote(server.url, {Can.READ: [reads("claim_find")]}) as it:
            await it.call("claim_find", no="7")
            assert server.calls[-1].headers[b"mcp-session-id"] == b"s-1"
            server.session, lists = "s-2", server.lists

            def said(request: Received) -> Any:
                return result("done") if request.headers[b"mcp-session-id"] == b"s-2" else gone

            server.on_call = said
            assert await ended(it, "claim_find") == ("REFUSED", REFUSED)
            assert len(server.calls) == 2
            await it.until(lambda: server.lists > lists)
            async with asyncio.timeout(PATIENCE_SECONDS):
                while await ended(it, "claim_find") != ("done", "done"):  # noqa: ASYNC110 -- until the list is read
                    await asyncio.sleep(0.01)


async def test_what_became_of_a_lost_write_is_the_applications_to_say() -> None:
    async def find(arguments: Any, it: Any) -> str | None:
        return None if arguments["no"] == "none" else f"{it.key}: registered"

    async with peer() as server:
        server.tools = [listed("claim_add")]
        approved: Any = {"digest": published_digest(listed("claim_add")), "key": ["no"]}
        silent, telling = writes("claim_add", **approved), writes("claim_add", find=find, **approved)
        async with remote(server.url, {Can.WRITE: [silent]}) as it:
            with pytest.raises(OutcomeUnknownError):
                await (await it.tool("claim_add")).outcome({"no": "7"}, context(key="k"))
        async with remote(server.url, {Can.WRITE: [telling]}) as it:
            tool = await it.tool("claim_add")
            assert await tool.outcome({"no": "7"}, context(key="k")) == "k: registered"
            assert await tool.outcome({"no": "none"}, context(key="k")) is None
