import asyncio
import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from axhub.contract.headers import HeaderParam
from axhub.gateway.adapters.clock import ManualClock
from axhub.gateway.adapters.log import JsonLog
from axhub.gateway.adapters.mcp_upstream_scripted import ScriptedMcpUpstream
from axhub.gateway.adapters.upstream_scripted import ScriptedUpstream, ok
from axhub.gateway.domain.call import ForwardedHeaders, ToolCall
from axhub.gateway.domain.route import CallRules
from axhub.gateway.ports import CallRecord, Failure, McpAnswer, McpCall, Outcome, UpstreamAnswer, UpstreamRequest
from axhub.gateway.usecases.call_tool import CallTool, Refusal, Refused
from axhub.gateway.usecases.interpret_answer import ToolResult
from axhub.gateway.usecases.interpret_mcp import McpResult, PassedError
from support.tools import snapshot, tool

TRACE = b"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


class Observer:
    def __init__(self) -> None:
        self.records: list[CallRecord] = []

    def __call__(self, record: CallRecord) -> None:
        self.records.append(record)

    @property
    def outcomes(self) -> list[Outcome]:
        return [record.outcome for record in self.records]


class Bench:
    """The use case around a scripted upstream."""

    def __init__(
        self,
        answer: Callable[[UpstreamRequest], UpstreamAnswer | None] = lambda _request: ok(b'{"a": 1}'),
        *,
        answer_mcp: Callable[[McpCall], McpAnswer | None] = lambda _call: None,
        rules: dict[str, CallRules] | None = None,
        max_in_flight: int = 10,
    ) -> None:
        self.upstream = ScriptedUpstream(answer)
        self.mcp_upstream = ScriptedMcpUpstream(answer_mcp)
        self.clock = ManualClock()
        self.observer = Observer()
        self.logged: list[CallRecord] = []
        self.log_lines: list[bytes] = []
        self.rechecks = 0
        self.recheck_gate = asyncio.Event()
        self.recheck_gate.set()
        self.on_recheck: Callable[[], None] = lambda: None
        self.ended: list[McpResult | Refused] = []
        self.progress: list[bytes] = []
        self.milliseconds: list[int] = []
        self.use_case = CallTool(
            upstream=self.upstream,
            mcp_upstream=self.mcp_upstream,
            rules=rules or {},
            forwarded_headers=ForwardedHeaders(),
            recheck=self._recheck,
            count=self.observer,
            log_call=self.logged.append,
            log=JsonLog(self.log_lines.append, self.clock),
            clock=self.clock,
            new_error_id=lambda: "our-id",
            max_in_flight=max_in_flight,
        )

    async def _recheck(self) -> None:
        self.rechecks += 1
        await self.recheck_gate.wait()
        self.on_recheck()

    def call(self, name: str = "t", **fields: Any) -> Callable[[], None]:
        call = ToolCall(**{"name": name, "arguments": b'{"x": 1.0}', "headers": {}, **fields})
        return self.use_case.start(call, self)

    def completed(self, result: McpResult, milliseconds: int) -> None:
        self.ended.append(result)
        self.milliseconds.append(milliseconds)

    def progressed(self, params: bytes) -> None:
        self.progress.append(params)

    def refused(self, refused: Refused) -> None:
        self.ended.append(refused)

    async def settle(self) -> None:
        for _ in range(5):
            await asyncio.sleep(0)


@pytest.mark.req("gateway/X1", "gateway/X5", "gateway/X11")
async def test_a_known_tool_is_called_with_its_own_bytes_and_its_own_time() -> None:
    bench = Bench(lambda _request: None)
    bench.use_case.publish(snapshot(tool("t", timeout_millis=1500)))
    bench.call()
    (request,) = bench.upstream.requests
    assert (request.bundle, request.body, request.timeout) == ("ins", b'{"x": 1.0}', 1.5)
    bench.clock.advance(0.25)
    bench.upstream.finish(ok(b'{"a": 1}'))
    (result,) = bench.ended
    assert isinstance(result, ToolResult)
    assert (result.text, bench.milliseconds) == (b'"{\\"a\\":1}"', [250])
    assert bench.observer.records == bench.logged == [CallRecord("t", Outcome.OK, 0.25, b"", b"", b"")]


@pytest.mark.req("gateway/K7")
async def test_without_a_snapshot_there_is_no_call_and_no_recheck() -> None:
    bench = Bench()
    bench.call()
    await bench.settle()
    assert [type(end) for end in bench.ended] == [Refused]
    assert bench.ended[0] == Refused(Refusal.UNAVAILABLE, "The tool catalogue is not loaded yet; try again shortly")
    assert (bench.rechecks, bench.upstream.requests) == (0, [])


@pytest.mark.req("gateway/X7", "decision/D5")
async def test_an_unknown_tool_is_looked_for_once_and_then_not_found() -> None:
    bench = Bench()
    bench.use_case.publish(snapshot(tool("t")))
    bench.call("unknown")
    assert bench.ended == []
    await bench.settle()
    assert bench.ended == [Refused(Refusal.NOT_FOUND, "Tool not found")]
    assert (bench.rechecks, bench.observer.outcomes) == (1, [Outcome.NOT_FOUND])
    assert bench.observer.records[0].tool is None


@pytest.mark.req("gateway/X7")
async def test_a_tool_that_the_recheck_brings_is_called_and_its_time_starts_then() -> None:
    bench = Bench()
    bench.use_case.publish(snapshot(tool("t")))
    bench.on_recheck = lambda: bench.use_case.publish(snapshot(tool("t"), tool("new", timeout_millis=700)))
    bench.recheck_gate.clear()
    bench.call("new")
    await bench.settle()
    bench.clock.advance(3)
    bench.recheck_gate.set()
    await bench.settle()
    assert [request.timeout for request in bench.upstream.requests] == [0.7]
    assert bench.observer.outcomes == [Outcome.OK]


@pytest.mark.req("decision/D7", "input/B48")
async def test_a_disabled_tool_is_unknown_without_a_recheck() -> None:
    bench = Bench()
    bench.use_case.publish(snapshot(tool("t"), tool("off", enabled=False)))
    bench.call("off")
    assert bench.ended == [Refused(Refusal.NOT_FOUND, "Tool not found")]
    assert bench.rechecks == 0


@pytest.mark.req("gateway/X14")
async def test_above_the_limit_of_calls_in_flight_a_call_is_refused_at_once() -> None:
    bench = Bench(lambda _request: None, max_in_flight=2)
    bench.use_case.publish(snapshot(tool("t")))
    for _ in range(3):
        bench.call()
    assert [end.refusal for end in bench.ended if isinstance(end, Refused)] == [Refusal.OVERLOADED]
    assert [record.tool for record in bench.logged] == [None], "overload is no matter of the tool"
    assert bench.use_case.in_flight == 2
    bench.upstream.finish(ok(b"{}"))
    bench.call()
    assert len(bench.upstream.requests) == 3


@pytest.mark.req("gateway/X2")
async def test_a_header_that_cannot_go_on_refuses_the_call_before_anything_is_sent() -> None:
    bench = Bench()
    bench.use_case.publish(snapshot(tool("t")))
    bench.call(headers={b"guid": b"g"}, repeated=frozenset({b"guid"}))
    assert bench.ended == [Refused(Refusal.INVALID_HEADER, "the header guid came more than once")]
    assert bench.upstream.requests == []


@pytest.mark.req("gateway/P4")
@pytest.mark.parametrize("mirrors", [True, False])
async def test_mirrored_arguments_are_checked_only_where_the_revision_mirrors_them(mirrors: bool) -> None:
    bench = Bench()
    bench.use_case.publish(snapshot(tool("t", header_params=(HeaderParam(b"mcp-param-x", ("x",), "integer"),))))
    bench.call(headers={b"mcp-param-x": b"2"}, mirrors_arguments=mirrors)
    (end,) = bench.ended
    assert isinstance(end, Refused) is mirrors
    assert len(bench.upstream.requests) == (0 if mirrors else 1)


@pytest.mark.req("gateway/X8", "fault/F36")
async def test_cancelling_aborts_the_upstream_call_and_frees_the_slot() -> None:
    bench = Bench(lambda _request: None)
    bench.use_case.publish(snapshot(tool("t")))
    cancel = bench.call()
    cancel()
    cancel()
    assert (bench.upstream.cancelled, bench.use_case.in_flight) == (1, 0)
    assert bench.observer.outcomes == [Outcome.CANCELLED]
    assert len(bench.ended) == 1


@pytest.mark.req("gateway/X8")
async def test_cancelling_while_a_recheck_runs_ends_the_call_and_sends_nothing() -> None:
    bench = Bench()
    bench.use_case.publish(snapshot(tool("t")))
    bench.on_recheck = lambda: bench.use_case.publish(snapshot(tool("new")))
    bench.recheck_gate.clear()
    cancel = bench.call("new")
    await bench.settle()
    cancel()
    bench.recheck_gate.set()
    await bench.settle()
    assert (bench.upstream.requests, bench.observer.outcomes) == ([], [Outcome.CANCELLED])
    assert bench.use_case.in_flight == 0


@pytest.mark.req("gateway/K3", "fault/F40")
async def test_a_call_keeps_the_route_it_started_with() -> None:
    bench = Bench(lambda _request: None)
    bench.use_case.publish(snapshot(tool("t")))
    bench.call()
    bench.use_case.publish(snapshot(tool("other")))
    bench.upstream.finish(ok(b"{}"))
    assert bench.observer.records[0].tool == "t"


@pytest.mark.req("gateway/M3", "threat/T11")
async def test_the_record_of_a_call_names_the_request_but_no_person() -> None:
    bench = Bench(lambda _request: UpstreamAnswer(0, {}, b"", Failure.TIMEOUT))
    bench.use_case.publish(snapshot(tool("t")))
    headers = {b"guid": b"G", b"x-request-id": b"R", b"traceparent": TRACE, b"employee-no": b"SECRET"}
    bench.call(headers=headers)
    (record,) = bench.observer.records
    assert (record.tool, record.outcome) == ("t", Outcome.TIMEOUT)
    assert (record.guid, record.x_request_id, record.trace_id) == (b"G", b"R", TRACE[3:35])
    assert b"SECRET" not in repr(record).encode()


class BrokenError(Exception):
    """Holds what nobody may see."""


def breaks(_request: UpstreamRequest) -> UpstreamAnswer:
    raise BrokenError("secret 10.0.0.5")


def is_a_fault_of_ours(bench: Bench) -> None:
    (result,) = bench.ended
    assert isinstance(result, ToolResult)
    assert json.loads(result.text) == (
        "The gateway could not complete the call; this is its own fault, not that of the arguments. Error id: our-id"
    )
    assert (bench.use_case.in_flight, bench.observer.outcomes) == (0, [Outcome.INVALID_RESULT])
    assert b"secret" not in b"".join(bench.log_lines)
    assert [json.loads(line)["type"] for line in bench.log_lines] != []


@pytest.mark.req("gateway/X14", "gateway/X4", "threat/T22")
async def test_a_fault_of_ours_while_sending_ends_the_call_and_gives_its_place_back() -> None:
    bench = Bench(breaks)
    bench.use_case.publish(snapshot(tool("t")))
    bench.call()
    is_a_fault_of_ours(bench)


@pytest.mark.req("gateway/X14", "gateway/X4", "threat/T22")
async def test_a_fault_of_ours_in_an_answer_ends_the_call_and_gives_its_place_back() -> None:
    bench = Bench(lambda _request: None)
    bench.use_case.publish(snapshot(tool("t")))
    bench.call()
    bench.upstream.finish(UpstreamAnswer(200, {}, None))  # type: ignore[arg-type]  # the fault
    is_a_fault_of_ours(bench)


@pytest.mark.req("gateway/X14", "gateway/X7", "threat/T22")
async def test_a_fault_of_ours_in_a_recheck_ends_the_call_and_gives_its_place_back() -> None:
    bench = Bench()
    bench.use_case.publish(snapshot(tool("t")))

    def fails() -> None:
        raise BrokenError("secret 10.0.0.5")

    bench.on_recheck = fails
    bench.call("unknown")
    await bench.settle()
    is_a_fault_of_ours(bench)


@pytest.mark.req("gateway/X9")
async def test_a_call_that_ended_at_once_keeps_nothing_of_the_upstream() -> None:
    bench = Bench(lambda _request: UpstreamAnswer(0, {}, b"", Failure.BUSY))
    bench.use_case.publish(snapshot(tool("t")))
    cancel = bench.call()
    cancel()
    assert (bench.observer.outcomes, bench.upstream.cancelled) == ([Outcome.BUSY], 0)


MCP = {"ins": CallRules(mcp_server=True)}
PASSED = McpAnswer(result=b'{"content":[{"type":"text","text":"a"}]}')


@pytest.mark.req("gateway/P11", "gateway/X1")
async def test_a_tool_of_an_mcp_server_is_called_there_and_nowhere_else() -> None:
    bench = Bench(rules=MCP)
    bench.use_case.publish(snapshot(tool("t", timeout_millis=1500)))
    bench.call(headers={b"guid": b"G", b"mcp-session-id": b"theirs"})
    (call,) = bench.mcp_upstream.calls
    assert (call.name, call.arguments, call.timeout) == (b"t", b'{"x": 1.0}', 1.5)
    assert call.headers == b"Mcp-Name: t\r\nguid: G\r\n"
    bench.clock.advance(0.25)
    bench.mcp_upstream.finish(PASSED)
    assert bench.ended == [ToolResult(b'"a"', Outcome.OK)]
    assert (bench.milliseconds, bench.upstream.requests, bench.use_case.in_flight) == ([250], [], 0)
    assert bench.observer.records == [CallRecord("t", Outcome.OK, 0.25, b"G", b"", b"")]


@pytest.mark.req("gateway/P11", "gateway/M3")
@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (McpAnswer(error=b'{"code":-32602,"message":"m"}'), Outcome.TOOL_ERROR),
        (McpAnswer(result=b'{"content":[],"isError":true}'), Outcome.TOOL_ERROR),
        (McpAnswer(result=b"[]"), Outcome.INVALID_RESULT),
        (McpAnswer(http=UpstreamAnswer(0, {}, b"", Failure.BUSY, sent=False)), Outcome.BUSY),
    ],
)
async def test_each_end_of_a_call_to_an_mcp_server_is_counted(answer: McpAnswer, outcome: Outcome) -> None:
    bench = Bench(answer_mcp=lambda _call: answer, rules=MCP)
    bench.use_case.publish(snapshot(tool("t")))
    cancel = bench.call()
    cancel()
    assert (bench.observer.outcomes, len(bench.ended), bench.use_case.in_flight) == ([outcome], 1, 0)
    assert isinstance(bench.ended[0], PassedError) is (answer.error is not None)


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize("asks", [True, False])
async def test_progress_reaches_a_caller_that_asked_for_it(asks: bool) -> None:
    bench = Bench(rules=MCP)
    bench.use_case.publish(snapshot(tool("t")))
    bench.call(meta={"progressToken": msgspec.Raw(b'"p"')} if asks else {"other": msgspec.Raw(b"1")})
    bench.mcp_upstream.progress(b',"progress":1')
    assert bench.progress == ([b',"progress":1'] if asks else [])


@pytest.mark.req("gateway/P11", "gateway/X8")
async def test_cancelling_a_call_to_an_mcp_server_ends_it_once() -> None:
    bench = Bench(rules=MCP)
    bench.use_case.publish(snapshot(tool("t")))
    cancel = bench.call()
    cancel()
    cancel()
    assert (bench.mcp_upstream.cancelled, bench.use_case.in_flight) == (1, 0)
    assert (bench.observer.outcomes, len(bench.ended)) == ([Outcome.CANCELLED], 1)


@pytest.mark.req("gateway/P11", "gateway/P4")
async def test_arguments_are_held_against_their_headers_before_an_mcp_server_gets_them() -> None:
    bench = Bench(rules=MCP)
    bench.use_case.publish(snapshot(tool("t", header_params=(HeaderParam(b"mcp-param-x", ("x",), "integer"),))))
    bench.call(headers={b"mcp-param-x": b"2"}, mirrors_arguments=True)
    assert bench.mcp_upstream.calls == []
    bench.call(headers={b"mcp-param-x": b"1"}, mirrors_arguments=True)
    bench.call(headers={b"mcp-param-x": b"2"})
    assert [call.headers for call in bench.mcp_upstream.calls] == [
        b"Mcp-Name: t\r\nmcp-param-x: 1\r\n",
        b"Mcp-Name: t\r\nmcp-param-x: 1.0\r\n",
    ]


@pytest.mark.req("gateway/P11", "gateway/X14", "threat/T22")
async def test_a_fault_of_ours_around_an_mcp_server_ends_the_call_and_gives_its_place_back() -> None:
    def fails(_call: McpCall) -> McpAnswer:
        raise BrokenError("secret 10.0.0.5")

    bench = Bench(answer_mcp=fails, rules=MCP)
    bench.use_case.publish(snapshot(tool("t")))
    bench.call()
    is_a_fault_of_ours(bench)
    bench = Bench(answer_mcp=lambda _call: McpAnswer(result=7), rules=MCP)  # type: ignore[arg-type]  # the fault
    bench.use_case.publish(snapshot(tool("t")))
    bench.call()
    is_a_fault_of_ours(bench)
