"""What the tools take and answer."""

from datetime import date
from typing import Annotated, Literal

from axhub.toolkit import Desc, Input, Output, output_schema


class Period(Input):
    since: Annotated[date, Desc("조회 시작일", example="2026-01-01")]
    until: Annotated[date | None, Desc("조회 종료일. 없으면 오늘까지")] = None


class TicketSearchRequest(Input):
    ticket_no: Annotated[str, Desc("문의 번호", example="TCK0001", pattern="^TCK[0-9]{4}$")]
    status: Annotated[Literal["OPEN", "CLOSED"] | None, Desc("상태 코드. 없으면 전체")] = None
    limit: Annotated[int, Desc("최대 건수", ge=1, le=50)] = 10
    score: Annotated[float | None, Desc("최소 점수. 없으면 전체")] = None
    urgent: Annotated[bool, Desc("긴급 문의만")] = False
    tags: Annotated[list[str], Desc("분류 태그. 순서 없음", min_length=0, max_length=3)] = []  # noqa: RUF012 - a field, which Pydantic copies
    memo: Annotated[str | None, Desc("검색어. 없으면 전체", min_length=2, max_length=5)] = None
    period: Annotated[Period | None, Desc("조회 기간. 없으면 전체")] = None


class TicketItem(Output):
    ticket_no: Annotated[str, Desc("문의 번호")]
    closed_on: Annotated[date | None, Desc("종료일. 처리 중이면 null")]


class TicketSearchResponse(Output):
    items: Annotated[list[TicketItem], Desc("문의 목록. 접수일 내림차순")]
    has_more: Annotated[bool, Desc("더 있으면 true")]


class NoteRequest(Input):
    note_no: Annotated[str, Desc("메모 번호", example="N-1")]
    text: Annotated[str, Desc("메모 내용")]
    end: Annotated[Literal["ok", "refuse", "crash", "slow"], Desc("끝나는 방식")] = "ok"


class NoteResponse(Output):
    note_no: Annotated[str, Desc("메모 번호")]
    count: Annotated[int, Desc("지금까지 저장된 메모 수")]


class EndRequest(Input):
    end: Annotated[str, Desc("끝나는 방식", example="bug")]
    secret: Annotated[str, Desc("어디에도 나타나면 안 되는 값")] = "s3cr3t"


class EndResponse(Output):
    done: Annotated[bool, Desc("끝났으면 true")]


@output_schema
class ScoreResponse(Output):
    score: Annotated[int, Desc("점수", ge=0, le=100)]


class ScoreRequest(Input):
    score: Annotated[int, Desc("점수")]


class SleepRequest(Input):
    seconds: Annotated[float, Desc("기다릴 초")]


class CallerResponse(Output):
    trace_id: Annotated[str, Desc("추적 번호")]
    request_id: Annotated[str, Desc("요청 번호")]
    guid: Annotated[str | None, Desc("업무 번호. 없으면 null")]
    session_id: Annotated[str | None, Desc("세션. 없으면 null")]
    employee: Annotated[str, Desc("화면에 보이는 사번")]
    number: Annotated[str | None, Desc("복호화한 사번. 없으면 null")]
    virtual: Annotated[bool, Desc("가상 사번이 있으면 true")]
    left: Annotated[float, Desc("남은 시간(초)")]


class NarrowRequest(Input):
    kind: Annotated[str, Desc("종류")]
    first: Annotated[str | None, Desc("첫째. 없으면 둘째를 쓴다")] = None
    second: Annotated[str | None, Desc("둘째. 없으면 첫째를 쓴다")] = None
