"""A package imported in a process of its own (rule/TK002): what is known of its tools afterwards."""

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from axhub.toolkit.check.inspection import InspectionResult, run_inspection
from axhub.toolkit.facts.service import Field, Imported, Kind, Located, Place, Shape
from support.tool_packages import HEAD, ToolPackage, definition_text

pytestmark = pytest.mark.req("rule/TK002")
HEAD_LINES = HEAD.count("\n")
PATH = "biz/cmm/usecase.py"


@pytest.fixture
def package(tmp_path: Path) -> ToolPackage:
    return ToolPackage(tmp_path)


def inspect(package: ToolPackage, seconds: float = 30) -> InspectionResult:
    return run_inspection(package.root, package.name, seconds)


def imported(package: ToolPackage) -> Mapping[str, Imported]:
    result = inspect(package)
    assert (result.problem, result.unusable) == (None, ())
    assert result.imported is not None
    return result.imported


MODELS = """
from datetime import date
from decimal import Decimal
from enum import Enum
from typing import Any

class Colour(Enum):
    RED = "red"

class Base(Input):
    page: Annotated[int, Desc("쪽", ge=1)] = 1

class Search(Base):
    claim_no: Annotated[str, Desc("청구번호", pattern="^CLM[0-9]+$")]
    kind: Annotated[Literal["A", "B"] | None, Desc("종류, 없으면 null")] = None
    since: Annotated[date | None, Desc("없으면 null")]
    exact: Annotated[bool, Desc("정확히")] = False
    colour: Annotated[Colour, Desc("색")]

class Row(Output):
    status: Annotated[str, Desc("상태")]
    amount: Annotated[Decimal, Desc("금액")]

class Found(Output):
    class Owner(Output):
        name: Annotated[str, masked("본인 확인"), Desc("이름")]

    rows: Annotated[list[Row], Desc("접수일 내림차순")]
    owner: Annotated[Owner | None, Desc("없으면 null")]
    codes: Annotated[list[Literal["x"]], Desc("코드순")]

@tool(name="cmm_claim_search", title="A", description="a.", category_key="cmm")
async def search(request: Search) -> Found: ...
"""


class Written:
    """Builds the facts about fields of models that are written to a package."""

    def __init__(self, package: ToolPackage, models: str) -> None:
        self.package = package.name
        self.lines = package.declare(models).read_text().splitlines()

    def __call__(self, pointer: str, model: str, text: str, shape: Shape, **more: Any) -> Field:
        line = next(at for at, line in enumerate(self.lines, 1) if line.strip().startswith(text))
        column = len(self.lines[line - 1]) - len(self.lines[line - 1].lstrip()) + 1
        place = Place(f"src/{self.package}/{PATH}", line, column)
        name = pointer.rpartition("/")[2]
        named: dict[str, Any] = {"name": name, "python_name": text.partition(":")[0], **more}
        module = f"{self.package}.biz.cmm.usecase"
        return Field(pointer=pointer, model=f"{module}.{model}", place=place, shape=shape, **named)


@pytest.mark.req("toolkit/T2")
def test_the_fields_of_the_models_are_known_with_their_lines(package: ToolPackage) -> None:
    field = Written(package, MODELS)
    tool = imported(package)["cmm_claim_search"]
    module = f"{package.name}.biz.cmm.usecase"
    assert (tool.request, tool.response) == (f"{module}.Search", f"{module}.Found")
    assert tool.inputs == (
        field("/page", "Search", "page:", Shape.NUMBER, description="쪽", required=False),
        field(
            "/claimNo",
            "Search",
            'claim_no: Annotated[str, Desc("청',
            Shape.TEXT,
            description="청구번호",
            pattern="^CLM[0-9]+$",
        ),
        field(
            "/kind",
            "Search",
            "kind:",
            Shape.CODE,
            description="종류, 없으면 null",
            nullable=True,
            required=False,
            default_null=True,
            codes=("A", "B"),
        ),
        field("/since", "Search", "since:", Shape.TEXT, description="없으면 null", nullable=True),
        field("/exact", "Search", "exact:", Shape.SWITCH, description="정확히", required=False),
        field("/colour", "Search", "colour:", Shape.CODE, description="색", codes=("red",)),
    )
    assert tool.outputs == (
        field("/rows", "Found", "rows:", Shape.LIST, item=Shape.OBJECT, description="접수일 내림차순"),
        field("/rows/*/status", "Row", 'status: Annotated[str, Desc("상', Shape.TEXT, description="상태"),
        field("/rows/*/amount", "Row", "amount:", Shape.NUMBER, description="금액"),
        field("/owner", "Found", "owner:", Shape.OBJECT, description="없으면 null", nullable=True),
        field("/owner/name", "Found.Owner", "name:", Shape.TEXT, description="이름", masked="본인 확인"),
        field("/codes", "Found", "codes:", Shape.LIST, item=Shape.CODE, description="코드순"),
    )
    assert tool.leaks == ()


@pytest.mark.req("decision/D12")
def test_the_schemas_and_their_sources_are_known(package: ToolPackage) -> None:
    package.declare("""
        @tool(name="cmm_a", title="A", description="a.", input_schema_resource="tool_schemas/a.json")
        async def a(request: Request) -> Response: ...

        @output_schema
        class Marked(Output): ...

        @tool(name="cmm_b", title="B", description="b.", category_key="cmm")
        async def b() -> Marked: ...
    """)
    package.write("tool_schemas/a.json", '{"type": "object", "title": "A"}')
    found = imported(package)
    model = {
        "type": "object",
        "properties": {"claimNo": {"type": "string", "description": "Claim number"}},
        "required": ["claimNo"],
        "additionalProperties": False,
    }
    empty = {"type": "object", "properties": {}, "additionalProperties": False}
    assert list(found) == ["cmm_a", "cmm_b"]
    one, two = found.values()
    assert (one.input_schema, one.input_kind, one.model_schema) == ({"type": "object"}, Kind.RESOURCE, model)
    assert (one.output_schema, one.output_kind) == (None, Kind.NONE)
    assert one.answer_schema["required"] == ["status"]
    assert (two.input_schema, two.input_kind, two.model_schema, two.request) == (empty, Kind.MODEL, empty, "")
    assert (two.output_schema, two.output_kind, two.answer_schema) == (empty, Kind.MODEL, empty)


def test_the_examples_of_the_definition_are_tried(package: ToolPackage) -> None:
    package.declare("""
        class Search(Input):
            claim_no: Annotated[str | None, Desc("x", pattern="^CLM[0-9]+$")] = None

        @tool(name="cmm_claim_search", title="A", description="a.", category_key="cmm")
        async def a(request: Search) -> Response: ...

        @tool(name="cmm_b", title="B", description="b.", category_key="cmm")
        @tool_hint(input_schema_resource="tool_schemas/b.json")
        async def b(request: Search) -> Response: ...

        @tool(name="cmm_c", title="C", description="c.", category_key="cmm")
        async def c() -> Response: ...
    """)
    package.write("tool_schemas/b.json", '{"type": "object", "required": ["claimNo"]}')
    examples = {"valid": [{"claimNo": "CLM1"}, {}], "invalid": [{"claimNo": "x"}, {"claimNo": 1}, {"no": 1}, []]}
    for name in ("cmm_claim_search", "cmm_b", "cmm_c"):
        package.write(f"tool_definitions/cmm/{name}.yml", definition_text(examples=examples))
    found = imported(package)
    assert found["cmm_claim_search"].examples == {
        "valid/0": None,
        "valid/1": None,
        "invalid/0": "claimNo: string_pattern_mismatch ^CLM[0-9]+$",
        "invalid/1": "claimNo: string_type",
        "invalid/2": "no: extra_forbidden",
        "invalid/3": "arguments: model_type",
    }
    assert found["cmm_b"].examples["valid/1"] == "arguments: required claimNo"
    assert found["cmm_b"].examples["invalid/0"] == "claimNo: string_pattern_mismatch ^CLM[0-9]+$"
    assert found["cmm_c"].examples == {
        "valid/0": "arguments: additionalProperties claimNo",
        "valid/1": None,
        "invalid/0": "arguments: additionalProperties claimNo",
        "invalid/1": "arguments: additionalProperties claimNo",
        "invalid/2": "arguments: additionalProperties no",
        "invalid/3": "arguments: type ['object']",
    }


def test_what_leaks_through_an_answer_is_named(package: ToolPackage) -> None:
    package.declare("""
        from typing import Any
        class ClaimBody(HttpBody):
            anything: Any
        class Inner(Output):
            table: Annotated[dict[str, str] | None, Desc("x")]
        class Leaky(Output):
            items: Annotated[list[ClaimBody], Desc("x")]
            inner_rows: Annotated[list[Inner], Desc("x")]
            any_thing: Annotated[Any, Desc("x")]
            rows: Annotated[list[dict[str, str]], Desc("x")]
            either: Annotated[int | str, Desc("x")]

        @tool(name="cmm_a", title="A", description="a.")
        async def a() -> Leaky: ...
        @tool(name="cmm_b", title="B", description="b.")
        async def b() -> ClaimBody: ...
    """)
    found = imported(package)
    assert found["cmm_a"].leaks == (
        "/items/*: ClaimBody",
        "/innerRows/*/table: dict[str, str]",
        "/anyThing: Any",
        "/rows/*: dict[str, str]",
    )
    assert found["cmm_b"].leaks == ("/: ClaimBody",)


def test_a_tool_whose_answer_is_no_model_is_told_with_its_annotation(package: ToolPackage) -> None:
    package.declare("""
        @tool(name="cmm_a", title="A", description="a.")
        async def a(request: Request) -> dict[str, str]: ...
        @tool(name="cmm_b", title="B", description="b.")
        async def b(request: Request) -> list[Response]: ...
    """)
    result = inspect(package)
    assert result.imported is not None
    assert [problem.kind for problem in result.unusable] == ["answer-no-model", "answer-no-model"]
    told = [(one.response_is_model, one.response, one.answer_schema, one.leaks) for one in result.imported.values()]
    assert told == [
        (False, "dict[str, str]", {}, ("/: dict[str, str]",)),
        (False, f"list[{package.name}.biz.cmm.usecase.Response]", {}, ()),
    ]


@pytest.mark.req("toolkit/T1")
def test_unusable_declarations_come_beside_the_usable_ones(package: ToolPackage) -> None:
    package.declare("""
        @tool(name="cmm_a", title="A", description="a.")
        def a(request: Request) -> Response: ...
        @tool(name="cmm_b", title="B", description="b.")
        async def b(request: Request) -> Response: ...
    """)
    result = inspect(package)
    assert result.imported is not None
    assert list(result.imported) == ["cmm_b"]
    assert [(one.kind, one.tool, one.place.line) for one in result.unusable] == [("not-async", "cmm_a", HEAD_LINES + 3)]


_MODELS = "from typing import Annotated\nfrom axhub.toolkit.models import Desc, Input\n"
_NO_LOOK = "look-around, including look-ahead and look-behind, is not supported"
PROBLEMS = {
    "an import that fails": (
        "\nimport no_such_module_of_ours\n",
        "ModuleNotFoundError: No module named 'no_such_module_of_ours'",
        (2, 1),
    ),
    "a syntax error": ("\ndef x(:\n", "SyntaxError: invalid syntax", (2, 7)),
    "an error inside a library": (
        "import json\nVALUE = json.loads('')\n",
        "json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)",
        (2, 9),
    ),
    "an exit": ("import sys\n\nsys.exit('enough')\n", "SystemExit: enough", (3, 1)),
    "an error in the middle of a line": ("A = '가나'; B = 1 / 0\n", "ZeroDivisionError: division by zero", (1, 15)),
    "a message of several lines": ("raise RuntimeError('one\\ntwo')\n", "RuntimeError: one", (1, 1)),
    "an error that says nothing": ("raise KeyboardInterrupt\n", "KeyboardInterrupt", (1, 1)),
    "a pattern that is none": (
        f"{_MODELS}class Search(Input):\n    page: int\n    no: Annotated[str, Desc('No', pattern='[')]\n",
        "the pattern of no is no regular expression: unclosed character class",
        (5, 43),
    ),
    "a pattern with a look-ahead, under a name": (
        f"{_MODELS}NO = '^(?=A)'\nclass Search(Input):\n    no: Annotated[str, Desc('No', pattern=NO)]\n",
        f"the pattern of no is no regular expression: {_NO_LOOK}",
        (5, 43),
    ),
    "a decorator without arguments": (
        "from axhub.toolkit.declare import tool\n@tool\nasync def a(): ...\n",
        "TypeError: tool() takes 0 positional arguments but 1 was given",
        (2, 2),
    ),
}


@pytest.mark.parametrize(("text", "problem", "at"), PROBLEMS.values(), ids=PROBLEMS)
def test_a_package_that_cannot_be_imported_is_told_at_the_authors_line(
    package: ToolPackage, text: str, problem: str, at: tuple[int, int]
) -> None:
    package.write(PATH, text)
    assert inspect(package) == InspectionResult(
        None, problem=Located(problem, Place(f"src/{package.name}/{PATH}", *at))
    )


def test_a_process_that_just_ends_or_is_killed_is_told(package: ToolPackage) -> None:
    package.write(PATH, "import os, sys\nprint('last words', file=sys.stderr, flush=True)\nos._exit(3)\n")
    result = inspect(package)
    start = Place(f"src/{package.name}/__init__.py", 1)
    said = "the process ended with code 3 while the package was imported: last words"
    assert result == InspectionResult(None, problem=Located(said, start))
    package.write(PATH, "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n")
    said = "the process ended with code -9 while the package was imported: without a message"
    assert inspect(package) == InspectionResult(None, problem=Located(said, start))


def test_an_import_that_waits_is_ended_in_time_with_what_it_started(package: ToolPackage) -> None:
    mark = package.root / "child"
    package.write(
        PATH,
        f"""
        import subprocess, sys
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
        open({str(mark)!r}, "w").write(str(child.pid))
        child.wait()
        """,
    )
    began = time.monotonic()
    result = inspect(package, 8)
    assert time.monotonic() - began < 30
    place = Place(f"src/{package.name}/{PATH}", 5)
    assert result.problem == Located("the import took longer than 8 seconds", place)
    module = f"{package.name}.biz.cmm.usecase"
    assert result.hung == {"module": module, "seconds": "8", "at": str(place), "called": "child.wait"}
    status = Path(f"/proc/{mark.read_text()}/stat")
    assert not status.exists() or status.read_text().split()[2] == "Z"


def test_whatever_the_authors_code_prints_stays_out_of_the_answer(package: ToolPackage) -> None:
    package.declare("""
        import os, subprocess, sys, threading, time
        print("안녕")
        os.write(1, b"raw\\n")
        subprocess.run([sys.executable, "-c", "print('child')"], check=True)
        threading.Thread(target=time.sleep, args=(60,)).start()

        @tool(name="cmm_a", title="A", description="a.")
        async def a() -> Response: ...
    """)
    result = inspect(package)
    assert result.imported is not None
    assert list(result.imported) == ["cmm_a"]
    assert sorted(result.printed.split()) == ["child", "raw", "안녕"]


def test_a_package_beside_the_project_file_is_found_and_nothing_is_written_into_it(tmp_path: Path) -> None:
    package = ToolPackage(tmp_path)
    package.declare("""
        @tool(name="cmm_a", title="A", description="a.")
        async def a() -> Response: ...
    """)
    package.folder.rename(tmp_path / package.name)
    result = run_inspection(tmp_path, package.name, 30)
    assert result.imported is not None
    assert list(result.imported) == ["cmm_a"]
    assert not list(tmp_path.rglob("__pycache__"))
