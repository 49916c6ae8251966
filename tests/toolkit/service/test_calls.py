"""Every way in which a call ends: what the caller gets, what is logged and counted (toolkit/S2 to S5)."""

import asyncio
import re
from typing import Any

import pytest

from support import tree
from support.desk import Desk, bounded_server, desk, eventually
from support.receipts import sealed

ERROR_ID = re.compile("[0-9a-f]{16}")
SECRET = "900101-1234567"
FAILED = {"code": "INTERNAL_ERROR", "message": "The tool failed. Other arguments will not help."}


def error_of(answer: Any) -> Any:
    return answer.value["error"]


@pytest.mark.req("toolkit/S2", "toolkit/T1", "toolkit/T2")
async def test_a_good_call_is_answered_with_the_response_in_wire_names() -> None:
    async with desk() as running:
        answer = await running.call("desk_ticket_search", {"ticketNo": "TCK0001", "period": {"since": "2026-01-01"}})
        assert (answer.status, answer.headers["content-type"]) == (200, "application/json")
        assert answer.body == (b'{"items":[{"ticketNo":"TCK0001","closedOn":"2026-01-31"}],"hasMore":false}')


@pytest.mark.req("toolkit/S2", "decision/D8")
async def test_the_line_of_a_call_says_who_called_what_and_how_it_ended_and_holds_no_value() -> None:
    async with desk() as running:
        await running.call(
            "desk_end", {"end": "bug", "secret": SECRET}, guid="G-1", x_request_id="R-1", employee_no="E-1"
        )
        (line,) = running.logged("tool_call")
        error_id = line.pop("errorId")
        assert ERROR_ID.fullmatch(error_id)
        assert line.pop("durationMs") >= 0
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", line.pop("ts"))
        assert line == {
            "level": "warning",
            "event": "tool_call",
            "tool": "desk_end",
            "outcome": "error",
            "status": 500,
            "guid": "G-1",
            "xRequestId": "R-1",
            "traceId": "G-1",
        }
        assert "E-1" not in "".join(running.log_lines)


@pytest.mark.req("toolkit/S3", "threat/T22")
@pytest.mark.parametrize("end", ["bug", "legacy", "validation", "wrong-type", "wrong-value"])
async def test_a_fault_of_ours_shows_its_id_alone_and_the_log_has_the_rest_but_no_value(end: str) -> None:
    async with desk() as running:
        answer = await running.call("desk_end", {"end": end, "secret": SECRET})
        assert (answer.status, error_of(answer)) == (500, FAILED)
        told = [line for line in running.log if line.get("errorId") == answer.headers["x-error-id"]]
        assert [line["event"] for line in told] == [
            "invalid_result" if end.startswith("wrong") else "tool_failed",
            "tool_call",
        ]
        assert SECRET not in "".join(running.log_lines)


@pytest.mark.req("toolkit/S3")
async def test_the_trace_in_the_log_has_types_and_lines_of_the_whole_chain() -> None:
    async with desk() as running:
        await running.call("desk_end", {"end": "bug", "secret": SECRET})
        (line,) = running.logged("tool_failed")
        assert line["error"] == "KeyError"
        shape = [re.sub(r"^.*/(usecase\.py):\d+", r"\1", one.strip()) for one in line["trace"]]
        assert shape == ["KeyError", "usecase.py in end", "because of: ValueError", "usecase.py in end"]


@pytest.mark.req("toolkit/S3")
async def test_of_a_refused_model_the_log_names_fields_and_rules_and_masks_names_that_none_declares() -> None:
    async with desk() as running:
        await running.call("desk_end", {"end": "validation", "secret": SECRET})
        (line,) = running.logged("tool_failed")
        assert line["trace"][0] == (
            "pydantic_core._pydantic_core.ValidationError TicketItem: "
            "/ticketNo string_type, /closedOn missing, /* extra_forbidden"
        )
        await running.call("desk_end", {"end": "legacy", "secret": SECRET})
        assert running.logged("tool_failed")[1]["trace"][0] == "axhub.toolkit.errors.LegacyError code=E4711"


@pytest.mark.req("toolkit/S3")
async def test_a_declared_error_is_answered_with_its_class_status_and_code_and_its_own_words() -> None:
    async with desk() as running:
        answer = await running.call("desk_end", {"end": "refuse"})
        assert (answer.status, answer.value) == (
            409,
            {"error": {"code": "NOTE_REFUSED", "message": "다른 방식으로 요청하십시오.", "field": "end"}},
        )
        answer = await running.call("desk_end", {"end": "plain-refuse"})
        assert (answer.status, answer.value) == (400, {"error": {"code": "REFUSED", "message": "Not  now."}})
        assert [line["outcome"] for line in running.logged("tool_call")] == ["refused", "refused"]
        assert "x-error-id" not in answer.headers


@pytest.mark.req("toolkit/S4", "decision/D6")
async def test_a_result_is_validated_where_an_output_schema_is_declared() -> None:
    async with desk() as running:
        assert (await running.call("desk_score_read", {"score": 100})).value == {"score": 100}
        answer = await running.call("desk_score_read", {"score": 101})
        assert (answer.status, error_of(answer)) == (500, FAILED)
        (line,) = running.logged("invalid_result")
        assert (line["places"], line["errorId"]) == (["/score: maximum"], answer.headers["x-error-id"])
        assert running.logged("tool_call")[-1]["outcome"] == "invalid_result"


@pytest.mark.req("toolkit/S5")
async def test_the_timeout_of_a_tool_cancels_it() -> None:
    async with desk() as running:
        answer = await running.call("desk_sleep", {"seconds": 30})
        assert (answer.status, error_of(answer)) == (
            504,
            {"code": "TIMEOUT", "message": "The tool did not answer in time."},
        )
        assert ERROR_ID.fullmatch(answer.headers["x-error-id"])
        assert running.ledger.cancelled == ["sleep"]
        (line,) = running.logged("tool_timeout")
        assert line["trace"][1].strip().endswith("in sleep")
        assert (await running.call("desk_sleep", {"seconds": 0})).value == {"done": True}


@pytest.mark.req("toolkit/S5")
async def test_a_result_that_comes_after_the_timeout_is_no_result() -> None:
    async with desk() as running:
        answer = await running.call("desk_stubborn", {"seconds": 30})
        assert (answer.status, error_of(answer)["code"]) == (504, "TIMEOUT")


@pytest.mark.req("toolkit/T3")
async def test_the_context_reaches_the_use_case_and_stands_in_no_schema() -> None:
    async with desk() as running:
        answer = await running.call(
            "desk_caller_show", guid="G", x_request_id="R", mcp_session_id="S", employee_no="enc:7654321"
        )
        found = answer.value
        assert 9 < found.pop("left") <= 10
        assert found == {
            "traceId": "G",
            "requestId": "R",
            "guid": "G",
            "sessionId": "S",
            "employee": "***",
            "number": "1234567",
            "virtual": False,
        }
        assert b"employee" not in running.app.prepare().manifest.body.replace("직원".encode(), b"")


@pytest.mark.req("toolkit/T3")
async def test_a_tool_that_needs_an_employee_refuses_a_call_without_one() -> None:
    async with desk(language="ko") as running:
        answer = await running.call("desk_staff_only")
        assert (answer.status, error_of(answer)) == (
            403,
            {
                "code": "EMPLOYEE_REQUIRED",
                "message": "이 도구는 로그인한 직원만 사용할 수 있으며, 인자로 대신할 수 없습니다.",
            },
        )
        assert (await running.call("desk_staff_only", employee_id="enc:1")).value == {"done": True}


@pytest.mark.req("toolkit/S2")
async def test_a_tool_without_arguments_takes_an_empty_object_or_nothing() -> None:
    async with desk() as running:
        assert (await running.call("desk_staff_only", b"", employee_no="e")).status == 200
        answer = await running.call("desk_staff_only", {"who": "me"}, employee_no="e")
        assert error_of(answer)["fields"] == [{"path": "who", "message": "No members are allowed here."}]


@pytest.mark.req("decision/D7", "toolkit/S3")
async def test_an_unknown_tool_and_a_draft_outside_local_are_the_same() -> None:
    async with desk() as running:
        assert (await running.call("desk_draft")).value == {"done": True}
        unknown = await running.call("desk_nothing")
        assert (unknown.status, error_of(unknown)) == (
            404,
            {"code": "UNKNOWN_TOOL", "message": "There is no tool of this name."},
        )
    with sealed(tree.ROOT / "tests" / "support" / "desk_tools", "support.desk_tools"):
        async with desk(store=SharedStore(), profile="production") as running:
            assert (await running.call("desk_draft")).body == unknown.body
            assert running.logged("tool_call")[0]["tool"] is None


@pytest.mark.req("decision/D7")
async def test_a_tool_that_is_switched_off_says_so() -> None:
    async with desk(disabled_tools=frozenset({"desk_end"})) as running:
        answer = await running.call("desk_end", {"end": "refuse"})
        assert (answer.status, error_of(answer)) == (
            403,
            {
                "code": "TOOL_DISABLED",
                "message": "This tool is switched off at the moment. Do not call it again; do the task without it.",
            },
        )


@pytest.mark.req("toolkit/S6")
async def test_too_many_calls_at_once_are_told_to_come_again() -> None:
    patient = {"desk_sleep": 20_000}
    async with desk(server=bounded_server(max_in_flight_calls=1), timeouts_millis=patient) as running:
        first = asyncio.create_task(running.call("desk_sleep", {"seconds": 0.2}))
        await eventually(lambda: running.ledger.started)
        answer = await running.call("desk_staff_only")
        assert (answer.status, error_of(answer)["code"], answer.headers["retry-after"]) == (503, "BUSY", "1")
        assert (await first).status == 200
        assert (await running.call("desk_sleep", {"seconds": 0})).status == 200


@pytest.mark.req("toolkit/S6")
async def test_calls_are_counted_by_tool_and_end_and_unknown_names_make_no_label() -> None:
    async with desk() as running:
        await running.call("desk_end", {"end": "refuse"})
        await running.call("desk_end", {"end": "refuse"})
        await running.call("desk_end", {})
        for name in ("a", "b"):
            await running.call(name)
        counted = {name: value for name, value in running.metrics.items() if "calls_total" in name and value}
        assert counted == {
            'axhub_service_tool_calls_total{outcome="refused",tool="desk_end"}': 2.0,
            'axhub_service_tool_calls_total{outcome="invalid_arguments",tool="desk_end"}': 1.0,
            'axhub_service_tool_calls_total{outcome="not_found",tool="other"}': 2.0,
        }
        assert running.metrics['axhub_service_tool_call_duration_seconds_count{tool="desk_end"}'] == 2.0
        assert running.metrics["axhub_service_calls_in_flight"] == 0.0


@pytest.mark.req("decision/D8")
async def test_families_of_headers_that_disagree_are_logged_by_name_and_counted() -> None:
    async with desk() as running:
        await running.call("desk_staff_only", employee_no="enc:1", employee_id="enc:2")
        (line,) = running.logged("header_conflict")
        assert (line["tool"], line["headers"]) == ("desk_staff_only", ["employee-id"])
        assert running.metrics["axhub_service_header_conflicts_total"] == 1.0
        assert "enc:" not in "".join(running.log_lines)


async def test_ids_that_cannot_be_seen_do_not_break_out_of_the_log() -> None:
    async with desk() as running:
        await running.call("desk_staff_only", guid="a\u202eb\x1b[31m" + "x" * 1000)
        (line,) = running.logged("tool_call")
        assert line["guid"].isprintable()
        assert len(line["guid"]) <= 256


class SharedStore:
    """A store as a deployment has one, for profiles that refuse the one in memory."""

    async def begin(self, tool: str, key: str, digest: str | None = None) -> None: ...

    async def finish(self, tool: str, key: str, answer: bytes) -> None: ...

    async def release(self, tool: str, key: str) -> None: ...


async def concurrently(running: Desk, count: int) -> list[int]:
    calls = (running.call("desk_sleep", {"seconds": 0.02}) for _ in range(count))
    return [answer.status for answer in await asyncio.gather(*calls)]


@pytest.mark.req("toolkit/S5")
async def test_many_calls_at_once_do_not_disturb_each_other() -> None:
    async with desk(timeouts_millis={"desk_sleep": 20_000}) as running:
        assert await concurrently(running, 50) == [200] * 50
        assert running.ledger.cancelled == []
