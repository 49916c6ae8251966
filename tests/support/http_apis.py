"""An HTTP API on a loopback port, its bodies, and a client for it."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from axhub.toolkit.config.settings import HttpApiSettings
from axhub.toolkit.connectors.http_client import PooledHttpClient
from axhub.toolkit.models import HttpBody


class Question(HttpBody):
    """What is asked."""

    clmNo: str  # noqa: N815 - bodies have the names that the other system gave them
    rows: int | None = None


class Answer(HttpBody):
    """What is answered."""

    clmNo: str  # noqa: N815 - as above
    amount: int = 0


QUESTION = Question(clmNo="청구-1")


def api(origin: str, url: str = "/claims", **more: Any) -> HttpApiSettings:
    """Return an entry of the configuration."""
    return HttpApiSettings(**{"name": "claim", "domain": origin, "url": url, **more})


@asynccontextmanager
async def client(*apis: HttpApiSettings, **more: Any) -> AsyncIterator[PooledHttpClient]:
    """Return an open client for some APIs."""
    async with PooledHttpClient(apis, **more) as opened:
        yield opened


class Pauses:
    """Counts the pauses between tries, and takes no time for them."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    @property
    def sleep(self) -> Callable[[float], Awaitable[object]]:
        async def sleep(seconds: float) -> None:
            self.seconds.append(seconds)

        return sleep
