"""Looks up common codes in the code system."""

from axhub.toolkit import HttpClient
from insurance_tools.infra.http.comcode.io import ComcodeGroupBody, ComcodeQuery


class ComcodeClient:
    """The code system."""

    API_NAME = "comcode"

    def __init__(self, http: HttpClient) -> None:
        self._http = http

    async def lookup(self, request: ComcodeQuery) -> ComcodeGroupBody:
        """Return the codes of one group."""
        return await self._http.call(self.API_NAME, request, ComcodeGroupBody)
