"""How the bench reads wrk, strace and metrics, and what it sends."""

import json

import pytest

from bench import inputs
from bench.inputs import LEGACY, MODERN
from bench.measure import Load, count_calls, parse_load, summarise
from bench.servers import NotRunning, program
from bench.suts import requirements, stamp_text
from bench.syscalls import Syscalls, count_lines, sentence

RESULT = '{"requests":100,"microseconds":2000000,"bytes":150000,"p50":90,"p99":400,"errors":0}'
LOAD = Load(requests=100, microseconds=2_000_000, bytes=150_000, p50=90, p99=400, errors=0)
TRACE = [
    '10  read(12<socket:[77]>, ""..., 65536) = 245',
    '10  write(13<socket:[78]>, ""..., 300)  = 300',
    "10  sendmsg(12<socket:[77]>, {msg_name=NULL, msg_iovlen=2}, 0) = 1500",
    "10  epoll_pwait(5<anon_inode:[eventpoll]>, [{events=EPOLLIN}], 1024, 49, NULL, 8) = 1",
    '11  write(2<pipe:[99]>, ""..., 4096) = 4096',
    '11  write(1<pipe:[98]>, ""..., 4096) = 4096',
    "11  futex(0x7f0000000000, FUTEX_WAIT_BITSET_PRIVATE|FUTEX_CLOCK_REALTIME, 0, NULL <unfinished ...>",
    "11  <... futex resumed>) = 0",
    "10  --- SIGTERM {si_signo=SIGTERM} ---",
    "10  +++ exited with 0 +++",
]


def test_the_result_line_is_found_in_what_wrk_prints() -> None:
    assert parse_load(f"Running 2s test\n  1 threads\nRESULT {RESULT}\n") == LOAD


def test_wrk_without_a_result_is_an_error_that_shows_what_it_said() -> None:
    with pytest.raises(NotRunning, match="unable to connect"):
        parse_load("unable to connect to 127.0.0.1:1 Connection refused")


def test_totals_become_figures_for_one_request() -> None:
    found = summarise(LOAD, cpu=0.002, elapsed=2.0, resident=31.5, size=1500)
    assert (found.rate, found.cpu, found.busy, found.errors) == (50.0, 20.0, 0.001, 0)
    assert (found.p50, found.p99, found.resident, found.requests) == (90, 400, 31.5, 100)


def test_answers_that_are_too_small_on_average_count_as_wrong() -> None:
    assert summarise(LOAD, cpu=0.002, elapsed=2.0, resident=1, size=1505).errors == 100


def test_a_round_without_a_request_does_not_divide_by_zero() -> None:
    dead = Load(requests=0, microseconds=0, bytes=0, p50=0, p99=0, errors=1)
    assert summarise(dead, cpu=0.0, elapsed=2.0, resident=0, size=1500).errors == 1


def test_traced_calls_are_counted_once_and_the_log_apart() -> None:
    kinds = count_lines(TRACE, log="pipe:[99]")
    assert kinds == {"reads": 1, "writes": 3, "log_writes": 1, "waits": 1, "locks": 1}


def test_the_counts_are_said_in_one_sentence() -> None:
    text = sentence(Syscalls(calls=4000, reads=2.0, writes=2.0, log_writes=0.012, waits=0.1, locks=0.05))
    assert "4,000 calls): 2.00 reads, 2.00 writes; apart from these 0.012 writes to the log" in text


def test_calls_are_added_up_over_the_labels_of_the_metric() -> None:
    metrics = (
        '# TYPE axhub_tool_calls_total counter\naxhub_tool_calls_total{tool="a",outcome="ok"} 3.0\n'
        'axhub_tool_calls_total{tool="a",outcome="busy"} 2.0\naxhub_tool_calls_created{tool="a"} 1.7e9\n'
    )
    assert count_calls(metrics) == 5


def test_a_program_that_is_missing_is_named_with_its_debian_package() -> None:
    with pytest.raises(NotRunning, match=r"no-such-program is not installed \(Debian package: some-package\)"):
        program("no-such-program", "some-package")


def test_the_tools_answer_is_about_a_kilobyte_of_korean_json() -> None:
    body = inputs.answer().encode()
    assert 900 < len(body) < 1200
    assert json.loads(body)["customer"]["name"] == "홍길동"


def test_a_manifest_has_that_many_tools_in_the_order_of_their_names() -> None:
    tools = inputs.manifest(200, "http://127.0.0.1:9")["tools"]
    names = [tool["name"] for tool in tools]
    assert len(names) == 200
    assert names == sorted(names)
    assert inputs.CALLED_TOOL in names


def test_the_list_shows_public_members_only() -> None:
    (tool,) = inputs.public_tools(inputs.manifest(1, "http://127.0.0.1:9"))
    assert list(tool) == ["name", "title", "description", "inputSchema", "annotations"]


def test_the_old_wire_has_no_routing_headers_and_no_meta() -> None:
    request = inputs.call_request(LEGACY)
    assert not {"mcp-method", "mcp-name"} & set(request.headers)
    assert "_meta" not in json.loads(request.body)["params"]


def test_the_new_wire_names_revision_method_and_tool_in_headers_and_body() -> None:
    request = inputs.call_request(MODERN)
    sent = {name: request.headers[name] for name in ("mcp-protocol-version", "mcp-method", "mcp-name")}
    assert sent == {
        "mcp-protocol-version": MODERN,
        "mcp-method": "tools/call",
        "mcp-name": inputs.CALLED_TOOL,
    }
    meta = json.loads(request.body)["params"]["_meta"]
    assert meta["io.modelcontextprotocol/protocolVersion"] == MODERN
    assert meta["io.modelcontextprotocol/clientCapabilities"] == {}


def test_a_list_on_the_new_wire_names_no_tool() -> None:
    assert "mcp-name" not in inputs.list_request(MODERN).headers


@pytest.mark.parametrize("peer", ["mcp-sdk-httpx", "mcp-sdk-aiohttp"])
def test_every_peer_is_pinned_by_hash_and_names_no_address(peer: str) -> None:
    text = requirements(peer).read_text(encoding="utf-8")
    pins = [line for line in text.splitlines() if line and not line.startswith((" ", "#"))]
    assert len(pins) > 20
    assert all("==" in pin and pin.endswith("\\") for pin in pins)
    assert "://" not in text
    assert len(stamp_text(peer)) == 64
