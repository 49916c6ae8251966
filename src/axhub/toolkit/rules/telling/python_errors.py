"""What Python and Pydantic say when a package cannot be imported, in Korean where the kind can be told apart.

The English side of a message stays as Python wrote it, since that is what people search for. In Korean what is not
known here stands in quotes, as a foreign text.
"""

import re
from typing import Final

from axhub.toolkit.rules.model import Text

__all__ = ["of_python"]

_KNOWN: Final[tuple[tuple[re.Pattern[str], str], ...]] = tuple(
    (re.compile(pattern), korean)
    for pattern, korean in (
        (r"No module named '(.+)'", r"\1 모듈이 없음"),
        (
            r"cannot import name '(.+?)' from partially initialized module '(.+?)'.*",
            r"\2 모듈에서 \1 이름을 가져올 수 없음. 모듈이 서로를 가져옴(순환 import)",
        ),
        (r"cannot import name '(.+?)' from '(.+?)'.*", r"\2 모듈에 \1 이름이 없음"),
        (r"attempted relative import beyond top-level package", "상대 import가 패키지 밖을 가리킴"),
        (r"name '(.+?)' is not defined.*", r"정의하지 않은 이름 \1"),
        (r"(?:partially initialized )?module '(.+?)' has no attribute '(.+?)'.*", r"\1 모듈에 \2 이름이 없음"),
        (r"'(.+?)' object has no attribute '(.+?)'.*", r"\1 값에 \2 속성이 없음"),
        (r"type object '(.+?)' has no attribute '(.+?)'.*", r"\1 클래스에 \2 속성이 없음"),
        (
            r"(.+?)\(\) missing [0-9]+ required (?:positional|keyword-only) arguments?: (.+)",
            r"\1() 호출에 \2 인자가 없음",
        ),
        (r"(.+?)\(\) got an unexpected keyword argument '(.+?)'.*", r"\1() 호출에 없는 인자 \2"),
        (r"(.+?)\(\) got multiple values for argument '(.+?)'", r"\1() 호출에 \2 인자가 두 번 있음"),
        (
            r"(.+?)\(\) takes (\S+(?: to \S+)?) positional arguments? but (\S+) w(?:as|ere) given",
            r"\1() 호출의 인자 수가 다름(\2개인데 \3개)",
        ),
        (r"'(.+?)' object is not callable", r"\1 값은 호출할 수 없음"),
        (r"'(.+?)' object is not subscriptable|type '(.+?)' is not subscriptable", "[]를 붙일 수 없는 값"),
        (r"unsupported operand type\(s\) for (\S+): (.+) and (.+)", r"\2와 \3 사이에 쓸 수 없는 연산 \1"),
        (r"non-default argument '(.+?)' follows default argument.*", r"기본값 없는 \1이(가) 기본값 있는 것 뒤에 있음"),
        (r"\[Errno 2\] No such file or directory: (.+)", r"\1 파일이나 폴더가 없음"),
        (r"\[Errno 13\] Permission denied: (.+)", r"\1 접근 권한이 없음"),
        (r"division by zero", "0으로 나눔"),
        (r"invalid literal for int\(\) with base 10: (.+)", r"\1은(는) 정수가 아님"),
        (r"could not convert string to float: (.+)", r"\1은(는) 숫자가 아님"),
        (r"maximum recursion depth exceeded.*", "재귀 호출이 끝나지 않음"),
        # Python's grammar
        (r"invalid syntax\. Perhaps you forgot a comma\?", "문법에 맞지 않음. 쉼표가 빠진 듯함"),
        (
            r"invalid syntax\. Maybe you meant '(.+?)' (?:instead of|or) '(.+?)'.*",
            r"문법에 맞지 않음. '\2' 대신 '\1'인 듯함",
        ),
        (r"invalid syntax", "문법에 맞지 않음"),
        (r"expected '(.+?)'", r"여기에 '\1' 기호가 있어야 함"),
        (r"'(.)' was never closed", r"'\1' 괄호를 닫지 않음"),
        (r"unmatched '(.)'", r"'\1' 괄호에 짝이 없음"),
        (r"closing parenthesis '(.)' does not match opening parenthesis '(.)'.*", r"괄호 '\2'을(를) '\1'로 닫음"),
        (r"unterminated (?:triple-quoted )?(?:f-)?string literal.*|EOL while scanning.*", "문자열을 닫지 않음"),
        (r"unexpected EOF while parsing", "파일이 도중에 끝남"),
        (r"unexpected indent", "들여쓰기가 더 들어가 있음"),
        (r"unindent does not match any outer indentation level", "들여쓰기가 앞의 어느 줄과도 맞지 않음"),
        (r"expected an indented block.*", "다음 줄을 들여 써야 함"),
        (r"inconsistent use of tabs and spaces in indentation", "들여쓰기에 탭과 공백이 섞임"),
        (r"invalid character '(.)' \((U\+[0-9A-F]+)\)", r"쓸 수 없는 문자 '\1'(\2)"),
        (r"invalid non-printable character (U\+[0-9A-F]+)", r"보이지 않는 문자 \1"),
        (r"invalid (decimal|octal|hexadecimal) literal", "숫자를 잘못 적음"),
        (r"leading zeros in decimal integer literals.*", "숫자가 0으로 시작함"),
        (r"cannot assign to (.+?)(?: here.*)?", "값을 넣을 수 없는 것에 값을 넣음"),
        (r"positional argument follows keyword argument.*", "이름 없는 인자가 이름 있는 인자 뒤에 있음"),
        (r"keyword argument repeated: (\w+)", r"인자 \1이(가) 두 번 있음"),
        (r"duplicate argument '(\w+)'.*", r"매개변수 \1이(가) 두 번 있음"),
        (
            r"(?:parameter without a default|non-default argument) follows .*",
            "기본값 없는 매개변수가 기본값 있는 것 뒤에 있음",
        ),
        (r"'(return|yield|await|break|continue)'.* (?:outside|not properly in) .*", r"\1을(를) 쓸 수 없는 곳에 있음"),
        (
            r"source code string cannot contain null bytes|source code cannot contain null bytes",
            "파일에 NUL 문자가 있음",
        ),
        (r".*codec can't decode byte.*|\(unicode error\).*", "UTF-8이 아닌 바이트가 있음"),
        # regular expressions
        (r"unclosed group", "괄호를 닫지 않음"),
        (r"unopened group", "열지 않은 괄호를 닫음"),
        (r"unclosed character class", "대괄호를 닫지 않음"),
        (r"unclosed counted repetition", "중괄호를 닫지 않음"),
        (r"look-around, including look-ahead and look-behind, is not supported", "전후방 탐색을 쓸 수 없음"),
        (r"backreferences are not supported", "역참조를 쓸 수 없음"),
        (r"unrecognized escape sequence", "없는 이스케이프"),
        (r"unrecognized flag", "없는 플래그"),
        (r"repetition operator missing expression", "반복 기호 앞에 반복할 것이 없음"),
        (r"repetition quantifier expects a valid decimal", "반복 횟수가 숫자가 아님"),
        (r"invalid repetition count range, the start must be <= the end", "반복 횟수의 범위가 거꾸로임"),
        (r"invalid character class range, the start must be <= the end", "문자 범위가 거꾸로임"),
        (r"incomplete escape sequence, reached end of pattern prematurely", "정규식이 역슬래시로 끝남"),
        (r"Unicode property not found", "없는 유니코드 속성"),
        # the operating system
        (r"Permission denied", "권한 없음"),
        (r"Is a directory", "파일이 아니라 폴더임"),
        (r"Not a directory", "폴더가 아님"),
        (r"No such file or directory", "그런 파일이나 폴더가 없음"),
        (r"Too many levels of symbolic links", "링크가 돌고 돎"),
        (r"Input/output error", "입출력 오류"),
        (r"File name too long", "파일 이름이 너무 긺"),
        # Pydantic
        (r"A non-annotated attribute was detected: `(\w+) = .*", r"필드 \1에 타입 표기가 없음"),
        (
            r"Unable to generate pydantic-core schema for .*",
            "모델의 필드로 쓸 수 없는 타입이 있음",
        ),
        (r"`(\w+)` is not fully defined; .*", r"\1 모델에 아직 정의하지 않은 타입이 있음"),
        (r"Field name \"?(\w+)\"? (?:in|shadows) .*", r"필드 이름 \1이(가) 상위 클래스의 것을 가림"),
        (
            r"Field '(\w+)' defined on a base class was overridden by a non-annotated attribute.*",
            r"상위 클래스의 필드 \1에 타입 표기 없이 값을 넣음",
        ),
        (
            r"(?:Model )?`?(?:Fields|Field names) must not (?:start with|use names with) leading underscores.*",
            "필드 이름이 밑줄로 시작함",
        ),
        (
            r"the process ended with code (\S+) while the package was imported: (.*)",
            r'가져오는 동안 프로세스가 코드 \1(으)로 끝남. 마지막 출력 "\2"',
        ),
        (r"the import took longer than (\S+) seconds", r"가져오는 데 \1초가 넘게 걸림"),
    )
)
_TYPED: Final = re.compile(r"(?P<kind>[A-Za-z_][\w.]*): (?P<said>.+)", re.DOTALL)
_TYPE: Final = re.compile(r"[A-Za-z_][\w.]*")


def of_python(said: str) -> Text:
    """Return what Python says, in both languages.

    Args:
        said: a message, with or without the type of the error before it: `NameError: name 'x' is not defined`.
    """
    whole = _in_korean(said)
    if whole is not None:
        return Text(said, whole)
    typed = _TYPED.fullmatch(said)
    if typed is not None:
        korean = _in_korean(typed["said"])
        return Text(said, f"{typed['kind']}: " + (f'"{typed["said"]}"' if korean is None else korean))
    return Text(said, said if _TYPE.fullmatch(said) else f'"{said}"')


def _in_korean(said: str) -> str | None:
    for pattern, korean in _KNOWN:
        if (match := pattern.fullmatch(said.rstrip("."))) is not None:
            return match.expand(korean)
    return None
