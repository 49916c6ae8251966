"""Habits that a linter does not know: reasons beside exceptions, no mocks, a core that imports only what is listed."""

import ast
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from support import tree

SUPPRESSION = re.compile(r"#\s*(noqa\b:?|type:\s*ignore|pragma:\s*no (?:cover|branch))(?P<rest>.*)")
MOCKS = {"mock", "unittest.mock", "pytest_mock"}
PATCHING_FIXTURES = {"monkeypatch", "mocker"}

CORE = (
    "src/axhub/agent/domain",
    "src/axhub/agent/ports",
    "src/axhub/agent/usecases",
    "src/axhub/contract",
    "src/axhub/gateway/domain",
    "src/axhub/gateway/ports.py",
    "src/axhub/gateway/usecases",
    "src/axhub/toolkit/rules",
)
CORE_MAY_IMPORT = {
    "ast",  # reads text that is written like Python; nothing of it is run
    "asyncio",  # tasks, events and time-outs in the use cases; see the next test for what is not allowed of it
    "axhub",
    "base64",
    "binascii",
    "bisect",
    "codecs",
    "collections",
    "collections.abc",
    "contextlib",
    "contextvars",
    "dataclasses",
    "datetime",
    "decimal",
    "difflib",
    "enum",
    "fractions",
    "functools",
    "hashlib",
    "ipaddress",
    "itertools",
    "json",
    "jsonschema_rs",
    "math",
    "msgspec",
    "operator",
    "re",
    "string",
    "types",
    "typing",
    "unicodedata",
    "urllib.parse",  # splits text; nothing else of urllib
    "wcwidth",  # tables of Unicode's character widths
}
ASYNCIO_FOR_THE_CORE = {
    "CancelledError",
    "Condition",
    "Event",
    "Future",
    "InvalidStateError",
    "Lock",
    "Queue",
    "Semaphore",
    "Task",
    "TaskGroup",
    "create_task",
    "current_task",
    "ensure_future",
    "gather",
    "get_running_loop",
    "shield",
    "timeout",
    "wait",
    "wait_for",
}


def test_every_suppressed_finding_names_its_rule_and_its_reason() -> None:
    bare = [
        f"{tree.shown(path)}:{number} {comment}"
        for path in tree.python_files()
        for number, comment in _comments(path)
        if (found := SUPPRESSION.search(comment)) and not _has_rule_and_reason(found[1], found["rest"])
    ]
    assert bare == []


def _comments(path: Path) -> Iterator[tuple[int, str]]:
    with path.open("rb") as file:
        for token in tokenize.tokenize(file.readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string


def _has_rule_and_reason(kind: str, rest: str) -> bool:
    """`noqa: S104 - why`, `type: ignore[attr-defined]  # why`, `pragma: no cover - why`."""
    if kind.startswith("noqa"):
        rest, had_rule = re.subn(r"^:?\s*[A-Z]+\d+(?:\s*,\s*[A-Z]+\d+)*", "", rest, count=1)
    elif kind.startswith("type"):
        rest, had_rule = re.subn(r"^\[[a-z-]+(?:,\s*[a-z-]+)*\]", "", rest, count=1)
    else:
        had_rule = 1
    return bool(had_rule) and len(re.findall(r"\w+", rest)) > 1


@pytest.mark.parametrize(
    ("line", "accepted"),
    [
        ("x = 1  # noqa: S104 - the operator asked for it", True),
        ("x = 1  # noqa: S104, S105  # the operator asked for it", True),
        ("x = 1  # noqa: S104", False),
        ("x = 1  # noqa", False),
        ("x = 1  # type: ignore[attr-defined]  # uvloop has no stubs", True),
        ("x = 1  # type: ignore  # uvloop has no stubs", False),
        ("x = 1  # pragma: no cover", False),
        ("x = 1  # pragma: no cover - only on Windows", True),
    ],
)
def test_a_rule_without_a_reason_is_not_enough(line: str, accepted: bool) -> None:
    found = SUPPRESSION.search(line)
    assert found is not None
    assert _has_rule_and_reason(found[1], found["rest"]) is accepted


def test_no_file_uses_a_mocking_library() -> None:
    mocks = [
        f"{tree.shown(path)}:{line} {module}"
        for path in tree.python_files()
        for module, name, line in tree.imported_names(path)
        if {module, f"{module}.{name}", module.split(".")[0]} & MOCKS
    ]
    assert mocks == []


def test_no_test_patches_anything_but_the_process_around_our_code() -> None:
    patches = [
        f"{tree.shown(path)}:{node.lineno} {ast.unparse(node)}"
        for path in tree.python_files("tests")
        for node in ast.walk(tree.parse(path))
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[0] in PATCHING_FIXTURES
        if not _patches_the_process(node)
    ]
    assert patches == []


def _patches_the_process(call: ast.Call) -> bool:
    """Standard streams, the module table, environment and current folder may be set; names in our code may not."""
    method = ast.unparse(call.func).split(".")[-1]
    target = ast.unparse(call.args[0]).strip("'\"") if call.args else ""
    return method in {"setenv", "delenv", "chdir"} or target.split(".")[0] == "sys" or target == "os.environ"


def test_the_contract_and_the_inner_layers_import_only_what_is_named_here() -> None:
    others = [
        f"{tree.shown(path)}:{line} {module}"
        for path in tree.python_files("src")
        if tree.shown(path).startswith(CORE)
        for module, _, line in tree.imported_names(path)
        if module not in CORE_MAY_IMPORT and module.split(".")[0] != "axhub"
    ]
    assert others == []


def test_the_inner_layers_use_asyncio_for_tasks_only_never_for_sockets_or_processes() -> None:
    others = [
        f"{tree.shown(path)}:{node.lineno} asyncio.{node.attr}"
        for path in tree.python_files("src")
        if tree.shown(path).startswith(CORE)
        for node in ast.walk(tree.parse(path))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "asyncio"
        if node.attr not in ASYNCIO_FOR_THE_CORE
    ]
    assert others == []


def test_only_where_a_process_begins_its_environment_is_read() -> None:
    begins = (
        "src/axhub/cli/",
        "src/axhub/toolkit/service/app.py",  # where another ASGI server runs the app
        "src/axhub/toolkit/gate/setuptools_backend.py",  # where pip or build run the backend
        "src/axhub/toolkit/check/inspection.py",  # what of it the process that imports a service is given
        "src/axhub/toolkit/inspecting/variables.py",  # what an author's code reads of it in that process
    )
    readers = [
        f"{tree.shown(path)}:{node.lineno}"
        for path in tree.python_files("src")
        if not tree.shown(path).startswith(begins)
        for node in ast.walk(tree.parse(path))
        if isinstance(node, ast.Attribute) and ast.unparse(node) in {"os.environ", "os.getenv", "os.putenv"}
    ]
    assert readers == []
