"""Halves of characters and other odd texts, from people, models and providers: no error of anybody's, and no half."""

from collections.abc import Callable
from dataclasses import replace

from axhub.agent.domain.messages import (
    AssistantMessage,
    CallRequest,
    ModelTurn,
    TurnRequest,
    UserMessage,
)
from axhub.agent.domain.outcomes import Answered
from axhub.agent.testing import ScriptedTurns, call, calls
from support.agents import ACTOR, Worlds, reader


async def test_what_a_model_writes_cannot_break_the_conversation(worlds: Worlds) -> None:
    bad = AssistantMessage(
        "half \ud800",
        (
            CallRequest("a", "이름 with spaces", "{}"),
            CallRequest("b", "search_orders", '{"order_id": "\ud800"}'),
            CallRequest("c", "search_orders", '{"order_id": '),
            CallRequest("d", "search_orders", '{"order_id": "\\ud800"}'),
            CallRequest("e", "search_orders", ""),
        ),
    )
    search = reader()
    world = await worlds.make(bad, "Fine.", "Again.", tools=[search])
    first = await world.ask()
    assert isinstance(first, Answered)
    assert isinstance(await world.ask(conversation=first.conversation_id), Answered)
    said = world.turns.requests[-1].messages[1]
    assert isinstance(said, AssistantMessage)
    assert said.text == "half \ufffd"
    assert [(one.name, one.arguments) for one in said.calls] == [
        ("UNKNOWN_NAME", "{}"),
        ("search_orders", '{"order_id": "\ufffd"}'),
        ("search_orders", "{}"),
        ("search_orders", "{}"),
        ("search_orders", "{}"),
    ]
    assert [arguments for arguments, _ in search.calls] == [{"order_id": "\ufffd"}]


async def test_a_character_that_a_stream_cuts_in_two_reaches_nobody_in_halves(worlds: Worlds) -> None:
    heard: list[str] = []

    class Halves(ScriptedTurns):
        async def take(self, request: TurnRequest, on_text: Callable[[str], None] | None = None) -> ModelTurn:
            assert on_text is not None
            for piece in ("Hello \ud83d", "\ude00", "!", "\ud800"):
                on_text(piece)
            return ModelTurn(AssistantMessage("Hello \ud83d\ude00!\ud800"))

    world = await worlds.make(model=lambda _: Halves())
    answered = await world.ask(on_text=heard.append)
    assert isinstance(answered, Answered)
    assert answered.text == "Hello 😀!\ufffd"
    assert heard == ["Hello ", "😀", "!", "\ufffd"]


async def test_a_message_with_half_a_character_is_stored_and_sent_whole(worlds: Worlds) -> None:
    world = await worlds.make("Hello.", "Again.")
    first = await world.ask("I am \ud83d\ude00 \ud800")
    await world.ask("And now?", conversation=first.conversation_id)
    for one in world.turns.requests:
        assert one.messages[0] == UserMessage("I am 😀 \ufffd")
    talk = await world.store.conversation(first.conversation_id, ACTOR)
    assert talk.messages[0] == ("user", "I am 😀 \ufffd")


async def test_what_a_provider_said_besides_with_half_a_character_is_sent_back_whole(worlds: Worlds) -> None:
    said = replace(calls(call("search_orders", order_id="A")), provider={"by": "x", "parts": [{"text": "\ud800"}]})
    world = await worlds.make(said, "Done.", tools=[reader()])
    assert isinstance(await world.ask(), Answered)
    sent = world.turns.requests[-1].messages[1]
    assert isinstance(sent, AssistantMessage)
    assert sent.provider == {"by": "x", "parts": [{"text": "\ufffd"}]}
