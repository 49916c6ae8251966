"""Keeps the client library from logging what servers sent: it writes whole messages and stack traces (agent/L5).

What matters of a failure is told to the observer. The filter looks at a context variable, so another user of the same
library in this process keeps its log.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

__all__ = ["quiet"]

_LOGGERS: Final = ("client", "mcp.client.client", "mcp.client.streamable_http", "mcp.shared.jsonrpc_dispatcher")
_is_ours: Final = ContextVar("axhub_mcp_tools", default=False)


class _Filter(logging.Filter):
    def filter(self, _record: logging.LogRecord) -> bool:
        """Say whether a record is written."""
        return not _is_ours.get()


_FILTER: Final = _Filter()


@contextmanager
def quiet() -> Iterator[None]:
    """Let the library log nothing in this block, nor in the tasks that it starts there."""
    for name in _LOGGERS:
        logging.getLogger(name).addFilter(_FILTER)  # adding it twice changes nothing
    token = _is_ours.set(True)
    try:
        yield
    finally:
        _is_ours.reset(token)
