"""A manifest source that does what it is told: for tests of whatever pulls, with the promises of the real ones."""

import asyncio
from collections import defaultdict

from axhub.gateway.ports import Pulled, PullFailure


class ScriptedManifestSource:
    """Gives each bundle its own answer until told otherwise; a bundle without one cannot be reached."""

    def __init__(self, *, max_bytes: int = 1_048_576) -> None:
        self._max_bytes = max_bytes
        self.asked: list[tuple[str, str | None]] = []
        """Every pull so far, in order: bundle id and the revision that the request named."""
        self._answers: dict[str, Pulled | BaseException] = {}
        self._gates: defaultdict[str, asyncio.Event] = defaultdict(_open_gate)
        self._asked = asyncio.Event()

    def answer(self, bundle_id: str, answer: bytes | Pulled | PullFailure | BaseException) -> None:
        """Set what the bundle's pulls bring from now on; an exception breaks the port's promise."""
        if isinstance(answer, bytes):
            answer = Pulled(body=answer)
        elif isinstance(answer, PullFailure):
            answer = Pulled(failure=answer)
        self._answers[bundle_id] = answer

    def hold(self, bundle_id: str) -> None:
        """Let pulls of the bundle wait until `release`."""
        self._gates[bundle_id].clear()

    def release(self, bundle_id: str) -> None:
        """Let held pulls go on, with the answer of then."""
        self._gates[bundle_id].set()

    async def pulls(self, number: int) -> None:
        """Wait until that many pulls have started."""
        while len(self.asked) < number:
            self._asked.clear()
            await self._asked.wait()

    async def pull(self, bundle_id: str, if_none_match: str | None) -> Pulled:
        """Return the scripted result."""
        self.asked.append((bundle_id, if_none_match))
        self._asked.set()
        await self._gates[bundle_id].wait()
        answer = self._answers.get(bundle_id, Pulled(failure=PullFailure.CONNECT_FAILED))
        if isinstance(answer, BaseException):
            raise answer
        if len(answer.body or b"") > self._max_bytes:
            return Pulled(failure=PullFailure.TOO_LARGE)
        return answer


def _open_gate() -> asyncio.Event:
    gate = asyncio.Event()
    gate.set()
    return gate
