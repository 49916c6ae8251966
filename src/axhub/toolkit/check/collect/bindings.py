"""What a name stands for that is given one value in its scope and no other; nothing is guessed about any other name."""

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

__all__ = ["Scope", "followed", "scope_of", "shared_in", "within"]

_MAX_HOPS: Final = 8  # a name may be given another one's value, and in a circle
_Nested = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
"""What has names of its own; those of comprehensions and lambdas count as their surroundings', which is safe."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The names that a module, a class or a function binds."""

    values: Mapping[str, ast.expr | None]
    """What each is given; None where it is given several values, or one that is only known when the code runs."""
    is_class: bool = False


def shared_in(tree: ast.AST) -> frozenset[str]:
    """Return the names that a function declares as `global` or `nonlocal`: they may be given anything."""
    declarations = (node for node in ast.walk(tree) if isinstance(node, ast.Global | ast.Nonlocal))
    return frozenset(name for node in declarations for name in node.names)


def scope_of(node: ast.AST, shared: frozenset[str]) -> Scope:
    """Return the scope of a module, a class or a function.

    Args:
        node: its tree.
        shared: what `shared_in` says about the module.
    """
    nodes = list(_own_nodes(node))
    times = Counter(name for one in nodes for name in _bound_by(one))
    given = dict(pair for one in nodes for pair in _given_by(one))
    values = {name: given.get(name) if times[name] == 1 and name not in shared else None for name in times}
    return Scope(values, isinstance(node, ast.ClassDef))


def within(scopes: tuple[Scope, ...], inner: Scope) -> tuple[Scope, ...]:
    """Return the scopes that code in `inner` sees; what a class binds is not seen by the functions in it."""
    return (*(one for one in scopes if not one.is_class), inner)


def followed(node: ast.expr, scopes: tuple[Scope, ...]) -> ast.expr:
    """Return the expression that a name stands for, over several names if need be; any other expression as it is.

    Args:
        node: the expression.
        scopes: those around it, outermost first.
    """
    for _ in range(_MAX_HOPS):
        if not isinstance(node, ast.Name):
            break
        depth = next((at for at in reversed(range(len(scopes))) if node.id in scopes[at].values), None)
        value = None if depth is None else scopes[depth].values[node.id]
        if depth is None or value is None or (depth == len(scopes) - 1 and not _is_before(value, node)):
            break
        node, scopes = value, scopes[: depth + 1]
    return node


def _is_before(value: ast.expr, use: ast.expr) -> bool:
    return (value.lineno, value.col_offset) < (use.lineno, use.col_offset)


def _own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what stands in a scope, functions and classes in it without what is inside them."""
    waiting = list(ast.iter_child_nodes(node))
    while waiting:
        one = waiting.pop()
        yield one
        if not isinstance(one, _Nested):
            waiting.extend(ast.iter_child_nodes(one))


def _bound_by(node: ast.AST) -> Iterator[str]:
    """Yield the names that a node by itself binds or unbinds."""
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name):
            yield name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name
        case ast.MatchMapping(rest=str(name)):
            yield name
        case ast.alias(name=name, asname=asname):
            yield asname or name.partition(".")[0]


def _given_by(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Yield the names that a node gives a value to as it is written, with that value."""
    match node:
        case ast.Assign(targets=targets, value=value):
            yield from ((one.id, value) for one in targets if isinstance(one, ast.Name))
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
            yield name, value
        case ast.NamedExpr(target=ast.Name(id=name), value=value):
            yield name, value
