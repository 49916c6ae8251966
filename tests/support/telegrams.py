"""An MCI system's telegrams: header, message and data, with Korean texts and rows."""

from decimal import Decimal
from typing import Annotated, Final

from axhub.toolkit.mci import Envelope, Filler, Layout, MciCall, Num, Rows, Text


class Header(Layout):
    """What each telegram begins with: 80 bytes."""

    length: Annotated[int, Num(4)] = 0
    interface: Annotated[str, Text(11)]
    correlation: Annotated[str, Text(32)]
    sender: Annotated[str, Text(20)] = ""
    result: Annotated[str, Text(4)] = "0000"
    reserve: Annotated[None, Filler(9)] = None


class Message(Layout):
    """What an answer that is no success has in place of data."""

    code: Annotated[str, Text(8)]
    text: Annotated[str, Text(40, overflow="cut")]


class CLCNNB00001_I(Layout, id="CLCNNB00001"):  # noqa: N801 - interfaces have their system's names
    """What is asked."""

    claim_no: Annotated[str, Text(16)]


class ClaimRow(Layout):
    """One claim."""

    claim_no: Annotated[str, Text(16)]
    amount: Annotated[int | None, Num(13, sign="leading")]


class CLCNNB00001_O(Layout, id="CLCNNB00001"):  # noqa: N801 - as above
    """What is answered."""

    name: Annotated[str, Text(10)]
    rate: Annotated[Decimal, Num(7, scale=4)]
    row_count: Annotated[int, Num(3)] = 0
    rows: Annotated[list[ClaimRow], Rows(max=5, count="row_count", fixed=False)]


def head(call: MciCall) -> Header:
    """Make the header of a request."""
    return Header(interface=call.interface_id, correlation=call.correlation_id, sender=call.trace_id[:20])


ENVELOPE: Final = Envelope(
    header=Header,
    head=head,
    correlation="correlation",
    result="result",
    success=frozenset({"0000"}),
    failure="9999",
    interface="interface",
    message=Message,
    message_always=False,
    error_code="code",
    error_text="text",
)
QUESTION: Final = CLCNNB00001_I(claim_no="청구-1")


def answer_to(question: str, rows: int = 1) -> CLCNNB00001_O:
    """Return an answer that says what was asked."""
    claims = [ClaimRow(claim_no=question, amount=-number) for number in range(rows)]
    return CLCNNB00001_O(name="홍길동", rate=Decimal("1.2500"), rows=claims)


def header_of(raw: bytes) -> Header:
    """Return the header of a telegram."""
    found = ENVELOPE.read_header(raw)
    assert isinstance(found, Header)
    return found


def claim_no_of(raw: bytes) -> str:
    """Return what a request asks for."""
    return ENVELOPE.read_request(raw, CLCNNB00001_I)[1].claim_no


def answered(raw: bytes) -> bytes:
    """Return the telegram that answers a request with what it asks for; its length is not written yet."""
    header, question = ENVELOPE.read_request(raw, CLCNNB00001_I)
    return ENVELOPE.build_answer(header, answer_to(question.claim_no))


def refused(raw: bytes, code: str, text: str) -> bytes:
    """Return the telegram that refuses a request."""
    return ENVELOPE.build_answer(ENVELOPE.read_header(raw), error=(code, text))
