"""How calls end, each with one result, whatever they do (agent/L4 to L6, agent/I1 to I3, AG-P5, AG-P16 to P28)."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from axhub.agent.domain.errors import ToolError
from axhub.agent.domain.messages import ResultKind
from axhub.agent.domain.outcomes import Answered, Stopped, ToolAbortedError
from axhub.agent.domain.runs import StopReason
from axhub.agent.ports.runs import NotFoundError
from axhub.agent.testing import FakeActor, call, calls
from axhub.agent.usecases.dispatch import ErrorPolicy
from support.agents import SETTINGS, Context, Probe, World, Worlds, raising, reader, unknown

CANARY = "canary-7f3a"
EVERYTHING = type("Nobody", (), {"version": "none", "needs_approval": lambda *_: False})()
"""An approval policy that asks nobody."""


def neutral(reference: str) -> str:
    return f"The tool could not do this; it is not the fault of the arguments. Reference: {reference}."


async def _never(_arguments: object, _context: object) -> str:
    await asyncio.Event().wait()
    raise AssertionError


async def _one_write(worlds: Worlds, refund: Probe, *, errors: ErrorPolicy | None = None) -> World:
    batch = calls(call("refund_order", order_id="A"))
    return await worlds.make(batch, "Well.", tools=[refund], approvals=EVERYTHING, errors=errors)


@pytest.mark.req("agent/L4", "agent/L5")
async def test_a_failing_sibling_cancels_and_hides_no_other(worlds: Worlds) -> None:
    began = asyncio.Event()

    async def slow(arguments: Mapping[str, Any], _context: object) -> str:
        began.set()
        await asyncio.sleep(0.01)
        return json.dumps(arguments)

    async def fails(_arguments: object, _context: object) -> str:
        await began.wait()
        raise RuntimeError(CANARY)

    one, other, refund = reader("read_slow", slow), reader("read_bad", fails), Probe()
    batch = calls(
        call("read_slow", order_id="1"),
        call("read_bad", order_id="2"),
        call("refund_order", order_id="3"),
        call("read_bad", order_id="4"),
    )
    world = await worlds.make(batch, "Well.", tools=[one, other, refund], approvals=EVERYTHING)
    await world.ask()
    assert [(one.call_id, one.kind) for one in world.told()] == [
        (one.id, kind)
        for one, kind in zip(
            batch.calls, [ResultKind.OK, ResultKind.ERROR, ResultKind.OK, ResultKind.ERROR], strict=True
        )
    ]
    assert len(refund.calls) == 1


@pytest.mark.req("agent/L4")
async def test_writes_run_in_the_models_order_one_after_the_other(worlds: Worlds) -> None:
    seen: list[str] = []

    async def behave(arguments: Mapping[str, Any], _context: object) -> str:
        seen.append(f"begin {arguments['order_id']}")
        await asyncio.sleep(0)
        seen.append(f"end {arguments['order_id']}")
        return "{}"

    tools = [Probe("cancel_order", behave=behave), Probe("refund_order", behave=behave)]
    batch = calls(call("cancel_order", order_id="A"), call("refund_order", order_id="B"))
    world = await worlds.make(batch, "Done.", tools=tools, approvals=EVERYTHING)
    await world.ask()
    assert seen == ["begin A", "end A", "begin B", "end B"]


@pytest.mark.req("agent/L5", "threat/T22", "input/B94")
@pytest.mark.parametrize("probe", [reader(), Probe(found=None), Probe(found=unknown())])
async def test_a_secret_in_an_exception_is_in_the_observers_fault_and_nowhere_else(
    worlds: Worlds, probe: Probe
) -> None:
    name = probe.definition.name
    probe.behave = raising(RuntimeError(CANARY))
    world = await worlds.make(calls(call(name, order_id="A")), "Sorry.", tools=[probe], approvals=EVERYTHING)
    outcome = await world.ask()
    assert isinstance(outcome, Answered)
    (reference,) = [key for key, error in world.observer.faults.items() if CANARY in str(error)]
    view = await world.store.run(outcome.run_id, FakeActor())
    shown = [
        outcome,
        world.turns.requests,
        view,
        await world.audit(),
        world.observer.notes,
        await world.store.conversation(outcome.conversation_id, FakeActor()),
    ]
    assert CANARY not in repr(shown)
    assert reference in world.told()[0].text
    assert reference in [one["reference"] for one in await world.audit()]


@pytest.mark.req("agent/L5")
async def test_only_the_text_of_a_tool_error_reaches_the_model_and_as_data(worlds: Worlds) -> None:
    refund = Probe(behave=raising(ToolError("ORDER_NOT_FOUND", "No order A; ask for the number.")))
    world = await _one_write(worlds, refund)
    await world.ask()
    told = world.told()[0]
    assert told.kind is ResultKind.ERROR
    assert told.text.splitlines()[1] == (
        '{"error": {"code": "ORDER_NOT_FOUND", "message": "No order A; ask for the number."}}'
    )
    assert world.observer.faults == {}
    assert refund.asked == []


@pytest.mark.req("agent/L5")
@pytest.mark.parametrize("errors", [ErrorPolicy(abort_all=True), ErrorPolicy(aborts=(PermissionError,))])
async def test_an_aborting_exception_reaches_the_caller_and_every_outcome_is_stored(
    worlds: Worlds, errors: ErrorPolicy
) -> None:
    refund, cancel = Probe(behave=raising(PermissionError(CANARY))), Probe("cancel_order")
    batch = calls(call("refund_order", order_id="A"), call("cancel_order", order_id="A"))
    world = await worlds.make(batch, "Next.", tools=[refund, cancel], approvals=EVERYTHING, errors=errors)
    with pytest.raises(ToolAbortedError) as caught:
        await world.ask()
    assert isinstance(caught.value.__cause__, PermissionError)
    assert str(caught.value) == f"run {caught.value.run_id}: refund_order raised; reference {caught.value.reference}"
    view = await world.store.run(caught.value.run_id, FakeActor())
    assert (view.reason, [one.kind for one in view.results]) == (StopReason.FAILED, [ResultKind.ERROR, ResultKind.OK])
    assert isinstance(await world.ask(conversation=view.conversation_id), Answered)


@pytest.mark.req("agent/L6")
@pytest.mark.parametrize(
    ("found", "kind", "state"),
    [
        (None, ResultKind.UNKNOWN, "UNKNOWN"),
        (unknown(), ResultKind.UNKNOWN, "UNKNOWN"),
        ('{"done": "A"}', ResultKind.OK, "DONE"),
    ],
)
@pytest.mark.parametrize("error", [TimeoutError(), unknown(), asyncio.CancelledError(), None])
async def test_a_write_that_was_cut_off_is_unknown_unless_its_use_case_knows_its_key(
    worlds: Worlds, error: BaseException | None, found: str | Exception | None, kind: ResultKind, state: str
) -> None:
    behave = _never if error is None else raising(error)
    refund = Probe(behave=behave, found=found, timeout_seconds=10 if error else 0.01)
    world = await _one_write(worlds, refund)
    await world.ask()
    told = world.told()[0]
    assert told.kind is kind
    assert [one["outcome"] for one in await world.audit() if one["action"] == "call_ended"] == [state]
    if kind is ResultKind.UNKNOWN:
        (reference,) = world.observer.faults
        assert told.text == (
            "It is not known whether this took effect. Do not call it again; say that it is being looked into. "
            f"Reference: {reference}."
        )


@pytest.mark.req("agent/L6")
@pytest.mark.parametrize(
    ("found", "kind"),
    [(None, ResultKind.ERROR), ('{"done": 1}', ResultKind.OK), (unknown(), ResultKind.UNKNOWN)],
)
async def test_a_write_that_raised_is_what_its_use_case_says(
    worlds: Worlds, found: str | Exception | None, kind: ResultKind
) -> None:
    refund = Probe(behave=raising(RuntimeError("inner")), found=found)
    world = await _one_write(worlds, refund)
    await world.ask()
    assert world.told()[0].kind is kind
    assert refund.asked == ["tenant-1:refund_order:A"]


async def test_a_read_that_takes_too_long_is_an_error_with_a_reference(worlds: Worlds) -> None:
    search = reader(behave=_never, timeout_seconds=0.01)
    world = await worlds.make(calls(call("search_orders", order_id="A")), "Well.", tools=[search])
    await world.ask()
    (reference,) = world.observer.faults
    assert [(one.kind, one.text) for one in world.told()] == [(ResultKind.ERROR, neutral(reference))]


@pytest.mark.req("agent/L6", "agent/I1")
async def test_an_unknown_write_blocks_its_key_until_it_is_known(worlds: Worlds) -> None:
    refund = Probe(behave=raising(unknown()), found=unknown())
    again = calls(call("refund_order", order_id="A", note="again"))
    world = await worlds.make(
        calls(call("refund_order", order_id="A")), again, again, "Done.", tools=[refund], approvals=EVERYTHING
    )
    seen = len(refund.calls)

    async def known(*_: object) -> str:
        return '{"done": 1}'

    def check(request: object) -> object:
        nonlocal seen
        seen = len(refund.calls)
        refund.found = '{"done": 1}'
        refund.behave = known
        return again

    world.turns._turns[2] = check
    await world.ask()
    assert seen == 1
    assert world.told(2)[0].text == (
        "The same thing is being done already, or its outcome is not known. Do not call it again."
    )
    assert len(refund.calls) == 1
    await world.agent.recover.once()
    assert [one["outcome"] for one in (await world.audit()) if one["action"] != "call_intended"] == [
        "UNKNOWN", "busy", "busy", "answered", "find_done",
    ]  # fmt: skip


@pytest.mark.req("agent/I1")
async def test_of_two_writes_with_one_key_in_a_response_one_runs(worlds: Worlds) -> None:
    refund = Probe()
    batch = calls(call("refund_order", order_id="A"), call("refund_order", order_id="A", note="twice"))
    world = await worlds.make(batch, "Done.", tools=[refund], approvals=EVERYTHING)
    await world.ask()
    assert len(refund.calls) == 1
    assert [one.kind for one in world.told()] == [ResultKind.OK, ResultKind.ERROR]
    assert world.told()[1].text.startswith("Another call of this response does the same")


@pytest.mark.req("agent/I1")
async def test_the_key_of_a_write_is_ours_and_scoped_and_a_read_has_none(worlds: Worlds) -> None:
    search, refund = reader(), Probe()
    batch = calls(call("search_orders", order_id="A"), call("refund_order", order_id="A"))
    world = await worlds.make(batch, "Done.", tools=[search, refund], approvals=EVERYTHING)
    await world.ask()
    assert [context.key for _, context in search.calls + refund.calls] == [None, "tenant-1:refund_order:A"]
    assert batch.calls[1].id not in refund.calls[0][1].call_id


@pytest.mark.req("agent/I1")
@pytest.mark.parametrize("key", [" ", RuntimeError(CANARY)])
async def test_a_tool_that_makes_no_key_spoils_only_its_own_call(worlds: Worlds, key: str | Exception) -> None:
    refund, search = Probe(key=key), reader()
    batch = calls(call("refund_order", order_id="A"), call("search_orders", order_id="A"))
    world = await worlds.make(batch, "Well.", tools=[refund, search], approvals=EVERYTHING)
    await world.ask()
    (reference,) = world.observer.faults
    assert [one.kind for one in world.told()] == [ResultKind.ERROR, ResultKind.OK]
    assert world.told()[0].text == neutral(reference)
    assert refund.calls == []


@pytest.mark.req("agent/I3")
async def test_the_audit_has_the_intent_before_and_the_outcome_after(worlds: Worlds) -> None:
    seen: list[list[str]] = []

    async def behave(_arguments: object, _context: object) -> str:
        seen.append([one["action"] for one in await world.audit()])
        return "{}"

    refund = Probe(behave=behave, audited=frozenset({"order_id"}))
    batch = calls(call("refund_order", order_id="A", note="secret"))
    world = await worlds.make(batch, "Done.", tools=[refund], approvals=EVERYTHING, policy_version="7")
    outcome = await world.ask()
    entries = await world.audit()
    assert seen == [["call_intended"]]
    assert [(one["action"], one["outcome"]) for one in entries] == [
        ("call_intended", ""),
        ("call_ended", "DONE"),
        ("run_ended", "answered"),
    ]
    intent = entries[0]
    assert intent["arguments"] == {"order_id": "A"}
    assert len(intent["arguments_sha256"]) == 64
    assert (intent["user_id"], intent["tenant_id"], intent["agent"]) == ("user-1", "tenant-1", "support")
    assert (intent["tool"], intent["policy_version"], intent["run_id"]) == ("refund_order", "7", outcome.run_id)
    assert intent["at"].endswith("+00:00")


@pytest.mark.req("agent/I3")
async def test_the_audit_of_a_read_has_both_too(worlds: Worlds) -> None:
    world = await worlds.make(calls(call("search_orders", order_id="A")), "Done.", tools=[reader()])
    await world.ask()
    assert [one["action"] for one in await world.audit()] == ["call_intended", "call_ended", "run_ended"]


@pytest.mark.req("agent/L7")
async def test_a_large_result_is_cut_and_says_so(worlds: Worlds) -> None:
    async def large(_arguments: object, _context: object) -> str:
        return "가" * 400_000

    search = reader(behave=large, max_result_bytes=1000)
    world = await worlds.make(calls(call("search_orders", order_id="A")), "Long.", tools=[search])
    outcome = await world.ask()
    lines = world.told()[0].text.splitlines()
    (result,) = (await world.store.run(outcome.run_id, FakeActor())).results
    assert lines[1:-1] == [
        "가" * 333,
        "[cut: the result has 1200000 bytes, and 999 are shown; it was too large to be kept]",
    ]
    full = await world.store.full_result(result.full_id, FakeActor())
    assert (full.size, full.text) == (1_200_000, None)


@pytest.mark.req("agent/L7")
async def test_the_whole_of_a_result_that_was_cut_is_kept_for_the_person(worlds: Worlds) -> None:
    async def large(arguments: Mapping[str, Any], _context: object) -> str:
        return str(arguments["order_id"]) * 400_000

    async def refuses(_arguments: object, _context: object) -> str:
        raise ToolError("TOO_MUCH", "x" * 400_000)

    search = reader(behave=large, max_result_bytes=1000, return_direct=True)
    refund = Probe(behave=refuses, max_result_bytes=1000)
    batch = calls(call("search_orders", order_id="가"), call("refund_order", order_id="나"))
    world = await worlds.make(
        batch,
        "Long.",
        tools=[search, refund],
        approvals=EVERYTHING,
        settings=replace(SETTINGS, kept_result_bytes=1_200_000),
    )
    outcome = await world.ask()
    found, refused = (await world.store.run(outcome.run_id, FakeActor())).results
    assert f"; all of it is kept under {found.full_id}]" in world.told()[0].text
    assert (await world.store.full_result(found.full_id, FakeActor())).text == "가" * 400_000
    assert "x" * 400_000 in ((await world.store.full_result(refused.full_id, FakeActor())).text or "")
    with pytest.raises(NotFoundError):
        await world.store.full_result(found.full_id, FakeActor("user-2"))


async def test_a_result_that_the_model_reads_whole_is_kept_nowhere_else(worlds: Worlds) -> None:
    world = await worlds.make(calls(call("search_orders", order_id="A")), "Short.", tools=[reader()])
    outcome = await world.ask()
    (result,) = (await world.store.run(outcome.run_id, FakeActor())).results
    assert result.full_id == ""


@pytest.mark.req("agent/L6", "agent/L7")
async def test_the_whole_of_a_result_that_was_looked_up_later_is_kept_too(worlds: Worlds) -> None:
    refund = Probe(behave=raising(unknown()), found=unknown(), max_result_bytes=10)
    world = await _one_write(worlds, refund)
    outcome = await world.ask()
    refund.found = '"' + "found " * 100 + '"'
    await world.agent.recover.once()
    (result,) = (await world.store.run(outcome.run_id, FakeActor())).results
    assert result.text.startswith('"found fou\n[cut: the result has 602 bytes')
    assert (await world.store.full_result(result.full_id, FakeActor())).text == refund.found


@pytest.mark.req("agent/A7")
async def test_fifty_users_at_once_each_act_as_themselves(worlds: Worlds) -> None:
    async def behave(_arguments: object, context: Context) -> str:
        await asyncio.sleep(0)
        return json.dumps({"for": context.actor.user_id})

    search = reader(behave=behave, return_direct=True)
    actors = [FakeActor(f"user-{number}") for number in range(50)]
    batch = [calls(call("search_orders", order_id="A")) for _ in actors]
    world = await worlds.make(*batch, tools=[search])
    outcomes = await asyncio.gather(*(world.ask(actor=actor) for actor in actors))
    assert [getattr(one, "text", one) for one in outcomes] == [f'{{"for": "{one.user_id}"}}' for one in actors]


async def test_a_run_that_is_cancelled_leaves_its_write_to_be_looked_up(worlds: Worlds) -> None:
    inside = asyncio.Event()

    async def behave(arguments: object, context: object) -> str:
        inside.set()
        return await _never(arguments, context)

    refund = Probe(behave=behave, found='{"done": "A"}')
    world = await _one_write(worlds, refund)
    asking = asyncio.create_task(world.ask())
    await inside.wait()
    (running,) = world.agent.ask._kept._tasks
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    await world.later(31)
    assert await world.agent.recover.once()
    outcome = await world.resume()
    assert isinstance(outcome, Answered | Stopped)
    assert len(refund.calls) == 1
    assert world.told()[0].kind is ResultKind.OK
