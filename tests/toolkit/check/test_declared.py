"""Declarations are read from the source, whatever the decorators are called there, with the place of each argument."""

from pathlib import Path

import pytest

from axhub.toolkit.facts.service import Declared, Located, Place
from support.service_projects import facts_of

USECASE = "src/my_tools/biz/cmm/usecase.py"
NAME = "my_tools.biz.cmm.usecase"


def declared_in(root: Path, text: str) -> tuple[Declared, ...]:
    return facts_of(root, {"biz/cmm/usecase.py": text}).declared


@pytest.mark.req("toolkit/T1")
def test_both_decorators_are_read_with_the_place_of_each_argument(tmp_path: Path) -> None:
    text = """\
    from axhub.toolkit import tool, tool_hint
    class Use:
        @tool(
            name="cmm_claim_search",
            title="보험금 " "조회", description="설명",
        )
        @tool_hint(register=True, category_key="cmm")
        async def run(self, request): ...
    """
    assert declared_in(tmp_path, text) == (
        Declared(
            place=Place(USECASE, 3, 6),
            function=f"{NAME}.Use.run",
            module=USECASE,
            arguments={
                "register": Located(True, Place(USECASE, 7, 25)),
                "category_key": Located("cmm", Place(USECASE, 7, 44)),
                "name": Located("cmm_claim_search", Place(USECASE, 4, 14)),
                "title": Located("보험금 조회", Place(USECASE, 5, 15)),
                "description": Located("설명", Place(USECASE, 5, 40)),
            },
            decorated_by=frozenset({"tool", "tool_hint"}),
        ),
    )


@pytest.mark.req("toolkit/T1")
@pytest.mark.parametrize(
    ("imports", "decorator"),
    [
        ("from axhub.toolkit import tool", "tool"),
        ("from axhub.toolkit import tool as t", "t"),
        ("from axhub import toolkit", "toolkit.tool"),
        ("import axhub.toolkit", "axhub.toolkit.tool"),
        ("import axhub.toolkit as kit", "kit.tool"),
        ("from axhub.toolkit.declare import tool", "tool"),
        ("from my_tools.words import mark", "mark"),
        ("from ...words import mark", "mark"),
    ],
)
def test_a_decorator_is_known_under_any_name(tmp_path: Path, imports: str, decorator: str) -> None:
    files = {
        "words.py": "from axhub.toolkit import tool as mark\n",
        "biz/cmm/usecase.py": f"{imports}\n@{decorator}(name='a_b')\nasync def run(): ...\n",
    }
    assert [found.name for found in facts_of(tmp_path, files).declared] == ["a_b"]


@pytest.mark.parametrize("decorator", ["other.tool(name='x')", "tool(name='x')", "axhub.toolkit.masked('x')", "f()()"])
def test_decorators_of_others_are_none_of_ours(tmp_path: Path, decorator: str) -> None:
    text = f"import axhub.toolkit\nfrom other import tool\nimport other\n@{decorator}\nasync def run(): ...\n"
    assert declared_in(tmp_path, text) == ()


@pytest.mark.req("toolkit/T1")
def test_what_is_no_literal_is_noted_as_computed(tmp_path: Path) -> None:
    text = """\
    from axhub.toolkit import tool
    @tool(name=NAME, title=f"t", description="a" + "b", mapping_id=None, register=not True)
    def run(): ...
    """
    (found,) = declared_in(tmp_path, text)
    assert found.arguments == {"mapping_id": Located(None, Place(USECASE, 2, 64))}
    assert found.computed == {
        "name": Place(USECASE, 2, 12),
        "title": Place(USECASE, 2, 24),
        "description": Place(USECASE, 2, 42),
        "register": Place(USECASE, 2, 79),
    }
    assert (found.is_async, found.decorated_by, found.name, found.register) == (False, frozenset({"tool"}), None, True)


def test_arguments_in_a_row_of_stars_and_by_position_are_read_as_far_as_they_can_be(tmp_path: Path) -> None:
    text = """\
    from axhub.toolkit import tool, tool_hint
    @tool("a_b", **REST)
    @tool_hint(register=False)
    async def run(): ...
    @tool_hint
    async def bare(): ...
    """
    run, bare = declared_in(tmp_path, text)
    assert run.arguments == {
        "register": Located(False, Place(USECASE, 3, 21)),
        "name": Located("a_b", Place(USECASE, 2, 7)),
    }
    assert run.computed["title"] == Place(USECASE, 2, 16)
    assert not run.register
    assert bare == Declared(Place(USECASE, 5, 2), f"{NAME}.bare", USECASE, {}, decorated_by=frozenset({"tool_hint"}))


@pytest.mark.req("toolkit/T1")
@pytest.mark.parametrize(
    ("upper", "lower", "expected"),
    [
        ('tool(name="n", register=True)', "tool_hint(register=False)", False),
        ('tool(name="n", register=False)', "tool_hint(register=True)", False),
        ("tool_hint(register=False)", 'tool(name="n")', False),
        ("tool_hint()", 'tool(name="n")', True),
    ],
)
def test_of_two_decorators_the_one_that_says_more_than_the_default_is_heard(
    tmp_path: Path, upper: str, lower: str, expected: bool
) -> None:
    text = f"from axhub.toolkit import tool, tool_hint\n@{upper}\n@{lower}\nasync def run(): ...\n"
    (found,) = declared_in(tmp_path, text)
    assert found.register is expected


def test_tools_are_found_in_classes_in_classes_in_conditions_and_in_functions(tmp_path: Path) -> None:
    text = """\
    from axhub.toolkit import tool
    if True:
        class A:
            class B:
                @tool(name="one")
                async def one(self): ...
    def make():
        @tool(name="two")
        async def two(): ...
    """
    assert [(found.name, found.function) for found in declared_in(tmp_path, text)] == [
        ("one", f"{NAME}.A.B.one"),
        ("two", f"{NAME}.make.two"),
    ]


@pytest.mark.req("toolkit/T1", "rule/TK202")
@pytest.mark.parametrize(
    ("upper", "lower", "expected"),
    [
        ("category_key='ins'", "category_key='cmm'", {"category_key": ("ins", "cmm")}),
        ("register=True", "register=False", {"register": (True, False)}),
        ("register=True", "register=1", {"register": (True, 1)}),
        ("mapping_id=None", "mapping_id='A'", {"mapping_id": (None, "A")}),
        ("category_key='cmm'", "category_key='cmm'", {}),
        ("category_key='cmm'", "mapping_id='A'", {}),
        ("category_key=KEY", "category_key='cmm'", {}),
    ],
)
def test_what_the_decorators_say_differently_is_kept_with_both_places(
    tmp_path: Path, upper: str, lower: str, expected: dict[str, tuple[object, object]]
) -> None:
    decorators = f"@tool(name='a_b', {upper})\n@tool_hint({lower})\n"
    text = f"from axhub.toolkit import tool, tool_hint\n{decorators}async def a(): ...\n"
    (found,) = declared_in(tmp_path, text)
    said = {name: tuple(one.value for one in both) for name, both in found.contradicted.items()}
    assert said == expected
    for both in found.contradicted.values():
        assert [one.place.line for one in both] == [2, 3]
