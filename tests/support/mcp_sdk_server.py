"""The official SDK's own MCP server on a loopback port, in a thread: a server that is not ours for the client's tests.

with serving(example_server()) as server:
    server.url        # http://127.0.0.1:PORT/mcp
    server.requests   # [(headers, body), …] of every POST so far
"""

import asyncio
import contextlib
import socket
import threading
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from dataclasses import dataclass, field
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult, ImageContent, TextContent

from support.asgi_server import on_loopback

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Any, Receive, Send], Awaitable[None]]


@dataclass
class Running:
    """A server that answers."""

    url: str
    requests: list[tuple[dict[str, str], bytes]] = field(default_factory=list)

    def recording(self, app: App) -> App:
        """Wrap `app` so that every request's headers and body are kept."""

        async def recorded(scope: Any, receive: Receive, send: Send) -> None:
            body = b""

            async def keep() -> Message:
                nonlocal body
                message = await receive()
                if message["type"] == "http.request":
                    body += message.get("body", b"")
                    if not message.get("more_body", False):
                        headers = {name.decode("latin-1"): value.decode() for name, value in scope["headers"]}
                        self.requests.append((headers, body))
                return message

            await app(scope, keep, send)

        return recorded


@contextlib.contextmanager
def serving(app: App) -> Iterator[Running]:
    """Serve an ASGI app on a free loopback port until the block ends."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        running = Running(f"http://127.0.0.1:{listening.getsockname()[1]}/mcp")
        loop = asyncio.new_event_loop()
        over = asyncio.Event()

        async def serve() -> None:
            async with on_loopback(running.recording(app), sockets=[listening], lifespan="on", log_level="critical"):
                await over.wait()

        def run() -> None:
            with asyncio.Runner(loop_factory=lambda: loop) as runner:
                runner.run(serve())

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        try:
            yield running
        finally:
            loop.call_soon_threadsafe(over.set)
            thread.join(timeout=10)


def example_server() -> App:
    """Return a server with tools of every kind of answer."""
    server = MCPServer("표본 서버", version="1.2.3", log_level="CRITICAL")

    @server.tool(title="되울림", description="Echoes\nwhat it gets. 받은 글을 돌려줍니다.")
    def echo(text: str, times: int = 1) -> str:
        return text * times

    @server.tool(structured_output=True, description="Adds")
    def add(a: int, b: int) -> int:
        return a + b

    @server.tool(description="Fails in words")
    def fail() -> str:
        raise ToolError("계약번호가 없습니다.")

    @server.tool(description="Shows a picture", structured_output=False)
    def picture() -> CallToolResult:
        image = ImageContent(type="image", data="aGk=", mime_type="image/png")
        return CallToolResult(content=[TextContent(type="text", text="그림"), image])

    app: App = server.streamable_http_app(json_response=True, stateless_http=True)
    return app
