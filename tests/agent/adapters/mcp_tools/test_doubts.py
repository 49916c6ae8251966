"""What an axhub gateway says of a call that may have taken effect is heard by the agent (agent/L6, gateway/X4).

MCP has one mark for all errors of tools. So the sentences of the gateway are held against what the agent looks for: a
new one, or a changed one, fails here.
"""

from typing import Any

import msgspec
import pytest

from axhub.agent import OutcomeUnknownError, ToolError, reads, writes
from axhub.agent.adapters.mcp_tools.judging import Judged
from axhub.agent.adapters.mcp_tools.remote_tool import RemoteTool
from axhub.agent.adapters.mcp_tools.results import Answer
from axhub.agent.domain.definition import Effect, ToolDefinition
from axhub.agent.testing import FakeActor, RecordingObserver
from axhub.contract.endpoints import Endpoint, Origin
from axhub.gateway.domain.catalogue import CatalogueTool
from axhub.gateway.domain.route import CallRules, Route, bind_routes
from axhub.gateway.ports import Failure, UpstreamAnswer
from axhub.gateway.usecases.interpret_answer import interpret
from support.remote import context
from support.tools import tool

pytestmark = pytest.mark.req("agent/A9", "agent/L6")

OBJECT = {"type": "object", "required": ["n"]}
REFUSAL = b'{"error":{"code":"CLOSED","message":"The claim is closed."}}'


def route(output_schema: Any = None) -> Route:
    members = {} if output_schema is None else {"outputSchema": output_schema}
    entry = CatalogueTool("ins", tool("t", endpoint=Endpoint(Origin("http", "127.0.0.1", 8081), b"/t"), **members))
    return bind_routes([entry], {"ins": CallRules()})["t"]


async def ended(answer: UpstreamAnswer, effect: Effect, to: Route | None = None) -> str:
    """Say how a call of the agent ends with what the gateway makes of this answer."""
    said = interpret(answer, to or route(), lambda: "id-1")
    text = msgspec.json.decode(said.text, type=str)

    async def send(_call: Any) -> Answer:
        return Answer(text, is_error=said.is_error)

    wanted = reads("t_t") if effect is Effect.READ else writes("t_t", digest="sha256:" + "0" * 64, key=["no"])
    definition = ToolDefinition("t_t", "Does.", {"type": "object"}, effect, has_key=effect is Effect.WRITE)
    observer = RecordingObserver()
    remote = RemoteTool[FakeActor](
        definition, wanted, Judged(), send, cipher=None, observer=observer, connect_seconds=1
    )
    try:
        return await remote.call({}, context())
    except ToolError as told:
        return told.code
    except OutcomeUnknownError:
        return "unknown"


def failed(failure: Failure, *, sent: bool = True) -> UpstreamAnswer:
    return UpstreamAnswer(0, {}, b"", failure, sent)


@pytest.mark.parametrize(
    "answer",
    [
        *(failed(one) for one in Failure if one is not Failure.BUSY),
        *(UpstreamAnswer(status, {}, REFUSAL) for status in (301, 307, 500, 502, 503, 504)),
        UpstreamAnswer(200, {}, b"\xff"),
    ],
    ids=str,
)
async def test_what_may_have_taken_effect_behind_a_gateway_leaves_a_write_unknown(answer: UpstreamAnswer) -> None:
    assert await ended(answer, Effect.WRITE) == "unknown"
    assert await ended(answer, Effect.READ) == "TOOL_ERROR"


async def test_a_result_that_is_not_as_declared_came_after_the_effect() -> None:
    assert await ended(UpstreamAnswer(200, {}, b"{}"), Effect.WRITE, route(OBJECT)) == "unknown"


@pytest.mark.parametrize(
    "answer",
    [
        failed(Failure.BUSY),
        failed(Failure.TIMEOUT, sent=False),
        failed(Failure.UNREACHABLE, sent=False),
        *(UpstreamAnswer(status, {}, REFUSAL) for status in (400, 404, 409, 422, 429)),
        UpstreamAnswer(400, {}, b"no"),
    ],
    ids=str,
)
async def test_what_the_tool_refused_or_never_got_took_no_effect(answer: UpstreamAnswer) -> None:
    assert await ended(answer, Effect.WRITE) == "TOOL_ERROR"


async def test_a_result_is_a_result() -> None:
    assert await ended(UpstreamAnswer(200, {}, b'{"no":"7"}'), Effect.WRITE) == '{"no":"7"}'
