"""Whether personal data is in requests, answers or samples (seed 003 §8.6): rule TK516."""

from collections.abc import Iterator
from typing import Any, Final

from axhub.contract.schema_walk import pointer as json_pointer
from axhub.toolkit.facts.fields import Used, answer_fields, input_fields, python_name
from axhub.toolkit.facts.service import Facts, Field, Place, Shape
from axhub.toolkit.rules.model import Breach, Message, Rule, Severity, Stage, Text
from axhub.toolkit.rules.personal.captured import HEX, in_captured
from axhub.toolkit.rules.personal.names import Personal, personal_kind
from axhub.toolkit.rules.personal.values import ANONYMOUS, find_values
from axhub.toolkit.rules.telling.authored import is_blank, quoted, squeezed
from axhub.toolkit.rules.telling.placeholders import is_unwritten, stands_for_a_text

__all__ = ["RULES", "asks_for_personal_data"]

_TYPES: Final = {Shape.NUMBER: "int", Shape.LIST: "list[str]"}


def _personal(facts: Facts) -> Iterator[Breach]:
    told = set()
    for variant, fields in (("request", input_fields(facts)), ("answer", answer_fields(facts))):
        for used in fields:
            kind = personal_kind(used.field)
            reason = used.field.masked
            if kind is not None and used.field.place not in told and asks_for_personal_data(used.field):
                told.add(used.field.place)
                shown = "reason" if is_blank(reason) else "placeholder"
                values = {**_values(used, kind), "reason": quoted(reason)}
                yield Breach(used.field.place, variant if reason is None else shown, values, used.tool)
    yield from _in_samples(facts)
    yield from _in_definitions(facts)


def asks_for_personal_data(field: Field) -> bool:
    """Say whether a field is to be removed, or to be given a reason."""
    return personal_kind(field) is not None and (field.masked is None or _is_none(field.masked))


def _is_none(reason: str) -> bool:
    """Say whether a reason gives none: nothing, dots, a word that fills its place."""
    return is_blank(reason) or not squeezed(reason) or is_unwritten(reason) or stands_for_a_text(reason)


def _values(used: Used, kind: Personal) -> dict[str, str | int]:
    field = used.field
    hint = _TYPES.get(field.shape, "str") + (" | None" if field.nullable else "")
    line = f'{python_name(field)}: Annotated[{hint}, Desc("{field.description}"), masked("…")]'
    return {"pointer": field.pointer, "model": field.model.rpartition(".")[2], "line": line, **_kind(kind)}


def _kind(kind: Personal) -> dict[str, str | int]:
    return {"kind": kind.text.en, "kind_ko": kind.text.ko}


def _in_samples(facts: Facts) -> Iterator[Breach]:
    owners = {path: tool for tool, paths in facts.samples.items() for path in paths}
    for path, text in sorted(facts.sample_texts.items()):
        if path.endswith(HEX):
            for kind, place in in_captured(facts, path, text):
                yield Breach(place, "value", {"instead": ANONYMOUS[kind], **_kind(kind)}, owners.get(path))
            continue
        for found in find_values(text):
            line = text.count("\n", 0, found.start) + 1
            column = found.start - (text.rfind("\n", 0, found.start) + 1) + 1
            values = {"instead": ANONYMOUS[found.kind], **_kind(found.kind)}
            yield Breach(Place(path, line, column), "value", values, owners.get(path))


def _in_definitions(facts: Facts) -> Iterator[Breach]:
    for definition in facts.definitions:
        for pointer, text in _texts(definition.values, ""):
            for kind in dict.fromkeys(found.kind for found in find_values(text)):
                values = {"instead": ANONYMOUS[kind], **_kind(kind)}
                yield Breach(definition.place(pointer), "value", values, definition.stem)


def _texts(value: Any, pointer: str) -> Iterator[tuple[str, str]]:
    """Yield the texts of a definition; of a member as `name: value`, since some data is known by its name only."""
    if isinstance(value, dict):
        for name, inner in value.items():
            below = pointer + json_pointer(str(name))
            if isinstance(inner, str):
                yield below, f"{name}: {inner}"
            else:
                yield from _texts(inner, below)
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from _texts(inner, f"{pointer}/{at}")
    elif isinstance(value, str):
        yield pointer, value


TK516: Final = Rule(
    id="TK516",
    severity=Severity.ERROR,
    stage=Stage.IMPORTED,
    title=Text(
        "Personal data is left out of requests, answers and samples.",
        "요청, 응답, 샘플에 개인정보를 넣지 않아야 합니다.",
    ),
    why=Text(
        "What a tool answers goes to a model, and to wherever its host writes it down; what it asks for, a customer "
        "types in. Resident, card, account and phone numbers and passwords stay out (seed 003 §8.6). Where one cannot "
        'be left out, `masked("reason")` masks it in the answer and shows the reason to reviewers. Samples are '
        "anonymised. This rule cannot be allowed by a comment.",
        "도구의 응답은 모델과 그 호스트의 기록으로 가고, 요청하는 값은 고객이 입력합니다. 주민등록번호, 카드번호, "
        '계좌번호, 전화번호, 비밀번호는 넣지 않습니다(가이드 003 §8.6). 생략할 수 없으면 `masked("이유")`로 '
        "응답에서 가리고 검토자에게 이유를 보여 줍니다. 샘플은 익명화합니다. 이 규칙은 주석으로 허용할 수 없습니다.",
    ),
    messages={
        "request": Message(
            Text(
                "The request field {pointer} of {model} asks for {kind}.",
                "{model}의 요청 필드 {pointer}에서 {kind_ko}를 요구합니다.",
            ),
            Text(
                "Remove it and take another key, such as a contract or claim number; if it cannot be left out, say "
                "why: {line}",
                "지우고 계약번호나 청구번호 같은 다른 키를 받으십시오. 생략할 수 없으면 이유를 쓰십시오: {line}",
            ),
        ),
        "answer": Message(
            Text(
                "The answer field {pointer} of {model} holds {kind}.",
                "{model}의 응답 필드 {pointer}에 {kind_ko}가 들어갑니다.",
            ),
            Text(
                "Remove it from the answer; if it cannot be left out, mask it and say why: {line}",
                "응답에서 지우십시오. 생략할 수 없으면 가리고 이유를 쓰십시오: {line}",
            ),
        ),
        "reason": Message(
            Text(
                "The field {pointer} of {model} is masked without a reason.",
                "{model}의 {pointer} 필드에 이유 없이 masked가 있습니다.",
            ),
            Text(
                "Say why {kind} cannot be left out: {line}",
                "{kind_ko}를 생략할 수 없는 이유를 쓰십시오: {line}",
            ),
        ),
        "placeholder": Message(
            Text(
                "The field {pointer} of {model} is masked with a placeholder for a reason: {reason}.",
                "{model}의 {pointer} 필드에 적은 masked의 이유가 자리표시뿐입니다: {reason}.",
            ),
            Text(
                "Say why {kind} cannot be left out, in place of the dots: {line}",
                "{kind_ko}를 생략할 수 없는 이유를 점 자리에 쓰십시오: {line}",
            ),
        ),
        "value": Message(
            Text(
                "This looks like {kind} of a real person.",
                "실제 사람의 {kind_ko}로 보이는 값이 있습니다.",
            ),
            Text("Anonymise it, for instance: {instead}", "익명화하십시오. 예: {instead}"),
        ),
    },
    check=_personal,
    bad='card_no: Annotated[str, Desc("결제 카드번호")]',
    good='card_no: Annotated[str, Desc("결제 카드번호"), masked("고객이 어느 카드인지 확인해야 한다")]',
    suppressible=False,
)

RULES: Final = (TK516,)
