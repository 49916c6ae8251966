"""What is known about a Tool Service before any rule looks at it: plain values with their places, collected once.

`check.collect` fills them: from the source without importing anything, from the configuration, and from the models
after an import in a process of its own. All paths are POSIX and relative to the project's root.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from axhub.toolkit.facts.imported import FAILED, Field, Imported, Kind, Shape
from axhub.toolkit.facts.released import Released
from axhub.toolkit.facts.settings import Api, Settings, System
from axhub.toolkit.facts.source import (
    Allowance,
    Allowed,
    Call,
    Class,
    Function,
    Import,
    Layer,
    Literal,
    Located,
    Module,
    Place,
)
from axhub.toolkit.facts.telegrams import Telegram

__all__ = [
    "FAILED",
    "Allowance",
    "Allowed",
    "Api",
    "Call",
    "Class",
    "Declared",
    "Definition",
    "Facts",
    "Field",
    "Function",
    "Import",
    "Imported",
    "Kind",
    "Layer",
    "Literal",
    "Located",
    "Module",
    "Place",
    "Project",
    "Resource",
    "Settings",
    "Shape",
    "Sibling",
    "System",
    "Unusable",
]


@dataclass(frozen=True, slots=True)
class Declared:
    """One tool as its decorators declare it. An argument that is no literal is None with its place in `computed`."""

    place: Place
    """Of the decorator `tool` (or of `tool_hint` alone)."""
    function: str
    """Qualified name of the function."""
    module: str
    """Path of the module."""
    arguments: Mapping[str, Located[Any]]
    """Literal arguments of both decorators by name, as written; what is left out is absent."""
    computed: Mapping[str, Place] = field(default_factory=dict)
    """Arguments that are not literals."""
    is_async: bool = True
    decorated_by: frozenset[str] = frozenset({"tool"})
    """`tool`, `tool_hint` or both."""
    repeated: Mapping[str, tuple[Place, ...]] = field(default_factory=dict)
    """Those of them that stand there more than once, with their places from top to bottom."""
    contradicted: Mapping[str, tuple[Located[Any], ...]] = field(default_factory=dict)
    """Arguments that the decorators say differently, with what each says, from top to bottom."""
    positional: tuple[Located[str], ...] = ()
    """Arguments that are given by position, which Python refuses: what each would have to be called."""

    @property
    def name(self) -> str | None:
        """The tool's name where it is a text literal."""
        found = self.arguments.get("name")
        return found.value if found is not None and isinstance(found.value, str) else None

    @property
    def register(self) -> bool:
        """False only where that literal stands."""
        found = self.arguments.get("register")
        return found is None or found.value is not False

    def place_of(self, argument: str) -> Place:
        """Return where an argument stands, or the decorator if it is left out."""
        found = self.arguments.get(argument)
        return found.place if found is not None else self.computed.get(argument, self.place)


@dataclass(frozen=True, slots=True)
class Definition:
    """One file `tool_definitions/{category}/{name}.yml`."""

    path: str
    category: str
    """Its folder."""
    stem: str
    """Its file name without `.yml`."""
    problem: Located[str] | None = None
    """Why it could not be read."""
    values: Mapping[str, Any] = field(default_factory=dict)
    """What it says as plain values: numbers as numbers, `yes` as text (YAML 1.2), of duplicate keys the first."""
    duplicates: tuple[Located[str], ...] = ()
    """Keys that stand a second time, by JSON pointer."""
    places: Mapping[str, Place] = field(default_factory=dict)
    """Where each value stands, by JSON pointer (`/description/function`, `/example_queries/0`); keys under `key:…`."""

    def place(self, pointer: str = "") -> Place:
        """Return where a value stands; of one that is missing, where the nearest one around it does."""
        while pointer and pointer not in self.places:
            pointer = pointer.rpartition("/")[0]
        return self.places.get(pointer, Place(self.path, 1, 1))


@dataclass(frozen=True, slots=True)
class Resource:
    """One file below `tool_schemas/`."""

    path: str
    schema: Any
    """None if it could not be read."""
    problem: Located[str] | None = None
    packaged: bool = True
    places: Mapping[str, Place] = field(default_factory=dict)
    """Where its values stand, by JSON pointer; may be empty."""

    def place(self, pointer: str = "") -> Place:
        """Return where a value stands; of one that is missing, where the nearest one around it does."""
        while pointer and pointer not in self.places:
            pointer = pointer.rpartition("/")[0]
        return self.places.get(pointer, Place(self.path, 1, 1))


@dataclass(frozen=True, slots=True)
class Sibling:
    """Another Tool Service of the workspace: its published names with their places."""

    service: str
    names: Mapping[str, Place]


@dataclass(frozen=True, slots=True)
class Unusable:
    """A declaration that cannot be used, found when the package was imported (toolkit/T1)."""

    kind: str
    """Which of the messages of `rules.telling.unusable` says it: `two-implementers`."""
    place: Place
    values: Mapping[str, str]
    """What that message's `{…}` stand for."""
    tool: str | None = None
    """The authored name."""


@dataclass(frozen=True, slots=True)
class Project:
    """The project itself, from `pyproject.toml`."""

    package: str
    folder: str
    """The package's folder."""
    pyproject: str = "pyproject.toml"
    categories: tuple[str, ...] | None = None
    """`[tool.axhub] categories`; None turns the rule off."""
    owners: tuple[str, ...] | None = None
    version: str = ""


@dataclass(frozen=True, slots=True)
class Facts:
    """All of it."""

    project: Project
    modules: tuple[Module, ...] = ()
    declared: tuple[Declared, ...] = ()
    definitions: tuple[Definition, ...] = ()
    resources: tuple[Resource, ...] = ()
    samples: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Sample files by tool name."""
    sample_texts: Mapping[str, str] = field(default_factory=dict)
    """Text of the sample files that are UTF-8, by path: what personal data is looked for in (rule/TK516)."""
    has_lock: bool = False
    """Whether `axhub.lock.json` stands beside `pyproject.toml`: from then on drift is an error (decision/D12)."""
    released: Released | None = None
    """What that lock says (rule/TK106)."""
    settings: Settings | None = None
    imported: Mapping[str, Imported] | None = None
    """By authored name; None where the package was not, or could not be, imported."""
    import_problem: Located[str] | None = None
    """Why the import failed (rule/TK002)."""
    unusable: tuple[Unusable, ...] = ()
    """Declarations that the import showed to be unusable; `rules.telling.unusable` has their messages."""
    siblings: tuple[Sibling, ...] = ()
    manifest: bytes | None = None
    """The rendered manifest, once everything that it needs is known."""
    import_hung: Mapping[str, str] = field(default_factory=dict)
    """Of an import that did not end: `module`, `seconds`, where it stood as `at`, and what it had called as `called`;
    the last two may be empty."""
    problems: tuple[Located[str], ...] = ()
    """Source files that could not be read, with why: a syntax error, no UTF-8 (rule/TK001)."""
    unreadable: tuple[Located[str], ...] = ()
    """Files and folders that are there and that nobody may look into, with why (rule/TK001)."""
    misspelt_definitions: tuple[str, ...] = ()
    """Files beside the definitions that end in `.yaml`, which nothing reads (rule/TK301)."""
    unread_siblings: tuple[Located[str], ...] = ()
    """Why a service named in `[tool.axhub] workspace` could not be read (rule/TK005)."""
    provided: frozenset[str] | None = None
    """Absolute names of the types that the app provides; None where the source does not say it (rule/TK804)."""
    telegrams: tuple[Telegram, ...] = ()
    """The layouts that the package declares."""
    allowances: tuple[Allowance, ...] = ()
    """Comments that switch a rule off where they stand (rule/TK003, rule/TK004)."""

    def definition_of(self, name: str) -> Definition | None:
        """Return the definition whose file has a tool's name."""
        return next((found for found in self.definitions if found.stem == name), None)

    def declared_as(self, name: str) -> Declared | None:
        """Return the first declaration of a name."""
        return next((found for found in self.declared if found.name == name), None)

    def is_doubled(self, name: str | None) -> bool:
        """Say whether several declarations have a name, so that nobody knows which one is meant (rule/TK107)."""
        return name is not None and sum(found.name == name for found in self.declared) > 1

    def is_draft(self, name: str | None) -> bool:
        """Say whether a tool is under development (`register=False`): its errors are warnings."""
        found = None if name is None else self.declared_as(name)
        return found is not None and not found.register
