"""Reads the layouts of telegrams from the source: classes of `axhub.toolkit.mci.Layout` (toolkit/B1)."""

import ast
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from axhub.toolkit.check.collect.names import Names, chain_of
from axhub.toolkit.check.collect.parsing import Parsed, inner_statements
from axhub.toolkit.facts.source import Located, Place
from axhub.toolkit.facts.telegrams import GROUP, ROWS, Telegram, TelegramField

__all__ = ["telegrams_in"]

_OURS: Final = "axhub.toolkit.mci."
_LAYOUT: Final = "Layout"
_WORD: Final = "mci"
"""What a module mentions that has to do with telegrams."""
_ORDERS: Final[Mapping[str, tuple[str, ...]]] = {
    "Text": ("size", "pad", "trim", "align", "overflow", "on_bad_tail"),
    "Num": ("size", "scale", "sign", "plus"),
    "Packed": ("size", "scale", "signed"),
    "Date": ("format", "none"),
    "Filler": ("size", "fill"),
    ROWS: ("max", "count", "fixed"),
}
"""What arguments by position of each note are called."""
_MAX_HOPS: Final = 8  # an alias may stand for an alias, and in a circle


class _Written(NamedTuple):
    """An expression with the module that it stands in."""

    node: ast.expr
    parsed: Parsed
    names: Names

    def name(self, node: ast.AST) -> str:
        """Return the absolute name of what a part of it names; empty for any other expression."""
        written = chain_of(node)
        return "" if written is None else self.names.resolve(written)

    def place(self, node: ast.AST) -> Place:
        return self.parsed.place(node)


class _Found(NamedTuple):
    """One class that may be a layout."""

    node: ast.ClassDef
    qualified: str
    bases: tuple[str, ...]
    parsed: Parsed
    names: Names


def telegrams_in(modules: Iterable[tuple[Parsed, Names]]) -> tuple[Telegram, ...]:
    """Return the layouts that a package declares, those that inherit from its own ones too."""
    near = [(parsed, names) for parsed, names in modules if _WORD in parsed.text or f".{_WORD}." in parsed.name]
    classes = {one.qualified: one for parsed, names in near for one in _classes(parsed.tree, parsed, names)}
    layouts = {name for name in classes if _is_layout(name, classes)}
    reading = _Reading(dict(_aliases(near)), layouts)
    return tuple(reading.telegram(one) for name, one in classes.items() if name in layouts)


def _classes(node: ast.AST, parsed: Parsed, names: Names, scope: str = "") -> Iterator[_Found]:
    for child in inner_statements(node):
        if isinstance(child, ast.ClassDef):
            qualified = f"{scope or parsed.name}.{child.name}"
            bases = tuple(names.resolve(chain_of(base) or ast.unparse(base)) for base in child.bases)
            yield _Found(child, qualified, bases, parsed, names)
            yield from _classes(child, parsed, names, qualified)
        elif not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _classes(child, parsed, names, scope)


def _is_layout(name: str, classes: Mapping[str, _Found], hops: int = 0) -> bool:
    if name.startswith(_OURS):
        return name.endswith(f".{_LAYOUT}")
    found = classes.get(name)
    return found is not None and hops < _MAX_HOPS and any(_is_layout(one, classes, hops + 1) for one in found.bases)


def _aliases(modules: Iterable[tuple[Parsed, Names]]) -> Iterator[tuple[str, _Written]]:
    """Yield what names of a module stand for that are given one value, as `Amount = Annotated[int, Num(13)]`."""
    for parsed, names in modules:
        for statement in parsed.tree.body:
            targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
            value = getattr(statement, "value", None)
            if len(targets) == 1 and isinstance(targets[0], ast.Name) and isinstance(value, ast.expr):
                yield f"{parsed.name}.{targets[0].id}", _Written(value, parsed, names)


class _Reading:
    """Reads classes; knows the package's aliases and which classes are layouts."""

    def __init__(self, aliases: Mapping[str, _Written], layouts: set[str]) -> None:
        self._aliases = aliases
        self._layouts = layouts

    def telegram(self, found: _Found) -> Telegram:
        """Return the facts of one layout."""
        fields: dict[str, TelegramField] = {}
        twice: list[Located[str]] = []
        for one in self._fields(found):
            if one.name in fields:
                twice.append(Located(one.name, one.place))
            fields[one.name] = one
        arguments: dict[str, Located[Any]] = {}
        computed: dict[str, Place] = {}
        for keyword in found.node.keywords:
            name, place = keyword.arg or "*", found.parsed.place(keyword.value)
            value = self._literal(_Written(keyword.value, found.parsed, found.names))
            if value is ... or keyword.arg is None:
                computed[name] = place
            else:
                arguments[name] = Located(value, place)
        return Telegram(
            name=found.node.name,
            qualified=found.qualified,
            bases=found.bases,
            place=found.parsed.place(found.node),
            fields=tuple(fields.values()),
            twice=tuple(twice),
            arguments=arguments,
            computed=computed,
        )

    def _fields(self, found: _Found) -> Iterator[TelegramField]:
        for statement in found.node.body:
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                written = _Written(statement.annotation, found.parsed, found.names)
                if not written.name(_outer(statement.annotation)).endswith("ClassVar"):
                    yield self._field(statement.target.id, written, found.parsed.place(statement))

    def _field(self, name: str, written: _Written, place: Place, hops: int = 0) -> TelegramField:
        node = _unquoted(written.node)
        dotted = written.name(node)
        if dotted in self._layouts:
            return TelegramField(name, GROUP, place, holds=dotted)
        alias = self._alias(dotted, written)
        if alias is not None and hops < _MAX_HOPS:
            return self._field(name, alias, place, hops + 1)
        if not (isinstance(node, ast.Subscript) and written.name(node.value).endswith("Annotated")):
            return TelegramField(name, "", place)
        held, *notes = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        for note in notes:
            called = written.name(note.func) if isinstance(note, ast.Call) else ""
            kind = called.rpartition(".")[2]
            if isinstance(note, ast.Call) and called.startswith(_OURS) and kind in _ORDERS:
                arguments, computed = self._arguments(kind, note, written, None if node is written.node else place)
                return TelegramField(name, kind, place, arguments, computed, self._held(held, written))
        return TelegramField(name, "", place)

    def _arguments(
        self, kind: str, note: ast.Call, written: _Written, place: Place | None
    ) -> tuple[Mapping[str, Located[Any]], frozenset[str]]:
        """Return the arguments of a note that are literals, and the names of the others; `place` is that of all."""
        given = list(zip(_ORDERS[kind], note.args, strict=False))
        given += [(keyword.arg or "*", keyword.value) for keyword in note.keywords]
        arguments: dict[str, Located[Any]] = {}
        computed: set[str] = set()
        for name, value in given:
            literal = self._literal(written._replace(node=value))
            if literal is ... or name == "*":
                computed.add("*" if isinstance(value, ast.Starred) else name)
            else:
                arguments[name] = Located(literal, place or written.place(value))
        return arguments, frozenset(computed)

    def _held(self, node: ast.expr, written: _Written) -> str:
        """Return the layout of `list[Row]` or `tuple[Row, ...]`; empty for anything else."""
        node = _unquoted(node)
        if not isinstance(node, ast.Subscript):
            return ""
        inner = node.slice.elts[0] if isinstance(node.slice, ast.Tuple) and node.slice.elts else node.slice
        dotted = written.name(_unquoted(inner))
        return dotted if dotted in self._layouts else ""

    def _alias(self, dotted: str, written: _Written) -> _Written | None:
        """Return what a name stands for: of its own module, or one that is imported from another of the package."""
        return None if not dotted else self._aliases.get(f"{written.parsed.name}.{dotted}") or self._aliases.get(dotted)

    def _literal(self, written: _Written, hops: int = 0) -> Any:
        """Return the value of a literal, or of a name that is given one; `...` for anything else."""
        alias = self._alias(written.name(written.node), written)
        if alias is not None and hops < _MAX_HOPS:
            return self._literal(alias, hops + 1)
        try:
            return ast.literal_eval(written.node)
        except (ValueError, TypeError, SyntaxError, RecursionError):
            return ...


def _outer(node: ast.expr) -> ast.expr:
    return node.value if isinstance(node, ast.Subscript) else node


def _unquoted(node: ast.expr) -> ast.expr:
    """Return the expression in a text, as annotations may be written; its place is not known then."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        try:
            return ast.parse(node.value, mode="eval").body
        except (SyntaxError, ValueError):
            return node
    return node
