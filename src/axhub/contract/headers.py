"""Headers of the wire contract: what a caller sends along, trace context, and arguments mirrored in headers."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, cast

from axhub.contract.findings import Finding
from axhub.contract.jsontext import read_values
from axhub.contract.schema_walk import Place, walk

CALLER_HEADERS: Final = (b"guid", b"x-request-id", b"mcp-session-id", b"employee-no", b"virtual-employee-no")
"""What goes from the caller to the tool with its own name and bytes (gateway/X2)."""
MAX_VALUE_BYTES: Final = 8192
"""Bound of one such value."""
SECRET_HEADERS: Final = frozenset({b"employee-no", b"virtual-employee-no", b"authorization"})
"""Never logged, shown or stored."""

ParamKind = Literal["string", "integer", "boolean"]

_TRACEPARENT: Final = re.compile(
    rb"(?P<version>[0-9a-f]{2})-(?P<trace>[0-9a-f]{32})-(?P<parent>[0-9a-f]{16})-[0-9a-f]{2}"
)
_NO_TRACE: Final = b"0" * 32
_NO_PARENT: Final = b"0" * 16
_KEYWORD: Final = "x-mcp-header"
_TOKEN: Final = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")  # RFC 9110, section 5.6.2
_ASCII_ESCAPE: Final = b"\\u00"  # how a name could be spelled otherwise
_KINDS: Final = frozenset({"string", "integer", "boolean"})
_EXCERPT: Final = 60
_LATER_FIELDS: Final = re.compile(rb"-[\x21-\x7e]{0,200}")


@dataclass(frozen=True, slots=True)
class HeaderParam:
    """One argument that stateless clients repeat in a header (revision 2026-07-28, `x-mcp-header`)."""

    header: bytes
    """The whole name in lower case: `mcp-param-region`."""
    path: tuple[str, ...]
    """Names of the properties from the root of `arguments` to the value."""
    kind: ParamKind


class HeaderParams(NamedTuple):
    """What `x-mcp-header` says in one input schema; with findings, the parameters are incomplete."""

    params: tuple[HeaderParam, ...]
    findings: tuple[Finding, ...]


def traceparent(value: bytes) -> bytes | None:
    """Return the 32 hex digits of the trace id, or None if the value is malformed (W3C Trace Context, level 1)."""
    found = _TRACEPARENT.match(value)
    if found is None or found["version"] == b"ff" or found["trace"] == _NO_TRACE or found["parent"] == _NO_PARENT:
        return None
    rest = value[found.end() :]
    # Version 00 ends here; a later version may go on after another dash, but never with what ends a header line.
    if rest and (found["version"] == b"00" or _LATER_FIELDS.fullmatch(rest) is None):
        return None
    return found["trace"]


def header_params(input_schema_raw: bytes, pointer: str = "", tool: str | None = None) -> HeaderParams:
    """Read the mirrored parameters of an input schema that passed the checks of JSON text.

    A mark is valid on a string, integer or boolean property that is reached through `properties` alone, with a header
    token that no other mark has, ignoring case: clients leave out a tool with an invalid one.
    """
    if _KEYWORD.encode() not in input_schema_raw and _ASCII_ESCAPE not in input_schema_raw:
        return HeaderParams((), ())
    return find_header_params(read_values(input_schema_raw), pointer, tool)


def find_header_params(schema: Any, pointer: str, tool: str | None) -> HeaderParams:
    """As `header_params`, for a schema that was read already."""
    params: dict[str, HeaderParam] = {}
    findings: list[Finding] = []
    for place in walk(schema):
        if not isinstance(place.schema, dict) or _KEYWORD not in place.schema:
            continue
        faults = list(_faults(place, params))
        if not faults:
            token = cast("str", place.schema[_KEYWORD]).lower()
            kind = cast("ParamKind", place.schema["type"])
            params[token] = HeaderParam(b"mcp-param-" + token.encode(), place.properties or (), kind)
        at = pointer + place.pointer_to(_KEYWORD)
        findings += (Finding(rule, at, tool, problem, mend) for rule, problem, mend in faults)
    return HeaderParams(tuple(params.values()), tuple(findings))


def _faults(place: Place, others: dict[str, HeaderParam]) -> Iterator[tuple[str, str, str]]:
    token, kind = place.schema[_KEYWORD], place.schema.get("type")
    if not isinstance(token, str) or _TOKEN.fullmatch(token) is None:
        yield (
            "schema.header.token",
            f"{_KEYWORD} is not a header name: {str(token)[:_EXCERPT]!r}",
            'use ASCII letters, digits and dashes, such as "Region"',
        )
    elif token.lower() in others:
        yield (
            "schema.header.duplicate",
            f"{_KEYWORD} {token[:_EXCERPT]!r} stands on {'.'.join(others[token.lower()].path)!r} already",
            "give each property a header name of its own; upper and lower case count as the same",
        )
    if not place.properties:
        yield (
            "schema.header.place",
            f"{_KEYWORD} stands where a client cannot reach it",
            "put it on a property below 'properties' alone, not inside items, combinations or $defs",
        )
    if not isinstance(kind, str) or kind not in _KINDS:
        yield (
            "schema.header.type",
            f"{_KEYWORD} stands on something that is not exactly a string, an integer or a boolean",
            'give the property "type": "string", "integer" or "boolean" (a number has no single text form)',
        )
