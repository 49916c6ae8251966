"""Whether the schema resources that declarations name can be used (seed 003 §6.2, §7): rule TK403."""

import json
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any, Final

from axhub.contract.schema import check_schema
from axhub.toolkit.facts.holders import ENDINGS, find_resource, named_resources, resource_file
from axhub.toolkit.facts.service import Declared, Facts, Located, Resource
from axhub.toolkit.rules.model import Breach, Message, Rule, Severity, Stage, Text
from axhub.toolkit.rules.reading import is_closed
from axhub.toolkit.rules.telling.authored import in_both
from axhub.toolkit.rules.telling.saying import of_json

__all__ = ["RULES"]

_FAULTS: Final = {
    "schema.bytes": "large",
    "schema.depth": "deep",
    "schema.subschemas": "many",
    "schema.dialect": "dialect",
    "schema.ref.remote": "remote",
    "schema.ref.dangling": "dangling",
    "schema.ref.circle": "circle",
    "text.character": "character",
}


def _resources(facts: Facts) -> Iterator[Breach]:
    for declared in facts.declared:
        for argument, ending in ENDINGS.items():
            given = declared.arguments.get(argument)
            if given is not None and isinstance(given.value, str):
                yield from _named(facts, declared, given, (argument, ending))
    seen = set()
    for declared, _, resource in named_resources(facts):
        if resource.path not in seen:
            seen.add(resource.path)
            yield from _content(declared.name, resource)


def _named(facts: Facts, declared: Declared, given: Located[Any], of: tuple[str, str]) -> Iterator[Breach]:
    argument, ending = of
    values = {"argument": argument, "written": given.value, "file": resource_file(facts, given.value), "ending": ending}
    resource = find_resource(facts, given.value)
    if resource is None:
        close = get_close_matches(values["file"], [found.path for found in facts.resources], 1)
        near = {"close": close[0].removeprefix(f"{facts.project.folder}/")} if close else {}
        yield Breach(given.place, "close" if close else "absent", {**values, **near}, declared.name)
    elif not resource.path.endswith(ending):
        yield Breach(given.place, "ending", values, declared.name)
    elif not resource.packaged:
        yield Breach(given.place, "unpackaged", {**values, "file": resource.path}, declared.name)


def _content(tool: str | None, resource: Resource) -> Iterator[Breach]:
    name = resource.path.rpartition("/")[2]
    if is_closed(resource):
        return  # rule/TK001
    if resource.problem is not None:
        cause = in_both("cause", of_json(resource.problem.value))
        yield Breach(resource.problem.place, "unreadable", {"file": name, **cause}, tool)
        return
    raw = json.dumps(resource.schema, ensure_ascii=False).encode("utf-8", "surrogatepass")
    for finding in check_schema(raw, "", None, root_object=False):
        if finding.rule == "schema.root" or _is_about_a_pattern(finding.pointer, finding.rule):
            continue
        variant = _FAULTS.get(finding.rule, "invalid")
        values = {"file": name, "pointer": finding.pointer or "/", "problem": finding.problem, "mend": finding.mend}
        yield Breach(resource.place(finding.pointer), variant, values, tool)


def _is_about_a_pattern(pointer: str, rule: str) -> bool:
    return rule == "text.character" and pointer.endswith("/pattern")  # rule/TK407


def _invalid(what: str, mend_ko: str) -> Message:
    return Message(
        Text("{file} is not a usable schema at {pointer}: {problem}.", f"{{file}}의 {{pointer}}: {what}."),
        Text("Mend: {mend}.", f"{mend_ko}."),
    )


TK403: Final = Rule(
    id="TK403",
    severity=Severity.ERROR,
    stage=Stage.SOURCE,
    title=Text(
        "A schema resource exists, is packaged, and is JSON Schema 2020-12.",
        "스키마 리소스는 패키지 안에 있고 JSON Schema 2020-12를 따라야 합니다.",
    ),
    why=Text(
        "What `input_schema_resource` names goes before the request model's schema; of an answer the order is "
        "resource, model marked with `@output_schema`, none (seed 003 §6.2, §7). So the file must be there when the "
        "service runs.",
        "`input_schema_resource`가 가리키는 스키마는 요청 모델의 스키마보다 우선합니다. 응답은 리소스, "
        "`@output_schema` 모델, 없음의 순서입니다(가이드 003 §6.2, §7). 따라서 서비스를 실행할 때 파일이 있어야 "
        "합니다.",
    ),
    messages={
        "absent": Message(
            Text(
                "{argument} names {written}, and there is no {file}.",
                "{argument}의 {written}에 해당하는 {file} 파일이 없습니다.",
            ),
            Text(
                "Create that file, or remove the argument: the schema of the model is used then.",
                "파일을 만들거나 인자를 지우십시오. 지우면 모델의 스키마를 사용합니다.",
            ),
        ),
        "close": Message(
            Text(
                "{argument} names {written}, and there is no {file}.",
                "{argument}의 {written}에 해당하는 {file} 파일이 없습니다.",
            ),
            Text('Write `{argument}="{close}"`, which exists.', '존재하는 파일로 고치십시오: `{argument}="{close}"`.'),
        ),
        "ending": Message(
            Text(
                "{argument} names {written}, which does not end in {ending}.",
                "{argument}의 {written} 파일 이름은 {ending} 형식으로 끝나지 않습니다.",
            ),
            Text(
                "Name a file that ends in {ending}; rename it if need be.",
                "이름이 {ending} 형식으로 끝나는 파일을 쓰십시오. 필요하면 파일 이름을 바꾸십시오.",
            ),
        ),
        "unpackaged": Message(
            Text("{file} is left out of the wheel.", "{file} 파일이 wheel에 들어가지 않습니다."),
            Text(
                "Remove the pattern from `exclude` or the ignore file that keeps it out, or the service does not find "
                "it.",
                "이 파일을 제외하는 `exclude` 또는 ignore 파일의 패턴을 지우십시오. 그대로 두면 서비스가 파일을 찾지 "
                "못합니다.",
            ),
        ),
        "unreadable": Message(
            Text("{file} cannot be read as JSON: {cause}.", "{file} 파일을 JSON으로 읽을 수 없습니다: {cause_ko}."),
            Text("Correct this line or the one before it.", "이 줄이나 바로 앞 줄을 고치십시오."),
        ),
        "invalid": _invalid(
            "JSON Schema 2020-12에 맞지 않는 값입니다({problem})", "이 키워드에 허용되는 값으로 고치십시오"
        ),
        "large": _invalid("스키마가 너무 큽니다(64 KiB까지)", "줄이거나 도구를 나누십시오"),
        "deep": _invalid("스키마가 너무 깊습니다(32단계까지)", "안쪽 스키마를 최상위 `$defs`로 옮기고 참조하십시오"),
        "many": _invalid("하위 스키마가 너무 많습니다(2,000개까지)", "설명하는 데이터를 줄이거나 도구를 나누십시오"),
        "dialect": _invalid("`$schema`가 JSON Schema 2020-12가 아닙니다", "`$schema`를 지우십시오"),
        "remote": _invalid(
            "`$ref`가 이 파일 밖을 가리킵니다", "가리키는 스키마를 `$defs`에 옮기고 `#/$defs/이름`으로 참조하십시오"
        ),
        "dangling": _invalid("`$ref`가 가리키는 스키마가 없습니다", "이 파일에 있는 `#/$defs/이름`을 참조하십시오"),
        "circle": _invalid("참조가 제자리로 돌아옵니다", "참조를 `properties`나 `items` 안에 두십시오"),
        "character": _invalid("보이지 않는 문자나 제어 문자가 있습니다", "그 문자를 지우십시오"),
    },
    check=_resources,
    bad='@tool_hint(input_schema_resource="tool_schemas/cmm/claim-search.json")',
    good='@tool_hint(input_schema_resource="tool_schemas/cmm/claim-search-input-schema.json")',
)

RULES: Final = (TK403,)
