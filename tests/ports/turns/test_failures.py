"""What every `Turns` does when no answer comes: tries again where it may, and says what it was in our own words."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from axhub.agent.config.model import Framework
from axhub.agent.domain.errors import AgentError
from axhub.agent.domain.messages import TurnRequest, UserMessage
from axhub.agent.ports.turns import ModelRefusedError, ModelUnavailableError
from support.model_server import AnthropicWire, OpenAIWire, Text, Wire, cut_stream, stream, streamed, whole
from support.talks import Talk
from support.talks import talk as open_talk
from support.tool_service import Answer, Close, Hang, Reset, Send, reply

pytestmark = [pytest.mark.req("agent/A8", "agent/I5")]

SECRET = "sk-of-the-provider asks you to look at http://internal.example"
TEXT = "Hello there, whoever you are."


@pytest.fixture
async def hasty(framework: Framework, wire: Wire, is_streamed: bool) -> AsyncIterator[Talk]:
    """One that waits for bytes for half a second only."""
    async with open_talk(framework, wire, is_streamed=is_streamed, read_seconds=0.5) as opened:
        yield opened


def refuses(talk: Talk, status: int, **headers: str) -> Answer:
    lines = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return reply(status, talk.wire.error(status, SECRET), headers=lines)


def answers(talk: Talk) -> Answer:
    return (streamed if talk.is_streamed else whole)(talk.wire, Text(TEXT))


def number_of_requests(talk: Talk) -> int:
    return len(talk.service.requests)


async def unavailable(talk: Talk) -> str:
    with pytest.raises(ModelUnavailableError) as caught:
        await talk.ask()
    return said_by(caught.value)


async def refused(talk: Talk) -> str:
    with pytest.raises(ModelRefusedError) as caught:
        await talk.ask()
    return said_by(caught.value)


def said_by(error: AgentError) -> str:
    assert SECRET not in str(error) + str(error.__cause__)
    return str(error)


@pytest.mark.parametrize("status", [408, 409, 425, 429, 500, 502, 503, 529])
async def test_what_may_pass_is_tried_again_and_then_it_is_unavailable(talk: Talk, status: int) -> None:
    talk.wire.on(talk.service, refuses(talk, status))
    assert await unavailable(talk) == f"the model gave no answer: HTTP {status} (tries: 3)"
    assert number_of_requests(talk) == 3
    assert talk.clock.slept == [0.25, 0.5]


async def test_after_a_pause_the_answer_comes(talk: Talk) -> None:
    talk.wire.on(talk.service, refuses(talk, 429, retry_after="7"), refuses(talk, 503), answers(talk))
    assert (await talk.ask()).message.text == TEXT
    assert talk.clock.slept == [7.25, 0.5]


async def test_who_is_asked_to_wait_too_long_does_not(talk: Talk) -> None:
    talk.wire.on(talk.service, refuses(talk, 429, retry_after="3600"))
    assert await unavailable(talk) == "the model gave no answer: HTTP 429 (tries: 1)"
    assert talk.clock.slept == []


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 422])
async def test_a_refusal_is_not_tried_again(talk: Talk, status: int) -> None:
    talk.wire.on(talk.service, refuses(talk, status))
    assert await refused(talk) == f"the model's provider refused the request: HTTP {status}"
    assert number_of_requests(talk) == 1


async def test_a_redirect_is_not_followed(talk: Talk) -> None:
    elsewhere = ((b"Location", talk.service.url("/elsewhere").encode()),)
    talk.wire.on(talk.service, reply(307, b"", headers=elsewhere))
    assert await refused(talk) == "the model's provider refused the request: HTTP 307"
    assert b"/elsewhere" not in {request.target for request in talk.service.requests}


async def test_a_connection_that_gives_nothing_in_time(hasty: Talk) -> None:
    hasty.wire.on(hasty.service, (Hang(),))
    assert await unavailable(hasty) == "the model gave no answer: a timeout (tries: 3)"
    assert number_of_requests(hasty) == 3


@pytest.mark.parametrize("step", [Reset(), Close()])
async def test_a_connection_that_breaks(talk: Talk, step: Any) -> None:
    talk.wire.on(talk.service, (step,))
    assert await unavailable(talk) == "the model gave no answer: no connection, or one that broke (tries: 3)"
    assert number_of_requests(talk) == 3


async def test_a_server_that_is_not_there(talk: Talk) -> None:
    await talk.service.stop()
    assert await unavailable(talk) == "the model gave no answer: no connection, or one that broke (tries: 3)"
    assert talk.clock.slept == [0.25, 0.5]


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"<html>Sign in</html>", b"text/html"),
        (b"", b"application/json"),
        (b'{"id": "x"', b"application/json"),
        (b"{}", b"application/json"),
        (b"[1]", b"application/json"),
    ],
)
async def test_an_answer_that_is_none(talk: Talk, body: bytes, content_type: bytes) -> None:
    talk.wire.on(talk.service, reply(body=body, content_type=content_type))
    assert (await unavailable(talk)).startswith("the model gave no answer: a")
    assert number_of_requests(talk) == 3


@pytest.fixture(params=[True, False], ids=["politely", "in a chunk"])
def politely(request: pytest.FixtureRequest) -> bool:
    given: bool = request.param
    return given


class TestStreams:
    @pytest.fixture
    def is_streamed(self) -> bool:
        return True

    async def test_one_that_is_cut_before_any_text_is_tried_again(self, talk: Talk, politely: bool) -> None:
        begun = talk.wire.events(Text(TEXT))[:1]
        talk.wire.on(talk.service, cut_stream(begun, politely=politely), answers(talk))
        assert (await talk.ask()).message.text == TEXT
        assert "".join(talk.pieces) == TEXT
        assert number_of_requests(talk) == 2

    async def test_one_that_is_cut_after_some_text_is_not(self, talk: Talk, politely: bool) -> None:
        begun = talk.wire.events(Text(TEXT))[:5]
        talk.wire.on(talk.service, cut_stream(begun, politely=politely))
        assert (await unavailable(talk)).endswith(" (tries: 1)")
        assert TEXT.startswith("".join(talk.pieces))
        assert talk.pieces != []
        assert number_of_requests(talk) == 1

    async def test_one_whose_end_is_missing_is_not_taken_for_a_whole_answer(self, talk: Talk) -> None:
        events = talk.wire.events(Text(TEXT))
        ends = next(at for at, event in enumerate(events) if is_ending(event))
        talk.wire.on(talk.service, stream(events[:ends]))
        assert (await unavailable(talk)).endswith(" (tries: 1)")

    async def test_an_error_in_it(self, talk: Talk) -> None:
        failing = [*talk.wire.events(Text(TEXT))[:1], talk.wire.error_event(SECRET)]
        talk.wire.on(talk.service, stream(failing), answers(talk))
        assert (await talk.ask()).message.text == TEXT
        assert talk.clock.slept == [0.25]

    async def test_one_that_stops_coming(self, hasty: Talk) -> None:
        begun = b"".join(hasty.wire.events(Text(TEXT))[:5])
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
        hasty.wire.on(hasty.service, (Send(head + begun), Hang()))
        assert await unavailable(hasty) == "the model gave no answer: a timeout (tries: 1)"

    async def test_whoever_listens_and_fails_is_heard_himself(self, talk: Talk) -> None:
        talk.says(Text(TEXT))

        def listen(piece: str) -> None:
            raise LookupError(piece)

        with pytest.raises(LookupError):
            await talk.turns.take(TurnRequest("", (UserMessage("Hello"),)), listen)
        assert number_of_requests(talk) == 1

    async def test_whoever_leaves_closes_the_connection(self, talk: Talk) -> None:
        begun = b"".join(talk.wire.events(Text(TEXT))[:5])
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
        talk.wire.on(talk.service, (Send(head + begun), Hang()))
        asked = asyncio.create_task(talk.ask())
        await talk.service.received(1)
        await leave(talk, asked)


async def test_whoever_leaves_while_nothing_comes_closes_the_connection(talk: Talk) -> None:
    talk.wire.on(talk.service, (Hang(),))
    asked = asyncio.create_task(talk.ask())
    await talk.service.received(1)
    await leave(talk, asked)


async def leave(talk: Talk, asked: "asyncio.Task[Any]") -> None:
    asked.cancel()
    await asyncio.wait({asked})
    assert asked.cancelled()
    await talk.service.ended(1)
    assert number_of_requests(talk) == 1


@pytest.mark.parametrize(
    ("wire", "reason"), [(OpenAIWire(), "content_filter"), (AnthropicWire(), "refusal")], ids=["openai", "anthropic"]
)
async def test_content_that_is_not_given_is_a_refusal(
    framework: Framework, wire: Wire, is_streamed: bool, reason: str
) -> None:
    async with open_talk(framework, wire, is_streamed=is_streamed) as talk:
        talk.says(ended=reason)
        assert await refused(talk) == (
            "the model's provider refused the request: content that the provider does not give"
        )


async def test_an_answer_that_an_error_ended_is_none_and_is_asked_for_again(
    framework: Framework, is_streamed: bool
) -> None:
    async with open_talk(framework, OpenAIWire(), is_streamed=is_streamed) as talk:
        talk.wire.on(talk.service, (streamed if is_streamed else whole)(talk.wire, ended="error"), answers(talk))
        assert (await talk.ask()).message.text == TEXT
        assert talk.clock.slept == [0.25]


async def test_a_model_that_declines_in_the_providers_own_way(framework: Framework, is_streamed: bool) -> None:
    async with open_talk(framework, OpenAIWire(), is_streamed=is_streamed) as talk:
        if is_streamed:
            answer = stream(OpenAIWire().of_deltas([{"refusal": SECRET}], "stop"))
        else:
            said = json.loads(OpenAIWire().whole(Text("")))
            said["choices"][0]["message"] |= {"content": None, "refusal": SECRET}
            answer = reply(body=json.dumps(said).encode())
        talk.wire.on(talk.service, answer)
        assert await refused(talk) == (
            "the model's provider refused the request: content that the provider does not give"
        )


def is_ending(event: bytes) -> bool:
    return b"message_delta" in event or b'"finish_reason": "stop"' in event
