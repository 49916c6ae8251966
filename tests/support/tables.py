"""A configuration as a Tool Service has one, for tests of what the shared engine can do."""

from collections.abc import Mapping
from dataclasses import replace

from axhub.configuration.addresses import Url
from axhub.configuration.document import Document, read_document
from axhub.configuration.faults import Fault, Place, Where
from axhub.configuration.flatten import Flat, flatten
from axhub.configuration.kinds import Switch, Text, Whole
from axhub.configuration.overlay import overlay
from axhub.configuration.secrets import EnvOnly
from axhub.configuration.source import read_yaml
from axhub.configuration.table import Environment, Key, Missing, Table

FILE = "설정/service.yaml"
APIS = "glow.communication.http.api-list"
KEYS = (
    Key("mcp.bundleId", Text(), Missing.REQUIRED, "Name of the bundle."),
    Key("mcp.disabledTools", Text("the name of a tool"), (), "Tools that are not offered.", many=True),
    Key("server.host", Text("a host"), "localhost", "Where it serves."),
    Key("server.port", Whole(0, 65_535), 8081, "The port that it serves on."),
    Key("server.public", Url(), Missing.NONE, "Its address from outside."),
    Key("tools.{}.timeoutMillis", Whole(1, 60_000), 10_000, "How long a call may take."),
    Key("tools.{}.tags", Text(), (), "Words for people.", many=True),
    Key(f"{APIS}[].name", Text(), Missing.REQUIRED, "The name that clients use."),
    Key(f"{APIS}[].domain", Url(query=False), Missing.NONE, "Where it is."),
    Key(f"{APIS}[].biz-pod", Switch(), False, "Without effect."),
    Key(f"{APIS}[].password", EnvOnly(), Missing.NONE, "What proves who calls."),
    Key(f"{APIS}[].headers.{{}}", Text(), Missing.NONE, "Headers that are always sent."),
)
TABLE = Table("", KEYS, own_settings=True)
WITH_VARIABLES = replace(TABLE, environment=Environment("AXHUB_SERVICE__", example="server.port"))
GOOD = "mcp: {bundleId: 보험}\n"


def flat_of(text: str, table: Table = TABLE) -> Flat:
    """Lay a text flat."""
    return flatten(table, read_yaml(text.encode(), FILE), Place(Where.FILE, FILE, 1))


def read(text: str, environ: Mapping[str, str] | None = None, table: Table = TABLE) -> tuple[Document, list[Fault]]:
    """Read a text and the environment over it; return the document and its faults by place."""
    flat = flat_of(text, table)
    overlay(flat, environ or {})
    document, faults = read_document(flat, environ or {})
    return document, sorted(faults)


def document_of(text: str, environ: Mapping[str, str] | None = None, table: Table = TABLE) -> Document:
    """Read a text that has no fault."""
    document, faults = read(text, environ, table)
    assert faults == []
    return document


def told(text: str, environ: Mapping[str, str] | None = None, table: Table = TABLE) -> list[tuple[int, str, str, str]]:
    """Return line, key, what was found and what is allowed of each fault."""
    faults = read(text, environ, table)[1]
    return [(fault.place.line, fault.key, fault.found, fault.allowed) for fault in faults]
