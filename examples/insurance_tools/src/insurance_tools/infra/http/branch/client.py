"""Looks up branches in the branch directory."""

from axhub.toolkit import HttpClient
from insurance_tools.infra.http.branch.io import BranchListBody, BranchQuery


class BranchClient:
    """The branch directory."""

    API_NAME = "branch"

    def __init__(self, http: HttpClient) -> None:
        self._http = http

    async def search(self, request: BranchQuery) -> BranchListBody:
        """Return one page of branches."""
        return await self._http.call(self.API_NAME, request, BranchListBody)
