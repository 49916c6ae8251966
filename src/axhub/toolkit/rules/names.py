"""Names that callers can use: rules TK101, TK102 and TK107 (seed 003 §2, decision/D4). `name_parts` has the others."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from axhub.configuration.faults import excerpt
from axhub.contract.naming import MAX_NAME_CHARS, folded
from axhub.toolkit.facts.service import Declared, Facts, Place
from axhub.toolkit.rules.functions import implementing
from axhub.toolkit.rules.model import Breach, Message, Rule, Severity, Stage, Text
from axhub.toolkit.rules.telling.authored import described, in_both, is_blank, nearest, quoted

__all__ = ["RULES", "is_valid", "slug", "well_named"]

_NAME: Final = re.compile(r"[a-z][a-z0-9_]{2,63}")

_SHORTEST: Final = 3
_LETTERS: Final = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_")
_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_NAMESPACE: Final = re.compile(r"[A-Za-z0-9_./-]*")
_PORTABLE: Final = re.compile(r"(?:[A-Za-z][A-Za-z0-9_-]*)?")


class _Named(NamedTuple):
    """A name and where it is written."""

    name: object
    place: Place
    tool: str | None


def slug(text: str) -> str | None:
    """Return the valid name that is nearest to a text, or None if too little of it is left."""
    spaced = _HUMP.sub("_", unicodedata.normalize("NFKC", text)).casefold()
    found = re.sub(r"_{2,}", "_", re.sub(r"[^a-z0-9_]+", "_", spaced)).strip("_").lstrip("0123456789_")
    found = found[:MAX_NAME_CHARS].rstrip("_")
    return found if _NAME.fullmatch(found) else None


def is_valid(name: object) -> bool:
    """Say whether a name is well formed, as a whole."""
    return isinstance(name, str) and _NAME.fullmatch(name) is not None


def well_named(facts: Facts) -> Iterator[tuple[str, Declared]]:
    """Yield the declarations whose names are well formed: the others are TK101's."""
    for declared in facts.declared:
        if declared.name is not None and is_valid(declared.name):
            yield declared.name, declared


# --- TK101 -----------------------------------------------------------------------------------------------------------


def _malformed(facts: Facts) -> Iterator[Breach]:
    for named in _names(facts):
        variant, values = _fault(named.name)
        if variant:
            better = _suggestion(facts, named)
            ending = "like" if better is None else ""
            yield Breach(named.place, variant + ending, {**values, "better": better or ""}, named.tool)


def _names(facts: Facts) -> Iterator[_Named]:
    """Yield each name where it is written; one that a definition repeats is named in its declaration only."""
    seen = set()
    for declared in facts.declared:
        if declared.name is not None and not is_blank(declared.name):  # else TK211
            seen.add(declared.name)
            yield _Named(declared.name, declared.place_of("name"), declared.name)
    for definition in facts.definitions:
        name = definition.values.get("name", ...)
        if name is not ... and not (isinstance(name, str) and name in seen):
            yield _Named(name, definition.place("/name"), definition.stem)


def _fault(name: object) -> tuple[str, dict[str, str | int]]:
    """Return the first thing that is wrong with a name: the message for it and its values."""
    if is_blank(name):
        return "blank", {}
    if not isinstance(name, str):
        return "kind", {**in_both("found", described(name))}
    values: dict[str, str | int] = {"name": excerpt(name), "count": len(name), "counted": _counted(name)}
    for at, character in enumerate(name, 1):
        if character not in _LETTERS:
            return "letter", {**values, "character": _shown(character), "at": at}
    if not name[0].isalpha():
        return "start", {**values, "character": _shown(name[0])}
    if len(name) < _SHORTEST:
        return "short", values
    return ("long", {**values, "over": len(name) - MAX_NAME_CHARS}) if len(name) > MAX_NAME_CHARS else ("", {})


def _counted(name: str) -> str:
    return "1 character" if len(name) == 1 else f"{len(name)} characters"


def _shown(character: str) -> str:
    plain = "!" <= character <= "~"
    return quoted(character) if plain else f"{quoted(character)} (U+{ord(character):04X})"


def _suggestion(facts: Facts, named: _Named) -> str | None:
    """Return the name to write instead: that of the definition's file where it is good, else the nearest good one."""
    if named.place.file.endswith(".yml") and is_valid(named.tool):
        return named.tool
    near = slug(named.name) if isinstance(named.name, str) else None
    names = {declared.name for declared in facts.declared}
    free = [one.stem for one in facts.definitions if one.stem not in names and is_valid(one.stem)]
    return nearest(named.name, free) or (free[0] if len(free) == 1 else near)


_LETTER_PROBLEM: Final = Text(
    'The tool name "{name}" has {character} at character {at}; only a-z, 0-9 and _ may stand in it.',
    '도구 이름 "{name}"의 {at}번째 문자 {character}: 이름에는 a-z, 0-9, _만 쓸 수 있습니다.',
)
_START_PROBLEM: Final = Text(
    'The tool name "{name}" begins with {character}; it has to begin with a letter a-z.',
    '도구 이름 "{name}"의 첫 문자 {character}: 이름은 영문 소문자 a-z로 시작해야 합니다.',
)
_SHORT_PROBLEM: Final = Text(
    'The tool name "{name}" has {counted}; it needs 3 to 64.',
    '도구 이름 "{name}"의 길이는 {count}자입니다. 3자 이상 64자 이하여야 합니다.',
)
_LONG_PROBLEM: Final = Text(
    'The tool name "{name}" has {count} characters, {over} more than the 64 that are allowed.',
    '도구 이름 "{name}"의 길이는 {count}자로, 허용된 64자보다 {over}자 깁니다.',
)
_KIND_PROBLEM: Final = Text(
    "The tool name has to be a text, and here stands {found}.",
    "도구 이름은 문자열이어야 합니다. 지금 값: {found_ko}.",
)
_BLANK_PROBLEM: Final = Text("The tool name is empty.", "도구 이름이 비어 있습니다.")
_WRITE: Final = Text(
    'Write "{better}"; decorator, definition and the definition\'s file name all have the same name.',
    '"{better}" 값을 쓰십시오. 데코레이터, 정의 파일의 name, 정의 파일 이름이 모두 같아야 합니다.',
)
_WRITE_LIKE: Final = Text(
    'Write 3 to 64 characters a-z, 0-9 and _ in the form domain_function_action, such as "cmm_claim_search".',
    'a-z, 0-9, _만으로 3~64자의 이름을 업무도메인_업무기능_행위 형식으로 쓰십시오. 예: "cmm_claim_search".',
)
_CUT: Final = Text(
    "Shorten it by {over} or more, for instance by leaving a part out; decorator, definition and the "
    "definition's file name all have the same name.",
    "한 부분을 빼는 등 {over}자 이상 줄이십시오. 데코레이터, 정의 파일의 name, 정의 파일 이름이 모두 같아야 합니다.",
)

TK101: Final = Rule(
    id="TK101",
    severity=Severity.ERROR,
    stage=Stage.SOURCE,
    title=Text(
        "A tool name is 3 to 64 characters a-z, 0-9 and _ and begins with a letter.",
        "도구 이름은 a-z, 0-9, _로 된 3~64자이며 영문 소문자로 시작해야 합니다.",
    ),
    why=Text(
        "Model providers, gateways and file systems differ in what they take; this form passes everywhere, and one bad "
        "name can hide all tools of a service. The whole text must match: no blank or line end before or after it. "
        "Source: seed 003 §2.",
        "모델 제공사, 게이트웨이, 파일 시스템마다 허용하는 문자가 다릅니다. 이 형식은 어디서나 통하며, 잘못된 이름 "
        "하나가 "
        "서비스의 모든 도구를 가릴 수 있습니다. 앞뒤의 공백이나 줄바꿈도 허용되지 않습니다. 출처: 설계 가이드 003 §2.",
    ),
    messages={
        "letter": Message(_LETTER_PROBLEM, _WRITE),
        "letterlike": Message(_LETTER_PROBLEM, _WRITE_LIKE),
        "start": Message(_START_PROBLEM, _WRITE),
        "startlike": Message(_START_PROBLEM, _WRITE_LIKE),
        "short": Message(_SHORT_PROBLEM, _WRITE),
        "shortlike": Message(_SHORT_PROBLEM, _WRITE_LIKE),
        "long": Message(_LONG_PROBLEM, _CUT),
        "longlike": Message(_LONG_PROBLEM, _CUT),
        "kind": Message(_KIND_PROBLEM, _WRITE),
        "kindlike": Message(_KIND_PROBLEM, _WRITE_LIKE),
        "blank": Message(_BLANK_PROBLEM, _WRITE),
        "blanklike": Message(_BLANK_PROBLEM, _WRITE_LIKE),
    },
    check=_malformed,
    bad='@tool(name="cmm.claimSearch", …)',
    good='@tool(name="cmm_claim_search", …)',
    suppressible=False,
)


# --- TK102 -----------------------------------------------------------------------------------------------------------


def _published(facts: Facts) -> Iterator[Breach]:
    settings = facts.settings
    if settings is None or not settings.namespace:
        return
    namespace, place = settings.namespace, settings.namespace_place
    values: dict[str, str | int] = {"namespace": excerpt(namespace)}
    if _NAMESPACE.fullmatch(namespace) is None:
        at, character = next((at, one) for at, one in enumerate(namespace, 1) if _NAMESPACE.fullmatch(one) is None)
        yield Breach(place, "characters", {**values, "character": _shown(character), "at": at})
        return
    if _PORTABLE.fullmatch(namespace) is None:
        better = re.sub(r"[^A-Za-z0-9_-]", "_", namespace).lstrip("0123456789_-") or "processing_"
        yield Breach(place, "portable", {**values, "better": better}, severity=Severity.WARNING)
    for name, declared in well_named(facts):
        if (over := len(namespace) + len(name) - MAX_NAME_CHARS) > 0:
            counts: dict[str, str | int] = {"count": len(namespace) + len(name), "taken": len(namespace), "over": over}
            left: dict[str, str | int] = {"name": name, "published": namespace + name, "left": max(len(name) - over, 0)}
            yield Breach(declared.place_of("name"), "long", {**values, **counts, **left}, name)


TK102: Final = Rule(
    id="TK102",
    severity=Severity.ERROR,
    stage=Stage.SERVICE,
    title=Text(
        "The published name, namespace included, has at most 64 characters that callers accept.",
        "네임스페이스를 포함한 등록 이름은 호출 측이 받아들이는 문자로 64자 이하여야 합니다.",
    ),
    why=Text(
        "mcp.namespace goes before each name when the manifest is rendered, and the gateway refuses the whole manifest "
        'for one name that is too long. "." and "/" are allowed by the contract, but model providers refuse such '
        "names. "
        "Source: decision D4.",
        "매니페스트를 만들 때 각 이름 앞에 mcp.namespace 값이 붙으며, 이름 하나만 길어도 게이트웨이가 매니페스트 "
        "전체를 "
        '거부합니다. "."과 "/"는 계약에서는 허용되지만 모델 제공사가 거부합니다. 출처: 결정 D4.',
    ),
    messages={
        "long": Message(
            Text(
                'The published name "{published}" has {count} characters, {over} more than 64: the namespace '
                '"{namespace}" takes {taken}.',
                '등록 이름 "{published}"의 길이는 {count}자로 64자보다 {over}자 깁니다. 네임스페이스 "{namespace}"의 '
                "길이가 "
                "{taken}자입니다.",
            ),
            Text(
                'Shorten "{name}" to at most {left} characters, or shorten mcp.namespace by {over}.',
                '"{name}"의 길이를 {left}자 이하로 줄이거나 mcp.namespace 값을 {over}자 줄이십시오.',
            ),
        ),
        "characters": Message(
            Text(
                'mcp.namespace "{namespace}" has {character} at character {at}; only A-Z, a-z, 0-9, _, -, . and / may '
                "stand in it.",
                'mcp.namespace "{namespace}"의 {at}번째 문자 {character}: A-Z, a-z, 0-9, _, -, ., /만 쓸 수 있습니다.',
            ),
            Text(
                'Remove that character; "processing_" is an example of a good namespace.',
                '그 문자를 빼십시오. 좋은 네임스페이스의 예: "processing_".',
            ),
        ),
        "portable": Message(
            Text(
                'mcp.namespace "{namespace}" makes names that model providers refuse: they take letters, digits, _ and '
                "-, beginning with a letter.",
                'mcp.namespace "{namespace}" 값이 붙은 이름은 모델 제공사가 거부합니다. 영문자로 시작하고 영문자, '
                "숫자, _, -만 "
                "써야 합니다.",
            ),
            Text(
                'Write `mcp.namespace: "{better}"`, and agree on it with the gateway\'s namePrefix.',
                '`mcp.namespace: "{better}"` 값을 쓰고 게이트웨이의 namePrefix 값과 맞추십시오.',
            ),
        ),
    },
    check=_published,
    bad='mcp:\n  namespace: "processing."',
    good='mcp:\n  namespace: "processing_"',
    suppressible=False,
)


# --- TK107 -----------------------------------------------------------------------------------------------------------


def _twice(one: Declared, other: Declared, contracts: Mapping[str, Declared]) -> Breach:
    """Return what is wrong with the second of two declarations, or with the one that only implements the other."""
    if contracts.get(one.function) is other:
        one, other = other, one
    kind = "implementation" if contracts.get(other.function) is one else "here"
    values: dict[str, str | int] = {"name": excerpt(other.name or ""), "other": str(one.place_of("name"))}
    return Breach(other.place_of("name"), kind, values, other.name)


def _doubled(facts: Facts) -> Iterator[Breach]:
    namespace = "" if facts.settings is None else facts.settings.namespace
    taken = {
        folded(name): (sibling.service, place) for sibling in facts.siblings for name, place in sibling.names.items()
    }
    first: dict[str, Declared] = {}
    contracts = implementing(facts)
    for declared in facts.declared:
        if declared.name is None or is_blank(declared.name):
            continue
        name = declared.name
        if (before := first.setdefault(folded(name), declared)) is not declared:
            yield _twice(before, declared, contracts)
        elif (found := taken.get(folded(namespace + name))) is not None:
            service, other = found
            published = excerpt(namespace + name)
            yield Breach(
                declared.place_of("name"), "there", {"name": published, "service": service, "other": str(other)}, name
            )


TK107: Final = Rule(
    id="TK107",
    severity=Severity.ERROR,
    stage=Stage.SERVICE,
    title=Text(
        "A tool name is used once, in this service and in all services of the workspace.",
        "도구 이름은 이 서비스와 작업 공간의 모든 서비스에서 한 번만 써야 합니다.",
    ),
    why=Text(
        "Callers know a tool by its name alone; of two with one name neither can be called safely. Names that differ "
        "in "
        "case only count as the same, and the services compared are those in [tool.axhub] workspace. "
        "Source: seed 003 §1.5 and §12.",
        "호출하는 쪽은 도구를 이름으로만 압니다. 이름이 같은 두 도구는 어느 쪽도 안전하게 부를 수 없습니다. 대소문자만 "
        "다른 이름도 "
        "같은 것으로 보며, [tool.axhub] workspace에 적은 서비스와 비교합니다. 출처: 설계 가이드 003 §1.5, §12.",
    ),
    messages={
        "here": Message(
            Text(
                'The tool name "{name}" is already used at {other}.',
                '도구 이름 "{name}" 값을 이미 {other} 위치에서 쓰고 있습니다.',
            ),
            Text(
                "Rename one of the two, with its definition; every tool has a name of its own.",
                "둘 중 하나의 이름을 정의 파일과 함께 바꾸십시오. 모든 도구의 이름은 서로 달라야 합니다.",
            ),
        ),
        "implementation": Message(
            Text(
                'The tool "{name}" is declared a second time where it is implemented; its contract has it at {other}.',
                '도구 "{name}" 선언이 구현에 다시 있습니다. 선언은 이미 {other} 위치의 계약에 있습니다.',
            ),
            Text(
                "Remove the decorators here; the method implements what the contract declares.",
                "여기의 데코레이터를 지우십시오. 이 메서드는 계약에 선언한 것을 구현하기만 합니다.",
            ),
        ),
        "there": Message(
            Text(
                'The published tool name "{name}" is already used by the service {service}, at {other}.',
                '등록 이름 "{name}" 값을 이미 {service} 서비스의 {other} 위치에서 쓰고 있습니다.',
            ),
            Text(
                "Rename one of the two, with its definition, or give one of the services another mcp.namespace.",
                "둘 중 하나의 이름을 정의 파일과 함께 바꾸거나, 한 서비스의 mcp.namespace 값을 다르게 하십시오.",
            ),
        ),
    },
    check=_doubled,
    bad='@tool(name="cmm_claim_search", …)   # twice',
    good='@tool(name="cmm_claim_search", …)\n@tool(name="cmm_claim_history_search", …)',
    suppressible=False,
)

RULES: Final = (TK101, TK102, TK107)
