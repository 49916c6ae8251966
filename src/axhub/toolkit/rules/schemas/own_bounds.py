"""Whether defaults and examples of fields keep to the fields' own bounds: rule TK408 (seed 003 §5)."""

from collections.abc import Iterator
from typing import Any, Final

import jsonschema_rs

from axhub.contract.schema_walk import walk
from axhub.toolkit.facts.fields import python_name, tools
from axhub.toolkit.facts.service import Facts, Field
from axhub.toolkit.facts.wording import kind_of, shown
from axhub.toolkit.rules.model import Breach, Message, Rule, Severity, Stage, Text
from axhub.toolkit.rules.schemas.comparing import value_pointer
from axhub.toolkit.rules.telling.authored import in_both
from axhub.toolkit.rules.telling.saying import fault_in_words

__all__ = ["RULES", "breaks_its_bounds"]

_LINEAR: Final = jsonschema_rs.RegexOptions()
_NAMED: Final = frozenset({"enum", "type"})
"""Keywords whose value is a list of what would be right."""


def _beyond(facts: Facts) -> Iterator[Breach]:
    told = set()
    for name, tool in tools(facts):
        for fields, schema in ((tool.inputs, tool.model_schema), (tool.outputs, tool.answer_schema)):
            for field, variant, value, said in _faults(fields, schema):
                if (field.place, variant) not in told and not facts.is_doubled(name):
                    told.add((field.place, variant))
                    model = field.model.rpartition(".")[2]
                    values = {"pointer": field.pointer, "model": model, "name": python_name(field), "value": value}
                    yield Breach(field.place, variant, {**values, **in_both("said", said)}, name)


def _faults(fields: tuple[Field, ...], schema: Any) -> Iterator[tuple[Field, str, str, Text]]:
    """Yield the fields with what is wrong: `default` or `example`, the value, and why."""
    by_pointer = {field.pointer: field for field in fields}
    for place in walk(schema):
        field = by_pointer.get(value_pointer(place.path))
        if field is None or not isinstance(place.schema, dict) or place.path[-1:] == ("items",):
            continue
        given = {"default": place.schema.get("default"), "example": _first(place.schema.get("examples"))}
        for variant, value in given.items():
            if value is not None and (said := _fault(place.schema, schema, value)) is not None:  # null is TK406's
                yield field, variant, shown(value), said


def breaks_its_bounds(schema: Any, root: Any) -> bool:
    """Say whether a field's default is beyond the field's own bounds."""
    default = schema.get("default") if isinstance(schema, dict) else None
    return default is not None and _fault(schema, root, default) is not None


def _first(examples: Any) -> Any:
    return examples[0] if isinstance(examples, list) and examples else None


def _fault(schema: dict[str, Any], root: Any, value: Any) -> Text | None:
    """Return the first thing that a field's schema says to a value; None: it takes it, or nobody can say (TK407)."""
    whole = {**schema, **{name: root[name] for name in ("$defs", "definitions") if name in root}}
    try:
        validator = jsonschema_rs.Draft202012Validator(
            whole, pattern_options=_LINEAR, offline=True, validate_formats=False
        )
        error = next(iter(validator.iter_errors(value)), None)
    except (ValueError, RecursionError):
        return None
    return None if error is None else _worded(str(error.kind.name), error.kind.value, value)


def _worded(keyword: str, wanted: Any, value: Any) -> Text:
    if keyword == "type":
        names = " | ".join(sorted(wanted, key=lambda name: (name == "null", name)))
        return Text(
            f"the type {names} is needed, and this is {kind_of(value)}",
            f"타입이 {names}이어야 하는데 {kind_of(value)} 값임",
        )
    listed = ", ".join(shown(one) for one in wanted) if keyword in _NAMED else wanted
    return fault_in_words(keyword, str(listed))


TK408: Final = Rule(
    id="TK408",
    severity=Severity.ERROR,
    stage=Stage.IMPORTED,
    title=Text(
        "Defaults and examples keep to the bounds of their own field.",
        "기본값과 예시는 그 필드 자신의 제한에 맞아야 합니다.",
    ),
    why=Text(
        "Both are published, and models copy them: a call that repeats a default or an example would be refused. "
        "Pydantic does not look at defaults, so a tool may also run with a value that no caller could send. Source: "
        "seed 003 §5.",
        "둘 다 게시되고 모델이 그대로 따라 쓰므로, 기본값이나 예시를 보낸 호출이 거절됩니다. Pydantic은 기본값을 "
        "검사하지 않으므로 아무도 보낼 수 없는 값으로 도구가 실행될 수도 있습니다. 출처: 설계 가이드 003 §5.",
    ),
    messages={
        "default": Message(
            Text(
                "The default {value} of {pointer} of {model} breaks the field's own bounds: {said}.",
                "{model}의 {pointer} 기본값 {value}이(가) 필드 자신의 제한에 맞지 않습니다: {said_ko}.",
            ),
            Text(
                "Give `{name}` a default that it takes, or change its bounds.",
                "`{name}`에 허용되는 기본값을 주거나 제한을 고치십시오.",
            ),
        ),
        "example": Message(
            Text(
                "The example {value} of {pointer} of {model} breaks the field's own bounds: {said}.",
                "{model}의 {pointer} 예시 {value}이(가) 필드 자신의 제한에 맞지 않습니다: {said_ko}.",
            ),
            Text(
                "Give `{name}` an example that it takes, or change its bounds.",
                "`{name}`에 허용되는 예시를 주거나 제한을 고치십시오.",
            ),
        ),
    },
    check=_beyond,
    bad='limit: Annotated[int, Desc("한 번에 조회할 건수", ge=1, le=50)] = 200',
    good='limit: Annotated[int, Desc("한 번에 조회할 건수", ge=1, le=50)] = 20',
)

RULES: Final = (TK408,)
