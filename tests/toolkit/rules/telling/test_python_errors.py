"""What Python and Pydantic say about an import, in Korean where the kind is known (rule/TK001, rule/TK002)."""

from typing import Any

import pytest

from axhub.toolkit.rules.model import Text
from axhub.toolkit.rules.telling.python_errors import of_python

pytestmark = pytest.mark.req("rule/TK001", "rule/TK002")


def said_of(source: str) -> str:
    """Return what the inspection would pass on about a source that fails while it runs, or cannot be compiled."""
    try:
        exec(compile(source, "<source>", "exec"), {})
    except SyntaxError as error:
        return f"{type(error).__name__}: {error.msg}"
    except Exception as error:  # noqa: BLE001 - whatever a source of this file raises
        kind = type(error)
        module = "" if kind.__module__ == "builtins" else f"{kind.__module__}."
        return f"{module}{kind.__qualname__}: {str(error).splitlines()[0]}"
    raise AssertionError


@pytest.mark.parametrize(
    ("source", "korean"),
    [
        ("import no_such", "ModuleNotFoundError: no_such 모듈이 없음"),
        ("from json import no_such", "ImportError: json 모듈에 no_such 이름이 없음"),
        ("print(no_such)", "NameError: 정의하지 않은 이름 no_such"),
        ("import json; json.no_such", "AttributeError: json 모듈에 no_such 이름이 없음"),
        ("(1).no_such", "AttributeError: int 값에 no_such 속성이 없음"),
        ("int.no_such", "AttributeError: int 클래스에 no_such 속성이 없음"),
        ("def f(a): ...\nf()", "TypeError: f() 호출에 'a' 인자가 없음"),
        ("def f(a): ...\nf(b=1)", "TypeError: f() 호출에 없는 인자 b"),
        ("def f(a): ...\nf(1, 2)", "TypeError: f() 호출의 인자 수가 다름(1개인데 2개)"),
        ("x = 1\nx()", "TypeError: int 값은 호출할 수 없음"),
        ("open('no_such')", "FileNotFoundError: 'no_such' 파일이나 폴더가 없음"),
        ("int('x')", "ValueError: 'x'은(는) 정수가 아님"),
        ("x = (", "SyntaxError: '(' 괄호를 닫지 않음"),
        ("x = )", "SyntaxError: ')' 괄호에 짝이 없음"),
        ("x = (]", "SyntaxError: 괄호 '('을(를) ']'로 닫음"),
        ("if 1\n  x = 1", "SyntaxError: 여기에 ':' 기호가 있어야 함"),
        ("x = [1 2]", "SyntaxError: 문법에 맞지 않음. 쉼표가 빠진 듯함"),
        ("def def", "SyntaxError: 문법에 맞지 않음"),
        ("x = 'a", "SyntaxError: 문자열을 닫지 않음"),
        ("  x = 1", "IndentationError: 들여쓰기가 더 들어가 있음"),
        ("if 1:\nx = 1", "IndentationError: 다음 줄을 들여 써야 함"),
        ("if 1:\n    x = 1\n  y = 2", "IndentationError: 들여쓰기가 앞의 어느 줄과도 맞지 않음"),
        ("if 1:\n\tx = 1\n        y = 2", "TabError: 들여쓰기에 탭과 공백이 섞임"),
        ("x = f(a=1, a=2)", "SyntaxError: 인자 a이(가) 두 번 있음"),
        ("x = f(a=1, 2)", "SyntaxError: 이름 없는 인자가 이름 있는 인자 뒤에 있음"),
        ("def f(a=1, b): ...", "SyntaxError: 기본값 없는 매개변수가 기본값 있는 것 뒤에 있음"),
        ("x = 1\uff0c2", "SyntaxError: 쓸 수 없는 문자 '\uff0c'(U+FF0C)"),
        ("return 1", "SyntaxError: return을(를) 쓸 수 없는 곳에 있음"),
        ("x = 007", "SyntaxError: 숫자가 0으로 시작함"),
        (
            "from pydantic import BaseModel\nclass A(BaseModel):\n    x = 1",
            "pydantic.errors.PydanticUserError: 필드 x에 타입 표기가 없음",
        ),
        (
            "from pydantic import BaseModel\nclass B: ...\nclass A(BaseModel):\n    x: B",
            "pydantic.errors.PydanticSchemaGenerationError: 모델의 필드로 쓸 수 없는 타입이 있음",
        ),
        (
            "from pydantic import BaseModel\nclass A(BaseModel):\n    x: 'B'\nA(x=1)",
            "pydantic.errors.PydanticUserError: A 모델에 아직 정의하지 않은 타입이 있음",
        ),
        (
            "from pydantic import BaseModel\nclass A(BaseModel):\n    _x: int = 1\n    __y = 2\nA.model_fields['z']",
            "KeyError: \"'z'\"",
        ),
    ],
)
def test_what_it_says_is_kept_in_english_and_put_into_korean(source: str, korean: str) -> None:
    said = said_of(source)
    assert of_python(said) == Text(said, korean)


@pytest.mark.parametrize(
    ("said", "korean"),
    [
        ("RuntimeError", "RuntimeError"),
        ("RuntimeError: the vault is closed", 'RuntimeError: "the vault is closed"'),
        ("something else", '"something else"'),
        (
            "the process ended with code -9 while the package was imported: Killed",
            '가져오는 동안 프로세스가 코드 -9(으)로 끝남. 마지막 출력 "Killed"',
        ),
        (
            (
                "ImportError: cannot import name 'a' from partially initialized module 'b' (most likely due to a "
                "circular import) (b.py)"
            ),
            "ImportError: b 모듈에서 a 이름을 가져올 수 없음. 모듈이 서로를 가져옴(순환 import)",
        ),
    ],
)
def test_what_is_not_known_stands_in_quotes(said: str, korean: Any) -> None:
    assert of_python(said) == Text(said, korean)
