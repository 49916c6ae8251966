"""How the bench starts what it measures, and checks answers before it times anything."""

import http.server
import json
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from bench.answers import check_call, check_list
from bench.inputs import Request
from bench.processes import choose_cores
from bench.servers import NotRunning, Running, Server, fetch, free_port, start
from bench.suts import NGINX, OURS, Contestant

CORE = choose_cores({0}).sut
PROBE = Request("/mcp", {"content-type": "application/json"}, b"{}")
TOOLS = [{"name": "조회", "description": "x"}]


@contextmanager
def answering(body: bytes, status: int = 200) -> Iterator[int]:
    """Serve one fixed answer on a free port."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            self.send_response(status)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def contestant(name: str) -> Contestant:
    return Contestant(name, Server("any", ("true",), 1, PROBE), PROBE, PROBE, plain=name == NGINX)


def call_answer(text: str, *, is_error: bool = False) -> bytes:
    result = {"content": [{"type": "text", "text": text}], **({"isError": True} if is_error else {})}
    return json.dumps({"jsonrpc": "2.0", "id": 1, "result": result}).encode()


def test_a_server_that_ends_at_once_is_not_run_for_the_reason_it_gave_last() -> None:
    script = "import sys; sys.stderr.write('first\\nport is taken\\n'); sys.exit(3)"
    started: list[Running] = []
    with pytest.raises(NotRunning, match="exit code 3: port is taken"):
        start(Server("broken", (sys.executable, "-c", script), free_port(), PROBE), CORE, started.append)
    assert len(started) == 1


def test_a_program_that_does_not_exist_is_not_run() -> None:
    with pytest.raises(NotRunning, match="cannot be started: No such file"):
        start(Server("none", ("/no/such/program",), free_port(), PROBE), CORE, lambda _: None)


def test_what_a_fetch_says_was_sent_is_what_went_over_the_wire() -> None:
    with answering(b"{}") as port:
        answer = fetch(port, PROBE)
    assert (answer.status, answer.body) == (200, b"{}")
    assert answer.size > len("HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\n{}")


def test_the_right_text_passes() -> None:
    with answering(call_answer("답")) as port:
        assert check_call(contestant(OURS), port, "답") > 0


def test_a_proxy_must_pass_the_tools_answer_as_it_is() -> None:
    with answering('{"답":1}'.encode()) as port:
        assert check_call(contestant(NGINX), port, '{"답":1}') > 0


@pytest.mark.parametrize(
    "body",
    [
        call_answer("another"),
        call_answer("답", is_error=True),
        b'{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"x"}}',
        b'{"jsonrpc":"2.0","id":1,"result":{"content":[]}}',
    ],
    ids=["another text", "an error result", "a protocol error", "no content"],
)
def test_a_wrong_answer_to_a_call_is_not_timed(body: bytes) -> None:
    with answering(body) as port, pytest.raises(NotRunning, match="not the tool's"):
        check_call(contestant(OURS), port, "답")


def test_an_answer_with_another_status_is_not_timed() -> None:
    with answering(call_answer("답"), status=503) as port, pytest.raises(NotRunning, match="HTTP 503"):
        check_call(contestant(OURS), port, "답")


def test_the_right_list_passes_whatever_the_order_of_members() -> None:
    tools = [dict(reversed(TOOLS[0].items()))]
    with answering(json.dumps({"result": {"tools": tools, "ttlMs": 1}}).encode()) as port:
        assert check_list(contestant(OURS), port, TOOLS) > 0


@pytest.mark.parametrize("tools", [[], [*TOOLS, *TOOLS], [{"name": "조회"}]])
def test_a_list_with_other_tools_is_not_timed(tools: list[object]) -> None:
    with answering(json.dumps({"result": {"tools": tools}}).encode()) as port, pytest.raises(NotRunning, match="list"):
        check_list(contestant(OURS), port, TOOLS)
