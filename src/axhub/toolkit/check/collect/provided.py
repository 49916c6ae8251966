"""What the app of a package provides, as its source says it (rule/TK203, rule/TK804): importing it would start it."""

import ast
from collections.abc import Iterable
from typing import Final, NamedTuple

from axhub.toolkit.check.collect.names import Names, chain_of
from axhub.toolkit.check.collect.parsing import Parsed

__all__ = ["APP", "Provision", "provided_in", "provision_of"]

APP: Final = "ToolService"
"""What an app is made with; a module without this word makes none."""
_OURS: Final = "axhub.toolkit."
_PROVIDE: Final = "provide"
_MAX_HOPS: Final = 8


class Provision(NamedTuple):
    """What the one `ToolService(…)` of a package is given as `provide`."""

    value: ast.expr | None
    """The expression, of a variable what it stands for; None: nothing is provided."""
    parsed: Parsed
    """The app's module."""
    names: Names
    """Its names."""

    def followed(self, node: ast.expr) -> ast.expr:
        """Return the expression that a variable stands for, which is given one value only in the whole module."""
        for _ in range(_MAX_HOPS):
            values = _given(node.id, self.parsed.tree) if isinstance(node, ast.Name) else []
            if len(values) != 1:
                break
            node = values[0]
        return node

    def name_of(self, node: ast.expr | None) -> str | None:
        """Return the absolute name of what an expression names; None for any other expression."""
        written = None if node is None else chain_of(node)
        return None if written is None else self.names.resolve(written)


def provision_of(modules: Iterable[tuple[Parsed, Names]]) -> Provision | None:
    """Return what the app provides.

    None where the source does not say it: no app or several, or arguments that only a run of it would tell.
    """
    calls = [
        (node, parsed, names)
        for parsed, names in modules
        if APP in parsed.text
        for node in ast.walk(parsed.tree)
        if isinstance(node, ast.Call) and _is_app(node, names)
    ]
    return _provision(*calls[0]) if len(calls) == 1 else None


def provided_in(modules: Iterable[tuple[Parsed, Names]]) -> frozenset[str] | None:
    """Return the absolute names of the types in `ToolService(…, provide={…})`.

    None where the source does not say it all: see `provision_of`, or a list of instances.
    """
    found = provision_of(modules)
    if found is None:
        return None
    value = found.value
    if value is None or (isinstance(value, ast.Tuple | ast.List) and not value.elts):
        return frozenset()
    types = [found.name_of(key) for key in value.keys] if isinstance(value, ast.Dict) else [None]
    known = [one for one in types if one is not None]
    return frozenset(known) if len(known) == len(types) else None


def _is_app(call: ast.Call, names: Names) -> bool:
    called = names.resolve(chain_of(call.func) or "")
    return called.startswith(_OURS) and called.endswith(f".{APP}")


def _provision(call: ast.Call, parsed: Parsed, names: Names) -> Provision | None:
    if any(isinstance(one, ast.Starred) for one in call.args) or any(one.arg is None for one in call.keywords):
        return None
    found = Provision(None, parsed, names)
    given = next((one.value for one in call.keywords if one.arg == _PROVIDE), None)
    return found if given is None else found._replace(value=found.followed(given))


def _given(name: str, tree: ast.AST) -> list[ast.expr]:
    """Return what a variable is given, wherever in a module that is done."""
    values = []
    for node in ast.walk(tree):
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        value = getattr(node, "value", None)
        if isinstance(value, ast.expr):
            values += [value for target in targets if isinstance(target, ast.Name) and target.id == name]
    return values
