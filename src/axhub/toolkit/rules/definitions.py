"""Which keys definitions have: rule TK302 (seed 003 §5, toolkit/T8)."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from axhub.configuration.faults import excerpt
from axhub.toolkit.facts.service import Definition, Facts, Place
from axhub.toolkit.rules.model import Breach, Message, Rule, Severity, Stage, Text
from axhub.toolkit.rules.telling.authored import described, in_both, listed, nearest, values_of
from axhub.toolkit.rules.telling.key_samples import DESCRIPTION_PARTS, SAMPLES

__all__ = [
    "DESCRIPTION_PARTS",
    "OPTIONAL_KEYS",
    "REQUIRED_KEYS",
    "RULES",
    "merge_keys",
    "misplaced_parts",
    "readable",
    "value_at",
]

REQUIRED_KEYS: Final = (
    "name",
    "display_name",
    "version",
    "category_key",
    "description",
    "display_description",
    "example_queries",
    "read_only",
    "destructive",
    "idempotent",
    "parameters_schema",
    "tags",
    "legacy_interface_id",
    "required_env_keys",
    "owner_org",
)
"""What every definition says, in the order of seed 003 §5."""
OPTIONAL_KEYS: Final = ("examples", "open_world", "repeat", "signoff")

_GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "description": DESCRIPTION_PARTS,
    "examples": ("valid", "invalid"),
}
"""Keys below keys; what stands below the others is looked at by rules of their own."""


def readable(facts: Facts) -> Iterator[Definition]:
    """Yield the definitions that could be read; the others are TK001's."""
    return (found for found in facts.definitions if found.problem is None)


def value_at(definition: Definition, pointer: str) -> Any:
    """Return the value below keys, `/description/function`; an ellipsis where there is none, which is TK302's."""
    found: Any = definition.values
    for step in pointer.split("/")[1:]:
        found = values_of(found).get(step, ...)
    return found


# --- TK302 -----------------------------------------------------------------------------------------------------------


def misplaced_parts(definition: Definition) -> tuple[str, ...]:
    """Return the parts of `description` that stand at the top, since their lines are not indented."""
    parts = values_of(definition.values.get("description"))
    return tuple(key for key in DESCRIPTION_PARTS if key in definition.values and key not in parts)


_MERGE: Final = "<<"


def merge_keys(definition: Definition) -> tuple[str, ...]:
    """Return the pointers of the keys `<<`, which other YAML readers replace by what they name."""
    keys = (pointer.removeprefix("key:") for pointer in definition.places if pointer.startswith("key:"))
    return tuple(pointer for pointer in keys if pointer.rpartition("/")[2] == _MERGE)


def _keys(facts: Facts) -> Iterator[Breach]:
    for definition in readable(facts):
        yield from _repeated(definition)
        for pointer in merge_keys(definition):
            yield Breach(definition.places[f"key:{pointer}"], "merge", {}, definition.stem)
        yield from _group(definition, "", REQUIRED_KEYS, OPTIONAL_KEYS)
        yield from _examples(definition)
        for key, parts in _GROUPS.items():
            if values_of(definition.values.get(key)):  # else TK303
                yield from _group(definition, f"/{key}", parts if key == "description" else (), parts)


def _examples(definition: Definition) -> Iterator[Breach]:
    """Check that `examples`, where it stands, has lists below it: nothing else looks at their kind."""
    for pointer in ("/examples", "/examples/valid", "/examples/invalid"):
        value = value_at(definition, pointer)
        kind = Mapping if pointer == "/examples" else list
        if value is not ... and value is not None and not isinstance(value, kind):
            yield Breach(definition.place(pointer), "examples", in_both("found", described(value)), definition.stem)


def _repeated(definition: Definition) -> Iterator[Breach]:
    for again in definition.duplicates:
        before = definition.places.get(f"key:{again.value}", definition.place(again.value))
        values: dict[str, str | int] = {"key": excerpt(_dotted(again.value)), "line": before.line}
        yield Breach(again.place, "twice", values, definition.stem)


def _group(definition: Definition, at: str, needed: tuple[str, ...], more: tuple[str, ...]) -> Iterator[Breach]:
    values = values_of(definition.values.get(at[1:])) if at else definition.values
    known = dict.fromkeys((*needed, *more))
    missing = [key for key in needed if key not in values and not (at and key in misplaced_parts(definition))]
    above = f"{at[1:]}." if at else ""
    for key in values:
        if key not in known and key != _MERGE:
            variant, said, meant = _unknown(key, above, list(known), missing)
            missing = [key for key in missing if key != meant]
            yield Breach(_key_place(definition, at, key), variant, {"key": excerpt(str(key)), **said}, definition.stem)
    for key in missing:
        sample = {"part": key, **in_both("sample", SAMPLES.get(key, Text("", "")))}
        line = definition.place(at) if at else Place(definition.path, 1, 1)
        yield Breach(line, "part" if at else "missing", {"key": f"{above}{key}", **sample}, definition.stem)


def _unknown(key: object, above: str, known: list[str], missing: list[str]) -> tuple[str, dict[str, str], str | None]:
    """Return message, values, and the missing key that was meant."""
    if not above and key in DESCRIPTION_PARTS:
        return "misplaced", {}, None
    meant = nearest(key, missing)
    near = meant or nearest(key, known)
    if near is not None:
        return "misspelt", {"near": above + near, "write": near}, meant
    return "unknown", {"above": above, "known": listed(known)}, None


def _key_place(definition: Definition, at: str, key: object) -> Place:
    pointer = f"{at}/{str(key).replace('~', '~0').replace('/', '~1')}"
    return definition.places.get(f"key:{pointer}", definition.place(pointer))


def _dotted(pointer: str) -> str:
    return ".".join(step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:])


_UNKNOWN_PROBLEM: Final = Text(
    'A definition has no key "{key}" here.',
    '정의 파일의 이 자리에 "{key}" 키를 쓸 수 없습니다.',
)

TK302: Final = Rule(
    id="TK302",
    severity=Severity.ERROR,
    stage=Stage.SOURCE,
    title=Text(
        "A definition has all keys of guide 003, each once, and no others.",
        "정의 파일에는 가이드 003의 모든 키가 한 번씩 있고 다른 키가 없어야 합니다.",
    ),
    why=Text(
        "A misspelt key would be a text that nobody reads, and of a doubled one only one counts. Besides the keys of "
        f"seed 003 §5 there may be {listed(OPTIONAL_KEYS)}.",
        "잘못 쓴 키의 내용은 아무도 읽지 않으며, 두 번 쓴 키는 하나만 쓰입니다. 설계 가이드 003 §5의 키 밖에 쓸 수 "
        "있는 키: "
        f"{listed(OPTIONAL_KEYS)}.",
    ),
    messages={
        "missing": Message(
            Text("The key {key} is missing.", "{key} 키가 없습니다."),
            Text("Add {sample}.", "다음과 같이 더하십시오: {sample_ko}."),
        ),
        "part": Message(
            Text("The key {key} is missing.", "{key} 키가 없습니다."),
            Text(
                "Add `{part}: …` below description:, indented.",
                "description: 아래에 들여 써서 `{part}: …` 를 더하십시오.",
            ),
        ),
        "misspelt": Message(
            _UNKNOWN_PROBLEM,
            Text(
                'Did you mean "{near}"? Write `{write}:` here.',
                '"{near}" 키를 뜻했다면 여기에 `{write}:` 키를 쓰십시오.',
            ),
        ),
        "misplaced": Message(
            Text(
                'The key "{key}" stands at the top; it is a part of description.',
                '"{key}" 키가 맨 위 단계에 있습니다. 이 키는 description의 한 부분입니다.',
            ),
            Text(
                "Indent this line by two blanks and put it below description:.",
                "이 줄을 공백 두 칸만큼 들여 써서 description: 아래에 두십시오.",
            ),
        ),
        "unknown": Message(
            _UNKNOWN_PROBLEM,
            Text("Remove it; the keys are: {known}.", "이 키를 지우십시오. 쓸 수 있는 키: {known}."),
        ),
        "merge": Message(
            Text(
                "The key << merges keys in YAML 1.1, and YAML 1.2 does not know it: nothing is merged here.",
                "<< 키는 YAML 1.1의 병합 키이며 YAML 1.2에는 없으므로 아무것도 병합되지 않습니다.",
            ),
            Text(
                "Write the keys that are meant out, and remove <<.",
                "뜻하는 키를 직접 쓰고 << 키를 지우십시오.",
            ),
        ),
        "examples": Message(
            Text(
                "examples has lists of arguments below valid and invalid, and here stands {found}.",
                "examples 아래의 valid와 invalid에는 인자의 목록이 있어야 합니다. 지금 값: {found_ko}.",
            ),
            Text(
                "Write `examples: {{valid: [{{claimNo: CLM202608100001}}], invalid: [{{}}]}}`, with the tool's "
                "arguments.",
                "도구의 인자로 `examples: {{valid: [{{claimNo: CLM202608100001}}], invalid: [{{}}]}}` 형식으로 "
                "쓰십시오.",
            ),
        ),
        "twice": Message(
            Text(
                'The key "{key}" stands here a second time; the first is in line {line}.',
                '"{key}" 키가 여기에 또 있습니다. 첫 번째는 {line}번째 줄에 있습니다.',
            ),
            Text("Keep one of the two lines.", "두 줄 중 하나만 남기십시오."),
        ),
    },
    check=_keys,
    bad="name: cmm_claim_search\ndispaly_name: 보험금 청구 상태 조회",
    good="""\
name: cmm_claim_search
display_name: 보험금 청구 상태 조회
version: "1.0.0"
category_key: cmm
description:
  function: 청구번호를 기준으로 청구 상태와 심사 결과를 조회한다.
  when_to_use: 이미 접수한 청구의 진행 상태나 지급 결과를 확인할 때 사용한다.
  when_not_to_use: 새로운 청구를 접수하거나 청구를 변경할 때는 사용하지 않는다.
  io_limits: 청구번호가 필요하며 조회만 한다.
display_description: 보험금 청구 상태와 심사 결과를 조회합니다.
example_queries:
  - 내 보험금 청구가 어디까지 진행됐는지 알려줘
  - 청구번호로 청구 상태를 확인해줘
  - 청구 심사 결과가 나왔는지 조회해줘
read_only: true
destructive: false
idempotent: true
parameters_schema:
  type: object
  properties:
    claimNo:
      type: string
      description: 조회할 보험금 청구번호
  required: [claimNo]
  additionalProperties: false
tags: [보험금, 청구조회]
legacy_interface_id: CLCNNB00001
required_env_keys: []
owner_org: MCP_TOOL""",
)

RULES: Final = (TK302,)
