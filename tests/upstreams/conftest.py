"""Fixtures of these tests; a server that is not installed skips them, or fails them where all servers must be there."""

from collections.abc import Iterator

import pytest

from upstreams.kinds import KINDS, NEW, OLD, Kind, require
from upstreams.stand import Stand, standing


@pytest.fixture(scope="module", params=KINDS, ids=lambda kind: kind.name)
def stand(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stand]:
    """A server and the way to it, for all tests of a file."""
    kind: Kind = request.param
    require(kind)
    with standing(kind, tmp_path_factory.mktemp(kind.name)) as started:
        yield started


@pytest.fixture(params=[OLD, NEW])
def era(request: pytest.FixtureRequest) -> str:
    """The era of the client."""
    return str(request.param)
