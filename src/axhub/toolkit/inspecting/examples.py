"""The examples of a definition as the service would take them: accepted or not, and as the request of a trial."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec
from pydantic import ValidationError

from axhub.toolkit.facts.service import FAILED, Imported, Kind
from axhub.toolkit.inspecting.telling import nearest
from axhub.toolkit.published.definition_file import read_definition
from axhub.toolkit.published.publish import definition_path
from axhub.toolkit.published.schemas import NO_ARGUMENTS
from axhub.toolkit.published.tool import FoundTool
from axhub.toolkit.published.validation import SchemaFault, SchemaValidator
from axhub.toolkit.service.arguments import MODEL_RULES, ArgumentReader, NoArguments, RefusedError

__all__ = ["definition_values", "examples_of", "request_of"]

_LIMITS: Final = frozenset(
    {"error", "expected", "ge", "gt", "le", "lt", "max_length", "min_length", "multiple_of", "pattern"}
)
"""Names under which pydantic says what would be right."""


def definition_values(tool: FoundTool, folder: Path) -> Mapping[str, Any]:
    """Return what the definition of a tool says; empty without one.

    Args:
        tool: as it was found.
        folder: of the package.
    """
    file = folder / definition_path(tool)
    return read_definition(file.read_bytes(), "").values if file.is_file() else {}


def examples_of(
    tool: FoundTool, imported: Imported, definition: Mapping[str, Any], root: Path
) -> Iterator[tuple[str, str | None]]:
    """Yield each example (`valid/0`) with what the service would say to a call of it; None: it is accepted.

    Where the request model itself fails, it is `FAILED` with the type of the error and its line below `root`.
    """
    examples = definition.get("examples")
    judge = _judge(imported)
    reader = ArgumentReader(tool.request, imported.input_schema, judge, "en")
    for kind in ("valid", "invalid"):
        given = examples.get(kind) if isinstance(examples, dict) else None
        for at, example in enumerate(given if isinstance(given, list) else ()):
            yield f"{kind}/{at}", _say(tool, reader, judge, example, root)


def request_of(tool: FoundTool, imported: Imported, example: Any) -> Any:
    """Return the request that a call with these arguments would run with.

    Raises:
        RefusedError: it would be refused.
    """
    return ArgumentReader(tool.request, imported.input_schema, _judge(imported), "en").read(
        msgspec.json.encode(example)
    )


def _judge(imported: Imported) -> SchemaValidator | None:
    return SchemaValidator(imported.input_schema) if imported.input_kind is Kind.RESOURCE else None


def _say(
    tool: FoundTool, reader: ArgumentReader, judge: SchemaValidator | None, example: Any, root: Path
) -> str | None:
    body = msgspec.json.encode(example)
    try:
        reader.read(body)
    except RefusedError as error:
        return _why(tool, judge, example) or f"arguments: {msgspec.json.decode(error.answer.body)['error']['message']}"
    except Exception as error:  # noqa: BLE001 - a validator of the author's may raise anything
        return f"{FAILED}{type(error).__name__}{nearest(error, root)}"
    return None


def _why(tool: FoundTool, judge: SchemaValidator | None, example: Any) -> str:
    """Return the first fault by its kind; empty if it is none of a value."""
    if tool.request is None and judge is None:
        judge = SchemaValidator(NO_ARGUMENTS)
    faults = judge.faults(example) if judge is not None else []
    if faults:
        return _fault(faults[0])
    try:
        (tool.request or NoArguments).model_validate_json(msgspec.json.encode(example), **MODEL_RULES)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        return f"{'/'.join(map(str, first['loc'])) or 'arguments'}: {first['type']} {_limit(first)}".rstrip()
    return ""


def _limit(found: Mapping[str, Any]) -> str:
    """Return what a fault's kind asks for: a bound, a pattern, or what the author's validator says."""
    context = found.get("ctx", {})
    return str(next((value for name, value in context.items() if name in _LIMITS), ""))


def _fault(fault: SchemaFault) -> str:
    said = ", ".join(fault.names) if fault.names else fault.expected
    told = fault.keyword if said is None else f"{fault.keyword} {said}"
    return f"{'/'.join(map(str, fault.path)) or 'arguments'}: {told}"
