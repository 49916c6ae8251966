"""Finding the declared tools of a package (toolkit/T1)."""

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from axhub.toolkit.published.discovery import Found, find_tools
from axhub.toolkit.rules.telling.unusable import text_of
from support.found import find, line, only_problem
from support.tool_packages import ToolPackage

pytestmark = pytest.mark.req("toolkit/T1")


@pytest.fixture
def package(tmp_path: Path) -> Iterator[ToolPackage]:
    with ToolPackage(tmp_path) as package:
        yield package


def test_a_function_of_a_module_is_found_with_what_it_takes_and_answers(package: ToolPackage) -> None:
    package.declare("""
        class Client: ...

        @tool(name="cmm_claim_search", title="Claims", description="Looks up a claim.")
        @tool_hint(category_key="cmm", mapping_id="CLC1")
        async def claim_search(request: Request, client: Client, context: ToolContext) -> Response: ...
    """)
    found = find(package)
    (tool,) = found.tools
    module = sys.modules[f"{package.name}.biz.cmm.usecase"]
    assert found.problems == ()
    assert (tool.name, tool.declaration.category_key, tool.declaration.mapping_id) == (
        "cmm_claim_search",
        "cmm",
        "CLC1",
    )
    assert (tool.function, tool.owner) == (module.claim_search, None)
    assert (tool.request, tool.request_parameter) == (module.Request, "request")
    assert (tool.response, tool.context_parameter) == (module.Response, "context")
    assert tool.dependencies == {"client": module.Client}
    assert str(tool.place) == f"src/{package.name}/biz/cmm/usecase.py:{line(5)}:1"


def test_several_methods_of_a_class_are_found_in_the_order_of_their_names(package: ToolPackage) -> None:
    package.declare("""
        class Claims:
            def __init__(self, count: int) -> None: ...
            @tool(name="cmm_b", title="B", description="b.")
            async def b(self, request: Request) -> Response: return Response(status="b")
            @tool(name="cmm_a", title="A", description="a.")
            async def a(self) -> Response: return Response(status="a")
    """)
    found = find(package)
    assert found.problems == ()
    assert [(tool.name, tool.request_parameter, tool.function.__name__) for tool in found.tools] == [
        ("cmm_a", None, "a"),
        ("cmm_b", "request", "b"),
    ]
    assert {tool.owner.__name__ for tool in found.tools if tool.owner} == {"Claims"}


def test_a_protocol_declares_and_the_class_that_inherits_from_it_runs(package: ToolPackage) -> None:
    package.declare("""
        class ClaimUseCase(Protocol):
            @tool(name="cmm_claim_search", title="Claims", description="Looks up a claim.")
            @tool_hint(register=True, category_key="cmm", mapping_id="CLCNNB00001")
            async def search_claim(self, request: Request, context: ToolContext) -> Response: ...
    """)
    package.write(
        "biz/cmm/impl.py",
        """
        from PACKAGE.biz.cmm.usecase import ClaimUseCase

        class ClaimUseCaseImpl(ClaimUseCase):
            async def search_claim(self, wanted, who):
                return None
        """,
    )
    found = find(package)
    (tool,) = found.tools
    assert found.problems == ()
    assert tool.owner is not None
    assert tool.owner.__name__ == "ClaimUseCaseImpl"
    assert tool.function is vars(tool.owner)["search_claim"]
    assert (tool.request_parameter, tool.context_parameter) == ("wanted", "who")
    assert tool.request is not None
    assert tool.request.__name__ == "Request"


def test_an_abstract_base_class_and_a_plain_one_with_empty_methods_declare_too(package: ToolPackage) -> None:
    package.declare("""
        from abc import ABC, abstractmethod

        class First(ABC):
            @abstractmethod
            @tool(name="cmm_first", title="F", description="f.")
            async def first(self, request: Request) -> Response:
                '''Say first.'''

        class Second:
            @tool(name="cmm_second", title="S", description="s.")
            async def second(self, request: Request) -> Response:
                raise NotImplementedError("second")

        class Both(First, Second):
            async def first(self, request: Request) -> Response: return Response(status="1")
            async def second(self, request: Request) -> Response: return Response(status="2")
    """)
    found = find(package)
    assert found.problems == ()
    assert [(tool.name, tool.owner.__name__) for tool in found.tools if tool.owner] == [
        ("cmm_first", "Both"),
        ("cmm_second", "Both"),
    ]


def test_a_decorator_that_keeps_an_async_function_is_welcome(package: ToolPackage) -> None:
    package.declare("""
        import functools
        def timed(function):
            @functools.wraps(function)
            async def run(*arguments, **named):
                return await function(*arguments, **named)
            return run

        @timed
        @tool(name="cmm_a", title="A", description="a.")
        async def a(request: Request) -> Response: return Response(status="a")

        @tool(name="cmm_b", title="B", description="b.")
        @timed
        async def b(request: Request) -> Response: return Response(status="b")
    """)
    found = find(package)
    assert found.problems == ()
    assert [tool.name for tool in found.tools] == ["cmm_a", "cmm_b"]
    assert all(inspect.iscoroutinefunction(tool.function) for tool in found.tools)


def test_folders_without_init_and_other_names_for_the_decorators_are_found(package: ToolPackage) -> None:
    package.write(
        "deep/er/still.py",
        """
        import axhub.toolkit.declare as ax
        from axhub.toolkit.models import Output

        class Answer(Output): ...

        @ax.tool(name="cmm_deep", title="D", description="d.")
        async def deep() -> Answer: ...
        """,
    )
    assert [tool.name for tool in find(package).tools] == ["cmm_deep"]


def test_the_module_that_makes_the_service_is_not_imported_unless_it_declares_tools(package: ToolPackage) -> None:
    package.write("app.py", "def ToolService(name): raise RuntimeError(name)\napp = ToolService('PACKAGE')\n")
    package.write("__main__.py", "raise RuntimeError('started')\n")
    package.write("biz/cmm/test_claims.py", "raise RuntimeError('tested')\n")
    assert find(package) == Found((), ())
    package.declare(
        """
        def ToolService(name): return name
        app = ToolService("PACKAGE")
        @tool(name="cmm_a", title="A", description="a.")
        async def a() -> Response: ...
        """,
        "app.py",
    )
    assert [tool.name for tool in find(package).tools] == ["cmm_a"]


def test_a_name_that_stands_twice_is_reported_at_the_second_place(package: ToolPackage) -> None:
    package.declare("""
        @tool(name="cmm_a", title="A", description="a.")
        async def a(request: Request) -> Response: ...
        @tool(name="cmm_a", title="A", description="a.")
        async def b(request: Request) -> Response: ...
    """)
    found = find(package)
    file = f"src/{package.name}/biz/cmm/usecase.py"
    assert [tool.function.__name__ for tool in found.tools] == ["a", "b"]
    assert [text_of(problem)[0] for problem in found.problems] == [
        f"the tool name cmm_a is declared also at {file}:{line(2)}:1"
    ]


def test_a_file_that_no_import_reaches_is_named_if_it_declares_tools(package: ToolPackage) -> None:
    package.declare(
        '@tool(name="cmm_a", title="A", description="a.")\nasync def a() -> Response: ...', "biz/my-claims.py"
    )
    package.write("notes-of-old.py", "x = 1")
    assert only_problem(find(package), package) == (
        "unimportable",
        "src/PACKAGE/biz/my-claims.py:1",
        "the file declares tools, but my-claims is no name that Python can import; rename it to my_claims",
    )


def test_what_a_module_raises_comes_through(package: ToolPackage) -> None:
    package.write("biz/cmm/usecase.py", "import no_such_module_of_ours\n")
    with pytest.raises(ModuleNotFoundError, match="no_such_module_of_ours"):
        find(package)
    package.write("biz/cmm/usecase.py", "app = ToolService(\n")
    with pytest.raises(SyntaxError, match="never closed"):
        find(package)
    with pytest.raises(ModuleNotFoundError, match="no_such_package_of_ours"):
        find_tools("no_such_package_of_ours")
    with pytest.raises(ImportError, match=r"^keyword is a single module; a Tool Service is a package"):
        find_tools("keyword")


PROTOCOL = """
        class Claims(Protocol):
            @tool(name="cmm_a", title="A", description="a.")
            async def a(self, request: Request, context: ToolContext) -> Response: ...
"""


@pytest.mark.parametrize(
    ("parameters", "request_parameter", "context_parameter"),
    [
        ("ctx: ToolContext, asked: Request", "asked", "ctx"),
        ("asked: Request, ctx: ToolContext", "asked", "ctx"),
        ("ctx: ToolContext | None, asked", "asked", "ctx"),
        ("context, request", "request", "context"),
        ("asked, ctx", "asked", "ctx"),
        ("asked: Input, ctx: ToolContext", "asked", "ctx"),
    ],
)
def test_parameters_of_an_implementing_method_are_placed_by_type_then_by_name_then_by_order(
    package: ToolPackage, parameters: str, request_parameter: str, context_parameter: str
) -> None:
    package.declare(f"""{PROTOCOL}
        class Impl(Claims):
            async def a(self, {parameters}): return Response(status="a")
    """)
    found = find(package)
    assert found.problems == ()
    (tool,) = found.tools
    assert (tool.request_parameter, tool.context_parameter) == (request_parameter, context_parameter)


@pytest.mark.parametrize(
    ("method", "kind", "text"),
    [
        (
            "async def a(self, request: Other, context: ToolContext) -> Response: ...",
            "other-request",
            "Impl.a takes Other, but PACKAGE.biz.cmm.usecase.Claims.a declares Request; take Request there too",
        ),
        (
            "async def a(self, request: Request, context: ToolContext) -> Answer: ...",
            "other-answer",
            "Impl.a answers Answer, but PACKAGE.biz.cmm.usecase.Claims.a declares Response; return Response there too",
        ),
        (
            "async def a(self, request: Request, context: ToolContext) -> dict[str, str]: ...",
            "other-answer",
            (
                "Impl.a answers dict[str, str], but PACKAGE.biz.cmm.usecase.Claims.a declares Response; "
                "return Response there too"
            ),
        ),
        (
            "async def a(self, request: ToolContext, context: ToolContext) -> Response: ...",
            "two-contexts",
            "PACKAGE.biz.cmm.usecase.Impl.a takes the ToolContext twice: request, context; keep one of them",
        ),
        (
            "async def a(self, request: 'Nowhere', context: ToolContext) -> Response: ...",
            "unknown-type",
            (
                "the type of request of PACKAGE.biz.cmm.usecase.Impl.a cannot be found: Nowhere (name 'Nowhere' is not "
                "defined); import it at the top of the module, not only under TYPE_CHECKING"
            ),
        ),
        (
            "async def a(self, request: Request) -> Response: ...",
            "other-parameters",
            (
                "Impl.a takes other parameters than PACKAGE.biz.cmm.usecase.Claims.a declares: (self, request: Request)"
                " instead of (self, request: Request, context: ToolContext); "
                "give it the same parameters: (self, request: Request, context: ToolContext)"
            ),
        ),
    ],
)
def test_an_implementing_method_with_other_types_is_named(
    package: ToolPackage, method: str, kind: str, text: str
) -> None:
    package.declare(f"""
        class Other(Input): ...
        class Answer(Output): ...
        {PROTOCOL.strip()}
        class Impl(Claims):
            {method}
    """)
    found = only_problem(find(package), package)
    assert found == (kind, f"src/PACKAGE/biz/cmm/usecase.py:{line(7)}", text)


def test_an_implementing_method_may_take_more_and_answer_less(package: ToolPackage) -> None:
    package.declare(f"""
        class Less(Response): ...
        {PROTOCOL.strip()}
        class Impl(Claims):
            async def a(self, request: Input, context: ToolContext) -> Less: ...
    """)
    assert find(package).problems == ()
