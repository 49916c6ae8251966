"""Event streams of an MCP server that end before the response, and what goes on after them (gateway/P11)."""

from collections.abc import Callable

from axhub.gateway.ports import Failure
from support.mcp_clients import FOUND, Attached
from support.mcp_hosts import Heard
from support.mcp_hosts_wire import event, response_to, stream
from support.tool_service import Answer
from support.wire import eventually

Says = Callable[[Heard], Answer]
BROKEN = (Failure.UNREACHABLE, True)


def place(event_id: bytes = b"e-1", retry: int | None = 100) -> bytes:
    """Return an event that says where the stream goes on, and when."""
    return b"id: %b\n%bdata:\n\n" % (event_id, b"" if retry is None else b"retry: %d\n" % retry)


def the_call(client: Attached) -> Heard:
    return client.host.of("tools/call")[0]


def rest(client: Attached) -> Says:
    """Return what answers a GET with the response to the call."""
    return lambda _get: stream(event(response_to(the_call(client), FOUND)))


async def waits(client: Attached) -> None:
    """Wait until the first call waits for the time to ask for its rest."""
    await client.host.hears("tools/call")
    await eventually(lambda: bool(client.calls.waiting) and client.client.usage()["mcp"].active == 0)
