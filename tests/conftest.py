"""What every test shares: the product's own event loop (uvloop), watched and bounded; `needs`; calm property tests."""

import inspect
from collections.abc import AsyncIterator

import pytest
from coverage import Coverage
from hypothesis import settings

from support import needs
from support.bounded import bounded
from support.calm import calm

# No deadline: two busy cores are no reason to fail; the bounds below end what hangs.
settings.register_profile("axhub", deadline=None, print_blob=True)
settings.load_profile("axhub")


@pytest.fixture(scope="session")
def anyio_backend() -> tuple[str, dict[str, bool]]:
    return "asyncio", {"use_uvloop": True}


@pytest.fixture
async def calm_event_loop() -> AsyncIterator[None]:
    """Set up before, and torn down after, whatever else the test uses."""
    async with calm():
        yield


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(collector: pytest.Module | pytest.Class, name: str, obj: object) -> None:
    """Let every async test use `calm_event_loop`, but those marked `loud_event_loop`.

    It is no autouse fixture, as that would start an event loop for tests without one too.
    """
    if collector.istestfunction(obj, name) and inspect.iscoroutinefunction(obj):
        marks = [*collector.iter_markers(), *getattr(obj, "pytestmark", ())]
        if all(mark.name != "loud_event_loop" for mark in marks):
            pytest.mark.usefixtures("calm_event_loop")(obj)


def pytest_sessionfinish() -> None:
    """Save what was covered before anything else ends: xdist kills a worker that takes more than 10 s to be gone.

    Servers that tests started are stopped at exit, and before coverage would be saved.
    """
    measured = Coverage.current()
    if measured is not None:
        measured.save()


def pytest_runtest_setup(item: pytest.Item) -> None:
    needs.check(item)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> None:
    if inspect.iscoroutinefunction(pyfuncitem.obj) and not hasattr(pyfuncitem.obj, "hypothesis"):
        pyfuncitem.obj = bounded(pyfuncitem.obj)
