"""What stands in a module is noted with resolved names and exact places."""

from pathlib import Path

import pytest

from axhub.toolkit.facts.service import Call, Class, Function, Import, Layer, Literal, Located, Place
from support.service_projects import facts_of, module_of

USECASE = "src/my_tools/biz/cmm/usecase.py"
NAME = "my_tools.biz.cmm.usecase"


def at(line: int, column: int, file: str = USECASE) -> Place:
    return Place(file, line, column)


@pytest.mark.req("toolkit/T4")
@pytest.mark.parametrize(
    ("path", "layer", "part"),
    [
        ("biz/cmm/dto.py", Layer.DTO, "cmm"),
        ("biz/cmm/dto/claim.py", Layer.DTO, "cmm"),
        ("biz/cmm/converter/__init__.py", Layer.CONVERTER, "cmm"),
        ("biz/cmm/usecase.py", Layer.USECASE, "cmm"),
        ("biz/cmm/claim/usecase.py", Layer.USECASE, "cmm"),
        ("biz/cmm/words.py", Layer.OTHER, "cmm"),
        ("biz/__init__.py", Layer.OTHER, ""),
        ("infra/http/claim/client.py", Layer.CLIENT, "claim"),
        ("infra/http/claim.py", Layer.CLIENT, "claim"),
        ("infra/http/claim/io.py", Layer.IO, "claim"),
        ("infra/mci/cfpa/io/clcnnb.py", Layer.IO, "cfpa"),
        ("infra/mci/cfpa/__init__.py", Layer.CLIENT, "cfpa"),
        ("infra/files.py", Layer.OTHER, ""),
        ("app.py", Layer.OTHER, ""),
    ],
)
def test_a_modules_layer_follows_from_its_folder(tmp_path: Path, path: str, layer: Layer, part: str) -> None:
    module = module_of(tmp_path, "", path)
    assert (module.layer, module.part) == (layer, part)


def test_imports_are_absolute_wherever_they_stand(tmp_path: Path) -> None:
    text = """\
    import os.path
    import numpy as np
    from . import dto
    from .dto import Request as R
    from ...infra.http import claim
    def f():
        from my_tools import app
    """
    assert module_of(tmp_path, text).imports == (
        Import("os.path", "", at(1, 8), "os.path"),
        Import("numpy", "", at(2, 8), "np"),
        Import("my_tools.biz.cmm", "dto", at(3, 15), "dto"),
        Import("my_tools.biz.cmm.dto", "Request", at(4, 18), "R"),
        Import("my_tools.infra.http", "claim", at(5, 27), "claim"),
        Import("my_tools", "app", at(7, 26), "app"),
    )


def test_calls_name_what_they_call_through_every_kind_of_import(tmp_path: Path) -> None:
    text = """\
    import os.path as p
    import logging
    from ..cmm import dto
    from .dto import Request as R
    class Item: ...
    def f(logging_, dto2):
        p.join("a", *x)
        logging.info(dto.Answer(1), extra={"a": R})
        R(name=Item())
        print(x)[0]()
    def g(logging):
        logging.info()
    """
    calls = module_of(tmp_path, text).calls
    assert [(call.callee, call.resolved, call.function, call.place.line) for call in calls] == [
        ("p.join", "os.path.join", f"{NAME}.f", 7),
        ("logging.info", "logging.info", f"{NAME}.f", 8),
        ("dto.Answer", "my_tools.biz.cmm.dto.Answer", f"{NAME}.f", 8),
        ("R", "my_tools.biz.cmm.dto.Request", f"{NAME}.f", 9),
        ("Item", f"{NAME}.Item", f"{NAME}.f", 9),
        ("print(x)[0]", "print(x)[0]", f"{NAME}.f", 10),
        ("print", "print", f"{NAME}.f", 10),
        ("logging.info", "logging.info", f"{NAME}.g", 12),
    ]
    assert calls[0] == Call("p.join", "os.path.join", f"{NAME}.f", ("'a'", "*x"), {}, at(7, 5))
    assert calls[1].keywords == {"extra": "{'a': R}"}


def test_a_name_that_a_package_passes_on_is_resolved_to_where_it_comes_from(tmp_path: Path) -> None:
    facts = facts_of(
        tmp_path,
        {
            "infra/http/claim/__init__.py": "from my_tools.infra.http.claim.io import Body\n",
            "infra/http/claim/io.py": "class Body: ...\n",
            "words.py": "from my_tools.infra.http.claim import *\nfrom my_tools.words import Body\n",
            "biz/cmm/usecase.py": """\
            from my_tools.infra.http.claim import Body
            from my_tools import words
            from my_tools.words import *
            def f():
                Body()
                words.Body.new()
            """,
        },
    )
    usecase = next(module for module in facts.modules if module.path == USECASE)
    assert [call.resolved for call in usecase.calls] == [
        "my_tools.infra.http.claim.io.Body",
        "my_tools.words.Body.new",  # it imports itself: what goes round in a circle stays as it is
    ]


def test_literals_say_what_they_are_given_to_and_docstrings_are_none(tmp_path: Path) -> None:
    text = '''\
    """Module."""
    HOST = "http://a"
    LISTED = ["b", "c"]
    class A(Base, status=404):
        """Class."""
        timeout: int = -5
        """About the timeout."""
        def f(self, wait=2.5, *, name="n", other=None):
            """Method."""
            self.key = f"x{name}y"
            call(b"bytes", token="t", flag=True)
            d["secret"] = {"password": "p", 1: "q"}
            return 3 if (url := "u") else 4
    '''
    assert [(found.value, found.name) for found in module_of(tmp_path, text).literals] == [
        ("http://a", "HOST"),
        ("b", "LISTED"),
        ("c", "LISTED"),
        (404, "status"),
        (5, "timeout"),
        (2.5, "wait"),
        ("n", "name"),
        ("x", "key"),
        ("y", "key"),
        ("bytes", ""),
        ("t", "token"),
        ("secret", ""),
        ("password", ""),
        ("p", "password"),
        (1, ""),
        ("q", ""),
        (3, ""),
        ("u", "url"),
        (4, ""),
    ]


def test_columns_count_characters_also_after_korean(tmp_path: Path) -> None:
    text = 'f("청구번호", x="보험")\n'
    assert module_of(tmp_path, text).literals == (Literal("청구번호", "", at(1, 3)), Literal("보험", "x", at(1, 13)))


DESCRIBED = """\
    from __future__ import annotations
    from typing import Annotated, Literal, Protocol
    from my_tools.biz.cmm.dto import Request
    import axhub.toolkit as t
    class Use(Protocol[int], Request):
        API_NAME = "claims"
        kind: Literal["a"] = "b"
        @t.tool(name="x")
        async def run(self, request: "Request | None", *more: Annotated[Request, "Request"], k: Literal["Request"]
            ) -> list[Request]: ...
    @t.output_schema
    class Answer: ...
    def plain(a, /, **rest): ...
    """


def test_classes_are_described_with_resolved_names(tmp_path: Path) -> None:
    assert module_of(tmp_path, DESCRIBED).classes == (
        Class(
            name="Use",
            qualified=f"{NAME}.Use",
            bases=("typing.Protocol", "my_tools.biz.cmm.dto.Request"),
            decorators=(),
            constants={"API_NAME": Located("claims", at(6, 16)), "kind": Located("b", at(7, 26))},
            annotations={"kind": Located("Literal['a']", at(7, 5))},
            methods=("run",),
            place=at(5, 1),
        ),
        Class("Answer", f"{NAME}.Answer", (), ("axhub.toolkit.output_schema",), {}, {}, (), at(12, 1)),
    )


def test_functions_are_described_with_resolved_annotations(tmp_path: Path) -> None:
    request = "my_tools.biz.cmm.dto.Request"
    assert module_of(tmp_path, DESCRIBED).functions == (
        Function(
            name="run",
            qualified=f"{NAME}.Use.run",
            parameters={
                "self": Located("", at(9, 19)),
                "request": Located(f"{request} | None", at(9, 25)),
                "more": Located(f"typing.Annotated[{request}, 'Request']", at(9, 53)),
                "k": Located("typing.Literal['Request']", at(9, 90)),
            },
            returns=Located(f"list[{request}]", at(10, 14)),
            is_async=True,
            place=at(9, 5),
        ),
        Function(
            name="plain",
            qualified=f"{NAME}.plain",
            parameters={"a": Located("", at(13, 11)), "rest": Located("", at(13, 19))},
            returns=Located("", at(13, 1)),
            is_async=False,
            place=at(13, 1),
        ),
    )


def test_what_a_constructor_keeps_and_what_variables_are_made_of_is_noted(tmp_path: Path) -> None:
    text = """\
    from my_tools.infra import Client
    class Use:
        limit: int
        size: int = 3
        def __init__(self, client: Client, other):
            self._client = self.same = client
            self.port: object = other
            self.made = Client()
        async def run(self, client):
            answer = await client.call(1)
            item: object = Client(answer)
            if (found := self._client.find()):
                self.x = y = found
            def inner():
                late = Client()
    """
    found = module_of(tmp_path, text)
    client = "my_tools.infra.Client"
    assert found.classes[0].held == {"limit": "int", "_client": client, "same": client, "port": ""}
    assert [function.made for function in found.functions] == [
        {},
        {"answer": "client.call", "item": client, "found": "self._client.find"},
        {"late": client},
    ]


def test_environment_variables_are_seen_in_all_their_forms(tmp_path: Path) -> None:
    text = """\
    import os
    from os import environ, getenv as g
    A = os.environ["A_KEY"]
    B = os.environ.get("B_KEY", "")
    C = environ["C_KEY"]
    D = g("D_KEY")
    E = environ.get(name)
    """
    found = module_of(tmp_path, text).environment
    assert [(one.value, one.place.line, one.place.column) for one in found] == [
        ("A_KEY", 3, 16),
        ("B_KEY", 4, 20),
        ("C_KEY", 5, 13),
        ("D_KEY", 6, 7),
    ]


@pytest.mark.req("toolkit/T4")
@pytest.mark.parametrize(
    ("content", "problem", "line", "column"),
    [
        (b"def f(:\n", "invalid syntax", 1, 7),
        ("x = '보험\n".encode(), "unterminated string literal (detected at line 1)", 1, 5),
        ("x = 1\n# 보험\n".encode("euc-kr"), "the file is not UTF-8", 2, 1),
        (b"x = 1\0\n", "source code string cannot contain null bytes", 1, 1),
        (b"x = 1\n\n" + b"(" * 300, "too many nested parentheses", 3, 201),
    ],
)
def test_a_file_that_cannot_be_read_is_a_problem_and_the_others_are_read(
    tmp_path: Path, content: bytes, problem: str, line: int, column: int
) -> None:
    (tmp_path / "src/my_tools/biz").mkdir(parents=True)
    (tmp_path / "src/my_tools/biz/bad.py").write_bytes(content)
    facts = facts_of(tmp_path, {"app.py": "x = 1\n"})
    assert [found.value for found in facts.problems] == [problem]
    assert facts.problems[0].place == at(line, column, "src/my_tools/biz/bad.py")
    assert [module.path for module in facts.modules] == ["src/my_tools/__init__.py", "src/my_tools/app.py"]


def test_a_byte_order_mark_windows_lines_and_odd_escapes_are_no_problem(tmp_path: Path) -> None:
    (tmp_path / "src/my_tools").mkdir(parents=True)
    (tmp_path / "src/my_tools/app.py").write_bytes('\ufeffa = "보"; b = "\\d"\r\nc = "험"; d = "e"\r\n'.encode())
    facts = facts_of(tmp_path, {})
    literals = next(module for module in facts.modules if module.path.endswith("app.py")).literals
    assert [(found.name, found.place.line, found.place.column) for found in literals] == [
        ("a", 1, 5),
        ("b", 1, 14),
        ("c", 2, 5),
        ("d", 2, 14),
    ]
