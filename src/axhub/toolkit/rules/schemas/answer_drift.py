"""Whether an output resource and the response model agree: a part of rule TK401."""

from collections.abc import Iterator, Mapping
from typing import Final

from axhub.toolkit.facts.holders import ENDINGS, named_resources
from axhub.toolkit.facts.service import Facts, Imported, Kind, Place, Resource
from axhub.toolkit.facts.wording import shown
from axhub.toolkit.rules.model import Breach, Message, Text
from axhub.toolkit.rules.schemas.comparing import Difference, property_at, schema_pointer, widenings

__all__ = ["MESSAGES", "answer_breaches"]

_OUTPUT: Final = "output_schema_resource"
_MAX_LINE: Final = 1000


def answer_breaches(facts: Facts, tool: Imported) -> Iterator[Breach]:
    """Yield where the response model answers what the tool's output resource does not allow (seed 003 §7).

    A narrower bound or a code list for a text is fine: the model may keep to it in code, which the samples show.
    """
    resource = _resource(facts, tool)
    if resource is None or not isinstance(resource.schema, dict) or not tool.response_is_model or tool.leaks:
        return  # rule/TK403, rule/TK309, rule/TK517
    for difference in widenings(resource.schema, tool.answer_schema):
        variant = _variant(difference)
        if variant:
            at = schema_pointer(difference.pointer)
            place = resource.place(at if variant == "answer-surplus" else f"{at}/{difference.kind}")
            yield Breach(place, variant, _values(facts, tool, difference, resource), tool.name)


def _resource(facts: Facts, tool: Imported) -> Resource | None:
    if tool.output_kind is not Kind.RESOURCE:
        return None
    named = named_resources(facts)
    found = (one for declared, argument, one in named if declared.name == tool.name and argument == _OUTPUT)
    return next((one for one in found if one.path.endswith(ENDINGS[_OUTPUT])), None)


def _variant(difference: Difference) -> str:
    if difference.kind in {"type", "surplus", "required"}:
        return f"answer-{difference.kind}"
    return "answer-enum" if difference.kind == "enum" and difference.first and difference.second else ""


def _values(facts: Facts, tool: Imported, difference: Difference, resource: Resource) -> Mapping[str, str | int]:
    name = difference.pointer.rpartition("/")[2]
    field = next((field for field in tool.outputs if field.pointer == difference.pointer), None)
    return {
        "pointer": difference.pointer or "/",
        "name": name,
        "schema": resource.path.rpartition("/")[2],
        "model": (tool.response if field is None else field.model).rpartition(".")[2],
        "dto": str(_model_place(facts, tool) if field is None else field.place),
        "first": difference.first,
        "second": difference.second,
        "line": f'"{name}": {shown(property_at(tool.answer_schema, difference.pointer), _MAX_LINE)}',
    }


def _model_place(facts: Facts, tool: Imported) -> Place:
    classes = (found for module in facts.modules for found in module.classes)
    model = next((found.place for found in classes if found.qualified == tool.response), None)
    declared = facts.declared_as(tool.name)
    return model or (Place(facts.project.pyproject) if declared is None else declared.place)


def _differ(en: str, ko: str, mend_en: str, mend_ko: str) -> Message:
    problem = Text(
        f"{{schema}} and {{model}} ({{dto}}) differ at {{pointer}}: {en}.",
        f"{{schema}} 파일과 {{model}}({{dto}})의 {{pointer}} 속성이 서로 다릅니다. {ko}.",
    )
    return Message(problem, Text(f"{mend_en}.", f"{mend_ko}."))


MESSAGES: Final[Mapping[str, Message]] = {
    "answer-type": _differ(
        "the resource says {first}, the answer has {second}",
        "리소스는 {first}, 응답은 {second}입니다",
        "Write in the resource what the answer has: {line}, or change the model",
        "리소스를 응답에 맞게 쓰거나 모델을 바꾸십시오: {line}",
    ),
    "answer-enum": _differ(
        "the resource says {first}; the answer may be {second}",
        "리소스의 값은 {first}, 응답의 값은 {second}입니다",
        "Write all values of the answer as `enum` of the resource, or change the model",
        "리소스의 `enum`에 응답의 값을 모두 쓰거나 모델을 바꾸십시오",
    ),
    "answer-surplus": _differ(
        "only the answer has it",
        "응답에만 있습니다",
        "Write below `properties` of the resource: {line}",
        "리소스의 `properties` 아래에 쓰십시오: {line}",
    ),
    "answer-required": _differ(
        "the resource requires it, the answer may lack it",
        "리소스에서는 필수인데 응답에는 없을 수 있습니다",
        "Remove `{name}` from `required` of the resource, or add a field to {model}",
        "리소스의 `required`에서 `{name}` 이름을 지우거나 {model}에 필드를 추가하십시오",
    ),
}
