"""Whether each interface has both its layouts, named after its id: rule TK605 (seed 003 §9)."""

import re
from collections.abc import Iterator
from typing import Final

from axhub.toolkit.facts.following import Package
from axhub.toolkit.facts.service import Facts, Layer
from axhub.toolkit.facts.telegrams import Telegram
from axhub.toolkit.rules.model import Breach, Message, Rule, Severity, Stage, Text
from axhub.toolkit.rules.telegrams import owner_of
from axhub.toolkit.rules.telling.authored import in_both

__all__ = ["RULES"]

_DIRECTED: Final = re.compile(r"(?P<id>\w+)_(?P<way>[IO])")
_LAYOUT: Final = ".Layout"
_WAYS: Final = {"I": Text("requests", "요청"), "O": Text("answers", "응답")}


def _pairs(facts: Facts) -> Iterator[Breach]:
    """Look at the telegrams of each system: what is in its `io` and has an interface's id, or a name like one."""
    package, systems, unnamed = Package(facts), dict[tuple[str, str], list[Telegram]](), set[str]()
    for telegram in facts.telegrams:
        found = package.classes.get(telegram.qualified)
        if found is None or found[1].layer is not Layer.IO or "id" in telegram.computed:
            continue
        if telegram.id:
            systems.setdefault((found[1].part, telegram.id), []).append(telegram)
        elif (named := _DIRECTED.fullmatch(telegram.name)) and telegram.bases and _is_plain(telegram):
            values = {"layout": telegram.name, "id": named["id"]}
            yield Breach(telegram.place, "unnamed", values, owner_of(facts, named["id"]))
            unnamed.add(named["id"])
    for (_, interface), layouts in systems.items():
        if interface not in unnamed:
            yield from _pair(interface, layouts, owner_of(facts, interface))


def _is_plain(telegram: Telegram) -> bool:
    """Say whether a layout inherits from nothing that could have an id, and is given none that cannot be read."""
    return "*" not in telegram.computed and all(base.endswith(_LAYOUT) for base in telegram.bases)


def _pair(interface: str, found: list[Telegram], tool: str | None) -> Iterator[Breach]:
    ways: dict[str, Telegram] = {}
    is_named = True
    for telegram in found:
        way = telegram.name.removeprefix(f"{interface}_")
        values: dict[str, str | int] = {"layout": telegram.name, "id": interface}
        if way not in _WAYS or telegram.name == way:
            is_named = False
            directed = _DIRECTED.fullmatch(telegram.name)
            better = f"{interface}_{directed['way']}" if directed else ""
            yield Breach(telegram.place, "name" if directed is None else "differs", {**values, "better": better}, tool)
        elif way in ways:
            values |= {"place": str(ways[way].place)}
            yield Breach(telegram.place, "twice", values, tool)
        ways.setdefault(way, telegram)
    missing = [way for way in _WAYS if way not in ways]
    if is_named and missing:
        values = {"id": interface, "missing": f"{interface}_{missing[0]}", **in_both("what", _WAYS[missing[0]])}
        yield Breach(found[0].place, "missing", values, tool)


TK605: Final = Rule(
    id="TK605",
    severity=Severity.ERROR,
    stage=Stage.SOURCE,
    title=Text(
        "Each interface has a layout for its requests and one for its answers, named after its id.",
        "인터페이스마다 요청 레이아웃과 응답 레이아웃이 있고 이름에 인터페이스 ID가 있어야 합니다.",
    ),
    why=Text(
        "Who looks for an interface finds ID_I, what is sent, and ID_O, what comes back, side by side, and so do "
        "`axhub layout show` and the mocks. Headers, message sections and rows have no id. Source: seed 003 §9.",
        "인터페이스를 찾는 사람과 `axhub layout show`, 모의 시스템이 보내는 ID_I와 받는 ID_O를 나란히 찾습니다. 헤더, "
        "메시지부, 반복부의 행에는 ID가 없습니다. 출처: 설계 가이드 003 §9.",
    ),
    messages={
        "missing": Message(
            Text(
                "The interface {id} has no layout for its {what}, {missing}.",
                "인터페이스 {id}의 {what_ko} 레이아웃 {missing} 클래스가 없습니다.",
            ),
            Text(
                'Declare `class {missing}(Layout, id="{id}")` beside it; `axhub new layout` writes one from a sheet.',
                '옆에 `class {missing}(Layout, id="{id}")` 클래스를 선언하십시오. `axhub new layout` 명령으로 '
                "정의서에서 만들 수 있습니다.",
            ),
        ),
        "name": Message(
            Text(
                "The layout {layout} has the id {id}, and its name does not say which way it goes.",
                "레이아웃 {layout} 클래스의 ID는 {id}인데 이름에서 요청인지 응답인지 알 수 없습니다.",
            ),
            Text(
                "Call it {id}_I if it is sent, {id}_O if it is answered; if it is only a part of others, remove `id`.",
                "보내는 전문이면 {id}_I, 받는 전문이면 {id}_O 이름을 쓰고, 다른 전문의 일부이면 `id`를 지우십시오.",
            ),
        ),
        "differs": Message(
            Text(
                "The layout {layout} has the id {id}, which its name does not begin with.",
                "레이아웃 {layout} 클래스의 ID는 {id}인데 이름이 그렇게 시작하지 않습니다.",
            ),
            Text(
                "Call it {better}, or correct the id.",
                "이름을 {better}(으)로 바꾸거나 ID를 고치십시오.",
            ),
        ),
        "twice": Message(
            Text(
                "The layout {layout} with the id {id} stands in {place} already.",
                "ID가 {id}인 레이아웃 {layout} 클래스는 이미 {place}에 있습니다.",
            ),
            Text(
                "Import that one, and remove this; a system has one layout for each way of an interface.",
                "그것을 가져다 쓰고 이 클래스를 지우십시오. 한 시스템의 인터페이스에는 방향마다 레이아웃이 하나입니다.",
            ),
        ),
        "unnamed": Message(
            Text(
                "The layout {layout} is named like one of the interface {id}, and has no id.",
                "레이아웃 {layout} 클래스의 이름은 인터페이스 {id} 것인데 ID가 없습니다.",
            ),
            Text(
                'Write `class {layout}(Layout, id="{id}")`.',
                '`class {layout}(Layout, id="{id}")` 형식으로 쓰십시오.',
            ),
        ),
    },
    check=_pairs,
    bad='class CLCNNB00001_O(Layout, id="CLCNNB00001"): ...      # and no CLCNNB00001_I',
    good='class CLCNNB00001_I(Layout, id="CLCNNB00001"): ...\nclass CLCNNB00001_O(Layout, id="CLCNNB00001"): ...',
)

RULES: Final = (TK605,)
