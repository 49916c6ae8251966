"""Reads the decorators of tools from the source (toolkit/T1)."""

import ast
from collections.abc import Iterator
from typing import Any, Final

from axhub.toolkit.check.collect.names import Names, chain_of
from axhub.toolkit.check.collect.parsing import Parsed, inner_statements
from axhub.toolkit.facts.service import Declared, Located, Place

__all__ = ["declared_in"]

_DECORATORS: Final = {
    f"{module}.{name}": name for module in ("axhub.toolkit", "axhub.toolkit.declare") for name in ("tool", "tool_hint")
}
_HINTS: Final = {
    "register": True,
    "category_key": "",
    "mapping_id": None,
    "input_schema_resource": None,
    "output_schema_resource": None,
    "requires_employee": False,
}
_DEFAULTS: Final[dict[str, Any]] = {"name": "", "title": "", "description": ""} | _HINTS
_ORDERS: Final = {"tool": tuple(_DEFAULTS), "tool_hint": tuple(_HINTS)}
"""What arguments by position are taken for; the decorators themselves take none."""

_AnyFunction = ast.FunctionDef | ast.AsyncFunctionDef


def declared_in(parsed: Parsed, names: Names) -> Iterator[Declared]:
    """Yield what is declared as a tool in a module, from top to bottom."""
    yield from _within(parsed.tree, parsed, names, parsed.name)


def _within(node: ast.AST, parsed: Parsed, names: Names, scope: str) -> Iterator[Declared]:
    for child in inner_statements(node):
        if isinstance(child, _AnyFunction | ast.ClassDef):
            qualified = f"{scope}.{child.name}"
            if isinstance(child, _AnyFunction) and (found := _Reading(parsed, names).read(child, qualified)):
                yield found
            yield from _within(child, parsed, names, qualified)
        else:
            yield from _within(child, parsed, names, scope)


class _Reading:
    """The decorators of one function while they are read."""

    def __init__(self, parsed: Parsed, names: Names) -> None:
        self._parsed = parsed
        self._names = names
        self._arguments: dict[str, Located[Any]] = {}
        self._computed: dict[str, Place] = {}
        self._positional: list[Located[str]] = []
        self._written: dict[str, list[Located[Any]]] = {}

    def read(self, function: _AnyFunction, qualified: str) -> Declared | None:
        """Return what the decorators declare, or None if none of them is ours."""
        places: dict[str, Place] = {}
        standing: dict[str, list[Place]] = {}
        for decorator in reversed(function.decorator_list):  # the upper one is applied later and says the last word
            kind = self._kind(decorator)
            if kind is not None:
                places[kind] = self._parsed.place(decorator)
                standing.setdefault(kind, []).insert(0, places[kind])
                self._read_call(decorator, kind)
        if not places:
            return None
        return Declared(
            place=places.get("tool") or places["tool_hint"],
            function=qualified,
            module=self._parsed.path,
            arguments=self._arguments,
            computed=self._computed,
            is_async=isinstance(function, ast.AsyncFunctionDef),
            decorated_by=frozenset(places),
            repeated={kind: tuple(found) for kind, found in standing.items() if len(found) > 1},
            contradicted=dict(self._contradicted()),
            positional=tuple(self._positional),
        )

    def _contradicted(self) -> Iterator[tuple[str, tuple[Located[Any], ...]]]:
        for name, written in self._written.items():
            if any(_differ(one.value, written[0].value) for one in written):
                yield name, tuple(reversed(written))

    def _kind(self, decorator: ast.expr) -> str | None:
        written = chain_of(decorator.func if isinstance(decorator, ast.Call) else decorator)
        return None if written is None else _DECORATORS.get(self._names.resolve(written))

    def _read_call(self, decorator: ast.expr, kind: str) -> None:
        if not isinstance(decorator, ast.Call):
            return
        for name, value in zip(_ORDERS[kind], decorator.args, strict=False):
            self._positional.append(Located(name, self._parsed.place(value)))
            self._note(name, value)
        for keyword in decorator.keywords:
            if keyword.arg is not None:
                self._note(keyword.arg, keyword.value)
        for keyword in decorator.keywords:
            if keyword.arg is None:  # `**…` may say anything that is not said beside it
                self._note_rest(kind, keyword.value)

    def _note(self, name: str, value: ast.expr) -> None:
        place = self._parsed.place(value)
        try:
            literal = ast.literal_eval(value)
        except (ValueError, TypeError, SyntaxError, RecursionError):
            self._arguments.pop(name, None)
            self._computed[name] = place
            return
        self._written.setdefault(name, []).append(Located(literal, place))
        if literal == _DEFAULTS.get(name) and (name in self._arguments or name in self._computed):
            return  # what says no more than the default leaves the other decorator's word
        self._computed.pop(name, None)
        self._arguments[name] = Located(literal, place)

    def _note_rest(self, kind: str, value: ast.expr) -> None:
        for name in _DEFAULTS if kind == "tool" else _HINTS:
            if name not in self._arguments:
                self._computed.setdefault(name, self._parsed.place(value))


def _differ(one: Any, other: Any) -> bool:
    """Say whether two literals are not the same; 1 and True are not."""
    return type(one) is not type(other) or one != other
