"""The tool that looks for branches, page by page."""

from axhub.toolkit import tool, tool_hint
from insurance_tools.biz.smp.converter.branch import to_http_request, to_response
from insurance_tools.biz.smp.dto.branch import BranchSearchRequest, BranchSearchResponse
from insurance_tools.infra.http.branch.client import BranchClient


@tool(
    name="smp_branch_search",
    title="지점 찾기",
    description="지역과 취급 업무로 지점의 이름과 영업 시간을 찾습니다.",
)
@tool_hint(category_key="smp", mapping_id="SMBRNB00001")
async def search_branches(request: BranchSearchRequest, client: BranchClient) -> BranchSearchResponse:
    """Look up one page of branches."""
    return to_response(await client.search(to_http_request(request)))
