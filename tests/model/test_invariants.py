"""What is looked for whatever a model picks is found where it is planted (agent/A10)."""

import json
from collections.abc import Callable
from copy import deepcopy
from dataclasses import fields, replace
from types import SimpleNamespace
from typing import Any, Final

import pytest

from support.agent_record import Record, record_of
from support.model_invariants import check
from support.order_shop import shop_at
from support.small_model import Told

KEY: Final = "a-key-that-no-model-sees"
TOOLS: Final = ("cancel_order", "refund_order", "search_orders")
CALL: Final = {"id": "c1", "type": "function", "function": {"name": "refund_order", "arguments": "{}"}}
TALK: Final[list[dict[str, Any]]] = [
    {"role": "system", "content": "You help."},
    {"role": "user", "content": "refund it"},
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "c1", "content": "done"},
]
Seen = tuple[Record, list[Told]]


def told(messages: list[dict[str, Any]] = TALK, tools: tuple[str, ...] = TOOLS, **headers: str) -> Told:
    shown = [{"type": "function", "function": {"name": name, "description": ""}} for name in tools]
    return Told(list(headers.items()), json.dumps({"messages": messages, "tools": shown}), "")


@pytest.fixture(scope="module")
async def seen(tmp_path_factory: pytest.TempPathFactory) -> Seen:
    """Return what a refund leaves that went as it should, in a form that can be changed."""
    async with shop_at(tmp_path_factory.mktemp("shop")) as shop:
        held = (await shop.chat("ORD-100 환불해줘")).json
        await shop.decide(held["approvals"][0]["id"], "approve")
        assert (await shop.ended(held["runId"]))["status"] == "answered"
        record = await record_of(shop.service.database)
    loose: dict[str, list[Any]] = {
        one.name: [
            row if isinstance(row, dict) else SimpleNamespace(**row._mapping) for row in getattr(record, one.name)
        ]
        for one in fields(record)
    }
    return Record(**loose), [told(TALK[:2]), told()]


def _step(record: Record, action: str) -> dict[str, Any]:
    return next(one for one in record.audit if one["action"] == action)


def _without(record: Record, action: str) -> Record:
    return replace(record, audit=[one for one in record.audit if one["action"] != action])


def _set(rows: list[Any], **columns: Any) -> None:
    vars(rows[0]).update(columns)


def _say(record: Record, action: str, **members: str) -> None:
    _step(record, action).update(members)


Planted = Callable[[Record, list[Told]], Record | None]
BREACHES: Final[dict[str, Planted]] = {
    "a tool ran that was not offered": lambda record, _: _set(record.calls, tool="delete_everything"),
    "it is in the audit alone": lambda record, _: _say(record, "call_ended", tool="delete_everything"),
    "a tool was shown that was not offered": lambda _, said: said.append(told(tools=("delete_everything",))),
    "an order was refunded twice": lambda record, _: record.outbox.extend(record.outbox),
    "an order was refunded and nobody hears": lambda record, _: record.outbox.clear(),
    "nobody had decided": lambda record, _: _without(record, "call_decided"),
    "it was denied": lambda record, _: _say(record, "call_decided", decision="deny"),
    "other arguments were approved": lambda record, _: _say(record, "call_decided", arguments_sha256="0"),
    "the requester decided": lambda record, _: _say(record, "call_decided", approver="minji"),
    "the row of the approval says no": lambda record, _: _set(record.approvals, decision="deny"),
    "the outcome is missing": lambda record, _: _without(record, "call_ended"),
    "the outcome is there twice": lambda record, _: record.audit.append(_step(record, "call_ended")),
    "the end of the run is missing": lambda record, _: _without(record, "run_ended"),
    "the arguments are others": lambda record, _: _set(record.calls, sha256="0"),
    "a key was told": lambda _, said: said.append(told(key=KEY)),
    "the actor was told": lambda _, said: said.append(told([TALK[0], {"role": "user", "content": "I am minji"}])),
    "the tenant was told": lambda _, said: said.append(told(tenant="hanbit")),
    "the run was told": lambda record, said: said.append(told(run=record.runs[0].id)),
    "a call was told without its result": lambda _, said: said.append(told(TALK[:3])),
    "a result was told without its call": lambda _, said: said.append(told([*TALK[:2], TALK[3]])),
    "half a pair is stored": lambda record, _: replace(
        record, messages=[one for one in record.messages if one.kind != "results"]
    ),
    "a run goes on": lambda record, _: _set(record.runs, state="RUNNING"),
    "a run waits for nobody": lambda record, _: _set(record.runs, state="WAITING"),
}


async def test_what_went_well_passes(seen: Seen) -> None:
    check(*seen, [KEY])


@pytest.mark.parametrize("breach", BREACHES)
async def test_what_went_wrong_is_found(seen: Seen, breach: str) -> None:
    record, said = deepcopy(seen)
    planted = BREACHES[breach](record, said)
    with pytest.raises(AssertionError):
        check(planted or record, said, [KEY])
