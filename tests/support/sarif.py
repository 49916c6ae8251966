"""What the schema of SARIF 2.1.0 demands of the part that we write, in our own words, and what GitHub demands besides.

Objects are closed as in the standard's schema: a member that it does not know would be refused. The names are those of
docs.oasis-open.org/sarif/sarif/v2.1.0; of objects with many members only those stand here that we write.
"""

from typing import Any, Final

import jsonschema_rs


def _object(needed: tuple[str, ...] = (), **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(needed),
        "additionalProperties": False,
    }


_TEXT: Final = {"type": "string", "minLength": 1}
_MESSAGE: Final = _object(("text",), text=_TEXT)
_LEVEL: Final = {"enum": ["none", "note", "warning", "error"]}
_ONE: Final = {"type": "integer", "minimum": 1}
_BAG: Final = {"type": "object"}
_LOCATION: Final = _object(
    ("uri",),
    uri={"type": "string", "pattern": r"^[A-Za-z0-9._~!$&'()*+,;=@%/-]+$", "not": {"pattern": r"^/|(^|/)\.\.(/|$)"}},
    uriBaseId=_TEXT,
)
_REGION: Final = _object(("startLine",), startLine=_ONE, startColumn=_ONE, endLine=_ONE, endColumn=_ONE)
_RULE: Final = _object(
    ("id", "shortDescription", "fullDescription", "help"),
    id=_TEXT,
    shortDescription=_MESSAGE,
    fullDescription=_MESSAGE,
    help=_MESSAGE,
    defaultConfiguration=_object(level=_LEVEL),
    properties=_BAG,
)
_RESULT: Final = _object(
    ("message", "ruleId", "locations", "partialFingerprints"),
    ruleId=_TEXT,
    ruleIndex={"type": "integer", "minimum": 0},
    level=_LEVEL,
    message=_MESSAGE,
    locations={
        "type": "array",
        "minItems": 1,
        "items": _object(
            ("physicalLocation",),
            physicalLocation=_object(("artifactLocation", "region"), artifactLocation=_LOCATION, region=_REGION),
        ),
    },
    partialFingerprints={"type": "object", "minProperties": 1, "additionalProperties": {"type": "string"}},
    suppressions={
        "type": "array",
        "uniqueItems": True,
        "items": _object(("kind",), kind={"enum": ["inSource", "external"]}, justification=_TEXT),
    },
    properties=_BAG,
)
_FAULT: Final = _object(("message",), level=_LEVEL, message=_MESSAGE, associatedRule=_object(id=_TEXT))
_RUN: Final = _object(
    ("tool", "results"),
    tool=_object(
        ("driver",),
        driver=_object(
            ("name", "rules"), name=_TEXT, version=_TEXT, rules={"type": "array", "uniqueItems": True, "items": _RULE}
        ),
    ),
    language={"type": "string", "pattern": "^[a-zA-Z]{2}(-[a-zA-Z]{2})?$"},
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
    originalUriBaseIds={
        "type": "object",
        "additionalProperties": _object(("uri",), uri={"type": "string", "pattern": "^file:///.*/$"}),
    },
    invocations={
        "type": "array",
        "items": _object(
            ("executionSuccessful",),
            executionSuccessful={"type": "boolean"},
            toolExecutionNotifications={"type": "array", "items": _FAULT},
        ),
    },
    results={"type": "array", "items": _RESULT},
)
SCHEMA: Final[dict[str, Any]] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    **_object(
        ("version", "runs"),
        **{
            "$schema": {"type": "string", "format": "uri"},
            "version": {"const": "2.1.0"},
            "runs": {"type": "array", "minItems": 1, "items": _RUN},
        },
    ),
}


def faults(document: Any) -> list[str]:
    """Return what is wrong with a SARIF log, and whether a result names a rule that is not the one at its index."""
    found = [
        f"{error.instance_path}: {error.message}" for error in jsonschema_rs.validator_for(SCHEMA).iter_errors(document)
    ]
    for run in document["runs"] if not found else ():
        rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
        found += [
            f"{one['ruleId']} is not rule {one['ruleIndex']}"
            for one in run["results"]
            if rules[one["ruleIndex"]] != one["ruleId"]
        ]
        bases = {
            one["physicalLocation"]["artifactLocation"]["uriBaseId"] for r in run["results"] for one in r["locations"]
        }
        found += [f"no base {base}" for base in bases - run.get("originalUriBaseIds", {}).keys()]
    return found
