"""The library's loop over real adapters and a real store: what the model is told over two runs of one conversation."""

import logging
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from axhub.agent.adapters.log import LogObserver
from axhub.agent.domain.outcomes import Answered, Stopped
from axhub.agent.domain.runs import StopReason
from support.agents import ACTOR, APPROVER, Probe, Worlds, reader
from support.model_server import Called, OpenAIWire, Text, Thought, streamed, whole
from support.requests_sent import conversation_of
from support.talks import Talk
from support.tool_service import reply

pytestmark = [pytest.mark.req("agent/A8")]


@pytest.fixture
async def worlds(tmp_path: Path) -> AsyncIterator[Worlds]:
    made = Worlds(tmp_path)
    yield made
    await made.close()


@pytest.mark.req("agent/A7")
async def test_a_conversation_of_two_runs(talk: Talk, worlds: Worlds) -> None:
    say = streamed if talk.is_streamed else whole
    talk.wire.on(
        talk.service,
        say(talk.wire, Thought("주문을 찾자.", "c2ln"), Called("call_1", "search_orders", '{"order_id": "ORD-1"}')),
        say(talk.wire, Text("찾았습니다.")),
        say(talk.wire, Text("천만에요.")),
    )
    search = reader()
    world = await worlds.make(tools=[search], model=lambda _: talk.turns)
    heard = talk.pieces.append if talk.is_streamed else None
    first = await world.ask("ORD-1을 찾아 주세요.", on_text=heard)
    assert isinstance(first, Answered)
    assert first.text == "찾았습니다."
    assert "".join(talk.pieces) == ("찾았습니다." if talk.is_streamed else "")
    assert [arguments for arguments, _ in search.calls] == [{"order_id": "ORD-1"}]

    second = await world.ask("고마워요.", conversation=first.conversation_id, on_text=heard)
    assert isinstance(second, Answered)
    said = conversation_of(talk.sent)
    assert [one[0] for one in said] == ["user", "assistant", "result", "assistant", "user"]
    assert said[1] == ("assistant", "", [("call_1", "search_orders", {"order_id": "ORD-1"})])
    assert '{"done": "ORD-1"}' in said[2][2]
    assert said[4] == ("user", "고마워요.")
    _check_opaque(talk)
    sent = b"".join(request.head + request.body for request in talk.service.requests)
    for secret in (ACTOR.user_id, ACTOR.tenant_id, first.run_id, first.conversation_id):
        assert secret.encode() not in sent


@pytest.mark.req("agent/L5", "threat/T22")
@pytest.mark.parametrize("status", [401, 503, 200])
async def test_no_word_of_a_provider_or_a_person_stands_in_the_default_log(
    talk: Talk, worlds: Worlds, caplog: pytest.LogCaptureFixture, status: int
) -> None:
    body = talk.wire.error(status, "canary-of-the-provider says: I am canary-of-the-person")
    talk.wire.on(talk.service, reply(status, body))
    world = await worlds.make(tools=[reader()], model=lambda _: talk.turns)
    with caplog.at_level(logging.INFO):
        outcome = await world.ask("I am canary-of-the-person", on_text=talk.pieces.append if talk.is_streamed else None)
        for reference, error in world.observer.faults.items():
            LogObserver().fault(reference, error)
    assert isinstance(outcome, Stopped)
    assert "error=axhub.agent.ports.turns.Model" in caplog.text
    assert "a model's turn failed: " in caplog.text
    assert "canary" not in caplog.text


@pytest.mark.req("agent/L2")
async def test_an_answer_that_was_cut_is_passed_to_nobody_and_its_call_does_not_run(talk: Talk, worlds: Worlds) -> None:
    refund = Probe()
    reason = "length" if isinstance(talk.wire, OpenAIWire) else "max_tokens"
    talk.says(Text("It is"), Called("call_1", "refund_order", '{"order_id": "ORD-1"}'), ended=reason)
    world = await worlds.make(tools=[refund], model=lambda _: talk.turns)
    outcome = await world.ask(on_text=talk.pieces.append if talk.is_streamed else None)
    assert isinstance(outcome, Stopped)
    assert outcome.reason is StopReason.ANSWER_CUT
    assert refund.calls == []
    assert await world.agent.decide.pending(APPROVER) == ()


def _check_opaque(talk: Talk) -> None:
    message = next(one for one in talk.sent["messages"] if one["role"] == "assistant")
    if isinstance(talk.wire, OpenAIWire):
        assert message["reasoning_content"] == "주문을 찾자."
    else:
        assert message["content"][0] == {"type": "thinking", "thinking": "주문을 찾자.", "signature": "c2ln"}


@pytest.mark.parametrize(("status", "reason"), [(503, StopReason.MODEL_UNAVAILABLE), (400, StopReason.MODEL_REFUSED)])
async def test_a_model_that_gives_nothing_stops_the_run(
    talk: Talk, worlds: Worlds, status: int, reason: StopReason
) -> None:
    talk.wire.on(talk.service, reply(status, talk.wire.error(status, "nobody reads this")))
    world = await worlds.make(model=lambda _: talk.turns)
    outcome = await world.ask()
    assert isinstance(outcome, Stopped)
    assert outcome.reason is reason
    assert "nobody reads this" not in repr(outcome)
