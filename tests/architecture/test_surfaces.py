"""What a module shows, it shows on purpose and explains; what it hides stays hidden."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from support import tree

EXPLAINED = (
    "src/axhub/agent/domain",
    "src/axhub/agent/ports",
    "src/axhub/agent/usecases",
    "src/axhub/contract",
    "src/axhub/gateway/domain",
    "src/axhub/gateway/usecases",
    "src/axhub/gateway/ports.py",
    "src/axhub/toolkit/rules",
)
FROZEN = (*EXPLAINED, "src/axhub/gateway/config/settings.py")
"""Where a dataclass is a value that travels: nobody may change it on the way."""
PART_OF_THE_CLIENT = "src/axhub/gateway/adapters/http1/pool.py"
"""One bundle's connections: it looks like the upstream port, and is tested through the client that owns it."""
PORT_BASES = {"Protocol", "NamedTuple", "StrEnum", "Enum", "IntEnum"}

Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def _files(places: tuple[str, ...]) -> list[Path]:
    return [path for path in tree.python_files("src") if tree.shown(path).startswith(places)]


def _public(path: Path) -> Iterator[tuple[str, Definition | ast.Module]]:
    """Yield the module, its public classes and functions, and the public methods of those classes."""
    yield tree.shown(path), tree.parse(path)
    for node in tree.parse(path).body:
        if isinstance(node, Definition) and not node.name.startswith("_"):
            yield f"{tree.shown(path)}:{node.lineno} {node.name}", node
            if isinstance(node, ast.ClassDef):
                yield from (
                    (f"{tree.shown(path)}:{method.lineno} {node.name}.{method.name}", method)
                    for method in node.body
                    if isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef) and not method.name.startswith("_")
                )


def _data_options(node: ast.ClassDef) -> dict[str, bool] | None:
    """Return the options of a dataclass or a msgspec struct (its fields are slots anyway); None for another class."""
    if "msgspec.Struct" in {ast.unparse(base) for base in node.bases}:
        return {"slots": True} | _switches(node.keywords)
    for decorator in node.decorator_list:
        call = decorator.func if isinstance(decorator, ast.Call) else decorator
        if isinstance(call, ast.Name) and call.id == "dataclass":
            return _switches(decorator.keywords if isinstance(decorator, ast.Call) else [])
    return None


def _switches(keywords: list[ast.keyword]) -> dict[str, bool]:
    return {
        word.arg: word.value.value is True for word in keywords if word.arg and isinstance(word.value, ast.Constant)
    }


def _is_overload(node: Definition | ast.Module) -> bool:
    return not isinstance(node, ast.Module) and any(
        isinstance(decorator, ast.Name) and decorator.id in {"overload", "override"}
        for decorator in node.decorator_list
    )


def test_everything_public_in_the_contract_and_the_inner_layers_is_explained() -> None:
    silent = [
        place
        for path in _files(EXPLAINED)
        for place, node in _public(path)
        if ast.get_docstring(node) is None and not _is_overload(node)
    ]
    assert silent == []


def test_no_module_imports_a_private_name_of_another() -> None:
    peeks = [
        f"{tree.shown(path)}:{line} {module}.{name or ''}"
        for path in tree.python_files("src", "examples")
        for module, name, line in tree.imported_names(path)
        if module.split(".")[0] == "axhub" and re.search(r"\._(?!_)", f"{module}.{name or ''}")
    ]
    assert peeks == []


def test_imports_are_absolute() -> None:
    relative = [
        f"{tree.shown(path)}:{node.lineno}"
        for path in tree.python_files()
        for node in ast.walk(tree.parse(path))
        if isinstance(node, ast.ImportFrom) and node.level
    ]
    assert relative == []


@pytest.mark.parametrize("path", [p for p in tree.python_files("src") if p.name == "__init__.py"], ids=tree.shown)
def test_a_package_file_holds_its_docstring_and_its_surface_and_no_logic(path: Path) -> None:
    allowed = ast.Import | ast.ImportFrom | ast.Assign | ast.AnnAssign
    body = tree.parse(path).body
    assert ast.get_docstring(tree.parse(path)), "a package says in its docstring what it is"
    assert [node.lineno for node in body[1:] if not isinstance(node, allowed)] == []
    offered = {alias.asname or alias.name for node in body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert offered == _all(path), "what a package imports for others stands in its __all__, and nothing else does"


def _all(path: Path) -> set[str]:
    for node in tree.parse(path).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return set(ast.literal_eval(node.value))
    return set()


def test_every_name_in_an_all_list_is_defined_in_its_module() -> None:
    missing = [
        f"{tree.shown(path)} {name}"
        for path in tree.python_files("src")
        for name in _all(path) - _bound_names(tree.parse(path))
    ]
    assert missing == []


def _bound_names(module: ast.Module) -> set[str]:
    names: set[str] = set()
    for node in module.body:
        if isinstance(node, Definition):
            names.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {target.id for target in targets if isinstance(target, ast.Name)}
    return names


def test_ports_hold_protocols_and_frozen_data_only() -> None:
    path = tree.ROOT / "src/axhub/gateway/ports.py"
    functions = [
        node.name for node in tree.parse(path).body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    other_classes = [
        node.name
        for node in tree.parse(path).body
        if isinstance(node, ast.ClassDef)
        and _data_options(node) is None
        and not {ast.unparse(base).split("[")[0] for base in node.bases} & PORT_BASES
    ]
    assert (functions, other_classes) == ([], [])


def test_data_of_the_contract_and_the_inner_layers_is_frozen_and_slotted() -> None:
    soft = [
        f"{tree.shown(path)}:{node.lineno} {node.name}"
        for path in _files(FROZEN)
        for node in ast.walk(tree.parse(path))
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
        if (options := _data_options(node)) is not None
        if not (options.get("frozen") and options.get("slots"))
    ]
    assert soft == []


@pytest.mark.parametrize("port", ["Clock", "ManifestCache", "ManifestSource", "McpUpstream", "Upstream"])
def test_each_port_has_one_suite_that_runs_on_every_adapter_of_it(port: str) -> None:
    name = re.sub(r"(?<!^)(?=[A-Z])", "_", port).lower()
    suite = (tree.ROOT / "tests" / "ports" / f"test_{name}.py").read_text(encoding="utf-8")
    asked = _classes(tree.ROOT / "src/axhub/gateway/ports.py")[port]
    adapters = [
        name
        for path in tree.python_files("src/axhub/gateway/adapters")
        for name, methods in _classes(path).items()
        if asked <= methods and tree.shown(path) != PART_OF_THE_CLIENT
    ]
    assert adapters
    assert [adapter for adapter in adapters if adapter not in suite] == []


def _classes(path: Path) -> dict[str, set[str]]:
    """Return the public classes of a file, each with the methods it defines."""
    return {
        node.name: {method.name for method in node.body if isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef)}
        for node in tree.parse(path).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    }
