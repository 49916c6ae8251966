"""Whether a tool that calls an MCI system names an interface with layouts: a part of rule/TK215 (seed 003 §4, §9)."""

from collections.abc import Iterator, Mapping
from typing import Final

from axhub.configuration.faults import excerpt
from axhub.toolkit.facts.following import MCI, Package
from axhub.toolkit.facts.service import Declared, Facts, Place
from axhub.toolkit.facts.telegrams import Telegrams
from axhub.toolkit.rules.model import Breach, Message, Severity, Text
from axhub.toolkit.rules.telling.authored import is_blank, nearest
from axhub.toolkit.rules.telling.placeholders import is_unwritten

__all__ = ["MESSAGES", "interface_of", "known_interfaces", "without_layouts"]


def interface_of(facts: Facts, declared: Declared) -> tuple[str, Place] | None:
    """Return the interface that a tool names, with where it does: in the decorator, else in the definition."""
    found = declared.arguments.get("mapping_id")
    if found is not None and isinstance(found.value, str) and not is_blank(found.value):
        return found.value, found.place
    definition = facts.definition_of(declared.name or "")
    value = None if definition is None else definition.values.get("legacy_interface_id")
    if definition is None or not isinstance(value, str) or is_blank(value):
        return None
    return value, definition.place("/legacy_interface_id")


def known_interfaces(facts: Facts) -> frozenset[str] | None:
    """Return the ids of all interfaces, declared or only named by a tool; None where they may be others."""
    ids = _declared_ids(facts)
    if not ids:
        return None
    named = (interface_of(facts, declared) for declared in facts.declared)
    return frozenset({*ids, *(one[0] for one in named if one is not None)})


def _declared_ids(facts: Facts) -> list[str] | None:
    """Return the ids of the layouts, each once; None where they cannot all be read."""
    if facts.problems or any("id" in one.computed for one in facts.telegrams):
        return None
    return list(dict.fromkeys(one.id for one in facts.telegrams if one.id))


def without_layouts(facts: Facts) -> Iterator[Breach]:
    """Find tools that call an MCI system and name an interface of which no layout is declared."""
    known = _declared_ids(facts)
    if known is None:
        return  # which layouts there are is not known
    package, telegrams = Package(facts), Telegrams(facts.telegrams)
    for declared in facts.declared:
        named = interface_of(facts, declared)
        if named is None or is_unwritten(named[0]) or "mapping_id" in declared.computed:
            continue
        if telegrams.with_id(named[0]) or next(package.calls_of(declared, MCI), None) is None:
            continue
        near = nearest(named[0], known)
        values = {"id": excerpt(named[0]), "near": near or ""}
        variant = "no-layout" if near is None else "layout-near"
        yield Breach(named[1], variant, values, declared.name, Severity.ERROR)


_NO_LAYOUT: Final = Text(
    "The tool calls an MCI system, and no layout of its infra/mci has the id {id}.",
    "MCI 시스템을 호출하는 도구인데 infra/mci에 ID가 {id}인 레이아웃이 없습니다.",
)

MESSAGES: Final[Mapping[str, Message]] = {
    "no-layout": Message(
        _NO_LAYOUT,
        Text(
            "Declare {id}_I and {id}_O in infra/mci/{{system}}/io, or let `axhub new layout {id} --from-sheet FILE` "
            "write them.",
            "infra/mci/{{system}}/io에 {id}_I와 {id}_O 클래스를 선언하거나 `axhub new layout {id} --from-sheet FILE` "
            "명령으로 만드십시오.",
        ),
    ),
    "layout-near": Message(
        _NO_LAYOUT,
        Text(
            "Did you mean {near}? Write it here, or declare {id}_I and {id}_O in infra/mci/{{system}}/io.",
            "{near} 인터페이스를 뜻했다면 여기에 쓰고, 아니면 infra/mci/{{system}}/io에 {id}_I와 {id}_O 클래스를 "
            "선언하십시오.",
        ),
    ),
}
