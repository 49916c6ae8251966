"""A write that comes a second time is answered and not made again (rule/TK804)."""

import asyncio
from pathlib import Path

import pytest

from axhub.toolkit import SqliteRepeatStore
from axhub.toolkit.ports import Stored
from axhub.toolkit.testing import MemoryRepeatStore
from support.desk import desk, eventually


class BrokenStore(MemoryRepeatStore):
    """A store that is unreachable at one of its steps."""

    def __init__(self, step: str) -> None:
        super().__init__()
        self.step = step

    async def begin(self, tool: str, key: str, digest: str | None = None) -> Stored | None:
        if self.step == "begin":
            raise ConnectionError("redis://secret:6379")
        return await super().begin(tool, key, digest)

    async def finish(self, tool: str, key: str, answer: bytes) -> None:
        if self.step == "finish":
            raise ConnectionError("redis://secret:6379")
        await super().finish(tool, key, answer)


def note(number: str = "N-1", text: str = "first", end: str = "ok") -> dict[str, str]:
    return {"noteNo": number, "text": text, "end": end}


@pytest.mark.req("rule/TK804")
async def test_the_same_business_key_gets_the_first_answer_and_is_not_run_again() -> None:
    async with desk() as running:
        first = await running.call("desk_note_write", note())
        again = await running.call("desk_note_write", b'{ "end": "ok", "text": "first", "noteNo": "N-1" }')
        other = await running.call("desk_note_write", note("N-2"))
        assert (first.body, again.body) == (b'{"noteNo":"N-1","count":1}', b'{"noteNo":"N-1","count":1}')
        assert other.value == {"noteNo": "N-2", "count": 2}
        assert [answer.headers.get("x-repeated") for answer in (first, again, other)] == [None, "true", None]
        assert running.ledger.notes == ["first", "first"]
        assert [line["outcome"] for line in running.logged("tool_call")] == ["ok", "repeated", "ok"]


@pytest.mark.req("rule/TK804")
async def test_two_services_that_share_a_file_make_a_write_once(tmp_path: Path) -> None:
    file = tmp_path / "repeats.sqlite3"
    async with desk(store=SqliteRepeatStore(file)) as one, desk(store=SqliteRepeatStore(file)) as other:
        first = await one.call("desk_note_write", note())
        again = await other.call("desk_note_write", note())
        assert (first.body, again.body) == (b'{"noteNo":"N-1","count":1}', b'{"noteNo":"N-1","count":1}')
        assert (one.ledger.notes, other.ledger.notes) == (["first"], [])


@pytest.mark.req("rule/TK804")
async def test_a_call_that_the_use_case_refused_may_be_made_again() -> None:
    async with desk() as running:
        assert (await running.call("desk_note_write", note(end="refuse"))).status == 409
        assert (await running.call("desk_note_write", note())).value == {"noteNo": "N-1", "count": 1}


@pytest.mark.req("rule/TK804")
async def test_arguments_that_were_refused_take_no_key() -> None:
    async with desk() as running:
        assert (await running.call("desk_note_write", {"noteNo": "N-1"})).status == 400
        assert (await running.call("desk_note_write", note())).status == 200


@pytest.mark.req("rule/TK804")
@pytest.mark.parametrize(
    ("language", "message"),
    [
        (
            "en",
            (
                "The same request was made before and may or may not have taken effect. It is not carried out again; "
                "find out its state first, or ask a person."
            ),
        ),
        (
            "ko",
            (
                "같은 요청이 이미 있었고 반영되었는지 알 수 없습니다. 다시 실행하지 않습니다. "
                "먼저 처리 상태를 조회하거나 담당자에게 확인하십시오."
            ),
        ),
    ],
)
async def test_a_write_that_crashed_is_never_made_again_in_silence(language: str, message: str) -> None:
    async with desk(language=language) as running:
        assert (await running.call("desk_note_write", note(end="crash"))).status == 500
        answer = await running.call("desk_note_write", note(end="crash"))
        assert (answer.status, answer.value) == (409, {"error": {"code": "OUTCOME_UNKNOWN", "message": message}})
        assert running.ledger.notes == ["first"]


@pytest.mark.req("rule/TK804", "toolkit/S5")
async def test_a_write_that_was_cut_off_is_never_made_again_in_silence() -> None:
    async with desk(timeouts_millis={"desk_note_write": 50}) as running:
        assert (await running.call("desk_note_write", note(end="slow"))).status == 504
        answer = await running.call("desk_note_write", note(end="slow"))
        assert (answer.status, answer.value["error"]["code"]) == (409, "OUTCOME_UNKNOWN")


@pytest.mark.req("rule/TK804")
async def test_a_second_call_while_the_first_is_running_is_told_so() -> None:
    async with desk() as running:
        first = asyncio.create_task(running.call("desk_note_write", note(end="slow")))
        await eventually(lambda: running.ledger.notes)
        second = await running.call("desk_note_write", note(end="slow"))
        assert (second.status, second.value["error"]) == (
            409,
            {
                "code": "STILL_RUNNING",
                "message": "The same request is being carried out right now. Do not send another one; wait, then ask "
                "for its state.",
            },
        )
        assert (await first).status == 200
        assert running.ledger.notes == ["first"]


@pytest.mark.req("rule/TK804")
async def test_without_its_store_a_write_is_not_made() -> None:
    async with desk(BrokenStore("begin")) as running:
        assert (await running.call("desk_note_write", note())).status == 500
        assert running.ledger.notes == []
        (line,) = running.logged("repeat_store_failed")
        assert line["error"] == "ConnectionError"
        assert "secret" not in "".join(running.log_lines)


@pytest.mark.req("rule/TK804")
async def test_a_write_whose_answer_could_not_be_stored_is_answered_and_not_made_again() -> None:
    async with desk(BrokenStore("finish")) as running:
        assert (await running.call("desk_note_write", note())).status == 200
        assert running.logged("repeat_not_noted")[0]["error"] == "ConnectionError"
        assert (await running.call("desk_note_write", note())).value["error"]["code"] == "OUTCOME_UNKNOWN"
        assert running.ledger.notes == ["first"]


@pytest.mark.req("rule/TK804")
async def test_no_argument_gets_into_the_store() -> None:
    seen: list[str] = []

    class Watching(MemoryRepeatStore):
        async def begin(self, tool: str, key: str, digest: str | None = None) -> Stored | None:
            seen.append(f"{tool} {key} {digest}")
            return await super().begin(tool, key, digest)

    async with desk(Watching()) as running:
        await running.call("desk_note_write", note("900101-1234567"))
    assert seen[0].startswith("desk_note_write ")
    assert "900101" not in seen[0]


CONFLICTS = {
    "en": (
        "A request with the same noteNo was made before with other arguments, or by somebody else; this one was not "
        "carried out. For a new request use another noteNo; to repeat the earlier one send it unchanged."
    ),
    "ko": (
        "같은 noteNo 값으로 내용이나 요청자가 다른 요청이 이미 있었으므로 이 요청은 실행하지 않았습니다. "
        "새 요청이면 noteNo 값을 다르게 하고, 이전 요청을 반복하려면 그대로 보내십시오."
    ),
}


@pytest.mark.req("rule/TK804")
@pytest.mark.parametrize("language", CONFLICTS)
@pytest.mark.parametrize(
    ("text", "caller"), [("second", {"employee_no": "e1"}), ("first", {"employee_no": "e2"}), ("first", {})]
)
async def test_another_request_or_caller_with_the_same_key_is_refused_and_gets_no_answer_of_somebody_else(
    language: str, text: str, caller: dict[str, str]
) -> None:
    async with desk(language=language) as running:
        assert (await running.call("desk_note_write", note(), employee_no="e1")).status == 200
        answer = await running.call("desk_note_write", note(text=text), **caller)
        error = {"code": "CONFLICT", "message": CONFLICTS[language]}
        assert (answer.status, answer.value, answer.headers.get("x-repeated")) == (409, {"error": error}, None)
        assert running.ledger.notes == ["first"]
        assert (await running.call("desk_note_write", note(), employee_no="e1")).headers["x-repeated"] == "true"


@pytest.mark.req("rule/TK804")
async def test_another_request_while_the_first_is_running_is_told_apart_from_the_same_one() -> None:
    async with desk() as running:
        first = asyncio.create_task(running.call("desk_note_write", note(end="slow")))
        await eventually(lambda: running.ledger.notes)
        second = await running.call("desk_note_write", note(text="second", end="slow"))
        assert (second.status, second.value["error"]["code"]) == (409, "CONFLICT")
        assert (await first).status == 200


@pytest.mark.req("rule/TK804")
async def test_what_a_store_noted_without_a_digest_is_answered() -> None:
    class Older(MemoryRepeatStore):
        async def begin(self, tool: str, key: str, digest: str | None = None) -> Stored | None:
            return await super().begin(tool, key, None)

    async with desk(Older()) as running:
        await running.call("desk_note_write", note())
        assert (await running.call("desk_note_write", note(text="second"))).value == {"noteNo": "N-1", "count": 1}
