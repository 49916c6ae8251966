"""What is said about samples of MCI systems and their telegrams, in both languages; patterns for `saying`."""

from typing import Final

__all__ = ["SENTENCES"]

_PLACE: Final = r"((?:\S+: )?)"
_KINDS: Final = (
    ("overflow", "the value is too long", "값이 필드보다 김"),
    ("charset", "a character that the telegram's code page lacks", "전문의 문자 집합에 없는 문자"),
    ("half", "half a character at the end", "끝에 잘린 문자"),
    ("digits", "digits are needed", "숫자가 필요함"),
    ("sign", "a sign is needed there", "부호가 필요함"),
    ("scale", "more decimal places than the field has", "소수 자릿수가 필드보다 많음"),
    ("blank", "it is blank", "공백임"),
    ("missing", "there is no value", "값이 없음"),
    ("type", "a value of another type", "값의 타입이 다름"),
    ("date", "there is no such date", "없는 날짜"),
    ("count", "the count is not that of the rows", "건수가 행 수와 다름"),
)
"""Kinds of `TelegramError`, but for the length of a whole telegram."""

SENTENCES: Final = (
    (r"interface", "interface", "인터페이스"),
    (
        r"the telegram (\w+) has ([0-9]+) bytes instead of ([0-9]+)",
        r"the telegram \1 has \2 bytes instead of \3",
        r"전문 \1의 길이가 \3바이트가 아니라 \2바이트임",
    ),
    (
        r"the telegram (\w+) cannot be made at (\S+), byte ([0-9]+): (telegram-\w+(?: [0-9]+)*)",
        r"the telegram \1 does not work out at \2, byte \3: \4",
        r"전문 \1의 \2(\3바이트째)에서 막힘: \4",
    ),
    (
        r"telegram-rows ([0-9]+) ([0-9]+)",
        r"there are \1 rows, and the layout has \2",
        r"행이 \1개인데 레이아웃에는 \2개임",
    ),
    *((f"telegram-{kind}", english, korean) for kind, english, korean in _KINDS),
    (
        r"its members are none of (\w+): (.*)",
        r"its members are none of the layout \1 (\2)",
        r"레이아웃 \1의 필드와 맞지 않음(\2)",
    ),
    (rf"{_PLACE}(\w+) has no such field", r"\1\2 has no such field", r"\1레이아웃 \2에 없는 필드"),
    (rf"{_PLACE}(\w+) lacks (.+)", r"\1\2 lacks \3", r"\1레이아웃 \2의 \3 값이 없음"),
    (
        rf"{_PLACE}an object of (\w+) has to be here",
        r"\1an object is needed for \2",
        r"\1레이아웃 \2의 object가 필요함",
    ),
    (rf"{_PLACE}a list has to be here", r"\1a list is needed", r"\1목록이 필요함"),
    (rf"{_PLACE}a text has to be here", r"\1a text is needed", r"\1문자열이 필요함"),
    (rf"{_PLACE}a whole number has to be here", r"\1a whole number is needed", r"\1정수가 필요함"),
    (
        rf"{_PLACE}a whole number, or a text with a decimal number, has to be here",
        r"\1a whole number, or a text with a decimal number, is needed",
        r"\1정수나 소수를 적은 문자열이 필요함",
    ),
    (rf"{_PLACE}a text such as (\S+) has to be here", r"\1a text such as \2 is needed", r"\1\2 같은 문자열이 필요함"),
    (
        r"not readable as hexadecimal digits in UTF-8 \(.*\)",
        "a captured telegram has to be pairs of hexadecimal digits",
        "캡처한 전문은 16진수 두 자리씩이어야 함",
    ),
    (
        r"it has to be an object with the fields of the answer",
        "it has to be an object with the fields of the answer",
        "응답의 필드를 적은 object여야 함",
    ),
    (
        r"(request|answer) has to be an object with the fields (?:that a request must have|of the answer)",
        r"\1 has to be an object with its fields",
        r"\1 값은 그 필드를 적은 object여야 함",
    ),
    (
        r"error has to be an object such as (.*)",
        r"error has to be an object such as \1",
        r"error 값은 \1 같은 object여야 함",
    ),
)
"""Pattern, English, Korean; what stands in a group is looked up too."""
