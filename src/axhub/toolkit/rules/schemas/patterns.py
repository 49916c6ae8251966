"""Whether regular expressions mean the same in every engine that meets them: rule TK407."""

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

import jsonschema_rs

from axhub.contract.schema import check_schema
from axhub.contract.schema_walk import walk
from axhub.toolkit.facts.fields import answer_fields, input_fields
from axhub.toolkit.facts.holders import holders
from axhub.toolkit.facts.service import Facts, Place
from axhub.toolkit.rules.model import Breach, Message, Rule, Severity, Stage, Text
from axhub.toolkit.rules.schemas.comparing import value_pointer

__all__ = ["RULES", "is_portable", "portable"]

_TOKEN: Final = re.compile(r"\\.|\[\^?\]?|\]|\(\?(?:<?[=!]|P?<\w*>|P=\w+\)|[a-zA-Z-]*[:)]|>)|.", re.DOTALL)
_SHORTHANDS: Final = {"d": "0-9", "w": "A-Za-z0-9_", "s": r" \t\r\n"}
_ENDS: Final = {r"\A": "^", r"\Z": "$", r"\z": "$"}
_FANCY: Final = re.compile(r"\(\?<?[=!]|\(\?>|\(\?P=|\\[1-9]")
_SPECIAL: Final = re.compile(r"\(\?(?:P?<\w|[a-zA-Z-])|\\[pPhHKRX]|\[\[:")
_LINEAR: Final = jsonschema_rs.RegexOptions()


class _Found(NamedTuple):
    """One pattern and where it stands."""

    pattern: str
    place: Place
    pointer: str
    tool: str | None


def portable(pattern: str) -> str:
    r"""Return a pattern with ASCII classes for shorthands and anchors at both ends around all of it.

    `\d` takes the digits of every script in some engines, `\w` every letter; without anchors a part of the text is
    enough, and `^a|b$` is anchored at one end on each side.
    """
    branches: list[list[str]] = [[]]
    depth, within = 0, False
    for token in _TOKEN.findall(pattern):
        if not within and token == "|" and depth == 0:  # noqa: S105 - a sign of a pattern, no secret
            branches.append([])
            continue
        branches[-1].append(_ascii(token, within))
        if within or token.startswith("["):
            within = token != "]"  # noqa: S105 - a sign of a pattern, no secret
        elif token.startswith("(") or token == ")":  # noqa: S105 - a sign of a pattern, no secret
            depth += token.startswith("(") - token.endswith(")")
    texts = ["".join(_between_anchors(branch)) for branch in branches]
    return f"^{texts[0]}$" if len(texts) == 1 else f"^(?:{'|'.join(texts)})$"


def is_portable(pattern: str) -> bool:
    """Say whether nothing is to be said against a pattern."""
    return not _judged(pattern)[0]


def _between_anchors(tokens: list[str]) -> list[str]:
    return tokens[tokens[:1] == ["^"] : len(tokens) - (tokens[-1:] == ["$"])]


def _ascii(token: str, within: bool) -> str:
    letter = token[1:] if token.startswith("\\") else ""
    if not within and token in _ENDS:
        return _ENDS[token]
    if letter in _SHORTHANDS:
        return _SHORTHANDS[letter] if within else f"[{_SHORTHANDS[letter]}]"
    if letter.lower() in _SHORTHANDS and not within:
        return f"[^{_SHORTHANDS[letter.lower()]}]"
    return token


def _patterns(facts: Facts) -> Iterator[_Found]:
    for used in (*input_fields(facts), *answer_fields(facts)):
        if used.field.pattern is not None:
            yield _Found(used.field.pattern, used.field.place, used.field.pointer, used.tool)
    for holder in holders(facts):
        for place in walk(holder.schema) if holder.is_resource else ():
            pattern = place.schema.get("pattern") if isinstance(place.schema, dict) else None
            if isinstance(pattern, str):
                at = holder.place(place.pointer_to("pattern"))
                yield _Found(pattern, at, value_pointer(place.path), holder.tool)


def _unportable(facts: Facts) -> Iterator[Breach]:
    for found in _patterns(facts):
        variant, mended, cause = _judged(found.pattern)
        if variant:
            values = {"pattern": found.pattern, "pointer": found.pointer, "mended": mended, "cause": cause}
            severity = Severity.ERROR if variant in {"broken", "refused"} else None
            yield Breach(found.place, variant, values, found.tool, severity)


@lru_cache(maxsize=1024)
def _judged(pattern: str) -> tuple[str, str, str]:
    """Return which message a pattern deserves, if any, with the pattern to write instead, or the cause."""
    raw = json.dumps({"pattern": pattern}).encode()
    refused = check_schema(raw, "", None, root_object=False)
    mended = portable(pattern)
    if refused:
        return "refused", "", refused[0].problem
    if _FANCY.search(pattern):
        return "fancy", "", ""
    if not _compiles(mended):
        return "broken", "", ""
    if _SPECIAL.search(pattern):
        return "special", "", ""
    return ("", "", "") if mended == pattern else ("rewritten", mended, "")


def _compiles(pattern: str) -> bool:
    try:
        jsonschema_rs.Draft202012Validator({"pattern": pattern}, pattern_options=_LINEAR, offline=True)
    except ValueError:
        return False
    return True


TK407: Final = Rule(
    id="TK407",
    severity=Severity.WARNING,
    stage=Stage.IMPORTED,
    title=Text("Patterns mean the same everywhere.", "정규식은 어디에서나 같은 뜻인 것이 좋습니다."),
    why=Text(
        "A pattern is read by the request model, by JSON Schema validators and by model providers, each with its own "
        "engine. `\\d` takes full-width digits in some, look-around is refused by others, and a pattern without `^` "
        "and `$` is content with a part of the text. What no engine takes, or the gateway refuses, is an error.",
        "정규식은 요청 모델, JSON Schema 검증기, 모델 제공자가 각자의 엔진으로 읽습니다. `\\d`는 엔진에 따라 전각 "
        "숫자도 받고, 전후방 탐색은 거절하는 엔진이 있으며, `^`와 `$`가 없으면 일부만 맞아도 통과합니다. 어떤 엔진도 "
        "받지 않거나 게이트웨이가 거절하는 것은 오류입니다.",
    ),
    messages={
        "refused": Message(
            Text(
                "The gateway refuses the pattern of {pointer}: {cause}.",
                "게이트웨이가 {pointer}의 정규식을 거절합니다. 보이지 않는 문자나 제어 문자가 있습니다({cause}).",
            ),
            Text(
                "Remove the character, or write it as an escape such as `\\u200b`.",
                "그 문자를 지우거나 `\\u200b`처럼 이스케이프로 쓰십시오.",
            ),
        ),
        "broken": Message(
            Text(
                "The pattern of {pointer} is no regular expression: {pattern}.",
                "{pointer}의 정규식이 올바르지 않습니다: {pattern}.",
            ),
            Text(
                "Close every bracket, and escape signs that are meant as such: `\\[`, `\\(`, `\\.`.",
                "괄호를 모두 닫고, 기호 자체를 뜻하면 이스케이프하십시오: `\\[`, `\\(`, `\\.`.",
            ),
        ),
        "fancy": Message(
            Text(
                "The pattern of {pointer} uses look-around or a back-reference, which many engines refuse: {pattern}.",
                "{pointer}의 정규식이 여러 엔진이 거절하는 전후방 탐색이나 역참조를 사용합니다: {pattern}.",
            ),
            Text(
                "List the allowed forms with `|`, and check the rest in a validator of the model.",
                "허용하는 형식을 `|`로 나열하고, 나머지는 모델의 validator에서 검사하십시오.",
            ),
        ),
        "special": Message(
            Text(
                "The pattern of {pointer} uses a named group, a flag or a Unicode class, which engines read "
                "differently: {pattern}.",
                "{pointer}의 정규식이 엔진마다 다르게 읽는 이름 그룹, 플래그, 유니코드 클래스를 사용합니다: {pattern}.",
            ),
            Text(
                "Write plain groups `(?:…)` and explicit ranges such as `[A-Za-z]` or `[가-힣]`.",
                "일반 그룹 `(?:…)`과 `[A-Za-z]`, `[가-힣]` 같은 범위를 쓰십시오.",
            ),
        ),
        "rewritten": Message(
            Text(
                "The pattern of {pointer} does not mean the same in every engine: {pattern}.",
                "{pointer}의 정규식이 엔진에 따라 다른 뜻이 됩니다: {pattern}.",
            ),
            Text("Write {mended}", "다음과 같이 쓰십시오: {mended}"),
        ),
    },
    check=_unportable,
    bad=r'Desc("청구번호", pattern=r"CLM\d{12}")',
    good=r'Desc("청구번호", pattern=r"^CLM[0-9]{12}$")',
)

RULES: Final = (TK407,)
