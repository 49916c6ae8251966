"""The HTTP/1.1 client of Tool Services: a pool a bundle, no resend, no redirects, no cookies (gateway/X4 to X11)."""

import asyncio
import ssl
from collections.abc import Mapping
from dataclasses import replace
from typing import Final, cast

from axhub.contract.endpoints import Origin
from axhub.gateway.adapters.http1.client_connection import ClientConnection, OnEvent
from axhub.gateway.adapters.http1.deadlines import Deadlines
from axhub.gateway.adapters.http1.limits import BundleLimits, PoolUsage
from axhub.gateway.adapters.http1.pool import BundlePool, Call, Connector, OnDone
from axhub.gateway.ports import Cancel, Clock, Failure, UpstreamAnswer, UpstreamRequest

__all__ = ("BundleLimits", "Http1Client", "PoolUsage")

TRIAL_SECONDS: Final = 0.1
"""A service that sends more than its answers mostly does so at once; by then its first connection has shown it."""


class Http1Client:
    """Implements the port `Upstream`. Made inside a loop.

    `connect_timeout` is in seconds and bounds resolving, connecting and the TLS handshake. Without `tls`, https
    origins are verified against the system's certificate authorities.
    """

    def __init__(
        self,
        bundles: Mapping[str, BundleLimits],
        connect_timeout: float,
        max_response_bytes: int,
        tls: ssl.SSLContext | None,
        clock: Clock,
        trial_seconds: float = TRIAL_SECONDS,
    ) -> None:
        self._deadlines = Deadlines(asyncio.get_running_loop(), clock.monotonic)
        self._connector = Connector(self._deadlines, tls, connect_timeout, max_response_bytes, trial_seconds)
        self._pools = {bundle: BundlePool(self._connector, limits) for bundle, limits in bundles.items()}

    def send(self, request: UpstreamRequest, on_done: OnDone, on_event: OnEvent | None = None) -> Cancel:
        """Start a request as the port says; KeyError for a bundle that is not declared."""
        return self._pools[request.bundle].send(request, on_done, on_event)

    async def fetch(
        self,
        endpoint_origin: Origin,
        head: bytes,
        timeout: float,
        max_bytes: int,
        body: bytes = b"",
        on_event: OnEvent | None = None,
    ) -> UpstreamAnswer:
        """Send a request on a connection of its own that is closed after it; one deadline for everything.

        Without a `body` it is one that has none, such as a GET. `on_event` is as in `send`.
        """
        done: asyncio.Future[UpstreamAnswer] = self._deadlines.loop.create_future()

        def settle(answer: UpstreamAnswer) -> None:
            if not done.done():
                done.set_result(answer)

        connector = replace(self._connector, max_bytes=max_bytes, trial_seconds=0.0)
        request = UpstreamRequest("", endpoint_origin, head, body, timeout)
        cancel = BundlePool(connector, BundleLimits(), once=True).send(request, settle, on_event)
        try:
            return await done
        finally:
            cancel()

    def usage(self) -> Mapping[str, PoolUsage]:
        """Return what each bundle occupies."""
        return {bundle: pool.usage() for bundle, pool in self._pools.items()}

    async def close(self) -> None:
        """Cancel every call and close every connection, those of fetches too."""
        for item in sorted(self._deadlines.items, key=lambda item: isinstance(item, ClientConnection)):
            if isinstance(item, ClientConnection):
                item.abort(Failure.CANCELLED)
            else:
                cast("Call", item).cancel()
        await asyncio.sleep(0)
        self._deadlines.stop()
