"""The tools around contracts: a plain class with the declarations on its methods."""

from axhub.toolkit import LegacyError, ToolError, tool, tool_hint
from insurance_tools.biz.ins.converter import insurance, premium
from insurance_tools.biz.ins.dto.insurance import InsuranceRequest, InsuranceResponse
from insurance_tools.biz.ins.dto.premium import PremiumEstimateRequest, PremiumEstimateResponse
from insurance_tools.infra.http.insurance.client import InsuranceClient
from insurance_tools.infra.http.insurance.io import ContractBody
from insurance_tools.infra.http.premium.client import PremiumClient


class ContractNotFoundError(ToolError, status=404, code="CONTRACT_NOT_FOUND"):
    """No contract has this number."""


class InsuranceUseCase:
    """What an agent can ask about contracts."""

    def __init__(self, contracts: InsuranceClient, prices: PremiumClient) -> None:
        self._contracts = contracts
        self._prices = prices

    @tool(
        name="ins_insurance_processor",
        title="보험계약 상세 조회",
        description="계약번호로 보험계약의 상태와 보험료, 보장 내용을 조회합니다.",
    )
    @tool_hint(category_key="ins", mapping_id="INCTNB00001")
    async def get_contract(self, request: InsuranceRequest) -> InsuranceResponse:
        """Look up one contract."""
        try:
            body = await self._contracts.call(insurance.to_http_request(request), ContractBody)
        except LegacyError as error:
            if error.code != "404":
                raise
            message = "계약번호에 해당하는 계약이 없습니다. 번호를 확인해 주세요."
            raise ContractNotFoundError(message, field="contractNo") from error
        return insurance.to_response(body)

    @tool(
        name="ins_premium_estimate",
        title="예상 보험료 계산",
        description="가입 나이와 보장 구성으로 예상 월 보험료를 계산합니다.",
        register=False,
    )
    @tool_hint(category_key="ins", mapping_id="INPRNB00001")
    async def estimate_premium(self, request: PremiumEstimateRequest) -> PremiumEstimateResponse:
        """Say what a contract would cost; not released yet."""
        return premium.to_response(await self._prices.estimate(premium.to_http_request(request)))
