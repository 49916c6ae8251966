"""The tool that lists the notices; it takes no arguments."""

from axhub.toolkit import tool, tool_hint
from insurance_tools.biz.smp.converter.notice import to_http_request, to_response
from insurance_tools.biz.smp.dto.notice import NoticeLookupResponse
from insurance_tools.infra.http.notice.client import NoticeClient


@tool(
    name="smp_notice_lookup",
    title="업무 공지 조회",
    description="현재 게시 중인 업무 공지를 최근 것부터 최대 20건 조회합니다.",
)
@tool_hint(category_key="smp", mapping_id="SMNTNB00001")
async def lookup_notices(client: NoticeClient) -> NoticeLookupResponse:
    """List the notices."""
    return to_response(await client.list_notices(to_http_request()))
