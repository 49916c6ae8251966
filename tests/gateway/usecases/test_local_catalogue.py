"""The legacy local fixture: one manifest that never changes, and nothing else (gateway/C3)."""

import asyncio

import pytest

from axhub.contract.manifest import Manifest, check_manifest, run
from axhub.gateway.adapters.clock import ManualClock
from axhub.gateway.domain.catalogue import Snapshot
from axhub.gateway.usecases.local_catalogue import LocalCatalogue
from support.manifests import manifest
from support.refreshing import policy


def opened(published: list[Snapshot]) -> LocalCatalogue:
    checked = run(check_manifest(manifest("b", ["claim_find"]), policy("b")))
    assert isinstance(checked, Manifest)
    return LocalCatalogue(checked, ["a", "b"], clock=ManualClock(), publish=published.append)


@pytest.mark.req("gateway/C3")
async def test_the_file_makes_a_usable_snapshot_that_is_published_once() -> None:
    published: list[Snapshot] = []
    catalogue = opened(published)
    running = asyncio.create_task(catalogue.run())
    await asyncio.sleep(0)
    await catalogue.recheck()
    assert published == [catalogue.snapshot]
    assert [entry.tool.name for entry in published[0].tools] == ["claim_find"]
    assert str(published[0].by_name["claim_find"].tool.endpoint) == "http://127.0.0.1:9/tools/claim_find"
    assert catalogue.first_attempt_over
    assert not catalogue.stale_snapshot
    assert not running.done()
    running.cancel()
    await asyncio.wait({running})


@pytest.mark.req("gateway/C3", "gateway/M2")
def test_its_bundle_shows_as_fallback_and_the_others_as_not_pulled() -> None:
    states = opened([]).bundles()
    assert [(state.id, state.status, state.tool_count, state.last_attempt_at) for state in states] == [
        ("a", "disabled", 0, None),
        ("b", "fallback", 1, None),
    ]
