"""`axhub tools` against the official SDK's own server: what people and scripts see, and the exit codes."""

import fcntl
import io
import json
import logging
import os
import pty
import re
import socket
import struct
import subprocess
import sys
import termios
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from wcwidth import width

from axhub.cli import mcp_client
from axhub.cli.main import main
from support.mcp_sdk_server import Running, example_server, serving

pytestmark = pytest.mark.req("gateway/C5")

PROTOCOLS = ["auto", "legacy", "2026-07-28"]


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with serving(example_server()) as running:
        yield running
    logging.getLogger("mcp").setLevel(logging.NOTSET)


def tools(*words: str) -> int:
    return main(["tools", *words])


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_list_shows_a_table_of_all_tools(server: Running, protocol: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert tools("list", server.url, "--protocol", protocol) == 0
    *table, summary = capsys.readouterr().out.splitlines()
    assert table == [
        "NAME     TITLE   ARGUMENTS     WHAT IT DOES",
        "echo     되울림  text, times?  Echoes what it gets. 받은 글을 돌려줍니다.",
        "add              a, b          Adds",
        "fail                           Fails in words",
        "picture                        Shows a picture",
    ]
    assert re.fullmatch(r"4 tools at .+, MCP 20\d\d-\d\d-\d\d", summary)


def test_on_a_narrow_terminal_every_line_fits_and_the_head_is_bold(server: Running) -> None:
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 44, 0, 0))
    environ = {name: value for name, value in os.environ.items() if name not in {"COLUMNS", "NO_COLOR"}}
    command = [sys.executable, "-c", "from axhub.cli.main import main; main()", "tools", "list", server.url]
    with os.fdopen(leader, "rb", buffering=0) as screen:
        with os.fdopen(follower, "wb") as terminal:
            subprocess.run(command, check=True, stdout=terminal, env=environ | {"TERM": "xterm"})
        shown = screen.read(65536).decode().splitlines()
    assert shown[0] == "\x1b[1mNAME     TITLE   ARGUMENTS     WHAT IT DOES\x1b[0m"
    assert shown[1] == "echo     되울림  text, times?  Echoes what …"
    assert {width(line) for line in shown[1:-1]} <= set(range(45))


def test_list_prints_one_json_object_for_scripts(server: Running, capsys: pytest.CaptureFixture[str]) -> None:
    assert tools("list", server.url, "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert list(document) == ["url", "protocol", "server", "tools"]
    assert document["url"] == server.url
    assert document["server"] == {"name": "표본 서버", "version": "1.2.3"}
    assert [tool["name"] for tool in document["tools"]] == ["echo", "add", "fail", "picture"]
    assert document["tools"][0]["inputSchema"]["required"] == ["text"]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_arguments_leave_with_their_own_bytes(
    server: Running, protocol: str, capsys: pytest.CaptureFixture[str]
) -> None:
    written = '{"text": "한 \\ud55c",  "times" : 2, "x": [1.0, 1e400, ' + "9" * 30 + '], "y":1,"y":2}'
    assert tools("call", server.url, "echo", "--args", written, "--protocol", protocol) == 0
    assert capsys.readouterr().out == "한 한한 한\n"
    bodies = [body for _, body in server.requests if b'"tools/call"' in body]
    assert b'"arguments":' + written.encode() in bodies[-1]


def test_call_without_arguments_works(server: Running, capsys: pytest.CaptureFixture[str]) -> None:
    assert tools("call", server.url, "picture") == 0
    assert capsys.readouterr().out == "그림\n[image image/png: shown by --json]\n"


def test_call_prints_one_json_object_for_scripts(server: Running, capsys: pytest.CaptureFixture[str]) -> None:
    assert tools("call", server.url, "add", "--args", '{"a": 12345678901234567890123, "b": 1}', "--json") == 0
    text = "12345678901234567890124"
    assert json.loads(capsys.readouterr().out) == {
        "tool": "add",
        "isError": False,
        "text": text,
        "content": [{"type": "text", "text": text}],
        "structuredContent": {"result": int(text)},
    }


def test_arguments_can_come_through_a_pipe(
    server: Running, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO('{"text": "글"}'.encode())))
    assert tools("call", server.url, "echo", "--args", "-") == 0
    assert capsys.readouterr().out == "글\n"


def test_headers_are_sent_with_every_request(server: Running) -> None:
    server.requests.clear()
    assert tools("list", server.url, "--header", "guid=G-1", "--header", "X-Team=보험") == 0
    assert server.requests
    assert {headers["guid"] for headers, _ in server.requests} == {"G-1"}
    assert {headers["x-team"] for headers, _ in server.requests} == {"보험"}


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_an_error_of_the_tool_is_exit_code_1_with_its_text(
    server: Running, protocol: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert tools("call", server.url, "fail", "--protocol", protocol) == 1
    shown = capsys.readouterr()
    assert shown.out == "Error executing tool fail: 계약번호가 없습니다.\n"
    assert shown.err == "axhub tools: fail answered with an error\n"


def test_an_error_of_the_tool_keeps_the_shape_of_the_json(server: Running, capsys: pytest.CaptureFixture[str]) -> None:
    assert tools("call", server.url, "fail", "--json") == 1
    assert json.loads(capsys.readouterr().out)["isError"] is True


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["echo", "--args", "{a: 1}"], "--args is not JSON"),
        (["echo", "--args", "@/no/such"], "cannot read the file '/no/such'"),
        (["echo", "--header", "guid"], "--header takes NAME=VALUE"),
        (["echo", "--timeout", "0"], "--timeout takes a number of seconds above 0"),
        (["echo", "--timeout", "nan"], "--timeout takes a number of seconds above 0"),
    ],
)
def test_a_wrong_command_line_is_exit_code_2_and_nothing_is_sent(
    server: Running, words: list[str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    server.requests.clear()
    assert tools("call", server.url, *words) == 2
    assert capsys.readouterr().err.startswith(f"axhub tools: {problem}")
    assert server.requests == []


@pytest.mark.parametrize(
    "url", ["127.0.0.1:8080/mcp", "ftp://x/mcp", "http://", "http://x:99999/", "http://[::1", "http://x:0/", ""]
)
def test_what_is_no_url_is_exit_code_2(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert tools("list", url) == 2
    assert capsys.readouterr().err == f"axhub tools: URL must be like http://127.0.0.1:8080/mcp; found {url!r}\n"


@pytest.mark.parametrize("words", [["list"], ["call", "http://x/mcp"], ["list", "u", "--protocol", "1"], [], ["lst"]])
def test_argparse_mistakes_are_exit_code_2_too(words: list[str]) -> None:
    assert tools(*words) == 2


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("words", [["list"], ["call", "echo"]])
def test_where_nothing_listens_is_exit_code_3(
    words: list[str], protocol: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/mcp"
    assert tools(words[0], url, *words[1:], "--protocol", protocol) == 3
    problem = f"nothing listens at {url}; is the server running, and is the port right?"
    assert capsys.readouterr() == ("", f"axhub tools: {problem}\n")


def test_a_server_that_never_answers_is_exit_code_3(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/mcp"
        assert tools("list", url, "--timeout", "0.2") == 3
    assert capsys.readouterr().err == f"axhub tools: no answer from {url} within 0.2 s (--timeout SECONDS)\n"


def test_a_server_that_speaks_no_tls_is_exit_code_3_with_the_reason(
    server: Running, capsys: pytest.CaptureFixture[str]
) -> None:
    url = server.url.replace("http:", "https:")
    assert tools("list", url) == 3
    assert re.fullmatch(
        rf"axhub tools: no connection to {url}: .*SSL.*; is the server running, and is the address right\?\n",
        capsys.readouterr().err,
    )


def test_a_peer_that_speaks_no_http_is_exit_code_3_with_the_reason(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        url = f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"

        def garble() -> None:
            with listening.accept()[0] as connection:
                connection.recv(65536)
                connection.sendall(b"220 smtp ready\r\n")

        thread = threading.Thread(target=garble)
        thread.start()
        assert tools("list", url) == 3
        thread.join()
    shown = capsys.readouterr().err
    assert shown.startswith(f"axhub tools: no connection to {url}: ")
    assert shown.endswith("; is the server running, and is the address right?\n")
    assert shown.count("\n") == 1


async def test_white_box_a_fault_of_ours_is_raised_as_it_is(server: Running) -> None:
    async def broken(_: object) -> None:
        raise LookupError("ours")

    with pytest.raises(LookupError, match=r"^'?ours"):
        await mcp_client.with_client(mcp_client.Target(server.url), None, broken)


def answering(make: Any) -> Starlette:
    async def answer(request: Request) -> Response:
        body = await request.body()
        response: Response = make(json.loads(body) if body else {})
        return response

    return Starlette(routes=[Route("/{path:path}", answer, methods=["GET", "POST", "DELETE"])])


def refusal(code: int, message: str, status: int = 200) -> Any:
    def make(message_in: dict[str, Any]) -> Response:
        error = {"code": code, "message": message}
        return JSONResponse({"jsonrpc": "2.0", "id": message_in.get("id"), "error": error}, status)

    return make


def without_id(status: int, message: str) -> Any:
    return lambda _: JSONResponse({"jsonrpc": "2.0", "error": {"code": -32600, "message": message}}, status)


def malformed(message_in: dict[str, Any]) -> Response:
    return JSONResponse({"jsonrpc": "2.0", "id": message_in.get("id"), "result": {"tools": "none"}})


@pytest.mark.parametrize(
    ("make", "code", "problem"),
    [
        (lambda _: PlainTextResponse("no", 404), 3, "no MCP server at URL: it answered HTTP 404"),
        (lambda _: JSONResponse({"detail": "no"}, 404), 3, "no MCP server at URL: it answered HTTP 404"),
        (lambda _: PlainTextResponse("oops", 500), 3, "no MCP server at URL: it answered HTTP 500"),
        (lambda _: PlainTextResponse("<html>"), 3, "no MCP server at URL: Unexpected content type: text/plain"),
        (lambda _: RedirectResponse("http://127.0.0.1:1/other"), 3, "no MCP server at URL: Redirect to http://127"),
        (lambda _: PlainTextResponse("who", 401), 1, "URL refused access (HTTP 401); does it want a --header"),
        (refusal(-32603, "Registry unavailable", 503), 3, "URL cannot serve now: Registry unavailable; try again"),
        (refusal(-32603, "Origin not allowed", 403), 1, "the server refused: Origin not allowed (code -32603)"),
        (without_id(403, "Origin not allowed"), 1, "the server refused: Origin not allowed (HTTP 403)"),
        (without_id(404, "use POST /mcp"), 3, "no MCP server at URL: it answered HTTP 404"),
        (without_id(503, "overloaded"), 3, "URL cannot serve now: overloaded; try again in a moment"),
        (refusal(-32603, "two\nlines \x1b[31m"), 1, "the server refused: two lines [31m (code -32603)"),
        (refusal(-32603, "broken"), 1, "the server refused: broken (code -32603)"),
        (malformed, 1, "the answer of URL is no valid MCP result: "),
    ],
    ids=[
        "404",
        "404-json",
        "500",
        "html",
        "redirect",
        "401",
        "503",
        "403",
        "bare-403",
        "bare-404",
        "bare-503",
        "unsafe",
        "error",
        "malformed",
    ],
)
def test_what_is_not_a_working_mcp_server_is_told_in_one_sentence(
    make: Any, code: int, problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    protocol = "2026-07-28"
    with serving(answering(make)) as running:
        assert tools("list", running.url, "--protocol", protocol) == code
        shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("axhub tools: " + problem.replace("URL", running.url))
    assert shown.err.count("\n") == 1


def test_a_wrong_path_suggests_the_usual_one(capsys: pytest.CaptureFixture[str]) -> None:
    with serving(answering(lambda _: PlainTextResponse("no", 404))) as running:
        base = running.url.removesuffix("/mcp")
        assert tools("list", base) == 3
    assert capsys.readouterr().err.endswith(f"it answered HTTP 404; did you mean {base}/mcp ?\n")


def test_a_refusal_by_the_server_is_exit_code_1_and_json_for_scripts(capsys: pytest.CaptureFixture[str]) -> None:
    with serving(answering(refusal(-32001, "Tool not found"))) as running:
        assert tools("call", running.url, "nope", "--json", "--protocol", "2026-07-28") == 1
    shown = capsys.readouterr()
    assert json.loads(shown.out) == {
        "tool": "nope",
        "isError": True,
        "error": {"code": -32001, "message": "Tool not found", "data": None},
    }
    assert shown.err == "axhub tools: the server refused: Tool not found (code -32001)\n"


def test_a_refusal_by_the_server_is_one_sentence_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    with serving(answering(refusal(-32001, "Tool not found"))) as running:
        assert tools("call", running.url, "nope", "--protocol", "2026-07-28") == 1
    assert capsys.readouterr() == ("", "axhub tools: the server refused: Tool not found (code -32001)\n")


def test_every_page_is_fetched_and_a_server_without_a_name_is_said_so(capsys: pytest.CaptureFixture[str]) -> None:
    def page(message: dict[str, Any]) -> Response:
        cursor = message["params"].get("cursor", "0")
        tool = {"name": f"t{cursor}", "inputSchema": {"type": "object"}}
        more = {"nextCursor": str(int(cursor) + 1)} if cursor != "2" else {}
        result = {"tools": [tool], "ttlMs": 0, "cacheScope": "public", "resultType": "complete"} | more
        return JSONResponse({"jsonrpc": "2.0", "id": message["id"], "result": result})

    with serving(answering(page)) as running:
        assert tools("list", running.url, "--protocol", "2026-07-28", "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert [tool["name"] for tool in document["tools"]] == ["t0", "t1", "t2"]
    assert document["server"] is None


def test_without_the_client_library_the_command_says_which_pip_brings_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)
    assert tools("list", "http://127.0.0.1:1/mcp") == 2
    problem = "the MCP client library is not installed; this brings it: pip install 'axhub[client]'"
    assert capsys.readouterr().err == f"axhub tools: {problem}\n"
