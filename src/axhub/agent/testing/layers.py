"""Says where an application breaks its layers, by reading its imports; nothing of it is run (seed 000, agent/A4)."""

import ast
from collections.abc import Iterator, Sequence
from importlib.util import find_spec, resolve_name
from pathlib import Path
from typing import Final, NamedTuple

__all__ = ["FRAMEWORKS", "LAYERS", "assert_layers"]

LAYERS: Final = ("main", "adapters", "usecases", "ports", "domain")
"""From the outermost to the innermost."""
FRAMEWORKS: Final = (
    *("axhub", "pydantic_ai", "langchain", "langchain_core", "langgraph", "openai", "anthropic", "agents", "mcp"),
    *("starlette", "fastapi", "flask", "django", "aiohttp", "httpx", "requests", "uvicorn"),
    *("sqlalchemy", "alembic", "asyncpg", "psycopg", "aiosqlite", "sqlite3", "redis", "jwt"),
)
"""What only adapters and main may import."""
_OUTER: Final = ("main", "adapters")


class _Import(NamedTuple):
    place: str
    layer: str
    """Of the module that imports."""
    target: str


def assert_layers(
    package: str,
    layers: Sequence[str] = LAYERS,
    *,
    outer: Sequence[str] = _OUTER,
    frameworks: Sequence[str] = FRAMEWORKS,
) -> None:
    """Fail if a module of a package imports one of a layer above its own, or an inner layer imports a framework.

    Args:
        package: the application's, such as `order_service`; it must be importable, and is not imported.
        layers: its sub-packages or modules, from the outermost to the innermost; each may import those after it.
        outer: the layers that may import frameworks.
        frameworks: what the other layers must not import.

    Raises:
        AssertionError: each import that is wrong, one a line.
        LookupError: there is no such package.
    """
    wrong = [
        fault
        for one in _imports(package, layers)
        if (fault := _fault(one, package, layers, outer, frameworks)) is not None
    ]
    if wrong:
        raise AssertionError("\n".join(wrong))


def _fault(
    one: _Import, package: str, layers: Sequence[str], outer: Sequence[str], frameworks: Sequence[str]
) -> str | None:
    top, _, rest = one.target.partition(".")
    if top == package:
        other = rest.partition(".")[0]
        is_above = other in layers and layers.index(other) < layers.index(one.layer)
        return f"{one.place}: {one.layer} imports {one.target}, of a layer above it" if is_above else None
    is_framework = top in frameworks and one.layer not in outer
    return f"{one.place}: {one.layer} imports {one.target}, which only {_listed(outer)} may" if is_framework else None


def _listed(outer: Sequence[str]) -> str:
    return " and ".join(sorted(outer))


def _imports(package: str, layers: Sequence[str]) -> Iterator[_Import]:
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise LookupError(f"there is no package {package}")
    for folder in map(Path, spec.submodule_search_locations):
        for path in sorted(folder.rglob("*.py")):
            parts = path.relative_to(folder).with_suffix("").parts
            if parts[0] in layers:
                yield from _imports_of(path, package, parts)


def _imports_of(path: Path, package: str, parts: tuple[str, ...]) -> Iterator[_Import]:
    parent = ".".join([package, *parts[:-1]])  # of a package's own file too: its parts end with __init__
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        place = f"{'/'.join([package, *parts])}.py:{getattr(node, 'lineno', 0)}"
        if isinstance(node, ast.Import):
            yield from (_Import(place, parts[0], alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = resolve_name("." * node.level + (node.module or ""), parent) if node.level else node.module or ""
            yield from (_Import(place, parts[0], f"{module}.{alias.name}") for alias in node.names)
