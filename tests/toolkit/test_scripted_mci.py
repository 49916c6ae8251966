"""`ScriptedMci`: what a test may write as an answer, and what it is told of one that is none (toolkit/B3)."""

import re
from decimal import Decimal
from typing import Any

import pytest

from axhub.toolkit.errors import LegacyError
from axhub.toolkit.testing import ScriptedMci
from support.telegrams import CLCNNB00001_I, CLCNNB00001_O, ENVELOPE, answer_to, answered

pytestmark = pytest.mark.req("toolkit/B3")

PLAIN = {"name": "홍길동", "rate": "1.25", "rows": [{"claim_no": "1", "amount": 0}]}


async def ask(mci: ScriptedMci, claim_no: str = "1") -> CLCNNB00001_O:
    return await mci.call("cfpa", ENVELOPE, CLCNNB00001_I(claim_no=claim_no), CLCNNB00001_O)


@pytest.mark.parametrize(
    "answer", [PLAIN, answer_to("1"), lambda sent: answered(sent.raw), lambda _: PLAIN, [PLAIN], (answer_to("1"),)]
)
async def test_an_answer_is_fields_a_value_bytes_or_made_of_the_request(answer: Any) -> None:
    found = await ask(ScriptedMci({"CLCNNB00001": answer}))
    assert (found.name, found.rate, found.rows) == ("홍길동", Decimal("1.25"), answer_to("1").rows)


async def test_answers_come_in_turn_and_the_last_one_stays() -> None:
    mci = ScriptedMci({"CLCNNB00001": [LegacyError("E1", "x"), answer_to("2"), answer_to("3")]})
    with pytest.raises(LegacyError) as caught:
        await ask(mci)
    assert caught.value.code == "E1"
    rows = [(await ask(mci)).rows[0].claim_no for _ in range(3)]
    assert rows == ["2", "3", "3"]
    sent = mci.requests[0]
    assert (sent.system, sent.interface, sent.request) == ("cfpa", "CLCNNB00001", CLCNNB00001_I(claim_no="1"))
    assert (len(sent.raw), sent.call.interface_id, sent.context) == (96, "CLCNNB00001", None)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ({**PLAIN, "name": 7}, "name: a text has to be here"),
        (
            {**PLAIN, "name": "geheim geheim"},
            "the script's answer is no telegram: CLCNNB00001_O.name @byte 0: 13 bytes do not fit in 10",
        ),
    ],
)
async def test_a_script_that_is_none_is_told_by_its_place(answer: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        await ask(ScriptedMci({"CLCNNB00001": answer}))
