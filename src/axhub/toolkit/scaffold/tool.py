"""The files of a new tool with an HTTP API behind it, and its entry in the configuration (toolkit/T5)."""

import ast
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from axhub.toolkit.check.project import ToolProject
from axhub.toolkit.check.report import Language
from axhub.toolkit.layout import (
    BUSINESS,
    CONFIGURATION,
    HTTP,
    INFRASTRUCTURE,
    definition_file,
    sample_file,
)
from axhub.toolkit.rules.model import SaidError, Text
from axhub.toolkit.scaffold.configuration import KEYS
from axhub.toolkit.scaffold.files import Planned, State, state_of
from axhub.toolkit.scaffold.names import ToolNames
from axhub.toolkit.scaffold.rendering import render
from axhub.toolkit.scaffold.texts import words

__all__ = ["HTTP_CLIENT", "MCI_CLIENT", "Client", "InTheWayError", "ToolPlan", "check_free", "client_in", "plan_tool"]

_SHARED: Final = True


@dataclass(frozen=True, slots=True)
class Client:
    """What a client has to be, of one kind of system."""

    names_it: str
    """The attribute that names what it calls."""
    method: str
    option: Text
    """What may be written instead."""


HTTP_CLIENT: Final = Client(
    "API_NAME",
    "async def call(self, request: HttpBody, response_type: type[A]) -> A",
    Text("write another name after --http", "--http 뒤에 다른 이름을 쓰십시오"),
)
MCI_CLIENT: Final = Client(
    "SYSTEM",
    "async def call(self, request: Layout, response_type: type[A]) -> A",
    Text("write another name after --system", "--system 뒤에 다른 이름을 쓰십시오"),
)


class InTheWayError(SaidError):
    """Something that is there already stands against the tool; `text` names the file and what to do."""


@dataclass(frozen=True, slots=True)
class ToolPlan:
    """What would be made."""

    files: tuple[Planned, ...]
    configuration: str
    """The file that the API is added to, relative to the project."""
    api: str
    """Its name, or the system's."""
    entry: str
    """Its entry in YAML, not indented."""
    keys: tuple[str, ...] = KEYS
    """Of the list that the entry belongs to."""


def plan_tool(project: ToolProject, names: ToolNames, language: Language) -> ToolPlan:
    """Plan a tool.

    Raises:
        InTheWayError: a file of that name belongs to something else, or the API's client cannot be used.
    """
    folder = project.facts.folder
    client_path = f"{folder}/{INFRASTRUCTURE}/{HTTP}/{names.api}/client.py"
    client = client_in(project.root / client_path, client_path, names.api, HTTP_CLIENT) or names.client
    values = {
        **words(language),
        **{key: value for key, value in asdict(names).items() if key not in {"words", "environment"}},
        "package": project.facts.package,
        "class": names.words,
        "client": client,
        "env": names.environment,
    }
    files = tuple(_files(folder, client_path, names, values))
    check_free(project.root, files, names.name)
    return ToolPlan(files, f"{folder}/{CONFIGURATION}", names.api, render("tool/entry.yaml", values))


def _files(folder: str, client_path: str, names: ToolNames, values: Mapping[str, str]) -> list[Planned]:
    business, system = f"{folder}/{BUSINESS}/{names.category}", f"{folder}/{INFRASTRUCTURE}/{HTTP}/{names.api}"
    own = {
        f"{folder}/{definition_file(names.category, names.name)}": "definition.yml",
        f"{business}/dto/{names.stem}.py": "dto.py",
        f"{business}/converter/{names.stem}.py": "converter.py",
        f"{business}/usecase/{names.stem}.py": "usecase.py",
        f"{system}/io/{names.stem}.py": "io.py",
        f"{folder}/{sample_file(names.name, names.api)}": "sample.json",
        f"tests/test_{names.name}.py": "test_tool.py",
    }
    shared = {
        client_path: "client.py",
        f"{business}/__init__.py": "category_package.py",
        f"{business}/dto/__init__.py": "dto_package.py",
        f"{business}/converter/__init__.py": "converter_package.py",
        f"{business}/usecase/__init__.py": "usecase_package.py",
        f"{system}/__init__.py": "api_package.py",
        f"{system}/io/__init__.py": "io_package.py",
    }
    return [
        *(Planned(path, render(f"tool/{template}", values)) for path, template in own.items()),
        *(Planned(path, render(f"tool/{template}", values), _SHARED) for path, template in shared.items()),
    ]


def check_free(root: Path, files: tuple[Planned, ...], name: str) -> None:
    """Refuse where files of something else have the names that are needed; a tool that was made before has its own.

    Args:
        root: of the project.
        files: the definition first.
        name: of the tool.

    Raises:
        InTheWayError: there are some.
    """
    if state_of(root, files[0]) is not State.NEW:
        return  # the definition is there, so the tool is: what its author made of its files is theirs
    taken = [planned.path for planned in files if not planned.shared and state_of(root, planned) is State.OTHER]
    # A folder dto/ beside a module dto.py would hide the module.
    modules = (f"{planned.path.rpartition('/')[0]}.py" for planned in files)
    taken += [module for module in modules if (root / module).exists()]
    if taken:
        listed = ", ".join(dict.fromkeys(taken))
        raise InTheWayError(
            Text(
                f"Nothing was made: these files are there already and belong to something else: {listed}. Move or "
                f"rename them, or give the tool another name than {name}.",
                f"다음 파일이 이미 다른 용도로 쓰이고 있어 아무것도 만들지 않았습니다: {listed}. "
                f"파일을 옮기거나 이름을 바꾸거나, 도구 이름을 {name} 대신 다른 것으로 정하십시오.",
            )
        )


def client_in(place: Path, shown: str, name: str, kind: Client) -> str | None:
    """Return the class of a client that is there already, or None if there is no file yet.

    Raises:
        InTheWayError: the file has no class with that name in it and a method `call`.
    """
    if not place.exists():
        return None
    try:
        module = ast.parse(place.read_text(encoding="utf-8"))
    except (OSError, ValueError, SyntaxError):
        module = ast.Module([], [])
    for node in module.body:
        if isinstance(node, ast.ClassDef) and _named(node, kind.names_it) == name and _has_call(node):
            return node.name
    raise InTheWayError(
        Text(
            f"Nothing was made: {shown} has no class with {kind.names_it} = {name!r} and a method `{kind.method}`. Add "
            f"it, or {kind.option.en}.",
            f"{shown} 파일에 {kind.names_it} = {name!r}와 `{kind.method}` 메서드를 가진 클래스가 없어 "
            f"아무것도 만들지 않았습니다. 메서드를 추가하거나 {kind.option.ko}.",
        )
    )


def _named(node: ast.ClassDef, attribute: str) -> str | None:
    for statement in node.body:
        target = statement.targets[0] if isinstance(statement, ast.Assign) else getattr(statement, "target", None)
        value = getattr(statement, "value", None)
        if isinstance(target, ast.Name) and target.id == attribute and isinstance(value, ast.Constant):
            return str(value.value)
    return None


def _has_call(node: ast.ClassDef) -> bool:
    return any(isinstance(inner, ast.AsyncFunctionDef) and inner.name == "call" for inner in node.body)
