"""Whatever layout somebody declares, what is written can be read, and what is read can be written (toolkit/B5)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from axhub.toolkit.mci import Layout, TelegramError, from_plain, to_plain
from support.layouts import CLCNNB00001_O, Made, claims, layouts

pytestmark = pytest.mark.req("toolkit/B5")

SECRET = "주민등록번호"
WRONG = st.sampled_from([None, True, 1.5, 10**200, -1, SECRET * 50, "\ud800", b"", [], object(), claims()])


@given(layouts(), st.data())
def test_what_is_written_is_read_as_it_was(made: Made, data: st.DataObject) -> None:
    layout, values = made
    value = data.draw(values)
    raw = value.encode()
    assert layout.decode(raw) == value
    assert layout.decode(memoryview(raw)).encode() == raw
    assert layout.layout_size in {None, len(raw)}


@given(layouts(), st.data())
def test_a_value_has_a_plain_form_that_makes_it_again(made: Made, data: st.DataObject) -> None:
    layout, values = made
    value = data.draw(values)
    assert from_plain(layout, to_plain(value)) == value


@given(layouts(), st.data())
def test_a_damaged_telegram_is_refused_with_its_place_or_is_another_value_that_goes_round(
    made: Made, data: st.DataObject
) -> None:
    layout, values = made
    raw = bytearray(data.draw(values).encode())
    for _ in range(data.draw(st.integers(1, 3))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    _check_any_bytes(layout, bytes(raw))


@given(layouts(), st.binary(max_size=300))
def test_any_bytes_are_refused_with_their_place_or_are_a_value_that_goes_round(made: Made, raw: bytes) -> None:
    layout = made[0]
    _check_any_bytes(layout, (raw * 300)[: layout.layout_size] if raw else raw)


def _check_any_bytes(layout: type[Layout], raw: bytes) -> None:
    assert layout.table(raw, unmask=True).startswith("OFFSET")
    refusal = value = None
    try:
        value = layout.decode(raw)
    except TelegramError as error:
        refusal = error
    if refusal is not None:
        assert 0 <= refusal.offset <= len(raw)
        place = f"Made.{refusal.field} @byte {refusal.offset}: " if refusal.field else "Made: "
        assert str(refusal).startswith(place)
    elif value is not None and layout.__charset__ != "utf-8":  # where a host may have sent text that is not composed
        assert layout.decode(value.encode()) == value


@given(layouts(), st.data())
def test_any_wrong_value_is_refused_with_its_place_and_never_shown(made: Made, data: st.DataObject) -> None:
    layout, values = made
    fields = [field.name for field in layout.layout_fields if field.kind != "Filler"]
    if not fields:
        return
    changed = data.draw(values).__replace__(**{data.draw(st.sampled_from(fields)): data.draw(WRONG)})
    assert SECRET not in repr(changed)
    raw, refusal = None, None
    try:
        raw = changed.encode()
    except TelegramError as error:
        refusal = error
    assert SECRET not in repr(_behind(refusal))
    if raw is not None:
        assert layout.decode(raw).encode() == raw


def _behind(error: BaseException | None) -> list[Any]:
    """Return everything that the causes of an error hold."""
    held = []
    while error is not None:
        held += [str(error), error.args, vars(error)]
        error = error.__cause__ or error.__context__
    return held


@given(rows=st.integers(0, 5))
def test_the_layout_of_the_guide_goes_round(rows: int) -> None:
    value = claims(rows)
    assert CLCNNB00001_O.decode(value.encode()) == value
    assert value.row_count == rows
