"""Heads of requests are bounded while they arrive (threat/T17)."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from axhub.toolkit.service.heads import BoundedHeads, bounded_heads
from support.asgi_server import on_loopback
from support.desk import Desk, desk
from support.http import read_response, render

TYPED = ((b"Content-Type", b"application/json"),)
CALL = render(b'{"end":"refuse"}', TYPED, path=b"/tools/desk_end")


@asynccontextmanager
async def served(**said: Any) -> AsyncIterator[tuple[Desk, asyncio.StreamReader, asyncio.StreamWriter]]:
    """Serve the desk with bounded heads, connect, and yield the connection's ends."""
    async with desk(timeouts_millis={"desk_sleep": 20_000}) as running:
        protocol = type("Heads", (BoundedHeads,), {"linger_seconds": 0.05, **said})
        async with on_loopback(running.app, http=protocol, lifespan="off") as port:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            try:
                async with asyncio.timeout(20):
                    yield running, reader, writer
            finally:
                writer.close()


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
    async with served(head_seconds=1.0, language="ko") as (_, reader, writer):
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
        assert 0.5 < time.monotonic() - began < 15


@pytest.mark.req("threat/T17")
async def test_a_connection_that_sends_nothing_is_closed() -> None:
    async with served(head_seconds=0.1) as (_, reader, _writer):
        assert await reader.read() == b""


@pytest.mark.req("threat/T17")
async def test_a_second_head_is_timed_too_and_a_slow_answer_is_not() -> None:
    async with served(head_seconds=1.5) as (_, reader, writer):
        writer.write(render(b'{"seconds":1.7}', TYPED, path=b"/tools/desk_sleep"))
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


@pytest.mark.req("toolkit/S6", "threat/T17")
@pytest.mark.parametrize(
    "hosts",
    [
        b"Host: a\r\nHost: b\r\n",
        b"Host: a\r\nX: 1\r\nhost: a\r\n",
        b"Host: a\r\nHost:\r\n",
        b"Host: a b\r\n",
        b"Host: a/b\r\n",
        b"Host: user@a\r\n",
        b"Host: a:http\r\n",
        b"",
    ],
)
@pytest.mark.parametrize("first", [b"", CALL], ids=["alone", "after a good one"])
async def test_a_request_that_does_not_name_one_host_is_refused_and_its_body_is_not_run(
    hosts: bytes, first: bytes
) -> None:
    body = b'{"end":"refuse"}'
    head = b"POST /tools/desk_end HTTP/1.1\r\n" + hosts + b"Content-Length: %d\r\n\r\n" % len(body)
    async with served() as (running, reader, writer):
        if first:
            writer.write(first)
            assert (await read_response(reader)).status == 409
        writer.write(head + body + CALL)
        answer = await read_response(reader)
        assert (answer.status, answer.json["error"]["code"]) == (400, "INVALID_HTTP")
        assert answer.headers[b"connection"] == b"close"
        assert await reader.read() == b""
        assert len([line for line in running.log if line["event"] == "tool_call"]) == (1 if first else 0)


@pytest.mark.req("toolkit/S6")
@pytest.mark.parametrize(
    ("version", "host"),
    [
        (b"1.1", b"Host: a.example:8081\r\n"),
        (b"1.1", b"Host: [::1]:8081\r\n"),
        (b"1.1", b"Host: \r\n"),
        (b"1.0", b""),
    ],
)
async def test_one_host_or_none_before_http_1_1_is_served(version: bytes, host: bytes) -> None:
    async with served() as (_, reader, writer):
        writer.write(b"GET /actuator/health/liveness HTTP/" + version + b"\r\n" + host + b"\r\n")
        assert (await read_response(reader)).status == 200


@pytest.mark.req("threat/T17", "toolkit/S6")
@pytest.mark.parametrize(
    "body", [b"zz\r\n", b"2\r\n{}\r\n-5\r\n", b"3\r\n{}\r\n\r\n"], ids=["no size", "below 0", "short"]
)
@pytest.mark.parametrize("before", [b"", CALL], ids=["first", "second"])
async def test_a_body_that_is_no_http_is_refused_at_once(before: bytes, body: bytes) -> None:
    async with served() as (running, reader, writer):
        if before:
            writer.write(before)
            assert (await read_response(reader)).status == 409
        writer.write(b"POST /tools/desk_end HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n")
        writer.write(b"Transfer-Encoding: chunked\r\n\r\n" + body)
        async with asyncio.timeout(2):
            answer = await read_response(reader)
        assert (answer.status, answer.json["error"]["code"]) == (400, "INVALID_HTTP")
        assert await reader.read() == b""
        assert running.app.prepare().endpoint.in_flight == 0
