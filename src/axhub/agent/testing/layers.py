"""Says where an application breaks its layers, by reading its imports; nothing of it is run (seed 000, agent/A4)."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from importlib.util import find_spec, resolve_name
from pathlib import Path
from typing import Final, NamedTuple

__all__ = ["FRAMEWORKS", "LAYERS", "assert_layers"]

LAYERS: Final = ("main", "adapters", "usecases", "ports", "domain")
"""From the outermost to the innermost."""
FRAMEWORKS: Final = (
    *("axhub", "pydantic_ai", "langchain", "langchain_core", "langgraph", "openai", "anthropic", "agents", "mcp"),
    *("google", "litellm", "ollama", "transformers", "boto3", "botocore", "fastmcp", "llama_index"),
    *("starlette", "fastapi", "flask", "django", "aiohttp", "httpx", "requests", "uvicorn", "urllib3", "grpc"),
    *("sqlalchemy", "alembic", "asyncpg", "psycopg", "psycopg2", "pymysql", "aiomysql", "aiosqlite", "sqlite3"),
    *("oracledb", "pymongo", "redis", "kafka", "pika", "aio_pika", "nats", "jwt"),
)
"""What only adapters and main may import."""
_OUTER: Final = ("main", "adapters")
_OWN_FILE: Final = "__init__"


class _Import(NamedTuple):
    place: str
    top: str
    """The module of the package that imports, or the sub-package that it stands in."""
    target: str
    """Empty: a module that imports nothing."""


def assert_layers(
    package: str,
    layers: Sequence[str] = LAYERS,
    *,
    outer: Sequence[str] = _OUTER,
    frameworks: Sequence[str] = FRAMEWORKS,
) -> None:
    """Fail if a module of a package imports one of a layer above its own, or an inner layer imports a framework.

    A module beside the layers belongs to the innermost layer that imports it, directly or through others beside them.

    Args:
        package: the application's, such as `order_service`; it must be importable, and is not imported.
        layers: its sub-packages or modules, from the outermost to the innermost; each may import those after it, and
            each must be there: of a name that is not, nothing would be looked at.
        outer: the layers that may import frameworks.
        frameworks: what the other layers must not import.

    Raises:
        AssertionError: each layer that is not there, or each import that is wrong, one a line.
        LookupError: there is no such package.
    """
    found = list(_imports(package))
    wrong = [
        f"{package} has no {layer}: name its layers in layers=..." for layer in layers if layer not in _tops(found)
    ]
    if not wrong:
        ranks = _ranks(found, package, layers)
        faults = (_fault(one, package, layers, ranks, (outer, frameworks)) for one in found if one.top in ranks)
        wrong = [fault for fault in faults if fault is not None]
    if wrong:
        raise AssertionError("\n".join(wrong))


def _tops(found: Sequence[_Import]) -> set[str]:
    return {one.top for one in found}


def _ranks(found: Sequence[_Import], package: str, layers: Sequence[str]) -> Mapping[str, int]:
    """Return the layer of each module, as its position: of one beside the layers the innermost that reaches it."""
    ranks = {layer: position for position, layer in enumerate(layers)}
    tops = _tops(found)
    is_changed = True
    while is_changed:
        is_changed = False
        for one in found:
            other = _top_of(one.target, package, tops)
            rank = ranks.get(one.top)
            if other is None or rank is None or other in layers or ranks.get(other, -1) >= rank:
                continue
            ranks[other] = rank
            is_changed = True
    return ranks


def _top_of(target: str, package: str, tops: AbstractSet[str]) -> str | None:
    """Return the module or sub-package of the package that an import reaches; None: none of it."""
    top, _, rest = target.partition(".")
    if top != package:
        return None
    other = rest.partition(".")[0]
    return other if other in tops else _OWN_FILE


def _fault(
    one: _Import,
    package: str,
    layers: Sequence[str],
    ranks: Mapping[str, int],
    rules: tuple[Sequence[str], Sequence[str]],
) -> str | None:
    outer, frameworks = rules
    layer = layers[ranks[one.top]]
    who = layer if one.top == layer else f"{one.top}, which {layer} imports,"
    top, _, rest = one.target.partition(".")
    if top == package:
        other = rest.partition(".")[0]
        is_above = other in layers and layers.index(other) < ranks[one.top]
        return f"{one.place}: {who} imports {one.target}, of a layer above it" if is_above else None
    is_framework = top in frameworks and layer not in outer
    return f"{one.place}: {who} imports {one.target}, which only {_listed(outer)} may" if is_framework else None


def _listed(outer: Sequence[str]) -> str:
    return " and ".join(sorted(outer))


def _imports(package: str) -> Iterator[_Import]:
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise LookupError(f"there is no package {package}")
    for folder in map(Path, spec.submodule_search_locations):
        for path in sorted(folder.rglob("*.py")):
            parts = path.relative_to(folder).with_suffix("").parts
            yield _Import("", parts[0], "")
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
