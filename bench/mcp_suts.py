"""The systems under test with an MCP server behind them: our gateway, fastmcp's proxy, and nothing in the middle."""

import sys
from collections.abc import Callable
from pathlib import Path

from bench import inputs
from bench.inputs import LEGACY, MODERN
from bench.servers import Server, free_port
from bench.suts import HERE, OURS, OURS_MODERN, Contestant, axhub_program, peer_python

FASTMCP, FASTMCP_MODERN = "fastmcp proxy", f"fastmcp proxy, {MODERN} wire"
DIRECT, DIRECT_MODERN = "no middle", f"no middle, {MODERN} wire"
PEERS_OF = {OURS: (FASTMCP, DIRECT), OURS_MODERN: (FASTMCP_MODERN, DIRECT_MODERN)}
"""The other's name on the same wire, and that of the server without anybody before it."""
GATEWAY = """mcp:
  identity: bench
  bundles:
    - id: {bundle}
      protocol: mcp
      manifestUrl: {url}
"""


class McpField:
    """Makes the contestants; their files lie in one folder, all ports are free ones."""

    def __init__(self, folder: Path, tools: int) -> None:
        self._folder = folder
        self._tools = tools
        self._port = free_port()

    @property
    def _url(self) -> str:
        return f"http://127.0.0.1:{self._port}/mcp"

    def upstream(self) -> Server:
        """Return the MCP server behind all."""
        command = (sys.executable, str(HERE / "peers" / "mcp_upstream.py"))
        environment = {"PORT": str(self._port), "TOOLS": str(self._tools)}
        return Server("mcp_upstream", command, self._port, inputs.list_request(LEGACY), environment)

    def contestants(self) -> list[tuple[str, Callable[[], Contestant]]]:
        """Return name and maker of each contestant; a maker may raise NotRunning."""
        return [
            (DIRECT, lambda: _contestant(DIRECT, self.upstream(), LEGACY)),
            (DIRECT_MODERN, lambda: _contestant(DIRECT_MODERN, self.upstream(), MODERN)),
            (OURS, lambda: _contestant(OURS, self.gateway(), LEGACY)),
            (OURS_MODERN, lambda: _contestant(OURS_MODERN, self.gateway(), MODERN)),
            (FASTMCP, lambda: _contestant(FASTMCP, self._fastmcp(), LEGACY)),
            (FASTMCP_MODERN, lambda: _contestant(FASTMCP_MODERN, self._fastmcp(), MODERN)),
        ]

    def gateway(self) -> Server:
        """Return our gateway as an operator would run it, with the server as its only bundle."""
        config = self._folder / "gateway_mcp.yaml"
        config.write_text(GATEWAY.format(bundle=inputs.BUNDLE, url=self._url), encoding="utf-8")
        port, management = free_port(), free_port()
        flags = ("--port", str(port), "--management-port", str(management), "--log-format", "json")
        command = (axhub_program(), "gateway", "--config", str(config), *flags)
        return Server("axhub_mcp", command, port, inputs.list_request(LEGACY), management_port=management)

    def _fastmcp(self) -> Server:
        port = free_port()
        command = (str(peer_python("fastmcp-proxy")), str(HERE / "peers" / "fastmcp_proxy.py"))
        environment = {"PORT": str(port), "UPSTREAM": self._url}
        return Server("fastmcp_proxy", command, port, inputs.list_request(LEGACY), environment)


def _contestant(name: str, server: Server, wire: str) -> Contestant:
    return Contestant(name, server, inputs.call_request(wire), inputs.list_request(wire))
