"""Looks up exchange rates in the rate system."""

from axhub.toolkit import HttpClient
from insurance_tools.infra.http.exchange.io import RateBody, RateQuery


class ExchangeClient:
    """The rate system."""

    API_NAME = "exchange"

    def __init__(self, http: HttpClient) -> None:
        self._http = http

    async def inquire(self, request: RateQuery) -> RateBody:
        """Return the rates of one currency on one day."""
        return await self._http.call(self.API_NAME, request, RateBody)
