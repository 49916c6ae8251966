"""The tool that looks up common codes: a plain function, its client comes by the type of the parameter."""

from axhub.toolkit import tool, tool_hint
from insurance_tools.biz.cmm.converter.comcode import to_http_request, to_response
from insurance_tools.biz.cmm.dto.comcode import ComcodeLookupRequest, ComcodeLookupResponse
from insurance_tools.infra.http.comcode.client import ComcodeClient


@tool(
    name="cmm_comcode_lookup",
    title="공통코드 조회",
    description="공통코드 그룹에 속한 모든 코드와 한글명을 조회합니다.",
)
@tool_hint(category_key="cmm", mapping_id="CMCDNB00001")
async def lookup_comcode(request: ComcodeLookupRequest, client: ComcodeClient) -> ComcodeLookupResponse:
    """Look up one group of codes."""
    return to_response(await client.lookup(to_http_request(request)))
