"""Request models that a few hundred bytes could hold up a service with are refused (rule/TK409)."""

import json
import time
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field, ValidationError

from axhub.toolkit import Desc, Input, ToolService
from axhub.toolkit.published.schemas import GrowingUnion, growing_unions
from axhub.toolkit.service.options import StartError
from support.tool_packages import ToolPackage, definition_text

pytestmark = pytest.mark.req("rule/TK409")


class AllOf(Input):
    of: Annotated["list[AllOf | AnyOf | Leaf]", Desc("of")]


class AnyOf(Input):
    of: Annotated["list[AllOf | AnyOf | Leaf]", Desc("of")]


class Leaf(Input):
    a: Annotated[int, Desc("a")]


class Plain(Input):
    where: Annotated[AllOf | AnyOf | Leaf, Desc("where")]


class TaggedAll(Input):
    op: Annotated[Literal["all"], Desc("op")]
    of: Annotated["list[Tagged]", Desc("of")]


class TaggedAny(Input):
    op: Annotated[Literal["any"], Desc("op")]
    of: Annotated["list[Tagged]", Desc("of")]


class TaggedLeaf(Input):
    op: Annotated[Literal["leaf"], Desc("op")]
    a: Annotated[int, Desc("a")]


Tagged = Annotated[TaggedAll | TaggedAny | TaggedLeaf, Field(discriminator="op")]


class WithTags(Input):
    where: Annotated[Tagged, Desc("where")]


class Node(Input):
    children: Annotated["list[Node | int] | None", Desc("children")] = None
    next: Annotated["Node | None", Desc("next")] = None


class NamedAll(Input):
    all_of: Annotated["list[NamedAll | NamedAny | Leaf]", Desc("all")]


class NamedAny(Input):
    any_of: Annotated["list[NamedAll | NamedAny | Leaf]", Desc("any")]


class Tree(Input):
    value: Annotated["dict[str, Tree] | list[Tree] | int", Desc("value")]


for model in (AllOf, AnyOf, Plain, TaggedAll, TaggedAny, WithTags, Node, NamedAll, NamedAny, Tree):
    model.model_rebuild()


def test_a_union_that_is_inside_itself_without_a_discriminator_is_found_once() -> None:
    assert growing_unions(Plain) == [GrowingUnion("AllOf", "of", ("AllOf", "AnyOf", "Leaf"))]
    assert growing_unions(AnyOf) == [GrowingUnion("AllOf", "of", ("AllOf", "AnyOf", "Leaf"))]


@pytest.mark.parametrize(
    ("model", "leaf", "around"),
    [
        (WithTags, {"op": "leaf", "a": "x"}, lambda inner: {"op": "any", "of": [inner]}),
        (Node, "x", lambda inner: {"children": [inner]}),
        (NamedAll, {"a": "x"}, lambda inner: {"allOf": [inner]}),
        (Tree, "x", lambda inner: {"value": [inner]}),
        (Leaf, "x", lambda inner: {"a": inner}),
    ],
)
def test_other_recursion_is_accepted_and_is_read_at_once(model: type[BaseModel], leaf: Any, around: Any) -> None:
    assert growing_unions(model) == []
    value = leaf
    for _ in range(60):
        value = around(value)
    value = {"where": value} if model is WithTags else value
    began = time.thread_time()
    with pytest.raises(ValidationError):
        model.model_validate_json(json.dumps(value))
    assert time.thread_time() - began < 1


def test_a_service_with_one_does_not_start(tmp_path: Path) -> None:
    with ToolPackage(tmp_path) as package:
        package.write("config/service.yaml", "mcp:\n  bundleId: claims\n")
        package.write("tool_definitions/cmm/cmm_claim_search.yml", definition_text())
        package.declare(
            """
            class AllOf(Input):
                of: Annotated["list[AllOf | AnyOf]", Desc("of")]

            class AnyOf(Input):
                of: Annotated["list[AllOf | AnyOf]", Desc("of")]

            @tool(name="cmm_claim_search", title="조회", description="조회합니다.", category_key="cmm")
            async def search(request: AllOf) -> Response: ...
            """
        )
        app = ToolService(package.name, profile="local")
        app.configure(environ={})
        with pytest.raises(StartError) as caught:
            app.prepare()
        (problem,) = caught.value.problems
    assert problem.replace(package.name, "PACKAGE") == (
        "PACKAGE/biz/cmm/usecase.py:20:1: the field of of AllOf is a union inside itself, AllOf | AnyOf, and nothing "
        "says which branch a value is: reading takes twice as long with every level, so that a few hundred bytes hold "
        'up the service; give each branch a field such as `kind: Literal["…"]`, and write Annotated[AllOf | AnyOf, '
        'Field(discriminator="kind")]'
    )
