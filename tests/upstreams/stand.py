"""A server beside the way to it: a client talks to both, and what it sees has to be the same.

Between the client and the server stands the gateway, with the server as a bundle that speaks MCP; and before the server
a recorder of what is sent to it. AXHUB_UPSTREAMS_THROUGH=direct leaves the gateway out: then the tests compare a server
with itself, which shows that a difference found otherwise is not the server's own.
"""

import json
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from support.process import declared, mcp, write_config
from tools.conformance.servers import await_tools, axhub_command, free_port, process
from upstreams.kinds import Kind, Server, running
from upstreams.recording import Recorder, recording

GATEWAY, DIRECT = "gateway", "direct"
THROUGH: Final = os.environ.get("AXHUB_UPSTREAMS_THROUGH", GATEWAY)
BUNDLE: Final = "upstream"


@dataclass(frozen=True)
class Stand:
    """A running server, and the way to it that is looked at."""

    server: Server
    recorder: Recorder
    url: str
    """Where the client goes: the gateway, or the recorder."""

    @property
    def kind(self) -> Kind:
        """What kind of server it is."""
        return self.server.kind

    @property
    def port(self) -> int:
        """The port of `url`."""
        return int(self.url.split(":")[2].split("/", maxsplit=1)[0])

    def era(self, wanted: str) -> str:
        """Return the era of the client on this way: the wanted one, if whoever answers there speaks it."""
        return wanted if THROUGH == GATEWAY or wanted in self.kind.eras else self.kind.spoken

    def direct_era(self, wanted: str) -> str:
        """Return the era in which the server itself is asked: that in which the gateway asks it."""
        return self.kind.spoken if THROUGH == GATEWAY else self.era(wanted)


@contextmanager
def standing(kind: Kind, folder: Path) -> Iterator[Stand]:
    """Run a server of this kind, and what stands before it, until the block ends."""
    with ExitStack() as stack:
        server = stack.enter_context(running(kind, folder))
        recorder = stack.enter_context(recording(server.port))
        url = stack.enter_context(_gateway(recorder.url, folder)) if THROUGH == GATEWAY else recorder.url
        yield Stand(server, recorder, url)


@contextmanager
def _gateway(upstream: str, folder: Path) -> Iterator[str]:
    """Run a gateway whose only bundle is the server at this endpoint; begin when it lists tools."""
    port, management, log = free_port(), free_port(), folder / "gateway.log"
    config = write_config(folder, mcp(declared(BUNDLE, upstream, protocol="mcp")))
    ports = ["--port", str(port), "--management-port", str(management)]
    with process(axhub_command(config) + ports, log) as gateway:
        await_tools(port, gateway, log)
        yield f"http://127.0.0.1:{port}/mcp"
    assert not [line for line in log.read_text(encoding="utf-8").splitlines() if not _is_event(line)]


def _is_event(line: str) -> bool:
    try:
        return "event" in json.loads(line)
    except (ValueError, TypeError):
        return False
