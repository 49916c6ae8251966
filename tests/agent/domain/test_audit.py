"""The chain of the audit: whatever is changed, removed or swapped shows (agent/I3)."""

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from axhub.agent.domain.audit import GENESIS, AuditAction, AuditEntry, AuditProblem, ChainedEntry, Head, chained, verify

ENTRY = AuditEntry(action=AuditAction.RUN_ENDED, tenant_id="t", user_id="u", run_id="r", agent="a")


def chain(size: int, tenant: str = "t") -> list[ChainedEntry]:
    made: list[ChainedEntry] = []
    for seq in range(1, size + 1):
        body = replace(ENTRY, tenant_id=tenant, outcome=str(seq)).body()
        made.append(chained(tenant, seq, body, made[-1].hash if made else GENESIS))
    return made


def problems(entries: Sequence[ChainedEntry], *heads: Head) -> list[tuple[int, AuditProblem, int]]:
    return [(fault.seq, fault.problem, fault.after) for fault in verify(entries, heads)]


P = AuditProblem


@pytest.mark.req("agent/I3")
def test_whole_chains_of_several_tenants_hold() -> None:
    one, other = chain(3), chain(2, "other")
    heads = [Head("t", 3, one[2].hash), Head("t", 1, one[0].hash), Head("other", 2, other[1].hash)]
    assert problems([*one, *other], *heads) == []
    assert problems([one[0], other[0], one[1], other[1], one[2]], *heads) == []


@pytest.mark.req("agent/I3", "input/B96")
def test_what_was_done_to_a_chain_is_named() -> None:
    one = chain(4)
    forged = replace(one[1], body=one[1].body.replace('"2"', '"9"'))
    assert problems([one[0], forged, *one[2:]]) == [(2, P.CHANGED, 1)]
    rehashed = chained("t", 2, forged.body, one[0].hash)
    assert problems([one[0], rehashed, *one[2:]]) == [
        (3, P.UNLINKED, 2),
    ]
    assert problems([one[0], *one[2:]]) == [(3, P.GAP, 1)]
    assert problems(one[1:]) == [(2, P.GAP, 0)]
    assert problems([one[0], one[2], one[1], one[3]]) == [
        (3, P.GAP, 1),
        (2, P.GAP, 3),
        (4, P.GAP, 2),
    ]
    assert problems([one[0], one[0]]) == [(1, P.GAP, 1)]


@pytest.mark.req("agent/I3")
def test_a_head_that_was_exported_finds_a_cut_tail_and_a_new_chain() -> None:
    one, head = chain(4), Head("t", 4, chain(4)[3].hash)
    assert problems(one[:2], head) == [(4, P.CUT, 2)]
    assert problems([], head) == [(4, P.CUT, 0)]
    again = [chained("t", 1, ENTRY.body(), GENESIS)]
    for seq in range(2, 5):
        again.append(chained("t", seq, ENTRY.body(), again[-1].hash))
    assert problems(again, head) == [(4, P.OTHER_HEAD, 4)]
    assert problems([*one, *chain(5)[4:]], head) == []


@given(st.integers(0, 5), st.sampled_from(["tenant_id", "seq", "body", "previous", "hash"]))
def test_a_change_of_any_column_of_any_entry_shows(at: int, column: str) -> None:
    one = chain(6)
    value = {"seq": 99}.get(column, "f" * 64)
    one[at] = replace(one[at], **{column: value})  # type: ignore[arg-type]  # each with its own type
    assert problems(one)


@pytest.mark.req("agent/I3")
def test_an_entry_says_who_did_what_and_no_more_of_the_arguments_than_it_is_given() -> None:
    entry = ENTRY.with_arguments({"order_id": "A"}).decided("approve", "boss")
    assert json.loads(entry.body()) == {
        "action": "run_ended",
        "agent": "a",
        "approval_policy_version": "",
        "approver": "boss",
        "arguments": {"order_id": "A"},
        "arguments_sha256": "",
        "at": "",
        "call_id": "",
        "decision": "approve",
        "outcome": "",
        "policy_version": "",
        "reference": "",
        "run_id": "r",
        "tenant_id": "t",
        "tool": "",
        "trace_id": "",
        "user_id": "u",
    }
