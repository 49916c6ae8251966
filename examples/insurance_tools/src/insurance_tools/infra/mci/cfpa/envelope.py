"""How the core system puts its telegrams together: a header, in answers a message, and the data.

An answer with an error ends after its message.
"""

from datetime import datetime
from typing import Annotated

from axhub.toolkit.mci import Date, Envelope, Filler, Layout, MciCall, Num, Text


class CfpaHeader(Layout, charset="cp949", size=200):
    """Begins each request and each answer."""

    tlg_len: Annotated[int, Num(8)] = 0  # of the whole telegram; it is written when it is sent
    glb_id: Annotated[str, Text(32)]  # the same in request and answer
    itf_id: Annotated[str, Text(12)]
    snd_dtm: Annotated[datetime, Date("YYYYMMDDHHMMSSmmm")]
    trc_id: Annotated[str, Text(32)]
    emp_no: Annotated[str, Text(64)]  # encrypted, blank if nobody is known
    rslt_cd: Annotated[str, Text(1)] = ""
    filler: Annotated[None, Filler(34)] = None


class CfpaMessage(Layout, charset="cp949", size=88):
    """What an answer says besides its data."""

    msg_cd: Annotated[str, Text(8)]
    msg_ctt: Annotated[str, Text(80, overflow="cut", on_bad_tail="drop")]


def head(call: MciCall) -> CfpaHeader:
    """Return the header of a request."""
    return CfpaHeader(
        glb_id=call.correlation_id,
        itf_id=call.interface_id,
        snd_dtm=call.sent_at,
        trc_id=call.trace_id,
        emp_no=call.employee,
    )


ENVELOPE = Envelope(
    header=CfpaHeader,
    head=head,
    interface="itf_id",
    correlation="glb_id",
    result="rslt_cd",
    success=frozenset({"0"}),
    message=CfpaMessage,
    error_code="msg_cd",
    error_text="msg_ctt",
)
