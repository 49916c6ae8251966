"""What may be logged of an error: its type and those behind it, where they were raised, and no text of any of them.

The texts quote what callers sent, what legacy systems answered and what the configuration holds.
"""

import re
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from axhub.toolkit.errors import LegacyError
from axhub.toolkit.places import faults_of

__all__ = ["named", "told_of", "trace_of"]

_MAX_FRAMES: Final = 30
_MAX_CAUSES: Final = 5
_CODE: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")
_HERE: Final = str(Path(__file__).parent)


def trace_of(error: BaseException) -> dict[str, Any]:
    """Return what may be logged of an error: the types along its chain, their frames, places of validation errors."""
    lines: list[str] = []
    for count, (link, one) in enumerate(_chain(error)):
        if count == _MAX_CAUSES:
            break
        lines.append(link + named(one))
        frames = [frame for frame in traceback.extract_tb(one.__traceback__) if not frame.filename.startswith(_HERE)]
        lines += [f"  {frame.filename}:{frame.lineno} in {frame.name}" for frame in frames[-_MAX_FRAMES:]]
    return {"error": type(error).__name__, "trace": lines}


def told_of(error: BaseException) -> str:
    """Return an error for a list of problems: its type, and the lines that it went through, outermost first."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not frame.filename.startswith(_HERE)]
    where = " > ".join(f"{frame.filename}:{frame.lineno}" for frame in frames[-_MAX_CAUSES:])
    return f"{named(error)} ({where})" if where else named(error)


def _chain(error: BaseException) -> Iterator[tuple[str, BaseException]]:
    seen: set[int] = set()
    link, one = "", error
    while id(one) not in seen:
        seen.add(id(one))
        yield link, one
        if isinstance(one, BaseExceptionGroup):
            yield from (("one of: ", inner) for inner in one.exceptions)
        if one.__cause__ is not None:
            link, one = "because of: ", one.__cause__
        elif one.__context__ is not None and not one.__suppress_context__:
            link, one = "while handling: ", one.__context__
        else:
            return


def named(error: BaseException) -> str:
    """Return the type of an error, of a `LegacyError` also its code, of a validation error also its places."""
    name = f"{type(error).__module__}.{type(error).__qualname__}".removeprefix("builtins.")
    if isinstance(error, LegacyError):
        return f"{name} code={_code(error.code)}"
    if isinstance(error, ValidationError):
        return f"{name} {error.title}: " + ", ".join(faults_of(error))
    return name


def _code(code: object) -> str:
    """Return a code that looks like one, else its type: what a system answers in its place may be anything."""
    return code if isinstance(code, str) and _CODE.fullmatch(code) else f"<{type(code).__name__}>"
