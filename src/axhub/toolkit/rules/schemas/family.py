"""Rules about the schemas of arguments and answers (seed 003 §5 to §7): TK309 to TK311, TK401 to TK409.

That an explicit resource goes before the model, and a marked model before none (TK402 and TK501 of the design), is how
the toolkit works: nothing can break it, so `explain` says it at TK401 and TK403.
"""

from collections.abc import Iterator
from typing import Any, Final

from axhub.toolkit.facts.fields import answer_fields, input_fields, python_name, request_place, tools
from axhub.toolkit.facts.holders import Holder, holders, objects
from axhub.toolkit.facts.service import Facts
from axhub.toolkit.facts.wording import shown
from axhub.toolkit.rules.model import Breach, Message, Rule, Severity, Stage, Text
from axhub.toolkit.rules.schemas import drift, own_bounds, patterns, requests, resources, unions
from axhub.toolkit.rules.schemas.comparing import value_pointer
from axhub.toolkit.rules.telling.authored import described, in_both, yaml_text

__all__ = ["RULES"]

_COMBINATORS: Final = ("anyOf", "oneOf", "allOf", "not", "if")


def _roots(facts: Facts) -> Iterator[Breach]:
    for holder in holders(facts):
        values = {"schema": holder.name}
        if not isinstance(holder.schema, dict):
            yield Breach(
                holder.place(""), "kind", {**values, **in_both("found", described(holder.schema))}, holder.tool
            )
        elif "type" not in holder.schema:
            yield Breach(holder.place(""), "missing", values, holder.tool)
        elif not holder.is_sound:
            found = {**values, "found": shown(holder.schema["type"])}
            yield Breach(holder.place("/type"), "type", found, holder.tool)
        elif holder.is_input and holder.is_resource:
            yield from _combined(holder)


def _combined(holder: Holder) -> Iterator[Breach]:
    for keyword in _COMBINATORS:
        if keyword in holder.schema:
            values = {"schema": holder.name, "keyword": keyword}
            yield Breach(holder.place(f"/{keyword}"), "combined", values, holder.tool, Severity.WARNING)


TK309: Final = Rule(
    id="TK309",
    severity=Severity.ERROR,
    stage=Stage.SOURCE,
    title=Text("The root of a schema is an object.", "스키마의 최상위는 object여야 합니다."),
    why=Text(
        "Arguments have names, so a schema begins with `type: object` (seed 003 §5); the gateway refuses a manifest "
        "with anything else. Several model providers refuse `anyOf` and its like at the root, which is a warning.",
        "인자에는 이름이 있으므로 스키마는 `type: object`로 시작합니다(가이드 003 §5). 다른 것이 있으면 게이트웨이가 "
        "매니페스트를 거절합니다. 최상위의 `anyOf` 등은 여러 모델 제공자가 거절하므로 경고합니다.",
    ),
    messages={
        "kind": Message(
            Text(
                "{schema} is {found}, not an object schema.", "{schema} 값이 object 스키마가 아니라 {found_ko}입니다."
            ),
            Text(
                "Write a schema that begins with `type: object` and has `properties`.",
                "`type: object`로 시작하고 `properties`가 있는 스키마를 쓰십시오.",
            ),
        ),
        "missing": Message(
            Text("The root of {schema} has no `type`.", "{schema}의 최상위에 `type`이 없습니다."),
            Text("Add `type: object` at its top.", "맨 위에 `type: object`를 추가하십시오."),
        ),
        "type": Message(
            Text(
                "The root of {schema} has the type {found}, not object.",
                "{schema}의 최상위 타입이 object가 아니라 {found}입니다.",
            ),
            Text(
                "Write `type: object`, and put what is there now below `properties` under a name.",
                "`type: object`로 쓰고, 지금 내용은 이름을 붙여 `properties` 아래에 두십시오.",
            ),
        ),
        "combined": Message(
            Text(
                "The root of {schema} has `{keyword}`, which several model providers refuse.",
                "{schema}의 최상위에 있는 `{keyword}` 키워드는 여러 모델 제공자가 거절합니다.",
            ),
            Text(
                "Remove it from the root, say the condition in `description.io_limits`, and check it in a validator "
                "of the request model.",
                "최상위에서 지우고, 조건은 `description.io_limits`에 쓰고, 요청 모델의 validator에서 검사하십시오.",
            ),
        ),
    },
    check=_roots,
    bad="parameters_schema:\n  type: array",
    good="parameters_schema:\n  type: object\n  properties: {}\n  additionalProperties: false",
)


def _undescribed(facts: Facts) -> Iterator[Breach]:
    for used in (*input_fields(facts), *answer_fields(facts)):
        if not used.field.description.strip():
            name = python_name(used.field)
            values = {"pointer": used.field.pointer, "model": used.field.model.rpartition(".")[2], "name": name}
            yield Breach(used.field.place, "field", values, used.tool)
    for holder in holders(facts):
        if holder.is_sound:
            yield from _undescribed_properties(facts, holder)


def _undescribed_properties(facts: Facts, holder: Holder) -> Iterator[Breach]:
    for place in objects(holder.schema):
        properties = place.schema.get("properties")
        for name, schema in properties.items() if isinstance(properties, dict) else ():
            if not _is_described(schema, holder.schema):
                pointer = place.pointer_to("properties", name)
                known = _said_by_the_model(facts, holder, value_pointer((*place.path, "properties", name)))
                values = {"pointer": pointer, "name": name, "schema": holder.name, "known": yaml_text(known)}
                yield Breach(holder.key(pointer), "known" if known else "property", values, holder.tool)


def _said_by_the_model(facts: Facts, holder: Holder, pointer: str) -> str:
    tool = (facts.imported or {}).get(holder.tool or "")
    fields = () if tool is None else tool.inputs if holder.is_input else tool.outputs
    return next((field.description.strip() for field in fields if field.pointer == pointer), "")


def _is_described(schema: Any, root: dict[str, Any]) -> bool:
    if not isinstance(schema, dict):
        return schema is False
    text = schema.get("description")
    reference = schema.get("$ref")
    if text is None and isinstance(reference, str):
        named = root.get(reference.removeprefix("#/").partition("/")[0])
        target = named.get(reference.rpartition("/")[2]) if isinstance(named, dict) else None
        text = target.get("description") if isinstance(target, dict) else None
    return isinstance(text, str) and bool(text.strip())


TK310: Final = Rule(
    id="TK310",
    severity=Severity.ERROR,
    stage=Stage.IMPORTED,
    title=Text(
        "Every property has a description, at every depth.", "모든 속성에는 깊이와 관계없이 설명이 있어야 합니다."
    ),
    why=Text(
        "A model fills and reads fields by their descriptions (seed 003 §5). That holds for the fields of nested "
        "objects and list items too (decision D25).",
        "모델은 설명을 보고 필드를 채우고 읽습니다(가이드 003 §5). 중첩 객체와 배열 요소의 필드도 "
        "마찬가지입니다(결정 D25).",
    ),
    messages={
        "field": Message(
            Text(
                "The field {pointer} of {model} has no description.",
                "{model}의 {pointer} 필드에 설명이 없습니다.",
            ),
            Text(
                'Describe it: `{name}: Annotated[…, Desc("what it is")]`.',
                '설명을 쓰십시오: `{name}: Annotated[…, Desc("무엇인지")]`.',
            ),
        ),
        "property": Message(
            Text(
                "The property {pointer} of {schema} has no `description`.",
                "{schema}의 {pointer} 속성에 `description`이 없습니다.",
            ),
            Text(
                "Add a `description` to `{name}` that says what it is.",
                "`{name}`에 무엇인지 알려 주는 `description`을 추가하십시오.",
            ),
        ),
        "known": Message(
            Text(
                "The property {pointer} of {schema} has no `description`.",
                "{schema}의 {pointer} 속성에 `description`이 없습니다.",
            ),
            Text(
                "Add to `{name}` what the model says: `description: {known}`.",
                "`{name}`에 모델의 설명을 추가하십시오: `description: {known}`.",
            ),
        ),
    },
    check=_undescribed,
    bad="claim_no: str",
    good='claim_no: Annotated[str, Desc("보험금 청구번호")]',
)


def _open_objects(facts: Facts) -> Iterator[Breach]:
    for holder in holders(facts):
        for place in objects(holder.schema) if holder.is_sound else ():
            if not _is_closed(place.schema):
                pointer = place.pointer_to()
                values = {"schema": holder.name, "pointer": pointer}
                variant = "written" if pointer else "root"
                yield Breach(holder.place(f"{pointer}/additionalProperties"), variant, values, holder.tool)
    yield from _open_models(facts)


def _open_models(facts: Facts) -> Iterator[Breach]:
    for name, tool in tools(facts):
        for place in objects(tool.model_schema):
            if not _is_closed(place.schema):
                pointer = value_pointer(place.path)
                field = next((field for field in tool.inputs if field.pointer == pointer.removesuffix("/*")), None)
                model = (field.model if field is not None else tool.request).rpartition(".")[2]
                where = field.place if field is not None else request_place(facts, tool)
                variant = "model" if pointer else "request"
                yield Breach(where, variant, {"pointer": pointer, "model": model}, name)


def _is_closed(schema: dict[str, Any]) -> bool:
    return schema.get("additionalProperties") is False or schema.get("unevaluatedProperties") is False


TK311: Final = Rule(
    id="TK311",
    severity=Severity.ERROR,
    stage=Stage.IMPORTED,
    title=Text(
        "Every object of a schema says `additionalProperties: false`.",
        "스키마의 모든 object에 `additionalProperties: false`를 명시해야 합니다.",
    ),
    why=Text(
        "Members that nobody has described are made up; a closed object makes the model's mistake visible at once "
        "(seed 003 §5). The strict modes of model providers need it at every object, not only at the root (decision "
        "D25).",
        "설명되지 않은 멤버는 지어낸 값입니다. 닫힌 object는 모델의 실수를 바로 드러냅니다(가이드 003 §5). 모델 "
        "제공자의 strict 모드는 최상위뿐 아니라 모든 object에 이를 요구합니다(결정 D25).",
    ),
    messages={
        "root": Message(
            Text(
                "The root of {schema} does not say `additionalProperties: false`.",
                "{schema}의 최상위에 `additionalProperties: false`가 없습니다.",
            ),
            Text(
                "Add `additionalProperties: false` beside its `properties`.",
                "`properties` 옆에 `additionalProperties: false`를 추가하십시오.",
            ),
        ),
        "request": Message(
            Text(
                "{model} accepts members that it does not name.",
                "{model} 모델이 선언하지 않은 멤버도 받아들입니다.",
            ),
            Text(
                "Derive it from `Input`, and remove `extra` from its `model_config`.",
                "`Input`에서 파생하고 `model_config`의 `extra`를 지우십시오.",
            ),
        ),
        "written": Message(
            Text(
                "The object {pointer} of {schema} does not say `additionalProperties: false`.",
                "{schema}의 {pointer} object에 `additionalProperties: false`가 없습니다.",
            ),
            Text(
                "Add `additionalProperties: false` beside its `properties`.",
                "`properties` 옆에 `additionalProperties: false`를 추가하십시오.",
            ),
        ),
        "model": Message(
            Text(
                "The object {pointer} of the request accepts members that {model} does not name.",
                "요청의 {pointer} object는 {model}에 없는 멤버도 받아들입니다.",
            ),
            Text(
                "Derive the model from `Input` without another `extra`, and give a `dict` a model of its own: `class "
                "Condition(Input): …`.",
                "모델은 `extra`를 바꾸지 말고 `Input`에서 파생하고, `dict`는 별도 모델로 바꾸십시오: `class "
                "Condition(Input): …`.",
            ),
        ),
    },
    check=_open_objects,
    bad="parameters_schema:\n  type: object\n  properties: {}",
    good="parameters_schema:\n  type: object\n  properties: {}\n  additionalProperties: false",
)


RULES: Final = (
    TK309,
    TK310,
    TK311,
    *drift.RULES,
    *resources.RULES,
    *requests.RULES,
    *patterns.RULES,
    *own_bounds.RULES,
    *unions.RULES,
)
