"""Every key of a Tool Service's configuration as one table (toolkit/S0, toolkit/H1, toolkit/B3).

The loader, the names of environment variables and the facts for the rules all come from here.
"""

from typing import Final

from axhub.configuration.addresses import BindHost
from axhub.configuration.kinds import Choice, Prefix, Seconds, Switch, Text, Whole
from axhub.configuration.secrets import EnvOnly
from axhub.configuration.table import Environment, Key, Missing, Table
from axhub.toolkit.config import mci_keys
from axhub.toolkit.config.kinds import Domain, JsonType, UrlPath
from axhub.toolkit.layout import DEFAULT_TIMEOUT_MILLIS

__all__ = ["APIS", "IDEMPOTENT", "KEYS", "TABLE", "TOOLS"]

_DAY: Final = 86_400
_HOUR_MILLIS: Final = 3_600_000
_GIB: Final = 1_073_741_824
_MILLION: Final = 1_000_000
_MAX_PORT: Final = 65_535

TOOLS: Final = "tools"
APIS: Final = "glow.communication.http.api-list"
METHODS: Final = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
IDEMPOTENT: Final = frozenset({"GET", "HEAD", "PUT", "DELETE", "OPTIONS"})
"""Methods that may be tried again: doing the same twice changes nothing more."""

_API_KEYS: Final = (
    Key(f"{APIS}[].name", Text("the name that clients call it by"), Missing.REQUIRED, "What `API_NAME` says."),
    Key(f"{APIS}[].domain", Domain(), Missing.REQUIRED, "Where it is."),
    Key(f"{APIS}[].url", UrlPath(), Missing.REQUIRED, "Its path there."),
    Key(f"{APIS}[].method", Choice(METHODS), Missing.REQUIRED, "The HTTP method."),
    Key(f"{APIS}[].content-type", JsonType(), "application/json;charset=UTF-8", "Media type of the request."),
    Key(f"{APIS}[].biz-pod", Switch(), False, "Carried without effect."),
    Key(f"{APIS}[].connectTimeoutMillis", Whole(1, _HOUR_MILLIS), 1000, "Bound of connecting."),
    Key(f"{APIS}[].readTimeoutMillis", Whole(1, _HOUR_MILLIS), 3000, "Bound of waiting for the next bytes."),
    Key(f"{APIS}[].totalTimeoutMillis", Whole(1, _HOUR_MILLIS), 5000, "Bound of a call with all its tries."),
    Key(f"{APIS}[].maxRetries", Whole(0, 10), 0, "Further tries after a failure, of idempotent methods only."),
    Key(f"{APIS}[].maxConnections", Whole(1, _MILLION), 32, "Connections at the same time."),
    Key(
        f"{APIS}[].newRequestId",
        Switch(),
        False,
        "Send a new request id with each call; the caller's is logged as its parent.",
    ),
    Key(f"{APIS}[].headers.{{}}", EnvOnly(), Missing.NONE, "Headers with credentials, sent with each call."),
)

KEYS: Final = (
    Key("mcp.bundleId", Text("the name of the bundle"), Missing.REQUIRED, "What the gateway knows this service by."),
    Key("mcp.namespace", Prefix(), "", "Goes before each tool's name when it is published, separator included."),
    Key("publishOutputSchema", Switch(), False, "Whether the manifest carries output schemas."),
    Key("disabledTools", Text("the name of a tool"), (), "Tools that are published as switched off.", many=True),
    Key("language", Choice(("en", "ko")), "en", "Of what a model reads when a call cannot be answered."),
    Key(
        f"{TOOLS}.{{}}.timeoutMillis",
        Whole(1, _HOUR_MILLIS),
        DEFAULT_TIMEOUT_MILLIS,
        "After which a call of the tool is cut off.",
    ),
    Key("server.host", BindHost(), "127.0.0.1", "Address that the service listens on."),
    Key("server.port", Whole(0, _MAX_PORT), 8081, "Its port; 0: any free one."),
    Key("maxRequestBytes", Whole(1, _GIB), 1_048_576, "Size that a request body may have."),
    Key("maxInFlightCalls", Whole(1, _MILLION), 256, "Calls at the same time."),
    Key("drainSeconds", Seconds(_DAY), 25.0, "How long calls in flight may take after SIGTERM."),
    *_API_KEYS,
    *mci_keys.KEYS,
)

TABLE: Final = Table("", KEYS, Environment("AXHUB_SERVICE__", example="server.port"), own_settings=True)
