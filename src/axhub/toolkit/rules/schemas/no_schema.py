"""What stands in `parameters_schema` and is no JSON Schema, though all that is compared agrees: a part of TK401."""

import json
from collections.abc import Iterator, Mapping
from typing import Final

from axhub.contract.schema import check_schema
from axhub.toolkit.facts.service import Definition, Imported
from axhub.toolkit.rules.definitions import value_at
from axhub.toolkit.rules.model import Breach, Message, Severity, Text

__all__ = ["MESSAGES", "breaches"]

_PARAMETERS: Final = "/parameters_schema"
_INVALID: Final = "schema.invalid"
_REQUIRED: Final = "required"

MESSAGES: Final[Mapping[str, Message]] = {
    "flag": Message(
        Text(
            "`required` stands inside of {name} in parameters_schema, where it says nothing.",
            "parameters_schema의 {name} 안에 있는 `required`는 아무 뜻이 없습니다.",
        ),
        Text(
            "Remove it here; which arguments are needed says the list `required` beside `properties`.",
            "여기서 지우십시오. 필수 인자는 `properties` 옆의 `required` 목록에 적습니다.",
        ),
    ),
    "invalid": Message(
        Text(
            "parameters_schema is no JSON Schema at {pointer}: {problem}.",
            "parameters_schema의 {pointer} 값은 JSON Schema 2020-12에 맞지 않습니다.",
        ),
        Text("Mend: {mend}.", "이 키워드에 허용되는 값으로 고치십시오."),
    ),
}


def breaches(tool: Imported, definition: Definition, severity: Severity) -> Iterator[Breach]:
    """Yield the keywords whose values mean nothing, such as the `required: true` of OpenAPI's parameters.

    Args:
        tool: whose definition it is.
        definition: with a `parameters_schema`.
        severity: of a difference between definition and model.
    """
    raw = json.dumps(value_at(definition, _PARAMETERS), ensure_ascii=False).encode("utf-8", "surrogatepass")
    for finding in check_schema(raw, "", None, root_object=False):
        if finding.rule != _INVALID:
            continue  # what else is wrong with a schema, the rules about published ones say
        around, _, keyword = finding.pointer.rpartition("/")
        pointer = _PARAMETERS + finding.pointer
        is_flag = keyword == _REQUIRED and isinstance(value_at(definition, pointer), bool)
        values = {
            "pointer": finding.pointer,
            "problem": finding.problem,
            "mend": finding.mend,
            "name": around.rpartition("/properties/")[2],
        }
        yield Breach(definition.place(pointer), "flag" if is_flag else "invalid", values, tool.name, severity)
