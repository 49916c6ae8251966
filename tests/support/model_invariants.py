"""What has to hold whatever a model picked: looked up in the rows, and in the requests that the model was sent."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final

from axhub.agent.domain.calls import CallState
from axhub.agent.domain.runs import ACTIVE, RunState
from support.agent_record import Record
from support.requests_sent import Said, conversation_of, tools_of
from support.small_model import Told

__all__ = ["check"]

WRITES: Final = frozenset({"refund_order", "cancel_order"})
_RAN: Final = {CallState.DONE, CallState.RUNNING, CallState.UNKNOWN}


def check(record: Record, told: Sequence[Told], secrets: Iterable[str]) -> None:
    """Fail unless all of it holds.

    Args:
        record: of the whole database.
        told: all that the model was sent for it.
        secrets: texts that no model should see, besides who acts and what the run is called.
    """
    only_what_was_offered_ran(record, told)
    each_order_changed_once(record)
    a_person_had_approved_each_write(record)
    the_audit_is_complete(record)
    no_secret_was_told(record, told, secrets)
    no_history_holds_half_a_pair(record, told)
    every_run_has_ended_or_waits(record)


def only_what_was_offered_ran(record: Record, told: Sequence[Told]) -> None:
    offered = {run.id: frozenset(json.loads(run.offered)) for run in record.runs}
    ran = [(one.run_id, one.tool) for one in record.calls if one.state != CallState.FAILED]
    ran += [(one["run_id"], one["tool"]) for one in record.audit if one["action"] in {"call_intended", "call_ended"}]
    assert [one for one in ran if one[1] not in offered[one[0]]] == []
    shown = {frozenset(name for name, _, _ in tools_of(one.body)) for one in told}
    assert shown <= set(offered.values())


def each_order_changed_once(record: Record) -> None:
    """A refund that the provider declines is taken back, and may be asked for again."""
    events = Counter((one.aggregate, one.type) for one in record.outbox)
    for one in record.orders:
        of, back = f"order/{one.tenant_id}/{one.id}", one.declined_refunds
        assert events.pop((of, "order.refund_declined"), 0) == back
        assert events.pop((of, "order.refunded"), 0) == back + (one.status == "REFUNDED")
    assert [event for event, times in events.items() if times > 1] == []


def a_person_had_approved_each_write(record: Record) -> None:
    approved: set[tuple[str, str]] = set()
    for one in record.audit:
        what = (one["call_id"], one["arguments_sha256"])
        if one["action"] == "call_decided" and one["decision"] == "approve":
            assert one["approver"] not in {"", one["user_id"]}
            approved.add(what)
        if one["action"] == "call_intended" and one["tool"] in WRITES:
            assert what in approved, one
    rows = {one.call_id: one.decision for one in record.approvals}
    writes = [one for one in record.calls if one.tool in WRITES and one.state in _RAN]
    assert [one.id for one in writes if rows.get(one.id) != "approve"] == []


def the_audit_is_complete(record: Record) -> None:
    steps: dict[str, list[str]] = {one.id: [] for one in record.calls}
    for one in record.audit:
        if one["call_id"]:
            steps[one["call_id"]].append(one["action"])
    assert [(one.id, one.state) for one in record.calls if not _fits(one.state, steps[one.id])] == []
    hashes = {one.id: one.sha256 for one in record.calls}
    assert [one for one in record.audit if one["call_id"] and one["arguments_sha256"] != hashes[one["call_id"]]] == []
    ended = Counter(one["run_id"] for one in record.audit if one["action"] == "run_ended")
    assert ended == Counter(one.id for one in record.runs if one.state in {RunState.ANSWERED, RunState.STOPPED})


def _fits(state: str, steps: Sequence[str]) -> bool:
    """Say whether what was audited of a call is what led to its state."""
    beginnings: list[tuple[str, ...]] = [(), ("call_proposed", "call_decided")]
    ran = [(*one, "call_intended", "call_ended") for one in beginnings]
    allowed: dict[str, list[tuple[str, ...]]] = {
        CallState.WAITING: [("call_proposed",)],
        CallState.DONE: ran,
        CallState.FAILED: [*ran, *((*one, "call_rejected") for one in beginnings)],
        CallState.DENIED: [("call_proposed", "call_decided")],
    }
    return tuple(steps) in allowed.get(state, [])


def no_secret_was_told(record: Record, told: Sequence[Told], secrets: Iterable[str]) -> None:
    own = {*secrets}
    for run in record.runs:
        own |= {run.id, run.conversation_id, run.user_id, run.tenant_id}
    own |= {one.business_key for one in record.calls if one.business_key}
    own |= {one.id for one in record.approvals}
    everything = "\n".join(one.all for one in told)
    assert [secret for secret in sorted(own) if secret in everything] == []


def no_history_holds_half_a_pair(record: Record, told: Sequence[Told]) -> None:
    assert [number for number, one in enumerate(told) if _halves(conversation_of(one.body))] == []
    waiting = {one.conversation_id for one in record.runs if one.state in ACTIVE}
    talks: dict[str, list[Said]] = {}
    for row in sorted(record.messages, key=lambda one: (one.conversation_id, one.seq)):
        talks.setdefault(row.conversation_id, []).extend(_said(row.kind, json.loads(row.body)))
    assert [talk for talk, said in talks.items() if talk not in waiting and _halves(said)] == []


def _said(kind: str, body: Any) -> list[Said]:
    """Return a stored message in the form of one that was sent."""
    if kind == "results":
        return [("result", one["call_id"], one["text"]) for one in body["results"]]
    if kind == "user":
        return [("user", body["text"])]
    calls = [(one["id"], one["name"], one["arguments"]) for one in body.get("calls", ())]
    return [("assistant", body.get("text", ""), calls)]


def _halves(talk: Sequence[Said]) -> list[str]:
    """Return calls without a result behind them, and results without a call before them."""
    wrong = [] if talk and talk[0][0] == "user" else ["nobody has asked"]
    asked: list[str] = []
    for one in talk:
        if one[0] == "result":
            wrong += [] if asked and asked.pop(0) == one[1] else [one[1]]
        else:
            wrong += asked
            asked = [call[0] for call in one[2]] if one[0] == "assistant" else []
    return wrong + asked


def every_run_has_ended_or_waits(record: Record) -> None:
    allowed = {RunState.ANSWERED, RunState.STOPPED, RunState.WAITING}
    assert [(one.id, one.state) for one in record.runs if one.state not in allowed] == []
    waiting = {one.id for one in record.runs if one.state == RunState.WAITING}
    assert waiting == {one.run_id for one in record.approvals if one.is_open}
