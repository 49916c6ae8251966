"""What only a provider understands is kept and given back; what is kept wrongly is left out, never half used."""

import json
import logging
from collections.abc import Sequence
from typing import Any

import pytest

from axhub.agent.adapters.turns.parts import CallPart, OpaquePart, Part, TextPart, message_of_parts, parts_of, sent_back
from axhub.agent.domain.messages import AssistantMessage, CallRequest

pytestmark = [pytest.mark.req("agent/A8")]

BY = "framework provider:model"
CALL = CallRequest("a", "search", "{}")
OTHER = CallRequest("b", "search", "{}")
UNKNOWN = {"by": BY, "parts": [{"opaque": {"kind": "of another version"}}, {"call": 0}, {"call": 1}]}
PLAIN: list[Part] = [TextPart("Hm."), CallPart(CALL), CallPart(OTHER)]


def test_texts_and_calls_alone_need_nothing_more() -> None:
    message = message_of_parts(PLAIN, BY)
    assert message == AssistantMessage("Hm.", (CALL, OTHER), {})
    assert parts_of(message, BY) == PLAIN


def test_parts_come_back_in_their_order_after_json() -> None:
    parts: list[Part] = [
        OpaquePart({"thought": "아마도"}),
        TextPart("Hm."),
        CallPart(CALL, {"signature": "c2ln"}),
        OpaquePart({"thought": "2"}),
        CallPart(OTHER),
        TextPart(" Well."),
    ]
    message = message_of_parts(parts, BY)
    assert message.text == "Hm. Well."
    again = AssistantMessage(message.text, message.calls, json.loads(json.dumps(message.provider)))
    assert parts_of(again, BY) == parts


@pytest.mark.parametrize(
    "provider",
    [
        {"by": "another", "parts": [{"opaque": {}}, {"call": 0}, {"call": 1}]},
        {"by": BY},
        {"by": BY, "parts": "no list"},
        {"by": BY, "parts": [{"opaque": {}}, {"call": 0}]},
        {"by": BY, "parts": [{"call": 1}, {"call": 0}]},
        {"by": BY, "parts": [{"call": 0}, {"call": 7}]},
        {"by": BY, "parts": [{"unknown": 0}, {"call": 0}, {"call": 1}]},
    ],
)
def test_whatever_does_not_fit_is_left_out(provider: dict[str, Any]) -> None:
    assert parts_of(AssistantMessage("Hm.", (CALL, OTHER), provider), BY) == PLAIN


def test_a_blank_text_is_no_part() -> None:
    assert parts_of(AssistantMessage(" \n", (CALL,)), BY) == [CallPart(CALL)]


def test_parts_that_a_framework_does_not_know_any_more_are_left_out(caplog: pytest.LogCaptureFixture) -> None:
    def translate(parts: Sequence[Part]) -> list[Part]:
        if any(isinstance(part, OpaquePart) for part in parts):
            raise ValueError("hidden")
        return list(parts)

    by = "a framework in this test alone"
    message = AssistantMessage("Hm.", (CALL, OTHER), {**UNKNOWN, "by": by})
    with caplog.at_level(logging.WARNING, "axhub.agent"):
        for _ in range(3):
            assert sent_back(message, by, translate) == PLAIN
    assert [one.getMessage() for one in caplog.records] == [
        f"stored parts of an answer by {by} cannot be read any more (ValueError); text and calls are sent back"
    ]


def test_a_fault_that_is_not_of_the_parts_is_not_hidden() -> None:
    def translate(_parts: Sequence[Part]) -> None:
        raise ValueError("broken")

    for provider in ({}, UNKNOWN):
        with pytest.raises(ValueError, match=r"^broken$"):
            sent_back(AssistantMessage("Hm.", (CALL, OTHER), provider), BY, translate)
