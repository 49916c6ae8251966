"""Heads of requests are bounded while they arrive (threat/T17)."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import uvicorn

from axhub.toolkit.service.heads import BoundedHeads, bounded_heads
from support.desk import Desk, desk
from support.http import read_response, render

TYPED = ((b"Content-Type", b"application/json"),)
CALL = render(b'{"end":"refuse"}', TYPED, path=b"/tools/desk_end")


@asynccontextmanager
async def served(**said: Any) -> AsyncIterator[tuple[Desk, asyncio.StreamReader, asyncio.StreamWriter]]:
    """Serve the desk with bounded heads, connect, and yield the connection's ends."""
    async with desk() as running:
        protocol = type("Heads", (BoundedHeads,), said)
        config = uvicorn.Config(
            running.app, http=protocol, host="127.0.0.1", port=0, log_config=None, lifespan="off", ws="none",
            timeout_graceful_shutdown=1,
        )  # fmt: skip
        server = uvicorn.Server(config)
        config.load()
        server.lifespan = config.lifespan_class(config)
        await server.startup()
        reader, writer = await asyncio.open_connection(*server.servers[0].sockets[0].getsockname())
        try:
            async with asyncio.timeout(20):
                yield running, reader, writer
        finally:
            writer.close()
            await server.shutdown()


@pytest.mark.req("threat/T17")
@pytest.mark.parametrize(
    "head",
    [
        b"POST /tools/desk_end HTTP/1.1\r\nx: " + b"a" * 33_000,
        b"POST /tools/desk_end HTTP/1.1\r\n" + b"".join(b"x%d: 1\r\n" % n for n in range(66)),
        b"POST /" + b"a" * 33_000,
        CALL + b"POST /tools/desk_end HTTP/1.1\r\nx: " + b"a" * 40_000,
    ],
    ids=["a long value", "many", "a long path", "after a good one"],
)
async def test_a_head_that_grows_too_large_is_refused_before_its_end(head: bytes) -> None:
    async with served() as (_, reader, writer):
        if head.startswith(CALL):
            writer.write(CALL)
            assert (await read_response(reader)).status == 409
            head = head.removeprefix(CALL)
        for at in range(0, len(head), 5000):
            writer.write(head[at : at + 5000])
            await asyncio.sleep(0.001)
        answer = await read_response(reader)
        assert (answer.status, answer.json["error"]["code"]) == (431, "HEADERS_TOO_LARGE")
        assert answer.headers[b"connection"] == b"close"
        assert await reader.read() == b""


@pytest.mark.req("threat/T17")
async def test_a_head_that_does_not_end_is_refused_after_a_while_though_bytes_still_come() -> None:
    async with served(head_seconds=0.3, language="ko") as (_, reader, writer):
        began = time.monotonic()

        async def drip() -> None:
            writer.write(b"POST /tools/desk_end HTTP/1.1\r\nx: ")
            while True:
                writer.write(b"a")
                await asyncio.sleep(0.05)

        dripping = asyncio.create_task(drip())
        answer = await read_response(reader)
        dripping.cancel()
        assert (answer.status, answer.json["error"]["code"]) == (408, "SLOW_HEAD")
        assert answer.json["error"]["message"] == "헤더가 제때 도착하지 않았습니다. 다시 보내십시오."
        assert 0.25 < time.monotonic() - began < 5


@pytest.mark.req("threat/T17")
async def test_a_connection_that_sends_nothing_is_closed() -> None:
    async with served(head_seconds=0.1) as (_, reader, _writer):
        assert await reader.read() == b""


@pytest.mark.req("threat/T17")
async def test_a_second_head_is_timed_too_and_a_slow_answer_is_not() -> None:
    async with served(head_seconds=0.2) as (_, reader, writer):
        writer.write(render(b'{"seconds":0.25}', TYPED, path=b"/tools/desk_sleep"))
        assert (await read_response(reader)).status == 200
        writer.write(b"POST / HTTP/1.1\r\n")
        assert (await read_response(reader)).status == 408


@pytest.mark.req("threat/T17")
async def test_large_bodies_and_many_requests_at_once_are_no_head() -> None:
    big = render(b'{"end":"' + b"a" * 200_000 + b'"}', TYPED, path=b"/tools/desk_end")
    async with served() as (_, reader, writer):
        writer.write((CALL + big) * 2 + CALL)
        assert [(await read_response(reader)).status for _ in range(5)] == [409, 500, 409, 500, 409]


def test_the_language_is_that_of_the_service() -> None:
    assert (bounded_heads("ko").language, bounded_heads("en").head_seconds) == ("ko", 10.0)


@pytest.mark.req("toolkit/S3")
@pytest.mark.parametrize("sent", [b"nonsense\r\n\r\n", b"GET / HTTX/1.1\r\n\r\n", b"GET / HTTP/1.1\r\n: x\r\n\r\n"])
async def test_what_is_no_http_is_refused_in_the_form_of_all_refusals(sent: bytes) -> None:
    async with served() as (_, reader, writer):
        writer.write(sent)
        answer = await read_response(reader)
        assert (answer.status, answer.json["error"]["code"]) == (400, "INVALID_HTTP")
        assert await reader.read() == b""
