"""Sessions of aiohttp that take nothing from elsewhere: no redirect, cookie, proxy or compression (toolkit/H2)."""

from typing import Final

import aiohttp

from axhub.toolkit.config.settings import HttpApiSettings

__all__ = ["check_library", "new_session"]

_KEPT_SECONDS: Final = 3.0
"""How long a connection is kept that is not in use: less than servers usually keep it."""

_RETRY_SWITCH: Final = "_retry_connection"
"""aiohttp would send idempotent requests again by itself: uncounted, and where the configuration says no retries. There
is no public switch for it."""


async def check_library() -> None:
    """Refuse an aiohttp that repeats requests by itself and cannot be kept from it.

    Raises:
        RuntimeError: the installed aiohttp has no such switch.
    """
    async with aiohttp.ClientSession() as session:
        if not hasattr(session, _RETRY_SWITCH):
            raise RuntimeError(
                f"aiohttp {aiohttp.__version__} cannot be kept from repeating requests: its ClientSession has no "
                f"{_RETRY_SWITCH}; install the version that axhub's lock names"
            )


def new_session(api: HttpApiSettings) -> aiohttp.ClientSession:
    """Return a session with a pool of its own, to be closed by who takes it."""
    session = aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=api.max_connections, keepalive_timeout=_KEPT_SECONDS),
        cookie_jar=aiohttp.DummyCookieJar(),
        timeout=aiohttp.ClientTimeout(
            total=None, sock_connect=api.connect_timeout_millis / 1000, sock_read=api.read_timeout_millis / 1000
        ),
        skip_auto_headers=("User-Agent",),
        auto_decompress=False,
        trust_env=False,
    )
    setattr(session, _RETRY_SWITCH, False)
    return session
