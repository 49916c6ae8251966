"""Starts what the suite is run against: the gateway with one of the two fixtures behind it, or one fixture alone."""

import http.client
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tools.conformance.fixture_tools import BUNDLE

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
START_SECONDS = 30.0
TOOL_SERVICE, MCP, SDK = "tool-service", "mcp", "sdk"
"""What stands behind the gateway: a Tool Service over plain HTTP, or an MCP server; or that MCP server, alone."""
UPSTREAMS = (TOOL_SERVICE, MCP, SDK)
BUNDLES: Mapping[str, str] = {
    TOOL_SERVICE: "manifestUrl: http://127.0.0.1:{port}/manifest",
    MCP: "protocol: mcp\n      manifestUrl: http://127.0.0.1:{port}/mcp",
}
CONFIG = """mcp:
  identity: conformance
  registry: {{refreshIntervalSeconds: 0.5, refreshJitterSeconds: 0}}
  bundles:
    - id: {bundle}
      {address}
"""


class CannotRun(Exception):  # noqa: N818 - a state of this machine that is reported, not a fault of ours
    """The suite cannot run here; the message is one sentence for a person."""


def configuration(upstream: str, port: int) -> str:
    """Return the gateway's configuration with that upstream on a port."""
    return CONFIG.format(bundle=BUNDLE, address=BUNDLES[upstream].format(port=port))


@contextmanager
def serving(upstream: str, logs: Path) -> Iterator[str]:
    """Run what the suite is to be run against; give its URL once it lists tools. Its output lies in `logs`.

    Raises:
        CannotRun: something did not come up.
    """
    logs.mkdir(parents=True, exist_ok=True)
    fixture, port, management = free_port(), free_port(), free_port()
    with ExitStack() as stack:
        server = stack.enter_context(process(_fixture_command(upstream, fixture), logs / "fixture.log"))
        await_port(fixture, server, logs / "fixture.log")
        if upstream == SDK:
            yield f"http://127.0.0.1:{fixture}/mcp"
            return
        config = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "gateway.yaml"
        config.write_text(configuration(upstream, fixture), encoding="utf-8")
        ports = ["--port", str(port), "--management-port", str(management)]
        gateway = stack.enter_context(process(axhub_command(config) + ports, logs / "gateway.log"))
        await_tools(port, gateway, logs / "gateway.log")
        yield f"http://127.0.0.1:{port}/mcp"


def axhub_command(config: Path) -> list[str]:
    """Return how a gateway with that configuration is started; its log is JSON."""
    axhub = str(Path(sys.executable).parent / "axhub")
    return [axhub, "gateway", "--config", str(config), "--profile", "local", "--log-format", "json"]


def _fixture_command(upstream: str, port: int) -> list[str]:
    if upstream == TOOL_SERVICE:
        app = ["tools.conformance.fixture_tools:app", "--app-dir", str(ROOT)]
        return [sys.executable, "-m", "uvicorn", *app, "--port", str(port)]
    return [sys.executable, str(HERE / "fixture_server.py"), str(port)]


def free_port() -> int:
    """Return a loopback port that nothing listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def process(command: list[str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run a server with its output in a file; end it afterwards."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("AXHUB_")}
    with log.open("wb") as output:
        server = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, env=environment)
        try:
            yield server
        finally:
            server.terminate()
            try:
                server.wait(10)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


def await_port(port: int, server: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until a server listens.

    Raises:
        CannotRun: it ended or took too long.
    """
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and server.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise CannotRun(f"The fixture did not come up; its output is in {log}.")


def await_tools(port: int, server: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until the gateway lists tools.

    Raises:
        CannotRun: it ended or took too long.
    """
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}})
    headers = {
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": "2025-11-25",
    }
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and server.poll() is None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
        try:
            connection.request("POST", "/mcp", body, headers)
            if connection.getresponse().status == http.HTTPStatus.OK:
                return
        except (OSError, http.client.HTTPException):
            pass  # not yet listening
        finally:
            connection.close()
        time.sleep(0.1)
    raise CannotRun(f"The gateway did not come up; its output is in {log}.")
