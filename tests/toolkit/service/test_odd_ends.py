"""Whatever a use case, a validator or a store raises, the caller gets our answer, and the log its id (toolkit/S3)."""

import asyncio
import sys
import time
from typing import Annotated, Any

import pytest
from pydantic import field_validator, model_validator

from axhub.toolkit import Desc, Input, Output, ToolError
from axhub.toolkit.context import ToolContext
from axhub.toolkit.testing import MemoryRepeatStore
from support.one_tool import Done, OneTool, one_tool

SECRET = "900101-1234567"


class Unstarted(ToolError, status=409, code="UNSTARTED"):  # noqa: N818 - what authors may call theirs
    def __init__(self, secret: str) -> None:
        self.secret = secret


class Unreadable(ToolError, status=409, code="UNREADABLE"):  # noqa: N818 - as above
    def __init__(self) -> None:
        super().__init__(Text())  # type: ignore[arg-type]  # what the test is about


class Text:
    def __str__(self) -> str:
        raise RuntimeError(SECRET)


class Unprintable(Exception):  # noqa: N818 - as above
    def __str__(self) -> str:
        raise SystemExit(SECRET)


class Changed(ToolError):  # noqa: N818 - as above
    pass


async def raising(error: BaseException) -> Done:
    raise error


async def exiting(request: Any, context: ToolContext) -> Done:
    sys.exit(SECRET)


async def waiting_for_cancelled(request: Any, context: ToolContext) -> Done:
    other = asyncio.ensure_future(asyncio.sleep(9))
    other.cancel()
    await other
    return Done()


async def cancelling_itself(request: Any, context: ToolContext) -> Done:
    task = asyncio.current_task()
    assert task is not None
    task.cancel()
    await asyncio.sleep(0)
    return Done()


def that_raises(error: BaseException) -> Any:
    return lambda request, context: raising(error)


def at_once(request: Any, context: ToolContext) -> Any:
    raise StopIteration(SECRET)


ENDS: dict[str, Any] = {
    "system exit": that_raises(SystemExit(3)),
    "sys.exit": exiting,
    "keyboard": that_raises(KeyboardInterrupt()),
    "generator exit": that_raises(GeneratorExit()),
    "base group": that_raises(BaseExceptionGroup("x", [SystemExit(1), ValueError(SECRET)])),
    "group": that_raises(ExceptionGroup(SECRET, [ValueError(SECRET)])),
    "cancelled": that_raises(asyncio.CancelledError(SECRET)),
    "cancelled by another": waiting_for_cancelled,
    "cancelled by itself": cancelling_itself,
    "timeout of its own": that_raises(TimeoutError(SECRET)),
    "stop iteration": that_raises(StopIteration(SECRET)),
    "not even started": at_once,
    "half a character": that_raises(ValueError("\ud800")),
    "unprintable": that_raises(Unprintable()),
    "tool error without its constructor": that_raises(Unstarted(SECRET)),
    "tool error with a text that fails": that_raises(Unreadable()),
}


def failed_once(tool: OneTool, answer: Any) -> None:
    assert (answer.status, answer.value["error"]["code"]) == (500, "INTERNAL_ERROR")
    assert [line["event"] for line in tool.log if line.get("errorId") == answer.headers["x-error-id"]] == [
        "tool_failed",
        "tool_call",
    ]
    assert tool.counted() == {"error": 1}
    assert SECRET not in "".join(tool.log_lines)
    assert tool.endpoint.in_flight == 0


@pytest.mark.req("toolkit/S3")
@pytest.mark.parametrize("end", ENDS)
async def test_whatever_a_use_case_raises_is_a_fault_of_ours_with_an_id(end: str) -> None:
    async with one_tool(ENDS[end]) as tool:
        failed_once(tool, await tool.call())
        assert (await tool.call()).status == 500  # and the service goes on


class AtOnce(Input):
    number: Annotated[str, Desc("n")] = "1"

    @field_validator("number")
    @classmethod
    def _check(cls, value: str) -> str:
        kinds: dict[str, BaseException] = {
            "key": KeyError(SECRET),
            "exit": SystemExit(SECRET),
            "cancel": asyncio.CancelledError(),
            "half": ValueError("\ud800"),
        }
        if value in kinds:
            raise kinds[value]
        return value

    @model_validator(mode="after")
    def _together(self) -> "AtOnce":
        return self if self.number != "type" else self + 1  # type: ignore[operator,return-value]  # what the test is about


@pytest.mark.req("toolkit/S3")
@pytest.mark.parametrize("number", ["key", "exit", "cancel", "type"])
async def test_a_validator_that_fails_otherwise_than_it_may_is_a_fault_of_ours(number: str) -> None:
    async with one_tool(that_raises(ValueError()), request=AtOnce) as tool:
        failed_once(tool, await tool.call(b'{"number":"%b"}' % number.encode()))


@pytest.mark.req("toolkit/S3")
async def test_a_validator_that_refuses_with_half_a_character_is_answered_too() -> None:
    async with one_tool(that_raises(ValueError()), request=AtOnce) as tool:
        answer = await tool.call(b'{"number":"half"}')
        assert answer.status in {400, 500}
        assert answer.value["error"]["message"]


@pytest.mark.req("toolkit/S3", "rule/TK804")
@pytest.mark.parametrize("error", [Unstarted(SECRET), Unreadable()], ids=["unstarted", "unreadable"])
async def test_a_refusal_that_cannot_be_read_is_a_refusal_all_the_same_and_gives_the_key_back(error: ToolError) -> None:
    async with one_tool(that_raises(error), store=MemoryRepeatStore()) as tool:
        for _ in range(2):  # nobody says that the first may have taken effect
            answer = await tool.call()
            assert (answer.status, answer.value["error"]["code"]) == (500, "INTERNAL_ERROR")


@pytest.mark.req("toolkit/S3")
@pytest.mark.parametrize("status", [200, 204, 302, 399, 500, 503, 999, True, None, "404"])
def test_a_tool_error_can_have_no_status_but_400_to_499_however_it_is_written(status: Any) -> None:
    with pytest.raises(TypeError, match="is not one of 400 to 499; a fault of ours is no answer"):
        type("Odd", (ToolError,), {"status": status})
    if status is not None:
        with pytest.raises(TypeError, match="is not one of 400 to 499; a fault of ours is no answer"):
            type("Odd", (ToolError,), {}, status=status)


@pytest.mark.req("toolkit/S3")
async def test_a_status_that_was_changed_later_is_a_fault_of_ours() -> None:
    async with one_tool(that_raises(Changed("internal"))) as tool:
        before = Changed.status
        Changed.status = 500
        try:
            failed_once(tool, await tool.call())
        finally:
            Changed.status = before


@pytest.mark.req("toolkit/S5")
async def test_a_use_case_that_blocks_the_loop_past_its_deadline_is_too_late() -> None:
    async def blocking(request: Any, context: ToolContext) -> Done:
        time.sleep(0.3)  # noqa: ASYNC251 - what the test is about
        return Done()

    async with one_tool(blocking, seconds=0.2) as tool:
        answer = await tool.call()
        assert (answer.status, answer.value["error"]["code"]) == (504, "TIMEOUT")
        assert tool.counted() == {"timeout": 1}


class Inner(Output):
    amount: Annotated[float, Desc("a")]
    name: Annotated[str, Desc("n")]


class Outer(Output):
    items: Annotated[list[Inner], Desc("i")]
    value: Annotated[Any, Desc("v")] = None


def outer(**said: Any) -> Outer:
    return Outer.model_construct(**{"items": [Inner(amount=1, name="Infinity and NaN are words")], **said})


@pytest.mark.req("toolkit/S4")
@pytest.mark.parametrize(
    "result",
    [
        Outer.model_construct(),
        outer(items=[Inner.model_construct(amount=1.0)]),
        outer(value={"deep": [Inner.model_construct(name="x")]}),
        outer(items=[Inner.model_construct(amount=float("nan"), name="x")]),
        outer(value=float("-inf")),
    ],
    ids=["missing", "missing in a list", "missing in a map", "NaN", "infinity"],
)  # fmt: skip
async def test_a_result_made_without_validation_lacks_nothing_and_has_no_number_that_is_none(result: Outer) -> None:
    async def returning(request: Any, context: ToolContext) -> Outer:
        return result

    async with one_tool(returning, response=Outer) as tool:
        answer = await tool.call()
        assert (answer.status, tool.counted()) == (500, {"invalid_result": 1})


@pytest.mark.req("toolkit/S4")
async def test_words_that_look_like_such_numbers_are_answered() -> None:
    async def returning(request: Any, context: ToolContext) -> Outer:
        return outer()

    async with one_tool(returning, response=Outer) as tool:
        assert (await tool.call()).status == 200


@pytest.mark.req("toolkit/S3")
@pytest.mark.parametrize("code", ["", None, 404])
def test_the_code_of_a_tool_error_is_a_text(code: Any) -> None:
    with pytest.raises(TypeError, match="is no text; write one such as CLAIM_NOT_FOUND"):
        type("Odd", (ToolError,), {"code": code})
