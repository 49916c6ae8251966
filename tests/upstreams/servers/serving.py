"""Serves an ASGI app on a loopback port and says on standard output which one."""

import argparse
import asyncio
import json
import socket
import sys
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import uvicorn

MODERN = b"2026-07-28"
Message = MutableMapping[str, Any]
App = Callable[[Any, Callable[[], Awaitable[Message]], Callable[[Message], Awaitable[None]]], Awaitable[None]]


def options() -> argparse.Namespace:
    """Read the command line that all servers share."""
    parser = argparse.ArgumentParser()
    parser.add_argument("port", type=int, help="0: any")
    parser.add_argument("--stateless", action="store_true", help="no sessions in the initialize era")
    parser.add_argument("--json", action="store_true", help="answer with JSON, not with SSE")
    parser.add_argument("--old", action="store_true", help="know the initialize era only, as servers did before 2026")
    return parser.parse_args()


def serve(app: App, said: argparse.Namespace) -> None:
    """Serve until the process is ended."""
    # With its protocol named, or asyncio would not spare its connections the wait for an acknowledgement.
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(("127.0.0.1", said.port))
        served = only_old(app) if said.old else app
        config = uvicorn.Config(
            served, log_level="warning", access_log=False, timeout_graceful_shutdown=1, lifespan="on", http="h11"
        )
        server = uvicorn.Server(config)

        async def run() -> None:
            serving = asyncio.create_task(server.serve(sockets=[listening]))
            while not server.started and not serving.done():  # noqa: ASYNC110 - uvicorn has no event for it
                await asyncio.sleep(0.01)
            sys.stdout.write(f"listening {listening.getsockname()[1]}\n")
            sys.stdout.flush()
            await serving

        asyncio.run(run())


def only_old(app: App) -> App:
    """Refuse what speaks 2026-07-28 in the words of an SDK that does not know it."""
    error = {"code": -32600, "message": f"Bad Request: Unsupported protocol version: {MODERN.decode()}."}
    body = json.dumps({"jsonrpc": "2.0", "id": "server-error", "error": error}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]

    async def refusing(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http" or (b"mcp-protocol-version", MODERN) not in scope["headers"]:
            await app(scope, receive, send)
            return
        await send({"type": "http.response.start", "status": 400, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    return refusing
