"""Telegrams as HTTP bodies: sent as they are told apart, and nothing taken from elsewhere (toolkit/B3, toolkit/H2)."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

import pytest

from axhub.toolkit.config.settings import LengthField, MciSystemSettings
from axhub.toolkit.connectors.mci.client import PooledMciClient
from axhub.toolkit.context import Encrypted, ToolContext, current_context
from axhub.toolkit.errors import LegacyError
from support.mci_hosts import DIGITS, with_digits
from support.telegrams import CLCNNB00001_O, ENVELOPE, QUESTION, answer_to, answered, header_of, refused
from support.tool_service import Answers, Hang, Received, Step, ToolService, reply

pytestmark = pytest.mark.req("toolkit/B3")

BINARY: Final = b"application/octet-stream"


def good(seen: Received) -> tuple[Step, ...]:
    return reply(body=with_digits(answered(seen.body)[4:]), content_type=BINARY)


@asynccontextmanager
async def opened(*answers: Answers, **more: Any) -> AsyncIterator[tuple[PooledMciClient, ToolService]]:
    async with ToolService() as service:
        service.on("/telegrams", *answers)
        system = MciSystemSettings(
            **{
                "name": "cfpa",
                "transport": "http",
                "domain": service.origin,
                "url": "/telegrams",
                "length": DIGITS,
                "total_timeout_millis": 5000,
                **more,
            }
        )
        async with PooledMciClient([system]) as client:
            yield client, service


async def ask(client: PooledMciClient) -> CLCNNB00001_O:
    return await client.call("cfpa", ENVELOPE, QUESTION, CLCNNB00001_O)


async def failure(client: PooledMciClient) -> tuple[str, str]:
    with pytest.raises(LegacyError) as caught:
        await ask(client)
    return caught.value.code, caught.value.message


@pytest.mark.req("toolkit/H2")
async def test_a_telegram_is_posted_with_its_length_and_the_context(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    current_context.set(ToolContext("trace-1", "request-1", employee=Encrypted("cipher")))
    async with opened(good, content_type="text/plain;charset=EUC-KR") as (client, service):
        assert await ask(client) == answer_to("청구-1")
        assert await ask(client) == answer_to("청구-1")
    seen = service.requests[0]
    assert (seen.method, seen.body[:4], len(seen.body)) == (b"POST", b"0096", 96)
    assert header_of(seen.body).interface == "CLCNNB00001"
    headers = {name: value for name, value in seen.headers.items() if name != b"host"}
    assert headers == {
        b"accept": b"*/*",
        b"accept-encoding": b"identity",
        b"content-type": b"text/plain;charset=EUC-KR",
        b"content-length": b"96",
        b"trace-id": b"trace-1",
        b"request-id": b"request-1",
        b"employee-id": b"cipher",
    }


async def test_a_refusal_is_the_systems_own() -> None:
    def refusing(seen: Received) -> tuple[Step, ...]:
        return reply(body=with_digits(refused(seen.body, "E0042", "해지된 계약입니다")[4:]), content_type=BINARY)

    async with opened(refusing) as (client, _):
        assert await failure(client) == ("E0042", "해지된 계약입니다")


OTHER_LENGTH: Final = ("invalid_answer", "the answer has another length than its length field says")


@pytest.mark.req("toolkit/H2")
@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (reply(503), ("503", "the API answered with the status 503")),
        (
            reply(302, headers=[(b"Location", b"/elsewhere")]),
            ("302", "the API answered with the status 302"),
        ),
        (reply(body=b"", content_type=BINARY), OTHER_LENGTH),
        (reply(body=b"00", content_type=BINARY), OTHER_LENGTH),
        (reply(body=b"0099geheim", content_type=BINARY), OTHER_LENGTH),
        (
            reply(body=b"<html>geheim", content_type=BINARY),
            ("invalid_answer", "the length field of the answer holds no number (ascii)"),
        ),
        (
            reply(body=b"0010geheim", headers=[(b"Content-Encoding", b"gzip")]),
            ("invalid_answer", "the answer is compressed, which was not asked for"),
        ),
        (reply(body=b"9" * 1001, content_type=BINARY), ("too_large", "the answer has more than 1000 bytes")),
        (
            reply(body=b"0010geheim", content_type=b"text/plain;charset=utf-8"),
            ("invalid_answer", "the answer is in utf-8, and the system's content-type says euc_kr"),
        ),
        (
            reply(body=b"0010geheim", content_type=BINARY),
            ("invalid_answer", "the answer is no telegram: Header: 10 bytes came, and 80 are laid down"),
        ),
    ],
)
async def test_what_is_no_answer_has_a_code_and_shows_no_value(answer: Answers, expected: tuple[str, str]) -> None:
    async with opened(answer, max_telegram_bytes=1000, content_type="text/plain;charset=EUC-KR") as (client, _):
        assert await failure(client) == expected


@pytest.mark.req("toolkit/H2")
async def test_an_answer_that_does_not_come_is_told_in_time() -> None:
    async with opened((Hang(),), total_timeout_millis=60) as (client, _):
        assert (await failure(client))[0] == "timeout"


async def test_cookies_are_not_kept_and_a_length_is_not_needed() -> None:
    def with_cookie(seen: Received) -> tuple[Step, ...]:
        return reply(body=answered(seen.body), content_type=BINARY, headers=[(b"Set-Cookie", b"a=b")])

    async with opened(with_cookie, length=LengthField()) as (client, service):
        assert [await ask(client), await ask(client)] == [answer_to("청구-1")] * 2
        assert all(b"cookie" not in seen.headers for seen in service.requests)


async def test_a_request_that_is_too_long_is_not_sent() -> None:
    async with opened(good, max_telegram_bytes=50) as (client, service):
        assert await failure(client) == ("invalid_request", "the telegram has 96 bytes, more than 50")
        assert service.requests == []
