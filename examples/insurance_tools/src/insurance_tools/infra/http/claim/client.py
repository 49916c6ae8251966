"""Looks up claims in the claim system."""

from axhub.toolkit import HttpClient
from insurance_tools.infra.http.claim.io import ClaimListBody, ClaimSearchBody


class ClaimClient:
    """The search of the claim system."""

    API_NAME = "claim"

    def __init__(self, http: HttpClient) -> None:
        self._http = http

    async def search(self, request: ClaimSearchBody) -> ClaimListBody:
        """Return the claims that match."""
        return await self._http.call(self.API_NAME, request, ClaimListBody)
