"""Every key below `mcp:` as one table: what it may be, what it is when left out, what it means.

The loader, the names of environment variables and the reference in the documentation all come from here.
"""

from typing import Final

from axhub.configuration.addresses import BrowserOrigin, HostHeader, Url
from axhub.configuration.kinds import Choice, FilePath, NotYet, Prefix, Seconds, Switch, Text, Whole
from axhub.configuration.table import Environment, Key, Missing, Table
from axhub.contract.headers import CALLER_HEADERS
from axhub.gateway.config.address_kinds import HeaderName, OriginOrAny, PathOnly

_DAY: Final = 86_400
_HOUR_MILLIS: Final = 3_600_000
_GIB: Final = 1_073_741_824
_MILLION: Final = 1_000_000
_INT32: Final = 2_147_483_647

_SET_BY_US = frozenset(
    {
        *(name.decode() for name in CALLER_HEADERS),
        *("traceparent", "tracestate", "mcp-method", "mcp-name", "host", "content-length", "content-type"),
        *("content-encoding", "transfer-encoding", "connection", "keep-alive", "proxy-connection", "te", "trailer"),
        *("upgrade", "expect", "accept-encoding", "cookie", "proxy-authorization", "proxy-authenticate"),
    }
)

KEYS: Final = (
    Key("identity", Text(), Missing.REQUIRED, "Name of this gateway, as clients see it."),
    Key(
        "registry.refreshIntervalSeconds",
        Seconds(_DAY, above_zero=True),
        30.0,
        "How often manifests are pulled, start to start.",
    ),
    Key("registry.refreshJitterSeconds", Seconds(_DAY), 5.0, "The first scheduled refresh is delayed by up to this."),
    Key(
        "registry.recheckMinIntervalMillis",
        Whole(0, _HOUR_MILLIS),
        1000,
        "An unknown tool triggers a new pull only if the last one began longer ago.",
    ),
    Key(
        "registry.localFile",
        FilePath(),
        Missing.NONE,
        "Manifest to serve instead of pulling; with, and only with, `discovery.enabled: false`.",
    ),
    Key("discovery.enabled", Switch(), True, "Whether manifests are pulled; false in the profile `local` only."),
    Key("discovery.connectTimeoutMillis", Whole(1, _HOUR_MILLIS), 1000, "Bound of connecting, for pulls and calls."),
    Key("discovery.readTimeoutMillis", Whole(1, _HOUR_MILLIS), 3000, "Bound of reading a manifest."),
    Key("discovery.conditionalRequests", Switch(), False, "Send `If-None-Match` and accept 304."),
    Key("discovery.maxToolsPerBundle", Whole(1, _MILLION), 100, "Tools that one manifest may have."),
    Key("discovery.maxToolsTotal", Whole(1, _MILLION), 200, "Tools that the catalogue may have."),
    Key("discovery.maxManifestBytes", Whole(1, _GIB), 1_048_576, "Size that a manifest may have."),
    Key("discovery.maxToolTimeoutMillis", Whole(1, _HOUR_MILLIS), 30_000, "Cap, and default, of a tool's timeout."),
    Key("bundles[].id", Text(), Missing.REQUIRED, "The `bundleId` that the manifest must have."),
    Key("bundles[].enabled", Switch(), True, "false: declared, never contacted."),
    Key("bundles[].namePrefix", Prefix(), "", "What the names of its tools must start with; empty: anything."),
    Key("bundles[].manifestUrl", Url(), Missing.NONE, "Where the manifest is."),
    Key(
        "bundles[].serviceDomain",
        Url(query=False),
        Missing.NONE,
        "What relative endpoints are appended to; left out: the origin of `manifestUrl`.",
    ),
    Key("bundles[].manifestPath", PathOnly(), Missing.NONE, "Appended to `serviceDomain`; instead of `manifestUrl`."),
    Key("bundles[].baseEndpoint", Url(), Missing.NONE, "Where tools without an endpoint of their own are called."),
    Key(
        "bundles[].allowedEndpointOrigins",
        OriginOrAny(),
        (),
        "Further origins that its manifest may name; its own addresses are allowed anyway.",
        many=True,
    ),
    Key(
        "bundles[].protocol",
        Choice(("tool-service", "mcp")),
        "tool-service",
        "What it speaks; `mcp`: `manifestUrl` is an MCP server's endpoint.",
    ),
    Key("bundles[].addPrefix", Switch(), False, "Put `namePrefix` before its tools' names; with `protocol: mcp` only."),
    Key(
        "bundles[].forwardAuthorization",
        Switch(),
        False,
        "Forward the caller's `Authorization` to its own origins. A risk: MCP forbids passing tokens through.",
    ),
    Key(
        "bundles[].publicErrorFields",
        Text("the name of a member"),
        (),
        "Top-level members of its 4xx bodies that a model may see.",
        many=True,
    ),
    Key(
        "bundles[].fallbackManifestFile",
        FilePath(),
        Missing.NONE,
        "Manifest used when the very first pull fails; in the profile `local` only.",
    ),
    Key("bundles[].maxConcurrentCalls", Whole(1, _MILLION), 64, "Calls at the same time."),
    Key("bundles[].maxQueuedCalls", Whole(0, _MILLION), 32, "Calls that may wait for one of those to end."),
    Key("bundles[].idleConnectionSeconds", Seconds(_DAY), 3.0, "How long an unused connection is kept."),
    Key(
        "allowedOrigins",
        BrowserOrigin(),
        Missing.NONE,
        "Values of `Origin` that are answered; left out: loopback origins when bound to loopback, else none.",
        many=True,
    ),
    Key("allowedHosts", HostHeader(), (), "Values of `Host` that are answered; empty: not checked.", many=True),
    Key(
        "extraForwardHeaders",
        HeaderName(_SET_BY_US),
        (),
        "Headers of the caller that go on to tools besides the fixed ones.",
        many=True,
    ),
    Key("pageSize", Whole(1, _MILLION), Missing.NONE, "Tools a page of `tools/list`; left out: all."),
    Key("toolNotFoundCode", Whole(-_INT32 - 1, _INT32), -32001, "Error code of an unknown tool before 2026-07-28."),
    Key("maxRequestBytes", Whole(1, _GIB), 1_048_576, "Size that a request body may have."),
    Key("maxResponseBytes", Whole(1, _GIB), 4_194_304, "Size that a tool's answer may have."),
    Key("maxConnections", Whole(1, _MILLION), 4096, "Open connections of clients."),
    Key("maxInFlightCalls", Whole(1, _MILLION), 512, "Calls in flight over all bundles."),
    Key("drainSeconds", Seconds(_DAY), 25.0, "How long calls in flight may take after SIGTERM."),
    Key("tls.caFile", FilePath(), Missing.NONE, "PEM file of the authorities trusted towards manifests and tools."),
    Key("tls.certFile", FilePath(), Missing.NONE, "PEM file of the client certificate; with `tls.keyFile`."),
    Key("tls.keyFile", FilePath(), Missing.NONE, "PEM file of its key, not encrypted; with `tls.certFile`."),
    Key("redis.url", NotYet(secret=True), Missing.NONE, "Cache shared between replicas."),
    Key("redis.sealKeyFile", NotYet(), Missing.NONE, "Key that seals what is cached."),
    Key("telemetry.otlpEndpoint", NotYet(), Missing.NONE, "Where traces go."),
)

TABLE: Final = Table("mcp", KEYS, Environment("AXHUB_MCP__", example="discovery.enabled"))
BUNDLES: Final = "bundles"
MCP: Final = "mcp"
"""The value of `protocol` of a bundle that is an MCP server."""
