"""Words for the faults of one call's arguments, so that a model can mend them (toolkit/S3).

The published input schema supplies what the validators do not say: the allowed names, the allowed values, an example.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, Final
from unicodedata import normalize
from urllib.parse import unquote

from axhub.contract.jsontext import JsonTextError, check_grammar, check_text
from axhub.toolkit.service.answers import Answer, Outcome, refusal, shown
from axhub.toolkit.service.faults import Fault, Path, kind_of
from axhub.toolkit.service.words import FAULTS, FIRST_FAULTS, JSON_FAULTS, KINDS, Language

__all__ = ["invalid_arguments", "invalid_json", "schema_at", "shown_path"]

MAX_FAULTS: Final = 20
_MAX_BYTES: Final = 6000
"""Of all fields together; the gateway shows 8 KiB of an error (decision/D14)."""
_MAX_PATH: Final = 200
_MAX_LIST: Final = 300
_MAX_MESSAGE: Final = 600
_MAX_EXAMPLE: Final = 120
_NEAR: Final = 0.6
_WITH_EXAMPLE: Final = frozenset({"missing", "type", "type_quoted", "pattern", "date", "datetime", "time", "invalid"})
_REQUIRED: Final = {"any_of": ("anyOf", "any_required"), "one_of": ("oneOf", "one_required")}
_SURROGATE: Final = b"\\ud"
_BYTE: Final = re.compile(r"byte (\d+)")
_QUOTED: Final[Mapping[str, Callable[[str], bool]]] = {
    "integer": lambda text: text.strip().lstrip("-").isdecimal(),
    "number": lambda text: text.strip().lstrip("-").replace(".", "", 1).isdecimal(),
    "boolean": lambda text: text.strip().lower() in {"true", "false"},
    "object": lambda text: text.lstrip().startswith("{"),
    "array": lambda text: text.lstrip().startswith("["),
}


def invalid_arguments(
    faults: Sequence[Fault], schema: Mapping[str, Any], language: Language, count: int | None = None
) -> Answer:
    """Return the answer to arguments that were refused: each fault with its place and a sentence.

    Args:
        faults: in the order in which they are told.
        schema: the published input schema.
        language: of the sentences.
        count: how many faults there are; None: as many as are given.
    """
    fields: list[dict[str, str]] = []
    room = _MAX_BYTES
    for fault in faults[:MAX_FAULTS]:
        one = {"path": shown_path(fault.path), "message": _message(fault, schema, language)}
        room -= len(json.dumps(one, ensure_ascii=False).encode())
        if room < 0 and fields:
            break
        fields.append(one)
    known = len(faults) if count is None else count
    first = FIRST_FAULTS.said(language).format(told=len(fields)) if len(fields) < len(faults) else ""
    values = {"count": known, "first": first}
    return refusal("INVALID_ARGUMENTS", language, Outcome.INVALID_ARGUMENTS, values=values, fields=fields)


def invalid_json(body: bytes, language: Language) -> Answer:
    """Return the answer to a body that is no JSON, with what is wrong with it."""
    kind, at = _json_fault(body)
    where = JSON_FAULTS[kind].said(language).format(at=at)
    return refusal("INVALID_JSON", language, Outcome.INVALID_ARGUMENTS, values={"where": where})


def shown_path(path: Path) -> str:
    """Return a path as people write it: `items[0].claimNo`; empty for the arguments themselves."""
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).removeprefix(".")
    return shown(text, _MAX_PATH)


def schema_at(schema: Any, path: Path) -> Mapping[str, Any]:
    """Return the part of a schema that a path of the arguments leads to; empty if it cannot be found."""
    node = _resolved(schema, schema)
    for step in path:
        node = _resolved(_below(node, step, schema), schema)
    return node


def _json_fault(body: bytes) -> tuple[str, str]:
    """Return the kind of fault, and the byte where it is."""
    try:
        check_text(body, max_depth=len(body) + 1)
        check_grammar(body)
    except JsonTextError as problem:
        text = str(problem)
    else:
        return "number", ""
    at = _BYTE.search(text)
    if at is not None:
        return ("utf8" if "UTF-8" in text else "byte"), at[1]
    return ("escape" if _SURROGATE in body.lower() else "truncated"), ""


def _below(node: Mapping[str, Any], step: str | int, root: Any) -> Any:
    for branch in (
        node,
        *(_resolved(part, root) for word in ("anyOf", "oneOf", "allOf") for part in node.get(word, ())),
    ):
        found = branch.get("items") if isinstance(step, int) else branch.get("properties", {}).get(step)
        if isinstance(found, Mapping):
            return found
    return {}


def _resolved(node: Any, root: Any) -> Mapping[str, Any]:
    for _ in range(10):  # a reference may lead to another one
        if not isinstance(node, Mapping) or not isinstance(node.get("$ref"), str):
            break
        target = root
        for step in unquote(node["$ref"]).removeprefix("#").split("/")[1:]:
            name = step.replace("~1", "/").replace("~0", "~")
            target = target.get(name, {}) if isinstance(target, Mapping) else {}
        node = target
    return node if isinstance(node, Mapping) else {}


def _message(fault: Fault, schema: Mapping[str, Any], language: Language) -> str:
    here = schema_at(schema, fault.path)
    kind, values = _completed(fault, here, schema, language)
    text = FAULTS[kind].said(language).format_map({name: _printed(value) for name, value in values.items()})
    examples = here.get("examples")
    if kind in _WITH_EXAMPLE and isinstance(examples, list) and examples:
        example = _json(examples[0])
        if len(example) <= _MAX_EXAMPLE:
            text = f"{text} {FAULTS['example'].said(language).format(example=example)}"
    return shown(text, _MAX_MESSAGE)


def _completed(
    fault: Fault, here: Mapping[str, Any], schema: Mapping[str, Any], language: Language
) -> tuple[str, Mapping[str, Any]]:
    """Fill in what the schema knows better than the validator."""
    if fault.kind == "unknown":
        return _unknown(str(fault.path[-1]), schema_at(schema, fault.path[:-1]))
    if fault.kind == "enum":
        values = fault.values.get("values") or here.get("enum")
        return "enum", {"values": _listed(map(_json, values)) if values else fault.values.get("text", "")}
    if fault.kind in _REQUIRED:
        return _alternatives(fault.kind, here)
    if fault.kind == "type":
        return _wrong_kind(fault, here, language)
    return fault.kind, fault.values


def _alternatives(kind: str, here: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """Say which members are the alternatives, where the forms differ in nothing but what they require."""
    keyword, said = _REQUIRED[kind]
    forms = here.get(keyword, ())
    if not forms or any(not isinstance(form, Mapping) or set(form) != {"required"} for form in forms):
        return kind, {}
    return said, {"names": _listed(" + ".join(map(_json, form["required"])) for form in forms)}


def _unknown(name: str, around: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    known = list(around.get("properties", ()))
    if not known:
        return "unknown_none", {}
    composed = normalize("NFC", name)
    if composed != name and composed in known:
        return "unknown_decomposed", {"near": _json(composed)}
    if (visible := shown(name)) != name and visible in known:
        return "unknown_invisible", {"near": _json(visible)}
    lowered = {other.lower().replace("_", ""): other for other in known}
    near = get_close_matches(name[:_MAX_PATH].lower().replace("_", ""), lowered, 1, _NEAR)
    return ("unknown_near", {"near": _json(lowered[near[0]])}) if near else ("unknown", {"known": _listed(known)})


def _wrong_kind(fault: Fault, here: Mapping[str, Any], language: Language) -> tuple[str, Mapping[str, Any]]:
    value, expected = fault.values["value"], list(fault.values["expected"])
    declared = here.get("type")
    if isinstance(declared, list) and set(expected) < set(declared):
        expected = [*expected, *(kind for kind in declared if kind not in expected)]
    said = KINDS["or"].said(language).join(KINDS[kind].said(language) for kind in expected if kind in KINDS)
    received = kind_of(value)
    if received == "number" and expected == ["integer"]:
        return "whole", {}
    if received == "string" and any(kind in _QUOTED and _QUOTED[kind](value) for kind in expected):
        return "type_quoted", {"expected": said}
    return "type", {"expected": said, "received": KINDS[received].said(language)}


def _listed(values: Iterable[str]) -> str:
    return shown(", ".join(values), _MAX_LIST)


def _printed(value: Any) -> str:
    """Return a bound or a text for a sentence: `10`, not `10.0`."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return shown(str(value), _MAX_MESSAGE)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
