"""Captured telegrams: hex text or bytes, one section or all, and what they come nearest to."""

from typing import Annotated

import pytest

from axhub.toolkit.mci import Envelope, Layout, MciCall, Num, Text
from axhub.toolkit.scaffold.mci.captured import NoHexError, bytes_of, recognised
from axhub.toolkit.scaffold.mci.telegrams import Declared, Telegrams

pytestmark = pytest.mark.req("toolkit/B1")


class Header(Layout):
    interface: Annotated[str, Text(5)]
    call: Annotated[str, Text(2)]
    result: Annotated[str, Text(1)] = ""


class Message(Layout):
    code: Annotated[str, Text(4)]


class ABCD1_I(Layout, id="ABCD1"):  # noqa: N801 - as interfaces are called
    number: Annotated[str, Text(6)]
    count: Annotated[int, Num(2)]


class ABCD1_O(Layout, id="ABCD1"):  # noqa: N801 - as interfaces are called
    number: Annotated[str, Text(6)]
    amount: Annotated[int, Num(4)]


def head(call: MciCall) -> Header:
    return Header(interface=call.interface_id, call=call.correlation_id[:2])


ENVELOPE = Envelope(
    header=Header,
    head=head,
    correlation="call",
    result="result",
    interface="interface",
    message=Message,
    message_always=False,
    error_code="code",
)
BOTH = (Declared(ABCD1_I, "cfpa"), Declared(ABCD1_O, "cfpa"))
WITH_ENVELOPE = Telegrams(BOTH, {"cfpa": ENVELOPE})


@pytest.mark.parametrize(
    ("content", "raw"),
    [
        (b"41 42\n43", b"ABC"),
        (b"# all of it\n4142 # two\r\n\t43\n", b"ABC"),
        (b"4a4B", b"JK"),
        (b"AB CD", b"\xab\xcd"),
        (b"A-0001  20260810", b"A-0001  20260810"),
        (b"414", b"414"),
        (b"", b""),
        ("홍길동".encode("euc-kr"), "홍길동".encode("euc-kr")),
    ],
)
def test_hex_text_is_read_as_such_and_everything_else_is_what_it_is(content: bytes, raw: bytes) -> None:
    assert bytes_of(content, certainly_hex=False) == raw


@pytest.mark.parametrize(
    ("content", "english", "korean"),
    [
        (
            b"41 42\n43 4g # g\n",
            "line 2, column 5: no hex digit; write 0-9 and a-f, two for each byte, and # before a comment",
            "2행 5열: 16진수 숫자가 아닙니다. 바이트마다 0-9, a-f 두 자리로 쓰고 주석 앞에는 #을 쓰십시오",
        ),
        (
            b"41 4\n",
            "there are 3 hex digits; each byte has two, so one is missing or one too many",
            "16진수 숫자가 3개입니다. 바이트마다 두 자리이므로 하나가 빠졌거나 남습니다",
        ),
    ],
)
def test_a_file_that_should_be_hex_text_and_is_not_is_told_where(content: bytes, english: str, korean: str) -> None:
    with pytest.raises(NoHexError) as refused:
        bytes_of(content, certainly_hex=True)
    assert refused.value.text == (english, korean)


@pytest.mark.parametrize(
    ("raw", "whole", "name", "sections"),
    [
        (b"A-000102", None, "ABCD1_I", [("ABCD1_I", 0, b"A-000102")]),
        (b"A-00010012", None, "ABCD1_O", [("ABCD1_O", 0, b"A-00010012")]),
        (b"ABCD17f A-000102", None, "ABCD1_I", [("Header", 0, b"ABCD17f "), ("ABCD1_I", 8, b"A-000102")]),
        (b"ABCD17f0A-00010012", None, "ABCD1_O", [("Header", 0, b"ABCD17f0"), ("ABCD1_O", 8, b"A-00010012")]),
        (b"ABCD17f1E001", None, "ABCD1_O", [("Header", 0, b"ABCD17f1"), ("Message", 8, b"E001")]),
        (b"ABCD17f0A-000100x2", None, "ABCD1_O", [("Header", 0, b"ABCD17f0"), ("ABCD1_O", 8, b"A-000100x2")]),
        (b"XXXXX7f0A-00010012", True, "ABCD1_O", [("Header", 0, b"XXXXX7f0"), ("ABCD1_O", 8, b"A-00010012")]),
        (b"A-000100", False, "ABCD1_I", [("ABCD1_I", 0, b"A-000100")]),
        (b"A-000112x", None, "ABCD1_I", [("ABCD1_I", 0, b"A-000112x")]),
        (b"ABCD17f A-00010012", None, "ABCD1_I", [("Header", 0, b"ABCD17f "), ("ABCD1_I", 8, b"A-00010012")]),
        (b"", None, "ABCD1_O", [("ABCD1_O", 0, b"")]),
    ],
)
def test_a_telegram_is_taken_for_what_it_fits_or_comes_nearest_to(
    raw: bytes, whole: bool | None, name: str, sections: list[tuple[str, int, bytes]]
) -> None:
    shown = recognised(raw, BOTH, WITH_ENVELOPE, whole=whole)
    assert (shown.declared.name, shown.whole) == (name, sections[0][0] == "Header")
    assert [(part.layout.__name__, part.offset, part.raw) for part in shown.sections] == sections


class Numbered(Layout):
    interface: Annotated[str, Text(5)]
    call: Annotated[str, Text(2)]
    result: Annotated[int, Num(1)] = 0


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        (b"ABCD17f0A-00010012", "ABCD1_O"),
        (b"ABCD17f0A-0001x012", "ABCD1_O"),
        (b"ABCD17f0A-000112", "ABCD1_I"),
        (b"ABCD17f1", "ABCD1_O"),
    ],
)
def test_a_result_that_is_a_number_does_not_tell_an_answer_from_a_request(raw: bytes, name: str) -> None:
    envelope = Envelope(
        header=Numbered,
        head=lambda call: Numbered(interface=call.interface_id, call=call.correlation_id[:2]),
        correlation="call",
        result="result",
        interface="interface",
    )
    assert recognised(raw, BOTH, Telegrams(BOTH, {"cfpa": envelope}), whole=None).declared.name == name


def test_a_length_before_a_whole_telegram_is_left_out_of_it() -> None:
    telegrams = Telegrams(BOTH, {"cfpa": ENVELOPE}, {"cfpa": 4})
    shown = recognised(b"\x00\x00\x00\x12ABCD17f0A-00010012", BOTH, telegrams, whole=None)
    assert (shown.declared.name, shown.before, shown.fits) == ("ABCD1_O", 4, True)
    assert [(part.offset, part.raw) for part in shown.sections] == [(4, b"ABCD17f0"), (12, b"A-00010012")]
    assert recognised(b"ABCD17f0A-00010012", BOTH, telegrams, whole=True).before == 0


def test_without_an_envelope_there_are_only_data_sections() -> None:
    shown = recognised(b"ABCD17f0A-00010012", BOTH, Telegrams(BOTH), whole=True)
    assert (shown.whole, shown.fits, len(shown.sections)) == (False, False, 1)


@pytest.mark.parametrize(
    ("wanted", "system", "found"),
    [
        ("ABCD1", None, ["ABCD1_I", "ABCD1_O"]),
        ("abcd1_o", None, ["ABCD1_O"]),
        ("ABCD1", "cfpa", ["ABCD1_I", "ABCD1_O"]),
        ("ABCD1", "other", []),
        ("ABCD2", None, []),
        ("", None, []),
    ],
)
def test_layouts_are_found_by_interface_or_by_class(wanted: str, system: str | None, found: list[str]) -> None:
    assert [one.name for one in WITH_ENVELOPE.of(wanted, system)] == found
