"""`axhub service` ends, whatever its tools and adapters do, and says how (toolkit/S6)."""

import asyncio
import signal
import time

import pytest

from support.http import read_response, render
from support.process import PATIENCE_SECONDS
from support.service_process import ServiceProcess, refused, service_process

ODD = ("support.odd_tools", "--profile", "local", "--port", "0")
STUCK = "/tools/odd_stuck"


async def ends(service: ServiceProcess, most: float) -> int:
    began = time.monotonic()
    code = await service.exit_code()
    assert time.monotonic() - began < most
    return code


@pytest.mark.req("toolkit/S5", "toolkit/S6")
async def test_a_call_that_ignores_its_end_is_answered_and_does_not_keep_the_process() -> None:
    async with service_process(*ODD) as service:
        await service.ready()
        answer = await service.send(STUCK)
        assert (answer.status, answer.json["error"]["code"]) == (504, "TIMEOUT")
        health = [
            await service.send(f"/actuator/health/{kind}", b"", method="GET") for kind in ("liveness", "readiness")
        ]
        assert [one.status for one in health] == [200, 503]  # a quarter of four calls goes on
        service.signal(signal.SIGTERM)
        assert await ends(service, 15) == 1
    (line,) = service.log.named("ended")
    assert (line["reason"], line["callsInFlight"], line["callsAbandoned"]) == ("not over in time", 0, 1)
    assert service.log.other_lines == []


@pytest.mark.req("toolkit/S6")
async def test_a_call_that_blocks_the_loop_does_not_keep_the_process() -> None:
    async with service_process(*ODD) as service:
        await service.ready()
        call = asyncio.create_task(service.send("/tools/odd_blocking"))
        await service.log.event("blocking")
        service.signal(signal.SIGTERM)
        assert await ends(service, 15) == 1
        await asyncio.wait([call])
        assert call.exception() is not None
    assert service.log.named("ended", reason="not over in time")


@pytest.mark.req("toolkit/S6")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_second_signal_ends_the_process_at_once_without_a_trace(number: signal.Signals) -> None:
    async with service_process(*ODD) as service:
        await service.ready()
        call = asyncio.create_task(service.send("/tools/odd_long"))
        await service.in_flight(1)
        service.signal(number)
        await service.draining()
        service.signal(number)
        assert await ends(service, 10) == 1
        await asyncio.wait([call])
        assert call.exception() is not None
    assert service.log.named("ended", reason="a second signal", callsInFlight=1)
    assert service.log.other_lines == []


@pytest.mark.req("toolkit/S6")
async def test_calls_that_the_end_of_the_drain_cuts_are_told_so() -> None:
    async with service_process(*ODD) as service:
        await service.ready()
        call = asyncio.create_task(service.send("/tools/odd_long"))
        await service.in_flight(1)
        service.signal(signal.SIGTERM)
        async with asyncio.timeout(PATIENCE_SECONDS):
            answer = await call
        assert (answer.status, answer.json["error"]["code"]) == (503, "STOPPED")
        assert await service.exit_code() == 0
    (line,) = service.log.named("tool_call")
    assert (line["outcome"], line["errorId"]) == ("stopped", answer.headers[b"x-error-id"].decode())


@pytest.mark.req("toolkit/S6")
async def test_while_it_drains_connections_are_taken_for_a_moment_and_readiness_says_no() -> None:
    async with service_process("support.desk_tools", "--profile", "local", "--port", "0") as service:
        await service.ready()
        service.signal(signal.SIGTERM)
        await service.draining()
        assert (await service.send("/tools/desk_end", b'{"end": "refuse"}')).status == 409
        assert await service.exit_code() == 0


@pytest.mark.req("toolkit/S6")
async def test_an_adapter_that_does_not_close_does_not_keep_the_process() -> None:
    async with service_process(*ODD, ODD_VAULT="hanging") as service:
        await service.ready()
        service.signal(signal.SIGTERM)
        assert await ends(service, 15) == 1
    assert service.log.named("ended", reason="not over in time", callsInFlight=0)


@pytest.mark.req("toolkit/S6")
async def test_an_adapter_that_fails_to_close_is_told_without_its_text() -> None:
    async with service_process(*ODD, ODD_VAULT="broken") as service:
        await service.ready()
        service.signal(signal.SIGTERM)
        assert await service.exit_code() == 0
    told = str(service.log.events)
    assert "an adapter could not be closed: RuntimeError" in told
    assert "s3cr3t" not in told
    assert service.log.other_lines == []


@pytest.mark.req("toolkit/S7")
async def test_an_adapter_that_cannot_be_opened_is_listed_like_any_other_reason_not_to_start() -> None:
    code, said = await refused(*ODD, ODD_VAULT="shut")
    assert code == 2
    first, second = said.splitlines()
    assert first == "axhub service: the Tool Service cannot start, 1 problem:"
    assert second.startswith("  - an adapter could not be opened: RuntimeError (")
    assert "s3cr3t" not in said


@pytest.mark.req("toolkit/S6")
async def test_a_web_socket_is_refused_without_a_word_in_the_log() -> None:
    upgrade = ((b"Connection", b"Upgrade"), (b"Upgrade", b"websocket"), (b"Sec-WebSocket-Version", b"13"))
    async with service_process(*ODD) as service:
        await service.ready()
        assert (await service.send("/", b"", upgrade, method="GET")).status == 404
        assert service.log.named("log") == []


@pytest.mark.req("toolkit/S6", "threat/T17")
async def test_a_head_without_end_is_refused_while_it_arrives() -> None:
    async with service_process(*ODD) as service:
        await service.ready()
        reader, writer = await asyncio.open_connection("127.0.0.1", service.port)
        writer.write(render(b"", method=b"GET", path=b"/")[:-2] + b"x: " + b"a" * 40_000)
        async with asyncio.timeout(PATIENCE_SECONDS):
            answer = await read_response(reader)
        assert (answer.status, answer.json["error"]["code"]) == (431, "HEADERS_TOO_LARGE")
        writer.close()
