"""Heads as bytes: rendered once a second, found again by identity."""

import re
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from axhub.gateway.adapters.clock import ManualClock
from axhub.gateway.adapters.http1.replies import Replies
from axhub.gateway.ports import ReplyHead


def test_a_head_is_rendered_with_date_and_headers_in_order_up_to_its_length() -> None:
    replies = Replies(ManualClock())
    head = ReplyHead(200, ((b"Content-Type", b"text/plain"), (b"X", b"1")))
    expected = b"HTTP/1.1 200 OK\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\nContent-Type: text/plain\r\nX: 1\r\n"
    assert replies.start(head, False, 0.0) == expected + b"Content-Length: "
    assert replies.start(head, True, 0.0) == expected + b"Connection: close\r\nContent-Length: "


def test_a_head_of_a_status_without_body_ends_there() -> None:
    replies = Replies(ManualClock())
    assert replies.start(ReplyHead(204), False, 0.0).endswith(b" GMT\r\n\r\n")
    assert replies.start(ReplyHead(304, ((b"ETag", b'"x"'),)), True, 0.0).endswith(b"Connection: close\r\n\r\n")


def test_a_status_without_a_name_has_an_empty_reason() -> None:
    assert Replies(ManualClock()).start(ReplyHead(299), False, 0.0).startswith(b"HTTP/1.1 299 \r\n")


def test_the_same_head_gives_the_same_bytes_object_until_the_second_changes() -> None:
    clock = ManualClock()
    replies = Replies(clock)
    clock.advance(0.6)
    head = ReplyHead(200)
    first = replies.start(head, False, 0.6)
    assert replies.start(head, False, 0.9) is first
    clock.advance(0.4)
    assert b"00:00:01" in replies.start(head, False, 1.0)


def test_heads_made_for_each_answer_do_not_pile_up() -> None:
    replies = Replies(ManualClock())
    for _ in range(5000):
        replies.start(ReplyHead(200), False, 0.0)
    assert len(replies._rendered) <= 512


@given(st.datetimes(timezones=st.just(UTC)))
def test_every_date_has_the_fixed_form_and_is_that_of_the_clock(moment: datetime) -> None:
    head = Replies(ManualClock(moment)).start(ReplyHead(204), False, 0.0).decode()
    date = head.partition("Date: ")[2].removesuffix("\r\n\r\n")
    assert re.fullmatch(r"[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT", date)
    assert datetime.strptime(date, "%a, %d %b %Y %H:%M:%S GMT").replace(tzinfo=UTC) == moment.replace(microsecond=0)
