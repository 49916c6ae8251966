"""What a definition says to people and models: rules TK303 and TK304 (seed 003 §5, toolkit/T8)."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from axhub.configuration.faults import excerpt
from axhub.contract.schema_walk import walk
from axhub.toolkit.facts.fields import answer_fields, input_fields, python_name
from axhub.toolkit.facts.holders import holders
from axhub.toolkit.facts.service import Definition, Facts, Place
from axhub.toolkit.rules.definitions import DESCRIPTION_PARTS, misplaced_parts, readable, value_at
from axhub.toolkit.rules.model import Breach, Message, Rule, Severity, Stage, Text
from axhub.toolkit.rules.telling.authored import described, in_both, is_blank, quoted, values_of, yaml_text
from axhub.toolkit.rules.telling.placeholders import is_unwritten, marker_in, stands_for_a_text

__all__ = ["MAX_DESCRIPTION", "RULES"]

MAX_DESCRIPTION: Final = 1024
"""Characters of the four parts of a description, each on its own line (toolkit/T8)."""

_TEXTS: Final = (
    "/display_name",
    "/category_key",
    *(f"/description/{part}" for part in DESCRIPTION_PARTS),
    "/display_description",
)
_QUERIES: Final = "/example_queries"
_NAMES: Final = ("/legacy_interface_id", "/owner_org")
"""Values that are no sentences: of them only what is marked, or stands in brackets, is a placeholder."""


def _key(pointer: str) -> str:
    return pointer[1:].replace("/", ".")


# --- TK303 -----------------------------------------------------------------------------------------------------------


def _texts(facts: Facts) -> Iterator[Breach]:
    for definition in readable(facts):
        yield from _group(definition)
        for pointer in _TEXTS:
            yield from _text(definition, pointer)
        queries = value_at(definition, _QUERIES)
        for at, query in enumerate(queries if isinstance(queries, list) else ()):
            yield from _placeholder(
                query, f"example_queries[{at}]", definition.place(f"{_QUERIES}/{at}"), definition.stem
            )
    for declared in facts.declared:
        for argument in ("title", "description", "mapping_id"):
            found = declared.arguments.get(argument)
            if found is not None and (argument != "mapping_id" or is_unwritten(found.value)):
                yield from _placeholder(found.value, argument, found.place, declared.name)
    yield from _names_to_write(facts)
    yield from _descriptions(facts)


def _names_to_write(facts: Facts) -> Iterator[Breach]:
    for definition in readable(facts):
        tags = value_at(definition, "/tags")
        found = {pointer: (_key(pointer), value_at(definition, pointer)) for pointer in ("/tags", *_NAMES)}
        for at, tag in enumerate(tags if isinstance(tags, list) else ()):
            found[f"/tags/{at}"] = (f"tags[{at}]", tag)
        for pointer, (key, value) in found.items():
            if is_unwritten(value):
                yield from _placeholder(value, key, definition.place(pointer), definition.stem)


def _descriptions(facts: Facts) -> Iterator[Breach]:
    """Look at what schemas and models say about fields."""
    for holder in holders(facts):
        for place in walk(holder.schema):
            text = place.schema.get("description") if isinstance(place.schema, dict) else None
            if is_unwritten(text):
                pointer = place.pointer_to("description")
                key = holder.name + pointer.replace("/", ".")
                yield from _placeholder(text, excerpt(key), holder.place(pointer), holder.tool)
    for used in (*input_fields(facts), *answer_fields(facts)):
        text = used.field.description
        if is_unwritten(text):
            key = f"{used.field.model.rpartition('.')[2]}.{python_name(used.field)}"
            yield from _placeholder(text, key, used.field.place, used.tool)


def _group(definition: Definition) -> Iterator[Breach]:
    """Check that `description` has parts at all, and that together they are not too long."""
    found, place = value_at(definition, "/description"), definition.place("/description")
    parts = values_of(found)
    if found is ... or (misplaced_parts(definition) and is_blank(found)):
        return
    if not parts:
        yield Breach(place, "group", in_both("found", described(found)), definition.stem)
        return
    texts = [text for part in DESCRIPTION_PARTS if isinstance(text := parts.get(part), str)]
    count = len("\n".join(texts))
    if count > MAX_DESCRIPTION:
        yield Breach(place, "long", {"count": count, "over": count - MAX_DESCRIPTION}, definition.stem)


def _text(definition: Definition, pointer: str) -> Iterator[Breach]:
    value = value_at(definition, pointer)
    values = {"key": _key(pointer), "last": pointer.rpartition("/")[2]}
    if value is ...:
        return
    if is_blank(value):
        yield Breach(definition.place(pointer), "blank", values, definition.stem)
    elif not isinstance(value, str):
        scalar = isinstance(value, bool | int | float)
        better = yaml_text(value) if scalar else '"…"'
        said = {**values, **in_both("found", described(value)), "better": better}
        yield Breach(definition.place(pointer), "kind", said, definition.stem)
    else:
        yield from _placeholder(value, _key(pointer), definition.place(pointer), definition.stem)


def _placeholder(value: object, key: str, place: Place, tool: str | None) -> Iterator[Breach]:
    if not isinstance(value, str) or is_blank(value):
        return
    marker = marker_in(value)
    if marker is not None:
        yield Breach(place, f"marker{_kind(key)}", {"key": key, "marker": marker}, tool)
    elif stands_for_a_text(value):
        yield Breach(place, f"placeholder{_kind(key)}", {"key": key, "value": excerpt(value)}, tool)


def _kind(key: str) -> str:
    """Return which kind of text is wanted: a name or an id, or sentences."""
    is_name = key.startswith("tags") or key == "mapping_id" or f"/{key}" in _NAMES
    return "-name" if is_name else ""


_MARKER_PROBLEM: Final = Text(
    'The text of {key} still has "{marker}" in it.', '{key} 글에 "{marker}" 표시가 남아 있습니다.'
)
_PLACEHOLDER_PROBLEM: Final = Text(
    'The text of {key} is only a placeholder: "{value}".', '{key} 글이 자리표시뿐입니다: "{value}".'
)
_WRITE_TEXT: Final = Text("Write what people and models shall read.", "사람과 모델이 읽을 실제 내용을 쓰십시오.")
_WRITE_NAME: Final = Text(
    "Write the name or id itself, as its owner has it; no sentence.",
    "문장이 아니라 실제로 쓰이는 이름이나 식별자를 그대로 쓰십시오.",
)

TK303: Final = Rule(
    id="TK303",
    severity=Severity.ERROR,
    stage=Stage.IMPORTED,
    title=Text(
        "What people and models read is filled in: names, category, the four parts of the description, fields.",
        "표시명, 분류, 네 가지 설명, 필드 설명이 실제 내용으로 채워져 있어야 합니다.",
    ),
    why=Text(
        "The four parts are all that a model knows about a tool: what it does, when to use it, when not to, and its "
        f"limits. An empty one, or one with TODO in it, leads to wrong calls. Together they have at most "
        f"{MAX_DESCRIPTION} characters. Source: seed 003 §5, toolkit/T8.",
        "모델이 도구에 대해 아는 것은 기능, 사용할 때, 사용하지 않을 때, 입출력 제한의 네 가지 설명뿐입니다. 비어 "
        "있거나 TODO가 남아 "
        f"있으면 잘못 호출합니다. 네 설명을 합쳐 {MAX_DESCRIPTION}자 이하여야 합니다. 출처: 설계 가이드 003 §5, "
        f"toolkit/T8.",
    ),
    messages={
        "blank": Message(
            Text("{key} is empty.", "{key} 값이 비어 있습니다."),
            Text('Write a text for it: `{last}: "…"`.', '내용을 쓰십시오: `{last}: "…"`.'),
        ),
        "kind": Message(
            Text(
                "{key} has to be a text, and here stands {found}.",
                "{key} 값은 문자열이어야 합니다. 지금 값: {found_ko}.",
            ),
            Text("Write `{last}: {better}`.", "`{last}: {better}` 값을 쓰십시오."),
        ),
        "marker": Message(_MARKER_PROBLEM, _WRITE_TEXT),
        "marker-name": Message(_MARKER_PROBLEM, _WRITE_NAME),
        "placeholder": Message(_PLACEHOLDER_PROBLEM, _WRITE_TEXT),
        "placeholder-name": Message(_PLACEHOLDER_PROBLEM, _WRITE_NAME),
        "group": Message(
            Text(
                "description has four parts below it, and here stands {found}.",
                "description 아래에는 네 부분이 있어야 합니다. 지금 값: {found_ko}.",
            ),
            Text(
                "Write function:, when_to_use:, when_not_to_use: and io_limits: below description:, each indented by "
                "two blanks.",
                "description: 아래에 function:, when_to_use:, when_not_to_use:, io_limits: 를 공백 두 칸씩 들여 "
                "쓰십시오.",
            ),
        ),
        "long": Message(
            Text(
                f"The four parts of the description have {{count}} characters together, more than {MAX_DESCRIPTION}.",
                f"description 네 부분의 길이는 모두 {{count}}자로 {MAX_DESCRIPTION}자보다 깁니다.",
            ),
            Text("Shorten them by {over} or more.", "{over}자 이상 줄이십시오."),
        ),
    },
    check=_texts,
    bad='description:\n  when_to_use: ""\n  io_limits: TODO',
    good="description:\n  when_to_use: 청구의 진행 상태를 확인할 때 사용한다.\n  io_limits: 청구번호가 필요하다.",
)


# --- TK304 -----------------------------------------------------------------------------------------------------------

_NUMBER: Final = r"(?:0|[1-9][0-9]*)"
_PRE: Final = r"(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)"
_SEMVER: Final = re.compile(
    rf"{_NUMBER}\.{_NUMBER}\.{_NUMBER}(?:-{_PRE}(?:\.{_PRE})*)?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?"
)
_NUMBERS: Final = re.compile(r"[vV]?\.?([0-9]{1,9})(?:\.([0-9]{1,9}))?(?:\.([0-9]{1,9}))?(?:\.[0-9.]*)?")


def _versions(facts: Facts) -> Iterator[Breach]:
    for definition in readable(facts):
        value = value_at(definition, "/version")
        if value is ... or (isinstance(value, str) and _SEMVER.fullmatch(value)):
            continue
        values = {**in_both("found", described(value)), "value": quoted(value), "better": _better(value) or "1.0.0"}
        if isinstance(value, float):
            values |= {"raw": f"{value}0", "longer": f"{value}0.0"}
        yield Breach(definition.place("/version"), _variant(value), values, definition.stem)


def _variant(value: object) -> str:
    if is_blank(value):
        return "blank"
    if isinstance(value, float):
        return "decimal" if _better(value) else "kind"
    if isinstance(value, str):
        return "text" if _better(value) else "like"
    return "kind"


def _better(value: object) -> str | None:
    """Return the version that was most likely meant."""
    text = str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else ""
    found = _NUMBERS.fullmatch(unicodedata.normalize("NFKC", text).strip())
    return None if found is None else ".".join(str(int(part or "0")) for part in found.groups())


TK304: Final = Rule(
    id="TK304",
    severity=Severity.ERROR,
    stage=Stage.SOURCE,
    title=Text(
        'version is a text of three numbers, such as "1.0.0".',
        'version 값은 "1.0.0"처럼 세 숫자로 된 문자열이어야 합니다.',
    ),
    why=Text(
        "Versions are compared by their three numbers (semantic versioning). Without quotes YAML reads 1.10 as the "
        "number 1.1, and the difference is lost. Source: seed 003 §5.",
        "버전은 세 숫자로 비교합니다(시맨틱 버저닝). 따옴표가 없으면 YAML이 1.10을 숫자 1.1로 읽어 차이가 사라집니다. "
        "출처: 설계 가이드 003 §5.",
    ),
    messages={
        "blank": Message(
            Text("version is empty.", "version 값이 비어 있습니다."),
            Text('Write `version: "{better}"`.', '`version: "{better}"` 값을 쓰십시오.'),
        ),
        "decimal": Message(
            Text(
                "version is {found}, no text; a zero at its end (1.10) is lost when YAML reads it.",
                "version 값이 문자열이 아닙니다: {found_ko}. YAML이 읽을 때 끝의 0이 사라집니다(1.10).",
            ),
            Text(
                'Write three numbers in quotes: `version: "{better}"`, or "{longer}" if you wrote {raw}.',
                '세 숫자를 따옴표로 묶어 쓰십시오: `version: "{better}"`. {raw} 값을 뜻했다면 "{longer}".',
            ),
        ),
        "kind": Message(
            Text("version is {found}, no text.", "version 값이 문자열이 아닙니다: {found_ko}."),
            Text(
                'Write three numbers in quotes: `version: "{better}"`.',
                '세 숫자를 따옴표로 묶어 쓰십시오: `version: "{better}"`.',
            ),
        ),
        "text": Message(
            Text(
                "version {value} is not of the form 1.2.3: three numbers without leading zeros, and nothing else.",
                "version {value} 값은 1.2.3 형식이 아닙니다. 앞에 0이 붙지 않은 세 숫자만 씁니다.",
            ),
            Text('Write `version: "{better}"`.', '`version: "{better}"` 값을 쓰십시오.'),
        ),
        "like": Message(
            Text(
                "version {value} is not of the form 1.2.3.",
                "version {value} 값은 1.2.3 형식이 아닙니다.",
            ),
            Text(
                'Write major, minor and patch number with dots, such as `version: "1.0.0"`.',
                '주, 부, 수 번호를 점으로 이어 쓰십시오. 예: `version: "1.0.0"`.',
            ),
        ),
    },
    check=_versions,
    bad="version: 1.10",
    good='version: "1.10.0"',
)

RULES: Final = (TK303, TK304)
