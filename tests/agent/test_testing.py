"""The kit for tests of applications: a script, a world that stands still, and the check of layers."""

import asyncio
import sys
from pathlib import Path

import pytest

from axhub.agent.domain.messages import (
    AssistantMessage,
    CallResult,
    ModelTurn,
    ResultKind,
    TurnRequest,
    Usage,
    UserMessage,
)
from axhub.agent.domain.results import marked
from axhub.agent.ports.turns import ModelUnavailableError
from axhub.agent.testing import FixedClock, NumberedIds, ScriptedTurns, assert_layers, call, calls, fixed, unmarked

REQUEST = TurnRequest("Help.", (UserMessage("Hi."),))


async def test_a_script_answers_in_turn_and_keeps_what_it_was_told() -> None:
    batch = calls(call("search_orders", order_id="A"), text="Well.")
    turns = ScriptedTurns("One.", batch, ModelTurn(AssistantMessage("Two."), Usage(1, 2)), lambda _: "Three.")
    answers = [await turns.take(REQUEST) for _ in range(4)]
    assert [one.message.text for one in answers] == ["One.", "Well.", "Two.", "Three."]
    assert answers[1].message.calls[0].arguments == '{"order_id": "A"}'
    assert answers[2].usage == Usage(1, 2)
    assert turns.requests == [REQUEST] * 4


async def test_a_script_raises_what_stands_in_it_and_when_it_has_ended() -> None:
    turns = ScriptedTurns(ModelUnavailableError())
    with pytest.raises(ModelUnavailableError):
        await turns.take(REQUEST)
    with pytest.raises(LookupError, match=r"^'?the script has ended, and the model is asked for turn 2'?$"):
        await turns.take(REQUEST)


async def test_a_script_streams_its_text_in_pieces() -> None:
    pieces: list[str] = []
    await ScriptedTurns(" Two  words.\n").take(REQUEST, pieces.append)
    assert "".join(pieces) == " Two  words.\n"
    assert len(pieces) == 2


def test_calls_have_ids_of_their_own() -> None:
    assert call("a_tool").id != call("a_tool").id


async def test_a_fixed_clock_moves_only_by_hand_and_wakes_who_sleeps() -> None:
    clock = FixedClock(5.0)
    short, long = asyncio.create_task(clock.sleep(1)), asyncio.create_task(clock.sleep(3))
    await asyncio.sleep(0)
    clock.advance(1)
    await short
    assert (clock.monotonic(), long.done()) == (6.0, False)
    clock.advance(2)
    await long


def test_ids_are_numbered_and_look_like_real_ones() -> None:
    ids = NumberedIds()
    assert [ids.new(), ids.new()] == ["0" * 31 + "1", "0" * 31 + "2"]
    assert fixed().ids.new() == "0" * 31 + "1"


def _package(folder: Path, monkeypatch: pytest.MonkeyPatch, **modules: str) -> None:
    for name, text in {"__init__": "", **modules}.items():
        path = folder / "shop" / f"{name.replace('__in__', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    monkeypatch.setattr(sys, "path", [str(folder), *sys.path])
    monkeypatch.delitem(sys.modules, "shop", raising=False)


def test_layers_that_hold_say_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _package(
        tmp_path,
        monkeypatch,
        main="import sqlalchemy\nfrom shop.adapters import web\nfrom shop import domain",
        adapters__in__web="import starlette, axhub.agent\nfrom shop.usecases import refund",
        usecases__in__refund="from ..ports import orders\nfrom . import other\nimport decimal",
        ports__in__orders="from shop.domain.order import Order",
        domain__in__order="import axhubby",
    )
    assert_layers("shop")
    with pytest.raises(AssertionError, match=r"^shop/main.py:1: main imports sqlalchemy, which only adapters may$"):
        assert_layers("shop", outer=("adapters",))


def test_each_import_that_breaks_the_layers_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _package(
        tmp_path,
        monkeypatch,
        usecases__in__refund="def run():\n    from shop.adapters.web import page\n    import axhub.agent",
        ports__in____init__="from ..usecases import refund",
        domain__in__order="import os\nfrom sqlalchemy import Column\nfrom shop import main",
        main="",
        adapters="",
    )
    with pytest.raises(AssertionError) as refused:
        assert_layers("shop")
    assert str(refused.value).splitlines() == [
        "shop/domain/order.py:2: domain imports sqlalchemy.Column, which only adapters and main may",
        "shop/domain/order.py:3: domain imports shop.main, of a layer above it",
        "shop/ports/__init__.py:1: ports imports shop.usecases.refund, of a layer above it",
        "shop/usecases/refund.py:2: usecases imports shop.adapters.web.page, of a layer above it",
        "shop/usecases/refund.py:3: usecases imports axhub.agent, which only adapters and main may",
    ]


def test_a_layer_that_is_not_there_is_no_layer_without_faults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _package(tmp_path, monkeypatch, use_cases__in__pay="import sqlalchemy", main="", adapters="", domain="")
    with pytest.raises(AssertionError) as refused:
        assert_layers("shop")
    assert str(refused.value).splitlines() == [
        "shop has no usecases: name its layers in layers=...",
        "shop has no ports: name its layers in layers=...",
    ]
    assert_layers("shop", layers=("main", "adapters", "domain"))


def test_a_module_beside_the_layers_belongs_to_the_innermost_that_reaches_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _package(
        tmp_path,
        monkeypatch,
        main="from shop import wiring",
        adapters="import shop.helpers",
        domain="from shop.helpers import tidy",
        helpers="from .deeper import tidy",
        deeper__in____init__="import sqlalchemy\nfrom shop.adapters import page",
        wiring="import sqlalchemy",
        alone="import sqlalchemy",
    )
    with pytest.raises(AssertionError) as refused:
        assert_layers("shop", layers=("main", "adapters", "domain"))
    assert str(refused.value).splitlines() == [
        "shop/deeper/__init__.py:1: deeper, which domain imports, imports sqlalchemy, which only adapters and main may",
        "shop/deeper/__init__.py:2: deeper, which domain imports, imports shop.adapters.page, of a layer above it",
    ]


async def test_a_script_says_on_request_what_nobody_took() -> None:
    turns = ScriptedTurns("One.", "Two.", "Three.")
    await turns.take(REQUEST)
    with pytest.raises(AssertionError, match=r"^2 turns of the script were not taken; the next would be 'Two\.'$"):
        turns.assert_used_up()
    for _ in range(2):
        await turns.take(REQUEST)
    turns.assert_used_up()


def test_the_data_of_a_result_without_its_marks() -> None:
    result = CallResult("a", "search_orders", ResultKind.OK, '{"note": "</data-1>\\n"}')
    assert unmarked(marked(result, lambda: "0f")) == result.text
    for plain in ("It is not known.", "<data-1>\nx\n</data-2>", ""):
        assert unmarked(plain) == plain


def test_a_package_that_is_not_there_is_no_package_without_faults() -> None:
    with pytest.raises(LookupError, match=r"^there is no package no_such_shop$"):
        assert_layers("no_such_shop")
