"""The tools: each ends as its arguments ask for."""

import asyncio
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Protocol, cast

from axhub.toolkit import EmployeeCipher, LegacyError, ToolContext, ToolError, tool, tool_hint
from support.desk_tools.biz.desk.dto import (
    CallerResponse,
    EndRequest,
    EndResponse,
    NarrowRequest,
    NoteRequest,
    NoteResponse,
    ScoreRequest,
    ScoreResponse,
    SleepRequest,
    TicketItem,
    TicketSearchRequest,
    TicketSearchResponse,
)


@dataclass
class Ledger:
    """What really happened, for the tests to look at."""

    notes: list[str] = field(default_factory=list)
    started: list[str] = field(default_factory=list)
    cancelled: list[str] = field(default_factory=list)


class NoteRefusedError(ToolError, status=409, code="NOTE_REFUSED"):
    """The note cannot be stored."""


class TicketUseCase(Protocol):
    @tool(name="desk_ticket_search", title="문의 조회", description="문의 번호로 문의 상태를 조회합니다.")
    @tool_hint(category_key="desk")
    async def search(self, request: TicketSearchRequest) -> TicketSearchResponse: ...


class TicketUseCaseImpl(TicketUseCase):
    async def search(self, request: TicketSearchRequest) -> TicketSearchResponse:
        items = [TicketItem(ticket_no=request.ticket_no, closed_on=date(2026, 1, 31))]
        return TicketSearchResponse(items=items, has_more=False)


class NoteUseCase:
    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    @tool(name="desk_note_write", title="메모 저장", description="메모를 저장합니다.", category_key="desk")
    async def write(self, request: NoteRequest) -> NoteResponse:
        self._ledger.started.append(request.note_no)
        if request.end == "refuse":
            raise NoteRefusedError("이 메모는 저장할 수 없습니다.", field="text")
        self._ledger.notes.append(request.text)
        if request.end == "crash":
            raise RuntimeError(request.text)
        if request.end == "slow":
            await asyncio.sleep(0.2)
        return NoteResponse(note_no=request.note_no, count=len(self._ledger.notes))


@tool(name="desk_end", title="끝내기", description="요청한 방식으로 끝납니다.", category_key="desk")
async def end(request: EndRequest) -> EndResponse:
    if request.end == "refuse":
        raise NoteRefusedError("다른 방식으로 요청하십시오.", field="end")
    if request.end == "plain-refuse":
        raise ToolError("Not \u202e now\x07.")
    if request.end == "legacy":
        raise LegacyError("E4711", f"legacy says {request.secret}")
    if request.end == "validation":
        TicketItem.model_validate({"ticketNo": 1, request.secret: 2})
    if request.end == "wrong-type":
        return cast("EndResponse", {"done": request.secret})
    if request.end == "wrong-value":
        return EndResponse.model_construct(done=cast("Any", request.secret))
    try:
        int(request.secret)
    except ValueError as error:
        raise KeyError(request.secret) from error
    return EndResponse(done=True)


@tool(name="desk_score_read", title="점수 조회", description="점수를 그대로 돌려줍니다.", category_key="desk")
async def read_score(request: ScoreRequest) -> ScoreResponse:
    return ScoreResponse.model_construct(score=request.score)


@tool(name="desk_sleep", title="기다리기", description="요청한 만큼 기다립니다.", category_key="desk")
async def sleep(request: SleepRequest, ledger: Ledger) -> EndResponse:
    ledger.started.append("sleep")
    try:
        await asyncio.sleep(request.seconds)
    except asyncio.CancelledError:
        ledger.cancelled.append("sleep")
        raise
    return EndResponse(done=True)


@tool(name="desk_stubborn", title="버티기", description="취소를 무시하고 끝까지 실행합니다.", category_key="desk")
async def stubborn(request: SleepRequest) -> EndResponse:
    try:
        await asyncio.sleep(request.seconds)
    except asyncio.CancelledError:
        await asyncio.sleep(0.05)
    return EndResponse(done=True)


class CallerUseCase:
    def __init__(self, cipher: EmployeeCipher) -> None:
        self._cipher = cipher

    @tool(name="desk_caller_show", title="호출자 보기", description="누가 호출했는지 보여 줍니다.", category_key="desk")
    async def show(self, context: ToolContext) -> CallerResponse:
        number = None if context.employee is None else await self._cipher.decrypt(context.employee)
        return CallerResponse(
            trace_id=context.trace_id,
            request_id=context.request_id,
            guid=context.guid,
            session_id=context.session_id,
            employee=str(context.employee),
            number=number,
            virtual=context.virtual_employee is not None,
            left=(context.deadline or 0) - asyncio.get_running_loop().time(),
        )

    @tool(
        name="desk_staff_only",
        title="직원 전용",
        description="직원만 사용할 수 있습니다.",
        category_key="desk",
        requires_employee=True,
    )
    async def staff(self) -> EndResponse:
        return EndResponse(done=True)


@tool(
    name="desk_narrow",
    title="좁은 입력",
    description="둘 중 하나가 필요합니다.",
    category_key="desk",
    input_schema_resource="tool_schemas/desk/narrow-input-schema.json",
)
async def narrow(request: NarrowRequest) -> EndResponse:
    return EndResponse(done=True)


@tool(name="desk_draft", title="개발 중", description="아직 개발 중입니다.", category_key="desk", register=False)
async def draft() -> EndResponse:
    return EndResponse(done=True)
