"""What the toolkit renders, a gateway with default limits adopts: over generated services (rule/TK805, toolkit/T7)."""

import json
from datetime import date
from decimal import Decimal
from typing import Annotated, Any, Literal, Optional, Union

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, create_model

from axhub.contract.endpoints import EndpointPolicy, parse_url
from axhub.contract.manifest import Manifest, ManifestPolicy, check_manifest, run
from axhub.contract.schema_walk import walk
from axhub.contract.text import check_text_field
from axhub.toolkit.models import Desc, Input, Output
from axhub.toolkit.published.manifest import Entry, endpoint_of, render_manifest
from axhub.toolkit.published.schemas import input_schema, output_schema
from axhub.toolkit.published.texts import compose
from axhub.toolkit.published.tool import Texts
from axhub.toolkit.published.validation import SchemaValidator

ORIGIN = parse_url("http://tools:8081")
NAMESPACES = st.sampled_from(["", "processing_", "processing.", "p/"])
WORDS = st.text("abcdefghijklmnopqrstuvwxyz0123456789_", min_size=2, max_size=20)
NAMES = st.builds("".join, st.tuples(st.sampled_from("abcxyz"), WORDS))
LETTERS = st.characters(codec="utf-8", categories=("Lu", "Ll", "Lo", "Nd", "Po", "So"))
LINES = st.text(LETTERS, min_size=1, max_size=60).filter(
    lambda text: bool(text.strip()) and check_text_field(text, multiline=True) is None
)
"""Texts that pass the gate: a filler that stands alone is a finding of TK805."""
PARTS = st.lists(st.builds("\n  ".join, st.lists(LINES, min_size=1, max_size=3)), min_size=4, max_size=4)
FIELD_NAMES = st.builds("".join, st.tuples(st.sampled_from("abcdefg"), st.text("abc_xyz09", max_size=8))).filter(
    lambda name: not name.endswith("_") and name != "copy"
)
SCALARS = st.sampled_from([str, int, bool, date, Decimal, Literal["A", "B"], Literal[1], float])


def notes(annotation: Any) -> st.SearchStrategy[Any]:
    return LINES.map(lambda text: Annotated[annotation, Desc(text)])


@st.composite
def models(draw: st.DrawFn, base: type[BaseModel], depth: int = 0) -> type[BaseModel]:
    """A model of random fields, with models inside it."""
    fields: dict[str, Any] = {}
    for name in draw(st.lists(FIELD_NAMES, max_size=4, unique_by=lambda name: name.replace("_", "").lower())):
        annotation = draw(annotations(base, depth))
        fields[name] = (
            (draw(notes(annotation)), None)
            if draw(st.booleans()) and _nullable(annotation)
            else draw(notes(annotation))
        )
    model: type[BaseModel] = create_model(f"Model{draw(st.integers(0, 10**9))}", __base__=base, **fields)
    return model


def _nullable(annotation: Any) -> bool:
    return type(None) in getattr(annotation, "__args__", ())


@st.composite
def annotations(draw: st.DrawFn, base: type[BaseModel], depth: int) -> Any:
    one = draw(models(base, depth + 1)) if depth < 2 and draw(st.booleans()) else draw(SCALARS)
    if draw(st.booleans()):
        one = list[one]  # type: ignore[valid-type]  # made at run time
    shape = draw(st.sampled_from(["plain", "nullable", "union"]))
    return {"plain": one, "nullable": Optional[one], "union": Union[one, int, None]}[shape]  # noqa: UP007, UP045 - as above


@st.composite
def entries(draw: st.DrawFn, namespace: str) -> Entry:
    parts = draw(PARTS)
    texts = Texts(
        compose([draw(LINES)]), compose(parts), "1.0.0", draw(st.booleans()), draw(st.booleans()), draw(st.booleans())
    )
    shown = output_schema(draw(models(Output))) if draw(st.booleans()) else None
    request = draw(st.none() | models(Input))
    return Entry(
        namespace + draw(NAMES), texts, input_schema(request), shown, draw(st.integers(1, 60_000)), draw(st.booleans())
    )


@st.composite
def services(draw: st.DrawFn) -> tuple[str, list[Entry]]:
    namespace = draw(NAMESPACES)
    return namespace, draw(st.lists(entries(namespace), max_size=4, unique_by=lambda entry: entry.name))


@pytest.mark.req("rule/TK805", "toolkit/S1", "toolkit/T7")
@settings(max_examples=40, deadline=None)
@given(services())
def test_every_generated_service_is_adopted(service: tuple[str, list[Entry]]) -> None:
    namespace, tools = service
    policy = EndpointPolicy(ORIGIN, None, frozenset({ORIGIN.origin}), any_origin=False)
    manifest = render_manifest("generated", tools)
    result = run(check_manifest(manifest.body, ManifestPolicy("generated", namespace, policy)))
    assert isinstance(result, Manifest), result
    assert result.revision == manifest.revision
    assert [(tool.name, tool.enabled, str(tool.endpoint)) for tool in result.tools] == [
        (entry.name, entry.enabled, f"http://tools:8081{endpoint_of(entry.name)}")
        for entry in sorted(tools, key=lambda entry: entry.name)
    ]
    assert render_manifest("generated", reversed(tools)) == manifest


@pytest.mark.req("toolkit/T7")
@settings(max_examples=40, deadline=None)
@given(models(Output), st.data())
def test_a_rendered_schema_has_none_of_what_models_misread_and_accepts_what_the_model_writes(
    model: type[BaseModel], data: st.DataObject
) -> None:
    schema = output_schema(model)
    for place in (place for place in walk(schema) if isinstance(place.schema, dict)):
        assert not {"$ref", "title", "const", "oneOf", "allOf", "discriminator"} & place.schema.keys()
        assert "properties" not in place.schema or place.schema["additionalProperties"] is False
    value = data.draw(st.builds(model) if not model.model_fields else instances(model))
    written = json.loads(value.model_dump_json(by_alias=True))
    assert SchemaValidator(schema).faults(written) == []


def instances(model: type[BaseModel]) -> st.SearchStrategy[Any]:
    """Values of a model."""
    return st.fixed_dictionaries({name: values(info.annotation) for name, info in model.model_fields.items()}).map(
        lambda fields: model(**fields)
    )


def values(annotation: Any) -> st.SearchStrategy[Any]:
    arguments: tuple[Any, ...] = getattr(annotation, "__args__", ())
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return instances(annotation)
    if type(None) in arguments:
        return st.one_of([st.none() if one is type(None) else values(one) for one in arguments])
    if getattr(annotation, "__origin__", None) is list:
        return st.lists(values(arguments[0]), max_size=2)
    if annotation is Decimal:
        return st.decimals(allow_nan=False, allow_infinity=False)
    if annotation is float:
        return st.floats(allow_nan=False, allow_infinity=False)
    return st.from_type(annotation)
