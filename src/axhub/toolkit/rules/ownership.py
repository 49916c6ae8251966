"""Who answers for a tool, and what people have looked at: rules TK313 and TK901 (seed 003 §5 and §13)."""

from collections.abc import Iterator, Mapping
from typing import Final

from axhub.configuration.faults import excerpt
from axhub.toolkit.facts.service import Definition, Facts
from axhub.toolkit.rules.definitions import readable, value_at
from axhub.toolkit.rules.model import Breach, Message, Rule, Severity, Stage, Text
from axhub.toolkit.rules.telling.authored import described, in_both, is_blank, listed, nearest, quoted, yaml_text
from axhub.toolkit.rules.telling.placeholders import is_unwritten

__all__ = ["CHECKLIST", "RULES"]

CHECKLIST: Final[Mapping[str, Text]] = {
    "texts": Text(
        "title, description, use and non-use conditions are concrete",
        "title, description, 사용·비사용 조건이 구체적임",
    ),
    "schema": Text("simple and complex schemas are chosen rightly", "스키마의 단순·복잡 기준을 적용함"),
    "answer": Text(
        "meaning of null, conditions, order and truncation of the answer are described rightly",
        "응답의 null 의미, 조건, 정렬, 잘림 여부를 바르게 설명함",
    ),
    "privacy": Text("unneeded personal data is out of input and output", "불필요한 개인정보를 입출력에서 제거함"),
}
"""What no machine can decide of seed 003 §13; a reviewer lists these words under `signoff`."""


# --- TK313 -----------------------------------------------------------------------------------------------------------


def _owners(facts: Facts) -> Iterator[Breach]:
    for definition in readable(facts):
        yield from _owner(facts, definition)
        yield from _tags(definition)


def _owner(facts: Facts, definition: Definition) -> Iterator[Breach]:
    owner, known = value_at(definition, "/owner_org"), facts.project.owners
    place = definition.place("/owner_org")
    if owner is ...:
        return
    if is_blank(owner) or not isinstance(owner, str):
        yield Breach(place, "owner", in_both("found", described(owner)), definition.stem)
    elif known is not None and owner not in known and not is_unwritten(owner):
        near = nearest(owner, known)
        values = {"owner": excerpt(owner), "known": listed(known), "near": near or "", "file": facts.project.pyproject}
        yield Breach(place, "unlisted" if near is None else "near", values, definition.stem)


def _tags(definition: Definition) -> Iterator[Breach]:
    tags = value_at(definition, "/tags")
    if tags is None or tags == []:
        yield Breach(definition.place("/tags"), "untagged", {}, definition.stem)
    elif tags is not ... and not isinstance(tags, list):
        words = [word.strip() for word in tags.split(",")] if isinstance(tags, str) else []
        better = listed(yaml_text(word) for word in words if not is_blank(word)) or "보험금, 청구조회"
        said = {**in_both("found", described(tags)), "better": better}
        yield Breach(definition.place("/tags"), "tags", said, definition.stem)
    for at, tag in enumerate(tags if isinstance(tags, list) else ()):
        if is_blank(tag) or not isinstance(tag, str):
            values: dict[str, str | int] = {"number": at + 1, **in_both("found", described(tag))}
            yield Breach(definition.place(f"/tags/{at}"), "tag", values, definition.stem)


_UNLISTED: Final = Text(
    'owner_org "{owner}" is not in the project\'s list: {known}.',
    'owner_org "{owner}" 값이 프로젝트 목록에 없습니다: {known}.',
)

TK313: Final = Rule(
    id="TK313",
    severity=Severity.WARNING,
    stage=Stage.SOURCE,
    title=Text(
        "A definition names an owner of the project's list, and tags.",
        "정의 파일에는 프로젝트 목록에 있는 담당 조직과 태그가 있는 것이 좋습니다.",
    ),
    why=Text(
        "Somebody has to answer for a tool, and people find it in the portal by its tags. The list stands in "
        "pyproject.toml, [tool.axhub] owners; without it every owner is fine. Source: seed 003 §5.",
        "도구를 책임질 조직이 있어야 하고, 사람들은 포털에서 태그로 도구를 찾습니다. 목록은 pyproject.toml의 "
        "[tool.axhub] owners에 "
        "있으며, 없으면 모든 조직을 쓸 수 있습니다. 출처: 설계 가이드 003 §5.",
    ),
    messages={
        "owner": Message(
            Text(
                "owner_org has to name an organisation, and here stands {found}.",
                "owner_org에는 담당 조직을 문자열로 써야 합니다. 지금 값: {found_ko}.",
            ),
            Text('Write `owner_org: "…"`.', '`owner_org: "…"` 값을 쓰십시오.'),
        ),
        "near": Message(
            _UNLISTED,
            Text('Did you mean "{near}"?', '"{near}" 조직을 뜻했다면 그렇게 쓰십시오.'),
        ),
        "unlisted": Message(
            _UNLISTED,
            Text(
                "Use one of these, or add it to owners of [tool.axhub] in {file}.",
                "목록의 조직을 쓰거나 {file}의 [tool.axhub] owners에 더하십시오.",
            ),
        ),
        "untagged": Message(
            Text("tags is empty.", "tags 값이 비어 있습니다."),
            Text(
                "Write at least one word to find the tool by: `tags: [보험금]`.",
                "도구를 찾을 말을 하나 이상 쓰십시오: `tags: [보험금]`.",
            ),
        ),
        "tags": Message(
            Text(
                "tags has to be a list, and here stands {found}.",
                "tags 값은 목록이어야 합니다. 지금 값: {found_ko}.",
            ),
            Text(
                "Put brackets around it: `tags: [{better}]`.",
                "대괄호로 묶으십시오: `tags: [{better}]`.",
            ),
        ),
        "tag": Message(
            Text(
                "Tag {number} has to be a text, and here stands {found}.",
                "{number}번째 태그는 문자열이어야 합니다. 지금 값: {found_ko}.",
            ),
            Text(
                "Write a word, in quotes if it is a number, or remove it.",
                "말을 쓰거나(숫자는 따옴표로 묶음) 지우십시오.",
            ),
        ),
    },
    check=_owners,
    bad="tags: []\nowner_org: MCP_TOLO",
    good="tags: [보험금, 청구조회]\nowner_org: MCP_TOOL",
)


# --- TK901 -----------------------------------------------------------------------------------------------------------


def _unsigned(facts: Facts) -> Iterator[Breach]:
    for definition in readable(facts):
        signed = value_at(definition, "/signoff")
        place = definition.place("/signoff")
        if not isinstance(signed, list) and signed is not ... and signed is not None:
            values = {**in_both("found", described(signed)), "all": listed(CHECKLIST)}
            yield Breach(place, "kind", values, definition.stem)
            continue
        items = signed if isinstance(signed, list) else []
        meant = set()
        for at, item in enumerate(items):
            if item not in list(CHECKLIST):
                near = nearest(item, CHECKLIST)
                meant.add(near)
                values = {"item": quoted(item), "near": near or "", "all": listed(CHECKLIST)}
                at_item = definition.place(f"/signoff/{at}")
                yield Breach(at_item, "unknown" if near is None else "misspelt", values, definition.stem)
        left = [item for item in CHECKLIST if item not in items and item not in meant]
        if left:
            yield Breach(place, "left", _left(left), definition.stem)


def _left(items: list[str]) -> dict[str, str | int]:
    told = Text(*("; ".join(f"{item}: {getattr(CHECKLIST[item], lang)}" for item in items) for lang in ("en", "ko")))
    return {"count": len(items), "items": listed(items), "all": listed(CHECKLIST), **in_both("told", told)}


_UNKNOWN: Final = Text(
    "signoff has no item {item}; there are {all}.",
    "signoff에 {item} 항목은 없습니다. 쓸 수 있는 항목: {all}.",
)

TK901: Final = Rule(
    id="TK901",
    severity=Severity.WARNING,
    stage=Stage.SOURCE,
    title=Text(
        "A reviewer has signed what no machine can decide.",
        "기계가 판단할 수 없는 항목을 검토자가 확인해야 합니다.",
    ),
    why=Text(
        "Whether a text is concrete or data is needed, only people can say. Whoever reviews the definition lists the "
        "items looked at: "
        + "; ".join(f"{item} ({text.en})" for item, text in CHECKLIST.items())
        + ". Source: seed 003 §13.",
        "글이 구체적인지, 데이터가 필요한지는 사람만 판단할 수 있습니다. 정의 파일을 검토한 사람이 확인한 항목을 "
        "적습니다: "
        + "; ".join(f"{item}({text.ko})" for item, text in CHECKLIST.items())
        + ". 출처: 설계 가이드 003 §13.",
    ),
    messages={
        "left": Message(
            Text(
                "Not yet signed by a reviewer ({count}): {items}.",
                "검토자가 아직 확인하지 않은 항목({count}개): {items}.",
            ),
            Text(
                "Once they have been reviewed ({told}), list them: `signoff: [{all}]`.",
                "검토한 뒤({told_ko}) 항목을 적으십시오: `signoff: [{all}]`.",
            ),
        ),
        "misspelt": Message(_UNKNOWN, Text('Did you mean "{near}"?', '"{near}" 항목을 뜻했다면 그렇게 쓰십시오.')),
        "unknown": Message(_UNKNOWN, Text("Remove it.", "지우십시오.")),
        "kind": Message(
            Text(
                "signoff has to be a list, and here stands {found}.",
                "signoff 값은 목록이어야 합니다. 지금 값: {found_ko}.",
            ),
            Text(
                "List the items that a reviewer has looked at, of [{all}].",
                "검토자가 확인한 항목을 목록으로 적으십시오. 쓸 수 있는 항목: [{all}].",
            ),
        ),
    },
    check=_unsigned,
    bad="signoff: [texts]",
    good=f"signoff: [{listed(CHECKLIST)}]",
    heuristic=True,
)

RULES: Final = (TK313, TK901)
