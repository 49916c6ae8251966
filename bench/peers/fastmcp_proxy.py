"""fastmcp's proxy before one MCP server, as its documentation makes one: stateless, JSON answers.

Runs in an environment of its own (bench/requirements/). Environment: PORT, UPSTREAM.
Its best honest set-up: uvloop and httptools under uvicorn, and the newest revision towards the server whatever the
caller speaks, which spares it the handshake that it would otherwise make for each call of an older caller.
"""

import os

import uvicorn
from fastmcp.server import create_proxy  # type: ignore[import-not-found]  # it is in the peer's environment only

if __name__ == "__main__":
    proxy = create_proxy(os.environ["UPSTREAM"], mode="2026-07-28", name="peer")
    uvicorn.run(
        proxy.http_app(path="/mcp", json_response=True, stateless_http=True),
        host="127.0.0.1",
        port=int(os.environ["PORT"]),
        log_level="warning",
        access_log=False,
        loop="uvloop",
        http="httptools",
    )
