"""Calls the core system; where it is and how its telegrams get there stands in the configuration."""

from typing import TypeVar

from axhub.toolkit import MciClient
from axhub.toolkit.mci import Layout
from insurance_tools.infra.mci.cfpa.envelope import ENVELOPE

A = TypeVar("A", bound=Layout)


class CfpaClient:
    """The core system of contracts."""

    SYSTEM = "cfpa"

    def __init__(self, mci: MciClient) -> None:
        self._mci = mci

    async def call(self, request: Layout, response_type: type[A]) -> A:
        """Send one telegram and return its answer."""
        return await self._mci.call(self.SYSTEM, ENVELOPE, request, response_type)
