"""The tools around money that a contract is worth: two methods of a class over the core system."""

from axhub.toolkit import LegacyError, ToolError, tool, tool_hint
from insurance_tools.biz.ins.converter import loan, surrender
from insurance_tools.biz.ins.dto.loan import LoanInquiryRequest, LoanInquiryResponse
from insurance_tools.biz.ins.dto.surrender import SurrenderInquiryRequest, SurrenderInquiryResponse
from insurance_tools.biz.ins.usecase.insurance import ContractNotFoundError
from insurance_tools.infra.mci.cfpa.client import CfpaClient
from insurance_tools.infra.mci.cfpa.io.lninnb00001 import LNINNB00001_O
from insurance_tools.infra.mci.cfpa.io.srinnb00001 import SRINNB00001_O


class ContractEndedError(ToolError, status=409, code="CONTRACT_ENDED"):
    """The contract is cancelled already, so nothing is paid back any more."""


class ContractValueUseCase:
    """What an agent can ask about the value of a contract."""

    def __init__(self, core: CfpaClient) -> None:
        self._core = core

    @tool(
        name="ins_loan_inquiry",
        title="보험계약대출 한도 조회",
        description="계약번호로 보험계약대출을 더 받을 수 있는 금액과 대출 잔액, 이율을 조회합니다.",
    )
    @tool_hint(category_key="ins", mapping_id="LNINNB00001")
    async def ask_loan(self, request: LoanInquiryRequest) -> LoanInquiryResponse:
        """Say how much can be lent."""
        return loan.to_response(await self._core.call(loan.to_mci_request(request), LNINNB00001_O))

    @tool(
        name="ins_surrender_inquiry",
        title="해지환급금 조회",
        description="계약번호와 해지하려는 날로 계약을 해지하면 돌려받는 해지환급금과 환급률을 조회합니다.",
    )
    @tool_hint(category_key="ins", mapping_id="SRINNB00001")
    async def ask_surrender(self, request: SurrenderInquiryRequest) -> SurrenderInquiryResponse:
        """Say what would be paid back; refusals that mean something to an agent are told in words."""
        try:
            answer = await self._core.call(surrender.to_mci_request(request), SRINNB00001_O)
        except LegacyError as error:
            if error.code == "E0404":
                message = "계약번호에 해당하는 계약이 없습니다. 번호를 확인해 주세요."
                raise ContractNotFoundError(message, field="contractNo") from error
            if error.code == "E0409":
                raise ContractEndedError("이미 해지된 계약이라 해지환급금이 없습니다.", field="contractNo") from error
            raise
        return surrender.to_response(answer)
