import pytest
from hypothesis import given
from hypothesis import strategies as st

from axhub.contract.endpoints import Endpoint, Origin
from axhub.gateway.domain.call import ForwardedHeaders, HeaderFaultError, HeadNotes, ToolCall
from axhub.gateway.domain.catalogue import CatalogueTool
from axhub.gateway.domain.route import CallRules, Route, bind_routes
from support.tools import tool

TRACE = b"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
TRACE_ID = b"0af7651916cd43dd8448eb211c80319c"
OWN = Origin("http", "127.0.0.1", 8081)


def route(rules: CallRules | None = None, origin: Origin = OWN) -> Route:
    entry = CatalogueTool("ins", tool("claim_search", endpoint=Endpoint(origin, b"/tools/claim_search?v=1")))
    return bind_routes([entry], {} if rules is None else {"ins": rules})["claim_search"]


def head(
    headers: dict[bytes, bytes],
    *,
    repeated: frozenset[bytes] = frozenset(),
    meta: bytes = b"",
    to: Route | None = None,
    extra: tuple[bytes, ...] = (),
) -> tuple[bytes, bytes]:
    call = ToolCall("claim_search", b"{}", headers, repeated, meta)
    return ForwardedHeaders(extra).head_for(call, to or route())


CONSTANT = (
    b"POST /tools/claim_search?v=1 HTTP/1.1\r\nHost: 127.0.0.1:8081\r\nContent-Type: application/json\r\n"
    b"Accept-Encoding: identity\r\nMcp-Method: tools/call\r\nMcp-Name: claim_search\r\n"
)


@pytest.mark.req("gateway/X1", "decision/D2")
def test_every_call_carries_the_routing_headers_and_nothing_of_the_caller_by_default() -> None:
    assert head({b"cookie": b"a=b", b"user-agent": b"x", b"authorization": b"Bearer t", b"host": b"evil"}) == (
        CONSTANT,
        b"",
    )


@pytest.mark.req("gateway/X2", "decision/D8")
def test_the_five_headers_go_on_with_the_callers_bytes_and_empty_ones_do_not() -> None:
    sent = {
        b"guid": b"G-1",
        b"x-request-id": "요청".encode(),
        b"mcp-session-id": b"s",
        b"employee-no": b"ENC:+/==",
        b"virtual-employee-no": b"",
    }
    expected = b"guid: G-1\r\nx-request-id: " + "요청".encode() + b"\r\nmcp-session-id: s\r\nemployee-no: ENC:+/==\r\n"
    assert head(sent) == (CONSTANT + expected, b"")


@pytest.mark.req("gateway/X2", "input/B53", "threat/T10")
@pytest.mark.parametrize(
    ("headers", "repeated"),
    [
        ({b"guid": b"a"}, frozenset({b"guid"})),
        ({b"employee-no": b"x" * 8193}, frozenset[bytes]()),
        ({b"guid": b"a\x01b"}, frozenset[bytes]()),
        ({b"guid": b"a\x7f"}, frozenset[bytes]()),
        ({b"x-branch": b"a"}, frozenset({b"x-branch"})),
    ],
)
def test_a_header_that_cannot_be_passed_on_refuses_the_call(
    headers: dict[bytes, bytes], repeated: frozenset[bytes]
) -> None:
    with pytest.raises(HeaderFaultError) as caught:
        head(headers, repeated=repeated, extra=(b"x-branch",))
    (name,) = headers
    assert name.decode() in str(caught.value)
    assert (
        headers[name].decode("latin-1") not in str(caught.value).replace(name.decode(), "")[4:]
        or len(headers[name]) == 1
    )


@pytest.mark.req("decision/D8")
def test_extra_headers_are_forwarded_when_they_are_named() -> None:
    assert head({b"x-branch": b"7", b"x-other": b"8"}, extra=(b"x-branch",))[0] == CONSTANT + b"x-branch: 7\r\n"


@pytest.mark.req("gateway/X2", "decision/D8")
def test_trace_context_goes_on_and_names_the_trace() -> None:
    found, trace_id = head({b"traceparent": TRACE, b"tracestate": b"v=1"})
    assert found == CONSTANT + b"traceparent: %b\r\ntracestate: v=1\r\n" % TRACE
    assert trace_id == TRACE_ID


@pytest.mark.req("gateway/X2")
def test_the_bodys_traceparent_is_used_only_without_the_header() -> None:
    other = TRACE.replace(b"0af7", b"1af7")
    assert head({}, meta=TRACE) == (CONSTANT + b"traceparent: %b\r\n" % TRACE, TRACE_ID)
    assert head({b"traceparent": other}, meta=TRACE)[0] == CONSTANT + b"traceparent: %b\r\n" % other


@pytest.mark.req("gateway/X2")
@pytest.mark.parametrize(
    "value", [b"00-short", TRACE.upper(), TRACE.replace(b"0af7651916cd43dd8448eb211c80319c", b"0" * 32)]
)
def test_a_malformed_traceparent_is_dropped_with_its_tracestate(value: bytes) -> None:
    assert head({b"traceparent": value, b"tracestate": b"v=1"}) == (CONSTANT, b"")
    assert head({}, meta=value) == (CONSTANT, b"")


@pytest.mark.req("gateway/X2")
def test_a_repeated_traceparent_is_dropped() -> None:
    assert head({b"traceparent": TRACE}, repeated=frozenset({b"traceparent"})) == (CONSTANT, b"")


@pytest.mark.req("decision/D13")
@pytest.mark.parametrize(
    ("forward", "own", "goes_on"), [(True, {OWN}, True), (False, {OWN}, False), (True, set[Origin](), False)]
)
def test_authorization_reaches_only_the_bundles_own_origins_and_only_when_told(
    forward: bool, own: set[Origin], goes_on: bool
) -> None:
    to = route(CallRules(own_origins=frozenset(own), forward_authorization=forward))
    found, _ = head({b"authorization": b"Bearer t"}, to=to)
    assert (b"authorization: Bearer t\r\n" in found) is goes_on


HOSTILE = st.binary(max_size=60) | st.sampled_from(
    [
        b"x\r\nEvil: 1",
        b"x\nEvil: 1",
        b"x\rEvil: 1",
        b"\x00",
        TRACE + b"-x\r\nContent-Length: 0\r\n\r\nDELETE /admin HTTP/1.1\r\nX: y",
        b"01" + TRACE[2:] + b"-x\r\nContent-Length: 0\r\n\r\nDELETE /admin HTTP/1.1\r\nX: y",
        b"01" + TRACE[2:] + b"-\x7f",
        b"01" + TRACE[2:] + b"-" + b"x" * 9000,
    ]
)
NAMES = "guid x-request-id mcp-session-id employee-no virtual-employee-no x-branch traceparent tracestate authorization"
FORWARDED = st.sampled_from(NAMES.encode().split())


@pytest.mark.req("gateway/X2", "gateway/X6", "decision/D8", "decision/D13", "threat/T10", "input/B53")
@given(headers=st.dictionaries(FORWARDED, HOSTILE), meta=HOSTILE | st.just(TRACE), trace=st.booleans())
def test_nothing_a_caller_sends_begins_a_line_or_a_request_of_its_own(
    headers: dict[bytes, bytes], meta: bytes, trace: bool
) -> None:
    if trace:
        headers = {**headers, b"traceparent": TRACE}
    to = route(CallRules(own_origins=frozenset({OWN}), forward_authorization=True))
    try:
        found, _ = head(headers, meta=meta, to=to, extra=(b"x-branch",))
    except HeaderFaultError:
        return
    lines = found.removesuffix(b"\r\n").split(b"\r\n")
    added = lines[len(CONSTANT.split(b"\r\n")) - 1 :]
    names = [line.partition(b": ")[0] for line in added]
    assert found.startswith(CONSTANT)
    assert set(names) <= {*headers, b"traceparent"}
    assert len(names) == len(set(names))
    assert not any(set(line) & {0x00, 0x0A, 0x0D, 0x7F} for line in added)
    assert all(len(line) <= 8192 + 40 for line in added)


@pytest.mark.req("decision/D13")
def test_a_doubled_authorization_matters_only_where_it_is_forwarded() -> None:
    twice = frozenset({b"authorization"})
    assert head({b"authorization": b"a"}, repeated=twice) == (CONSTANT, b"")
    to = route(CallRules(own_origins=frozenset({OWN}), forward_authorization=True))
    with pytest.raises(HeaderFaultError, match="authorization"):
        head({b"authorization": b"a"}, repeated=twice, to=to)


def test_what_was_made_of_a_head_is_used_again_for_the_same_tool_only() -> None:
    headers, notes, forwarded = {b"guid": b"G-1", b"traceparent": TRACE}, HeadNotes(), ForwardedHeaders()
    to, other = route(), route(origin=Origin("http", "127.0.0.1", 9))

    def made(to: Route, meta: bytes = b"") -> tuple[bytes, bytes]:
        return forwarded.head_for(ToolCall("t", b"{}", headers, meta_traceparent=meta, notes=notes), to)

    first = made(to)
    assert made(to)[0] is first[0]
    assert made(to) == first == head(headers, to=to)
    assert made(other) == head(headers, to=other) != first
    del headers[b"traceparent"]
    assert made(other, TRACE) == head(headers, meta=TRACE, to=other), "the body's trace is the call's own"


@pytest.mark.req("gateway/X2")
def test_a_head_that_is_refused_is_refused_each_time() -> None:
    notes = HeadNotes()
    for _ in range(2):
        with pytest.raises(HeaderFaultError, match="guid"):
            ForwardedHeaders().head_for(ToolCall("t", b"{}", {b"guid": b"a\x00"}, notes=notes), route())
