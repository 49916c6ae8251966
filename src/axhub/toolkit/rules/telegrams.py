"""Whether layouts of telegrams hold together: rule TK604 (seed 003 §9, toolkit/B1)."""

import re
from collections.abc import Iterator
from typing import Any, Final

from axhub.toolkit.facts.service import Facts, Place
from axhub.toolkit.facts.telegrams import ROWS, Telegram, TelegramField, Telegrams
from axhub.toolkit.rules.model import Breach, Message, Rule, Severity, Stage, Text
from axhub.toolkit.rules.telling.authored import nearest, quoted

__all__ = ["RULES", "owner_of", "refused_layouts", "refused_telegram"]

_NUM: Final = "Num"
_DATE: Final = "Date"
_FORMATS: Final = ("YYYYMMDD", "YYYY-MM-DD", "YYYYMMDDHHMMSS", "YYYYMMDDHHMMSSmmm", "HHMMSS")
_NO_SCHEMA: Final = re.compile(r"pydantic\.errors\.PydanticSchemaGenerationError: .*<class '([\w.]+)'>.*", re.DOTALL)


def owner_of(facts: Facts, interface: str) -> str | None:
    """Return the first tool that names an interface as its `mapping_id`."""
    for declared in facts.declared:
        found = declared.arguments.get("mapping_id")
        if interface and found is not None and found.value == interface:
            return declared.name
    return None


def _layouts(facts: Facts) -> Iterator[Breach]:
    telegrams = Telegrams(facts.telegrams)
    for telegram in facts.telegrams:
        tool = owner_of(facts, telegram.id)
        said = [*_fields(telegram), *_counts(telegram, telegrams)]
        for place, variant, values in said or _totals(telegram, telegrams):
            yield Breach(place, variant, {"layout": telegram.name, **values}, tool)


_Said = tuple[Place, str, dict[str, str | int]]


def _fields(telegram: Telegram) -> Iterator[_Said]:
    for again in telegram.twice:
        yield again.place, "twice", {"name": again.value}
    for one in telegram.fields:
        name = "max" if one.kind == ROWS else "size"
        size = one.argument(name, 1)
        values: dict[str, str | int] = {"name": one.name, "kind": one.kind, "size": quoted(size)}
        if size is not None and not _is_natural(size):
            yield one.place_of(name), "rows" if one.kind == ROWS else "size", values
        written = one.argument("format", _FORMATS[0])
        if one.kind == _DATE and written is not None and written not in _FORMATS:
            near = nearest(written, reversed(_FORMATS)) or _FORMATS[0]
            values |= {"format": quoted(written), "known": ", ".join(_FORMATS), "near": near}
            yield one.place_of("format"), "format", values


def _is_natural(size: Any) -> bool:
    return isinstance(size, int) and not isinstance(size, bool) and size > 0


def _counts(telegram: Telegram, telegrams: Telegrams) -> Iterator[_Said]:
    fields = telegrams.fields_of(telegram)
    names = [one.name for one in fields]
    for at, one in enumerate(fields):
        count = one.argument("count", "") if one.kind == ROWS else ""
        if not isinstance(count, str) or one not in telegram.fields:
            continue
        values: dict[str, str | int] = {"name": one.name, "count": count, "max": str(one.argument("max") or "…")}
        if not count:
            if one.argument("fixed", default=True) is False and "count" not in one.computed:
                yield one.place, "uncounted", values
        elif count not in names:
            near = nearest(count, names[:at])
            yield one.place_of("count"), "count" if near is None else "count-near", {**values, "near": near or ""}
        elif names.index(count) > at:
            yield fields[names.index(count)].place, "after", values
        elif not _counts_rows(fields[names.index(count)]):
            counting = fields[names.index(count)]
            yield counting.place, "kind", {**values, "size": str(counting.argument("size") or 3)}
        else:
            yield from _few(one, fields[names.index(count)], values)


def _few(rows: TelegramField, counting: TelegramField, values: dict[str, str | int]) -> Iterator[_Said]:
    """Find a count with too few digits for as many rows as there may be."""
    digits, most = counting.argument("size"), rows.argument("max")
    if _is_natural(digits) and _is_natural(most) and most >= 10**digits:
        yield counting.place_of("size"), "few", {**values, "size": len(str(most))}


def _counts_rows(one: TelegramField) -> bool:
    return one.kind in {_NUM, ""} and one.argument("scale", 0) in {0, None}


def _totals(telegram: Telegram, telegrams: Telegrams) -> Iterator[_Said]:
    declared = telegram.arguments.get("size")
    if declared is None or declared.value is None:
        return
    if telegrams.varies(telegram):
        yield declared.place, "varies", {"declared": str(declared.value)}
        return
    total = telegrams.size_of(telegram)
    if total is not None and total != declared.value:
        fields = telegrams.fields_of(telegram)
        sizes = ", ".join(_sized(one, telegrams) for one in fields)
        yield declared.place, "sum", {"declared": str(declared.value), "sum": total, "sizes": sizes or "-"}


def _sized(one: TelegramField, telegrams: Telegrams) -> str:
    size, rows = telegrams.bytes_of(one) or 0, one.argument("max") if one.kind == ROWS else None
    return f"{one.name} {size}" if rows is None else f"{one.name} {size} = {rows} x {size // rows}"


def refused_layouts(facts: Facts, cause: str) -> bool:
    """Say whether the import's error is about a layout of which TK604 tells what is wrong, where it stands."""
    told = {str(breach.values["layout"]) for breach in _layouts(facts)} if cause.startswith("TypeError: ") else set()
    return any(re.search(rf"\b{re.escape(name)}\b", cause) for name in told)


def refused_telegram(facts: Facts, cause: str) -> str | None:
    """Return the layout that a model holds, as the import's error says (rule/TK517); None if it says anything else."""
    found = _NO_SCHEMA.fullmatch(cause)
    telegram = None if found is None else Telegrams(facts.telegrams).get(found[1])
    return None if telegram is None else telegram.name


TK604: Final = Rule(
    id="TK604",
    severity=Severity.ERROR,
    stage=Stage.SOURCE,
    title=Text(
        "The fields of a layout have sizes, come to its declared size, and are counted by a field before them.",
        "전문 레이아웃의 필드에는 크기가 있고, 합이 선언한 크기와 같으며, 반복부의 건수 필드는 그 앞에 있어야 합니다.",
    ),
    why=Text(
        "A telegram has no names on the wire: one byte too many, and every field behind it is read wrong. So a layout "
        "says its total, as the interface's document does, and the check adds up. Sizes are bytes, signs included; of "
        "repeated rows `max` times one row. Source: seed 003 §9, toolkit/B1.",
        "전문에는 필드 이름이 없어서 한 바이트만 어긋나도 뒤의 모든 필드를 잘못 읽습니다. 그래서 인터페이스 정의서처럼 "
        "총 길이를 선언하고 검사가 더해 봅니다. 크기는 부호를 포함한 바이트 수이고, 반복부는 한 행의 크기에 `max`를 "
        "곱한 값입니다. 출처: 설계 가이드 003 §9, toolkit/B1.",
    ),
    messages={
        "size": Message(
            Text(
                "The size of {layout}.{name} is {size}, and a field takes at least one byte.",
                "{layout}.{name} 필드의 크기가 {size}입니다. 1바이트 이상이어야 합니다.",
            ),
            Text(
                "Write its bytes as the interface's document has them, for instance `{kind}(10)`, or remove the field.",
                "인터페이스 정의서의 바이트 수를 `{kind}(10)`처럼 쓰거나 필드를 지우십시오.",
            ),
        ),
        "rows": Message(
            Text(
                "{layout}.{name} has {size} rows at most, and at least one is needed.",
                "{layout}.{name} 반복부의 최대 행 수가 {size}입니다. 1 이상이어야 합니다.",
            ),
            Text(
                "Write how many rows the interface's document has, for instance `Rows(max=5)`, or remove the field.",
                "인터페이스 정의서의 행 수를 `Rows(max=5)`처럼 쓰거나 필드를 지우십시오.",
            ),
        ),
        "format": Message(
            Text(
                "The format of {layout}.{name} is {format}, which dates cannot have; they can have: {known}.",
                "{layout}.{name} 필드의 날짜 형식이 {format}입니다. 쓸 수 있는 형식: {known}.",
            ),
            Text('Write `Date("{near}")`.', '`Date("{near}")` 값을 쓰십시오.'),
        ),
        "twice": Message(
            Text(
                "The field {name} stands in {layout} a second time, and only one of both is read.",
                "{layout} 레이아웃에 {name} 필드가 두 번 있어 하나만 읽힙니다.",
            ),
            Text("Give this one a name of its own.", "이 필드에 다른 이름을 주십시오."),
        ),
        "sum": Message(
            Text(
                "The fields of {layout} come to {sum} bytes, and its declared size is {declared} ({sizes}).",
                "{layout} 레이아웃의 필드 합은 {sum}바이트인데 선언한 크기는 {declared}입니다({sizes}).",
            ),
            Text(
                "Correct the field that differs from the interface's document, or write `size={sum}`.",
                "인터페이스 정의서와 다른 필드를 고치거나 `size={sum}` 값을 쓰십시오.",
            ),
        ),
        "varies": Message(
            Text(
                "{layout} declares the size {declared}, and how many of its rows are sent varies.",
                "{layout} 레이아웃은 크기를 {declared}(으)로 선언했지만 보내는 행 수에 따라 길이가 달라집니다.",
            ),
            Text(
                "Remove `size={declared}`, or write `fixed=True` if all rows are sent always.",
                "`size={declared}` 값을 지우거나, 항상 모든 행을 보내면 `fixed=True`를 쓰십시오.",
            ),
        ),
        "count": Message(
            Text(
                "The rows `{name}` of {layout} are counted by {count}, and no field has that name.",
                "{layout} 레이아웃의 반복부 `{name}`의 건수 필드로 적은 {count} 필드가 없습니다.",
            ),
            Text(
                "Declare `{count}: Annotated[int, Num(3)] = 0` above it.",
                "그 위에 `{count}: Annotated[int, Num(3)] = 0` 필드를 선언하십시오.",
            ),
        ),
        "count-near": Message(
            Text(
                "The rows `{name}` of {layout} are counted by {count}, and no field has that name.",
                "{layout} 레이아웃의 반복부 `{name}`의 건수 필드로 적은 {count} 필드가 없습니다.",
            ),
            Text(
                'Did you mean {near}? Write `count="{near}"`.',
                '{near} 필드를 뜻했다면 `count="{near}"` 값을 쓰십시오.',
            ),
        ),
        "after": Message(
            Text(
                "The field {count} stands after the rows `{name}` of {layout} that it counts.",
                "건수 필드({count})가 자신이 세는 {layout} 레이아웃의 반복부 `{name}` 뒤에 있습니다.",
            ),
            Text(
                "Move it above `{name}`, where the interface's document has it.",
                "인터페이스 정의서의 위치대로 `{name}` 위로 옮기십시오.",
            ),
        ),
        "kind": Message(
            Text(
                "The field {count} counts the rows `{name}` of {layout}, and is no whole number.",
                "{layout} 레이아웃의 반복부 `{name}`의 건수 필드({count})가 정수 필드가 아닙니다.",
            ),
            Text(
                "Declare `{count}: Annotated[int, Num({size})] = 0`.",
                "`{count}: Annotated[int, Num({size})] = 0` 형식으로 선언하십시오.",
            ),
        ),
        "few": Message(
            Text(
                "The field {count} has too few digits for the {max} rows `{name}` of {layout}.",
                "건수 필드({count})의 자릿수로는 {layout} 레이아웃의 반복부 `{name}` {max}행을 나타낼 수 없습니다.",
            ),
            Text(
                "Give it {size} digits, `Num({size})`, or let `max` be smaller, as the interface's document says.",
                "인터페이스 정의서에 맞게 {size}자리 `Num({size})` 값을 쓰거나 `max`를 줄이십시오.",
            ),
        ),
        "uncounted": Message(
            Text(
                "The rows `{name}` of {layout} vary (`fixed=False`), and nothing says how many there are.",
                "{layout} 레이아웃의 반복부 `{name}`의 행 수가 달라지는데(`fixed=False`) 건수 필드가 없습니다.",
            ),
            Text(
                'Name the field that counts them, `count="row_count"`, or remove `fixed=False`.',
                '건수 필드를 `count="row_count"`처럼 적거나 `fixed=False`를 지우십시오.',
            ),
        ),
    },
    check=_layouts,
    bad='class CLCNNB00001_O(Layout, id="CLCNNB00001", size=175):\n'
    "    name: Annotated[str, Text(10)]\n    rate: Annotated[Decimal, Num(7, scale=4)]",
    good='class CLCNNB00001_O(Layout, id="CLCNNB00001", size=17):\n'
    "    name: Annotated[str, Text(10)]\n    rate: Annotated[Decimal, Num(7, scale=4)]",
)

RULES: Final = (TK604,)
