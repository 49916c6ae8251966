"""One list out of many manifests: always the same one, or none."""

import hashlib
import random
from collections.abc import Mapping
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from axhub.contract.manifest import Manifest, ManifestPolicy, Rejected, check_manifest
from axhub.contract.manifest import run as check_run
from axhub.gateway.domain.catalogue import MergeRefusal, build_snapshot, merge
from axhub.gateway.domain.revision import Revision
from axhub.gateway.usecases.list_tools import tools_array
from support.catalogues import made_manifest, made_tool
from support.manifests import manifest

NAMES = st.lists(st.sampled_from("abcdefgh"), unique=True, max_size=6)


def names(manifests: Mapping[str, Manifest], max_total: int = 200) -> list[tuple[str, str]]:
    merged = merge(manifests, max_total)
    assert not isinstance(merged, MergeRefusal)
    return [(entry.bundle_id, entry.tool.name) for entry in merged]


@pytest.mark.req("gateway/K1")
def test_tools_are_in_the_order_of_code_points_of_bundle_and_name() -> None:
    manifests = {
        "b": made_manifest("b", ["b.z", "b.B", "b.a", "b.10", "b.9"]),
        "B": made_manifest("B", ["x"]),
        "a-1": made_manifest("a-1", ["zz"]),
        "a": made_manifest("a", ["zzz"]),
    }
    assert names(manifests) == [
        ("B", "x"),
        ("a", "zzz"),
        ("a-1", "zz"),
        ("b", "b.10"),
        ("b", "b.9"),
        ("b", "b.B"),
        ("b", "b.a"),
        ("b", "b.z"),
    ]


@pytest.mark.req("gateway/K1")
@pytest.mark.parametrize("second", ["claim", "CLAIM", "Claim"])
def test_one_name_in_two_bundles_refuses_everything_also_in_another_case(second: str) -> None:
    merged = merge({"b": made_manifest("b", [second, "x"]), "a": made_manifest("a", ["claim"])}, 200)
    assert isinstance(merged, MergeRefusal)
    assert [(finding.rule, finding.tool) for finding in merged.findings] == [("catalogue.name.collision", second)]
    assert "'claim' of bundle 'a'" in merged.findings[0].problem
    assert f"{second!r} of bundle 'b'" in merged.findings[0].problem


@pytest.mark.req("gateway/K1", "decision/D7")
def test_a_disabled_tool_counts_for_collisions_and_for_the_total() -> None:
    hidden = made_tool("claim", enabled=False)
    assert isinstance(merge({"a": made_manifest("a", [hidden]), "b": made_manifest("b", ["claim"])}, 200), MergeRefusal)
    assert isinstance(merge({"a": made_manifest("a", [hidden, "x"])}, 1), MergeRefusal)


@pytest.mark.req("gateway/K1", "gateway/G6")
@pytest.mark.parametrize(
    ("one", "other", "same"),
    [("a", "a", True), ("a", "A", True), ("a.B-c", "A.b-C", True), ("a", "b", False), ("a-b", "a_b", False)],
)
def test_two_bundles_collide_exactly_where_two_tools_of_one_would(one: str, other: str, same: bool) -> None:
    within = check_run(check_manifest(manifest("a", [one, other]), ManifestPolicy("a")))
    across = merge({"a": made_manifest("a", [one]), "b": made_manifest("b", [other])}, 200)
    assert (isinstance(within, Rejected), isinstance(across, MergeRefusal)) == (same, same)


@pytest.mark.req("gateway/K1")
@pytest.mark.parametrize(("max_total", "refused"), [(3, False), (2, True), (0, True)])
def test_more_tools_than_the_total_refuse_everything(max_total: int, refused: bool) -> None:
    merged = merge({"a": made_manifest("a", "ab"), "b": made_manifest("b", "c")}, max_total)
    assert isinstance(merged, MergeRefusal) is refused
    if isinstance(merged, MergeRefusal):
        assert [finding.rule for finding in merged.findings] == ["catalogue.total"]
        assert f"3 tools, and maxToolsTotal is {max_total}" in merged.findings[0].problem


@pytest.mark.req("gateway/K1", "gateway/K5")
@given(contents=st.dictionaries(st.sampled_from("xyzXY"), NAMES, max_size=4), seed=st.integers(0, 1000))
def test_the_order_of_arrival_changes_nothing(contents: dict[str, list[str]], seed: int) -> None:
    shuffled = list(contents)
    random.Random(seed).shuffle(shuffled)
    one = merge({key: made_manifest(key, contents[key]) for key in contents}, 15)
    other = merge({key: made_manifest(key, reversed(contents[key])) for key in shuffled}, 15)
    assert one == other
    if not isinstance(one, MergeRefusal) and not isinstance(other, MergeRefusal):
        assert [tools_array(one, revision) for revision in Revision] == [
            tools_array(other, revision) for revision in Revision
        ]


@pytest.mark.req("gateway/K1")
@given(contents=st.dictionaries(st.sampled_from("xyz"), NAMES, max_size=3), max_total=st.integers(0, 18))
def test_a_merge_has_every_tool_once_or_refuses(contents: dict[str, list[str]], max_total: int) -> None:
    merged = merge({key: made_manifest(key, contents[key]) for key in contents}, max_total)
    every = [(key, name) for key in sorted(contents) for name in sorted(contents[key])]
    collides = len({name for _, name in every}) < len(every)
    if isinstance(merged, MergeRefusal):
        assert collides or len(every) > max_total
    else:
        assert not collides
        assert [(entry.bundle_id, entry.tool.name) for entry in merged] == every


@pytest.mark.req("gateway/K3", "gateway/M2")
def test_a_snapshot_knows_its_tools_by_name_and_describes_the_shown_ones() -> None:
    built = datetime(2026, 1, 1, tzinfo=UTC)
    tools = merge({"a": made_manifest("a", ["shown", made_tool("hidden", enabled=False)])}, 200)
    assert not isinstance(tools, MergeRefusal)
    shown = tools_array(tools, Revision.V2025_11_25)
    snapshot = build_snapshot(tools, shown, built)
    assert [entry.tool.name for entry in snapshot.tools] == ["hidden", "shown"]
    assert snapshot.by_name["hidden"].tool.enabled is False
    assert snapshot.tool_count == 1
    assert snapshot.size_bytes == len(shown)
    assert snapshot.digest == "sha256:" + hashlib.sha256(shown).hexdigest()
    assert snapshot.built_at is built
    with pytest.raises(TypeError):
        snapshot.by_name["x"] = snapshot.tools[0]  # type: ignore[index]  # that it cannot be written is the test
