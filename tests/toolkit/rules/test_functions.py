"""Functions that are tools: one declaration each, async, in the right folder; said once, where it stands."""

from pathlib import Path

import pytest

from axhub.toolkit.facts.service import Place, Unusable
from axhub.toolkit.rules import declarations, functions, reading
from support.service_projects import facts_of
from support.telling import Told, told
from support.toolkit_facts import TOOL, declared, facts, located, place

RULES = {rule.id: rule for rule in (*declarations.RULES, *functions.RULES, *reading.RULES)}
HEAD = "from axhub.toolkit import tool, tool_hint\n"
TOOL_LINE = '@tool(name="cmm_a", title="A", description="a.")\n'
AWAITS = "SyntaxError: 'await' outside async function"


def said(rule: str, root: Path, text: str, file: str = "biz/cmm/usecase.py") -> tuple[Told, ...]:
    return told(RULES[rule], facts_of(root, {file: text}))


@pytest.mark.req("rule/TK202")
def test_two_tools_on_one_function_are_told_with_their_lines(tmp_path: Path) -> None:
    other = '@tool(name="cmm_b", title="B", description="b.")\n'
    assert said("TK202", tmp_path, f"{HEAD}{TOOL_LINE}@tool_hint()\n{other}async def a(): ...\n") == (
        Told(
            "biz/cmm/usecase.py:2:2 error",
            "usecase.a has two @tool (lines 2 and 4); only the upper one counts. Keep one of them; a second tool is a "
            "function of its own with its own definition.",
            "usecase.a에 @tool이 두 개 있어(2, 4번째 줄) 맨 위의 것만 적용됩니다. 하나만 남기십시오. 두 번째 도구는 "
            "별도의 함수와 정의 파일로 만듭니다.",
        ),
    )


@pytest.mark.req("rule/TK202")
def test_hints_that_are_repeated_are_an_error_whatever_they_say_about_development(tmp_path: Path) -> None:
    text = f"{HEAD}{TOOL_LINE}@tool_hint(register=False)\n@tool_hint()\n@tool_hint()\nasync def a(): ...\n"
    found = facts_of(tmp_path, {"biz/cmm/usecase.py": text})
    assert told(RULES["TK202"], found) == (
        Told(
            "biz/cmm/usecase.py:3:2 error",
            "usecase.a has 3 @tool_hint (lines 3, 4 and 5); where they differ, only the upper one counts. Write one "
            "@tool_hint with all that is meant.",
            "usecase.a에 @tool_hint가 3개 있어(3, 4, 5번째 줄) 서로 다른 값은 맨 위의 것만 적용됩니다. 뜻하는 값을 "
            "모두 @tool_hint 하나에 쓰십시오.",
        ),
    )
    assert [breach.tool for breach in RULES["TK202"].check(found)] == [None]


@pytest.mark.req("rule/TK202")
@pytest.mark.parametrize("decorator", ["tool", "tool_hint"])
def test_what_the_import_shows_again_of_repeated_decorators_is_not_said(tmp_path: Path, decorator: str) -> None:
    again = TOOL_LINE if decorator == "tool" else "@tool_hint()\n@tool_hint()\n"
    found = facts_of(tmp_path, {"biz/cmm/usecase.py": f"{HEAD}{TOOL_LINE}{again}async def a(): ...\n"})
    shown = Unusable("repeated", place(line=5), {"function": "a", "decorator": decorator}, "cmm_a")
    assert len(told(RULES["TK202"], facts(*found.declared, unusable=(shown,), modules=found.modules))) == 1


@pytest.mark.req("rule/TK202")
@pytest.mark.parametrize(
    ("file", "folder", "part"),
    [
        ("biz/cmm/dto/claim.py", "biz/cmm/dto", "cmm"),
        ("biz/cmm/converter.py", "biz/cmm", "cmm"),
        ("infra/http/claim/client.py", "infra/http/claim", "{category}"),
        ("infra/http/claim/io.py", "infra/http/claim", "{category}"),
    ],
)
def test_a_tool_outside_use_cases_is_told_where_to_go(tmp_path: Path, file: str, folder: str, part: str) -> None:
    name = file.rpartition("/")[2].removesuffix(".py")
    assert said("TK202", tmp_path, f"{HEAD}{TOOL_LINE}async def a(): ...\n", file) == (
        Told(
            f"{file}:2:2 error",
            f"The tool {name}.a stands in {folder}; a tool stands in biz/{{category}}/usecase. Move it to "
            f"biz/{part}/usecase.",
            f"도구 {name}.a 선언이 {folder}에 있습니다. 도구는 biz/{{category}}/usecase에 두어야 합니다. "
            f"biz/{part}/usecase로 옮기십시오.",
        ),
    )


@pytest.mark.req("rule/TK202")
@pytest.mark.parametrize("file", ["biz/cmm/usecase/claim.py", "biz/cmm/tools.py", "tools.py"])
def test_other_folders_may_hold_tools(tmp_path: Path, file: str) -> None:
    assert said("TK202", tmp_path, f"{HEAD}{TOOL_LINE}async def a(): ...\n", file) == ()


USE_CASE = f"""{HEAD}from typing import Protocol

class Use(Protocol):
    {TOOL_LINE}    async def find(self): ...

class Base(Use): ...

class Impl(Base):
    def find(self):
        BODY
"""


@pytest.mark.req("rule/TK202")
@pytest.mark.parametrize(
    "body",
    [
        "return await self.x()",
        "return [await x for x in y]",
        "return [x async for x in y]",
        "async with self.x: pass",
        "async for x in y: pass",
    ],
)
def test_a_method_that_awaits_and_implements_a_tool_is_told_at_its_def(tmp_path: Path, body: str) -> None:
    found = facts_of(tmp_path, {"biz/cmm/usecase.py": USE_CASE.replace("BODY", body)})
    assert told(RULES["TK202"], found) == (
        Told(
            "biz/cmm/usecase.py:11:5 error",
            "The tool Impl.find is no async function. Write `async def find(…)`, and await what it calls.",
            "도구 Impl.find: async 함수가 아닙니다. `async def find(…)` 형식으로 쓰고 호출하는 것을 await 하십시오.",
        ),
    )
    assert told(RULES["TK001"], found) == ()


@pytest.mark.req("rule/TK001")
def test_another_function_that_awaits_without_being_async_is_told_at_its_def(tmp_path: Path) -> None:
    text = "class A:\n    def find(self):\n        await x\n\ndef outer():\n    async def inner(): await x\n"
    found = facts_of(tmp_path, {"biz/cmm/usecase.py": text})
    assert told(RULES["TK001"], found) == (
        Told(
            "biz/cmm/usecase.py:2:5 error",
            "The function find awaits something, and is no async function. Write `async def find(…)`, and await it "
            "where it is called.",
            "함수 find에서 await를 쓰지만 async 함수가 아닙니다. `async def find(…)` 형식으로 쓰고 호출하는 곳에서 "
            "await 하십시오.",
        ),
    )
    for cause in (AWAITS, "SyntaxError: asynchronous comprehension outside of an asynchronous function"):
        failed = facts(modules=found.modules, import_problem=located(cause))
        assert told(RULES["TK002"], failed) == ()


@pytest.mark.req("rule/TK211")
def test_arguments_without_names_are_told_and_the_import_that_fails_for_them_is_not(tmp_path: Path) -> None:
    text = f'{HEAD}@tool("cmm_a", title="A", description="a.")\n@tool_hint(False)\nasync def a(): ...\n'
    found = facts_of(tmp_path, {"biz/cmm/usecase.py": text})
    assert told(RULES["TK211"], found) == (
        Told(
            "biz/cmm/usecase.py:3:12 error",
            "The argument register is given without its name. Write its name before it: `register=…`.",
            "register 인자에 이름이 없습니다. 앞에 이름을 쓰십시오: `register=…`.",
        ),
        Told(
            "biz/cmm/usecase.py:2:7 error",
            "The argument name is given without its name. Write its name before it: `name=…`.",
            "name 인자에 이름이 없습니다. 앞에 이름을 쓰십시오: `name=…`.",
        ),
    )
    cause = "TypeError: tool() takes 0 positional arguments but 1 positional argument (and 2 keyword-only arguments)"
    failed = facts(*found.declared, modules=found.modules, import_problem=located(cause))
    assert told(RULES["TK002"], failed) == ()


@pytest.mark.req("rule/TK202")
def test_a_model_with_a_wrong_base_is_told_where_it_stands(tmp_path: Path) -> None:
    model = "from pydantic import BaseModel\n\n\nclass Asked(BaseModel): ...\n"
    usecase = f"{HEAD}{TOOL_LINE}async def a(request): ...\n"
    found = facts_of(tmp_path, {"biz/cmm/dto.py": model, "biz/cmm/usecase.py": usecase})
    shown = Unusable("not-input", place(line=3), {"function": "my_tools.a", "type": "Asked"}, "cmm_a")
    english = (
        "Asked, the request model of my_tools.a, does not inherit from axhub.toolkit.Input. Write class Asked(Input)."
    )
    korean = (
        "my_tools.a의 요청 모델 Asked이(가) axhub.toolkit.Input을 상속하지 않습니다. class Asked(Input)으로 "
        "작성하십시오."
    )
    known = facts(*found.declared, unusable=(shown,), modules=found.modules)
    assert told(RULES["TK202"], known) == (Told("biz/cmm/dto.py:4:1 error", english, korean),)
    unknown = facts(*found.declared, unusable=(shown,), modules=found.modules[:0])
    assert told(RULES["TK202"], unknown) == (Told("biz/cmm/usecase.py:3:1 error", english, korean),)


@pytest.mark.req("rule/TK203")
def test_what_cannot_be_given_to_a_tool_is_told_by_itself() -> None:
    values = {"wants": "Clock(zone)", "type": "str", "package": "my_tools"}
    found = facts(declared(), unusable=(Unusable("wiring-nothing", place(line=18), values, TOOL),))
    assert told(RULES["TK203"], found) == (
        Told(
            "biz/cmm/usecase.py:18:1 error",
            'Clock(zone) wants str, which nothing provides. Give it to the service: ToolService("my_tools", '
            "provide={str: …}).",
            'Clock(zone)이(가) 요구하는 str을(를) 제공하는 것이 없습니다. 서비스에 주십시오: ToolService("my_tools", '
            "provide={str: …}).",
        ),
    )
    assert told(RULES["TK202"], found) == ()


@pytest.mark.req("rule/TK002")
@pytest.mark.parametrize(
    ("at", "called", "english"),
    [
        ("a.py:4", "time.sleep", "; it stood in a.py:4 (time.sleep)"),
        ("a.py:4", "", "; it stood in a.py:4"),
        ("", "", ""),
    ],
)
def test_an_import_that_does_not_end_is_told_where_it_stood(at: str, called: str, english: str) -> None:
    hung = {"module": "my_tools.biz", "seconds": "30", "at": at, "called": called}
    found = facts(import_problem=located("the import took longer than 30 seconds"), import_hung=hung)
    told_of = f"Importing my_tools.biz did not end within 30 seconds{english}."
    mend = "Move what waits into a function; rules about models were not run."
    assert [one.en for one in told(RULES["TK002"], found)] == [f"{told_of} {mend}"]


@pytest.mark.req("rule/TK001")
def test_what_nobody_may_read_is_told_with_why() -> None:
    closed = located("Permission denied", "src/my_tools/tool_definitions", 0, 0)
    assert told(RULES["TK001"], facts(unreadable=(closed,))) == (
        Told(
            "tool_definitions error",
            "This cannot be read: Permission denied. Give read permission, or remove it; nothing in it was checked.",
            "읽을 수 없습니다: 권한 없음. 읽기 권한을 주거나 지우십시오. 그 안의 내용은 검사하지 않았습니다.",
        ),
    )
    assert closed.place == Place("src/my_tools/tool_definitions")


@pytest.mark.req("rule/TK202")
@pytest.mark.parametrize(
    ("hint", "argument", "upper", "lower", "tool"),
    [
        ('category_key="ins"', "category_key", '"cmm"', '"ins"', "cmm_a"),
        ("register=False", "register", "true", "false", None),
        ('mapping_id="CLCNNB00002"', "mapping_id", '"CLCNNB00001"', '"CLCNNB00002"', "cmm_a"),
    ],
)
def test_decorators_that_contradict_each_other_are_told_once_with_both_places(
    tmp_path: Path, hint: str, argument: str, upper: str, lower: str, tool: str | None
) -> None:
    more = 'category_key="cmm", register=True, mapping_id="CLCNNB00001"'
    line = TOOL_LINE.replace(")", f", {more})")
    found = facts_of(tmp_path, {"biz/cmm/usecase.py": f"{HEAD}{line}@tool_hint({hint})\nasync def a(): ...\n"})
    shown = Unusable("contradiction", place(line=4), {"function": "a", "argument": argument}, "cmm_a")
    again = facts(*found.declared, unusable=(shown,), modules=found.modules)
    column = line.index(f"{argument}=") + len(argument) + 2
    assert told(RULES["TK202"], again) == (
        Told(
            f"biz/cmm/usecase.py:2:{column} error",
            f"The decorators of usecase.a say different things about {argument}: {upper} here, and {lower} in line 3. "
            f"Write {argument} once, in one of them.",
            f"usecase.a의 데코레이터에 적은 {argument} 값이 서로 다릅니다. 여기는 {upper}, 3번째 줄은 {lower}. "
            f"{argument}은(는) 한쪽에 한 번만 쓰십시오.",
        ),
    )
    assert [breach.tool for breach in RULES["TK202"].check(again)] == [tool]


@pytest.mark.req("rule/TK203")
@pytest.mark.parametrize("call", ['ToolService("your_tools")', 'ToolService(package="your_tools")'])
def test_a_service_that_is_made_for_another_package_is_told(tmp_path: Path, call: str) -> None:
    text = f"from axhub.toolkit import ToolService\napp = {call}\n"
    assert said("TK203", tmp_path, text, "app.py") == (
        Told(
            "app.py:2:7 error",
            'The service is made for the package "your_tools", and this project\'s is my_tools. Write '
            '`ToolService("my_tools")`.',
            '서비스가 "your_tools" 패키지를 가리키지만 이 프로젝트의 패키지는 my_tools입니다. '
            '`ToolService("my_tools")`로 '
            "쓰십시오.",
        ),
    )
    for good in ('ToolService("my_tools")', 'ToolService("my_tools.inner")', "ToolService(NAME)"):
        assert said("TK203", tmp_path / good, text.replace(call, good), "app.py") == ()


@pytest.mark.req("rule/TK002")
def test_a_class_of_the_package_that_was_not_imported_is_told_with_its_import(tmp_path: Path) -> None:
    files = {"biz/cmm/dto/claim.py": "class ClaimRequest: ...\n", "biz/cmm/usecase.py": "x = 1\n"}
    found = facts_of(tmp_path, files)
    cause = located("NameError: name 'ClaimRequest' is not defined", "biz/cmm/usecase.py", 1, 3)
    broken = facts(imported=None, import_problem=cause, modules=found.modules)
    assert told(RULES["TK002"], broken) == (
        Told(
            "biz/cmm/usecase.py:1:3 error",
            "The package cannot be imported: `ClaimRequest` is used here and not imported. Add `from "
            "my_tools.biz.cmm.dto.claim import ClaimRequest` to the imports of this file; rules about models were not "
            "run.",
            "패키지를 가져올(import) 수 없습니다. 여기에서 쓰는 `ClaimRequest` 이름을 import 하지 않았습니다. 이 "
            "파일의 "
            "import에 `from my_tools.biz.cmm.dto.claim import ClaimRequest` 줄을 추가하십시오. 모델에 대한 규칙은 "
            "검사하지 "
            "않았습니다.",
        ),
    )


@pytest.mark.req("rule/TK002")
def test_a_decorator_without_parentheses_is_told_with_how_to_write_it() -> None:
    cause = "TypeError: tool_hint() takes 0 positional arguments but 1 was given"
    broken = facts(imported=None, import_problem=located(cause, "biz/cmm/usecase.py", 3, 2))
    assert told(RULES["TK002"], broken) == (
        Told(
            "biz/cmm/usecase.py:3:2 error",
            "The package cannot be imported: @tool_hint stands here without parentheses. Write "
            "`@tool_hint(category_key=…, mapping_id=…)`; rules about models were not run.",
            "패키지를 가져올(import) 수 없습니다. 여기의 @tool_hint에 괄호가 없습니다. `@tool_hint(category_key=…, "
            "mapping_id=…)` 형식으로 쓰십시오. 모델에 대한 규칙은 검사하지 않았습니다.",
        ),
    )
