"""The line that each call of a legacy system leaves in the log (toolkit/H2): what happened, nothing that was said."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any

from axhub.toolkit.errors import LegacyError

__all__ = ["Logged", "told"]


def told(error: LegacyError) -> Mapping[str, Any]:
    """Return what a line says of a failure whose text is one of ours."""
    return {"code": error.code, "problem": error.message}


class Logged:
    """Writes the line of one call when its block ends, however it ends."""

    def __init__(
        self,
        log: logging.Logger,
        event: str,
        fields: Callable[[], dict[str, Any]],
        failure: Callable[[LegacyError], Mapping[str, Any]] = told,
    ) -> None:
        """Say what the line has.

        Args:
            log: where it is written: as information, or as a warning if the call failed.
            event: its name.
            fields: what is known about the call at its end, and may be logged.
            failure: what may be logged of an error.
        """
        self._log = log
        self._event = event
        self._fields = fields
        self._failure = failure
        self._began = 0.0

    def __enter__(self) -> None:
        self._began = asyncio.get_running_loop().time()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        level = logging.INFO if error is None else logging.WARNING
        if not self._log.isEnabledFor(level):
            return
        fields = self._fields()
        fields["durationMs"] = round((asyncio.get_running_loop().time() - self._began) * 1000, 3)
        if isinstance(error, LegacyError):
            fields |= self._failure(error)
        elif error is not None:
            fields["code"] = "cancelled" if isinstance(error, asyncio.CancelledError) else type(error).__name__
        self._log.log(level, self._event, extra={"fields": fields})
