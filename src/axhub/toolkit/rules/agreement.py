"""Where decorator and definition say the same thing: rules TK214, TK215 and TK217 (seed 003 §4 and §5, toolkit/T8)."""

import unicodedata
from collections.abc import Iterator
from typing import Any, Final

from axhub.configuration.faults import excerpt
from axhub.toolkit.facts.service import Declared, Definition, Facts, Place
from axhub.toolkit.layout import DEFINITIONS, definition_file
from axhub.toolkit.rules import interface_ids
from axhub.toolkit.rules.model import Breach, Message, Rule, Severity, Stage, Text
from axhub.toolkit.rules.telling.authored import described, in_both, is_blank, listed, nearest, quoted, yaml_text
from axhub.toolkit.rules.telling.placeholders import is_unwritten

__all__ = ["RULES"]


def _pairs(facts: Facts) -> Iterator[tuple[Declared, Definition]]:
    """Yield each tool with its definition, where both can be read and no other tool has its name (rule/TK107)."""
    for declared in facts.declared:
        definition = None if declared.name is None else facts.definition_of(declared.name)
        if definition is not None and definition.problem is None and not facts.is_doubled(declared.name):
            yield declared, definition


def _argument(declared: Declared, name: str) -> str | None:
    found = declared.arguments.get(name)
    return found.value if found is not None and isinstance(found.value, str) and not is_blank(found.value) else None


# --- TK214 -----------------------------------------------------------------------------------------------------------

_DECORATOR: Final = "decorator"
_DEFINITION: Final = "definition"
_FOLDER: Final = "folder"


def _categories(facts: Facts) -> Iterator[Breach]:
    for declared in facts.declared:
        if facts.is_doubled(declared.name):
            continue  # rule/TK107
        definition = facts.definition_of(declared.name or "")
        said = _said(declared, definition)
        if _DECORATOR not in said and not _is_wrong(declared):
            yield _unsaid(declared, definition)
        elif len(set(said.values())) > 1:
            yield from _differing(facts, declared, definition, said)
        elif said:
            yield from _unlisted(facts, declared, next(iter(said.values())))


def _is_wrong(declared: Declared) -> bool:
    """Say whether the argument is there and TK211 reports it."""
    found = declared.arguments.get("category_key")
    return "category_key" in declared.computed or (found is not None and not isinstance(found.value, str))


def _said(declared: Declared, definition: Definition | None) -> dict[str, str]:
    """Return the categories that are readable texts, by where they stand."""
    found: dict[str, Any] = {_DECORATOR: _argument(declared, "category_key")}
    if definition is not None:
        found |= {_DEFINITION: definition.values.get("category_key"), _FOLDER: definition.category}
    return {where: value for where, value in found.items() if isinstance(value, str) and not is_blank(value)}


def _unsaid(declared: Declared, definition: Definition | None) -> Breach:
    place = declared.place_of("category_key")
    if definition is None:
        return Breach(place, "unsaid", {}, declared.name)
    return Breach(place, "missing", {"better": excerpt(definition.category)}, declared.name)


def _differing(
    facts: Facts, declared: Declared, definition: Definition | None, said: dict[str, str]
) -> Iterator[Breach]:
    """Report the one that stands alone; a category of the project's list counts more than one that is not."""
    known = facts.project.categories or ()
    values = list(said.values())
    best = max(values, key=lambda value: (value in known, values.count(value)))
    tied = len(
        {value for value in values if (value in known, values.count(value)) == (best in known, values.count(best))}
    )
    shown = {where: quoted(said[where]) if where in said else "-" for where in (_DECORATOR, _DEFINITION, _FOLDER)}
    if tied > 1 or definition is None:
        yield Breach(declared.place_of("category_key"), "all", shown, declared.name)
        return
    file = f"{definition.path.rpartition(f'/{DEFINITIONS}/')[0]}/{definition_file(best, definition.stem)}"
    places = {
        _DECORATOR: declared.place_of("category_key"),
        _DEFINITION: definition.place("/category_key"),
        _FOLDER: Place(definition.path, 1, 1),
    }
    for where, value in said.items():
        if value != best:
            yield Breach(
                places[where],
                where,
                {**shown, "best": excerpt(best), "yaml": yaml_text(best), "file": file},
                declared.name,
            )


def _unlisted(facts: Facts, declared: Declared, category: str) -> Iterator[Breach]:
    known = facts.project.categories
    if known is None or category in known:
        return
    near = nearest(category, known)
    values = {
        "category": excerpt(category),
        "known": listed(known),
        "near": near or "",
        "file": facts.project.pyproject,
    }
    yield Breach(declared.place_of("category_key"), "unlisted" if near is None else "near", values, declared.name)


_DIFFER: Final = Text(
    "The categories differ: decorator {decorator}, definition {definition}, folder {folder}.",
    "업무 분류 코드가 서로 다릅니다. 데코레이터 {decorator}, 정의 파일 {definition}, 폴더 {folder}.",
)
_UNLISTED: Final = Text(
    'The category "{category}" is not in the project\'s list: {known}.',
    '업무 분류 코드 "{category}" 값이 프로젝트 목록에 없습니다: {known}.',
)

TK214: Final = Rule(
    id="TK214",
    severity=Severity.ERROR,
    stage=Stage.SOURCE,
    title=Text(
        "Decorator, definition and folder name the same category, one of the project's.",
        "데코레이터, 정의 파일, 폴더의 업무 분류 코드가 같고 프로젝트 목록에 있어야 합니다.",
    ),
    why=Text(
        "The category is how tools are found and owned. The list stands in pyproject.toml, [tool.axhub] categories; "
        "without it only equality is checked. Source: seed 003 §4 and §5.",
        "업무 분류 코드로 도구를 찾고 담당을 정합니다. 목록은 pyproject.toml의 [tool.axhub] categories에 있으며, "
        "목록이 없으면 "
        "서로 같은지만 검사합니다. 출처: 설계 가이드 003 §4, §5.",
    ),
    messages={
        "decorator": Message(
            _DIFFER, Text('Write `category_key="{best}"` here.', '여기에 `category_key="{best}"` 값을 쓰십시오.')
        ),
        "definition": Message(
            _DIFFER, Text("Write `category_key: {yaml}` here.", "여기에 `category_key: {yaml}` 값을 쓰십시오.")
        ),
        "folder": Message(_DIFFER, Text("Move this file to {file}.", "이 파일을 {file} 위치로 옮기십시오.")),
        "all": Message(
            _DIFFER,
            Text("Make them the same everywhere.", "모든 곳에 같은 코드를 쓰십시오."),
        ),
        "missing": Message(
            Text("The decorators name no category_key.", "데코레이터에 category_key가 없습니다."),
            Text(
                'Add `category_key="{better}"`, the folder of the definition.',
                '정의 파일의 폴더와 같은 `category_key="{better}"` 인자를 더하십시오.',
            ),
        ),
        "unsaid": Message(
            Text("The decorators name no category_key.", "데코레이터에 category_key가 없습니다."),
            Text(
                'Add `category_key="…"`, which is also the folder of the definition.',
                '정의 파일의 폴더 이름이기도 한 `category_key="…"` 인자를 더하십시오.',
            ),
        ),
        "near": Message(
            _UNLISTED,
            Text(
                'Did you mean "{near}"? Write it in decorator, definition and folder name.',
                '"{near}" 코드를 뜻했다면 데코레이터, 정의 파일, 폴더 이름에 모두 그렇게 쓰십시오.',
            ),
        ),
        "unlisted": Message(
            _UNLISTED,
            Text(
                "Use one of these, or add it to categories of [tool.axhub] in {file}.",
                "목록의 코드를 쓰거나 {file}의 [tool.axhub] categories에 더하십시오.",
            ),
        ),
    },
    check=_categories,
    bad='@tool_hint(category_key="ins")     # tool_definitions/cmm/…, category_key: cmm',
    good='@tool_hint(category_key="cmm")',
)


# --- TK215 -----------------------------------------------------------------------------------------------------------


def _links(facts: Facts) -> Iterator[Breach]:
    for definition in facts.definitions:
        value = definition.values.get("legacy_interface_id")
        if value is not None and not isinstance(value, str):
            values = {**in_both("found", described(value)), "better": _as_text(value)}
            place = definition.place("/legacy_interface_id")
            yield Breach(place, "kind", values, definition.stem, Severity.ERROR)
    for declared, definition in _pairs(facts):
        yield from _link(declared, definition)
    yield from interface_ids.without_layouts(facts)


def _as_text(value: object) -> str:
    return yaml_text(value) if isinstance(value, bool | int | float) else '"…"'


def _link(declared: Declared, definition: Definition) -> Iterator[Breach]:
    said, mapping = definition.values.get("legacy_interface_id", ...), _argument(declared, "mapping_id")
    unread = said is ... or (said is not None and not isinstance(said, str))
    if unread or "mapping_id" in declared.computed or (mapping is None and is_blank(said)) or mapping == said:
        return
    if is_unwritten(said) or is_unwritten(mapping):
        return  # rule/TK303
    values = {"mapping": excerpt(mapping or ""), "said": excerpt(str(said or "")), "yaml": yaml_text(mapping or "")}
    if mapping is None:
        yield Breach(declared.place_of("mapping_id"), "unmapped", values, declared.name)
    else:
        variant = "unsaid" if is_blank(said) else "differ"
        yield Breach(definition.place("/legacy_interface_id"), variant, values, declared.name)


TK215: Final = Rule(
    id="TK215",
    severity=Severity.WARNING,
    stage=Stage.SOURCE,
    title=Text(
        "mapping_id of the decorator and legacy_interface_id of the definition are the same, and in MCI have layouts.",
        "데코레이터의 mapping_id와 정의 파일의 legacy_interface_id가 같고, MCI이면 레이아웃이 있어야 합니다.",
    ),
    why=Text(
        "Both name the interface that a tool uses; where they differ nobody knows which is right. A definition that "
        "gives no text there is an error, and so is a tool that calls an MCI system with an interface of which no "
        "layout is declared. Source: seed 003 §4, §5 and §9.",
        "둘 다 도구가 쓰는 인터페이스를 가리키므로, 서로 다르면 어느 쪽이 맞는지 알 수 없습니다. 정의 파일의 값이 "
        "문자열이 아니면 "
        "오류이고, MCI 시스템을 호출하는 도구의 인터페이스에 레이아웃이 없어도 오류입니다. 출처: 설계 가이드 003 §4, "
        "§5, §9.",
    ),
    messages={
        **interface_ids.MESSAGES,
        "differ": Message(
            Text(
                'legacy_interface_id is "{said}", and the decorator says `mapping_id="{mapping}"`.',
                'legacy_interface_id 값은 "{said}"인데 데코레이터의 값은 `mapping_id="{mapping}"`입니다.',
            ),
            Text(
                "Write `legacy_interface_id: {yaml}`, or correct mapping_id.",
                "`legacy_interface_id: {yaml}` 값을 쓰거나 mapping_id를 고치십시오.",
            ),
        ),
        "unsaid": Message(
            Text(
                'legacy_interface_id is empty, and the decorator says `mapping_id="{mapping}"`.',
                'legacy_interface_id 값이 비어 있는데 데코레이터의 값은 `mapping_id="{mapping}"`입니다.',
            ),
            Text("Write `legacy_interface_id: {yaml}`.", "`legacy_interface_id: {yaml}` 값을 쓰십시오."),
        ),
        "unmapped": Message(
            Text(
                'The decorators have no mapping_id, and the definition says legacy_interface_id "{said}".',
                '데코레이터에 mapping_id가 없는데 정의 파일의 legacy_interface_id 값은 "{said}"입니다.',
            ),
            Text('Add `mapping_id="{said}"`.', '`mapping_id="{said}"` 인자를 더하십시오.'),
        ),
        "kind": Message(
            Text(
                "legacy_interface_id has to be a text, and here stands {found}.",
                "legacy_interface_id 값은 문자열이어야 합니다. 지금 값: {found_ko}.",
            ),
            Text(
                "Write `legacy_interface_id: {better}`, or null if there is none.",
                "`legacy_interface_id: {better}` 값을 쓰거나, 없으면 null을 쓰십시오.",
            ),
        ),
    },
    check=_links,
    bad='@tool_hint(mapping_id="CLCNNB00001")    # legacy_interface_id: CLCNNB00002',
    good='@tool_hint(mapping_id="CLCNNB00001")    # legacy_interface_id: CLCNNB00001',
)


# --- TK217 -----------------------------------------------------------------------------------------------------------


def _titles(facts: Facts) -> Iterator[Breach]:
    for declared, definition in _pairs(facts):
        title, said = _argument(declared, "title"), definition.values.get("display_name")
        if title is None or not isinstance(said, str) or is_blank(said) or title == said:
            continue
        if is_unwritten(title) or is_unwritten(said):
            continue  # rule/TK303
        alike = unicodedata.normalize("NFKC", title).strip() == unicodedata.normalize("NFKC", said).strip()
        values = {"title": excerpt(title), "said": excerpt(said), "yaml": yaml_text(title)}
        yield Breach(definition.place("/display_name"), "alike" if alike else "", values, declared.name)


TK217: Final = Rule(
    id="TK217",
    severity=Severity.ERROR,
    stage=Stage.SOURCE,
    title=Text(
        "title of the decorator and display_name of the definition are the same.",
        "데코레이터의 title과 정의 파일의 display_name이 같아야 합니다.",
    ),
    why=Text(
        "Both are the name that people see; it is published once, so there can be only one. Source: toolkit/T8.",
        "둘 다 사람이 보는 이름이며 한 번만 등록되므로 하나여야 합니다. 출처: toolkit/T8.",
    ),
    messages={
        "": Message(
            Text(
                'display_name is "{said}", and the decorator says `title="{title}"`.',
                'display_name 값은 "{said}"인데 데코레이터의 값은 `title="{title}"`입니다.',
            ),
            Text(
                "Write `display_name: {yaml}`, or the same text as title.",
                "`display_name: {yaml}` 값을 쓰거나 title을 같은 글로 고치십시오.",
            ),
        ),
        "alike": Message(
            Text(
                'display_name "{said}" and `title="{title}"` look alike and differ in blanks, in width, or in how '
                "their characters are composed.",
                'display_name "{said}" 값과 `title="{title}"` 값은 비슷해 보이지만 공백, 전각·반각, 또는 글자 조합 '
                "방식(NFC·NFD)이 "
                "다릅니다.",
            ),
            Text(
                "Copy one of the two over the other, as `display_name: {yaml}`.",
                "한쪽 값을 다른 쪽에 복사해 넣으십시오: `display_name: {yaml}`.",
            ),
        ),
    },
    check=_titles,
    bad='@tool(…, title="청구 조회", …)     # display_name: 보험금 청구 상태 조회',
    good='@tool(…, title="보험금 청구 상태 조회", …)',
)

RULES: Final = (TK214, TK215, TK217)
