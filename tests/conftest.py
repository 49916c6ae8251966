"""What every test shares: the product's own event loop (uvloop), the marker `needs`, calm property tests."""

import pytest
from hypothesis import settings

from support import needs

# No deadline: two busy cores are no reason to fail; pytest's own time-out ends what hangs.
settings.register_profile("axhub", deadline=None, print_blob=True)
settings.load_profile("axhub")


@pytest.fixture(scope="session")
def anyio_backend() -> tuple[str, dict[str, bool]]:
    return "asyncio", {"use_uvloop": True}


def pytest_runtest_setup(item: pytest.Item) -> None:
    needs.check(item)
