"""The manifest of a bundle: parsed and checked in full before anything of it is used (gateway/G6).

A manifest comes from outside and is adopted whole or not at all. The checks are pure and come in steps, so that an
event loop can do other work in between (fault/F14); all findings are returned, not only the first.
"""

import codecs
import hashlib
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec

from axhub.contract.duplicates import find_duplicates
from axhub.contract.findings import Finding
from axhub.contract.jsontext import JsonTextError, check_text, compact, split_array, split_object
from axhub.contract.naming import folded
from axhub.contract.reader import Reader
from axhub.contract.schema_walk import pointer as json_pointer
from axhub.contract.tool import ManifestLimits, ManifestPolicy, Tool, check_tool

__all__ = [
    "Manifest",
    "ManifestLimits",
    "ManifestPolicy",
    "Rejected",
    "Steps",
    "Tool",
    "check_manifest",
    "run",
]

_MEND_JSON: Final = "serve one JSON object in UTF-8 without a byte order mark, written by a JSON library"


@dataclass(frozen=True, slots=True)
class Manifest:
    """A manifest that passed every check."""

    bundle_id: str
    revision: str | None
    tools: tuple[Tool, ...]
    """Ascending by code point of the name, disabled ones included."""
    content_digest: str
    """`sha256:…` over what the manifest says, whatever its white space, the order of its tools and members, and its
    revision."""


@dataclass(frozen=True, slots=True)
class Rejected:
    """A manifest that did not pass: nothing of it is used."""

    findings: tuple[Finding, ...]
    """At least one, in the order of the document where it could be read."""
    invalid_json: bool
    """Whether it is not even JSON: `InvalidJson` rather than `InvalidManifest` (gateway/M2)."""


Steps = Generator[None, None, Manifest | Rejected]


def check_manifest(body: bytes, policy: ManifestPolicy) -> Steps:
    """Check a manifest; the generator yields between steps and returns the manifest or the findings."""
    try:
        text = compact(body)
        yield
        check_text(body)
        yield
    except JsonTextError as error:
        problem = f"not JSON: {_looks_like(body) or error}"
        return Rejected((Finding("manifest.json", "", None, problem, _MEND_JSON),), invalid_json=True)
    members = split_object(text)
    if members is None:
        problem, mend = "the manifest is not a JSON object", 'write {"bundleId": …, "tools": […]}'
        return Rejected((Finding("manifest.type", "", None, problem, mend),), invalid_json=False)
    reader = Reader(members, "manifest")
    duplicates = yield from find_duplicates(text)
    for duplicate in duplicates:
        problem = f"the member {duplicate.name[:80]!r} stands twice in one object"
        reader.report("duplicate-member", problem, "leave one of the two out", *duplicate.path, duplicate.name)
    bundle_id = (policy.bundle_id or "") if policy.mcp_server else _bundle_id(reader, policy.bundle_id)
    revision = reader.text("revision")
    tools = yield from _tools(reader, policy)
    if reader.findings or bundle_id is None:
        return Rejected(tuple(reader.findings), invalid_json=False)
    tools.sort(key=lambda tool: tool.name)
    return Manifest(bundle_id, revision, tuple(tools), _digest(bundle_id, tools))


def run(steps: Steps) -> Manifest | Rejected:
    """Drive a check to its end without pausing."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: Manifest | Rejected = end.value
            return result


def _looks_like(body: bytes) -> str:
    """Name what is often served instead of JSON; empty if it is none of that."""
    begin = body[:64].lstrip()
    if not begin:
        return "the body is empty"
    if begin.startswith(codecs.BOM_UTF8):
        return "it begins with a byte order mark"
    if begin.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or b"\x00" in begin[:4]:
        return "it is not UTF-8, but looks like UTF-16 or UTF-32"
    return "it looks like an HTML or XML page" if begin.startswith(b"<") else ""


def _bundle_id(reader: Reader, expected: str | None) -> str | None:
    mend = "write the 'id' that the gateway's configuration gives the bundle"
    found = reader.text("bundleId", required=mend if reader.raw("bundleId") is None else "")
    if found is not None and expected is not None and found != expected:
        problem = f"'bundleId' is {found[:80]!r}, but the gateway knows this bundle as {expected!r}"
        reader.report("bundleId.mismatch", problem, mend + ", in the same case", "bundleId")
    return found


def _tools(reader: Reader, policy: ManifestPolicy) -> Generator[None, None, list[Tool]]:
    raw = reader.raw("tools")
    if raw is None:
        reader.missing("tools", "list the tools; a bundle without any has []")
        return []
    elements = split_array(raw)
    if elements is None:
        reader.report("tools.type", "'tools' is not an array", "write [{…}, {…}]", "tools")
        return []
    most = policy.limits.max_tools
    if len(elements) > most:
        problem = f"the bundle has {len(elements)} tools, more than maxToolsPerBundle, which is {most}"
        reader.report(
            "tools.count", problem, "split the bundle, or have the gateway's operator raise the limit", "tools"
        )
    yield
    tools: list[Tool] = []
    names: list[tuple[int, str]] = []
    for at, element in enumerate(elements[:most]):
        found = split_object(element)
        if found is None:
            mend = 'write {"name": …, "description": …, "inputSchema": …, "_meta": …}'
            reader.report("tools.element", "a tool is not an object", mend, "tools", str(at))
            continue
        one = Reader(found, "tool", reader.pointer + json_pointer("tools", str(at)))
        tool = yield from check_tool(one, policy)
        reader.findings += one.findings
        if tool is not None:
            tools.append(tool)
        if one.tool is not None:
            names.append((at, one.tool))
    reader.findings += _twins(names)
    return tools


def _twins(names: Sequence[tuple[int, str]]) -> Iterator[Finding]:
    first: dict[str, tuple[int, str]] = {}
    for at, name in names:
        earlier = first.setdefault(folded(name), (at, name))
        if earlier[0] != at:
            same = "the same name as" if earlier[1] == name else "a name that differs only in case from that of"
            problem = f"the tool has {same} tool {earlier[0]}, {earlier[1]!r}"
            yield Finding("tool.name.twin", f"/tools/{at}/name", name, problem, "give each tool a name of its own")


def _digest(bundle_id: str, tools: Sequence[Tool]) -> str:
    content = [
        (
            tool.name,
            tool.version,
            [(name, value.decode()) for name, value in tool.members.items()],
            str(tool.endpoint),
            tool.timeout_millis,
            tool.enabled,
        )
        for tool in tools
    ]
    return "sha256:" + hashlib.sha256(msgspec.json.encode((bundle_id, content))).hexdigest()
