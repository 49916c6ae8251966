"""The mocks of MCI systems whose telegrams are HTTP bodies, at the paths of their entries (toolkit/B4)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from axhub.toolkit.config.settings import MciSystemSettings
from axhub.toolkit.connectors.http_bodies import json_bytes
from axhub.toolkit.connectors.mci.framing import Framing, FramingError
from axhub.toolkit.connectors.mci.mock_systems import MciMock
from axhub.toolkit.connectors.mci.parts import Parts
from axhub.toolkit.connectors.mock_systems import Answering, Asked, MockAnswer

__all__ = ["MciBodies"]

_OK: Final = 200
_BAD: Final = 400
_NOT_FOUND: Final = 404
_NOT_ALLOWED: Final = 405
_NO_ANSWER: Final = 502


@dataclass(frozen=True, slots=True)
class _Body:
    system: MciSystemSettings
    framing: Framing
    mock: MciMock | None


class MciBodies:
    """Answers for the MCI systems of a service that are reached over HTTP, and asks others for the rest."""

    def __init__(
        self,
        systems: Iterable[MciSystemSettings],
        parts: Mapping[str, Parts],
        folder: Path,
        others: Answering | None = None,
    ) -> None:
        """Take the systems.

        Args:
            systems: of the configuration; those over TCP are none of these.
            parts: what the package says about them.
            folder: of the package, with `samples` in it.
            others: answer at all other paths.
        """
        self._others = others
        self._bodies = {
            _path(one): _Body(
                one,
                Framing(one.length, one.max_telegram_bytes),
                MciMock(parts[one.name], folder) if one.name in parts else None,
            )
            for one in systems
            if one.transport == "http"
        }

    def answer(self, asked: Asked) -> MockAnswer:
        """Return what the system at a path would answer."""
        body = self._bodies.get(asked.path)
        if body is None:
            if self._others is not None:
                return self._others.answer(asked)
            paths = ", ".join(self._bodies)
            return _refusal(_NOT_FOUND, f"no MCI system has the path {asked.path}; there are: {paths}")
        if asked.method != "POST":
            return _refusal(_NOT_ALLOWED, "telegrams are sent with POST", body.system.name)
        return _answered(body, asked)


def _answered(body: _Body, asked: Asked) -> MockAnswer:
    name, framing = body.system.name, body.framing
    if body.mock is None:
        return _refusal(_NO_ANSWER, f"the package has no ENVELOPE for the system {name}", name)
    try:
        if not framing.is_none and (len(asked.body) < framing.head or framing.total(asked.body) != len(asked.body)):
            return _refusal(_BAD, "the telegram has another length than its length field says", name)
        found = body.mock.answer(framing.telegram(asked.body), asked.tool)
        if found.raw is None:
            return _refusal(_NO_ANSWER, found.problem, name)
        return MockAnswer(_OK, framing.framed(found.raw), body.system.content_type, name, found.sample)
    except FramingError as error:
        return _refusal(_BAD, str(error), name)


def _path(system: MciSystemSettings) -> str:
    return unquote(system.url.partition("?")[0])


def _refusal(status: int, problem: str, system: str | None = None) -> MockAnswer:
    return MockAnswer(status, json_bytes({"mock": problem}), "application/json;charset=utf-8", system)
