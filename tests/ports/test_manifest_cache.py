"""What every `ManifestCache` promises."""

import pytest

from axhub.gateway.adapters.cache_memory import MemoryManifestCache
from axhub.gateway.ports import ManifestCache


@pytest.fixture(params=[MemoryManifestCache])
def cache(request: pytest.FixtureRequest) -> ManifestCache:
    made: ManifestCache = request.param()
    return made


@pytest.mark.req("gateway/G1")
async def test_what_was_never_stored_is_a_miss(cache: ManifestCache) -> None:
    assert await cache.load("a") is None


@pytest.mark.req("gateway/G1")
async def test_each_bundle_has_its_latest_document_byte_for_byte(cache: ManifestCache) -> None:
    await cache.store("a", b"old")
    await cache.store("b", '{"x": "보험"}'.encode())
    await cache.store("a", b' {"n": 1.0}\n')
    assert await cache.load("a") == b' {"n": 1.0}\n'
    assert await cache.load("b") == '{"x": "보험"}'.encode()
