"""The gateway as the process that a deployment runs: `python -m axhub.cli.main gateway …`, its log, signals and end.

    async with gateway_process(tmp_path, mcp(declared("ins", service.url()))) as gateway:
        answer = await gateway.rpc("tools/list")
        gateway.signal(signal.SIGTERM)
        assert await gateway.exit_code() == 0

Ports are free ones that the gateway takes by itself. Whatever happens, the process is gone at the end of the block.
"""

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from prometheus_client.parser import text_string_to_metric_families

from support.gateway import CONTENT_TYPE, Asking
from support.http import Lines, Response, exchange, render

PATIENCE_SECONDS = 30.0
"""How long a test waits for an event before it fails; two busy cores are no reason to fail."""
_MOST_BYTES_OF_A_LINE = 1 << 16
_COMMAND = (sys.executable, "-m", "axhub.cli.main", "gateway")


def declared(bundle_id: str, manifest_url: str, **keys: Any) -> dict[str, Any]:
    """Return a bundle as a configuration declares it."""
    return {"id": bundle_id, "manifestUrl": manifest_url, **keys}


def mcp(*bundles: Mapping[str, Any], **keys: Any) -> dict[str, Any]:
    """Return what stands below `mcp:`; unless `registry` says otherwise, only a miss brings another refresh."""
    registry = {"refreshIntervalSeconds": 3600, "refreshJitterSeconds": 0, "recheckMinIntervalMillis": 50}
    return {"identity": "mcp-test", "registry": registry, "bundles": list(bundles), **keys}


def often(seconds: float = 0.1) -> dict[str, Any]:
    """Return the section `registry` of a gateway that refreshes every `seconds`."""
    return {"refreshIntervalSeconds": seconds, "refreshJitterSeconds": 0, "recheckMinIntervalMillis": 50}


def write_config(folder: Path, settings: Mapping[str, Any], name: str = "gateway.yaml") -> Path:
    """Put a configuration into a folder; JSON is YAML."""
    path = folder / name
    path.write_text(json.dumps({"mcp": settings}, ensure_ascii=False, indent=2), encoding="utf-8")
    return path


@dataclass
class Log:
    """What a process writes to stderr, line by line as it comes."""

    raw: bytearray = field(default_factory=bytearray)
    events: list[dict[str, Any]] = field(default_factory=list)
    other_lines: list[str] = field(default_factory=list)
    """Lines that are no JSON object: a message for a person, or a stack trace that nobody should ever see."""
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    reading: asyncio.Event = field(default_factory=asyncio.Event)
    """Cleared: nobody reads, and the pipe fills up."""
    ended: bool = False

    def named(self, name: str, **fields: Any) -> list[dict[str, Any]]:
        """Return the events so far with this name and these fields."""
        return [event for event in self.events if _matches(event, name, fields)]

    async def event(self, name: str, *, since: int = 0, **fields: Any) -> dict[str, Any]:
        """Wait for an event; `since` is how many had come before those that count (`len(log.events)`)."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                for event in self.events[since:]:
                    if _matches(event, name, fields):
                        return event
                assert not self.ended, f"the process ended without {name} {fields}: {self.raw.decode()}"
                self.changed.clear()
                await self.changed.wait()

    async def follow(self, stream: asyncio.StreamReader) -> None:
        """Take what comes until the end of the stream, while `reading` is set."""
        self.reading.set()
        while line := await stream.readline():
            await self.reading.wait()
            self.raw += line
            try:
                self.events.append(json.loads(line))
            except ValueError:
                if line.endswith(b"\n"):  # one that is cut at the end had no room in a pipe that nobody read
                    self.other_lines.append(line.decode(errors="replace"))
            self.changed.set()
        self.ended = True
        self.changed.set()


def _matches(event: Mapping[str, Any], name: str, fields: Mapping[str, Any]) -> bool:
    return event["event"] == name and all(event.get(key) == value for key, value in fields.items())


@dataclass
class GatewayProcess(Asking):
    """A gateway that has been started."""

    process: asyncio.subprocess.Process
    config: Path
    log: Log = field(default_factory=Log)
    port: int = 0
    management_port: int = 0

    @property
    def pid(self) -> int:
        """Its process id."""
        return self.process.pid

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal."""
        self.process.send_signal(number)

    async def exit_code(self) -> int:
        """Wait for its end."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            return await self.process.wait()

    async def listening(self) -> None:
        """Wait until both ports are open."""
        event = await self.log.event("listening")
        self.port, self.management_port = event["port"], event["managementPort"]

    async def ready(self) -> None:
        """Wait until readiness is UP."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while (await self.get("/actuator/health/readiness")).status != 200:  # noqa: ASYNC110 -- as a prober does
                await asyncio.sleep(0.01)

    async def get(self, path: str) -> Response:
        """Ask the management port."""
        return await exchange(self.management_port, render(b"", method=b"GET", path=path.encode()))

    async def status(self) -> dict[str, Any]:
        """Return `/actuator/toolBundles` with the bundles by id."""
        document = (await self.get("/actuator/toolBundles")).json
        return {"snapshot": document["snapshot"], **{entry["id"]: entry for entry in document["bundles"]}}

    async def metrics(self) -> dict[str, float]:
        """Return all samples by name and labels as they are written."""
        text = (await self.get("/actuator/prometheus")).body.decode()
        assert list(text_string_to_metric_families(text))  # the official parser reads all of it, or raises
        samples = (line.rpartition(" ") for line in text.splitlines() if not line.startswith("#"))
        return {name: float(value) for name, _, value in samples}

    async def post(self, body: bytes, headers: Lines = ()) -> Response:
        """Send one body to the MCP port."""
        return await exchange(self.port, render(body, (CONTENT_TYPE, *headers)))

    def memory(self) -> int:
        """Return the resident memory of the process in bytes."""
        pages = int(Path(f"/proc/{self.pid}/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    def cpu_seconds(self) -> float:
        """Return how much processor time the process has used."""
        threads = Path(f"/proc/{self.pid}/task").glob("*/schedstat")
        return sum(int(thread.read_text(encoding="ascii").split()[0]) for thread in threads) / 1e9


@asynccontextmanager
async def gateway_process(
    folder: Path,
    settings: Mapping[str, Any],
    *,
    flags: Sequence[str] = (),
    environ: Mapping[str, str] | None = None,
    launcher: Sequence[str] = (),
    wait_ready: bool = True,
) -> AsyncIterator[GatewayProcess]:
    """Run a gateway with these settings; the block begins when it is ready, or only listens.

    `launcher` is a command that runs the command behind it.
    """
    config = write_config(folder, settings)
    process = await _start(config, flags or ("--port", "0", "--management-port", "0"), environ, launcher)
    gateway = GatewayProcess(process, config)
    assert process.stderr is not None
    following = asyncio.create_task(gateway.log.follow(process.stderr))
    try:
        await gateway.listening()
        if wait_ready:
            await gateway.ready()
        yield gateway
    finally:
        gateway.log.reading.set()
        await _end(process)
        await following
    assert gateway.log.other_lines == []  # whatever happened: no stack trace, nothing but the log


@dataclass(frozen=True)
class Ended:
    """A process that came to its end by itself."""

    code: int
    stdout: str
    stderr: str


async def run_to_end(config: Path, *flags: str, environ: Mapping[str, str] | None = None) -> Ended:
    """Start a gateway that is expected to end by itself."""
    process = await _start(config, flags, environ, ())
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            stdout, stderr = await process.communicate()
    finally:
        await _end(process)
    return Ended(process.returncode or 0, stdout.decode(), stderr.decode())


async def _start(
    config: Path, flags: Sequence[str], environ: Mapping[str, str] | None, launcher: Sequence[str]
) -> asyncio.subprocess.Process:
    ours = {name: value for name, value in os.environ.items() if not name.startswith("AXHUB_")}
    return await asyncio.create_subprocess_exec(
        *(*launcher, *_COMMAND, "--config", str(config), "--log-format", "json", *flags),
        env={**ours, **(environ or {})},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        limit=_MOST_BYTES_OF_A_LINE,
    )


async def _end(process: asyncio.subprocess.Process) -> None:
    """End a process that still runs: by a request first, so that it can say what it measured; by force after it."""
    for number in (signal.SIGTERM, signal.SIGTERM, signal.SIGKILL):
        if process.returncode is not None:
            return
        process.send_signal(number)
        try:
            async with asyncio.timeout(3):
                await process.wait()
        except TimeoutError:
            continue
