"""An `HttpClient` for tests that answers by script and keeps what was sent; it passes the suite of the real adapter."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from typing import Any, Final, TypeAlias, TypeVar

from pydantic import BaseModel

from axhub.toolkit.connectors.http_bodies import json_bytes, validated
from axhub.toolkit.context import ToolContext, current_context
from axhub.toolkit.errors import LegacyError

__all__ = ["Scripted", "ScriptedHttp", "SentRequest"]

_SUCCESSES: Final = range(200, 300)

_A = TypeVar("_A", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class SentRequest:
    """One call as it would have been sent."""

    api: str
    members: Mapping[str, Any]
    """The body's, or the query's, in the API's names."""
    context: ToolContext | None
    """Of the call that was being answered; its ids and the encrypted employee number go along."""


Scripted: TypeAlias = BaseModel | Mapping[str, Any] | int | Exception | Callable[[SentRequest], Any]
"""An answer: a body, a status that is no success, what is raised, or what makes one of these from the request."""


class ScriptedHttp:
    """Answers by the name of the API.

    ```python
    http = ScriptedHttp({"claim": {"clmList": [], "nextKey": ""}})
    http = ScriptedHttp({"claim": 503, "comcode": [LegacyError("timeout"), {"grpCd": "A"}]})
    ```
    """

    def __init__(self, answers: Mapping[str, Scripted | Sequence[Scripted]]) -> None:
        """Take the answers.

        Args:
            answers: by API; a list or tuple is answered one after the other, its last one from then on.
        """
        self.requests: list[SentRequest] = []
        self._answers = {api: _in_turn(answer) for api, answer in answers.items()}

    async def call(self, api: str, request: BaseModel, response_type: type[_A]) -> _A:
        """See `HttpClient`.

        Raises:
            LegacyError: as scripted; `invalid_answer` where the script's answer is none of `response_type`.
            LookupError: the script has no answer for this API.
        """
        answers = self._answers.get(api)
        if answers is None:
            known = ", ".join(self._answers) or "none"
            raise LookupError(f'ScriptedHttp has no answer for the API "{api}"; it has: {known}')
        sent = SentRequest(api, request.model_dump(mode="json", by_alias=True), current_context.get())
        self.requests.append(sent)
        await asyncio.sleep(0)  # others run meanwhile, as they do when something is really sent
        answer = next(answers)
        return _answered(answer(sent) if callable(answer) else answer, response_type)


def _in_turn(answer: Scripted | Sequence[Scripted]) -> Iterator[Any]:
    several = list(answer) if isinstance(answer, list | tuple) else [answer]
    return chain(several, repeat(several[-1]))


def _answered(answer: Any, response_type: type[_A]) -> _A:
    if isinstance(answer, Exception):
        raise answer
    if isinstance(answer, int) and answer not in _SUCCESSES:
        raise LegacyError(str(answer), f"the API answered with the status {answer}")
    if isinstance(answer, int):
        answer = {}
    value = answer.model_dump(mode="json", by_alias=True) if isinstance(answer, BaseModel) else answer
    return validated(response_type, json_bytes(value).decode())
