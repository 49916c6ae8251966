"""Random outages against a model that knows only the sentences of gateway/M2 and gateway/K6."""

import asyncio
import json
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from axhub.gateway.adapters.manifest_scripted import ScriptedManifestSource
from axhub.gateway.domain.revision import Revision
from axhub.gateway.ports import PullFailure
from axhub.gateway.usecases.list_tools import tools_array
from support.manifests import manifest, tool
from support.refreshing import Refreshing, bundle

TOOLS = st.frozensets(st.sampled_from(["one", "two", "three", "four"]))
OUTCOMES = st.one_of(TOOLS, TOOLS, st.sampled_from(PullFailure), st.just("invalid"))
Outcome = frozenset[str] | PullFailure | str


@dataclass
class Model:
    """One bundle by its history alone."""

    name: str
    local: frozenset[str] | None
    pulls: list[Outcome] = field(default_factory=list)

    @property
    def successes(self) -> list[frozenset[str]]:
        return [pull for pull in self.pulls if isinstance(pull, frozenset)]

    @property
    def shown(self) -> frozenset[str] | None:
        if self.successes:
            return self.successes[-1]
        return self.local if self.pulls else None

    @property
    def status(self) -> str:
        if isinstance(self.pulls[-1], frozenset):
            return "healthy"
        if self.successes:
            return "degraded"
        return "unreachable" if self.local is None else "fallback"

    @property
    def failures(self) -> int:
        count = 0
        for pull in reversed(self.pulls):
            if isinstance(pull, frozenset):
                break
            count += 1
        return count

    @property
    def reason(self) -> str | None:
        last = self.pulls[-1]
        if isinstance(last, frozenset):
            return None
        return "InvalidManifest" if last == "invalid" else str(last)

    def document(self, names: frozenset[str]) -> bytes:
        return manifest(self.name, [f"{self.name}_{name}" for name in sorted(names, reverse=True)])

    def answer(self, outcome: Outcome) -> bytes | PullFailure:
        if isinstance(outcome, frozenset):
            return self.document(outcome)
        return outcome if isinstance(outcome, PullFailure) else manifest(self.name, [tool("bad name")])


async def follow(models: list[Model], rounds: list[tuple[Outcome, ...]]) -> None:
    declared = []
    for model in models:
        file = ScriptedManifestSource()
        if model.local is not None:
            file.answer(model.name, model.document(model.local))
        declared.append(bundle(model.name, fallback=file))
    seen: frozenset[str] | None = None
    refreshing = Refreshing(*declared)
    for number, outcomes in enumerate(rounds):
        for model, outcome in zip(models, outcomes, strict=True):
            model.pulls.append(outcome)
            refreshing.source.answer(model.name, model.answer(outcome))
        await (refreshing.tick() if number else refreshing.__aenter__())
        await refreshing.settled()
        seen = _agree(refreshing, models, seen)
    await refreshing.stop()


def _agree(refreshing: Refreshing, models: list[Model], before: frozenset[str] | None) -> frozenset[str] | None:
    for model in models:
        state = refreshing.state(model.name)
        assert (state.status, state.consecutive_failures, state.last_failure_reason) == (
            model.status,
            model.failures,
            model.reason,
        )
        assert state.tool_count == len(model.shown or ())
        assert (state.last_success_at is None) == (not model.successes)
    if any(model.shown is None for model in models):
        assert refreshing.catalogue.snapshot is None
        return None
    expected = {f"{model.name}_{name}" for model in models for name in model.shown or ()}
    names = refreshing.names()
    assert names == sorted(expected)
    for lost in (before or frozenset()) - set(names):
        owner = next(model for model in models if lost.startswith(model.name))
        latest = owner.pulls[-1]
        assert isinstance(latest, frozenset)  # a tool only goes with a valid manifest that does not have it
        assert lost not in {f"{owner.name}_{name}" for name in latest}
    return frozenset(names)


@pytest.mark.req("gateway/M2", "gateway/K6", "gateway/K2", "gateway/G5", "gateway/G8", "fault/F05")
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_any_sequence_of_results_agrees_with_the_definitions_and_loses_no_tool(data: st.DataObject) -> None:
    locals_ = data.draw(st.lists(st.none() | TOOLS, min_size=1, max_size=3))
    models = [Model(name, local) for name, local in zip("abc", locals_, strict=False)]
    rounds = data.draw(st.lists(st.tuples(*(OUTCOMES for _ in models)), min_size=1, max_size=8))
    asyncio.run(follow(models, rounds))


@pytest.mark.req("gateway/K5", "gateway/K1")
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_replicas_show_the_same_bytes_whatever_the_order_of_arrival_and_the_white_space(data: st.DataObject) -> None:
    contents = data.draw(st.fixed_dictionaries(dict.fromkeys("abc", TOOLS)))
    documents = {name: manifest(name, [f"{name}_{part}" for part in sorted(contents[name])]) for name in contents}
    orders = data.draw(st.tuples(st.permutations("abc"), st.permutations("abc")))

    async def shown(order: list[str], *, odd: bool) -> list[bytes]:
        async with Refreshing(*order) as refreshing:
            for name, body in documents.items():
                refreshing.source.answer(name, _rewritten(body) if odd else body)
                refreshing.source.hold(name)
            await refreshing.source.pulls(3)
            for name in order:
                refreshing.source.release(name)
                await asyncio.sleep(0)
            await refreshing.settled()
            assert refreshing.catalogue.snapshot is not None
            return [tools_array(refreshing.catalogue.snapshot.tools, revision) for revision in Revision]

    assert asyncio.run(shown(orders[0], odd=False)) == asyncio.run(shown(orders[1], odd=True))


def _rewritten(body: bytes) -> bytes:
    """Return the same manifest with other white space, order of tools, order of a tool's members and revision."""
    document = json.loads(body)
    tools = [dict(reversed(entry.items())) for entry in reversed(document["tools"])]
    rewritten = {"tools": tools, "revision": "other", "bundleId": document["bundleId"]}
    return json.dumps(rewritten, indent=3, ensure_ascii=False).encode()
