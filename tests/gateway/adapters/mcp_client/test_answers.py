"""What an answer of an MCP server means (gateway/P11)."""

import pytest

from axhub.gateway.adapters.mcp_client.answers import (
    Answered,
    counted,
    is_dead_session,
    refused,
    response_in,
    response_to,
    unanswered,
)
from axhub.gateway.adapters.mcp_client.session import Session
from axhub.gateway.domain.mcp_message import Message, Notification, Response
from axhub.gateway.domain.revision import Revision
from axhub.gateway.ports import Failure, PullFailure, UpstreamAnswer

NEW, OLD = Session(Revision.V2026_07_28), Session(Revision.V2025_11_25, b"s-1")


def http(status: int, body: bytes = b"", kind: bytes = b"application/json") -> UpstreamAnswer:
    return UpstreamAnswer(status, {b"content-type": kind}, body)


def encoded(coding: bytes) -> UpstreamAnswer:
    headers = {b"content-type": b"application/json", b"content-encoding": coding}
    return UpstreamAnswer(200, headers, b'{"jsonrpc":"2.0","id":5,"result":{}}')


NO_ID = b'{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"No valid session ID provided"}}'
WITH_ID = NO_ID.replace(b"null", b"5")


@pytest.mark.req("gateway/P11", "gateway/X6")
@pytest.mark.parametrize(
    ("session", "answer", "dead"),
    [
        (OLD, http(404), True),
        (OLD, http(404, WITH_ID), True),
        (OLD, http(404, b"<html>", b"text/html"), True),
        (OLD, http(400, NO_ID), True),
        (OLD, http(400, NO_ID.replace(b'"id":null,', b"")), True),
        (OLD, http(400, NO_ID, b"text/plain"), True),
        (OLD, http(400, WITH_ID), False),
        (OLD, http(400, b"Bad Request: No valid session ID provided", b"text/plain"), True),
        (OLD, http(400), True),
        (
            OLD,
            http(
                400,
                WITH_ID.replace(b'"error":{"code":-32000,"message":"No valid session ID provided"}', b'"result":{}'),
            ),
            False,
        ),
        (OLD, http(200, NO_ID), False),
        (OLD, http(401, NO_ID), False),
        (OLD, http(500, NO_ID), False),
        (OLD, http(405), False),
        (OLD, UpstreamAnswer(0, {}, b"", Failure.TIMEOUT), False),
        (Session(Revision.V2025_11_25), http(404), False),
        (NEW, http(404), False),
    ],
)
def test_a_session_is_dead_where_a_request_that_named_it_was_refused_unread(
    session: Session, answer: UpstreamAnswer, dead: bool
) -> None:
    assert is_dead_session(session, answer) is dead


RESULT = Response(b"5", b"{}")
ERROR = Response(b"5", None, b"{}")


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize(
    ("message", "ours"),
    [
        (RESULT, True),
        (ERROR, True),
        (Response(None, None, b"{}"), True),
        (Response(None, b"{}"), False),
        (Response(b"6", b"{}"), False),
        (Response(b'"5"', b"{}"), False),
        (Response(b"5.0", b"{}"), False),
        (Response(b"6", None, b"{}"), False),
        (Notification("n", {}), False),
        (None, False),
    ],
)
def test_a_response_is_told_by_its_id(message: Message | None, ours: bool) -> None:
    assert response_to(5, message) is (message if ours else None)


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize(
    ("answer", "found"),
    [
        (http(200, b'{"jsonrpc":"2.0","id":5,"result":{}}'), RESULT),
        (http(202, b'{"jsonrpc":"2.0","id":5,"result":{}}'), None),
        (http(400, b'{"jsonrpc":"2.0","id":5,"error":{}}'), ERROR),
        (http(500, b'{"jsonrpc":"2.0","error":{}}'), Response(None, None, b"{}")),
        (http(400, b'{"jsonrpc":"2.0","id":5,"result":{}}'), None),
        (http(200, b'{"jsonrpc":"2.0","id":6,"result":{}}'), None),
        (http(200, b'{"jsonrpc":"2.0","id":5,"result":{}}', b"text/plain"), None),
        (http(200, b'{"jsonrpc":"2.0","id":5,"result":{}}', b""), None),
        (http(200, b"{}"), None),
        (UpstreamAnswer(0, {}, b"", Failure.TOO_LARGE), None),
        (encoded(b"gzip"), None),
        (encoded(b"identity"), RESULT),
    ],
)
def test_a_body_is_a_response_as_json_and_a_result_with_a_status_that_says_so(
    answer: UpstreamAnswer, found: Response | None
) -> None:
    assert response_in(answer, 5) == found


@pytest.mark.req("gateway/P11", "gateway/G5")
@pytest.mark.parametrize(
    ("answered", "reason"),
    [
        (Answered(http(200), ERROR), PullFailure.INVALID_MANIFEST),
        (Answered(http(200), RESULT), PullFailure.INVALID_MANIFEST),
        (Answered(http(400), ERROR), PullFailure.HTTP_STATUS),
        (Answered(http(204), None), PullFailure.HTTP_STATUS),
        (Answered(encoded(b"gzip"), None), PullFailure.CONTENT_TYPE),
        (Answered(http(503), None), PullFailure.HTTP_STATUS),
        (Answered(http(302), None), PullFailure.HTTP_STATUS),
        (Answered(http(200, b"", b"text/html"), None), PullFailure.CONTENT_TYPE),
        (Answered(http(200, b"", b""), None), PullFailure.CONTENT_TYPE),
        (Answered(http(200, b"{"), None), PullFailure.INVALID_JSON),
        (Answered(http(200, b"", b"text/event-stream; x=y"), None), PullFailure.INVALID_JSON),
    ],
)
def test_an_answer_that_was_not_asked_for_has_a_name(answered: Answered, reason: PullFailure) -> None:
    assert refused(answered, "http://x/mcp").reason is reason


@pytest.mark.req("gateway/P11")
def test_the_reason_names_the_code_of_an_error_and_none_of_its_words() -> None:
    said = Response(b"5", None, b'{"code":-32001,"message":"secret"}')
    for status in (200, 404):
        fault = refused(Answered(http(status), said), "http://x/mcp")
        assert "-32001" in fault.detail
        assert "http://x/mcp" in fault.detail
        assert "secret" not in fault.detail


@pytest.mark.req("gateway/P11", "gateway/G5", "threat/T22")
@pytest.mark.parametrize(
    ("location", "shown"),
    [
        (b"/mcp/", "it redirects to /mcp/: write that as manifestUrl"),
        (b"http://x/mcp/?key=secret", "it redirects to /mcp/: write that as manifestUrl"),
        (b"http://X:80/mcp/#here", "redirects are not followed"),
        (b"http://x:80/mcp/", "it redirects to /mcp/: write that as manifestUrl"),
        (b"https://x/secret", "redirects are not followed"),
        (b"//y/secret", "redirects are not followed"),
        (b"http://y/secret", "redirects are not followed"),
        (b"secret", "redirects are not followed"),
        (b"/secret\xff", "redirects are not followed"),
        (b"/" + b"secret" * 100, "redirects are not followed"),
        (b"", "redirects are not followed"),
    ],
)
def test_a_redirect_within_the_server_is_named_since_it_is_the_address_that_was_meant(
    location: bytes, shown: str
) -> None:
    http = UpstreamAnswer(307, {b"location": location}, b"")
    fault = refused(Answered(http, None), "http://x:80/mcp")
    assert (fault.reason, fault.detail) == (PullFailure.HTTP_STATUS, f"HTTP 307 from http://x:80/mcp ({shown})")


@pytest.mark.req("gateway/P11", "gateway/G5")
@pytest.mark.parametrize(
    ("failure", "reason"),
    [
        (Failure.TIMEOUT, PullFailure.TIMED_OUT),
        (Failure.TOO_LARGE, PullFailure.TOO_LARGE),
        (Failure.UNREACHABLE, PullFailure.CONNECT_FAILED),
        (Failure.INVALID, PullFailure.CONNECT_FAILED),
    ],
)
def test_what_did_not_answer_is_told_as_of_any_manifest(failure: Failure, reason: PullFailure) -> None:
    fault = unanswered(UpstreamAnswer(0, {}, b"", failure, detail="refused"), "http://x/mcp")
    assert (fault.reason, fault.detail) == (reason, "refused at http://x/mcp")
    assert unanswered(UpstreamAnswer(0, {}, b"", failure), "x").detail == f"{failure.value} at x"


@pytest.mark.req("gateway/P11")
def test_a_response_of_a_stream_counts_though_the_stream_did_not_end() -> None:
    broken = UpstreamAnswer(0, {}, b"", Failure.UNREACHABLE)
    assert counted(broken, RESULT) is RESULT
    assert counted(http(202, b"", b"text/event-stream"), RESULT) is None
    assert counted(http(202, b"", b"text/event-stream"), ERROR) is ERROR
