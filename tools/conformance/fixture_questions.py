"""What the tools of the fixture ask back (`input_required`, 2026-07-28), and how their state is kept from forgery.

A tool asks in rounds. Its state, where it has one, names the tool and the round and is signed: what comes back from the
client is in other hands meanwhile (MCP 2026-07-28, basic/patterns/mrtr).
"""

import hashlib
import hmac
import secrets
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

KEY = secrets.token_bytes(32)

Responses = Mapping[str, Any]
"""What the client answered, by the key of the question: an elicitation's, sampling's or roots' result as JSON."""


class Tampered(Exception):  # noqa: N818 - it says what became of the state
    """A state that this process has not signed for this tool."""


class Asking(NamedTuple):
    """One tool that asks."""

    rounds: tuple[Mapping[str, Any], ...]
    """The questions of each round: method and parameters by key."""
    signed: bool
    close: Callable[[Responses], str]
    """The text of the answer, from the responses of the last round."""


class Questions(NamedTuple):
    """Asked now; with a state if the tool keeps one."""

    requests: Mapping[str, Any]
    state: str | None


def form(message: str, field: str, kind: str = "string") -> dict[str, Any]:
    """Return an elicitation of one field."""
    schema = {"type": "object", "properties": {field: {"type": kind}}, "required": [field]}
    return {"method": "elicitation/create", "params": {"message": message, "requestedSchema": schema}}


def sampling(text: str, tokens: int) -> dict[str, Any]:
    """Return a question to the client's model."""
    messages = [{"role": "user", "content": {"type": "text", "text": text}}]
    return {"method": "sampling/createMessage", "params": {"messages": messages, "maxTokens": tokens}}


ROOTS: dict[str, Any] = {"method": "roots/list", "params": {}}
NAME = form("What is your name?", "name")
CONFIRM = form("Please confirm", "ok", "boolean")
NEEDS = {"elicitation/create": "elicitation", "sampling/createMessage": "sampling", "roots/list": "roots"}
"""The capability that a client must have for each kind of question."""


def _named(responses: Responses) -> str:
    return f"Hello, {responses['user_name']['content']['name']}!"


def _said(responses: Responses) -> str:
    return str(responses["capital_question"]["content"]["text"])


def _roots(responses: Responses) -> str:
    return "roots: " + ", ".join(root["uri"] for root in responses["client_roots"]["roots"])


_PREFIX = "test_input_required_result_"
ASKING: Mapping[str, Asking] = {
    f"{_PREFIX}elicitation": Asking(({"user_name": NAME},), False, _named),
    f"{_PREFIX}sampling": Asking(
        ({"capital_question": sampling("What is the capital of France?", 100)},), False, _said
    ),
    f"{_PREFIX}list_roots": Asking(({"client_roots": ROOTS},), False, _roots),
    f"{_PREFIX}request_state": Asking(({"confirm": CONFIRM},), True, lambda _: "state-ok"),
    f"{_PREFIX}tampered_state": Asking(({"confirm": CONFIRM},), True, lambda _: "state-ok"),
    f"{_PREFIX}multiple_inputs": Asking(
        ({"user_name": NAME, "greeting": sampling("Generate a greeting", 50), "client_roots": ROOTS},), True, _named
    ),
    f"{_PREFIX}multi_round": Asking(
        (
            {"step1": form("Step 1: What is your name?", "name")},
            {"step2": form("Step 2: What is your favorite color?", "color")},
        ),
        True,
        lambda responses: f"color: {responses['step2']['content']['color']}",
    ),
    f"{_PREFIX}capabilities": Asking(
        ({"user_name": NAME, "capital_question": sampling("What is the capital of France?", 100)},),
        False,
        lambda _: "asked",
    ),
}


def step(tool: str, responses: Responses, state: str | None, capabilities: Mapping[str, Any]) -> Questions | str:
    """Return what a tool asks now, or its answer; only what the client has a capability for is asked.

    Raises:
        Tampered: the state is not one that this process gave to this tool.
    """
    asking = ASKING[tool]
    number = 0 if state is None or not asking.signed else _round(tool, state)
    asked = {key: one for key, one in asking.rounds[number].items() if NEEDS[one["method"]] in capabilities}
    if not asked.keys() <= responses.keys():
        return Questions(asked, _state(tool, number) if asking.signed else None)
    if number + 1 < len(asking.rounds):
        return Questions(asking.rounds[number + 1], _state(tool, number + 1))
    return asking.close(responses)


def _state(tool: str, number: int) -> str:
    said = f"{tool}.{number}"
    return f"{said}.{hmac.new(KEY, said.encode(), hashlib.sha256).hexdigest()}"


def _round(tool: str, state: str) -> int:
    for number in range(len(ASKING[tool].rounds)):
        if hmac.compare_digest(state.encode(), _state(tool, number).encode()):
            return number
    raise Tampered(tool)
