"""The layouts that a new tool is made for: those that the package has, or a first sketch (toolkit/T5)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from axhub.toolkit.check.project import ToolProject
from axhub.toolkit.layout import INFRASTRUCTURE, MCI
from axhub.toolkit.mci.charsets import CHARSETS
from axhub.toolkit.rules.model import Text
from axhub.toolkit.scaffold.mci.layout_module import layout_module
from axhub.toolkit.scaffold.mci.parts import Part, parts_of
from axhub.toolkit.scaffold.mci.telegrams import Declared, telegrams_of
from axhub.toolkit.scaffold.sheets.model import Entry, Sheet
from axhub.toolkit.scaffold.tool import InTheWayError

__all__ = ["Pair", "pair_of"]

_CHARSET: Final = "euc-kr"
_ASKED: Final = (Entry(0, "number", "text", 20),)
_TOLD: Final = (
    Entry(0, "number", "text", 20),
    Entry(0, "amount", "num", 13),
    Entry(0, "closed_on", "date", 8, optional=True),
)
_TYPES: Final = {"text": "str", "num": "int", "date": "date"}


@dataclass(frozen=True, slots=True)
class Pair:
    """Question and answer of one interface."""

    system: str
    module: str
    """The module that the classes stand in, as it is imported; empty: not made yet."""
    request: str
    """`CLCNNB00001_I`."""
    response: str
    asked: tuple[Part, ...]
    told: tuple[Part, ...]
    text: str = ""
    """Of the module that has to be made."""
    charset: str = _CHARSET
    """In which the answer's texts are, and so those around them."""


def pair_of(project: ToolProject, interface: str, system: str | None) -> Pair:
    """Return the layouts of an interface as the package has them; without any, those to begin with.

    Raises:
        InTheWayError: it is not known which system it is of, or one of the two is missing.
        NotImportableError: a module of the package cannot be imported.
    """
    with telegrams_of(project) as telegrams:
        found = telegrams.of(interface, system)
        if not found:
            return _sketch(interface, system or _only_system(project))
        systems = sorted({declared.system for declared in found})
        if len(systems) > 1:
            raise _unknown_system(systems)
        asked, told = _both(interface, found)
        return Pair(
            systems[0],
            told.layout.__module__,
            asked.name,
            told.name,
            parts_of(asked.layout),
            parts_of(told.layout),
            charset=told.layout.__charset__ if told.layout.__charset__ in CHARSETS else _CHARSET,
        )


def _both(interface: str, found: Sequence[Declared]) -> tuple[Declared, Declared]:
    pair = []
    for ending in ("_I", "_O"):
        named = [declared for declared in found if declared.name.upper().endswith(ending)]
        if not named:
            name = f"{interface}{ending}"
            place = found[0].layout.__module__
            raise InTheWayError(
                Text(
                    f"Nothing was made: {place} has no layout {name}. A tool needs both, what is asked (_I) and what "
                    f"is answered (_O): write the class {name}.",
                    f"{place} 모듈에 {name} 레이아웃이 없어 아무것도 만들지 않았습니다. 도구에는 요청(_I)과 응답(_O)이 "
                    f"모두 필요합니다. {name} 클래스를 작성하십시오.",
                )
            )
        pair.append(named[0])
    return pair[0], pair[1]


def _only_system(project: ToolProject) -> str:
    """Return the one system that the package has."""
    folder = project.folder / INFRASTRUCTURE / MCI
    systems = sorted(place.parent.name for place in folder.glob("*/__init__.py"))
    if len(systems) != 1:
        raise _unknown_system(systems)
    return systems[0]


def _unknown_system(systems: Sequence[str]) -> InTheWayError:
    listed = ", ".join(systems)
    there = f" There are: {listed}." if systems else ""
    there_ko = f" 있는 시스템: {listed}." if systems else ""
    return InTheWayError(
        Text(
            f"Nothing was made: it is not known which system has the interface. Write --system NAME.{there}",
            f"어느 시스템의 인터페이스인지 알 수 없어 아무것도 만들지 않았습니다. --system NAME을 쓰십시오.{there_ko}",
        )
    )


def _sketch(interface: str, system: str) -> Pair:
    text = layout_module(interface, _CHARSET, Sheet(_ASKED), Sheet(_TOLD))
    asked, told = (tuple(_part(entry) for entry in entries) for entries in (_ASKED, _TOLD))
    return Pair(system, "", f"{interface}_I", f"{interface}_O", asked, told, text)


def _part(entry: Entry) -> Part:
    digits = entry.size if entry.kind == "num" else 0
    return Part(entry.name, _TYPES[entry.kind], entry.optional, size=entry.size, digits=digits)
