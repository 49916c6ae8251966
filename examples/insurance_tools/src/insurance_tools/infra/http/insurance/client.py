"""Calls the contract system, whatever it is asked: its one address takes several questions."""

from typing import TypeVar

from axhub.toolkit import HttpBody, HttpClient

A = TypeVar("A", bound=HttpBody)


class InsuranceClient:
    """The contract system."""

    API_NAME = "insurance"

    def __init__(self, http: HttpClient) -> None:
        self._http = http

    async def call(self, request: HttpBody, response_type: type[A]) -> A:
        """Send one question and return its answer."""
        return await self._http.call(self.API_NAME, request, response_type)
