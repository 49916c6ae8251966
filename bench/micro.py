"""Times the steps of the data path of one `tools/call`, each alone, for the decision record on its budget.

`bench/micro.py [--rounds N]`: microseconds a call, the least of N rounds. Sockets, event loop and kernel are not in it;
`bench/run.py` measures the whole. Steps overlap: the core contains those from `door` to `result`.
"""

import argparse
import os
import sys
import timeit
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from axhub.gateway.adapters.clock import SystemClock
from axhub.gateway.adapters.http1.answer_reader import AnswerReader
from axhub.gateway.adapters.http1.limits import ServerLimits
from axhub.gateway.adapters.http1.replies import Replies
from axhub.gateway.adapters.http1.request_reader import RequestReader
from axhub.gateway.adapters.log import JsonLog
from axhub.gateway.adapters.mcp import envelope, wire
from axhub.gateway.adapters.mcp.door import Door
from axhub.gateway.adapters.mcp.exchange import tool_call
from axhub.gateway.adapters.mcp.ladder import agreed_revision
from axhub.gateway.adapters.mcp.projection import ServerFacts
from axhub.gateway.adapters.metrics import Metrics
from axhub.gateway.adapters.upstream_scripted import ok
from axhub.gateway.domain.call import ForwardedHeaders
from axhub.gateway.domain.catalogue import Snapshot
from axhub.gateway.domain.revision import TRAITS, Revision
from axhub.gateway.domain.route import bind_routes
from axhub.gateway.ports import CallRecord, HttpRequest, Outcome, ReplyHead, UpstreamAnswer
from axhub.gateway.usecases.interpret_answer import interpret
from bench import inputs
from bench.micro_parts import ANSWER, endpoint, ignore, raw_request, read, snapshot
from bench.processes import choose_cores, pinned
from bench.report import figure, table

REPEATS = 5000
RAW_ANSWER = (
    b"HTTP/1.1 200 OK\r\nServer: nginx\r\nDate: Mon, 30 Nov 2026 11:45:00 GMT\r\nContent-Type: application/json\r\n"
    b"Content-Length: %d\r\nConnection: keep-alive\r\n\r\n%b" % (len(ANSWER), ANSWER)
)


class Step(NamedTuple):
    """One line of the table."""

    name: str
    run: Callable[[], object]


def front_steps(raw: bytes, answer: bytes) -> list[Step]:
    """Return what the front and the upstream client do without a socket."""
    reader, replies, answers = RequestReader(ServerLimits()), Replies(SystemClock()), AnswerReader(4_194_304)

    # Heads that never come again; as many as make a repetition certain not to be one of the last that was seen.
    new_requests = cycle([raw.replace(b"req-2026", b"req-%04d" % number) for number in range(100)])
    new_answers = cycle([RAW_ANSWER.replace(b"nginx", b"n%04d" % number) for number in range(100)])

    def one_request(data: bytes) -> object:
        request = reader.memory.message_of(data)
        if request is not None:
            return request
        reader.feed(data)
        return reader.queue.popleft()

    def one_answer(data: bytes) -> UpstreamAnswer:
        answer = answers.memory.message_of(data)
        if answer is None:
            answers.feed(data)
            answer = answers.answer()
            answers.expect()
        return answer

    def one_reply() -> bytes:
        return b"%b%d\r\n\r\n%b" % (replies.start(wire.OK, False, 0.0), len(answer), answer)

    return [
        Step("front: read a request with a new head (llhttp)", lambda: one_request(next(new_requests))),
        Step("front: read a request whose head is known", lambda: one_request(raw)),
        Step("client: read an answer with a new head (llhttp)", lambda: one_answer(next(new_answers))),
        Step("client: read an answer whose head is known", lambda: one_answer(RAW_ANSWER)),
        Step("front: put the head before the answer", one_reply),
    ]


def core_steps(request: HttpRequest, revision: Revision, of: Snapshot) -> list[Step]:
    """Return the steps of the transport-free core, and the core as a whole."""
    door, forwarded = Door(allowed_origins=None, allowed_hosts=()), ForwardedHeaders()
    message = envelope.parse(request.body)
    if not isinstance(message, envelope.Message):
        raise SystemExit("the body of the bench is no single message")
    stateless = TRAITS[revision].stateless
    call = tool_call(message, request, stateless)
    route = bind_routes(of.tools, {})[call.name]
    answer = ok(ANSWER)
    result = interpret(answer, route, str)
    facts = ServerFacts("bench", "1", 30_000)
    members = facts.stateless_members if revision is Revision.V2026_07_28 else b""
    return [
        Step("door: path, origin, media type", lambda: door.turn_away(request)),
        Step("envelope: parse the body", lambda: envelope.parse(request.body)),
        Step("ladder: revision and its headers", lambda: agreed_revision(message, request)),
        Step("call: parameters", lambda: tool_call(message, request, stateless)),
        Step("call: head for the tool", lambda: forwarded.head_for(call, route)),
        Step("result: interpret the answer", lambda: interpret(answer, route, str)),
        Step("result: body of the response", lambda: wire.CALL_BODY % (b"1", result.text, 1, b"", b"", members)),
    ]


def observer_steps(tool: str) -> list[Step]:
    """Return what the end of a call costs: a log line and the metrics."""
    log, metrics = JsonLog(ignore, SystemClock()), Metrics()
    metrics.bind([tool])
    guid, request_id = (inputs.CALLER_HEADERS[name].encode() for name in ("guid", "x-request-id"))
    record = CallRecord(tool, Outcome.OK, 0.0005, guid, request_id, b"")
    return [
        Step("observer: log line (not its writing)", lambda: log.call_ended(record)),
        Step("observer: metrics", lambda: metrics.call_ended(record)),
    ]


def whole_steps(request: HttpRequest, listing: HttpRequest, of: Snapshot) -> list[Step]:
    """Return the core in one piece, for a call and for a list."""
    log, metrics = JsonLog(ignore, SystemClock()), Metrics()
    metrics.bind(of.by_name)
    core = endpoint(of, metrics.call_ended, log.call_ended)
    replies: list[tuple[ReplyHead, bytes]] = []

    def keep(head: ReplyHead, body: bytes, *_: bytes, more: bool = False) -> None:
        assert not more
        replies.append((head, body))

    core(request, keep)
    if b"isError" in replies[0][1] or replies[0][0] is not wire.OK:
        raise SystemExit(f"the core gave a wrong answer: {replies[0][1][:300]!r}")
    return [
        Step("core: a whole tools/call", lambda: core(request, ignore)),
        Step("core: a whole tools/list of 50", lambda: core(listing, ignore)),
    ]


def steps(wire_name: str, of: Snapshot) -> list[Step]:
    """Return every step on the wire of a revision."""
    raw = raw_request(inputs.call_request(wire_name))
    request, listing = read(raw), read(raw_request(inputs.list_request(wire_name)))
    response = ANSWER * 2  # about the size of a real one: quotes are escaped in it
    return [
        *front_steps(raw, response),
        *core_steps(request, Revision(wire_name), of),
        *observer_steps(inputs.CALLED_TOOL),
        *whole_steps(request, listing, of),
    ]


def least(step: Callable[[], Any], rounds: int) -> float:
    """Return the microseconds of one repetition in the best of some rounds."""
    return min(timeit.repeat(step, number=REPEATS, repeat=rounds)) / REPEATS * 1e6


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Cost of each step of the data path.")
    parser.add_argument("--rounds", type=int, default=15, help="rounds of 5000 repetitions (15)")
    options = parser.parse_args()
    of = snapshot(50)
    with pinned(choose_cores(os.sched_getaffinity(0)).sut):
        columns = [
            [(step.name, least(step.run, options.rounds)) for step in steps(name, of)]
            for name in (inputs.LEGACY, inputs.MODERN)
        ]
    rows = [[legacy[0], figure(legacy[1]), figure(modern[1])] for legacy, modern in zip(*columns, strict=True)]
    print(table(("step", f"{inputs.LEGACY} us", f"{inputs.MODERN} us"), rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
