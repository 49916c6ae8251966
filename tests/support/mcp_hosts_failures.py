"""Every way in which an MCP server can fail a list or a call over the wire, and what becomes of it (gateway/P11)."""

import gzip
import json
from collections.abc import Callable
from typing import Final, NamedTuple

from axhub.gateway.ports import PullFailure
from support.mcp_hosts import Heard, McpHost
from support.mcp_hosts_wire import error_to, event, list_result, response_to, stream, text
from support.misbehaviour import misbehaviours
from support.tool_service import Answer, Close, Drip, Hang, Reset, Send, reply, response

MAX_BYTES: Final = 8192
"""The bound of manifests and answers in the tests that use what is here."""
SECRET: Final = b"Traceback: password=hunter2 at http://10.0.0.7/internal"
OTHERS: Final = b'{"content":[{"type":"text","text":"of another"}]}'
PACKED: Final = (b"Content-Encoding", b"gzip")

BROKEN: Final = "The connection to the tool broke before it answered. It is not known whether it did its work."
LATE: Final = "The tool did not answer within its time limit. It is not known whether it did its work."
UNREADABLE: Final = "The tool gave an answer that cannot be read."
TOO_LARGE: Final = (
    "The tool's answer is larger than the gateway passes on. Ask for less: a narrower range or a smaller page."
)
NOT_SENT: Final = "The tool cannot be reached at the moment. Nothing was sent; try again later."

Makes = Callable[[McpHost, Heard], Answer]
Lists = dict[str, tuple[Makes, PullFailure]]


def failing_lists() -> Lists:
    """Return answers to `tools/list` by a name, each right but for what the name says, and the reason that is shown."""
    return {**_like_manifests(), **_no_responses(), **_no_lists(), **_streams()}


def _list(host: McpHost, seen: Heard) -> bytes:
    return response_to(seen, list_result(host.tools, new=seen.new))


def _like_manifests() -> Lists:
    """Whatever fails a manifest whose document is never read."""
    known = {name: reason for name, (_, reason) in misbehaviours(b"{}", MAX_BYTES).items() if "body:" not in name}
    known["unasked 304"] = PullFailure.HTTP_STATUS  # MCP knows no conditions

    def carrying(name: str) -> Makes:
        return lambda host, seen: misbehaviours(_list(host, seen), MAX_BYTES)[name][0]

    return {name: (carrying(name), reason) for name, reason in known.items()}


def _no_responses() -> Lists:
    def altered(before: bytes, after: bytes) -> Makes:
        return lambda host, seen: reply(body=_list(host, seen).replace(before, after))

    ways: dict[str, Makes] = {
        "empty": lambda *_: reply(body=b""),
        "html": lambda *_: reply(body=b"<html>busy</html>"),
        "null": lambda *_: reply(body=b"null"),
        "an array": lambda host, seen: reply(body=b"[%b]" % _list(host, seen)),
        "cut": lambda host, seen: reply(body=_list(host, seen)[:-1]),
        "two documents": lambda host, seen: reply(body=_list(host, seen) + b"{}"),
        "bad UTF-8": altered(b"claim", b"\xff"),
        "no JSON-RPC": lambda host, _: reply(body=json.dumps(list_result(host.tools)).encode()),
        "JSON-RPC 1.0": altered(b'"2.0"', b'"1.0"'),
        "another id": altered(b'"id":', b'"id":9'),
        "an id that is text": altered(b'"id":', b'"id":"",'),
        "a request": lambda *_: reply(body=b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}'),
        "result and error": altered(b'"result"', b'"error":{"code":1,"message":""},"result"'),
    }
    return {name: (makes, PullFailure.INVALID_JSON) for name, makes in ways.items()}


def _no_lists() -> Lists:
    ways: dict[str, Makes] = {
        "an error": lambda _, seen: reply(body=error_to(seen, -32603, "x")),
        "an error that names no request": lambda *_: reply(body=b'{"jsonrpc":"2.0","error":{"code":1,"message":"x"}}'),
        "no object": lambda _, seen: reply(body=response_to(seen, b"[]")),
        "no tools": lambda _, seen: reply(body=response_to(seen, b"{}")),
        "tools as an object": lambda _, seen: reply(body=response_to(seen, b'{"tools":{}}')),
        "a tool that is none": lambda _, seen: reply(body=response_to(seen, b'{"tools":[7]}')),
    }
    return {
        **{name: (makes, PullFailure.INVALID_MANIFEST) for name, makes in ways.items()},
        "an error with HTTP 500": (lambda _, seen: reply(500, error_to(seen, -32603, "x")), PullFailure.HTTP_STATUS),
    }


def _streams() -> Lists:
    large, quiet = b"x" * (MAX_BYTES + 1), Drip(b"2\r\n:\n\r\n" * 500, size=7)
    return {
        "events: none": (lambda *_: stream(), PullFailure.INVALID_JSON),
        "events: comments only": (lambda *_: stream(b": busy\n\n" * 3), PullFailure.INVALID_JSON),
        "events: no JSON": (lambda *_: stream(event(b"<html>")), PullFailure.INVALID_JSON),
        "events: one not ended": (lambda host, seen: stream(event(_list(host, seen))[:-1]), PullFailure.INVALID_JSON),
        "events: packed": (
            lambda host, seen: stream(gzip.compress(event(_list(host, seen))), headers=[PACKED]),
            PullFailure.CONTENT_TYPE,
        ),
        "events: said to be packed": (
            lambda host, seen: stream(event(_list(host, seen)), headers=[PACKED]),
            PullFailure.CONTENT_TYPE,
        ),
        "events: HTTP 201": (lambda host, seen: stream(event(_list(host, seen)), status=201), PullFailure.HTTP_STATUS),
        "events: HTTP 500": (lambda host, seen: stream(event(_list(host, seen)), status=500), PullFailure.HTTP_STATUS),
        "events: too large": (lambda *_: stream(event(large), Hang()), PullFailure.TOO_LARGE),
        "events: a line without end": (lambda *_: stream(large, Hang()), PullFailure.TOO_LARGE),
        "events: reset": (lambda *_: stream(b"data: {", Reset(), ends=False), PullFailure.CONNECT_FAILED),
        "events: silence": (lambda *_: stream(Hang()), PullFailure.TIMED_OUT),
        "events: a drip of comments": (lambda *_: stream(quiet), PullFailure.TIMED_OUT),
    }


class FailedCall(NamedTuple):
    """One way to fail a call."""

    makes: Callable[[Heard], Answer]
    told: str
    """What the caller reads; `*` stands for an error id."""
    outcome: str


def failing_calls() -> dict[str, FailedCall]:
    """Return answers to `tools/call` by a name, and what comes of each."""
    kinds = (
        (_broken(), BROKEN, "unreachable"),
        (_unreadable(), UNREADABLE, "invalid_result"),
        (_unreadable_streams(), UNREADABLE, "invalid_result"),
        (_large(), TOO_LARGE, "too_large"),
        (_slow(), LATE, "timeout"),
    )
    found = {name: FailedCall(makes, told, outcome) for ways, told, outcome in kinds for name, makes in ways.items()}
    return {**found, **_refused()}


def answered(seen: Heard) -> bytes:
    """Return a good response to a call."""
    return response_to(seen, text("found", new=seen.new))


def _broken() -> dict[str, Callable[[Heard], Answer]]:
    return {
        "closed at once": lambda _: (Close(),),
        "reset at once": lambda _: (Reset(),),
        "half a head": lambda _: (Send(response()[:30]), Close()),
        "half an answer": lambda seen: (Send(response(body=answered(seen))[:-9]), Reset()),
        "half a stream": lambda seen: stream(event(answered(seen))[:-9], Reset()),
        "a stream that ends without a response": lambda _: stream(b": so far\n\n"),
        "a stream without its end": lambda _: stream(b": so far\n\n", Close(), ends=False),
    }


def _unreadable() -> dict[str, Callable[[Heard], Answer]]:
    def altered(before: bytes, after: bytes) -> Callable[[Heard], Answer]:
        return lambda seen: reply(body=answered(seen).replace(before, after))

    return {
        "not HTTP": lambda _: (Send(b"SSH-2.0-OpenSSH_9.2\r\n"), Close()),
        "html": lambda _: reply(body=b"<html>" + SECRET, content_type=b"text/html"),
        "a result as html": lambda seen: reply(body=answered(seen), content_type=b"text/html"),
        "no JSON": lambda _: reply(body=SECRET),
        "empty": lambda _: reply(body=b""),
        "accepted": lambda _: reply(202, b"", content_type=None),
        "no JSON-RPC": lambda _: reply(body=b'{"content":[]}'),
        "another's id": lambda _: reply(body=b'{"jsonrpc":"2.0","id":77,"result":%b}' % OTHERS),
        "no id": lambda _: reply(body=b'{"jsonrpc":"2.0","result":%b}' % OTHERS),
        "a batch": lambda seen: reply(body=b"[%b]" % answered(seen)),
        "bad UTF-8": altered(b"found", b"\xff"),
        "half a character": altered(b"found", b"\\ud800"),
        "too deep": lambda seen: reply(body=response_to(seen, b"[" * 2000 + b"]" * 2000)),
        "content that is none": lambda seen: reply(body=response_to(seen, b'{"content":"x"}')),
        "an unknown kind": lambda seen: reply(body=response_to(seen, b'{"content":[],"resultType":"task"}')),
        "a question without one": lambda seen: reply(body=response_to(seen, b'{"resultType":"input_required"}')),
        "an error that is none": lambda seen: reply(body=b'{"jsonrpc":"2.0","id":%b,"error":"%b"}' % (seen.id, SECRET)),
        "packed": lambda seen: reply(body=gzip.compress(answered(seen)), headers=[PACKED]),
    }


def _unreadable_streams() -> dict[str, Callable[[Heard], Answer]]:
    return {
        "a packed stream": lambda seen: stream(event(answered(seen)), headers=[PACKED]),
    }


def _large() -> dict[str, Callable[[Heard], Answer]]:
    return {
        "too large": lambda seen: reply(body=answered(seen) + b" " * MAX_BYTES),
        "too large by its length": lambda seen: reply(body=answered(seen), length=10**12, then=(Hang(),)),
        "too large an event": lambda _: stream(b"data: " + b"x" * MAX_BYTES, Hang()),
        "too many lines for an event": lambda _: stream(b"data\n" * 2 * MAX_BYTES, Hang()),
    }


def _slow() -> dict[str, Callable[[Heard], Answer]]:
    return {
        "silence": lambda _: (Hang(),),
        "a dripping head": lambda _: (Drip(response(headers=[(b"X", b"y" * 5000)])),),
        "a dripping body": lambda _: (Send(response(body=b"", length=500)), Drip(b" " * 500)),
        "a silent stream": lambda _: stream(Hang()),
        "a stream of comments": lambda _: stream(Drip(b"2\r\n:\n\r\n" * 500, size=7)),
        "a stream that drips": lambda _: stream(Drip(b"1\r\nx\r\n" * 500, size=6)),
    }


def _refused() -> dict[str, FailedCall]:
    failed = "The tool failed (HTTP %d). It is not known whether it did its work. Error id: *"
    ways: dict[str, tuple[Callable[[Heard], Answer], str]] = {
        "a redirect": (
            lambda seen: reply(302, answered(seen), headers=[(b"Location", b"/elsewhere")]),
            "The tool answered with HTTP 302, which is no result. Error id: *",
        ),
        "HTTP 500": (lambda _: reply(500, SECRET, content_type=b"text/plain"), failed % 500),
        "HTTP 503 with a stream": (lambda seen: stream(event(answered(seen)), status=503), failed % 503),
        "HTTP 500 with a result": (lambda seen: reply(500, answered(seen)), failed % 500),
        "HTTP 403": (
            lambda _: reply(403, SECRET, content_type=b"text/html"),
            "The tool refused the call (HTTP 403) and gave no reason that can be shown. Error id: *",
        ),
    }
    return {name: FailedCall(makes, told, "tool_error") for name, (makes, told) in ways.items()}
