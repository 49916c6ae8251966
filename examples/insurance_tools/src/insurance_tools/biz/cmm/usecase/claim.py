"""The tools around claims: what is declared stands in the protocol, how it is done in the class below it."""

from typing import Protocol

from axhub.toolkit import ToolError, tool, tool_hint
from insurance_tools.biz.cmm.converter.claim import (
    to_register_body,
    to_register_response,
    to_search_body,
    to_search_response,
)
from insurance_tools.biz.cmm.dto.claim import (
    ClaimRegisterRequest,
    ClaimRegisterResponse,
    ClaimSearchRequest,
    ClaimSearchResponse,
)
from insurance_tools.infra.http.claim.client import ClaimClient
from insurance_tools.infra.http.claim_register.client import ClaimRegisterClient


class ClaimNotFoundError(ToolError, status=404, code="CLAIM_NOT_FOUND"):
    """No claim has this number."""


class ClaimUseCase(Protocol):
    """What an agent can do with claims."""

    @tool(
        name="cmm_claim_search",
        title="보험금 청구 상태 조회",
        description="청구번호 또는 계약번호로 보험금 청구 상태를 조회합니다.",
    )
    @tool_hint(register=True, category_key="cmm", mapping_id="CLCNNB00001")
    async def search_claim(self, request: ClaimSearchRequest) -> ClaimSearchResponse:
        """Look up claims."""
        ...

    @tool(
        name="cmm_claim_register",
        title="보험금 청구 접수",
        description="계약번호와 사고일, 사고 내용으로 새 보험금 청구를 접수하고 청구번호를 돌려줍니다.",
    )
    @tool_hint(category_key="cmm", mapping_id="CLCNNB00002")
    async def register_claim(self, request: ClaimRegisterRequest) -> ClaimRegisterResponse:
        """Register a claim."""
        ...


class ClaimUseCaseImpl(ClaimUseCase):
    """Does it through the claim system."""

    def __init__(self, claims: ClaimClient, register: ClaimRegisterClient) -> None:
        self._claims = claims
        self._register = register

    async def search_claim(self, request: ClaimSearchRequest) -> ClaimSearchResponse:
        """Look up claims; a claim number that does not exist is refused, a contract without claims is an empty list."""
        response = to_search_response(await self._claims.search(to_search_body(request)))
        if request.claim_no is not None and not response.items:
            raise ClaimNotFoundError("청구번호에 해당하는 청구가 없습니다. 번호를 확인해 주세요.", field="claimNo")
        return response

    async def register_claim(self, request: ClaimRegisterRequest) -> ClaimRegisterResponse:
        """Register a claim; the service sees to it that the same one is not registered twice."""
        return to_register_response(await self._register.register(to_register_body(request)))
