"""A real gateway before a real Tool Service: what one answers wrongly, the other shows rightly (toolkit/S2 to S5)."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from support.desk import Desk, eventually, served
from support.gateway import NEW, REVISIONS, RunningGateway, bundle, running, settings

SECRET = "900101-1234567"
ID = re.compile("[0-9a-f]{16}")


@asynccontextmanager
async def both(**said: Any) -> AsyncIterator[tuple[Desk, RunningGateway]]:
    """Serve the desk, and a gateway that has pulled its manifest."""
    async with served(**said) as desk:
        declared = bundle(f"http://127.0.0.1:{desk.port}/tool-manifest", "desk")
        async with running(settings(declared)) as gateway:
            yield desk, gateway


async def result(gateway: RunningGateway, name: str, arguments: Any = None, **options: Any) -> Any:
    """Call a tool; return the result's text as it is, and whether it is an error."""
    raw = arguments if isinstance(arguments, bytes) else json.dumps(arguments or {}, ensure_ascii=False).encode()
    answer = await gateway.call(name, raw, **options)
    found = answer.json["result"]
    return found.get("isError", False), found["content"][0]["text"]


@pytest.mark.req("toolkit/S1", "toolkit/S2")
@pytest.mark.parametrize("revision", REVISIONS)
async def test_a_good_call_comes_back_as_it_was_answered(revision: str) -> None:
    async with both() as (_, gateway):
        failed, text = await result(gateway, "desk_ticket_search", {"ticketNo": "TCK0001"}, revision=revision)
        assert (failed, text) == (False, '{"items":[{"ticketNo":"TCK0001","closedOn":"2026-01-31"}],"hasMore":false}')


@pytest.mark.req("toolkit/S1", "toolkit/T8", "decision/D7")
async def test_the_gateway_lists_what_the_service_publishes_and_no_draft() -> None:
    async with both(disabled_tools=frozenset({"desk_end"})) as (_, gateway):
        listed = (await gateway.rpc("tools/list")).json["result"]["tools"]
        names = {tool["name"] for tool in listed}
        assert names == {
            "desk_caller_show",
            "desk_narrow",
            "desk_note_write",
            "desk_score_read",
            "desk_sleep",
            "desk_staff_only",
            "desk_stubborn",
            "desk_ticket_search",
        }
        search = next(tool for tool in listed if tool["name"] == "desk_ticket_search")
        assert search["title"] == "문의 조회"
        assert search["annotations"] == {
            "readOnlyHint": True,
            "destructiveHint": False,
            "idempotentHint": True,
            "openWorldHint": False,
        }


@pytest.mark.req("toolkit/S3", "decision/D14")
@pytest.mark.parametrize(
    ("language", "heading", "message"),
    [
        (
            "en",
            "The arguments are not valid; faults: 1. Mend what `fields` names and call again.",
            "Needs a whole number, but got text; write it without quotation marks.",
        ),
        (
            "ko",
            "인자가 올바르지 않습니다(오류 1건). `fields`에 적힌 항목을 고쳐 다시 호출하십시오.",
            "필요한 값: 정수. 받은 값: 문자열. 따옴표 없이 쓰십시오.",
        ),
    ],
)
async def test_a_model_reads_which_argument_is_wrong_and_can_mend_it(language: Any, heading: str, message: str) -> None:
    async with both(language=language) as (_, gateway):
        failed, text = await result(gateway, "desk_ticket_search", {"ticketNo": "TCK0001", "limit": "5"})
        assert failed
        document = json.loads(text[text.index("{") : text.rindex("}") + 1])
        assert document == {
            "error": {
                "code": "INVALID_ARGUMENTS",
                "message": heading,
                "fields": [{"path": "limit", "message": message}],
            }
        }
        failed, _ = await result(gateway, "desk_ticket_search", {"ticketNo": "TCK0001", "limit": 5})
        assert not failed


@pytest.mark.req("toolkit/S3", "decision/D14")
async def test_even_many_faults_fit_into_what_the_gateway_shows() -> None:
    async with both(language="ko") as (_, gateway):
        surplus = {f"{'없는항목' * 10}{number}": 1 for number in range(60)}
        failed, text = await result(gateway, "desk_ticket_search", surplus)
        document = json.loads(text[text.index("{") : text.rindex("}") + 1])
        assert failed
        assert "오류 61건" in document["error"]["message"]
        assert all(sorted(field) == ["message", "path"] for field in document["error"]["fields"])
        assert len(document["error"]["fields"]) >= 10


@pytest.mark.req("toolkit/S3", "decision/D14")
async def test_a_refusal_of_the_use_case_reaches_the_model_in_its_own_words() -> None:
    async with both() as (_, gateway):
        failed, text = await result(gateway, "desk_end", {"end": "refuse"})
        assert failed
        assert "다른 방식으로 요청하십시오." in text
        assert '"code":"NOTE_REFUSED"' in text
        assert '"field":"end"' in text


@pytest.mark.req("toolkit/S3", "toolkit/S4", "decision/D14", "threat/T22")
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("desk_end", {"end": "bug", "secret": SECRET}),
        ("desk_end", {"end": "legacy", "secret": SECRET}),
        ("desk_end", {"end": "wrong-value", "secret": SECRET}),
        ("desk_score_read", {"score": 101}),
    ],
)
async def test_of_a_fault_a_model_reads_the_id_alone_that_both_logs_have(name: str, arguments: dict[str, Any]) -> None:
    async with both() as (desk, gateway):
        failed, text = await result(gateway, name, arguments)
        (error_id,) = {line["errorId"] for line in desk.logged("tool_call")}
        assert failed
        assert ID.fullmatch(error_id)
        assert error_id in text
        assert SECRET not in text
        assert [line["errorId"] for line in gateway.log if line["event"] == "tool_call"] == [error_id]
        assert SECRET not in "".join(desk.log_lines)


@pytest.mark.req("toolkit/S5")
async def test_a_slow_tool_is_cut_off_on_both_sides() -> None:
    async with both() as (desk, gateway):
        failed, text = await result(gateway, "desk_sleep", {"seconds": 30})
        assert failed
        assert SECRET not in text
        await eventually(lambda: desk.ledger.cancelled)
        await eventually(lambda: desk.logged("tool_call"))
        (line,) = desk.logged("tool_call")
        assert line["outcome"] in {"timeout", "cancelled"}  # the two deadlines are the same one


@pytest.mark.req("toolkit/S5")
async def test_a_caller_that_leaves_the_gateway_ends_the_use_case() -> None:
    async with both(timeouts_millis={"desk_sleep": 20_000}) as (desk, gateway):
        call = asyncio.create_task(result(gateway, "desk_sleep", {"seconds": 20}, revision=NEW))
        await eventually(lambda: desk.ledger.started)
        call.cancel()
        await eventually(lambda: desk.ledger.cancelled)
        await eventually(lambda: desk.logged("tool_call"))
        assert [line["outcome"] for line in desk.logged("tool_call")] == ["cancelled"]


@pytest.mark.req("toolkit/S2", "toolkit/T3", "decision/D8")
async def test_who_calls_reaches_the_use_case_and_no_log() -> None:
    async with both() as (desk, gateway):
        headers = ((b"guid", b"G-1"), (b"X-Request-Id", b"R-1"), (b"employee-no", b"enc:7654321"))
        _, text = await result(gateway, "desk_caller_show", headers=headers)
        shown = json.loads(text)
        assert (shown["guid"], shown["requestId"], shown["number"]) == ("G-1", "R-1", "1234567")
        (there,) = desk.logged("tool_call")
        (here,) = [line for line in gateway.log if line["event"] == "tool_call"]
        ids = ("tool", "guid", "xRequestId")
        assert [there[name] for name in ids] == [here[name] for name in ids] == ["desk_caller_show", "G-1", "R-1"]
        assert "enc:" not in "".join(desk.log_lines)


@pytest.mark.req("toolkit/S2")
@pytest.mark.parametrize(
    "arguments",
    [
        b'{"ticketNo":"TCK0001",}',
        b'{"ticketNo":"TCK0001","score":1e400}',
        b'{"ticketNo":' + b"[" * 60 + b"]" * 60 + b"}",
    ],
)
async def test_hostile_arguments_end_as_an_error_that_shows_nothing_inside(arguments: bytes) -> None:
    async with both() as (_, gateway):
        answer = await gateway.call("desk_ticket_search", arguments)
        text = answer.body.decode()
        assert "error" in text.lower()
        assert [word for word in ("pydantic", "Traceback", "desk_tools", "127.0.0.1") if word in text] == []


@pytest.mark.req("toolkit/T6")
async def test_a_namespace_binds_the_names_on_both_sides() -> None:
    async with both(namespace="team.") as (_, gateway):
        failed, _ = await result(gateway, "team.desk_staff_only", headers=((b"employee-no", b"e"),))
        assert not failed


@pytest.mark.req("rule/TK804")
async def test_a_write_that_is_repeated_through_the_gateway_is_made_once() -> None:
    async with both() as (desk, gateway):
        first = await result(gateway, "desk_note_write", {"noteNo": "N", "text": "t"})
        again = await result(gateway, "desk_note_write", {"noteNo": "N", "text": "t"})
        assert first == again == (False, '{"noteNo":"N","count":1}')
        assert desk.ledger.notes == ["t"]
