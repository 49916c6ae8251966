"""Tools with their definitions, resources and settings (toolkit/T8, decision/D12)."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from axhub.toolkit.facts.service import Kind
from axhub.toolkit.published.discovery import find_tools
from axhub.toolkit.published.manifest import entry_of
from axhub.toolkit.published.publish import Options, Published, publish
from axhub.toolkit.published.tool import PublishedTool, Repeat, Texts
from axhub.toolkit.rules.telling.unusable import text_of
from support.tool_packages import DEFINITION, ToolPackage, definition_text

pytestmark = pytest.mark.req("toolkit/T8")

YAML = "tool_definitions/cmm/cmm_claim_search.yml"
MODEL = {
    "type": "object",
    "properties": {"claimNo": {"type": "string", "description": "Claim number"}},
    "required": ["claimNo"],
    "additionalProperties": False,
}
ANSWER = {
    "type": "object",
    "properties": {"status": {"type": "string", "description": "Status"}},
    "required": ["status"],
    "additionalProperties": False,
}


@pytest.fixture
def package(tmp_path: Path) -> Iterator[ToolPackage]:
    with ToolPackage(tmp_path) as package:
        yield package


def declare(package: ToolPackage, hint: str = "", mark: str = "") -> None:
    package.declare(f"""
        {mark}
        class Reply(Output):
            status: Annotated[str, Desc("Status")]

        @tool(name="cmm_claim_search", title="보험금 청구 상태 조회", description="Looks up a claim.")
        @tool_hint(category_key="cmm", {hint})
        async def claim_search(request: Request) -> Reply: ...
    """)


def published(package: ToolPackage, options: Options = Options()) -> Published:  # noqa: B008 - it is frozen
    found = find_tools(package.name, package.root)
    assert found.problems == ()
    return publish(found.tools, package.folder, package.root, options)


def only(result: Published) -> PublishedTool:
    assert result.problems == ()
    (tool,) = result.tools
    return tool


def said(result: Published, package: ToolPackage) -> list[str]:
    assert result.tools == ()
    return [
        f"{one.place}: {'; '.join(text_of(one))}".replace(package.name, "PACKAGE").partition("src/PACKAGE/")[2]
        for one in result.problems
    ]


def test_a_definition_becomes_texts_hints_and_settings(package: ToolPackage) -> None:
    declare(package)
    package.write(YAML, definition_text(required_env_keys=["CLAIM_KEY"]))
    tool = only(published(package, Options("processing_", timeouts_millis={"cmm_claim_search": 2000})))
    assert tool.texts == Texts(
        title="보험금 청구 상태 조회",
        description="청구 상태와 심사 결과를 조회한다.\n기존 청구 건의 진행 상태를 확인할 때 사용한다.\n"
        "신규 청구 접수에는 사용하지 않는다.\n청구번호가 필요하다.",
        version="1.0.0",
        read_only=True,
        destructive=False,
        idempotent=True,
        open_world=False,
    )
    assert (tool.name, tool.published_name) == ("cmm_claim_search", "processing_cmm_claim_search")
    assert (tool.timeout_millis, tool.enabled, tool.register) == (2000, True, True)
    assert (tool.repeat, tool.required_env_keys) == (None, ("CLAIM_KEY",))
    assert (tool.input_schema, tool.input_kind, tool.input_validator) == (MODEL, Kind.MODEL, None)
    assert (tool.output_schema, tool.output_kind, tool.output_validator) == (None, Kind.NONE, None)


def test_a_part_that_is_written_over_several_lines_is_one_line(package: ToolPackage) -> None:
    declare(package)
    parts = {**DEFINITION["description"], "function": "청구 상태와\n  심사 결과를\n조회한다.\n"}
    package.write(YAML, definition_text(description=parts, open_world=True))
    texts = only(published(package)).texts
    assert texts.description.splitlines()[0] == "청구 상태와 심사 결과를 조회한다."
    assert texts.open_world


@pytest.mark.req("decision/D7")
def test_a_disabled_tool_is_published_as_such(package: ToolPackage) -> None:
    declare(package, "register=False")
    package.write(YAML, definition_text())
    tool = only(published(package, Options(disabled=frozenset({"cmm_claim_search"}))))
    assert (tool.enabled, tool.register, tool.timeout_millis) == (False, False, 10_000)


@pytest.mark.parametrize(
    ("written", "repeat"),
    [
        ({"key": ["claimNo", "date"]}, Repeat(key=("claimNo", "date"))),
        ({"legacy": " the bus refuses a second one "}, Repeat(legacy="the bus refuses a second one")),
        ({"key": []}, None),
        ({"key": [1]}, None),
        ({"legacy": " "}, None),
        ("legacy", None),
        (None, None),
    ],
)
def test_repeat_is_read(package: ToolPackage, written: Any, repeat: Repeat | None) -> None:
    declare(package)
    package.write(YAML, definition_text(repeat=written, read_only=False))
    assert only(published(package)).repeat == repeat


@pytest.mark.req("decision/D12")
def test_a_resource_comes_before_the_model(package: ToolPackage) -> None:
    declare(
        package,
        'input_schema_resource="classpath:tool-schemas/cmm/claim-input-schema.json",'
        'output_schema_resource="tool_schemas/cmm/claim-output-schema.json"',
        "@output_schema",
    )
    package.write(YAML, definition_text())
    narrow = {**MODEL, "title": "Claim", "properties": {"claimNo": {"type": "string", "pattern": "^CLM[0-9]+$"}}}
    package.write("tool_schemas/cmm/claim-input-schema.json", json.dumps(narrow))
    package.write("tool_schemas/cmm/claim-output-schema.json", json.dumps({"type": "object"}))
    tool = only(published(package))
    del narrow["title"]
    assert (tool.input_schema, tool.input_kind) == (narrow, Kind.RESOURCE)
    assert (tool.output_schema, tool.output_kind) == ({"type": "object"}, Kind.RESOURCE)
    assert tool.input_validator is not None
    assert [tool.input_validator.accepts({"claimNo": no}) for no in ("CLM1", "x")] == [True, False]


@pytest.mark.req("decision/D6")
def test_a_marked_model_is_validated_and_published_only_when_the_service_says_so(package: ToolPackage) -> None:
    declare(package, mark="@output_schema")
    package.write(YAML, definition_text())
    tool = only(published(package))
    assert (tool.output_schema, tool.output_kind) == (ANSWER, Kind.MODEL)
    assert tool.output_validator is not None
    assert [tool.output_validator.accepts(value) for value in ({"status": "x"}, {})] == [True, False]
    assert entry_of(tool, publish_output_schema=False).output_schema is None
    assert entry_of(tool, publish_output_schema=True).output_schema == ANSWER


PROBLEMS: dict[str, tuple[Any, list[str]]] = {
    "no definition": (
        None,
        [
            (
                "biz/cmm/usecase.py:19:1: the tool cmm_claim_search has no definition; "
                "write src/PACKAGE/tool_definitions/cmm/cmm_claim_search.yml"
            )
        ],
    ),
    "no YAML": (
        "name: [",
        [
            (
                f"{YAML}:1:8: the definition cannot be read: text that is not YAML: expected the node content, but "
                "found '<stream end>'; needed: valid YAML; mend the file"
            )
        ],
    ),
    "wrong values": (
        "description: {function: a, when_to_use: '', io_limits: c}\nversion: 1.1\nread_only: yes\nopen_world: 1\n",
        [
            f"{YAML}:1:1: the definition's display_name is missing or no text; write display_name as text",
            f"{YAML}:2:10: the definition's version is missing or no text; write version as text",
            (
                f"{YAML}:1:41: the definition's description.when_to_use is missing or no text; "
                "write description.when_to_use as text"
            ),
            (
                f"{YAML}:1:14: the definition's description.when_not_to_use is missing or no text; "
                "write description.when_not_to_use as text"
            ),
            f"{YAML}:3:12: the definition's read_only is missing or no true/false; write read_only as true/false",
            f"{YAML}:1:1: the definition's destructive is missing or no true/false; write destructive as true/false",
            f"{YAML}:1:1: the definition's idempotent is missing or no true/false; write idempotent as true/false",
            f"{YAML}:4:13: the definition's open_world is missing or no true/false; write open_world as true/false",
        ],
    ),
    "a long description": (
        definition_text(description=dict.fromkeys(DEFINITION["description"], "가" * 256)),
        [
            (
                f"{YAML}:6:18: the four parts of the description have 1027 characters together, more than 1024; "
                "shorten them by 3"
            )
        ],
    ),
}


@pytest.mark.parametrize(("text", "expected"), PROBLEMS.values(), ids=PROBLEMS)
def test_a_definition_that_cannot_be_published_is_told_whole(
    package: ToolPackage, text: str | None, expected: list[str]
) -> None:
    declare(package)
    if text is not None:
        package.write(YAML, text)
    assert said(published(package), package) == expected


def test_a_resource_that_cannot_be_used_is_told_and_the_models_schema_is_not_put_in_its_place(
    package: ToolPackage,
) -> None:
    declare(package, 'input_schema_resource="tool_schemas/a.json", output_schema_resource="tool_schemas/b.json"')
    package.write(YAML, definition_text())
    package.write("tool_schemas/a.json", '{"pattern": "^(?=a)$"}')
    package.write("tool_schemas/b.json", '{"type": 5}')
    first, second = said(published(package), package)
    assert first == (
        "tool_schemas/a.json:1:1: the schema resource src/PACKAGE/tool_schemas/a.json cannot be used: "
        '"^(?=a)$" is no pattern that can be matched in linear time (no look-around, no back references); '
        "mend the file, or leave input_schema_resource out to publish the model's schema"
    )
    assert second.startswith(
        "tool_schemas/b.json:1:10: the schema resource src/PACKAGE/tool_schemas/b.json cannot be used: "
    )
    assert second.endswith("; mend the file, or leave output_schema_resource out to publish the model's schema")


def test_a_model_without_schema_is_told(package: ToolPackage) -> None:
    package.declare("""
        from collections.abc import Callable

        class Odd(Input):
            call: Annotated[Callable[[], int], Desc("x")]

        @tool(name="cmm_claim_search", title="A", description="a.", category_key="cmm")
        async def a(request: Odd) -> Response: ...
    """)
    package.write(YAML, definition_text())
    (problem,) = said(published(package), package)
    assert problem.startswith(
        "biz/cmm/usecase.py:19:1: no JSON Schema can be made of a model: Odd: Cannot generate a JsonSchema"
    )
