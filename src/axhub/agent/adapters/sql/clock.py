"""The database's clock, the same for all replicas: leases and expiries are compared with no other (agent/R2)."""

from typing import Any, Final

from sqlalchemy import BigInteger, ColumnElement, bindparam
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

__all__ = ["NOW", "in_millis", "millis"]


def millis(seconds: float) -> int:
    """Return a span in the unit of the columns."""
    return int(seconds * 1000)


class _Now(FunctionElement[int]):
    """Milliseconds since 1970."""

    inherit_cache = True
    type = BigInteger()


@compiles(_Now, "sqlite")
def _on_sqlite(_element: _Now, _compiler: Any, **_options: Any) -> str:
    return "CAST((julianday('now') - 2440587.5) * 86400000.0 AS BIGINT)"


@compiles(_Now, "postgresql")
def _on_postgresql(_element: _Now, _compiler: Any, **_options: Any) -> str:
    return "CAST(extract(epoch FROM statement_timestamp()) * 1000 AS BIGINT)"


NOW: Final = _Now()
"""The moment at which the statement began, in milliseconds since 1970; the same in all of it, so an index may serve."""


def in_millis(parameter: str) -> ColumnElement[int]:
    """Return the moment that is as many milliseconds away as a parameter of the statement says."""
    return NOW + bindparam(parameter, type_=BigInteger())
