"""What a definition says, as the manifest's texts and hints (toolkit/T8)."""

from collections.abc import Iterator
from typing import Any, Final

from axhub.toolkit.facts.service import Definition, Unusable
from axhub.toolkit.published.tool import Repeat, Texts

__all__ = ["MAX_DESCRIPTION", "PARTS", "compose", "read_repeat", "read_texts", "required_env_keys"]

PARTS: Final = ("function", "when_to_use", "when_not_to_use", "io_limits")
"""The parts of a description, in the order in which a model reads them."""
MAX_DESCRIPTION: Final = 1024
"""Characters of the composed description; longer ones are cut or refused by some providers (decision/D25)."""

_TEXTS: Final = ("display_name", "version")
_HINTS: Final = ("read_only", "destructive", "idempotent")


def compose(parts: Iterator[str] | list[str]) -> str:
    """Put the parts of a description on lines of their own; a part that was folded over lines becomes one line."""
    return "\n".join(" ".join(part.split()) for part in parts)


def read_texts(definition: Definition) -> Texts | tuple[Unusable, ...]:
    """Return what a definition says to models, or what of it cannot be published."""
    if definition.problem is not None:
        said = {"problem": definition.problem.value}
        return (Unusable("unreadable-definition", definition.problem.place, said, definition.stem),)
    problems = tuple(_problems(definition))
    if problems:
        return problems
    values = definition.values
    return Texts(
        title=compose([values["display_name"]]),
        description=compose([values["description"][part] for part in PARTS]),
        version=values["version"].strip(),
        read_only=values["read_only"],
        destructive=values["destructive"],
        idempotent=values["idempotent"],
        open_world=values.get("open_world", False),
    )


def read_repeat(definition: Definition) -> Repeat | None:
    """Return how a definition says that repetition is prevented; None where it does not, or not in a known way."""
    said = definition.values.get("repeat")
    if not isinstance(said, dict):
        return None
    key, legacy = said.get("key"), said.get("legacy")
    if isinstance(key, list) and key and all(isinstance(name, str) for name in key):
        return Repeat(key=tuple(key))
    return Repeat(legacy=legacy.strip()) if isinstance(legacy, str) and legacy.strip() else None


def required_env_keys(definition: Definition) -> tuple[str, ...]:
    """Return the environment variables that a definition names."""
    said = definition.values.get("required_env_keys")
    return tuple(name for name in said if isinstance(name, str)) if isinstance(said, list) else ()


def _problems(definition: Definition) -> Iterator[Unusable]:
    for key in _TEXTS:
        if not _is_text(definition.values.get(key)):
            yield _wrong(definition, key, "text")
    parts = definition.values.get("description")
    for part in PARTS:
        if not isinstance(parts, dict) or not _is_text(parts.get(part)):
            yield _wrong(definition, f"description/{part}", "text")
    for key in _HINTS:
        if not isinstance(definition.values.get(key), bool):
            yield _wrong(definition, key, "true/false")
    if not isinstance(definition.values.get("open_world", False), bool):
        yield _wrong(definition, "open_world", "true/false")


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _wrong(definition: Definition, key: str, expected: str) -> Unusable:
    values = {"key": key.replace("/", "."), "expected": expected}
    return Unusable("definition-value", definition.place(f"/{key}"), values, definition.stem)
