"""The two families of headers become one context (toolkit/S2, toolkit/T3, decision/D8)."""

import re
from typing import Any

import pytest

from axhub.toolkit.context import Encrypted, ToolContext
from axhub.toolkit.service.headers import HeaderError, conflicts, context_of, read_headers

TRACE = "0af7651916cd43dd8448eb211c80319c"
PARENT = f"00-{TRACE}-b7ad6b7169203331-01"
NEW = re.compile("[0-9a-f]{32}")


def context(**headers: str) -> ToolContext:
    return context_of(read_headers(lines(**headers)), None)


def lines(**headers: str) -> list[tuple[bytes, bytes]]:
    return [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]


@pytest.mark.req("toolkit/S2", "toolkit/T3", "decision/D8")
@pytest.mark.parametrize(
    ("headers", "field", "value"),
    [
        ({"traceparent": PARENT, "trace_id": "T", "guid": "G"}, "trace_id", TRACE),
        ({"traceparent": "00-broken", "trace_id": "T", "guid": "G"}, "trace_id", "T"),
        ({"trace_id": "T", "guid": "G"}, "trace_id", "T"),
        ({"guid": "G"}, "trace_id", "G"),
        ({"guid": "G", "trace_id": "T"}, "guid", "G"),
        ({"trace_id": "T"}, "guid", None),
        ({"x_request_id": "X", "request_id": "R"}, "request_id", "X"),
        ({"request_id": "R"}, "request_id", "R"),
        ({"mcp_session_id": "S"}, "session_id", "S"),
        ({}, "session_id", None),
        ({"employee_no": "E1", "employee_id": "E2"}, "employee", Encrypted("E1")),
        ({"employee_id": "E2"}, "employee", Encrypted("E2")),
        ({}, "employee", None),
        ({"virtual_employee_no": "V"}, "virtual_employee", Encrypted("V")),
        ({"employee_no": ""}, "employee", None),
        ({"guid": " 업무-1 "}, "guid", "업무-1"),
    ],
)
def test_each_field_comes_from_the_first_header_that_is_there(headers: Any, field: str, value: Any) -> None:
    assert getattr(context(**headers), field) == value


@pytest.mark.req("toolkit/S2")
def test_a_call_without_ids_gets_new_ones() -> None:
    first, second = context(), context()
    assert NEW.fullmatch(first.trace_id)
    assert NEW.fullmatch(first.request_id)
    assert len({first.trace_id, first.request_id, second.trace_id, second.request_id}) == 4


@pytest.mark.req("toolkit/T3")
def test_encrypted_numbers_print_as_stars_and_keep_their_bytes() -> None:
    found = context_of(read_headers([(b"employee-no", b"\xb0\xa1=="), (b"virtual-employee-no", b"v1")]), None)
    assert found.employee is not None
    assert found.employee.reveal_cipher_text().encode("utf-8", "surrogateescape") == b"\xb0\xa1=="
    assert (str(found.employee), repr(found.virtual_employee)) == ("***", "***")
    assert "v1" not in repr(found)


@pytest.mark.req("decision/D8")
def test_the_second_family_is_named_where_it_says_something_else() -> None:
    headers = {"traceparent": PARENT, "trace_id": "T", "x_request_id": "X", "request_id": "R", "employee_no": "E"}
    assert conflicts(read_headers(lines(**headers, employee_id="F"))) == ["request-id", "employee-id", "trace-id"]
    assert conflicts(read_headers(lines(x_request_id="X", request_id="X", traceparent=PARENT, trace_id=TRACE))) == []


def test_a_header_that_comes_twice_counts_once_if_it_says_the_same() -> None:
    assert context_of(read_headers([(b"guid", b"G"), (b"guid", b"G")]), None).guid == "G"
    with pytest.raises(HeaderError) as caught:
        read_headers([(b"employee-no", b"A"), (b"employee-no", b"B")])
    assert caught.value.name == "employee-no"


@pytest.mark.parametrize(
    "headers",
    [
        [(b"x-%d" % number, b"1") for number in range(65)],
        [(b"x", b"1" * 32_768)],
        [(b"guid", b"1" * 8193)],
    ],
    ids=["too many", "too long together", "one too long"],
)
def test_headers_are_bounded(headers: list[tuple[bytes, bytes]]) -> None:
    with pytest.raises(HeaderError) as caught:
        read_headers(headers)
    assert caught.value.name == ""


@pytest.mark.req("toolkit/T3", "decision/D8")
@pytest.mark.parametrize(
    "value",
    [b"", b"  ", b"\t", "\u00a0".encode(), "\u0085".encode(), "\u3000 \u200b".encode(), b"\xa0", b"\x85", b"\x1f"],
)
def test_a_value_of_which_nothing_can_be_seen_is_missing(value: bytes) -> None:
    names = (b"employee-no", b"virtual-employee-no", b"guid", b"trace-id", b"x-request-id", b"mcp-session-id")
    context = context_of(read_headers([(name, value) for name in names]), None)
    assert (context.employee, context.virtual_employee, context.guid, context.session_id) == (None,) * 4
    assert len(context.trace_id) == len(context.request_id) == 32


@pytest.mark.req("toolkit/T3", "decision/D8")
def test_only_blanks_and_tabs_are_cut_off_a_value() -> None:
    odd = "\u00a0kept\u3000"
    context = context_of(read_headers([(b"employee-no", f" \t{odd}\t ".encode()), (b"guid", odd.encode())]), None)
    assert context.employee is not None
    assert (context.employee.reveal_cipher_text(), context.guid, context.trace_id) == (odd, odd, odd)
