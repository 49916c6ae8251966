"""What each result of a pull does to the last-good of its bundle, and to nothing else (gateway/G3, G5, G8)."""

import asyncio

import pytest

from axhub.gateway.adapters.manifest_scripted import ScriptedManifestSource
from axhub.gateway.domain.bundle import BundleStatus, Content
from axhub.gateway.ports import Pulled, PullFailure
from axhub.gateway.usecases.refresh_catalogue import PulledBundle, Schedule
from support.manifests import manifest, tool
from support.refreshing import INTERVAL, Refreshing, bundle, policy

ONE_TOOL = manifest("a", ["claim_find"], revision="r1")
BAD = manifest("a", [tool("claim_find", description=" ")], revision="r1")


@pytest.mark.req("gateway/G5")
@pytest.mark.parametrize("failure", PullFailure)
async def test_every_failure_keeps_the_last_good_and_is_counted(failure: PullFailure) -> None:
    async with Refreshing("a") as refreshing:
        refreshing.source.answer("a", ONE_TOOL)
        await refreshing.settled()
        before = refreshing.catalogue.snapshot
        refreshing.source.answer("a", Pulled(failure=failure, detail="what happened"))
        await refreshing.tick()
        await refreshing.tick()
        state = refreshing.state("a")
        assert (state.status, state.consecutive_failures) == (BundleStatus.DEGRADED, 2)
        assert state.last_failure_reason == failure
        assert refreshing.catalogue.snapshot is before
        assert refreshing.outcomes == [("a", "ok"), ("a", failure), ("a", failure)]
        assert refreshing.events("manifest_pull_failed") == [
            {
                "level": "warning",
                "event": "manifest_pull_failed",
                "bundle": "a",
                "reason": failure,
                "detail": "what happened",
                "findings": 0,
                "consecutiveFailures": count,
            }
            for count in (1, 2)
        ]


@pytest.mark.req("gateway/G5", "gateway/G6")
@pytest.mark.parametrize(
    ("body", "reason"),
    [(b"{", "InvalidJson"), (b"", "InvalidJson"), (BAD, "InvalidManifest")],
    ids=["cut", "empty", "blank description"],
)
async def test_a_document_that_does_not_pass_keeps_the_last_good(body: bytes, reason: str) -> None:
    async with Refreshing("a") as refreshing:
        refreshing.source.answer("a", ONE_TOOL)
        await refreshing.settled()
        refreshing.source.answer("a", body)
        await refreshing.tick()
        assert refreshing.names() == ["claim_find"]
        assert refreshing.state("a").last_failure_reason == reason


@pytest.mark.req("gateway/G6")
async def test_the_log_names_bundle_tool_pointer_and_rule_of_each_finding_once() -> None:
    async with Refreshing("a") as refreshing:
        refreshing.source.answer("a", BAD)
        await refreshing.settled()
        await refreshing.tick()
        (finding,) = refreshing.events("manifest_finding")
        assert (finding["bundle"], finding["tool"], finding["pointer"]) == ("a", "claim_find", "/tools/0/description")
        assert finding["rule"]
        assert finding["problem"]
        assert finding["mend"]
        assert [event["findings"] for event in refreshing.events("manifest_pull_failed")] == [1, 1]
        refreshing.source.answer("a", ONE_TOOL)
        await refreshing.tick()
        refreshing.source.answer("a", BAD)
        await refreshing.tick()
        assert len(refreshing.events("manifest_finding")) == 2


@pytest.mark.req("gateway/G5", "input/B35")
async def test_an_equal_revision_skips_neither_adoption_nor_checks() -> None:
    async with Refreshing("a") as refreshing:
        refreshing.source.answer("a", ONE_TOOL)
        await refreshing.settled()
        refreshing.source.answer("a", manifest("a", ["claim_find", "claim_new"], revision="r1"))
        await refreshing.tick()
        assert refreshing.names() == ["claim_find", "claim_new"]
        refreshing.source.answer("a", BAD)
        await refreshing.tick()
        assert refreshing.state("a").last_failure_reason == PullFailure.INVALID_MANIFEST
        assert refreshing.names() == ["claim_find", "claim_new"]


@pytest.mark.req("gateway/G3", "fault/F06")
@pytest.mark.parametrize("fault", [RuntimeError("oh"), asyncio.CancelledError(), ConnectionResetError(104, "reset")])
async def test_a_source_that_breaks_its_promise_disturbs_no_other_bundle(fault: BaseException) -> None:
    async with Refreshing("a", "b") as refreshing:
        refreshing.source.answer("a", ONE_TOOL)
        refreshing.source.answer("b", manifest("b", ["policy_find"]))
        await refreshing.settled()
        refreshing.source.answer("a", fault)
        refreshing.source.answer("b", manifest("b", ["policy_find", "policy_new"]))
        await refreshing.tick()
        assert refreshing.names() == ["claim_find", "policy_find", "policy_new"]
        state = refreshing.state("a")
        assert (state.status, state.consecutive_failures) == (BundleStatus.DEGRADED, 1)
        assert state.last_failure_reason == PullFailure.CONNECT_FAILED
        assert [event["bundle"] for event in refreshing.events("manifest_pull_failed")] == ["a"]
        assert sorted(refreshing.outcomes[2:]) == [("a", "ConnectFailed"), ("b", "ok")]
        assert await refreshing.tick() == INTERVAL


@pytest.mark.req("gateway/G3")
async def test_a_fault_after_an_adoption_does_not_undo_it() -> None:
    async with Refreshing("a") as refreshing:
        refreshing.observer_fault = RuntimeError("no metrics")
        refreshing.source.answer("a", ONE_TOOL)
        await refreshing.settled()
        state = refreshing.state("a")
        assert (state.status, state.consecutive_failures) == (BundleStatus.HEALTHY, 0)
        assert refreshing.names() == ["claim_find"]
        assert [event["where"] for event in refreshing.events("refresh_fault")] == ["the pull of a"]


@pytest.mark.req("gateway/G3")
async def test_all_bundles_are_pulled_at_the_same_time() -> None:
    async with Refreshing("a", "b", "c") as refreshing:
        for held in "abc":
            refreshing.source.hold(held)
        await refreshing.source.pulls(3)
        assert {bundle for bundle, _ in refreshing.source.asked} == {"a", "b", "c"}
        assert refreshing.published == []
        for held in "abc":
            refreshing.source.release(held)
        await refreshing.settled()


@pytest.mark.req("gateway/G9")
async def test_the_snapshot_is_rebuilt_once_when_the_last_pull_has_ended() -> None:
    async with Refreshing("a", "b") as refreshing:
        refreshing.source.answer("a", ONE_TOOL)
        refreshing.source.answer("b", manifest("b", ["policy_find"]))
        refreshing.source.hold("b")
        await refreshing.source.pulls(2)
        assert refreshing.published == []
        refreshing.source.release("b")
        await refreshing.settled()
        assert len(refreshing.published) == 1


def with_fallback(body: bytes | PullFailure) -> tuple[PulledBundle, ScriptedManifestSource]:
    source = ScriptedManifestSource()
    source.answer("a", body)
    return PulledBundle("a", enabled=True, policy=policy("a"), fallback=source), source


@pytest.mark.req("gateway/G8")
async def test_the_local_file_stands_in_for_a_first_pull_that_failed_until_a_remote_success() -> None:
    declared, file = with_fallback(manifest("a", ["claim_local"]))
    async with Refreshing(declared) as refreshing:
        await refreshing.settled()
        assert refreshing.names() == ["claim_local"]
        state = refreshing.state("a")
        assert (state.status, state.consecutive_failures) == (BundleStatus.FALLBACK, 1)
        assert state.last_success_at is None
        await refreshing.tick()
        assert refreshing.state("a").consecutive_failures == 2
        assert len(file.asked) == 1
        refreshing.source.answer("a", ONE_TOOL)
        await refreshing.tick()
        assert refreshing.names() == ["claim_find"]
        assert refreshing.state("a").content is Content.REMOTE
        refreshing.source.answer("a", PullFailure.HTTP_STATUS)
        await refreshing.tick()
        assert refreshing.names() == ["claim_find"]
        assert len(file.asked) == 1
        assert [event["event"] for event in refreshing.events("fallback_adopted", "fallback_rejected")] == [
            "fallback_adopted"
        ]


@pytest.mark.req("gateway/G8")
async def test_the_local_file_is_not_read_when_the_first_pull_succeeds() -> None:
    declared, file = with_fallback(manifest("a", ["claim_local"]))
    async with Refreshing(declared) as refreshing:
        refreshing.source.answer("a", manifest("a", []))
        await refreshing.settled()
        refreshing.source.answer("a", PullFailure.TIMED_OUT)
        await refreshing.tick()
        assert refreshing.names() == []
        assert file.asked == []


@pytest.mark.req("gateway/G8", "gateway/G6")
@pytest.mark.parametrize(
    "body",
    [BAD, b"{", manifest("other", ["x"]), PullFailure.CONNECT_FAILED],
    ids=["blank description", "cut", "another bundle", "unreadable"],
)
async def test_a_local_file_is_checked_like_a_manifest_from_the_wire(body: bytes | PullFailure) -> None:
    declared, file = with_fallback(body)
    async with Refreshing(declared) as refreshing:
        await refreshing.settled()
        await refreshing.tick()
        assert refreshing.catalogue.snapshot is None
        state = refreshing.state("a")
        assert (state.status, state.last_failure_reason) == (BundleStatus.UNREACHABLE, PullFailure.CONNECT_FAILED)
        assert len(file.asked) == 1
        assert len(refreshing.events("fallback_rejected")) == 1


@pytest.mark.req("decision/D9")
async def test_a_conditional_request_names_the_last_adopted_remote_revision() -> None:
    schedule = Schedule(interval=INTERVAL, jitter=0, conditional=True)
    declared, _ = with_fallback(manifest("a", ["claim_local"], revision="local"))
    async with Refreshing(declared, schedule=schedule) as refreshing:
        await refreshing.settled()
        refreshing.source.answer("a", ONE_TOOL)
        await refreshing.tick()
        refreshing.source.answer("a", PullFailure.TIMED_OUT)
        await refreshing.tick()
        refreshing.source.answer("a", Pulled(not_modified=True))
        await refreshing.tick()
        assert [revision for _, revision in refreshing.source.asked] == [None, None, "r1", "r1"]
        state = refreshing.state("a")
        assert (state.status, state.consecutive_failures) == (BundleStatus.HEALTHY, 0)
        assert state.last_success_at == refreshing.clock.now()
        assert refreshing.names() == ["claim_find"]
        assert refreshing.outcomes[-1] == ("a", "not_modified")
        assert refreshing.events("bundle_recovered") == [
            {"level": "info", "event": "bundle_recovered", "bundle": "a", "status": "healthy"}
        ]


@pytest.mark.req("decision/D9", "gateway/G5")
async def test_nothing_conditional_is_asked_by_default_and_an_unasked_304_is_a_failure() -> None:
    async with Refreshing("a") as refreshing:
        refreshing.source.answer("a", ONE_TOOL)
        await refreshing.settled()
        refreshing.source.answer("a", Pulled(not_modified=True))
        await refreshing.tick()
        assert [revision for _, revision in refreshing.source.asked] == [None, None]
        state = refreshing.state("a")
        assert (state.status, state.last_failure_reason) == (
            BundleStatus.DEGRADED,
            PullFailure.UNEXPECTED_NOT_MODIFIED,
        )


@pytest.mark.req("decision/D2")
async def test_a_manifest_that_overrides_the_base_endpoint_is_told_once() -> None:
    base = PulledBundle("a", enabled=True, policy=policy("a", base="http://127.0.0.1:9/execute"))
    async with Refreshing(base) as refreshing:
        plain = tool("claim_list")
        del plain["endpoint"]
        refreshing.source.answer("a", manifest("a", [plain]))
        await refreshing.settled()
        assert refreshing.events("base_endpoint_overridden") == []
        refreshing.source.answer("a", manifest("a", [plain, "claim_find"]))
        await refreshing.tick()
        await refreshing.tick()
        assert refreshing.events("base_endpoint_overridden") == [
            {
                "level": "info",
                "event": "base_endpoint_overridden",
                "bundle": "a",
                "tools": 1,
                "firstTool": "claim_find",
            }
        ]


@pytest.mark.req("gateway/M2")
async def test_every_declared_bundle_is_reported_in_the_order_of_the_configuration() -> None:
    async with Refreshing("z", bundle("off", enabled=False), "a") as refreshing:
        await refreshing.settled()
        assert [(state.id, state.status) for state in refreshing.catalogue.bundles()] == [
            ("z", "unreachable"),
            ("off", "disabled"),
            ("a", "unreachable"),
        ]
