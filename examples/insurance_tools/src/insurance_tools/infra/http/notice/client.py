"""Reads the notice board."""

from axhub.toolkit import HttpClient
from insurance_tools.infra.http.notice.io import NoticeListBody, NoticeQuery


class NoticeClient:
    """The notice board."""

    API_NAME = "notice"

    def __init__(self, http: HttpClient) -> None:
        self._http = http

    async def list_notices(self, request: NoticeQuery) -> NoticeListBody:
        """Return the newest notices."""
        return await self._http.call(self.API_NAME, request, NoticeListBody)
