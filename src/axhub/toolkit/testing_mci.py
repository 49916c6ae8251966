"""An `MciClient` for tests that answers by script and keeps what was sent; it passes the suite of the real adapter.

Requests and answers go through their layouts as they would over a wire: what has no place in a telegram fails here too.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from typing import Any, TypeAlias, TypeVar

from axhub.toolkit.connectors.http_context import carried
from axhub.toolkit.connectors.mci.client import Now, asked, read_answer, wall_clock, written
from axhub.toolkit.context import ToolContext, current_context
from axhub.toolkit.mci import Envelope, Layout, MciCall, SentTelegram, TelegramError, from_plain

__all__ = ["ScriptedAnswer", "ScriptedMci", "SentMci"]

_L = TypeVar("_L", bound=Layout)


@dataclass(frozen=True, slots=True)
class SentMci:
    """One call as it would have been sent."""

    system: str
    interface: str
    request: Layout
    """The data section."""
    raw: bytes
    """The whole telegram, without what a connection adds."""
    call: MciCall
    """What its header was made of."""
    context: ToolContext | None
    """Of the call that was being answered."""


ScriptedAnswer: TypeAlias = Layout | Mapping[str, Any] | bytes | Exception | Callable[[SentMci], Any]
"""An answer: its data, as a layout's value or by the names of its fields; the bytes of a whole telegram; what is
raised, where a `LegacyError` is the system's refusal; or what makes one of these from the request."""


class ScriptedMci:
    """Answers by interface id.

    ```python
    mci = ScriptedMci({"CLCNNB00001": {"name": "홍길동", "rate": "1.25", "rows": []}})
    mci = ScriptedMci({"CLCNNB00001": [LegacyError("E0042", "no such contract"), CLCNNB00001_O(name="…", …)]})
    ```
    """

    def __init__(
        self, answers: Mapping[str, ScriptedAnswer | Sequence[ScriptedAnswer]], *, now: Now = wall_clock
    ) -> None:
        """Take the answers.

        Args:
            answers: by interface id; a list or tuple is answered one after the other, its last one from then on.
            now: the time that telegrams say they were sent at.
        """
        self.requests: list[SentMci] = []
        self._answers = {interface: _in_turn(answer) for interface, answer in answers.items()}
        self._now = now

    async def call(self, system: str, envelope: Envelope, request: Layout, response_type: type[_L]) -> _L:
        """See `MciClient`.

        Raises:
            LegacyError: as scripted, or as the adapter would where a telegram cannot be written or read.
            LookupError: the script has no answer for this interface.
        """
        interface = response_type.layout_id or request.layout_id
        answers = self._answers.get(interface)
        if answers is None:
            known = ", ".join(self._answers) or "none"
            raise LookupError(f'ScriptedMci has no answer for the interface "{interface}"; it has: {known}')
        context = current_context.get()
        call = asked(interface, carried(context, new_request_id=False), self._now)
        sent = written(envelope, call, request)
        said = SentMci(system, interface, request, sent.raw, call, context)
        self.requests.append(said)
        await asyncio.sleep(0)  # others run meanwhile, as they do when something is really sent
        answer = next(answers)
        raw = _telegram(envelope, sent, answer(said) if callable(answer) else answer, response_type)
        found = read_answer(envelope, raw, sent, response_type)
        if found.value is None:
            raise found.refusal or AssertionError
        return found.value


def _in_turn(answer: ScriptedAnswer | Sequence[ScriptedAnswer]) -> Iterator[Any]:
    several = list(answer) if isinstance(answer, list | tuple) else [answer]
    return chain(several, repeat(several[-1]))


def _telegram(envelope: Envelope, sent: SentTelegram, answer: Any, response_type: type[Layout]) -> bytes:
    """Return the scripted answer as a telegram.

    Raises:
        ValueError: the script's answer is none of the layout; the message names the field.
    """
    if isinstance(answer, Exception):
        raise answer
    if isinstance(answer, bytes):
        return answer
    try:
        data = answer if isinstance(answer, Layout) else from_plain(response_type, answer)
        return envelope.build_answer(sent.header, data)
    except TelegramError as error:
        said = str(error)
    raise ValueError(f"the script's answer is no telegram: {said}")
