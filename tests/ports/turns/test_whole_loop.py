"""The library's loop over real adapters and a real store: what the model is told over two runs of one conversation."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from axhub.agent.domain.outcomes import Answered, Stopped
from axhub.agent.domain.runs import StopReason
from support.agents import ACTOR, Worlds, reader
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
