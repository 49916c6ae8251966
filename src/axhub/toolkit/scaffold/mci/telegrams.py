"""The layouts and envelopes of a Tool Service's package, as its own code declares them (toolkit/B1).

Importing runs the author's code, as serving and testing the package do.
"""

import importlib
import pkgutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import ModuleType

from axhub.toolkit.check.project import ToolProject
from axhub.toolkit.layout import CONFIGURATION, INFRASTRUCTURE, MCI
from axhub.toolkit.mci import Envelope, Layout
from axhub.toolkit.rules.model import SaidError, Text
from axhub.toolkit.rules.telling.python_errors import of_python
from axhub.toolkit.scaffold.configuration import prefix_in

__all__ = ["Declared", "NotImportableError", "Telegrams", "telegrams_of"]

_ENVELOPE = "ENVELOPE"


class NotImportableError(SaidError):
    """A module of the package ends with an error when it is imported; `text` says which and how."""


@dataclass(frozen=True, slots=True)
class Declared:
    """One layout class."""

    layout: type[Layout]
    system: str
    """The folder of its system below infra/mci."""

    @property
    def name(self) -> str:
        """The name of the class."""
        return self.layout.__name__

    @property
    def is_request(self) -> bool:
        """Whether it is what is asked: `CLCNNB00001_I`."""
        return self.name.endswith("_I")


@dataclass(frozen=True, slots=True)
class Telegrams:
    """What there is."""

    layouts: tuple[Declared, ...]
    envelopes: dict[str, Envelope] = field(default_factory=dict)
    """By system."""
    prefixes: Mapping[str, int] = field(default_factory=dict)
    """Bytes of the length before a telegram, by system; without those whose header has it."""

    def of(self, wanted: str, system: str | None = None) -> tuple[Declared, ...]:
        """Return the layouts of an interface, or the one of a class; small and capital letters are the same."""
        word = wanted.casefold()
        there = [one for one in self.layouts if system in {None, one.system}]
        named = [one for one in there if one.name.casefold() == word]
        return tuple(named or [one for one in there if word and one.layout.layout_id.casefold() == word])


@contextmanager
def telegrams_of(project: ToolProject) -> Iterator[Telegrams]:
    """Import what is below infra/mci, for the length of a block.

    Raises:
        NotImportableError: a module cannot be imported.
    """
    package, source = project.facts.package, str(project.folder.parent)
    others = {name: sys.modules.pop(name) for name in list(sys.modules) if _belongs(name, package)}
    sys.path.insert(0, source)
    importlib.invalidate_caches()
    try:
        yield _found(project)
    finally:
        sys.path.remove(source)
        for name in [name for name in sys.modules if _belongs(name, package)]:
            del sys.modules[name]
        sys.modules.update(others)


def _belongs(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


def _found(project: ToolProject) -> Telegrams:
    if not (project.folder / INFRASTRUCTURE / MCI).is_dir():
        return Telegrams(())
    root = f"{project.facts.package}.{INFRASTRUCTURE}.{MCI}"
    top = _imported(root)
    names = sorted(found.name for found in pkgutil.walk_packages(top.__path__, f"{root}.", onerror=_failed))
    modules = [_imported(name) for name in names]
    layouts = {found.layout: found for module in modules for found in _layouts(module, root)}
    envelopes = {
        _system(module.__name__, root): found
        for module in modules
        if isinstance(found := getattr(module, _ENVELOPE, None), Envelope)
    }
    prefixes = {system: prefix for system in envelopes if (prefix := prefix_in(_configuration(project), system))}
    return Telegrams(tuple(layouts.values()), envelopes, prefixes)


def _configuration(project: ToolProject) -> str:
    place = project.folder / CONFIGURATION
    return place.read_text(encoding="utf-8", errors="replace") if place.is_file() else ""


def _layouts(module: ModuleType, root: str) -> Iterator[Declared]:
    for value in vars(module).values():
        own = isinstance(value, type) and issubclass(value, Layout) and value.__module__ == module.__name__
        if own:
            yield Declared(value, _system(module.__name__, root))


def _system(module: str, root: str) -> str:
    return module.removeprefix(f"{root}.").partition(".")[0]


def _failed(name: str) -> None:
    _imported(name)


def _imported(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except Exception as error:
        said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        raise NotImportableError(
            Text(
                f"{name} cannot be imported: {said}; `axhub check` shows the line",
                f"{name}을(를) 가져올(import) 수 없습니다: {of_python(said).ko}. "
                "`axhub check` 명령이 그 줄을 보여 줍니다",
            )
        ) from error
