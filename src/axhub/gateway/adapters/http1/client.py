"""The HTTP/1.1 client of Tool Services: a pool a bundle, no resend, no redirects, no cookies (gateway/X4 to X11)."""

import asyncio
import ssl
from collections.abc import Callable, Mapping
from typing import Final, cast

from axhub.contract.endpoints import Origin
from axhub.gateway.adapters.http1.client_connection import ClientConnection
from axhub.gateway.adapters.http1.deadlines import Deadlines
from axhub.gateway.adapters.http1.limits import BundleLimits, PoolUsage
from axhub.gateway.adapters.http1.pool import BundlePool, Call, Connector
from axhub.gateway.ports import Cancel, Clock, Failure, UpstreamAnswer, UpstreamRequest

__all__ = ("BundleLimits", "Http1Client", "PoolUsage")

_FETCH: Final = BundleLimits(max_concurrent=1, max_queued=0)


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
        self._tls = tls
        self._connect_timeout = connect_timeout
        connector = Connector(self._deadlines, tls, connect_timeout, max_response_bytes, trial_seconds)
        self._pools = {bundle: BundlePool(connector, limits) for bundle, limits in bundles.items()}

    def send(self, request: UpstreamRequest, on_done: Callable[[UpstreamAnswer], None]) -> Cancel:
        """Start a request as the port says; KeyError for a bundle that is not declared."""
        return self._pools[request.bundle].send(request, on_done)

    async def fetch(self, endpoint_origin: Origin, head: bytes, timeout: float, max_bytes: int) -> UpstreamAnswer:
        """Send `head` (a GET) on a connection of its own that is closed after it; one deadline for everything."""
        done: asyncio.Future[UpstreamAnswer] = self._deadlines.loop.create_future()

        def settle(answer: UpstreamAnswer) -> None:
            if not done.done():
                done.set_result(answer)

        connector = Connector(self._deadlines, self._tls, self._connect_timeout, max_bytes)
        request = UpstreamRequest("", endpoint_origin, head, b"", timeout)
        cancel = BundlePool(connector, _FETCH, once=True).send(request, settle)
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
