"""Every combination of framework and wire, whole and streamed; nothing but this machine is connected to."""

from collections.abc import AsyncIterator, Iterator
from itertools import product

import pytest

from axhub.agent.config.model import Framework
from support.loopback_only import loopback_only
from support.model_server import OpenAIWire, Wire
from support.talks import WIRES, ScriptedTalk, Talk
from support.talks import talk as open_talk


@pytest.fixture(scope="session")
def anyio_backend() -> tuple[str, dict[str, bool]]:
    """Asyncio's own loop: what watches the sockets knows no other."""
    return "asyncio", {"use_uvloop": False}


@pytest.fixture(autouse=True)
def _nowhere_else() -> Iterator[None]:
    with loopback_only() as refused:
        yield
    assert refused == []


@pytest.fixture(params=list(Framework))
def framework(request: pytest.FixtureRequest) -> Framework:
    given: Framework = request.param
    return given


@pytest.fixture(params=WIRES, ids=lambda wire: wire.provider)
def wire(request: pytest.FixtureRequest) -> Wire:
    given: Wire = request.param
    return given


@pytest.fixture(params=[False, True], ids=["whole", "streamed"])
def is_streamed(request: pytest.FixtureRequest) -> bool:
    given: bool = request.param
    return given


@pytest.fixture
async def talk(framework: Framework, wire: Wire, is_streamed: bool) -> AsyncIterator[Talk]:
    async with open_talk(framework, wire, is_streamed=is_streamed) as opened:
        yield opened


@pytest.fixture(
    params=[*product(Framework, WIRES), None],
    ids=lambda one: "scripted" if one is None else f"{one[0]}-{one[1].provider}",
)
async def anyone(request: pytest.FixtureRequest, is_streamed: bool) -> AsyncIterator[Talk]:
    """The scripted model of the testing kit too: for what needs no wire."""
    if request.param is None:
        yield ScriptedTalk(is_streamed=is_streamed)
        return
    async with open_talk(*request.param, is_streamed=is_streamed) as opened:
        yield opened


@pytest.fixture
async def streaming(framework: Framework) -> AsyncIterator[Talk]:
    """Chat completions, streamed: where servers differ most."""
    async with open_talk(framework, OpenAIWire(), is_streamed=True) as opened:
        yield opened
