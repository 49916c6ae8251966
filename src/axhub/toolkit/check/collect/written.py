"""Expressions as text: arguments as they are written, annotations with their names resolved."""

import ast

from axhub.toolkit.check.collect.names import Names, chain_of

__all__ = ["annotation_text", "argument_text"]


def argument_text(node: ast.expr) -> str:
    """Return an argument as it is written."""
    if isinstance(node, ast.Starred):
        return f"*{argument_text(node.value)}"
    if isinstance(node, ast.Constant):
        return repr(node.value)
    return chain_of(node) or ast.unparse(node)


def annotation_text(node: ast.expr | None, names: Names) -> str:
    """Return an annotation with absolute names; a text in it is read as what it names. Empty without one."""
    if node is None:
        return ""
    written = chain_of(node)  # most of them are just a name
    if written is not None:
        return names.resolve(written)
    return ast.unparse(_Resolving(names).visit(_copied(node)))


def _copied(node: ast.expr) -> ast.expr:
    return ast.parse(ast.unparse(node), mode="eval").body


class _Resolving(ast.NodeTransformer):
    def __init__(self, names: Names) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._resolved(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        return self._resolved(node)

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if not isinstance(node.value, str):
            return node
        try:
            return self.visit(ast.parse(node.value, mode="eval").body)  # type: ignore[no-any-return]  # a visitor's Any
        except (SyntaxError, ValueError):
            return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        node.value = self.visit(node.value)
        outer = chain_of(node.value) or ""
        if outer.endswith("Annotated") and isinstance(node.slice, ast.Tuple):  # texts after the type are no names
            node.slice.elts[0] = self.visit(node.slice.elts[0])
        elif not outer.endswith("Literal"):
            node.slice = self.visit(node.slice)
        return node

    def _resolved(self, node: ast.expr) -> ast.expr:
        written = chain_of(node)
        return node if written is None else ast.Name(self._names.resolve(written))  # dots and all: it is only printed
