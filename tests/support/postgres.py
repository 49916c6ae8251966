"""A PostgreSQL of the tests' own, started when the first test asks for it, and a database of its own for each test.

    async with database() as url: ...          # empty
    async with database(migrated=True) as url: # with the agent's tables

Nothing of it outlives the tests; it is fast rather than safe, and listens on loopback only.
"""

import atexit
import functools
import os
import pwd
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from axhub.agent.adapters.sql.database import Database
from axhub.agent.adapters.sql.migrations import upgrade
from support import needs
from support.ports import free_ports

PROGRAMS: Final = ("initdb", "postgres", "pg_isready")
NEEDED: Final = pytest.mark.needs("initdb", "postgres", "pg_isready")
_FAST: Final = ("fsync=off", "full_page_writes=off", "shared_buffers=32MB", "listen_addresses=127.0.0.1")
_PATIENCE_SECONDS: Final = 30.0


@dataclass(frozen=True)
class Server:
    """A server that runs."""

    port: int
    process: subprocess.Popen[bytes]
    folder: Path

    def url(self, name: str = "postgres") -> str:
        """Return the address of a database of it."""
        return f"postgresql://postgres@127.0.0.1:{self.port}/{name}"

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to all of its processes: SIGSTOP makes it hang, SIGCONT go on."""
        for pid in (self.process.pid, *_children(self.process.pid)):
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def stop(self) -> None:
        """End it and throw its data away."""
        if self.process.poll() is None:
            self.signal(signal.SIGCONT)
            self.process.send_signal(signal.SIGQUIT)  # nothing of it is to be kept
            self.process.wait(_PATIENCE_SECONDS)
        shutil.rmtree(self.folder, ignore_errors=True)


def start(port: int | None = None, folder: Path | None = None) -> Server:
    """Start a server, in a folder of an earlier one if it is given."""
    user = _user()
    if folder is None:
        folder = Path(tempfile.mkdtemp(prefix="axhub-postgres-"))
        if user is not None:
            shutil.chown(folder, user)
        made = [_program("initdb"), "-D", str(folder / "data"), "-U", "postgres", "--auth=trust", "--no-sync"]
        made += ["--encoding=UTF8", "--locale=C"]
        subprocess.run(made, check=True, user=user, cwd=folder, stdout=subprocess.DEVNULL)
    port = port or free_ports(1)[0]
    settings = [part for one in (*_FAST, f"unix_socket_directories={folder}") for part in ("-c", one)]
    command = [_program("postgres"), "-D", str(folder / "data"), "-p", str(port), *settings]
    with (folder / "log").open("ab") as log:
        process = subprocess.Popen(command, user=user, cwd=folder, stdout=log, stderr=log, start_new_session=True)
    server = Server(port, process, folder)
    until = time.monotonic() + _PATIENCE_SECONDS
    asked = [_program("pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(port)]
    while subprocess.run(asked, check=False).returncode:
        assert process.poll() is None, (folder / "log").read_text()
        assert time.monotonic() < until, "PostgreSQL did not start in time"
        time.sleep(0.05)
    return server


@functools.cache
def shared() -> Server:
    """Return the server that the tests of this process share."""
    server = start()
    atexit.register(server.stop)
    return server


@asynccontextmanager
async def database(server: Server | None = None, *, migrated: bool = False) -> AsyncIterator[str]:
    """Make a database with a name of its own, and drop it at the end."""
    on = server or shared()
    name = f"t_{secrets.token_hex(8)}"
    await _told(on, f"CREATE DATABASE {name} TEMPLATE {await _template(on) if migrated else 'template0'}")
    try:
        yield on.url(name)
    finally:
        await _told(on, f"DROP DATABASE {name} WITH (FORCE)")


_templates: dict[int, str] = {}


async def _template(server: Server) -> str:
    """Return the name of a database that has the agent's tables."""
    if server.port not in _templates:
        await _told(server, "CREATE DATABASE agent_tables TEMPLATE template0")
        made = Database(server.url("agent_tables"), patience_seconds=20)
        await upgrade(made)
        await made.close()
        _templates[server.port] = "agent_tables"
    return _templates[server.port]


async def _told(server: Server, statement: str) -> None:
    url = server.url().replace("postgresql:", "postgresql+asyncpg:")
    engine = create_async_engine(url, isolation_level="AUTOCOMMIT")
    try:
        async with engine.connect() as connection:
            await connection.execute(text(statement))
    finally:
        await engine.dispose()


def _children(parent: int) -> list[int]:
    """Return the processes that a process started; each of PostgreSQL's has a group of its own."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = stat.read_text(encoding="utf-8").rpartition(")")[2].split()
            found += [int(stat.parent.name)] if int(fields[1]) == parent else []
    return found


def _program(name: str) -> str:
    found = needs.find_program(name)
    assert found is not None, name
    return found


def _user() -> str | None:
    """Return who runs it: PostgreSQL refuses to be run by root."""
    if os.geteuid() != 0:
        return None
    names = {one.pw_name for one in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"
