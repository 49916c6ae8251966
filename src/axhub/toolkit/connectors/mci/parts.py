"""What a package says about its MCI systems: their envelopes, and the layouts of their interfaces (toolkit/B4).

They are looked for in `infra/mci/{system}/`: an `ENVELOPE`, and layouts with an id. A class whose name ends in `_I` is
what an interface is asked with, any other what it answers.
"""

import pkgutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Final

from axhub.toolkit.layout import INFRASTRUCTURE, MCI
from axhub.toolkit.mci import Envelope, Layout

__all__ = ["Parts", "parts_of"]

_ENVELOPE: Final = "ENVELOPE"
_SYSTEM: Final = "SYSTEM"
_REQUEST: Final = "_I"


@dataclass(frozen=True, slots=True)
class Parts:
    """One system's telegrams."""

    envelope: Envelope
    requests: Mapping[str, type[Layout]]
    """By interface id: the data of what is asked."""
    answers: Mapping[str, type[Layout]]
    """By interface id: the data of what is answered."""


def parts_of(package: str) -> Mapping[str, Parts]:
    """Return what a package says about its systems, by the name that their clients call them by.

    Its modules below `infra.mci` are imported.

    Args:
        package: its dotted name.

    Raises:
        Exception: whatever a module of the package raises while it is imported.
    """
    found: dict[str, Parts] = {}
    for folder, modules in _modules(f"{package}.{INFRASTRUCTURE}.{MCI}").items():
        envelope = next((one for module in modules if (one := _envelope(module)) is not None), None)
        if envelope is not None:
            requests, answers = _layouts(modules)
            found.update(dict.fromkeys(_names(modules) or [folder], Parts(envelope, requests, answers)))
    return found


def _modules(root: str) -> Mapping[str, list[ModuleType]]:
    """Return the modules of each folder below a package, that of the folder itself included."""
    above, _, _ = root.rpartition(".")
    if find_spec(above.rpartition(".")[0]) is None or find_spec(above) is None or find_spec(root) is None:
        return {}
    found: dict[str, list[ModuleType]] = {}
    for one in pkgutil.walk_packages(import_module(root).__path__, f"{root}."):
        folder = one.name.removeprefix(f"{root}.").partition(".")[0]
        found.setdefault(folder, []).append(import_module(one.name))
    return found


def _envelope(module: ModuleType) -> Envelope | None:
    found = getattr(module, _ENVELOPE, None)
    return found if isinstance(found, Envelope) else None


def _layouts(modules: list[ModuleType]) -> tuple[dict[str, type[Layout]], dict[str, type[Layout]]]:
    requests: dict[str, type[Layout]] = {}
    answers: dict[str, type[Layout]] = {}
    for one in (one for module in modules for one in _classes(module)):
        if issubclass(one, Layout) and one.layout_id:
            (requests if one.__name__.endswith(_REQUEST) else answers)[one.layout_id] = one
    return requests, answers


def _names(modules: list[ModuleType]) -> list[str]:
    names = (getattr(one, _SYSTEM, None) for module in modules for one in _classes(module))
    return list(dict.fromkeys(name for name in names if isinstance(name, str)))


def _classes(module: ModuleType) -> Iterator[type]:
    """Yield the classes that a module defines itself."""
    return (one for one in vars(module).values() if isinstance(one, type) and one.__module__ == module.__name__)
