"""Tools that are easily taken for each other: rule TK314 (seed 003 §5)."""

from collections.abc import Iterator
from typing import Final

from axhub.configuration.faults import excerpt
from axhub.toolkit.facts.service import Definition, Facts
from axhub.toolkit.rules.definition_files import TK301
from axhub.toolkit.rules.definitions import readable, value_at
from axhub.toolkit.rules.model import Breach, Message, Rule, Severity, Stage, Text
from axhub.toolkit.rules.telling.authored import is_blank, squeezed
from axhub.toolkit.rules.telling.placeholders import is_unwritten
from axhub.toolkit.selection.likeness import Likeness, Overlap, units

__all__ = ["RULES"]

_CLOSE_WORDS: Final = 0.18
"""Share of common words from which on two tools are close; different tools of one service have about 0.1."""
_CLOSE_PAIRS: Final = 0.25
"""The same of pairs of Hangul syllables: particles and endings are in every text."""
_PART: Final = "/description/when_not_to_use"
_QUERIES: Final = "/example_queries"
_COMPARED: Final = ("/display_name", "/description/function", "/description/when_to_use")


def _unmentioned(facts: Facts) -> Iterator[Breach]:
    if any(True for _ in TK301.check(facts)) or any(one.problem is not None for one in facts.definitions):
        return  # which tools there are is not known, so another one may be the closest
    likeness = Likeness({one.stem: _units(one) for one in readable(facts)})
    unsaid = [one for one in readable(facts) if not _is_whole(one)]
    for definition in readable(facts):
        text = value_at(definition, _PART)
        if not isinstance(text, str) or is_blank(text) or is_unwritten(text):
            continue  # rule/TK303
        if any(_mentions(facts, text, one) for one in unsaid):
            continue  # the one that was the closest while its texts could be read
        closest = _closest(definition.stem, likeness)
        other = None if closest is None else facts.definition_of(closest)
        if other is not None and not _mentions(facts, text, other):
            values = {"other": excerpt(other.stem), "title": excerpt(str(value_at(other, "/display_name")))}
            yield Breach(definition.place(_PART), "", values, definition.stem)


def _is_whole(definition: Definition) -> bool:
    """Say whether all that is compared is there; else other rules speak of it."""
    texts = [value_at(definition, pointer) for pointer in _COMPARED]
    queries = value_at(definition, _QUERIES)
    texts += queries if isinstance(queries, list) and queries else [None]
    return all(isinstance(text, str) and not is_blank(text) and not is_unwritten(text) for text in texts)


def _units(definition: Definition) -> frozenset[str]:
    """Return what a tool's texts are made of.

    Texts that are still to be written say nothing: those of generated files are all the same.
    """
    queries = value_at(definition, _QUERIES)
    texts = [value_at(definition, pointer) for pointer in _COMPARED]
    texts += queries if isinstance(queries, list) else []
    return units(*(text for text in texts if isinstance(text, str) and not is_unwritten(text)))


def _closest(name: str, likeness: Likeness) -> str | None:
    above = {other: overlap.share - _enough(overlap) for other, overlap in likeness.beside(name)}
    best = max(above, key=above.__getitem__, default=None)
    return best if best is not None and above[best] >= 0 else None


def _enough(overlap: Overlap) -> float:
    """Return from which share on two tools are close, by how much of their texts is Korean."""
    return (overlap.hangul * _CLOSE_PAIRS + (overlap.all - overlap.hangul) * _CLOSE_WORDS) / overlap.all


def _mentions(facts: Facts, text: str, other: Definition) -> bool:
    declared = facts.declared_as(other.stem)
    title = None if declared is None else declared.arguments.get("title")
    names = [other.stem, value_at(other, "/display_name"), None if title is None else title.value]
    return any(squeezed(name) in squeezed(text) for name in names if isinstance(name, str) and squeezed(name))


TK314: Final = Rule(
    id="TK314",
    severity=Severity.WARNING,
    stage=Stage.SOURCE,
    title=Text(
        "when_not_to_use names the tool that is easily taken for this one.",
        "when_not_to_use에는 혼동하기 쉬운 다른 도구를 밝히는 것이 좋습니다.",
    ),
    why=Text(
        "A model that hesitates between two tools needs a sentence that says which. Closeness is guessed from what "
        "names, purpose and example queries have in common: words, of Korean pairs of syllables. Source: seed 003 §5.",
        "두 도구 사이에서 망설이는 모델에게는 어느 쪽인지 알려 주는 문장이 필요합니다. 가까움은 표시명, 용도, 예시 "
        "질의에 함께 있는 낱말(한글은 두 음절씩)로 짐작합니다. 출처: 설계 가이드 003 §5.",
    ),
    messages={
        "": Message(
            Text(
                'This tool reads much like {other} ("{title}"), and when_not_to_use does not name that one.',
                '이 도구의 설명은 {other}("{title}") 도구와 비슷한데 when_not_to_use에 그 도구가 없습니다.',
            ),
            Text(
                "Say in when_not_to_use for what {other} is to be used instead, with its name.",
                "when_not_to_use에 어떤 때 대신 {other} 도구를 써야 하는지 그 이름과 함께 쓰십시오.",
            ),
        ),
    },
    check=_unmentioned,
    bad="when_not_to_use: 다른 업무에는 사용하지 않는다.",
    good="when_not_to_use: 신규 보험금 청구 접수에는 cmm_claim_register를 사용한다.",
    heuristic=True,
)

RULES: Final = (TK314,)
