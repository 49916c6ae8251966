"""Databases with the order service's tables and the demonstration's orders: made once of each kind, and then copied."""

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from sqlalchemy import text
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import create_async_engine

from axhub.agent.adapters.sql.database import Database
from order_service.adapters.persistence.migrations import upgrade
from order_service.adapters.persistence.seed import seed
from support import postgres

__all__ = ["order_database"]

_FILES: Final[list[bytes]] = []
_TEMPLATE: Final = "order_service_filled"
_SERVERS: Final[set[int]] = set()
"""Ports of servers that have the template."""


@asynccontextmanager
async def order_database(kind: str, folder: Path) -> AsyncIterator[str]:
    """Make a database of a kind in `DATABASES`; return its address."""
    if kind == "sqlite":
        yield await _file(folder / "orders.sqlite3")
        return
    await _fill_template()
    name = f"orders_{secrets.token_hex(8)}"
    await _told(f"CREATE DATABASE {name} TEMPLATE {_TEMPLATE}")
    try:
        yield postgres.shared().url(name)
    finally:
        await _told(f"DROP DATABASE {name} WITH (FORCE)")


async def _file(file: Path) -> str:
    url = f"sqlite:///{file}"
    if _FILES:
        await asyncio.to_thread(file.write_bytes, _FILES[0])
    else:
        await _filled(url)
        _FILES.append(await asyncio.to_thread(file.read_bytes))
    return url


async def _fill_template() -> None:
    server = postgres.shared()
    if server.port not in _SERVERS:
        await _told(f"CREATE DATABASE {_TEMPLATE} TEMPLATE template0")
        await _filled(server.url(_TEMPLATE))
        _SERVERS.add(server.port)


async def _filled(url: str) -> None:
    database = Database(url, patience_seconds=20)
    await upgrade(database)
    await seed(database)
    await database.close()


async def _told(statement: str) -> None:
    url = make_url(postgres.shared().url()).set(drivername="postgresql+asyncpg")
    engine = create_async_engine(url, isolation_level="AUTOCOMMIT")
    try:
        async with engine.connect() as connection:
            await connection.execute(text(statement))
    finally:
        await engine.dispose()
