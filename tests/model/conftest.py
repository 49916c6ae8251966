"""The small model of this folder's tests, where `make test-model` has asked for it; elsewhere they are skipped."""

from collections.abc import Iterator

import pytest

from support.small_model import IS_WANTED, SmallModel, small_model

pytest.register_assert_rewrite("support.agent_record", "support.model_invariants")


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallModel]:
    """Return a model that always writes what is likeliest."""
    yield from _served(tmp_path_factory)


@pytest.fixture(scope="session")
def wild_model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallModel]:
    """Return one that goes by chance, the same chance each time, and so says odd things."""
    yield from _served(tmp_path_factory, "--temperature", "1.5", "--seed", "7")


def _served(factory: pytest.TempPathFactory, *flags: str) -> Iterator[SmallModel]:
    if not IS_WANTED:
        pytest.skip("asks a real small model: `make test-model` installs it and runs this")
    with small_model(factory.mktemp("small-model"), *flags) as served:
        yield served
