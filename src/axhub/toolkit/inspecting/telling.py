"""What a failed trial is told with: places and kinds, never a value, since samples may be taken from real answers."""

import inspect
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final, Self

from pydantic import ValidationError

from axhub.toolkit.errors import LegacyError
from axhub.toolkit.inspecting.literals import is_written
from axhub.toolkit.inspecting.variables import unset_variable
from axhub.toolkit.places import faults_of
from axhub.toolkit.service.results import InvalidResultError

__all__ = ["Returned", "nearest", "said"]

_MAX_PLACES: Final = 5
_OTHER: Final = " instead of "


class Returned:
    """Knows in which line a function returned last; switched on for one thread by `with`."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.line = 0
        """0: it did not."""
        self.code: CodeType = inspect.unwrap(function).__code__

    def __enter__(self) -> Self:
        sys.setprofile(self._note)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)

    def _note(self, frame: FrameType, event: str, _: Any) -> None:
        if event == "return" and frame.f_code is self.code:
            self.line = frame.f_lineno


def said(error: BaseException, root: Path, folder: Path, returned: Returned) -> str:
    """Return what an error says without values, and the author's own line that is nearest to it.

    Args:
        error: that ended the trial.
        root: whose lines are the author's.
        folder: of the package; a text that stands in its source is no value of a sample.
        returned: of the tool's function.
    """
    if isinstance(error, InvalidResultError) and any(_OTHER in place for place in error.places):
        return _kind(error, folder) + _at([(Path(returned.code.co_filename), returned.line)], root)
    return _kind(error, folder) + nearest(error, root)


def nearest(error: BaseException, root: Path) -> str:
    """Return the author's own line that is nearest to an error, ` at biz/cmm/dto.py:12`; empty if there is none."""
    return _at([(Path(frame.filename), frame.lineno) for frame in traceback.extract_tb(error.__traceback__)], root)


def _at(frames: list[tuple[Path, int | None]], root: Path) -> str:
    own = [(file, line) for file, line in frames if file.is_relative_to(root) and "site-packages" not in file.parts]
    return f" at {own[-1][0].relative_to(root).as_posix()}:{own[-1][1]}" if own else ""


def _kind(error: BaseException, folder: Path) -> str:
    if isinstance(error, InvalidResultError):
        return f"what the tool returned is no answer of it: {_listed(error.places)}"
    if isinstance(error, ValidationError):
        return f"{error.title} cannot be made: {_listed(list(faults_of(error)))}"
    if isinstance(error, LegacyError):
        return f"LegacyError {error.code}"
    if type(error) is KeyError and error.args and is_written(error.args[0], folder):
        unset = unset_variable(error)
        return f'KeyError "{error.args[0]}"' if unset is None else f"the environment variable {unset} is not set"
    return type(error).__name__


def _listed(places: list[str]) -> str:
    shown = [place.removeprefix(": ") for place in places[:_MAX_PLACES]]
    return ", ".join([*shown, "…"] if len(places) > _MAX_PLACES else shown)
