"""`axhub.lock.json`: what a Tool Service has released, as a document that people review (decision/D12).

Names in it are those that authors write; the namespace stands apart. Equal locks give equal bytes.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from axhub.contract.duplicates import find_duplicates
from axhub.contract.jsontext import JsonTextError, check_text, compact
from axhub.toolkit.rules.model import SaidError, Text

__all__ = ["HINTS", "LOCK", "Lock", "LockError", "LockedTool", "Retired", "lock_of_manifest", "read_lock", "write_lock"]

LOCK: Final = "axhub.lock.json"
"""Beside `pyproject.toml`, and committed."""
HINTS: Final = ("readOnly", "destructive", "idempotent", "openWorld")
_FORM: Final = 1
_MERGING: Final = (b"<<<<<<< ", b">>>>>>> ")


class LockError(SaidError):
    """A document is no lock that can be used; `text` says why, and what to do."""


@dataclass(frozen=True, slots=True)
class LockedTool:
    """One tool as callers know it."""

    version: str
    title: str
    description: str
    hints: Mapping[str, bool]
    """By the names of `HINTS`."""
    input_schema: Any
    output_schema: Any = None
    """What its answers fit, published or not; None: nothing is known of them."""
    output_published: bool = False
    """Whether the manifest carries it, so that callers get structured results (decision/D6)."""
    timeout_millis: int | None = None
    """None: not known."""
    enabled: bool = True


@dataclass(frozen=True, slots=True)
class Retired:
    """A tool that was released and is gone on purpose."""

    version: str
    """The last one."""
    reason: str


@dataclass(frozen=True, slots=True)
class Lock:
    """What was released."""

    bundle_id: str
    namespace: str = ""
    tools: Mapping[str, LockedTool] = field(default_factory=dict)
    retired: Mapping[str, Retired] = field(default_factory=dict)


class _Tool(msgspec.Struct, rename="camel", omit_defaults=True):
    version: str
    title: str
    description: str
    hints: dict[str, bool]
    input_schema: dict[str, Any] | bool
    output_schema: dict[str, Any] | bool | None = None
    output_published: bool = False
    timeout_millis: int | None = None
    enabled: bool = True


class _Document(msgspec.Struct, rename="camel"):
    lock_version: int
    bundle_id: str
    namespace: str = ""
    tools: dict[str, _Tool] = {}
    retired: dict[str, Retired] = {}


class _Form(msgspec.Struct, rename="camel"):
    lock_version: int | None = None
    tools: Any = None


class _Annotations(msgspec.Struct):
    """The hints of a manifest; left out they are the protocol's own."""

    read_only: bool | None = msgspec.field(default=None, name="readOnlyHint")
    destructive: bool | None = msgspec.field(default=None, name="destructiveHint")
    idempotent: bool | None = msgspec.field(default=None, name="idempotentHint")
    open_world: bool | None = msgspec.field(default=None, name="openWorldHint")


class _Meta(msgspec.Struct, rename="camel"):
    version: str
    timeout_millis: int | None = None
    enabled: bool | None = None


class _ManifestTool(msgspec.Struct, rename="camel"):
    name: str
    description: str
    input_schema: dict[str, Any]
    meta: _Meta = msgspec.field(name="_meta")
    title: str | None = None
    output_schema: dict[str, Any] | None = None
    annotations: _Annotations | None = None


class _Manifest(msgspec.Struct, rename="camel"):
    bundle_id: str
    tools: list[_ManifestTool]


def read_lock(content: bytes, name: str, namespace: str = "") -> Lock:
    """Read a lock, or a manifest in its place.

    Args:
        content: the document.
        name: what messages call it.
        namespace: which one the names of a manifest begin with.

    Raises:
        LockError: it is neither.
    """
    _check(content, name)
    try:
        form = msgspec.json.decode(content, type=_Form)
        if form.lock_version is None and isinstance(form.tools, list):
            return lock_of_manifest(content, namespace)
        if form.lock_version not in {None, _FORM}:
            raise _newer(name, form.lock_version)
        found = msgspec.json.decode(content, type=_Document)
    except msgspec.DecodeError as error:
        raise LockError(
            Text(
                f"{name}: it is neither a lock nor a manifest ({error}); take the lock from version "
                "control, or delete it and write it anew with `axhub sync --release`",
                f"{name}: lock도 매니페스트도 아닙니다({error}). 버전 관리에서 lock을 가져오거나, "
                "지운 뒤 `axhub sync --release` 명령으로 다시 쓰십시오",
            )
        ) from None
    return Lock(
        found.bundle_id, found.namespace, {tool: _locked(one) for tool, one in found.tools.items()}, found.retired
    )


def lock_of_manifest(content: bytes, namespace: str) -> Lock:
    """Return what a manifest promises; the namespace is taken off where all names begin with it.

    Raises:
        msgspec.DecodeError: it is no manifest.
    """
    found = msgspec.json.decode(content, type=_Manifest)
    known = namespace if all(tool.name.startswith(namespace) for tool in found.tools) else ""
    return Lock(found.bundle_id, known, {tool.name.removeprefix(known): _of_manifest(tool) for tool in found.tools})


def write_lock(lock: Lock) -> bytes:
    """Return a lock as it stands in its file: tools by name, and a line for each value."""
    document = {
        "lockVersion": _FORM,
        "bundleId": lock.bundle_id,
        "namespace": lock.namespace,
        "tools": {name: _written(lock.tools[name]) for name in sorted(lock.tools)},
        "retired": {
            name: {"version": lock.retired[name].version, "reason": lock.retired[name].reason}
            for name in sorted(lock.retired)
        },
    }
    return (json.dumps(document, ensure_ascii=False, indent=2) + "\n").encode("utf-8", "surrogatepass")


def _check(content: bytes, name: str) -> None:
    """Refuse what is no JSON, or says one thing twice."""
    if all(mark in content for mark in _MERGING):
        line = content[: content.index(_MERGING[0])].count(b"\n") + 1
        raise LockError(
            Text(
                f"{name}:{line}: a merge left its marks in it; take one side, then write it anew with "
                "`axhub sync --release`",
                f"{name}:{line}: 병합 표시가 남아 있습니다. 한쪽을 고른 뒤 `axhub sync --release` 명령으로 다시 "
                "쓰십시오",
            )
        )
    try:
        text = compact(content)
        check_text(content)
    except JsonTextError as error:
        raise LockError(
            Text(f"{name}: it is not valid JSON ({error})", f"{name}: 올바른 JSON이 아닙니다({error})")
        ) from None
    twice = _twice(text)
    if twice:
        raise LockError(Text(f'{name}: "{twice}" stands in it twice', f'{name}: "{twice}" 이름이 두 번 있습니다'))


def _twice(text: bytes) -> str:
    steps = find_duplicates(text)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return str(end.value[0].name) if end.value else ""


def _newer(name: str, version: int | None) -> LockError:
    return LockError(
        Text(
            f"{name}: it has the form {version}, and this axhub knows form {_FORM}; use the version of axhub that "
            "wrote it",
            f"{name}: 형식 {version}의 파일입니다. 이 axhub는 형식 {_FORM}만 압니다. 파일을 쓴 axhub 버전을 "
            "사용하십시오",
        )
    )


def _locked(tool: _Tool) -> LockedTool:
    return LockedTool(
        version=tool.version,
        title=tool.title,
        description=tool.description,
        hints=tool.hints,
        input_schema=tool.input_schema,
        output_schema=tool.output_schema,
        output_published=tool.output_published,
        timeout_millis=tool.timeout_millis,
        enabled=tool.enabled,
    )


def _of_manifest(tool: _ManifestTool) -> LockedTool:
    given = tool.annotations or _Annotations()
    said = (given.read_only, given.destructive, given.idempotent, given.open_world)
    usual = (False, True, False, True)  # what the protocol says of hints that are left out
    return LockedTool(
        version=tool.meta.version,
        title=tool.title or "",
        description=tool.description,
        hints={name: one if one is not None else other for name, one, other in zip(HINTS, said, usual, strict=True)},
        input_schema=tool.input_schema,
        output_schema=tool.output_schema,
        output_published=tool.output_schema is not None,
        timeout_millis=tool.meta.timeout_millis,
        enabled=tool.meta.enabled is not False,
    )


def _written(tool: LockedTool) -> dict[str, Any]:
    found: dict[str, Any] = {
        "version": tool.version,
        "title": tool.title,
        "description": tool.description,
        "hints": {name: tool.hints[name] for name in HINTS if name in tool.hints},
        "timeoutMillis": tool.timeout_millis,
        "enabled": tool.enabled,
        "inputSchema": tool.input_schema,
        "outputPublished": tool.output_published,
        "outputSchema": tool.output_schema,
    }
    usual = {"timeoutMillis": None, "enabled": True, "outputPublished": False, "outputSchema": None}
    return {name: value for name, value in found.items() if name not in usual or value != usual[name]}
