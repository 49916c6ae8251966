"""The helpers for authors' tests do what a service does (axhub.toolkit.testing)."""

import asyncio

import pytest

from axhub.toolkit import EmployeeCipher, Encrypted, ToolContext, ToolService
from axhub.toolkit.published.signatures import SignatureError
from axhub.toolkit.testing import FakeCipher, call_tool, call_use_case, fixed_context, published_tool, started
from support.desk import settings
from support.desk_tools.biz.desk.usecase import (
    CallerUseCase,
    Ledger,
    NoteUseCase,
    TicketUseCaseImpl,
    end,
    read_score,
    sleep,
)


def desk() -> ToolService:
    app = ToolService("support.desk_tools", provide={EmployeeCipher: FakeCipher})
    app.configure(settings=settings(), environ={})
    return app


@pytest.mark.req("toolkit/S2")
async def test_a_tool_is_called_by_name_as_the_gateway_would_without_a_server() -> None:
    async with started(desk()) as app:
        good = await call_tool(app, "desk_ticket_search", {"ticketNo": "TCK0001"})
        bad = await call_tool(app, "desk_ticket_search", b"{")
        assert (good.ok, good.status, good.value["hasMore"]) == (True, 200, False)
        assert (bad.ok, bad.status, bad.value["error"]["code"]) == (False, 400, "INVALID_JSON")
        assert (await call_tool(app, "desk_staff_only", headers={"Employee-No": "e"})).value == {"done": True}


def test_an_app_that_was_not_started_is_started_for_one_call_whatever_loop_that_runs_in() -> None:
    app = desk()
    for _ in range(2):
        assert asyncio.run(call_tool(app, "desk_end", {"end": "refuse"})).status == 409
        assert not app.is_started


async def test_an_app_that_was_started_stays_so_after_a_call() -> None:
    async with started(desk()) as app:
        await call_tool(app, "desk_end", {"end": "refuse"})
        assert app.is_started


@pytest.mark.req("toolkit/T1", "toolkit/S3", "toolkit/S4")
async def test_a_use_case_is_called_alone_with_the_checks_of_its_tool() -> None:
    ledger = Ledger()
    found = await call_use_case(TicketUseCaseImpl().search, {"ticketNo": "TCK0001"})
    assert found.value == {"items": [{"ticketNo": "TCK0001", "closedOn": "2026-01-31"}], "hasMore": False}
    written = await call_use_case(NoteUseCase(ledger).write, {"noteNo": "1", "text": "t"})
    assert (written.value, ledger.notes) == ({"noteNo": "1", "count": 1}, ["t"])
    assert (await call_use_case(sleep, {"seconds": 0}, ledger=ledger)).value == {"done": True}
    assert (await call_use_case(end, {"end": "refuse"})).status == 409
    assert (await call_use_case(end, {})).value["error"]["fields"][0]["path"] == "end"
    assert (await call_use_case(read_score, {"score": 101})).status == 500
    shown = await call_use_case(
        CallerUseCase(FakeCipher()).show, context=fixed_context(employee="enc:321", deadline=1e9)
    )
    assert (shown.value["number"], shown.value["requestId"]) == ("123", "request-1")
    with pytest.raises(SignatureError):
        await call_use_case(lambda anything: None)  # type: ignore[arg-type,return-value]  # what the test is about


def test_a_tool_is_looked_at_as_it_is_published() -> None:
    tool = published_tool(desk(), "desk_sleep")
    assert (tool.timeout_millis, tool.texts.title) == (300, "기다리기")
    with pytest.raises(LookupError, match="no tool is called 'desk_sleeep'; there are desk_caller_show, "):
        published_tool(desk(), "desk_sleeep")


@pytest.mark.req("toolkit/T3")
async def test_the_cipher_for_tests_reads_what_it_wrote_and_nothing_else() -> None:
    cipher = FakeCipher()
    assert await cipher.decrypt(cipher.encrypt("1234567")) == "1234567"
    with pytest.raises(ValueError, match="not encrypted with the key of FakeCipher"):
        await cipher.decrypt(Encrypted("1234567"))


def test_a_fixed_context_has_known_ids_and_what_is_said() -> None:
    assert fixed_context() == ToolContext("0af7651916cd43dd8448eb211c80319c", "request-1")
    assert fixed_context(employee="x", guid="g") == ToolContext(
        "0af7651916cd43dd8448eb211c80319c", "request-1", "g", None, Encrypted("x")
    )
