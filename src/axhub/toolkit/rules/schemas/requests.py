"""Rules about request models that models and their callers find easy to fill: TK404 to TK406."""

import re
from collections.abc import Iterator
from typing import Any, Final

from axhub.contract.schema_walk import walk
from axhub.toolkit.facts.fields import input_fields, lacks_its_resource, python_name, request_place, tools
from axhub.toolkit.facts.service import FAILED, Definition, Facts, Field, Imported, Kind, Place
from axhub.toolkit.rules.model import Breach, Message, Rule, Severity, Stage, Text
from axhub.toolkit.rules.schemas.comparing import value_pointer
from axhub.toolkit.rules.telling.authored import in_both, values_of
from axhub.toolkit.rules.telling.saying import in_words

__all__ = ["RULES"]

_MAX_FIELDS: Final = 12
_MAX_NESTING: Final = 2
_MAX_CODES: Final = 50
_HARD: Final = ("oneOf", "allOf", "not", "if", "const", "$ref")
"""Keywords that some model provider refuses or drops; `const`, `oneOf` and references of models are rendered away."""
_ONE_OF: Final = re.compile(
    r"중\s*(?:하나|한\s*가지|한\s*개)|\bone of\b|\beither\b|\bat least one\b|\bexactly one\b", re.IGNORECASE
)


def _hard_to_fill(facts: Facts) -> Iterator[Breach]:
    for name, tool in tools(facts):
        if lacks_its_resource(facts, tool):
            continue
        where = request_place(facts, tool)
        values: dict[str, str | int] = {"model": tool.request.rpartition(".")[2]}
        if tool.input_kind is Kind.MODEL and len(tool.inputs) > _MAX_FIELDS:
            yield Breach(where, "fields", {**values, "count": len(tool.inputs), "limit": _MAX_FIELDS}, name)
        deep = max((field.pointer for field in tool.inputs), key=_nesting, default="")
        if tool.input_kind is Kind.MODEL and _nesting(deep) > _MAX_NESTING:
            place = next(field.place for field in tool.inputs if field.pointer == deep)
            yield Breach(place, "nested", {**values, "pointer": deep, "levels": _nesting(deep)}, name)
        yield from _hard_places(name, tool, where)


def _hard_places(name: str, tool: Imported, where: Place) -> Iterator[Breach]:
    places = {field.pointer: field.place for field in tool.inputs}
    told: set[str] = set()
    for place in walk(tool.input_schema):
        if not isinstance(place.schema, dict):
            continue
        pointer = value_pointer(place.path)
        at = places.get(pointer.removesuffix("/*"), where)
        codes = place.schema.get("enum")
        if isinstance(codes, list) and len(codes) > _MAX_CODES:
            yield Breach(at, "codes", {"pointer": pointer, "count": len(codes), "limit": _MAX_CODES}, name)
        if _is_list(place.schema) and not place.schema.get("items") and "prefixItems" not in place.schema:
            yield Breach(at, "items", {"pointer": pointer}, name)
        for keyword in _HARD:
            if keyword in place.schema and place.path and keyword not in told:
                told.add(keyword)
                yield Breach(at, "keyword", {"pointer": pointer or "/", "keyword": keyword}, name)


def _is_list(schema: dict[str, Any]) -> bool:
    stated = schema.get("type")
    return stated == "array" or (isinstance(stated, list) and "array" in stated)


def _nesting(pointer: str) -> int:
    """Return how many objects lie around a field, the arguments themselves not counted."""
    return max(len([step for step in pointer.split("/") if step not in {"", "*"}]) - 1, 0)


TK404: Final = Rule(
    id="TK404",
    severity=Severity.WARNING,
    stage=Stage.IMPORTED,
    title=Text("A model can fill the arguments easily.", "모델이 쉽게 채울 수 있는 인자가 좋습니다."),
    why=Text(
        "Models fill few, flat fields well. Many fields, nested conditions and long code lists are better described "
        "by hand in a schema resource (seed 003 §6.2), or split into several tools. Some keywords are refused or "
        "dropped by model providers, so that a tool with them is missing there, or filled wrongly.",
        "모델은 적고 평평한 필드를 잘 채웁니다. 필드가 많거나 중첩이 깊거나 코드 목록이 길면 스키마 리소스에 직접 "
        "설명하거나(가이드 003 §6.2) 도구를 나누는 편이 낫습니다. 일부 키워드는 모델 제공자가 거절하거나 무시합니다.",
    ),
    messages={
        "fields": Message(
            Text(
                "{model} has {count} fields, more than {limit}, and no schema resource.",
                "{model}의 필드가 {count}개로 {limit}개를 넘는데 스키마 리소스가 없습니다.",
            ),
            Text(
                "Leave out what the tool can find out itself, split the tool, or name an `input_schema_resource`.",
                "도구가 스스로 알 수 있는 값은 빼거나, 도구를 나누거나, `input_schema_resource`를 지정하십시오.",
            ),
        ),
        "nested": Message(
            Text(
                "The field {pointer} of {model} lies {levels} objects deep, and there is no schema resource.",
                "{model}의 {pointer} 필드가 object {levels}단계 안에 있는데 스키마 리소스가 없습니다.",
            ),
            Text(
                "Move it up to at most two objects, or name an `input_schema_resource`.",
                "object 두 단계 안으로 올리거나 `input_schema_resource`를 지정하십시오.",
            ),
        ),
        "codes": Message(
            Text(
                "The field {pointer} has {count} codes, more than {limit}.",
                "{pointer} 필드의 코드가 {count}개로 {limit}개를 넘습니다.",
            ),
            Text(
                "Take a text, say in its description which tool looks the codes up, and refuse unknown ones.",
                "텍스트로 받고, 코드를 조회하는 도구를 설명에 쓰고, 모르는 코드는 거절하십시오.",
            ),
        ),
        "items": Message(
            Text(
                "The list {pointer} does not say what its items are; some model providers refuse that.",
                "{pointer} 배열의 요소가 무엇인지 나와 있지 않아 일부 모델 제공자가 거절합니다.",
            ),
            Text("Write the item's type: `list[str]`, or a model.", "요소의 타입을 쓰십시오: `list[str]` 또는 모델."),
        ),
        "keyword": Message(
            Text(
                "The input schema uses `{keyword}` at {pointer}, which some model providers refuse or ignore.",
                "입력 스키마의 {pointer}에 일부 모델 제공자가 거절하거나 무시하는 `{keyword}` 키워드가 있습니다.",
            ),
            Text(
                "Say it in the description and check it in a validator of the request model, or use plain properties.",
                "설명에 쓰고 요청 모델의 validator에서 검사하거나, 평범한 속성으로 바꾸십시오.",
            ),
        ),
    },
    check=_hard_to_fill,
    bad="class Search(Input):\n    where: Where   # has a Period, which has a Range, which has a Start",
    good="class Search(Input):\n    start_date: date\n    end_date: date",
    heuristic=True,
)


def _examples(facts: Facts) -> Iterator[Breach]:
    for name, tool in tools(facts):
        definition = facts.definition_of(name)
        if definition is None or facts.is_doubled(name) or _is_told(facts, tool, definition):
            continue
        for example, answer in tool.examples.items():
            kind, _, number = example.partition("/")
            values = {"example": f"`examples.{kind}[{number}]`", **in_both("answer", in_words(answer or ""))}
            if answer is not None and answer.startswith(FAILED):
                error, _, place = answer.removeprefix(FAILED).partition(" at ")
                broken = {**values, "error": error, "place": place or str(request_place(facts, tool))}
                yield Breach(definition.place(f"/examples/{example}"), "failed", broken, name)
            elif kind == "valid" and answer is not None:
                yield Breach(definition.place(f"/examples/{example}"), "refused", values, name)
            elif kind == "invalid" and answer is None:
                yield Breach(definition.place(f"/examples/{example}"), "accepted", values, name)
        description = definition.values.get("description")
        limits = description.get("io_limits") if isinstance(description, dict) else None
        found = _ONE_OF.search(limits) if isinstance(limits, str) else None
        if found and not any(example.startswith("invalid/") for example in tool.examples):
            yield Breach(definition.place("/description/io_limits"), "unproven", {"words": found[0]}, name)


def _is_told(facts: Facts, tool: Imported, definition: Definition) -> bool:
    """Say whether what a tool accepts is not known (rule/TK403), or it takes none of what is described (TK401)."""
    described = values_of(definition.values.get("parameters_schema")).get("properties")
    return lacks_its_resource(facts, tool) or (not tool.request and bool(described))


TK405: Final = Rule(
    id="TK405",
    severity=Severity.WARNING,
    stage=Stage.IMPORTED,
    title=Text(
        "What the definition says about arguments is enforced.",
        "정의 파일이 말하는 인자 조건은 실제로 검사하는 것이 좋습니다.",
    ),
    why=Text(
        'A condition between fields, such as "one of A or B", is in no schema that all providers take. So the request '
        "model has to refuse the call, and an example in the definition proves that it does: `examples.valid` are "
        "accepted, `examples.invalid` are refused.",
        "“A 또는 B 중 하나” 같은 필드 사이의 조건은 모든 제공자가 받는 스키마로 쓸 수 없습니다. 요청 모델이 호출을 "
        "거절해야 하며, 정의 파일의 예가 이를 증명합니다. `examples.valid`는 받아들이고 `examples.invalid`는 "
        "거절해야 합니다.",
    ),
    messages={
        "refused": Message(
            Text("The tool refuses {example}: {answer}.", "도구가 {example} 예를 거절합니다: {answer_ko}."),
            Text(
                "Correct the example, or move it to `examples.invalid` if it is to be refused.",
                "예를 고치거나, 거절하는 것이 맞으면 `examples.invalid`로 옮기십시오.",
            ),
        ),
        "failed": Message(
            Text(
                "The request model fails at {example} with {error} at {place}, so that the call is a 500.",
                "{example} 예에서 요청 모델이 {place} 위치의 {error} 예외로 실패하여, 호출에 500으로 응답합니다.",
            ),
            Text(
                "Raise `ValueError` there if the arguments are wrong, with words that say what is needed; else correct "
                "that line.",
                "인자가 잘못된 경우라면 무엇이 필요한지 적은 `ValueError`를 내고, 아니면 그 줄을 고치십시오.",
            ),
        ),
        "accepted": Message(
            Text(
                "The tool accepts {example}, which is to be refused.",
                "거절해야 할 {example} 예를 도구가 받아들입니다.",
            ),
            Text(
                'Check the condition in the request model, with `@model_validator(mode="after")` and a `ValueError` '
                "that says what is needed, or correct the example.",
                '요청 모델의 `@model_validator(mode="after")`에서 조건을 검사해 무엇이 필요한지 알리는 '
                "`ValueError`를 내거나, "
                "예를 고치십시오.",
            ),
        ),
        "unproven": Message(
            Text(
                '`io_limits` states a condition between arguments ("{words}"), and no example proves that it is '
                "checked.",
                '`io_limits`에 인자 사이의 조건("{words}")이 있는데, 검사된다는 것을 증명하는 예가 없습니다.',
            ),
            Text(
                "Add arguments that break it, as in `examples: {{invalid: [{{}}]}}`; the request model must refuse "
                "them.",
                "조건을 어기는 인자를 `examples: {{invalid: [{{}}]}}`처럼 추가하십시오. 요청 모델이 거절해야 합니다.",
            ),
        ),
    },
    check=_examples,
    bad="description:\n  io_limits: 청구번호 또는 계약번호 중 하나 이상이 필요하다.",
    good="description:\n  io_limits: 청구번호 또는 계약번호 중 하나 이상이 필요하다.\nexamples:\n  invalid: [{}]",
    heuristic=True,
)


def _nulls(facts: Facts) -> Iterator[Breach]:
    for used in input_fields(facts):
        variant = _null_fault(used.field)
        if variant:
            name = python_name(used.field)
            values = {"pointer": used.field.pointer, "name": name, "model": used.field.model.rpartition(".")[2]}
            yield Breach(used.field.place, variant, values, used.tool)


def _null_fault(field: Field) -> str:
    if field.required:
        return "required" if field.nullable else ""
    if field.nullable:
        return "" if field.default_null else "default"
    return "refused" if field.default_null else ""


TK406: Final = Rule(
    id="TK406",
    severity=Severity.WARNING,
    stage=Stage.IMPORTED,
    title=Text(
        "A required argument is never null, and an optional one that may be null is null by default.",
        "필수 인자는 null일 수 없고, null일 수 있는 선택 인자의 기본값은 null인 것이 좋습니다.",
    ),
    why=Text(
        "A model that has no value leaves an argument out or writes null; strict modes can only write null. Both "
        "must mean the same, or the tool does something else than was asked for.",
        "값이 없을 때 모델은 인자를 빼거나 null을 쓰며, strict 모드에서는 null만 쓸 수 있습니다. 두 경우의 뜻이 "
        "같아야 도구가 다른 일을 하지 않습니다.",
    ),
    messages={
        "required": Message(
            Text(
                "The argument {pointer} of {model} is required and may be null.",
                "{model}의 {pointer} 인자는 필수인데 null일 수 있습니다.",
            ),
            Text(
                "Make it optional: `{name}: Annotated[… | None, Desc(…)] = None`, or remove `| None`.",
                "선택 인자로 바꾸거나(`{name}: Annotated[… | None, Desc(…)] = None`) `| None`을 지우십시오.",
            ),
        ),
        "default": Message(
            Text(
                "The argument {pointer} of {model} may be null, and its default is something else.",
                "{model}의 {pointer} 인자는 null일 수 있는데 기본값이 null이 아닙니다.",
            ),
            Text(
                "Write `= None` and decide in the converter what null means, or remove `| None`.",
                "`= None`으로 쓰고 null의 처리는 converter에서 정하거나, `| None`을 지우십시오.",
            ),
        ),
        "refused": Message(
            Text(
                "The argument {pointer} of {model} is null by default, and its type refuses null.",
                "{model}의 {pointer} 인자의 기본값이 null인데 타입은 null을 거절합니다.",
            ),
            Text(
                "Write `{name}: Annotated[… | None, Desc(…)] = None`.",
                "`{name}: Annotated[… | None, Desc(…)] = None`으로 쓰십시오.",
            ),
        ),
    },
    check=_nulls,
    bad='contract_no: Annotated[str | None, Desc("계약번호")]',
    good='contract_no: Annotated[str | None, Desc("계약번호. 모르면 생략")] = None',
)

RULES: Final = (TK404, TK405, TK406)
