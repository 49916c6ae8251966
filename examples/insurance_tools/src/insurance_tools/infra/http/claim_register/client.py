"""Registers claims in the claim system."""

from axhub.toolkit import HttpClient
from insurance_tools.infra.http.claim_register.io import ClaimReceiptBody, ClaimRegisterBody


class ClaimRegisterClient:
    """The registration of the claim system."""

    API_NAME = "claim_register"

    def __init__(self, http: HttpClient) -> None:
        self._http = http

    async def register(self, request: ClaimRegisterBody) -> ClaimReceiptBody:
        """Register one claim."""
        return await self._http.call(self.API_NAME, request, ClaimReceiptBody)
