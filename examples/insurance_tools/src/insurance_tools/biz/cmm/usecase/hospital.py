"""The tool that looks for hospitals: the core system behind it speaks telegrams."""

from axhub.toolkit import tool, tool_hint
from insurance_tools.biz.cmm.converter.hospital import to_mci_request, to_response
from insurance_tools.biz.cmm.dto.hospital import HospitalSearchRequest, HospitalSearchResponse
from insurance_tools.infra.mci.cfpa.client import CfpaClient
from insurance_tools.infra.mci.cfpa.io.hspinb00001 import HSPINB00001_O


@tool(
    name="cmm_hospital_search",
    title="제휴 병원 찾기",
    description="시·군·구 이름으로 보험사와 제휴한 병원과 청구 대행 여부를 찾습니다.",
)
@tool_hint(category_key="cmm", mapping_id="HSPINB00001")
async def search_hospital(request: HospitalSearchRequest, client: CfpaClient) -> HospitalSearchResponse:
    """Look for hospitals in one region."""
    return to_response(await client.call(to_mci_request(request), HSPINB00001_O))
