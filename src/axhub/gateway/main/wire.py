"""The gateway put together from settings; with `process`, the only place that builds adapters (0-architecture)."""

import asyncio
import os
import ssl
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from axhub import __version__
from axhub.contract.manifest import Manifest
from axhub.gateway.adapters.asgi.app import AsgiApp
from axhub.gateway.adapters.cache_memory import MemoryManifestCache
from axhub.gateway.adapters.clock import SystemClock
from axhub.gateway.adapters.exposition.render import render
from axhub.gateway.adapters.exposition.sources import GaugeSources
from axhub.gateway.adapters.http1.client import BundleLimits, Http1Client
from axhub.gateway.adapters.log import JsonLog, TextLog
from axhub.gateway.adapters.management_http import Info, ManagementHandler, StatusSources
from axhub.gateway.adapters.manifest_file import FileManifestSource
from axhub.gateway.adapters.mcp import wire as mcp_wire
from axhub.gateway.adapters.mcp.door import Door
from axhub.gateway.adapters.mcp.endpoint import McpEndpoint
from axhub.gateway.adapters.mcp.projection import ServerFacts
from axhub.gateway.adapters.mcp.subscriptions import Subscriptions
from axhub.gateway.adapters.metrics import Metrics
from axhub.gateway.adapters.process_use import ProcFiles
from axhub.gateway.config.files import tls_context
from axhub.gateway.config.settings import BundleSettings, Settings
from axhub.gateway.domain.call import ForwardedHeaders
from axhub.gateway.domain.catalogue import Snapshot
from axhub.gateway.domain.route import CallRules
from axhub.gateway.main.mcp_servers import McpServers, manifests, mcp_servers
from axhub.gateway.ports import Clock, ManifestSource, Severity
from axhub.gateway.usecases.call_tool import CallTool
from axhub.gateway.usecases.local_catalogue import LocalCatalogue
from axhub.gateway.usecases.refresh_catalogue import PulledBundle, RefreshCatalogue, Schedule
from axhub.gateway.usecases.report_status import not_ready

Log = JsonLog | TextLog

_LOOPBACK: Final = frozenset({"127.0.0.1", "::1", "localhost"})


@dataclass(kw_only=True)
class Gateway:
    """One wired gateway: what a front, the management port and the process need of it."""

    settings: Settings
    log: Log
    clock: Clock
    client: Http1Client
    metrics: Metrics
    refresh: RefreshCatalogue | LocalCatalogue
    endpoint: McpEndpoint
    call_tool: CallTool
    mcp: McpServers
    draining: bool = False
    connections: Callable[[], int] = field(default=lambda: 0)
    dropped_lines: Callable[[], int] = field(default=lambda: 0)
    failed_log_writes: Callable[[], int] = field(default=lambda: 0)
    process_use: ProcFiles = field(default_factory=ProcFiles)

    def management(self) -> ManagementHandler:
        """Return the handler of the management port (gateway/M1-M3)."""
        info = Info(name="axhub", version=__version__, identity=self.settings.identity)
        return ManagementHandler(
            info,
            StatusSources(
                bundles=self.refresh.bundles,
                snapshot=lambda: self.refresh.snapshot,
                snapshot_stale=lambda: self.refresh.stale_snapshot,
                first_attempt_over=lambda: self.refresh.first_attempt_over,
                draining=lambda: self.draining,
                metrics=self._render_metrics,
            ),
        )

    @asynccontextmanager
    async def refreshing(self) -> AsyncIterator[None]:
        """Keep the catalogue fresh inside; end subscriptions and close the connections to Tool Services at the end."""
        try:
            async with self.mcp.attended():
                keeping_alive = asyncio.create_task(self.endpoint.subscriptions.keep_alive(), name="keep-alive")
                task = asyncio.create_task(self.refresh.run(), name="refresh schedule")
                task.add_done_callback(self._tell_end)
                try:
                    yield
                finally:  # before MCP servers are told that it is over: calls and pulls would open sessions after that
                    self.mcp.calls.close()  # and before the connections, which calls that wait do not hold
                    self.endpoint.subscriptions.close()
                    keeping_alive.cancel()
                    task.cancel()
                    await asyncio.gather(task, keeping_alive, return_exceptions=True)
        finally:
            await self.client.close()

    def _tell_end(self, refreshing: asyncio.Task[None]) -> None:
        """Tell of a schedule that ended by itself: it restarts after faults, so this is the last thing to be seen."""
        if not refreshing.cancelled():
            error = refreshing.exception()
            self.log.event(Severity.ERROR, "refresh_ended", error=None if error is None else type(error).__name__)

    def asgi(self) -> AsgiApp:
        """Return the MCP endpoint as an ASGI app whose lifespan keeps the catalogue fresh."""
        return AsgiApp(
            self.endpoint,
            mcp_wire.refuse,
            max_request_bytes=self.settings.max_request_bytes,
            lifespan=self.refreshing,
        )

    def _is_ready(self) -> bool:
        over, has_snapshot = self.refresh.first_attempt_over, self.refresh.snapshot is not None
        return not_ready(draining=self.draining, first_attempt_over=over, has_snapshot=has_snapshot) is None

    def _render_metrics(self) -> bytes:
        sources = GaugeSources(
            version=__version__,
            now=self.clock.now,
            ready=self._is_ready,
            bundles=self.refresh.bundles,
            snapshot=lambda: self.refresh.snapshot,
            snapshot_stale=lambda: self.refresh.stale_snapshot,
            calls_in_flight=lambda: self.call_tool.in_flight,
            pools=self.client.usage,
            connections=self.connections,
            subscriptions=lambda: len(self.endpoint.subscriptions),
            process=self.process_use.read,
            log_lines_dropped=self.dropped_lines,
            log_write_failures=self.failed_log_writes,
        )
        return render(self.metrics, sources)


def wire(settings: Settings, log: Log, clock: Clock | None = None, local: Manifest | None = None) -> Gateway:
    """Build a gateway; nothing is contacted before its `refreshing` is entered.

    `local` is the checked manifest of `registry.localFile`, set exactly when discovery is off (gateway/C3).
    """
    clock = clock or SystemClock()
    client = _client(settings, clock)
    metrics = Metrics()

    mcp = mcp_servers(
        settings.bundles,
        settings.identity,
        client,
        clock,
        _random,
        lambda bundle_id: refresh.changed(bundle_id),  # noqa: PLW0108 -- `refresh` is built last
        settings.discovery,
    )
    call_tool = _call_tool(settings, client, mcp, metrics, log, clock, lambda: refresh.recheck())  # noqa: PLW0108 -- as above
    endpoint = _endpoint(settings, call_tool, clock)

    def publish(snapshot: Snapshot) -> None:
        metrics.bind(snapshot.by_name)
        endpoint.publish(snapshot)

    refresh: RefreshCatalogue | LocalCatalogue
    if local is not None:
        refresh = LocalCatalogue(local, [bundle.id for bundle in settings.bundles], clock=clock, publish=publish)
    else:
        source = manifests(settings.bundles, mcp.servers, client, clock, settings.discovery)
        refresh = _refresh(settings, source, metrics, log, clock, publish)
    return Gateway(
        settings=settings,
        log=log,
        clock=clock,
        client=client,
        metrics=metrics,
        refresh=refresh,
        endpoint=endpoint,
        call_tool=call_tool,
        mcp=mcp,
    )


def _call_tool(
    settings: Settings,
    client: Http1Client,
    mcp: McpServers,
    metrics: Metrics,
    log: Log,
    clock: Clock,
    recheck: Callable[[], Coroutine[Any, Any, None]],
) -> CallTool:
    return CallTool(
        upstream=client,
        mcp_upstream=mcp.calls,
        rules={bundle.id: _call_rules(bundle) for bundle in settings.bundles},
        forwarded_headers=ForwardedHeaders(settings.extra_forward_headers),
        recheck=recheck,
        count=metrics.call_ended,
        log_call=log.call_ended,
        log=log,
        clock=clock,
        new_error_id=lambda: os.urandom(8).hex(),
        max_in_flight=settings.max_in_flight_calls,
    )


def _client(settings: Settings, clock: Clock) -> Http1Client:
    return Http1Client(
        bundles={
            bundle.id: BundleLimits(
                max_concurrent=bundle.max_concurrent_calls,
                max_queued=bundle.max_queued_calls,
                idle_seconds=bundle.idle_connection_seconds,
            )
            for bundle in settings.bundles
        },
        connect_timeout=settings.discovery.connect_timeout_millis / 1000,
        max_response_bytes=settings.max_response_bytes,
        tls=_tls(settings),
        clock=clock,
    )


def _tls(settings: Settings) -> ssl.SSLContext | None:
    """Return how Tool Services with https are spoken to: verified always, with our certificate if there is one.

    Loading the trusted certificates costs megabytes, so a deployment that declares no https origin goes without.
    """
    policies = [bundle.endpoints for bundle in settings.bundles]
    if not any(policy.any_origin or "https" in {origin.scheme for origin in policy.declared} for policy in policies):
        return None
    return tls_context(settings.tls)


def _endpoint(settings: Settings, call_tool: CallTool, clock: Clock) -> McpEndpoint:
    allowed = settings.allowed_origins
    if allowed is None and settings.serve.host not in _LOOPBACK:
        allowed = ()
    ttl_millis = int(settings.registry.refresh_interval_seconds * 1000)
    facts = ServerFacts(settings.identity, __version__, ttl_millis, settings.page_size)
    door = Door(allowed_origins=allowed, allowed_hosts=settings.allowed_hosts)
    return McpEndpoint(
        call_tool=call_tool,
        door=door,
        facts=facts,
        not_found_code=settings.tool_not_found_code,
        subscriptions=Subscriptions(facts.stateless_members, clock),
    )


def _call_rules(bundle: BundleSettings) -> CallRules:
    return CallRules(
        bundle.authorization_origins, bundle.forward_authorization, bundle.public_error_fields, bundle.mcp_server
    )


def _refresh(
    settings: Settings,
    source: ManifestSource,
    metrics: Metrics,
    log: Log,
    clock: Clock,
    publish: Callable[[Snapshot], None],
) -> RefreshCatalogue:
    discovery, registry = settings.discovery, settings.registry
    return RefreshCatalogue(
        bundles=[_pulled(bundle, settings) for bundle in settings.bundles],
        source=source,
        cache=MemoryManifestCache(),
        clock=clock,
        log=log,
        publish=publish,
        schedule=Schedule(
            interval=registry.refresh_interval_seconds,
            jitter=registry.refresh_jitter_seconds,
            recheck_min_interval=registry.recheck_min_interval_millis / 1000,
            conditional=discovery.conditional_requests,
        ),
        max_total=discovery.max_tools_total,
        random=_random,
        on_pull=metrics.refresh_ended,
    )


def _pulled(bundle: BundleSettings, settings: Settings) -> PulledBundle:
    discovery, path = settings.discovery, bundle.fallback_manifest_file
    fallback = None if path is None else FileManifestSource({bundle.id: path}, max_bytes=discovery.max_manifest_bytes)
    return PulledBundle(bundle.id, bundle.enabled, bundle.manifest_policy(discovery.limits), fallback)


def _random() -> float:
    """Return a number from 0 to 1 for the jitter; the module `random` would cost more than it gives here."""
    return int.from_bytes(os.urandom(4)) / 2**32
