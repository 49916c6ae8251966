"""Rules of the code itself: who opens transactions, and what crosses a port (agent/L8, agent/A3)."""

import ast
from pathlib import Path

import pytest

import order_service

PACKAGE = Path(order_service.__file__).parent
FILES = {path.relative_to(PACKAGE).as_posix(): ast.parse(path.read_text("utf-8")) for path in PACKAGE.rglob("*.py")}


def users_of(attribute: str, *owners: str) -> set[str]:
    """Return the files that call a method of that name of something with one of these names."""
    return {
        name
        for name, tree in FILES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == attribute
        and ast.unparse(node.func.value).rpartition(".")[2] in owners
    }


@pytest.mark.req("agent/L8")
def test_only_changes_begin_transactions_and_only_the_database_adapter_makes_them() -> None:
    commands = {f"usecases/{name}.py" for name in ("changing", "compensate_refund", "pay_out_refund")}
    assert users_of("begin", "_transactions", "transactions") == commands
    assert users_of("transaction", "_database", "database") == {"adapters/persistence/transactions.py"}


@pytest.mark.req("agent/A3")
def test_the_ports_to_the_assistant_speak_of_nothing_but_the_application() -> None:
    imported = {
        node.module or ""
        for name, tree in FILES.items()
        if name.startswith(("domain/", "ports/", "usecases/"))
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
    } | {
        alias.name
        for name, tree in FILES.items()
        if name.startswith(("domain/", "ports/", "usecases/"))
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    outside = {module for module in imported if not module.startswith("order_service.")}
    assert outside <= {"collections.abc", "contextlib", "dataclasses", "enum", "json", "re", "types", "typing"}
