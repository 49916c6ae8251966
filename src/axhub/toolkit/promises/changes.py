"""What of a release would be noticed by callers, and how: the changes between two locks."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from axhub.toolkit.facts.wording import shown
from axhub.toolkit.promises.lock import HINTS, Lock, LockedTool
from axhub.toolkit.promises.schema_changes import SchemaChange, Side, schema_changes
from axhub.toolkit.promises.words import SCHEMA_WORDS, TOOL_WORDS, Severity
from axhub.toolkit.rules.model import Text

__all__ = ["Change", "Severity", "changes", "is_major_step", "unstepped"]

_VERSION: Final = re.compile(r"(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(?:[-+].*)?")
_SAFER: Final[Mapping[str, bool]] = {"readOnly": True, "destructive": False, "idempotent": True, "openWorld": False}
"""Which value of a hint lets an agent do more by itself."""
_NEAR: Final = 0.8


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that is not as it was."""

    severity: Severity
    kind: str
    """Such as `tool-gone`, `required`; docs/howto/releases.md lists them."""
    tool: str
    """Authored name; empty: it concerns all of them."""
    pointer: str
    """The member of the lock's entry, and in a schema on into the value: `/inputSchema/rows/*/claimNo`."""
    before: str
    after: str
    text: Text


def changes(old: Lock, new: Lock) -> tuple[Change, ...]:
    """Return what changed, what breaks callers first.

    Args:
        old: what was promised. Where it says nothing about answers or time limits, as a manifest may, nothing is
            compared.
        new: what would be promised now.
    """
    return tuple(sorted(_changes(old, new), key=lambda change: (change.severity.rank, change.tool, change.pointer)))


def unstepped(found: tuple[Change, ...], old: Lock, new: Lock) -> tuple[str, ...]:
    """Return the tools with a breaking change whose major version is as it was, ascending.

    Another namespace breaks the callers of all of them.
    """
    both = old.tools.keys() & new.tools.keys()
    if all(change.kind != "namespace" for change in found):
        both &= {change.tool for change in found if change.severity is Severity.BREAKING}
    return tuple(sorted(name for name in both if not is_major_step(old.tools[name].version, new.tools[name].version)))


def is_major_step(before: str, after: str) -> bool:
    """Say whether the first number of a version went up."""
    old, new = _VERSION.fullmatch(before), _VERSION.fullmatch(after)
    return old is not None and new is not None and int(new[1]) > int(old[1])


def _changes(old: Lock, new: Lock) -> Iterator[Change]:
    if old.bundle_id != new.bundle_id:
        yield _change("bundle-id", "", "/bundleId", old.bundle_id, new.bundle_id)
    if old.namespace != new.namespace:
        yield _change("namespace", "", "/namespace", old.namespace, new.namespace)
    for name in sorted(old.tools.keys() | new.tools.keys()):
        if name not in new.tools:
            yield _gone(name, old, new)
        elif name not in old.tools:
            yield _change("tool-new", name, "", "", new.tools[name].version)
        else:
            yield from _tool(name, old.tools[name], new.tools[name])


def _gone(name: str, old: Lock, new: Lock) -> Change:
    if name in new.retired:
        return _change("tool-retired", name, "", old.tools[name].version, new.retired[name].reason)
    near = get_close_matches(name, [other for other in new.tools if other not in old.tools], 1, _NEAR)
    return _change("tool-renamed" if near else "tool-gone", name, "", old.tools[name].version, "".join(near))


def _tool(name: str, old: LockedTool, new: LockedTool) -> Iterator[Change]:
    if old.enabled != new.enabled:
        yield _change(
            "enabled" if new.enabled else "disabled", name, "/enabled", shown(old.enabled), shown(new.enabled)
        )
    yield from _version(name, old.version, new.version)
    for word, before, after in (("title", old.title, new.title), ("description", old.description, new.description)):
        if before != after:
            yield _change(word, name, f"/{word}", before, after)
    for hint in HINTS:
        if (was := old.hints.get(hint)) is not None and (now := new.hints.get(hint)) is not None and was != now:
            kind = "hint-safer" if now is _SAFER[hint] else "hint-less-safe"
            yield _change(kind, name, f"/hints/{hint}", shown(was), shown(now))
    yield from _time(name, old.timeout_millis, new.timeout_millis)
    yield from _of_schema(name, schema_changes(old.input_schema, new.input_schema, Side.INPUT), Side.INPUT)
    yield from _output(name, old, new)


def _version(name: str, before: str, after: str) -> Iterator[Change]:
    if before == after:
        return
    old, new = (_numbers(version) for version in (before, after))
    is_back = old is None or new is None or new < old
    yield _change("version-back" if is_back else "version", name, "/version", before, after)


def _numbers(version: str) -> tuple[int, ...] | None:
    found = _VERSION.fullmatch(version)
    return None if found is None else tuple(map(int, found.groups()))


def _time(name: str, before: int | None, after: int | None) -> Iterator[Change]:
    if before is not None and after is not None and before != after:
        kind = "less-time" if after < before else "more-time"
        yield _change(kind, name, "/timeoutMillis", str(before), str(after))


def _output(name: str, old: LockedTool, new: LockedTool) -> Iterator[Change]:
    if old.output_published != new.output_published:
        kind = "output-published" if new.output_published else "output-unpublished"
        yield _change(kind, name, "/outputPublished", shown(old.output_published), shown(new.output_published))
    if old.output_schema is None or new.output_schema is None:
        if old.output_schema is not None:
            yield _change("output-unknown", name, "/outputSchema", "", "")
        return
    yield from _of_schema(name, schema_changes(old.output_schema, new.output_schema, Side.OUTPUT), Side.OUTPUT)


def _of_schema(name: str, found: tuple[SchemaChange, ...], side: Side) -> Iterator[Change]:
    for one in found:
        word = SCHEMA_WORDS[one.kind]
        values = {"name": one.name, "before": one.before, "after": one.after, "keyword": one.keyword}
        severity = word.of_input if side is Side.INPUT else word.of_output
        nothing = {"before": Text("nothing", "없음"), "after": Text("nothing", "없음")}
        text = Text(
            word.text.en.format_map(values | {key: values[key] or nothing[key].en for key in nothing}),
            word.text.ko.format_map(values | {key: values[key] or nothing[key].ko for key in nothing}),
        )
        yield Change(severity, one.kind, name, f"/{side.value}{one.pointer}", one.before, one.after, text)


def _change(kind: str, tool: str, pointer: str, before: str, after: str) -> Change:
    word = TOOL_WORDS[kind]
    values = {"tool": tool, "before": _line(before), "after": _line(after), "hint": pointer.rpartition("/")[2]}
    text = Text(word.text.en.format_map(values), word.text.ko.format_map(values))
    return Change(word.severity, kind, tool, pointer, before, after, text)


def _line(text: str) -> str:
    return " ".join(text.split())
