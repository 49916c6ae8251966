"""The files of a new tool with an MCI interface behind it, and its system's entry (toolkit/T5)."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import yaml

from axhub.toolkit.check.project import ToolProject
from axhub.toolkit.check.report import Language
from axhub.toolkit.layout import BUSINESS, CONFIGURATION, INFRASTRUCTURE, MCI, SAMPLES, definition_file
from axhub.toolkit.scaffold.configuration import MCI_KEYS
from axhub.toolkit.scaffold.files import Planned
from axhub.toolkit.scaffold.mci.converter import Direction, converter_module
from axhub.toolkit.scaffold.mci.layouts import Pair
from axhub.toolkit.scaffold.mci.models import Models, arguments_of, dto_module, schema_of
from axhub.toolkit.scaffold.mci.names import MciNames
from axhub.toolkit.scaffold.mci.parts import plain_of
from axhub.toolkit.scaffold.names import ToolNames
from axhub.toolkit.scaffold.python_text import imported, literal
from axhub.toolkit.scaffold.rendering import render
from axhub.toolkit.scaffold.texts import words
from axhub.toolkit.scaffold.tool import MCI_CLIENT, ToolPlan, check_free, client_in

__all__ = ["plan_mci_tool"]

_SHARED: Final = True
_WIDTH: Final = 100
"""Of a sample on one line."""


def plan_mci_tool(project: ToolProject, names: ToolNames, mci: MciNames, pair: Pair, language: Language) -> ToolPlan:
    """Plan a tool.

    Raises:
        InTheWayError: a file of that name belongs to something else, or the system's client cannot be used.
    """
    folder = project.facts.folder
    client_path = f"{folder}/{mci.folder}/client.py"
    client = client_in(project.root / client_path, client_path, mci.system, MCI_CLIENT) or mci.client
    writing = _Writing(project.facts.package, names, mci, pair, client, words(language))
    files = (*writing.own(folder), *writing.shared(folder, client_path))
    check_free(project.root, files, names.name)
    entry = render("mci/entry.yaml", writing.values)
    return ToolPlan(files, f"{folder}/{CONFIGURATION}", mci.system, entry, MCI_KEYS)


@dataclass
class _Writing:
    """The files of one tool while they are written."""

    package: str
    names: ToolNames
    mci: MciNames
    pair: Pair
    client: str
    texts: Mapping[str, str]

    def __post_init__(self) -> None:
        words_ = self.names.words
        self._request = Direction(Models(f"{words_}Request", "Input", self.texts), self.pair.request, self.pair.asked)
        self._response = Direction(
            Models(f"{words_}Response", "Output", self.texts), self.pair.response, self.pair.told
        )
        business = f"{self.package}.{BUSINESS}.{self.names.category}"
        root = f"{self.package}.{INFRASTRUCTURE}.{MCI}.{self.mci.system}"
        self._places = {
            **{part: f"{business}.{part}.{self.names.stem}" for part in ("dto", "converter")},
            "io": self.pair.module or f"{root}.io.{self.mci.module}",
            "client": f"{root}.client",
        }
        self.values = {
            **self.texts,
            "name": self.names.name,
            "category": self.names.category,
            "stem": self.names.stem,
            "class": words_,
            "package": self.package,
            "interface": self.mci.interface,
            "system": self.mci.system,
            "prefix": self.mci.client.removesuffix("Client"),
            "client": self.client,
            "env": self.mci.environment,
            "charset": self.pair.charset,
        }

    def own(self, folder: str) -> Iterator[Planned]:
        """Yield the tool's own files, its definition first."""
        business, name, stem = f"{folder}/{BUSINESS}/{self.names.category}", self.names.name, self.names.stem
        yield Planned(f"{folder}/{definition_file(self.names.category, name)}", self._definition())
        dto = dto_module(name, self.pair.asked, self.pair.told, self._request.models, self._response.models)
        yield Planned(f"{business}/dto/{stem}.py", dto)
        converter = converter_module(self.mci.system, self._request, self._response, self._places)
        yield Planned(f"{business}/converter/{stem}.py", converter)
        yield Planned(f"{business}/usecase/{stem}.py", self._usecase())
        if self.pair.text:
            yield Planned(f"{folder}/{self.mci.folder}/io/{self.mci.module}.py", self.pair.text)
        yield Planned(f"{folder}/{SAMPLES}/{name}/mci-{self.mci.interface}.json", _json(plain_of(self.pair.told)))
        yield Planned(f"tests/test_{name}.py", self._test())

    def shared(self, folder: str, client_path: str) -> Iterator[Planned]:
        """Yield what other tools have too."""
        business, system = f"{folder}/{BUSINESS}/{self.names.category}", f"{folder}/{self.mci.folder}"
        templates = {
            client_path: "mci/client.py",
            f"{system}/envelope.py": "mci/envelope.py",
            f"{business}/__init__.py": "tool/category_package.py",
            f"{business}/dto/__init__.py": "tool/dto_package.py",
            f"{business}/converter/__init__.py": "tool/converter_package.py",
            f"{business}/usecase/__init__.py": "tool/usecase_package.py",
            f"{folder}/{INFRASTRUCTURE}/{MCI}/__init__.py": "mci/mci.py",
            f"{system}/__init__.py": "mci/system_package.py",
            f"{system}/io/__init__.py": "mci/io_package.py",
        }
        yield from (Planned(path, render(name, self.values), _SHARED) for path, name in templates.items())

    def _definition(self) -> str:
        schema = _yaml(schema_of(self._request.models, self.pair.asked), 2)
        example = _yaml([arguments_of(self.pair.asked)], 4)
        return render("mci/definition.yml", {**self.values, "schema": schema, "example": example})

    def _usecase(self) -> str:
        imports = {
            self._places["converter"]: ["to_mci_request", "to_response"],
            self._places["dto"]: [self._request.models.words, self._response.models.words],
            self._places["client"]: [self.client],
            self._places["io"]: [self.pair.response],
        }
        return render("mci/usecase.py", {**self.values, "imports": "\n".join(imported(imports))})

    def _test(self) -> str:
        imports = {
            self._places["converter"]: ["to_mci_request", "to_response"],
            self._places["dto"]: [self._request.models.words],
            self._places["io"]: [self.pair.request, self.pair.response],
        }
        examples = {
            "arguments": literal(arguments_of(self.pair.asked), 0, len("ARGUMENTS = ")),
            "telegram": literal(plain_of(self.pair.asked), 0, len("TELEGRAM = ")),
            "answer": literal(arguments_of(self.pair.told), 0, len("ANSWER = ")),
        }
        return render("mci/test_tool.py", {**self.values, **examples, "imports": "\n".join(imported(imports))})


def _json(value: Any) -> str:
    plain = json.dumps(value, ensure_ascii=False)
    return (plain if len(plain) <= _WIDTH else json.dumps(value, ensure_ascii=False, indent=2)) + "\n"


class _Dumper(yaml.SafeDumper):
    """Writes lists of plain values on one line, as people do."""


def _listed(dumper: yaml.SafeDumper, data: list[Any]) -> yaml.Node:
    plain = not any(isinstance(one, dict | list) for one in data)
    return dumper.represent_sequence("tag:yaml.org,2002:seq", data, flow_style=plain)


_Dumper.add_representer(list, _listed)


def _yaml(value: Any, column: int) -> str:
    text = yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=10**6)
    return "\n".join(f"{' ' * column}{line}" for line in text.splitlines())
