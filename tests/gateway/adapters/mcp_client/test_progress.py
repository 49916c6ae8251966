"""Of the progress of a call only what grows is passed on, on however many streams it comes (gateway/P11)."""

import asyncio

import msgspec
import pytest

from axhub.gateway.adapters.mcp_client.progress import Progress
from axhub.gateway.domain.mcp_message import Notification, read_message
from support.mcp_clients import FOUND, OVER, attached, call
from support.mcp_hosts import progress
from support.mcp_hosts_wire import event, response_to, stream

ASKED = {"progressToken": msgspec.Raw(b'"theirs"')}


async def passed_on(*values: bytes, apart: bool = True) -> list[bytes]:
    """Return the values that are passed on; `apart`: each comes in a turn of its own."""
    heard: list[bytes] = []
    passing = Progress(heard.append)
    passing.token = b"1"
    for value in values:
        params = b'{"progressToken":1,"progress":%b}' % value
        message = read_message(b'{"jsonrpc":"2.0","method":"notifications/progress","params":%b}' % params)
        assert isinstance(message, Notification)
        passing.take(message)
        if apart:
            await asyncio.sleep(0)
    passing.end()
    return [told.removeprefix(b',"progress":') for told in heard]


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize("apart", [True, False], ids=["apart", "at once"])
@pytest.mark.parametrize(
    ("told", "grows"),
    [
        ("1 2 3", "1 2 3"),
        ("5 3 5 6 4 6", "5 6"),
        ("0 0.0 -0 0e5 0.1", "0 0.1"),
        ("-2 -3 -1 0", "-2 -1 0"),
        ("9 10 1e1 10.0 100e-1 11", "9 10 11"),
        ("0.1 0.10 0.1000001 0.10000001", "0.1 0.1000001"),
        ("9007199254740992 9007199254740993 9007199254740992.5", "9007199254740992 9007199254740993"),
        ("1e400 1e401 1e400 2", "1e400 1e401"),
        ("1 9" + "9" * 5000 + " 2", "1 9" + "9" * 5000),
        ("1 1e99999999999999999999 2", "1 2"),
        ('"1" 1 null [2] "3" 2', "1 2"),
    ],
    ids=lambda text: text[:40],
)
async def test_a_notice_that_does_not_say_more_than_those_before_is_dropped(told: str, grows: str, apart: bool) -> None:
    assert await passed_on(*told.encode().split(), apart=apart) == grows.encode().split()


@pytest.mark.req("gateway/P11")
async def test_what_is_held_back_counts_and_gives_way_to_what_says_more_only() -> None:
    first = [b"%d" % at for at in range(16)]
    assert await passed_on(*first, b"90", b"50", b"90", apart=False) == [*first, b"90"]
    assert await passed_on(*first, b"50", b"90", b"16", apart=False) == [*first, b"90"]


@pytest.mark.req("gateway/P11")
async def test_what_is_dropped_takes_no_turn_of_what_grows() -> None:
    told = [b"%d" % at for at in range(16) for _ in range(50)]
    assert await passed_on(*told, apart=False) == [b"%d" % at for at in range(16)]


@pytest.mark.req("gateway/P11")
async def test_the_progress_of_a_call_grows() -> None:
    async with attached(era="old") as client:
        client.host.says(
            "tools/call",
            lambda seen: stream(*(event(progress(seen, at)) for at in (5, 3, 5, 6)), event(response_to(seen, FOUND))),
        )
        going = client.start(call(meta=ASKED))
        assert await going.answer() == OVER
        assert going.progress == [b',"progress":5', b',"progress":6']
