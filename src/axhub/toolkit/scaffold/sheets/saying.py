"""What is said about a sheet's faults: what is wrong, and what to write instead, in both languages."""

from collections.abc import Sequence
from typing import Final

from axhub.toolkit.rules.model import Text

__all__ = [
    "EMPTY",
    "count",
    "digits",
    "group_size",
    "kind",
    "lonely",
    "moment_size",
    "name",
    "no_members",
    "not_here",
    "occurs",
    "orphan",
    "required",
    "reserved",
    "scale",
    "scale_of",
    "sign",
    "size",
    "too_few_digits",
    "total",
    "twice",
]

EMPTY: Final = Text(
    "there is no field in it; write a row of headers, field,type,size, and one row for each field below it",
    "필드가 없습니다. 머리글 행(필드명,타입,길이)을 쓰고 그 아래에 필드마다 한 행씩 쓰십시오",
)


def kind(cell: str) -> Text:
    """The type is none that is known."""
    return Text(
        f'"{cell}" is no type; write text, num, packed, date, time, filler, or group for one that has members',
        f'"{cell}"은(는) 타입이 아닙니다. 문자, 숫자, packed, 날짜, 시각, 예비, 또는 하위 필드가 있는 그룹 중 '
        "하나로 쓰십시오",
    )


def name(cell: str) -> Text:
    """No field can be called so."""
    return Text(
        f'"{cell}" cannot be the name of a field; write a-z, 0-9 and _, the first a letter, at most 40 of them, and '
        "no word of Python, such as CLAIM_NO or claimNo",
        f'"{cell}"은(는) 필드 이름이 될 수 없습니다. 영문자로 시작하고 영문자, 숫자, _만으로 40자 이내로 쓰되 '
        "Python 예약어가 아니어야 합니다. 예: CLAIM_NO, claimNo",
    )


def reserved(cell: str) -> Text:
    """Every layout has something else of that name."""
    return Text(
        f'"{cell}" cannot be the name of a field, since it means something else in every layout; write another, '
        f"such as {cell}_value",
        f'"{cell}"은(는) 레이아웃에서 다른 뜻으로 쓰는 이름입니다. {cell}_value처럼 다른 이름을 쓰십시오',
    )


def size(cell: str) -> Text:
    """The size is no number of bytes."""
    return Text(
        f'"{cell}" is no size; write the number of bytes, from 1 to 99999',
        f'"{cell}"은(는) 길이가 아닙니다. 1에서 99999까지의 바이트 수를 쓰십시오',
    )


def moment_size(cell: str, kind: str, sizes: Sequence[int]) -> Text:
    """No day or time of day is written in so many bytes."""
    listed = ", ".join(str(one) for one in sizes)
    return Text(
        f"no {kind} is written in {cell} bytes; the sizes are {listed}: write one of them, or another type, text for "
        "instance",
        f"{kind} 타입에는 {cell}바이트가 없습니다. {listed} 중 하나로 쓰거나 text처럼 다른 타입을 쓰십시오",
    )


def required(cell: str) -> Text:
    """Whether the field is always filled is not to be understood."""
    return Text(
        f'"{cell}" does not say whether the field is always filled; write Y or N',
        f'"{cell}"(으)로는 필수 여부를 알 수 없습니다. Y 또는 N으로 쓰십시오',
    )


def scale(cell: str) -> Text:
    """The scale is no number."""
    return Text(
        f'"{cell}" is no scale; write how many of the digits are behind the decimal point, or leave it empty',
        f'"{cell}"은(는) 소수 자릿수가 아닙니다. 소수점 아래 자릿수를 쓰거나 비워 두십시오',
    )


def scale_of(cell: str, digits: int) -> Text:
    """More digits behind the point than there are."""
    return Text(
        f'the scale "{cell}" is more than the {digits} digits of the field; write at most {digits}',
        f'소수 자릿수 "{cell}"이(가) 필드의 전체 자릿수 {digits}보다 큽니다. {digits} 이하로 쓰십시오',
    )


def digits(found: int, most: int) -> Text:
    """A number of no digits, or of more than any has."""
    return Text(
        f"a number of this size has {found} digits; let it have 1 to {most}, or write another type, text for instance",
        f"이 길이의 숫자는 {found}자리입니다. 1~{most}자리가 되게 고치거나 text처럼 다른 타입을 쓰십시오",
    )


def sign(cell: str) -> Text:
    """Nobody knows where such a sign stands."""
    return Text(
        f'"{cell}" says nothing of a sign; write leading, trailing or overpunch, or leave it empty for none',
        f'"{cell}"은(는) 부호 위치가 아닙니다. 앞(leading), 뒤(trailing), overpunch 중 하나로 쓰거나 '
        "부호가 없으면 비워 두십시오",
    )


def occurs(cell: str) -> Text:
    """How often a group stands there is not to be understood."""
    return Text(
        f'"{cell}" does not say how often the group stands there; write 5 (always), 5 ROW_CNT (always 5, the field '
        "ROW_CNT says how many count) or 0-5 ROW_CNT (as many as ROW_CNT says)",
        f'"{cell}"(으)로는 반복 횟수를 알 수 없습니다. 5(항상 5건), 5 ROW_CNT(자리는 항상 5건, 실제 건수는 ROW_CNT), '
        "0-5 ROW_CNT(ROW_CNT 건수만큼만 있음) 중 하나로 쓰십시오",
    )


def not_here(key: str, cell: str, kinds: str) -> Text:
    """A column that means nothing for this kind of field has a value."""
    return Text(
        f'"{cell}" means nothing here: only fields of type {kinds} have {key}; leave it empty'
        + (", and put a row of type group above what repeats" if key == "occurs" else ""),
        f'여기에는 "{cell}" 값을 쓸 수 없습니다. {key}은(는) 타입이 {kinds}인 필드에만 씁니다. 비워 두십시오'
        + (". 반복되는 필드 위에는 타입이 group인 행을 따로 두십시오" if key == "occurs" else ""),
    )


def twice(shown: str, first: int) -> Text:
    """A name stands there for the second time."""
    return Text(
        f'"{shown}" is the name of row {first} already; give one of them another',
        f'"{shown}"은(는) {first}행에 이미 있는 이름입니다. 둘 중 하나의 이름을 바꾸십시오',
    )


def orphan(shown: str, group: str) -> Text:
    """A member stands apart from its group."""
    return Text(
        f'"{shown}" belongs to a group "{group}", which is not the one above it; put a row "{group}" of type group '
        "directly above its members",
        f'"{shown}"이(가) 속한 그룹 "{group}"이(가) 바로 위에 없습니다. 타입이 group인 "{group}" 행을 '
        "하위 필드 바로 위에 두십시오",
    )


def no_members(shown: str) -> Text:
    """A group is empty."""
    return Text(
        f'the group "{shown}" has no members; write them below it, each with "{shown}." before its name',
        f'그룹 "{shown}"에 하위 필드가 없습니다. 그 아래에 "{shown}."으로 시작하는 이름으로 하위 필드를 쓰십시오',
    )


def lonely(shown: str) -> Text:
    """Room for so many rows cannot be kept, since nobody knows how long one is."""
    return Text(
        f'the group "{shown}" always has the same number of rows, and a row of it varies in length, since a group in '
        f'it stands there as often as a count says; write a fixed number there, or let "{shown}" vary too, such as '
        "0-5 ROW_CNT",
        f'그룹 "{shown}"은(는) 자리 수가 고정인데, 그 안의 그룹이 건수만큼만 있어 한 건의 길이가 변합니다. 안쪽 그룹에 '
        f'고정된 횟수를 쓰거나, "{shown}"도 0-5 ROW_CNT처럼 건수만큼만 있게 쓰십시오',
    )


def count(shown: str, field: str) -> Text:
    """The field that counts a group's rows is none that could."""
    return Text(
        f'"{field}" does not count the group "{shown}": it has to be a num above it, in the same group, without scale '
        "or sign and always filled; write the name of that field",
        f'"{field}"은(는) 그룹 "{shown}"의 건수 필드가 될 수 없습니다. 같은 그룹 안에서 그 위에 있고, 소수와 부호가 '
        "없으며 항상 채워지는 숫자 필드의 이름을 쓰십시오",
    )


def too_few_digits(shown: str, field: str, most: int) -> Text:
    """The field that counts a group's rows is too short for so many."""
    return Text(
        f'"{field}" has too few digits to count the {most} rows of the group "{shown}"; correct its size, or the '
        "number of rows",
        f'"{field}"은(는) 자릿수가 모자라 그룹 "{shown}"의 {most}건을 나타낼 수 없습니다. 그 필드의 길이나 반복 횟수를 '
        "고치십시오",
    )


def group_size(said: int, inner: int, times: int) -> Text:
    """The size of a group is not that of its members."""
    whole = f"{inner}" if times == 1 else f"{inner} ({inner * times} for all {times})"
    whole_ko = f"{inner}" if times == 1 else f"{inner}({times}건 합계 {inner * times})"
    return Text(
        f"the size {said} is not that of the members, {whole}; correct it, or leave it empty",
        f"길이 {said}이(가) 하위 필드의 합계 {whole_ko}와 다릅니다. 고치거나 비워 두십시오",
    )


def total(said: str, found: int) -> Text:
    """The size of all is not that of the fields."""
    return Text(
        f'the total "{said}" is not the sum of all sizes, {found}; look for the field whose size is wrong or missing',
        f'합계 "{said}"이(가) 모든 길이의 합 {found}와 다릅니다. 길이가 틀리거나 빠진 필드를 찾으십시오',
    )
