"""Asks the pricing system."""

from axhub.toolkit import HttpClient
from insurance_tools.infra.http.premium.io import PriceBody, PriceQuery


class PremiumClient:
    """The pricing system."""

    API_NAME = "premium"

    def __init__(self, http: HttpClient) -> None:
        self._http = http

    async def estimate(self, request: PriceQuery) -> PriceBody:
        """Return one estimate."""
        return await self._http.call(self.API_NAME, request, PriceBody)
