"""Between notices as agents see them and as the notice board keeps them."""

from typing import Final

from insurance_tools.biz.smp.dto.notice import NoticeItem, NoticeLookupResponse
from insurance_tools.dates import to_day, to_day_or_null
from insurance_tools.infra.http.notice.io import NoticeListBody, NoticeQuery

_MOST: Final = 20


def to_http_request() -> NoticeQuery:
    """Return the question to the notice board."""
    return NoticeQuery(rowCnt=_MOST)


def to_response(body: NoticeListBody) -> NoticeLookupResponse:
    """Return the notices, the newest first, and no more than the answer promises."""
    rows = sorted(body.ntcList, key=lambda row: row.regDt, reverse=True)
    items = [
        NoticeItem(title=row.ttl, posted_on=to_day(row.regDt), closes_on=to_day_or_null(row.endDt))
        for row in rows[:_MOST]
    ]
    return NoticeLookupResponse(items=items, has_more=body.totCnt > len(items))
