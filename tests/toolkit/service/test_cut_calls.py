"""Calls that are cut off: at their deadline, by a server that stops, before they start or later (toolkit/S5)."""

import asyncio
import time
from contextlib import AsyncExitStack
from typing import Any, Self

import pytest
from pydantic import field_validator

from axhub.toolkit.context import ToolContext
from axhub.toolkit.service.endpoint import CallLimits
from axhub.toolkit.service.metrics import Metrics
from axhub.toolkit.service.opening import open_all
from axhub.toolkit.service.options import StartError
from axhub.toolkit.service.pages import ManifestPage, Pages, pages
from axhub.toolkit.testing import MemoryRepeatStore
from support.asgi_server import on_loopback
from support.desk import eventually
from support.http import exchange, render
from support.one_tool import Done, Numbered, one_tool

SECRET = "900101-1234567"


@pytest.mark.req("toolkit/S6")
async def test_a_call_that_the_server_cancels_is_told_that_the_service_stops() -> None:
    async def long(request: Any, context: ToolContext) -> Done:
        await asyncio.sleep(30)
        return Done()

    gate = asyncio.Event()
    for gates, store in ((None, None), (gate, None), (None, MemoryRepeatStore())):
        async with one_tool(long, seconds=20, store=store) as tool:
            calling = asyncio.create_task(tool.call(gate=gates))
            await asyncio.sleep(0.05)
            calling.cancel()
            answer = await calling
            assert (answer.status, answer.value["error"]["code"]) == (503, "STOPPED")
            assert answer.headers["retry-after"] == "1"
            assert tool.log[-1]["errorId"] == answer.headers["x-error-id"]
            assert tool.counted() == {"stopped": 1}


class Stubborn:
    """A use case that ignores its end until it is released."""

    def __init__(self) -> None:
        self.released = asyncio.Event()

    async def __call__(self, request: Any, context: ToolContext) -> Done:
        while not self.released.is_set():
            try:
                await self.released.wait()
            except BaseException:  # noqa: BLE001 - what the test is about
                continue
        return Done()


@pytest.mark.req("toolkit/S5", "toolkit/S6")
async def test_a_use_case_that_ignores_its_end_does_not_hold_up_the_answer() -> None:
    stubborn = Stubborn()
    async with one_tool(stubborn, seconds=0.1) as tool:
        answer = await tool.call()
        assert (answer.status, answer.value["error"]["code"]) == (504, "TIMEOUT")
        assert (tool.endpoint.in_flight, tool.endpoint.abandoned) == (0, 1)
        assert "axhub_service_calls_abandoned 1.0" in tool.metrics.text().decode()
        assert [line["event"] for line in tool.log] == ["tool_abandoned", "tool_timeout", "tool_call"]
        stubborn.released.set()
        await eventually(lambda: tool.endpoint.abandoned == 0)


@pytest.mark.req("toolkit/S6")
async def test_too_many_that_go_on_make_the_service_unready_and_take_no_more_calls() -> None:
    stubborn = Stubborn()
    async with one_tool(stubborn, seconds=0.05) as tool:
        answers = await asyncio.gather(*(tool.call() for _ in range(8)))
        assert {answer.status for answer in answers} == {504}
        assert tool.endpoint.is_clogged
        assert (await tool.call()).value["error"]["code"] == "BUSY"
        stubborn.released.set()
        await eventually(lambda: tool.endpoint.abandoned == 0)
        assert not tool.endpoint.is_clogged


@pytest.mark.req("toolkit/S6")
async def test_use_cases_that_never_end_make_the_process_one_to_be_replaced_after_a_while() -> None:
    stubborn = Stubborn()
    async with one_tool(stubborn, seconds=0.05, limits=CallLimits(1 << 20, 8, stuck_seconds=1.5)) as tool:
        await tool.call()
        await asyncio.sleep(1.6)
        assert (tool.endpoint.abandoned, tool.endpoint.is_stuck) == (1, False)  # a quarter of the places is two
        await tool.call()
        assert (tool.endpoint.is_clogged, tool.endpoint.is_stuck) == (True, False)
        await eventually(lambda: tool.endpoint.is_stuck)
        stubborn.released.set()
        await eventually(lambda: tool.endpoint.abandoned == 0)
        assert not tool.endpoint.is_stuck


@pytest.mark.req("toolkit/S6")
def test_a_process_is_given_a_minute() -> None:
    assert CallLimits(1 << 20, 8).stuck_seconds == 60.0


@pytest.mark.req("toolkit/S6")
@pytest.mark.parametrize(("stuck", "status", "word"), [(False, 200, "UP"), (True, 503, "DOWN")])
async def test_liveness_tells_whether_the_process_is_to_be_replaced(stuck: bool, status: int, word: str) -> None:
    shown = Pages(ManifestPage(b"{}", "sha256:0"), Metrics([]), lambda: True, 0, "en", lambda: not stuck)
    async with on_loopback(pages(shown), lifespan="off") as port:
        paths = (b"/actuator/health/liveness", b"/actuator/health")
        alive, whole = [await exchange(port, render(b"", method=b"GET", path=path)) for path in paths]
    assert (alive.status, alive.json) == (status, {"status": word})
    assert (whole.status, whole.json["components"]["liveness"]) == (status, {"status": word})


@pytest.mark.req("rule/TK804", "toolkit/S5")
async def test_a_call_whose_time_is_over_before_it_starts_takes_no_key() -> None:
    class Slow(MemoryRepeatStore):
        async def begin(self, tool: str, key: str, digest: str | None = None) -> Any:
            found = await super().begin(tool, key, digest)
            time.sleep(0.3)  # noqa: ASYNC251 - it answers, too late
            return found

    async def never(request: Any, context: ToolContext) -> Done:
        raise AssertionError

    store = Slow()
    async with one_tool(never, store=store, seconds=0.2) as tool:
        assert [(await tool.call()).status for _ in range(2)] == [504, 504]
        assert store._entries == {}
        assert not [line for line in tool.log if line["event"] == "tool_failed"]


@pytest.mark.req("toolkit/S6")
async def test_a_body_is_waited_for_no_longer_than_its_tool_may_take() -> None:
    store = MemoryRepeatStore()
    async with one_tool(quick, store=store, seconds=0.2) as tool:
        answer = await tool.call(b'{"number":"1"}', gate=asyncio.Event())
        assert (answer.status, answer.value["error"]["code"]) == (408, "SLOW_BODY")


@pytest.mark.req("rule/TK804")
@pytest.mark.parametrize("error", [asyncio.CancelledError(), SystemExit(1), TimeoutError()], ids=repr)
async def test_a_store_that_raises_anything_is_a_fault_of_ours(error: BaseException) -> None:
    class Odd(MemoryRepeatStore):
        async def begin(self, tool: str, key: str, digest: str | None = None) -> Any:
            raise error

    async with one_tool(quick, store=Odd()) as tool:
        answer = await tool.call()
        assert (answer.status, tool.log[0]["event"]) == (500, "repeat_store_failed")


def test_the_argument_of_the_one_tool_is_what_the_tests_say() -> None:
    assert Numbered().number == "1"


async def quick(request: Any, context: ToolContext) -> Done:
    return Done()


class SlowStore(MemoryRepeatStore):
    """A store one of whose steps takes long."""

    def __init__(self, step: str, seconds: float) -> None:
        super().__init__()
        self.step = step
        self.seconds = seconds
        self.reached = asyncio.Event()

    async def begin(self, tool: str, key: str, digest: str | None = None) -> Any:
        await self._take_long("begin")
        return await super().begin(tool, key, digest)

    async def finish(self, tool: str, key: str, answer: bytes) -> None:
        await self._take_long("finish")
        await super().finish(tool, key, answer)

    async def _take_long(self, step: str) -> None:
        if step == self.step:
            self.reached.set()
            await asyncio.sleep(self.seconds)


@pytest.mark.req("rule/TK804", "toolkit/S5")
async def test_a_store_is_waited_for_no_longer_than_the_tool_may_take() -> None:
    store = SlowStore("begin", 30)
    async with one_tool(quick, store=store, seconds=0.2) as tool:
        answer = await tool.call()
        assert (answer.status, answer.value["error"]["code"]) == (504, "TIMEOUT")
        assert store._entries == {}


@pytest.mark.req("rule/TK804", "toolkit/S6")
async def test_a_server_that_stops_cuts_off_the_store_before_a_write_and_not_after_it() -> None:
    for step, status in (("begin", 503), ("finish", 200)):
        store = SlowStore(step, 0.2)
        async with one_tool(quick, store=store, seconds=20) as tool:
            calling = asyncio.create_task(tool.call())
            await store.reached.wait()
            calling.cancel()
            assert (await calling).status == status
            await asyncio.sleep(0.3)
            assert [entry.answer for entry in store._entries.values()] == (
                [] if step == "begin" else [b'{"done":true}']
            )


class Sleepy(Numbered):
    @field_validator("number")
    @classmethod
    def _check(cls, value: str) -> str:
        time.sleep(0.3)
        return value


@pytest.mark.req("rule/TK804", "toolkit/S5")
async def test_a_call_whose_validation_took_all_its_time_is_not_made() -> None:
    store = MemoryRepeatStore()
    async with one_tool(quick, request=Sleepy, store=store, seconds=0.2) as tool:
        assert (await tool.call(b'{"number":"1"}')).status == 504
        assert store._entries == {}


@pytest.mark.req("toolkit/S7")
async def test_all_adapters_that_cannot_be_opened_are_told_at_once_and_those_that_could_are_closed() -> None:
    closed: list[str] = []

    class Adapter:
        def __init__(self, name: str, opening: BaseException | None = None, closing: Exception | None = None) -> None:
            self.name, self.opening, self.closing = name, opening, closing

        async def __aenter__(self) -> Self:
            if self.opening is not None:
                raise self.opening
            return self

        async def __aexit__(self, *_: object) -> None:
            closed.append(self.name)
            if self.closing is not None:
                raise self.closing

    adapters = [
        Adapter("a"),
        Adapter("b", SystemExit(SECRET)),
        Adapter("c", closing=OSError(SECRET)),
        Adapter("d", KeyError()),
    ]
    with pytest.raises(StartError) as caught:
        await open_all(AsyncExitStack(), adapters)
    starts = [problem.partition(" (")[0] for problem in caught.value.problems]
    assert starts == [
        "an adapter could not be opened: SystemExit",
        "an adapter could not be opened: KeyError",
        "an adapter could not be closed: OSError",
    ]
    assert closed == ["c", "a"]
    assert SECRET not in str(caught.value)
