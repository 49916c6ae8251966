"""What names in a module stand for: imports, relative ones too, and what other modules of the package pass on."""

import ast
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from axhub.toolkit.check.collect.parsing import Parsed, inner_statements
from axhub.toolkit.facts.service import Import

__all__ = ["Names", "chain_of", "imports_of", "names_of"]

_MAX_HOPS: Final = 8  # a name may be passed on by one package after another, and in a circle


class Names:
    """Resolves the names of one module."""

    __slots__ = ("_exported", "_local")

    def __init__(self, local: Mapping[str, str], exported: Mapping[str, str]) -> None:
        self._local = local
        self._exported = exported

    def resolve(self, dotted: str) -> str:
        """Return the absolute name of what is written as `dotted`; unchanged where it is not known."""
        first, _, rest = dotted.partition(".")
        known = self._local.get(first)
        if known is None:
            return dotted
        return self._follow(f"{known}.{rest}" if rest else known)

    def _follow(self, name: str) -> str:
        for _ in range(_MAX_HOPS):
            head, rest = name, ""
            while head and head not in self._exported:
                head, _, last = head.rpartition(".")
                rest = f".{last}{rest}"
            if not head:
                break
            name = self._exported[head] + rest
        return name


def imports_of(parsed: Parsed) -> tuple[Import, ...]:
    """Return every import of a module, wherever in it they stand, in order."""
    return tuple(found for node in _statements(parsed.tree) for found in _imports(node, parsed))


def names_of(modules: Iterable[tuple[Parsed, tuple[Import, ...]]]) -> Mapping[str, Names]:
    """Return a resolver for each module, by its dotted name."""
    read = {parsed.name: (_defined(parsed), imports) for parsed, imports in modules}
    exported = {
        f"{name}.{local}": target
        for name, (_, imports) in read.items()
        for local, target in _bound(imports)
        if f"{name}.{local}" != target
    }
    return {
        name: Names({**_starred(imports, read), **defined, **dict(_bound(imports))}, exported)
        for name, (defined, imports) in read.items()
    }


def chain_of(node: ast.AST) -> str | None:
    """Return `a.b.c` for a name or a chain of attributes of one, else None."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    return ".".join([node.id, *reversed(parts)])


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    for child in inner_statements(node):
        yield child
        yield from _statements(child)


def _imports(node: ast.AST, parsed: Parsed) -> Iterator[Import]:
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield Import(alias.name, "", parsed.place(alias), alias.asname or alias.name)
    elif isinstance(node, ast.ImportFrom):
        module = _absolute(node, parsed)
        for alias in node.names:
            yield Import(module, alias.name, parsed.place(alias), alias.asname or alias.name)


def _absolute(node: ast.ImportFrom, parsed: Parsed) -> str:
    if not node.level:
        return node.module or ""
    parts = parsed.name.split(".")
    up = node.level - 1 if parsed.is_package else node.level
    base = parts[: len(parts) - up] if up else parts
    return ".".join([*base, *([node.module] if node.module else [])])


def _bound(imports: Iterable[Import]) -> Iterator[tuple[str, str]]:
    for one in imports:
        if one.name == "*":
            continue
        if one.name:
            yield one.local, f"{one.module}.{one.name}"
        elif one.local != one.module:
            yield one.local, one.module
        else:  # `import a.b` makes `a` known
            first = one.module.partition(".")[0]
            yield first, first


def _defined(parsed: Parsed) -> dict[str, str]:
    return {
        node.name: f"{parsed.name}.{node.name}"
        for node in parsed.tree.body
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
    }


def _starred(
    imports: Iterable[Import], read: Mapping[str, tuple[dict[str, str], tuple[Import, ...]]]
) -> dict[str, str]:
    """Return what `from a import *` makes known, where `a` is of the same package."""
    names: dict[str, str] = {}
    for one in imports:
        if one.name == "*" and one.module in read:
            defined, passed_on = read[one.module]
            names |= {**defined, **dict(_bound(passed_on))}
    return names
