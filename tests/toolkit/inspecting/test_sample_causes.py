"""Why a trial ends: keys that the author wrote, variables that nobody set, and names that two tools have."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from axhub.toolkit.check.inspection import run_inspection
from axhub.toolkit.inspecting.document import inspect_with_samples
from support import sampled
from support.sampled import SECRET, TOOL, TOOLS, define, inspected, line_of, put, runs
from support.tool_packages import ToolPackage, definition_text

pytestmark = pytest.mark.req("rule/TK503")
VARIABLE = "AXHUB_TEST_REGION_MODE"
LABELS = 'LABELS = {"OPEN": "a"}\n\nSTATES = {"1": "OPENED", '


@pytest.fixture
def package(tmp_path: Path) -> Iterator[ToolPackage]:
    with sampled.sampled_package(tmp_path) as made:
        yield made


def _before_the_answer(package: ToolPackage, statement: str) -> str:
    package.declare(
        f"import os\n{TOOLS}".replace("        if answer.stCd", f"        {statement}\n        if answer.stCd")
    )
    return put(package, "http-claim", {"stCd": "1"})


def test_a_key_that_the_author_wrote_is_named_and_one_out_of_the_sample_is_not(package: ToolPackage) -> None:
    text = TOOLS.replace('STATES = {"1": "OPEN", ', LABELS).replace("STATES[answer", "LABELS[STATES[answer")
    package.declare(text.replace("answer.stCd])", "answer.stCd]])"))
    written, given = put(package, "http-claim", {"stCd": "1"}), put(package, "http-claim-2", {"stCd": SECRET})
    line = line_of(package, "LABELS[STATES")
    assert runs(package) == {written: f'KeyError "OPENED" at {line}', given: f"KeyError at {line}"}


@pytest.mark.parametrize("statement", ['{}["a\\nb"]', '{}["a" * 3]', "{}[30]", "{}['a\"b']", '{}[""]'])
def test_a_key_that_cannot_be_shown_stays_out(package: ToolPackage, statement: str) -> None:
    path = _before_the_answer(package, statement)
    assert runs(package) == {path: f"KeyError at {line_of(package, statement)}"}


NULLS = {
    "a text": ("why: Annotated[str, Desc('이유')]", "answer.why", "/why null"),
    "a code": ("why: Annotated[Literal['A', 'B'], Desc('이유')]", "answer.why", "/why null"),
    "an item": ("why: Annotated[list[str], Desc('이유')]", "[answer.why]", "/why/0 null"),
    "a text where a number is needed": ("why: Annotated[int, Desc('이유')]", "answer.stCd", "/why int_type"),
    "a field that may be null": ("why: Annotated[str | None, Desc('이유')]", "answer.why", None),
}


@pytest.mark.parametrize(("declared", "given", "kind"), NULLS.values(), ids=NULLS)
def test_a_null_that_a_field_does_not_allow_is_told_as_null(
    package: ToolPackage, declared: str, given: str, kind: str | None
) -> None:
    text = TOOLS.replace("    nextKey: str", "    why: str | None = None\n    nextKey: str", 1)
    text = text.replace('Desc("상태")]', f'Desc("상태")]\n    {declared}', 1)
    package.declare(text.replace("status=STATES[answer.stCd]", f'status="OPEN", why={given}'))
    path = put(package, "http-claim", {"stCd": "1"})
    line = line_of(package, "return Found")
    assert runs(package) == {path: None if kind is None else f"Found cannot be made: {kind} at {line}"}


def test_a_null_in_a_sample_that_its_body_does_not_allow_is_told_as_null(package: ToolPackage) -> None:
    path = put(package, "http-claim", {"stCd": None})
    assert runs(package) == {path: "the answer is no Claim: /stCd null"}


def test_a_variable_that_is_not_set_is_named_by_its_literal(package: ToolPackage) -> None:
    statement = f'os.environ["{VARIABLE}"]'
    path = _before_the_answer(package, statement)
    assert runs(package) == {path: f"the environment variable {VARIABLE} is not set at {line_of(package, statement)}"}
    statement = "os.environ[f'X{answer.stCd}']"
    path = _before_the_answer(package, statement)
    assert runs(package) == {path: f"KeyError at {line_of(package, statement)}"}


@pytest.mark.parametrize("statement", [f'int(os.environ["{VARIABLE}"])', f'{{}}[os.environ["{VARIABLE}"]]'])
def test_a_listed_variable_has_a_text_while_samples_are_tried_that_nothing_is_blamed_for(
    package: ToolPackage, statement: str
) -> None:
    path = _before_the_answer(package, statement)
    define(package, required_env_keys=[VARIABLE, 1])
    assert runs(package) == ({path: None} if statement.startswith("int") else {})
    assert VARIABLE not in os.environ


def test_what_is_no_name_of_a_variable_is_never_set(package: ToolPackage) -> None:
    statement = 'os.environ["A=B"]'
    path = _before_the_answer(package, statement)
    define(package, required_env_keys=["A=B"])
    assert runs(package) == {path: f"the environment variable A=B is not set at {line_of(package, statement)}"}


def test_what_the_sample_lacks_is_told_though_a_variable_has_a_text(package: ToolPackage) -> None:
    first = "        answer = await"
    package.declare(f"import os\n{TOOLS}".replace(first, f'        os.environ["{VARIABLE}"]\n{first}', 1))
    define(package, required_env_keys=[VARIABLE])
    path = put(package, "http-claim", {})
    assert runs(package) == {path: "the answer is no Claim: /stCd missing"}


def test_a_listed_variable_that_is_only_looked_for_is_not_set(package: ToolPackage) -> None:
    path = _before_the_answer(package, f'{{"wide": 1}}[os.environ.get("{VARIABLE}", "wide")]')
    define(package, required_env_keys=[VARIABLE])
    assert runs(package) == {path: None}


SECOND = f"""
class Other(Input):
    branch_no: Annotated[str, Desc("Branch number")]

@tool(name="{TOOL}", title="B", description="b.", category_key="smp")
async def other(request: Other, client: Client) -> Found:
    return Found(status="OPEN")
"""
ANSWERLESS = f"""
@tool(name="{TOOL}", title="B", description="b.", category_key="smp")
async def other(client: Client) -> dict[str, str]:
    return {{}}
"""


@pytest.mark.req("rule/TK107")
@pytest.mark.parametrize("second", [SECOND, ANSWERLESS])
@pytest.mark.parametrize("examples", [None, {"valid": [{"branchNo": "1"}]}, {"invalid": [{}]}, 1])
def test_of_two_tools_with_one_name_the_first_is_inspected(package: ToolPackage, second: str, examples: object) -> None:
    package.declare(TOOLS + second)
    if examples is not None:
        package.write(f"tool_definitions/smp/{TOOL}.yml", definition_text(examples=examples))
    path = put(package, "http-claim", {"stCd": "1"})
    tool = inspected(package)
    assert (tool.examples, tool.sample_runs, tool.untried) == ({"valid/0": None}, {path: None}, "")
    assert run_inspection(package.root, package.name, 30).problem is None


@pytest.mark.req("rule/TK107")
def test_the_first_counts_where_it_is_the_one_without_a_definition(package: ToolPackage) -> None:
    package.declare(TOOLS.replace('"cmm")', '"ins")') + SECOND.replace("smp", "cmm"))
    put(package, "http-claim", {"stCd": "1"})
    found = inspect_with_samples(package.root, package.name).imported
    assert found is not None
    assert (found[TOOL].examples, found[TOOL].sample_runs, found[TOOL].untried) == ({}, {}, "unknown")


@pytest.mark.parametrize(
    ("hint", "definition", "untried"),
    [("", {}, "hintless"), (', category_key="cmm"', {"read_only": "?"}, "unknown"), (', category_key="cmm"', {}, "")],
)
def test_a_missing_hint_is_told_apart_from_a_definition_that_does_not_say_whether_a_tool_writes(
    package: ToolPackage, hint: str, definition: dict[str, object], untried: str
) -> None:
    package.declare(TOOLS.replace(', category_key="cmm"', hint))
    define(package, **definition)
    put(package, "http-claim", {"stCd": "1"})
    assert inspected(package).untried == untried
