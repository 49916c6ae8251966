"""The keys of MCI systems: how telegrams get there and back (toolkit/B3, toolkit/H1)."""

from typing import Final

from axhub.configuration.addresses import BindHost
from axhub.configuration.kinds import Choice, Switch, Text, Whole
from axhub.configuration.table import Key, Missing
from axhub.toolkit.config.kinds import Domain, MediaType, PlainPath

__all__ = ["KEYS", "LENGTH", "MAX_SIZES", "NO_LENGTH", "OF_HTTP", "OF_TCP", "SYSTEMS"]

_HOUR_MILLIS: Final = 3_600_000
_GIB: Final = 1_073_741_824
_MILLION: Final = 1_000_000
_MAX_PORT: Final = 65_535
_FAR: Final = 65_536
"""More than any header has before its length, and more than any system miscounts."""

SYSTEMS: Final = "glow.communication.mci.system-list"
LENGTH: Final = "lengthField"
NO_LENGTH: Final = "none"
MAX_SIZES: Final = {"ascii": 18, "big": 8, "little": 8, "bcd": 9}
"""Bytes that a length field of each kind may have."""
OF_TCP: Final = ("host", "port")
"""Keys that the transport `tcp` alone has."""
OF_HTTP: Final = ("domain", "url", "content-type")
"""Keys that the transport `http` alone has."""

KEYS: Final = (
    Key(f"{SYSTEMS}[].name", Text("the name that clients call it by"), Missing.REQUIRED, "What `SYSTEM` says."),
    Key(
        f"{SYSTEMS}[].transport",
        Choice(("tcp", "http")),
        "tcp",
        "Telegrams over TCP connections, or as bodies of HTTP requests and answers.",
    ),
    Key(f"{SYSTEMS}[].host", BindHost(), Missing.NONE, "`tcp`: where it is; without effect if the port is 0."),
    Key(
        f"{SYSTEMS}[].port",
        Whole(0, _MAX_PORT),
        Missing.NONE,
        "`tcp`: its port (required); 0: the mock that the service starts itself, in the profile `local` alone.",
    ),
    Key(f"{SYSTEMS}[].domain", Domain(), Missing.NONE, "`http`: where it is (required)."),
    Key(
        f"{SYSTEMS}[].url", PlainPath(), Missing.NONE, "`http`: the path there (required); telegrams are sent by POST."
    ),
    Key(f"{SYSTEMS}[].content-type", MediaType(), "application/octet-stream", "`http`: media type of a telegram."),
    Key(
        f"{SYSTEMS}[].{LENGTH}.kind",
        Choice((*MAX_SIZES, NO_LENGTH)),
        Missing.NONE,
        "How a telegram says its length (required with `tcp`, else `none`). `none`: it ends with its connection.",
    ),
    Key(
        f"{SYSTEMS}[].{LENGTH}.place",
        Choice(("header", "prefix")),
        "header",
        "Inside the telegram, or in bytes before it that are no part of it.",
    ),
    Key(f"{SYSTEMS}[].{LENGTH}.offset", Whole(0, _FAR), 0, "Bytes of the telegram before the field."),
    Key(
        f"{SYSTEMS}[].{LENGTH}.size",
        Whole(1, max(MAX_SIZES.values())),
        Missing.NONE,
        "Bytes of the field (required unless `none`): `bcd` at most 9, `big` and `little` at most 8.",
    ),
    Key(f"{SYSTEMS}[].{LENGTH}.includesItself", Switch(), True, "Whether the field counts its own bytes."),
    Key(
        f"{SYSTEMS}[].{LENGTH}.correction",
        Whole(-_FAR, _FAR),
        0,
        "Added to the number of bytes that the field says.",
    ),
    Key(f"{SYSTEMS}[].maxTelegramBytes", Whole(1, _GIB), 1_048_576, "Size that a telegram may have, either way."),
    Key(f"{SYSTEMS}[].connectTimeoutMillis", Whole(1, _HOUR_MILLIS), 1000, "Bound of connecting."),
    Key(
        f"{SYSTEMS}[].totalTimeoutMillis",
        Whole(1, _HOUR_MILLIS),
        5000,
        "Bound of a call, waiting for a connection included.",
    ),
    Key(f"{SYSTEMS}[].maxConnections", Whole(1, _MILLION), 32, "Connections at the same time."),
)
