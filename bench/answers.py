"""Checks that a system gives the right answer before it is timed: a fast wrong answer is worth nothing."""

import json
from typing import Any

from bench.inputs import Request
from bench.servers import Fetched, NotRunning, fetch
from bench.suts import Contestant


def check_call(contestant: Contestant, port: int, expected: str) -> int:
    """Return the bytes of the whole answer to a call once it is the expected text.

    Raises:
        NotRunning: it is another answer.
    """
    answer = _answer(port, contestant.call)
    found = answer.body.decode() if contestant.plain else _text(json.loads(answer.body))
    if found != expected:
        raise NotRunning(f"its answer to a call is not the tool's: {found[:200]!r}")
    return answer.size


def check_list(contestant: Contestant, port: int, expected: list[dict[str, Any]]) -> int:
    """Return the bytes of the whole answer to a list once its tools are the expected ones.

    Raises:
        NotRunning: they are not.
    """
    answer = _answer(port, contestant.listing)
    found = json.loads(answer.body).get("result", {}).get("tools")
    if found != expected:
        raise NotRunning(f"its list is not that of the manifest: {answer.body[:200]!r}")
    return answer.size


def _answer(port: int, request: Request) -> Fetched:
    answer = fetch(port, request)
    if answer.status != 200:
        raise NotRunning(f"it answered HTTP {answer.status}: {answer.body[:200]!r}")
    return answer


def _text(message: dict[str, Any]) -> str:
    try:
        result = message["result"]
        (block,) = result["content"]
        text: str = block["text"]
    except (KeyError, ValueError):
        return json.dumps(message, ensure_ascii=False)
    return f"isError: {text}" if result.get("isError") else text
