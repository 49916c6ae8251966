"""The gateway in the test's own process, behind either front, with a real Tool Service behind it."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from axhub.contract.endpoints import EndpointPolicy, parse_url
from axhub.gateway.adapters.clock import SystemClock
from axhub.gateway.adapters.http1.server import Http1Server, ServerLimits
from axhub.gateway.adapters.log import JsonLog
from axhub.gateway.adapters.mcp import wire as mcp_wire
from axhub.gateway.config.settings import BundleSettings, DiscoverySettings, RegistrySettings, Settings
from axhub.gateway.main import Gateway, wire
from support.asgi_server import on_loopback
from support.http import Lines, Response, exchange, render

Front = Literal["http1", "asgi"]
FRONTS: tuple[Front, ...] = ("http1", "asgi")
NEW = "2026-07-28"
HANDSHAKE = ("2025-03-26", "2025-06-18", "2025-11-25")
REVISIONS = (*HANDSHAKE, NEW)
CONTENT_TYPE = (b"Content-Type", b"application/json")
_META = "io.modelcontextprotocol/"


def bundle(manifest_url: str, bundle_id: str = "ins", **fields: Any) -> BundleSettings:
    """Return the settings of a bundle whose own origin is that of its manifest."""
    manifest = parse_url(manifest_url)
    service = replace(manifest, target=b"/")
    policy = EndpointPolicy(
        service_domain=service, base_endpoint=None, declared=frozenset({manifest.origin}), any_origin=False
    )
    defaults = {"authorization_origins": frozenset({manifest.origin}), "endpoints": policy}
    return BundleSettings(id=bundle_id, manifest=manifest, **{**defaults, **fields})


def settings(*bundles: BundleSettings, **fields: Any) -> Settings:
    """Return settings with a refresh that only comes when it is asked for, and much time to connect."""
    registry = RegistrySettings(refresh_interval_seconds=3600, recheck_min_interval_millis=50)
    discovery = DiscoverySettings(connect_timeout_millis=20_000)
    said = {"identity": "mcp-test", "bundles": bundles, "registry": registry, "discovery": discovery, **fields}
    return Settings(**said)


class Asking:
    """Sends requests as MCP clients do; who inherits from it says where to, and reads the answer."""

    async def post(self, body: bytes, headers: Lines = ()) -> Response:
        """Send one body, as JSON unless a content type is given, and return its answer."""
        raise NotImplementedError

    async def rpc(
        self, method: str, params: Mapping[str, Any] | None = None, *, revision: str = "2025-11-25", headers: Lines = ()
    ) -> Response:
        """Send one request as a client of `revision` would."""
        body, lines = request(method, params, revision=revision)
        return await self.post(body, (*lines, *headers))

    async def call(
        self, name: str, arguments: bytes = b"{}", *, revision: str = "2025-11-25", headers: Lines = ()
    ) -> Response:
        """Call a tool with these argument bytes."""
        body, lines = call_request(name, arguments, revision=revision)
        return await self.post(body, (*lines, *headers))


@dataclass
class RunningGateway(Asking):
    """A gateway that answers on `port`."""

    gateway: Gateway
    port: int
    log_lines: list[bytes] = field(default_factory=list)

    async def post(
        self, body: bytes, headers: Lines = (), *, method: bytes = b"POST", path: bytes = b"/mcp"
    ) -> Response:
        """Send one body; JSON is its content type unless another is given."""
        typed = any(name.lower() == b"content-type" for name, _ in headers)
        lines = headers if typed else (CONTENT_TYPE, *headers)
        return await exchange(self.port, render(body, lines, method=method, path=path))

    @property
    def log(self) -> list[dict[str, Any]]:
        """The log so far, a document a line."""
        return [json.loads(line) for line in self.log_lines]


def request(
    method: str, params: Mapping[str, Any] | None = None, *, revision: str = "2025-11-25"
) -> tuple[bytes, Lines]:
    """Return body and headers of a request as a client of `revision` sends it."""
    shown = dict(params or {})
    if revision == NEW:
        meta = {f"{_META}protocolVersion": NEW, f"{_META}clientCapabilities": {}}
        shown["_meta"] = {**meta, **shown.get("_meta", {})}
    body = json.dumps({"jsonrpc": "2.0", "id": 7, "method": method, "params": shown}, ensure_ascii=False).encode()
    return body, _headers(method, shown.get("name"), revision)


def call_request(name: str, arguments: bytes, *, revision: str = "2025-11-25") -> tuple[bytes, Lines]:
    """Return body and headers of a `tools/call` whose arguments are exactly these bytes."""
    marker = "@arguments@"
    body, lines = request("tools/call", {"name": name, "arguments": marker}, revision=revision)
    return body.replace(json.dumps(marker).encode(), arguments), lines


def _headers(method: str, name: object, revision: str) -> Lines:
    accept = (b"Accept", b"application/json, text/event-stream")
    if revision == "2025-03-26":
        return (accept,)
    lines = [accept, (b"MCP-Protocol-Version", revision.encode())]
    if revision == NEW:
        lines.append((b"Mcp-Method", method.encode()))
        if isinstance(name, str):
            lines.append((b"Mcp-Name", name.encode()))
    return lines


@asynccontextmanager
async def running(
    configured: Settings,
    front: Front = "http1",
    limits: ServerLimits | None = None,
    *,
    port: int = 0,
    wait: bool = True,
) -> AsyncIterator[RunningGateway]:
    """Run a gateway on `port` (0: any); `wait` until its first refresh is over."""
    lines: list[bytes] = []
    clock = SystemClock()
    gateway = wire(configured, JsonLog(lines.append, clock), clock)
    serve = _http1(gateway, limits, port) if front == "http1" else on_loopback(gateway.asgi(), lifespan="on")
    async with serve as bound:
        if wait:
            await first_attempt(gateway)
        yield RunningGateway(gateway, bound, lines)


async def first_attempt(gateway: Gateway) -> None:
    """Wait until the first refresh is over."""
    async with asyncio.timeout(10):
        while not gateway.refresh.first_attempt_over:  # noqa: ASYNC110 -- the product offers a flag, as it should
            await asyncio.sleep(0.002)


@asynccontextmanager
async def _http1(gateway: Gateway, limits: ServerLimits | None, port: int) -> AsyncIterator[int]:
    size = gateway.settings.max_request_bytes
    chosen = limits or ServerLimits(max_body_bytes=size, max_connections=gateway.settings.max_connections)
    server = Http1Server(gateway.endpoint, mcp_wire.refuse, chosen, gateway.clock)
    await server.start("127.0.0.1", port)
    try:
        async with gateway.refreshing():
            yield server.port
    finally:
        await server.close()


def manifest(bundle_id: str, tools: Sequence[Mapping[str, Any]], **more: Any) -> bytes:
    """Return a manifest document."""
    return json.dumps({"bundleId": bundle_id, "tools": tools, **more}, ensure_ascii=False).encode()


def tool(name: str, **members: Any) -> dict[str, Any]:
    """Return a manifest's tool with everything that is required, its endpoint `/tools/NAME`."""
    return {
        "name": name,
        "description": f"{name}: 청구를 조회합니다",
        "inputSchema": {"type": "object"},
        "endpoint": f"/tools/{name}",
        "_meta": {"version": "1.0.0", "timeoutMillis": 20_000},
        **members,
    }
