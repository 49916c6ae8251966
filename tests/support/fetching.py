"""The gateway's own client, as the source of manifests uses it."""

from axhub.contract.endpoints import Origin
from axhub.gateway.adapters.clock import SystemClock
from axhub.gateway.adapters.http1.client import Http1Client
from axhub.gateway.ports import UpstreamAnswer


async def fetch(origin: Origin, head: bytes, seconds: float, max_bytes: int) -> UpstreamAnswer:
    """Fetch once with a client of its own."""
    client = Http1Client({}, connect_timeout=seconds, max_response_bytes=max_bytes, tls=None, clock=SystemClock())
    try:
        return await client.fetch(origin, head, seconds, max_bytes)
    finally:
        await client.close()
