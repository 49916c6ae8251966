"""Header, message and data, one by one: what a system refused, and what it did not answer to us (toolkit/B3)."""

import re
from datetime import UTC, datetime
from decimal import Decimal
from typing import Annotated, Any

import pytest

from axhub.toolkit import LegacyError
from axhub.toolkit.mci import (
    CorrelationError,
    Date,
    Envelope,
    Filler,
    Layout,
    MciCall,
    Num,
    Rows,
    TelegramError,
    Text,
)
from support.layouts import CLCNNB00001_O, ClaimRow, claims

pytestmark = pytest.mark.req("toolkit/B3")

CALL = MciCall(
    interface_id="CLCNNB00001",
    correlation_id="0123456789abcdef" * 2,
    trace_id="t",
    request_id="r",
    sent_at=datetime(2026, 1, 31, 9, 5, 1, tzinfo=UTC),
)


class Header(Layout):
    guid: Annotated[str, Text(32)]
    interface: Annotated[str, Text(11)]
    sent: Annotated[datetime, Date("YYYYMMDDHHMMSS")]
    result: Annotated[int, Num(4)] = 0
    reserve: Annotated[None, Filler(3)] = None


class Placed(Header):
    place: Annotated[str, Text(3)] = ""


class Message(Layout):
    code: Annotated[str, Text(8)]
    text: Annotated[str, Text(20, overflow="cut")]


class CLCNNB00001_I(Layout, id="CLCNNB00001"):  # noqa: N801 - interfaces are named like this
    claim_no: Annotated[str, Text(16)]


def head(call: MciCall) -> Header:
    return Header(guid=call.correlation_id, interface=call.interface_id, sent=call.sent_at)


def envelope(**changes: Any) -> Envelope:
    options: dict[str, Any] = {
        "header": Header,
        "head": head,
        "correlation": "guid",
        "result": "result",
        "interface": "interface",
        "message": Message,
        "error_code": "code",
        "error_text": "text",
    }
    return Envelope(**{**options, **changes})


PLAIN = envelope(message=None, error_code="", error_text="", failure="9")
SOMETIMES = envelope(message_always=False)
ALL = [envelope(), PLAIN, SOMETIMES]
REQUEST = CLCNNB00001_I(claim_no="CLM202608100001")
SENT = envelope().request(CALL, REQUEST)


def test_a_request_is_header_and_data() -> None:
    assert SENT.raw == b"0123456789abcdef0123456789abcdefCLCNNB00001202601310905010000   CLM202608100001 "
    assert SENT.header == head(CALL).__replace__(sent=CALL.sent_at.replace(tzinfo=None))  # no zone is written
    header, data = envelope().read_request(SENT.raw, CLCNNB00001_I)
    assert (header.encode(), data) == (SENT.header.encode(), REQUEST)


@pytest.mark.parametrize("one", ALL)
def test_the_data_of_an_answer_are_read_behind_its_other_sections(one: Envelope) -> None:
    raw = one.build_answer(SENT.header, claims())
    assert one.answer(raw, SENT.header, CLCNNB00001_O) == claims()


@pytest.mark.parametrize("one", [envelope(), SOMETIMES])
def test_a_refusal_has_the_code_and_the_words_of_the_system_and_needs_no_data(one: Envelope) -> None:
    raw = one.build_answer(SENT.header, error=("CLM0404", "없는 청구번호입니다"))
    assert len(raw) == 64 + 28
    for answer in (raw, raw + b"whatever else it sends"):
        with pytest.raises(LegacyError, match=r"^CLM0404$") as caught:
            one.answer(answer, SENT.header, CLCNNB00001_O)
        assert caught.value.message == "없는 청구번호입니다"


@pytest.mark.parametrize("words", ["가나다라마바사아자차".encode("euc-kr")[:-1] + b" ", "똠방각하".encode("cp949")])
def test_a_refusal_whose_words_cannot_be_read_keeps_its_code(words: bytes) -> None:
    raw = envelope().build_answer(SENT.header, error=("CLM0404", "x" * 20))
    with pytest.raises(LegacyError, match=r"^CLM0404$") as caught:
        envelope().answer(raw[:72] + words.ljust(20), SENT.header, CLCNNB00001_O)
    assert (caught.value.message, caught.value.__context__) == ("", None)


def test_a_refusal_whose_code_cannot_be_read_is_told_with_its_place() -> None:
    raw = envelope().build_answer(SENT.header, error=("CLM0404", "x"))
    with pytest.raises(TelegramError, match=r"^Message\.code @byte 0: from its byte 0 on it is not euc-kr$"):
        envelope().answer(raw[:64] + b"\xff" + raw[65:], SENT.header, CLCNNB00001_O)


@pytest.mark.parametrize("one", [envelope(), envelope(error_text="")])
def test_a_refusal_whose_message_is_cut_is_told(one: Envelope) -> None:
    raw = one.build_answer(SENT.header, error=("CLM0404", "x"))
    with pytest.raises(TelegramError, match=r"^Message: 27 bytes came, and 28 are laid down$"):
        one.answer(raw[:-1], SENT.header, CLCNNB00001_O)


def test_a_refusal_without_a_message_section_has_the_result_code() -> None:
    raw = PLAIN.build_answer(SENT.header, error=("17", "nobody reads this"))
    with pytest.raises(LegacyError, match=r"^17$") as caught:
        PLAIN.answer(raw, SENT.header, CLCNNB00001_O)
    assert caught.value.message == ""


def test_a_refusal_that_ends_with_its_header_has_the_result_code() -> None:
    raw = envelope().build_answer(SENT.header, error=("X", "y"))[:64]
    with pytest.raises(LegacyError, match=r"^1$"):
        envelope().answer(raw, SENT.header, CLCNNB00001_O)


def test_a_blank_code_of_a_refusal_gives_way_to_the_result_code() -> None:
    raw = envelope().build_answer(SENT.header, error=("", "why"))
    with pytest.raises(LegacyError, match=r"^1$") as caught:
        envelope().answer(raw, SENT.header, CLCNNB00001_O)
    assert caught.value.message == "why"


@pytest.mark.parametrize("one", ALL)
@pytest.mark.parametrize("error", [None, ("1", "x")])
def test_an_answer_to_somebody_else_is_refused_before_anything_else_of_it_is_looked_at(
    one: Envelope, error: tuple[str, str] | None
) -> None:
    other = SENT.header.__replace__(guid="f" * 32)
    raw = one.build_answer(other, claims() if error is None else None, error=error)
    with pytest.raises(CorrelationError, match=r"^Header\.guid: the answer belongs to another request$"):
        one.answer(raw, SENT.header, CLCNNB00001_O)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda raw: raw[:10], "Header: 10 bytes came, and 64 are laid down"),
        (lambda raw: raw[:70], "Message: 6 bytes came, and 28 are laid down"),
        (lambda raw: raw[:-1], "CLCNNB00001_O: 174 bytes came, and 175 are laid down"),
        (lambda raw: raw + b" ", "CLCNNB00001_O: 176 bytes came, and 175 are laid down"),
        (lambda raw: raw[:57] + b"00 0" + raw[61:], "Header.result @byte 57: not all of it is ASCII digits"),
    ],
)
def test_each_section_is_told_apart_when_an_answer_is_damaged(damage: Any, message: str) -> None:
    raw = damage(envelope().build_answer(SENT.header, claims()))
    with pytest.raises(TelegramError, match=f"^{re.escape(message)}$"):
        envelope().answer(raw, SENT.header, CLCNNB00001_O)


def test_result_codes_of_success_are_those_that_the_envelope_says() -> None:
    lenient = envelope(success=frozenset({"0", "3"}))
    raw = lenient.build_answer(SENT.header.__replace__(result=3), claims())
    raw = raw[:57] + b"0003" + raw[61:]
    assert lenient.answer(raw, SENT.header, CLCNNB00001_O) == claims()
    with pytest.raises(LegacyError, match=r"^3$"):
        envelope().answer(raw, SENT.header, CLCNNB00001_O)


def test_the_sections_of_a_captured_telegram_are_told_with_their_places() -> None:
    answer = envelope().build_answer(SENT.header, claims())
    refusal = SOMETIMES.build_answer(SENT.header, error=("X", "y"))
    assert _places(envelope().sections(SENT.raw, CLCNNB00001_I, answer=False)) == [("Header", 0), ("CLCNNB00001_I", 64)]
    assert _places(envelope().sections(answer, CLCNNB00001_O)) == [
        ("Header", 0),
        ("Message", 64),
        ("CLCNNB00001_O", 92),
    ]
    assert _places(SOMETIMES.sections(refusal, CLCNNB00001_O)) == [("Header", 0), ("Message", 64)]
    assert _places(PLAIN.sections(b"?", CLCNNB00001_O)) == [("Header", 0), ("CLCNNB00001_O", 64)]
    assert b"".join(part for _, _, part in envelope().sections(answer, CLCNNB00001_O)) == answer


def _places(sections: Any) -> list[tuple[str, int]]:
    return [(layout.__name__, offset) for layout, offset, _ in sections]


@pytest.mark.parametrize(("data", "error"), [(None, None), (claims(), ("1", "x"))])
def test_a_mock_answers_with_data_or_with_an_error(data: Layout | None, error: tuple[str, str] | None) -> None:
    with pytest.raises(TypeError, match=r"^an answer has either data or an error$"):
        envelope().build_answer(SENT.header, data, error=error)


NO_SUCCESS = "success is a frozenset of at least one result code, and failure is none of them"


class Many(Layout):
    count: Annotated[int, Num(1)] = 0
    rows: Annotated[list[ClaimRow], Rows(max=2, count="count", fixed=False)]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"header": Many}, "Many varies in size; in an envelope only the data may"),
        ({"message": Many}, "Many varies in size; in an envelope only the data may"),
        ({"correlation": "uuid"}, "correlation='uuid' is no field of Header; write the name of one"),
        ({"result": ""}, "result='' is no field of Header; write the name of one"),
        ({"interface": "tr"}, "interface='tr' is no field of Header; write the name of one"),
        ({"error_code": "no"}, "error_code='no' is no field of Message; write the name of one"),
        ({"message": None}, "error_code='code' needs a message section; give message= too"),
        ({"success": frozenset()}, NO_SUCCESS),
        ({"success": "0"}, NO_SUCCESS),
        ({"failure": "0"}, NO_SUCCESS),
        (
            {"success": frozenset({"0", "0000"})},
            (
                "success='0000' is never the result: Header.result is a number, which has no zeros before it and no "
                "letters; write '0' instead of '0000', or let it be Text(4)"
            ),
        ),
        (
            {"failure": "E1"},
            (
                "failure='E1' is never the result: Header.result is a number, which has no zeros before it and no "
                "letters; write '0' instead of '0000', or let it be Text(4)"
            ),
        ),
        (
            {"header": Placed, "success": frozenset({"00000"}), "result": "place"},
            "success='00000' is never the result: Placed.place has 1 to 3 bytes; correct the code",
        ),
        (
            {"header": Placed, "success": frozenset({""}), "result": "place"},
            "success='' is never the result: Placed.place has 1 to 3 bytes; correct the code",
        ),
        (
            {"correlation": "reserve"},
            (
                "correlation='reserve': Header.reserve is a Filler, which tells no two answers apart; write the name "
                "of a Text, or of a Num of type int"
            ),
        ),
        (
            {"correlation": "sent"},
            (
                "correlation='sent': Header.sent is a Date, which tells no two answers apart; write the name of a "
                "Text, or of a Num of type int"
            ),
        ),
    ],
)
def test_an_envelope_that_cannot_be_taken_apart_is_refused_when_it_is_made(
    change: dict[str, Any], message: str
) -> None:
    with pytest.raises(TypeError, match=f"^{re.escape(message)}$"):
        envelope(**change)


def test_a_message_section_may_hold_numbers() -> None:
    class Numbers(Layout):
        code: Annotated[int, Num(4)]
        rate: Annotated[Decimal | None, Num(4)]

    one = envelope(message=Numbers, error_text="")
    with pytest.raises(LegacyError, match=r"^404$"):
        one.answer(one.build_answer(SENT.header, error=("404", "")), SENT.header, CLCNNB00001_O)
    assert one.answer(one.build_answer(SENT.header, claims()), SENT.header, CLCNNB00001_O) == claims()


def test_a_code_that_is_no_number_does_not_go_into_a_field_of_numbers() -> None:
    with pytest.raises(TelegramError, match=r"^Header\.result @byte 57: it takes int, and this is str$"):
        PLAIN.build_answer(SENT.header, error=("E17", ""))


def test_a_head_that_makes_something_else_is_told() -> None:
    with pytest.raises(TypeError, match=r"^head made CLCNNB00001_I, and the header is Header$"):
        envelope(head=lambda _call: REQUEST).request(CALL, REQUEST)


def test_a_head_that_leaves_the_correlation_out_is_told_since_any_answer_would_do() -> None:
    with pytest.raises(TypeError, match=r"^head left guid blank; write guid=call\.correlation_id$"):
        envelope(head=lambda call: head(call).__replace__(guid="  ")).request(CALL, REQUEST)


def test_the_answer_repeats_the_correlation_as_it_was_written() -> None:
    class Short(Layout):
        guid: Annotated[str, Text(10, overflow="cut")]
        result: Annotated[int, Num(1)] = 0

    one = envelope(header=Short, head=lambda call: Short(guid=f"A-{call.correlation_id}"), interface="")
    sent = one.request(CALL, REQUEST)
    assert sent.header == Short(guid="A-01234567")
    assert one.answer(one.build_answer(sent.header, claims()), sent.header, CLCNNB00001_O) == claims()


def test_a_blank_result_is_no_success() -> None:
    class Loose(Layout):
        guid: Annotated[str, Text(32)]
        result: Annotated[int | None, Num(4)]

    header = Loose(guid="a", result=None)
    one = envelope(header=Loose, interface="", message=None, error_code="", error_text="")
    with pytest.raises(LegacyError, match=r"^$"):
        one.answer(header.encode() + claims().encode(), header, CLCNNB00001_O)
