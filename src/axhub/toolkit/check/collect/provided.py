"""Which types the app of a package provides, as its source says it (rule/TK804)."""

import ast
from collections.abc import Iterable
from typing import Final

from axhub.toolkit.check.collect.names import Names, chain_of
from axhub.toolkit.check.collect.parsing import Parsed

__all__ = ["provided_in"]

_SERVICE: Final = "ToolService"
_OURS: Final = "axhub.toolkit."
_PROVIDE: Final = "provide"


def provided_in(modules: Iterable[tuple[Parsed, Names]]) -> frozenset[str] | None:
    """Return the absolute names of the types in `ToolService(…, provide={…})`.

    None where the source does not say it all: no such call or several, a list, or what only a run of it would tell.
    """
    calls = [
        (node, parsed, names)
        for parsed, names in modules
        if _SERVICE in parsed.text
        for node in ast.walk(parsed.tree)
        if isinstance(node, ast.Call) and _is_service(node, names)
    ]
    return _provided(*calls[0]) if len(calls) == 1 else None


def _is_service(call: ast.Call, names: Names) -> bool:
    called = names.resolve(chain_of(call.func) or "")
    return called.startswith(_OURS) and called.endswith(f".{_SERVICE}")


def _provided(call: ast.Call, parsed: Parsed, names: Names) -> frozenset[str] | None:
    if any(isinstance(one, ast.Starred) for one in call.args) or any(one.arg is None for one in call.keywords):
        return None
    given = next((one.value for one in call.keywords if one.arg == _PROVIDE), None)
    value = _followed(given, parsed)
    if value is None or (isinstance(value, ast.Tuple | ast.List) and not value.elts):
        return frozenset()
    types = (
        [chain_of(key) if key is not None else None for key in value.keys] if isinstance(value, ast.Dict) else [None]
    )
    known = [names.resolve(one) for one in types if one is not None]
    return frozenset(known) if len(known) == len(types) else None


def _followed(value: ast.expr | None, parsed: Parsed) -> ast.expr | None:
    """Return what a variable of the module stands for, if it is given one value only."""
    if not isinstance(value, ast.Name):
        return value
    given = [
        statement.value
        for statement in parsed.tree.body
        if isinstance(statement, ast.Assign | ast.AnnAssign)
        for target in (statement.targets if isinstance(statement, ast.Assign) else [statement.target])
        if isinstance(target, ast.Name) and target.id == value.id
    ]
    return given[0] if len(given) == 1 and given[0] is not None else value
