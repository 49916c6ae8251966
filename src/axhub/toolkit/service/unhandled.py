"""Errors that nobody handles, as lines of the log without their texts (toolkit/S3).

Python and asyncio print them with everything that they hold: a task that nobody awaited, a thread that died, a
`__del__` that failed, a warning, a record that cannot be formatted.
"""

import asyncio
import logging
import sys
import threading
import warnings
from collections.abc import Callable
from types import TracebackType
from typing import Any, Final, TextIO

from axhub.toolkit.service.log import LOGGER
from axhub.toolkit.service.traces import trace_of

__all__ = ["tell_of_loop", "tell_of_process"]

_KNOWN: Final = (
    "Task exception was never retrieved",
    "Future exception was never retrieved",
    "Task was destroyed but it is pending!",
    "unhandled exception during asyncio.run() shutdown",
    "an error occurred during closing of asynchronous generator",
    "Exception in callback",
    "Unhandled exception in client_connected_cb",
    "Fatal error",
)
"""How what asyncio says begins; what follows shows objects, and so values."""
_OTHER: Final = "asyncio"
_EVENT: Final = "unhandled"


def tell_of_loop(loop: asyncio.AbstractEventLoop) -> Callable[[], None]:
    """Let a loop that has no handler of its own log what nobody awaits; return what takes that back."""
    if loop.get_exception_handler() is not None:
        return lambda: None
    loop.set_exception_handler(_of_loop)
    return lambda: loop.set_exception_handler(None)


def tell_of_process() -> None:
    """Do the same for the whole process: threads, destructors, warnings, the main thread's end and logging itself."""
    sys.excepthook = _of_main
    sys.unraisablehook = _of_destructor
    threading.excepthook = _of_thread
    warnings.showwarning = _of_warning
    logging.raiseExceptions = False  # logging prints a record that it cannot format, with its values


def _of_loop(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    said = str(context.get("message", ""))
    known = next((words for words in _KNOWN if said.startswith(words)), _OTHER)
    task = context.get("task") or context.get("future")
    coroutine = task.get_coro() if isinstance(task, asyncio.Task) else None
    running = {} if coroutine is None else {"task": getattr(coroutine, "__qualname__", type(coroutine).__name__)}
    _tell(context.get("exception"), problem=known, **running)


def _of_main(_: type[BaseException], error: BaseException, __: TracebackType | None) -> None:
    _tell(error, problem="the process ends with an error")


def _of_thread(found: threading.ExceptHookArgs) -> None:
    if not issubclass(found.exc_type, SystemExit):
        _tell(found.exc_value or found.exc_type, problem="a thread ended with an error")


def _of_destructor(found: "sys.UnraisableHookArgs") -> None:
    where = getattr(found.object, "__qualname__", type(found.object).__qualname__)
    _tell(found.exc_value or found.exc_type, problem="an error that nothing can catch", where=where)


def _of_warning(
    message: Warning | str,  # noqa: ARG001 - Python's own name; it may hold a value
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,  # noqa: ARG001 - Python's own name
    line: str | None = None,  # noqa: ARG001 - Python's own name
) -> None:
    fields = {"category": category.__name__, "where": f"{filename}:{lineno}"}
    logging.getLogger(LOGGER).warning("python_warning", extra={"fields": fields})


def _tell(error: BaseException | type[BaseException] | None, **fields: Any) -> None:
    if isinstance(error, BaseException):
        fields |= trace_of(error)
    elif error is not None:
        fields["error"] = error.__name__
    logging.getLogger(LOGGER).error(_EVENT, extra={"fields": fields})
