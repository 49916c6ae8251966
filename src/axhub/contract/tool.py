"""One tool of a manifest: its members read, checked and made ready to be shown (gateway/G6, gateway/G7, gateway/K4)."""

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Final

import msgspec

from axhub.contract.endpoints import (
    Endpoint,
    EndpointError,
    EndpointPolicy,
    NoEndpointError,
    UndeclaredOriginError,
    check_relative,
    is_absolute,
    parse_url,
    resolve,
)
from axhub.contract.headers import HeaderParam, header_params
from axhub.contract.jsontext import split_object
from axhub.contract.naming import check_name
from axhub.contract.reader import Reader
from axhub.contract.schema import BOUND_RULES, check_schema_in_steps

PUBLIC_MEMBERS: Final = ("name", "title", "description", "inputSchema", "outputSchema", "annotations")
"""What `tools/list` shows, in this order (gateway/K4)."""
HINTS: Final = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
"""The annotations that are shown, with `title`."""

_MEND_NAME: Final = "give the tool a name such as 'search_orders': a letter, then letters, digits and '_', 64 at most"
_MEND_DESCRIPTION: Final = "say in a sentence or two what the tool does and when to use it"
_MEND_VERSION: Final = 'give the tool a version: "_meta": {"version": "1.0.0"}'
_MEND_SCHEMA: Final = 'describe the arguments; a tool without any has {"type": "object", "properties": {}}'
_MEND_ENDPOINT: Final = "write a path such as '/tools/search', or a whole http(s) URL at a declared origin"


@dataclass(frozen=True, slots=True)
class ManifestLimits:
    """Bounds that the deployment sets."""

    max_tools: int = 100
    max_tool_timeout_millis: int = 30000


@dataclass(frozen=True, slots=True)
class ManifestPolicy:
    """What the deployment expects of one bundle's manifest.

    The relaxed form of `axhub manifest check` (gateway/C4) has neither a bundle id nor endpoints.
    """

    bundle_id: str | None
    """The bundle's `id`; None: any text."""
    name_prefix: str = ""
    endpoints: EndpointPolicy | None = None
    """None: absolute endpoints are read, relative ones only looked at for their form."""
    limits: ManifestLimits = ManifestLimits()
    mcp_server: Endpoint | None = None
    """Set if the manifest is the `tools/list` of the MCP server at this address: it has neither a bundle id nor
    versions nor endpoints of its own, and its schemas may be draft-07 (gateway/P11)."""
    add_prefix: bool = False
    """Whether `name_prefix` is put before the names of the manifest, instead of being asked of them."""


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool of an adopted manifest."""

    name: str
    """As it is shown."""
    version: str
    """Empty if it comes from an MCP server, which has none."""
    members: Mapping[str, bytes]
    """The public members in gateway/K4's order, each as compact JSON text, otherwise as its author wrote it."""
    endpoint: Endpoint | None
    """Where it is called; None only in the relaxed form, for a tool without an absolute endpoint."""
    timeout_millis: int
    """Capped by the deployment (gateway/G7)."""
    enabled: bool
    """False: counts for limits and duplicates, is not shown, and cannot be called (decision/D7)."""
    header_params: tuple[HeaderParam, ...]
    """Arguments that stateless clients repeat in headers."""
    own_name: str = ""
    """What its MCP server calls it; empty for a tool of a Tool Service."""


def check_tool(reader: Reader, policy: ManifestPolicy) -> Generator[None, None, Tool | None]:
    """Check one element of `tools`; findings are left in the reader, None is returned if there are any.

    Yields between steps; afterwards `reader.tool` is the name, if there is one.
    """
    own_name = reader.tool = reader.word("name", required=_MEND_NAME)
    if policy.add_prefix and own_name:
        reader.tool = policy.name_prefix + own_name
    _check_name(reader, policy.name_prefix, served=policy.mcp_server is not None)
    reader.text("title")
    reader.text("description", required=_MEND_DESCRIPTION, multiline=True)
    annotations = _annotations(reader)
    meta = reader.inner("_meta", "meta")
    served = policy.mcp_server
    version, timeout, enabled = _meta(reader, meta, policy.limits.max_tool_timeout_millis, versioned=served is None)
    endpoint = served or _endpoint(reader, meta, policy.endpoints)
    if served is not None and _needs_a_task(reader):
        enabled = False
    yield
    params = yield from _schemas(reader, draft07=served is not None)
    if reader.findings or reader.tool is None or version is None:
        return None
    members = _public(reader, annotations)
    if policy.add_prefix:
        members["name"] = msgspec.json.encode(reader.tool)
    known_as = "" if served is None else own_name or ""
    return Tool(reader.tool, version, members, endpoint, timeout, enabled, params, known_as)


def _check_name(reader: Reader, prefix: str, *, served: bool) -> None:
    if reader.tool is None or not reader.tool.strip():
        return
    problem = check_name(reader.tool)
    if problem is not None:
        reader.report("name.grammar", problem, _MEND_NAME, "name")
    elif (problem := check_name(reader.tool, prefix)) is not None:
        mend = "set addPrefix: true" if served else f"let the name begin with {prefix!r}"
        reader.report("name.prefix", problem, mend, "name")


def _annotations(reader: Reader) -> bytes | None:
    found = reader.inner("annotations", "annotations")
    if found is None:
        return None
    found.text("title")
    for hint in HINTS:
        found.boolean(hint)
    shown = (name for name in found.names() if name == "title" or name in HINTS)
    return b"{" + b",".join(b'"%b":%b' % (name.encode(), found.raw(name) or b"") for name in shown) + b"}"


def _meta(reader: Reader, meta: Reader | None, most_millis: int, *, versioned: bool) -> tuple[str | None, int, bool]:
    if meta is None:
        if versioned and reader.raw("_meta") is None:
            reader.report("meta.version.missing", "'_meta.version' is missing", _MEND_VERSION, "_meta", "version")
        return None if versioned else "", most_millis, True
    version = meta.text("version", required=_MEND_VERSION) if versioned else ""
    timeout = meta.positive_integer("timeoutMillis", most_millis)
    enabled = meta.boolean("enabled")
    return version, timeout or most_millis, enabled is not False


def _needs_a_task(reader: Reader) -> bool:
    """Say whether a tool can only be called as a task (MCP 2025-11-25), which the gateway cannot do for a caller."""
    raw = reader.raw("execution")
    execution = split_object(raw) if raw is not None else None
    return execution is not None and bytes(execution.get("taskSupport", b"")) == b'"required"'


def _endpoint(reader: Reader, meta: Reader | None, policy: EndpointPolicy | None) -> Endpoint | None:
    top, top_fits = _address(reader)
    inner, inner_fits = _address(meta) if meta is not None else (None, True)
    if not top_fits or (top is None and not inner_fits):
        return None
    place = ("endpoint",) if top is not None else ("_meta", "endpoint")
    try:
        return _resolved(top, inner, policy)
    except NoEndpointError as error:
        mend = "give the tool an 'endpoint', or the bundle a 'baseEndpoint' in the gateway's configuration"
        reader.report("endpoint.missing", str(error), mend, "endpoint")
    except UndeclaredOriginError as error:
        mend = "write a path instead of a whole URL, or have the gateway's operator allow the origin"
        reader.report("endpoint.undeclared", f"{'.'.join(place)}: {error}", mend, *place)
    except EndpointError as error:
        reader.report("endpoint.malformed", f"{'.'.join(place)}: {error}", _MEND_ENDPOINT, *place)
    return None


def _address(reader: Reader) -> tuple[str | None, bool]:
    """Return an `endpoint` as it is written, and whether it is a text with something in it, or absent."""
    present = reader.raw("endpoint") is not None
    text = reader.word("endpoint", required=_MEND_ENDPOINT if present else "")
    return text, not present or (text is not None and text.strip() != "")


def _resolved(top: str | None, inner: str | None, policy: EndpointPolicy | None) -> Endpoint | None:
    if policy is not None:
        return resolve(top, inner, policy)
    chosen = top if top is not None else inner
    if chosen is not None and is_absolute(chosen):
        return parse_url(chosen)
    if chosen is not None:
        check_relative(chosen)
    return None


def _schemas(reader: Reader, *, draft07: bool) -> Generator[None, None, tuple[HeaderParam, ...]]:
    raw = reader.raw("inputSchema")
    params: tuple[HeaderParam, ...] = ()
    if raw is None:
        reader.missing("inputSchema", _MEND_SCHEMA)
    else:
        pointer = f"{reader.pointer}/inputSchema"
        findings = yield from check_schema_in_steps(raw, pointer, reader.tool, root_object=True, draft07=draft07)
        reader.findings += findings
        if BOUND_RULES.isdisjoint(finding.rule for finding in findings):
            params, more = header_params(raw, pointer, reader.tool)
            reader.findings += more
    yield
    raw = reader.raw("outputSchema")
    if raw is not None:
        pointer = f"{reader.pointer}/outputSchema"
        findings = yield from check_schema_in_steps(raw, pointer, reader.tool, root_object=False, draft07=draft07)
        reader.findings += findings
        yield
    return params


def _public(reader: Reader, annotations: bytes | None) -> dict[str, bytes]:
    members = {}
    for name in PUBLIC_MEMBERS:
        raw = annotations if name == "annotations" else reader.raw(name)
        if raw is not None:
            members[name] = raw
    return members
