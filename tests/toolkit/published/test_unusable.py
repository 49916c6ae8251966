"""Declarations that cannot be used are named, each with its line and its mend (toolkit/T1)."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from axhub.toolkit.facts.service import Place, Unusable
from axhub.toolkit.rules.telling.unusable import MESSAGES, text_of
from support.found import find, line, only_problem
from support.tool_packages import ToolPackage

pytestmark = pytest.mark.req("toolkit/T1")


@pytest.fixture
def package(tmp_path: Path) -> Iterator[ToolPackage]:
    with ToolPackage(tmp_path) as package:
        yield package


PROBLEMS = {
    "a plain def": (
        "def a(request: Request) -> Response: ...",
        "not-async",
        "PACKAGE.biz.cmm.usecase.a is not async; write async def a(…)",
    ),
    "a generator": (
        "async def a(request: Request) -> Response:\n    yield 1",
        "generator",
        "PACKAGE.biz.cmm.usecase.a yields; a tool answers once; return one model instead of using yield",
    ),
    "no annotation": (
        "async def a(request) -> Response: ...",
        "no-annotation",
        (
            "the parameter request of PACKAGE.biz.cmm.usecase.a has no type; "
            "write its type: the request model, ToolContext, or the class that it is to be given, such as a client"
        ),
    ),
    "self outside of a class": (
        "async def a(self, request: Request) -> Response: ...",
        "stray-self",
        (
            "PACKAGE.biz.cmm.usecase.a takes self, but stands in no class; take self out, or move the function into a "
            "class"
        ),
    ),
    "no return type": (
        "async def a(request: Request): ...",
        "no-return",
        "PACKAGE.biz.cmm.usecase.a does not say what it returns; write the response model: -> …Response",
    ),
    "an unknown type": (
        "async def a(request: 'Reqest') -> Response: ...",
        "unknown-type",
        (
            "the type of request of PACKAGE.biz.cmm.usecase.a cannot be found: Reqest (name 'Reqest' is not defined); "
            "import it at the top of the module, not only under TYPE_CHECKING"
        ),
    ),
    "star arguments": (
        "async def a(request: Request, *more: int) -> Response: ...",
        "star-parameter",
        (
            "the parameter more of PACKAGE.biz.cmm.usecase.a cannot be given by name; "
            "write plain parameters: no *, ** or /"
        ),
    ),
    "anything at all": (
        "async def a(request: 'Any') -> Response: ...\nfrom typing import Any",
        "plain-parameter",
        (
            "the parameter request of PACKAGE.biz.cmm.usecase.a is Any: a tool's arguments come as one request model; "
            "make request: Annotated[Any, Desc(…)] a field of class …Request(Input), and take request: …Request"
        ),
    ),
    "two requests": (
        "async def a(request: Request, second: Request) -> Response: ...",
        "two-requests",
        "PACKAGE.biz.cmm.usecase.a takes two request models: request, second; put the fields into one model",
    ),
    "two contexts": (
        "async def a(one: ToolContext, request: Request, other: ToolContext | None = None) -> Response: ...",
        "two-contexts",
        "PACKAGE.biz.cmm.usecase.a takes the ToolContext twice: one, other; keep one of them",
    ),
    "a plain argument": (
        "async def a(claim_no: str) -> Response: ...",
        "plain-parameter",
        (
            "the parameter claim_no of PACKAGE.biz.cmm.usecase.a is str: a tool's arguments come as one request model; "
            "make claim_no: Annotated[str, Desc(…)] a field of class …Request(Input), and take request: …Request"
        ),
    ),
    "another model": (
        "async def a(request: HttpBody) -> Response: ...",
        "not-input",
        (
            "HttpBody, the request model of PACKAGE.biz.cmm.usecase.a, does not inherit from axhub.toolkit.Input; "
            "write class HttpBody(Input)"
        ),
    ),
    "an input as answer": (
        "async def a(request: Request) -> Request: ...",
        "not-output",
        (
            "Request, the response model of PACKAGE.biz.cmm.usecase.a, does not inherit from axhub.toolkit.Output; "
            "write class Request(Output)"
        ),
    ),
    "no model as answer": (
        "async def a(request: Request) -> dict[str, str]: ...",
        "answer-no-model",
        (
            "PACKAGE.biz.cmm.usecase.a returns dict[str, str], which is no model; "
            "write a class of its own for the answer: class …Response(Output), and return that"
        ),
    ),
}


@pytest.mark.parametrize(("written", "kind", "text"), PROBLEMS.values(), ids=PROBLEMS)
def test_a_function_that_cannot_be_a_tool_is_named_with_its_line(
    package: ToolPackage, written: str, kind: str, text: str
) -> None:
    package.declare('@tool(name="cmm_a", title="A", description="a.")\n' + written)
    found = find(package)
    assert only_problem(found, package) == (kind, f"src/PACKAGE/biz/cmm/usecase.py:{line(1)}:{1}", text)
    assert found.problems[0].tool == "cmm_a"


METHODS = {
    "a dependency in the method": (
        """
        class Client: ...
        class Claims:
            @tool(name="cmm_a", title="A", description="a.")
            async def a(self, request: Request, client: Client) -> Response: return Response(status="a")
        """,
        5,
        (
            "the parameter client of PACKAGE.biz.cmm.usecase.Claims.a is neither the request model nor the ToolContext"
            "; take it in the constructor instead: def __init__(self, client: Client) -> None"
        ),
    ),
    "a static method": (
        """
        class Claims:
            @staticmethod
            @tool(name="cmm_a", title="A", description="a.")
            async def a(request: Request) -> Response: return Response(status="a")
        """,
        5,
        (
            "PACKAGE.biz.cmm.usecase.Claims.a is no method with self: staticmethod; "
            "write async def a(self, …) without @staticmethod or @classmethod, or a function of the module"
        ),
    ),
    "no self": (
        """
        class Claims:
            @tool(name="cmm_a", title="A", description="a.")
            async def a() -> Response: return Response(status="a")
        """,
        4,
        (
            "PACKAGE.biz.cmm.usecase.Claims.a is no method with self: def a(); "
            "write async def a(self, …) without @staticmethod or @classmethod, or a function of the module"
        ),
    ),
    "inside a function": (
        """
        def make():
            @tool(name="cmm_a", title="A", description="a.")
            async def a(request: Request) -> Response: ...
        """,
        4,
        (
            "PACKAGE.biz.cmm.usecase.make.a is declared inside another function, where nothing can find it; "
            "move it to the module or into a class of the module"
        ),
    ),
    "a second definition of the name": (
        """
        @tool(name="cmm_a", title="A", description="a.")
        async def a(request: Request) -> Response: ...
        async def a(request: Request) -> Response: ...
        """,
        3,
        (
            "PACKAGE.biz.cmm.usecase.a is replaced by something else of that name further down; "
            "give one of the two another name"
        ),
    ),
    "an object of another decorator": (
        """
        import functools
        @functools.lru_cache
        @tool(name="cmm_a", title="A", description="a.")
        async def a(request: Request) -> Response: ...
        """,
        5,
        (
            "PACKAGE.biz.cmm.usecase.a is no plain function: another decorator made it _lru_cache_wrapper; "
            "take the other decorator away, or let it return an async function made with functools.wraps"
        ),
    ),
    "a declaration without decorator": (
        """
        async def a(request: Request) -> Response: ...
        b = tool(name="cmm_a", title="A", description="a.")(a)
        """,
        2,
        (
            "PACKAGE.biz.cmm.usecase.a is a tool whose declaration is not written above it as @tool(…); "
            "write the decorators @tool(…) and @tool_hint(…) directly above the function, imported from axhub.toolkit"
        ),
    ),
    "only the hint": (
        """
        @tool_hint(category_key="cmm")
        async def a(request: Request) -> Response: ...
        """,
        3,
        (
            "PACKAGE.biz.cmm.usecase.a has no tool name: only @tool_hint stands above it, or its name is empty; "
            "write @tool(name=…, title=…, description=…) above it"
        ),
    ),
    "a Protocol that nobody implements": (
        """
        class Claims(Protocol):
            @tool(name="cmm_a", title="A", description="a.")
            async def a(self, request: Request) -> Response: ...
        """,
        4,
        (
            "PACKAGE.biz.cmm.usecase.Claims.a is declared, but no class of the package implements Claims; "
            "write class ClaimsImpl(Claims) with async def a(self, …) in it"
        ),
    ),
    "a class that only looks like the Protocol": (
        """
        class Claims(Protocol):
            @tool(name="cmm_a", title="A", description="a.")
            async def a(self, request: Request) -> Response: ...
        class Impl:
            async def a(self, request: Request) -> Response: return Response(status="a")
        """,
        4,
        "Impl has a, but does not inherit from Claims, which declares it as a tool; write class Impl(Claims)",
    ),
    "a class that forgets the method": (
        """
        class Claims(Protocol):
            @tool(name="cmm_a", title="A", description="a.")
            async def a(self, request: Request) -> Response: ...
        class Impl(Claims): ...
        """,
        4,
        "Impl inherits from Claims, but does not implement a; write async def a(…) in Impl",
    ),
    "a class whose method is not async": (
        """
        class Claims(Protocol):
            @tool(name="cmm_a", title="A", description="a.")
            async def a(self, request: Request) -> Response: ...
        class Impl(Claims):
            def a(self, request): return None
        """,
        6,
        "PACKAGE.biz.cmm.usecase.Impl.a is not async; write async def a(…)",
    ),
    "a class whose method is something else": (
        """
        import functools
        class Claims(Protocol):
            @tool(name="cmm_a", title="A", description="a.")
            async def a(self, request: Request) -> Response: ...
        class Impl(Claims):
            @functools.lru_cache
            async def a(self, request): return None
        """,
        5,
        (
            "PACKAGE.biz.cmm.usecase.Impl.a is no plain function: another decorator made it _lru_cache_wrapper; "
            "take the other decorator away, or let it return an async function made with functools.wraps"
        ),
    ),
    "two classes": (
        """
        class Claims(Protocol):
            @tool(name="cmm_a", title="A", description="a.")
            async def a(self, request: Request) -> Response: ...
        class One(Claims):
            async def a(self, request): return None
        class Two(Claims):
            async def a(self, request): return None
        """,
        4,
        (
            f"PACKAGE.biz.cmm.usecase.Claims.a is implemented by more than one class: "
            f"One (src/PACKAGE/biz/cmm/usecase.py:{line(4)}), Two (src/PACKAGE/biz/cmm/usecase.py:{line(6)}); "
            "keep one; a fake for tests belongs into the tests, and a shared base class is made abstract (ABC)"
        ),
    ),
}


@pytest.mark.parametrize(("written", "at", "text"), METHODS.values(), ids=METHODS)
def test_a_declaration_that_leads_nowhere_is_named_with_its_line(
    package: ToolPackage, written: str, at: int, text: str
) -> None:
    package.declare(written)
    _, place, said = only_problem(find(package), package)
    assert said == text
    assert place.startswith(f"src/PACKAGE/biz/cmm/usecase.py:{line(at - 1)}")


def test_every_message_can_be_written_in_both_languages() -> None:
    class Anything(dict[str, str]):
        def __missing__(self, key: str) -> str:
            return f"<{key}>"

    for kind, message in MESSAGES.items():
        for text in (*message.problem, *message.mend):
            assert text.format_map(Anything()).strip() == text.format_map(Anything())
        assert message.problem.ko != message.problem.en, kind
    assert text_of(Unusable("not-async", Place("a.py"), {"function": "a.b", "method": "b"}), "ko") == (
        "a.b이(가) async가 아닙니다",
        "async def b(…)로 작성하십시오",
    )


@pytest.mark.parametrize(
    ("argument", "one", "other"),
    [
        ("register", "True", "False"),
        ("register", "False", "True"),
        ("requires_employee", "False", "True"),
        ("category_key", "'cmm'", "'ins'"),
        ("mapping_id", "'A'", "None"),
    ],
)
def test_decorators_that_contradict_each_other_are_named_whatever_the_defaults_are(
    package: ToolPackage, argument: str, one: str, other: str
) -> None:
    package.declare(
        f"@tool_hint({argument}={other})\n@tool(name='cmm_a', title='A', description='a.', {argument}={one})\n"
        "async def a(request: Request) -> Response: ...\n"
    )
    kind, _, said = only_problem(find(package), package)
    assert (kind, said) == (
        "contradiction",
        (
            "the decorators @tool and @tool_hint of PACKAGE.biz.cmm.usecase.a say different things about "
            f"{argument}; write {argument} in one of them only"
        ),
    )


def test_decorators_that_say_the_same_are_one_word(package: ToolPackage) -> None:
    package.declare(
        "@tool(name='cmm_a', title='A', description='a.', register=False)\n@tool_hint(register=False)\n"
        "async def a(request: Request) -> Response: ...\n"
    )
    found = find(package)
    assert found.problems == ()
    assert not found.tools[0].declaration.register


@pytest.mark.parametrize(
    ("decorator", "written"),
    [
        ("tool", "@tool(name='cmm_b', title='A', description='b.')\n"),
        ("tool_hint", "@tool_hint()\n@tool_hint(register=False)\n"),
    ],
)
def test_a_decorator_that_stands_twice_on_a_function_is_named(
    package: ToolPackage, decorator: str, written: str
) -> None:
    above = "@tool(name='cmm_a', title='A', description='a.')\n"
    package.declare(f"{above}{written}async def a(request: Request) -> Response: ...\n")
    kind, _, said = only_problem(find(package), package)
    name = "PACKAGE.biz.cmm.usecase.a"
    assert kind == "repeated"
    assert said == f"{name} has more than one @{decorator}; only the upper one counts; keep one of them"
