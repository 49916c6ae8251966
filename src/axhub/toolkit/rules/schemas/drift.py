"""Whether request model, `parameters_schema` and input resource say the same (decision/D12): rule TK401."""

from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any, Final

from axhub.toolkit.facts.fields import lacks_its_resource, request_place, tools
from axhub.toolkit.facts.holders import Holder, holders
from axhub.toolkit.facts.service import Definition, Facts, Imported, Kind, Place
from axhub.toolkit.facts.wording import shown, words
from axhub.toolkit.rules.definitions import merge_keys
from axhub.toolkit.rules.model import Breach, Message, Rule, Severity, Stage, Text
from axhub.toolkit.rules.personal.family import asks_for_personal_data
from axhub.toolkit.rules.schemas import no_schema
from axhub.toolkit.rules.schemas.answer_drift import MESSAGES, answer_breaches
from axhub.toolkit.rules.schemas.comparing import Difference, differences, property_at, schema_pointer, widenings
from axhub.toolkit.rules.schemas.own_bounds import breaks_its_bounds
from axhub.toolkit.rules.schemas.patterns import is_portable, portable
from axhub.toolkit.rules.telling.authored import values_of, yaml_text
from axhub.toolkit.rules.telling.placeholders import is_unwritten

__all__ = ["RULES"]

_PARAMETERS: Final = "parameters_schema"
_MAX_LINE: Final = 1000
_NEAR: Final = 0.85  # similarity from which a name is a slip of another


def _disagreements(facts: Facts) -> Iterator[Breach]:
    resources = {holder.tool: holder for holder in holders(facts) if holder.is_resource and holder.is_input}
    for name, tool in tools(facts):
        if facts.is_doubled(name):
            continue  # rule/TK107
        yield from answer_breaches(facts, tool)
        definition, resource = facts.definition_of(name), resources.get(name)
        if lacks_its_resource(facts, tool):
            continue
        wider = []
        if tool.input_kind is Kind.RESOURCE and resource is not None and resource.is_sound:
            wider = list(_wider(facts, tool, resource))
        yield from wider
        if definition is not None and not wider and not merge_keys(definition):
            yield from _drift(facts, tool, definition)


def _drift(facts: Facts, tool: Imported, definition: Definition) -> Iterator[Breach]:
    written = definition.values.get(_PARAMETERS)
    if not isinstance(written, dict) or written.get("type") != "object":
        return  # rule/TK302, rule/TK309
    if tool.input_kind is Kind.RESOURCE and not list(differences(tool.input_schema, written)):
        return  # it may repeat the resource instead, which is what is published
    found = list(differences(tool.model_schema, written))
    if not tool.request and (surplus := [one for one in found if one.kind == "surplus"]):
        yield _argumentless(facts, tool, definition, surplus)
        return
    severity = _severity(facts)
    if not found:
        yield from no_schema.breaches(tool, definition, severity)
    others = _other_names(found)
    for difference in found:
        if (difference.kind == "surplus" and difference.pointer in others.values()) or _is_told(tool, difference):
            continue  # said with the name that is missing, or by another rule
        values = _values(facts, tool, difference)
        at, variant = _where(difference), _variant(difference)
        if variant == "missing" and difference.pointer in others:
            values["other"] = others[difference.pointer].rpartition("/")[2]
            at, variant = schema_pointer(others[difference.pointer]), "renamed"
        pointer = f"/{_PARAMETERS}{at}"
        name = definition.places.get(f"key:{pointer}") if variant in {"surplus", "renamed"} else None
        yield Breach(name or definition.place(pointer), variant, values, tool.name, severity)


def _severity(facts: Facts) -> Severity:
    return Severity.ERROR if facts.has_lock else Severity.WARNING


def _argumentless(facts: Facts, tool: Imported, definition: Definition, surplus: list[Difference]) -> Breach:
    """Return one breach for all that is described of a tool that takes nothing."""
    names = [f"`{one.pointer.rpartition('/')[2]}`" for one in surplus]
    pointer = f"/{_PARAMETERS}{schema_pointer(surplus[0].pointer)}"
    place = definition.places.get(f"key:{pointer}") or definition.place(pointer)
    values = {"names": ", ".join(names)}
    return Breach(place, "argumentless" if len(names) == 1 else "argumentless-all", values, tool.name, _severity(facts))


def _is_told(tool: Imported, difference: Difference) -> bool:
    """Say whether another rule speaks of it: TK303 and TK516 of fields, TK406 of null, TK407 of patterns, TK408."""
    if difference.kind == "required":
        found = (field for field in tool.inputs if field.pointer == difference.pointer)
        return any(field.required and field.nullable for field in found)
    if difference.kind == "description" and (is_unwritten(difference.first) or is_unwritten(difference.second)):
        return True
    if difference.kind in {"missing", "description"}:
        return any(asks_for_personal_data(field) for field in tool.inputs if field.pointer == difference.pointer)
    if difference.kind == "default":
        return breaks_its_bounds(property_at(tool.model_schema, difference.pointer), tool.model_schema)
    if difference.kind == "bound" and difference.first.startswith("pattern: "):
        return not is_portable(str(values_of(property_at(tool.model_schema, difference.pointer)).get("pattern", "")))
    return False


def _other_names(found: list[Difference]) -> dict[str, str]:
    """Return what is missing under its name and stands there under nearly the same one."""
    surplus = [difference.pointer for difference in found if difference.kind == "surplus"]
    others = {}
    for difference in found:
        like = [pointer for pointer in surplus if _is_like(difference.pointer, pointer)]
        if difference.kind == "missing" and like:
            others[difference.pointer] = like[0]
            surplus.remove(like[0])
    return others


def _is_like(one: str, other: str) -> bool:
    (around, _, name), (beside, _, written) = one.rpartition("/"), other.rpartition("/")
    return around == beside and (words(name) == words(written) or bool(get_close_matches(name, [written], 1, _NEAR)))


def _wider(facts: Facts, tool: Imported, resource: Holder) -> Iterator[Breach]:
    for difference in widenings(tool.model_schema, resource.schema):
        values = {**_values(facts, tool, difference), "schema": resource.name}
        at = _where(difference)
        place = resource.key(at) if difference.kind == "surplus" else resource.place(at)
        yield Breach(place, f"wider-{_variant(difference)}", values, tool.name)


def _variant(difference: Difference) -> str:
    """Return the message for a difference: of bounds and codes, one of the two may have none."""
    if difference.kind not in {"enum", "bound", "default"}:
        return difference.kind
    return difference.kind + ("-only-there" if not difference.first else "-only-here" if not difference.second else "")


def _where(difference: Difference) -> str:
    """Return where in the written schema a difference shows."""
    at = schema_pointer(difference.pointer)
    match difference.kind:
        case "surplus":
            return at
        case "missing":
            return at.rpartition("/")[0]
        case "required" | "optional":
            return f"{at.rpartition('/properties/')[0]}/required"
        case "bound":
            return f"{at}/{(difference.second or difference.first).partition(':')[0]}"
        case keyword:
            return f"{at}/{keyword}"


def _values(facts: Facts, tool: Imported, difference: Difference) -> dict[str, str | int]:
    name = difference.pointer.rpartition("/")[2]
    return {
        "pointer": difference.pointer or "/",
        "name": name,
        "model": tool.request.rpartition(".")[2] or "Input",
        "dto": str(_model_place(facts, tool, difference.pointer)),
        "first": difference.first,
        "second": difference.second,
        "line": f"{name}: {shown(_as_written(tool, difference.pointer), _MAX_LINE)}",
        "yaml": yaml_text(difference.first) if difference.kind == "description" else "",
    }


def _as_written(tool: Imported, pointer: str) -> Any:
    """Return what the model says, with its pattern as it should be (rule/TK407)."""
    schema = property_at(tool.model_schema, pointer)
    pattern = values_of(schema).get("pattern")
    return {**schema, "pattern": portable(pattern)} if isinstance(pattern, str) else schema


def _model_place(facts: Facts, tool: Imported, pointer: str) -> Place:
    """Return where the field is declared, or that around it, or the model, or the tool."""
    while pointer:
        field = next((field for field in tool.inputs if field.pointer == pointer), None)
        if field is not None:
            return field.place
        pointer = pointer.rpartition("/")[0]
    return request_place(facts, tool)


def _drifted(en: str, ko: str, mend_en: str, mend_ko: str) -> Message:
    problem = Text(
        f"parameters_schema and {{model}} ({{dto}}) differ at {{pointer}}: {en}.",
        f"parameters_schema와 {{model}}({{dto}})의 {{pointer}} 속성이 서로 다릅니다. {ko}.",
    )
    return Message(
        problem,
        Text(
            f"{mend_en}. `axhub sync` writes what the model says.",
            f"{mend_ko}. 모델의 내용은 `axhub sync` 명령이 대신 씁니다.",
        ),
    )


def _wide(en: str, ko: str, mend_en: str, mend_ko: str) -> Message:
    problem = Text(
        f"{{schema}} accepts more than {{model}} ({{dto}}) at {{pointer}}: {en}.",
        f"{{schema}}의 {{pointer}} 속성이 {{model}}({{dto}})보다 넓습니다. {ko}.",
    )
    return Message(problem, Text(f"{mend_en}.", f"{mend_ko}."))


TK401: Final = Rule(
    id="TK401",
    severity=Severity.ERROR,
    stage=Stage.IMPORTED,
    title=Text(
        "Request model, `parameters_schema` and input resource agree.",
        "요청 모델, `parameters_schema`, 입력 리소스가 서로 맞아야 합니다.",
    ),
    why=Text(
        "The request model is the one truth; a resource goes before it when the schema is published, and may only "
        "narrow it, since the model still checks every call (decision D12, seed 003 §6.2). `parameters_schema` "
        "repeats what is published: a difference is a warning, and an error once the project has an axhub.lock.json. "
        "An output resource has to allow what the response model answers (seed 003 §7).",
        "기준은 요청 모델입니다. 리소스가 있으면 그것을 먼저 게시하지만, 호출은 모델로도 검사하므로 리소스는 "
        "모델보다 좁을 수만 있습니다(결정 D12, 가이드 003 §6.2). `parameters_schema`는 게시되는 내용을 되풀이하며, "
        "다르면 경고이고 프로젝트에 axhub.lock.json이 있으면 오류입니다. 출력 리소스는 응답 모델이 내는 값을 모두 "
        "받아들여야 합니다(가이드 003 §7).",
    ),
    messages={
        "missing": _drifted(
            "only the model has it",
            "모델에만 있습니다",
            "Write below `properties`: {line}",
            "`properties` 아래에 쓰십시오: {line}",
        ),
        "renamed": _drifted(
            "the definition calls it {other}",
            "정의 파일에는 {other} 이름으로 적혀 있습니다",
            "Write the name that is sent over the wire, in `required` too: {name}",
            "전송되는 이름으로 고치십시오(`required`도 함께): {name}",
        ),
        "surplus": _drifted(
            "only the definition has it",
            "정의 파일에만 있습니다",
            "Remove `{name}` here, or add a field to {model}",
            "여기서 `{name}` 이름을 지우거나 {model}에 필드를 추가하십시오",
        ),
        "required": _drifted(
            "the model requires it, the definition does not",
            "모델에서는 필수이고 정의 파일에서는 필수가 아닙니다",
            "Add `{name}` to `required`",
            "`required`에 `{name}` 이름을 추가하십시오",
        ),
        "optional": _drifted(
            "the definition requires it, the model does not",
            "정의 파일에서는 필수이고 모델에서는 필수가 아닙니다",
            "Remove `{name}` from `required`",
            "`required`에서 `{name}` 이름을 지우십시오",
        ),
        "type": _drifted(
            "the model says {first}, the definition {second}",
            "모델은 {first}, 정의 파일은 {second}입니다",
            "Write what the model says: {line}",
            "모델에 맞게 쓰십시오: {line}",
        ),
        "enum": _drifted(
            "the model allows {first}; the definition allows {second}",
            "모델의 값은 {first}, 정의 파일의 값은 {second}입니다",
            "Write what the model says: {line}",
            "모델에 맞게 쓰십시오: {line}",
        ),
        "enum-only-here": _drifted(
            "the model allows only {first}, the definition anything",
            "모델의 값은 {first}뿐인데 정의 파일에는 `enum`이 없습니다",
            "Write what the model says: {line}",
            "모델에 맞게 쓰십시오: {line}",
        ),
        "enum-only-there": _drifted(
            "the definition allows only {second}, the model anything",
            "정의 파일의 값은 {second}뿐인데 모델에는 제한이 없습니다",
            "Remove `enum` here, or write `Literal[{second}]` in {model}",
            "여기서 `enum`을 지우거나 {model}에 `Literal[{second}]` 타입을 쓰십시오",
        ),
        "argumentless": Message(
            Text(
                "The tool takes no request model, so it has no argument {names}.",
                "도구가 요청 모델을 받지 않으므로 {names} 인자가 없습니다.",
            ),
            Text(
                "Take `request: …Request`, or remove it here.",
                "`request: …Request` 매개변수를 받거나 여기서 지우십시오.",
            ),
        ),
        "argumentless-all": Message(
            Text(
                "The tool takes no request model, so it has none of the arguments {names}.",
                "도구가 요청 모델을 받지 않으므로 {names} 인자가 모두 없습니다.",
            ),
            Text(
                "Take `request: …Request`, or remove them here.",
                "`request: …Request` 매개변수를 받거나 여기서 모두 지우십시오.",
            ),
        ),
        "default": _drifted(
            "the model's default is {first}; the definition says {second}",
            "모델의 기본값은 {first}, 정의 파일의 기본값은 {second}입니다",
            "Write `default: {first}`, or change the model",
            "`default: {first}` 값을 쓰거나 모델을 바꾸십시오",
        ),
        "default-only-here": _drifted(
            "the model's default is {first}, which the definition leaves out",
            "모델의 기본값 {first}이(가) 정의 파일에 없습니다",
            "Add `default: {first}`",
            "`default: {first}` 값을 추가하십시오",
        ),
        "default-only-there": _drifted(
            "the definition says default: {second}, and the model has none",
            "정의 파일의 기본값은 {second}인데 모델에는 기본값이 없습니다",
            "Remove `default` here, or give the field that default",
            "여기서 `default`를 지우거나 필드에 그 기본값을 주십시오",
        ),
        "description": _drifted(
            'the model says "{first}"; the definition says "{second}"',
            '모델의 설명은 "{first}", 정의 파일의 설명은 "{second}"입니다',
            "Write `description: {yaml}`, or change the model",
            "`description: {yaml}` 값을 쓰거나 모델을 바꾸십시오",
        ),
        "bound-only-here": _drifted(
            "the model says {first}, which the definition leaves out",
            "모델의 {first} 제한이 정의 파일에 없습니다",
            "Write what the model says: {line}",
            "모델에 맞게 쓰십시오: {line}",
        ),
        "bound-only-there": _drifted(
            "the definition says {second}, which the model does not",
            "정의 파일의 {second} 제한이 모델에 없습니다",
            "Remove it here, or bound the field in {model}",
            "여기서 지우거나 {model}의 필드에 제한을 추가하십시오",
        ),
        "bound": _drifted(
            "the model says {first}; the definition says {second}",
            "모델은 {first}, 정의 파일은 {second}입니다",
            "Write what the model says: {line}",
            "모델에 맞게 쓰십시오: {line}",
        ),
        "wider-surplus": _wide(
            "the model refuses this member",
            "모델은 이 멤버를 거절합니다",
            "Remove `{name}` from the resource, or add a field to {model}",
            "리소스에서 `{name}` 이름을 지우거나 {model}에 필드를 추가하십시오",
        ),
        "wider-required": _wide(
            "the model requires this member",
            "모델에서는 필수입니다",
            "Add `{name}` to `required` of the resource, or give the field a default",
            "리소스의 `required`에 `{name}` 이름을 추가하거나 필드에 기본값을 주십시오",
        ),
        "wider-type": _wide(
            "the model takes {first}, the resource {second}",
            "모델은 {first}, 리소스는 {second}입니다",
            "Narrow the resource's `type` to the model's, or change the model",
            "리소스의 `type`을 모델에 맞게 좁히거나 모델을 바꾸십시오",
        ),
        "wider-enum": _wide(
            "the model takes {first}; the resource takes {second}",
            "모델의 값은 {first}, 리소스의 값은 {second}입니다",
            "Leave only values of the model in the resource's `enum`, or change the model",
            "리소스의 `enum`에 모델의 값만 남기거나 모델을 바꾸십시오",
        ),
        "wider-enum-only-here": _wide(
            "the model takes only {first}, the resource anything",
            "모델의 값은 {first}뿐인데 리소스에는 `enum`이 없습니다",
            "Write the model's values as `enum` in the resource",
            "리소스의 `enum`에 모델의 값을 쓰십시오",
        ),
        "wider-bound-only-here": _wide(
            "the model says {first}, the resource sets no such bound",
            "모델의 {first} 제한이 리소스에 없습니다",
            "Write {first} in the resource, or a narrower bound",
            "리소스에 {first} 또는 더 좁은 한계를 쓰십시오",
        ),
        "wider-bound": _wide(
            "the model says {first}; the resource says {second}",
            "모델은 {first}, 리소스는 {second}입니다",
            "Write {first} in the resource, or a narrower bound",
            "리소스에 {first} 또는 더 좁은 한계를 쓰십시오",
        ),
        **MESSAGES,
        **no_schema.MESSAGES,
    },
    check=_disagreements,
    bad="parameters_schema:\n  properties:\n    claim_no: {type: string, description: 청구번호}",
    good="parameters_schema:\n  properties:\n    claimNo: {type: string, description: 청구번호}",
)

RULES: Final = (TK401,)
