import json
from typing import Any

import pytest

from axhub.contract.endpoints import Endpoint, Origin
from axhub.gateway.domain.catalogue import CatalogueTool
from axhub.gateway.domain.route import CallRules, Route, bind_routes
from axhub.gateway.ports import Failure, Outcome, UpstreamAnswer
from axhub.gateway.usecases.interpret_answer import ToolResult, interpret
from support.tools import tool

OBJECT = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}


def route(output_schema: Any = None, fields: tuple[str, ...] = ()) -> Route:
    members = {} if output_schema is None else {"outputSchema": output_schema}
    entry = CatalogueTool("ins", tool("t", endpoint=Endpoint(Origin("http", "127.0.0.1", 8081), b"/t"), **members))
    return bind_routes([entry], {"ins": CallRules(public_error_fields=fields)})["t"]


def result(answer: UpstreamAnswer, to: Route | None = None) -> ToolResult:
    return interpret(answer, to or route(), lambda: "our-id")


def success(body: bytes, to: Route | None = None) -> ToolResult:
    return result(UpstreamAnswer(200, {b"content-type": b"text/plain"}, body), to)


def text_of(found: ToolResult) -> str:
    text = json.loads(found.text)
    assert isinstance(text, str)
    return text


@pytest.mark.req("gateway/X3", "input/B67", "input/B71", "input/B76")
@pytest.mark.parametrize(
    ("body", "text"),
    [
        (
            b'{ "b" : 1.10,\n "a" : [ 1e400, -0, 12345678901234567890123 ] }',
            '{"b":1.10,"a":[1e400,-0,12345678901234567890123]}',
        ),
        (b' [ 1 , "a  b" ] ', '[1,"a  b"]'),
        (b'{"a":1,"a":2}', '{"a":1,"a":2}'),
        (rb'{"a":"\u0041\/"}', r'{"a":"\u0041\/"}'),
        ('{"이름": "홍길동 😀"}'.encode(), '{"이름":"홍길동 😀"}'),
        (b'{"a": "\\ud800"}', '{"a":"\\ud800"}'),
        (b"[" * 2000 + b" " + b"]" * 2000, "[" * 2000 + "]" * 2000),
        (b"{}", "{}"),
        (b"7", "7"),
        (b"null", "null"),
        (b'"text"', '"text"'),
        (b"<html>\n<b>hi</b></html>", "<html>\n<b>hi</b></html>"),
        (b"[not json]  at all", "[not json]  at all"),
        (b"{", "{"),
        (b"", ""),
        (b"  ", "  "),
    ],
)
def test_a_success_becomes_text_by_its_content(body: bytes, text: str) -> None:
    found = success(body)
    assert (text_of(found), found.outcome, found.is_error) == (text, Outcome.OK, False)


@pytest.mark.req("gateway/X3")
@pytest.mark.parametrize("status", [200, 201, 204, 206, 299])
def test_every_2xx_is_a_success(status: int) -> None:
    assert result(UpstreamAnswer(status, {}, b"{}")).is_error is False


@pytest.mark.req("gateway/X3", "input/B68")
@pytest.mark.parametrize("body", [b"\xff", b'{"a":"\xff"}', b"[\xc0\xaf]", "글".encode("euc-kr")])
def test_invalid_utf8_is_an_error_with_a_fixed_text(body: bytes) -> None:
    found = success(body)
    assert (found.outcome, found.is_error) == (Outcome.INVALID_RESULT, True)
    assert text_of(found) == "The tool gave an answer that is not valid UTF-8 text."


@pytest.mark.req("gateway/X4", "input/B70", "input/B72", "threat/T22", "decision/D14")
def test_of_a_5xx_only_status_and_correlation_id_reach_the_model() -> None:
    secret = b'{"error":{"message":"jdbc:oracle://10.0.0.5 Traceback"}}'
    found = result(UpstreamAnswer(500, {b"content-type": b"application/json"}, secret))
    assert text_of(found) == "The tool failed (HTTP 500). It is not known whether it did its work. Error id: our-id"
    assert (found.outcome, found.is_error, found.error_id) == (Outcome.TOOL_ERROR, True, "our-id")


@pytest.mark.req("decision/D14")
@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        (b"E-1.2_x", "E-1.2_x"),
        (b"a" * 128, "a" * 128),
        (b"a" * 129, "our-id"),
        (b"a b", "our-id"),
        (b"<x>", "our-id"),
        (b"", "our-id"),
        ("글".encode(), "our-id"),
    ],
)
def test_the_tool_services_error_id_is_shown_where_it_is_safe(sent: bytes, shown: str) -> None:
    found = result(UpstreamAnswer(503, {b"x-error-id": sent}, b""))
    assert found.error_id == shown
    assert text_of(found).endswith(f"Error id: {shown}")


@pytest.mark.req("gateway/X4", "decision/D14")
@pytest.mark.parametrize(
    ("content_type", "body", "fields", "shown"),
    [
        (b"application/json", {"error": {"code": "BAD", "message": "no such claim"}}, (), ["BAD", "no such claim"]),
        (
            b"application/problem+json",
            {"title": "Not found", "detail": "no claim 7", "trace": "x"},
            (),
            ["Not found", "no claim 7"],
        ),
        (b"application/json", {"reason": "too old", "trace": "secret"}, ("reason",), ["too old"]),
    ],
)
def test_the_public_part_of_a_4xx_reaches_the_model(
    content_type: bytes, body: dict[str, Any], fields: tuple[str, ...], shown: list[str]
) -> None:
    answer = UpstreamAnswer(422, {b"content-type": content_type}, json.dumps(body).encode())
    found = result(answer, route(fields=fields))
    assert found.is_error
    assert found.outcome is Outcome.TOOL_ERROR
    assert all(part in text_of(found) for part in (*shown, "HTTP 422"))
    assert "trace" not in text_of(found)


@pytest.mark.req("gateway/X4", "decision/D14")
@pytest.mark.parametrize(
    ("content_type", "is_problem"),
    [
        (b"application/problem+json", True),
        (b" Application/Problem+JSON ;charset=utf-8", True),
        (b"application/problem+jsonx", False),
        (b"application/problem+json, text/html", False),
        (b"text/html; x=application/problem+json", False),
        (b"", False),
    ],
)
def test_problem_details_are_public_under_exactly_their_media_type(content_type: bytes, is_problem: bool) -> None:
    body = b'{"title":"Not found","detail":"no claim 7"}'
    found = result(UpstreamAnswer(422, {b"content-type": content_type}, body))
    assert ("no claim 7" in text_of(found)) == is_problem


@pytest.mark.req("gateway/X4", "decision/D14")
@pytest.mark.parametrize(
    "body", [b"", b"Traceback (most recent call last)", b'{"detail":"/srv/app.py:12"}', b"\xff", b"[" * 5000]
)
def test_a_4xx_without_a_public_part_shows_status_and_correlation_id(body: bytes) -> None:
    found = result(UpstreamAnswer(404, {b"content-type": b"application/json"}, body))
    assert text_of(found) == (
        "The tool refused the call (HTTP 404) and gave no reason that can be shown. Error id: our-id"
    )


@pytest.mark.req("gateway/X4", "input/B73", "threat/T02")
@pytest.mark.parametrize("status", [300, 301, 302, 303, 304, 307, 308, 399])
def test_a_redirect_is_an_error(status: int) -> None:
    found = result(UpstreamAnswer(status, {b"location": b"http://169.254.169.254/"}, b""))
    assert text_of(found) == f"The tool answered with HTTP {status}, which is no result. Error id: our-id"


@pytest.mark.req("gateway/X4", "gateway/M3")
@pytest.mark.parametrize(
    ("failure", "sent", "outcome", "words"),
    [
        (Failure.TIMEOUT, True, Outcome.TIMEOUT, "not known whether it did its work"),
        (Failure.UNREACHABLE, True, Outcome.UNREACHABLE, "not known whether it did its work"),
        (Failure.UNREACHABLE, False, Outcome.UNREACHABLE, "Nothing was sent"),
        (Failure.TOO_LARGE, True, Outcome.TOO_LARGE, "Ask for less"),
        (Failure.INVALID, True, Outcome.INVALID_RESULT, "cannot be read"),
        (Failure.BUSY, False, Outcome.BUSY, "Nothing was sent"),
        (Failure.CANCELLED, True, Outcome.CANCELLED, "cancelled"),
    ],
)
def test_each_failure_says_what_a_model_can_act_on(failure: Failure, sent: bool, outcome: Outcome, words: str) -> None:
    found = result(UpstreamAnswer(0, {}, b"", failure, sent))
    assert (found.outcome, found.is_error) == (outcome, True)
    assert words in text_of(found)


@pytest.mark.req("gateway/X12", "decision/D6")
def test_a_declared_structure_is_kept_beside_the_text() -> None:
    found = success(b'{ "n" : 7 }', route(OBJECT))
    assert (text_of(found), found.structured, found.is_error) == ('{"n":7}', b'{"n":7}', False)


@pytest.mark.req("gateway/X12", "decision/D6")
def test_a_structure_may_be_any_json_value_its_schema_allows() -> None:
    assert success(b" 7 ", route({"type": "integer"})).structured == b"7"
    assert success(b"null", route(True)).structured == b"null"


@pytest.mark.req("gateway/X12", "decision/D6")
@pytest.mark.parametrize("body", [b'{"n":"7"}', b"{}", b"[]", b"text", b"", b"null"])
def test_a_result_that_breaks_its_declared_structure_is_an_error_with_a_fixed_text(body: bytes) -> None:
    found = success(body, route(OBJECT))
    assert (found.is_error, found.structured, found.outcome) == (True, None, Outcome.INVALID_RESULT)
    assert text_of(found) == "The tool gave an answer that does not match the structure it declares."


@pytest.mark.req("gateway/X12", "gateway/X3", "decision/D6")
def test_an_escape_that_many_clients_cannot_read_is_no_structured_content() -> None:
    body = rb'{"n": 7, "text": "\ud800"}'
    assert text_of(success(body)) == r'{"n":7,"text":"\ud800"}'
    found = success(body, route(OBJECT))
    assert (found.is_error, found.structured, found.outcome) == (True, None, Outcome.INVALID_RESULT)


@pytest.mark.req("gateway/X12")
def test_an_error_answer_is_not_held_against_the_structure() -> None:
    found = result(UpstreamAnswer(500, {}, b'{"n":7}'), route(OBJECT))
    assert (found.outcome, found.structured) == (Outcome.TOOL_ERROR, None)
