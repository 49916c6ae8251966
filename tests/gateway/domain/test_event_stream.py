"""Events of a stream, however it is cut (gateway/P11, WHATWG HTML section 9.2.6)."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from axhub.gateway.domain.event_stream import EventReader, Marked

BOM = b"\xef\xbb\xbf"


def read(*pieces: bytes, max_bytes: int = 1000) -> list[bytes]:
    reader = EventReader(max_bytes)
    return [event for piece in pieces for event in reader.feed(piece)]


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize(
    ("stream", "events"),
    [
        (b"data: a\n\n", [b"a"]),
        (b"data: a\r\n\r\n", [b"a"]),
        (b"data: a\r\r", [b"a"]),
        (b"data: a\r\n\ndata: b\n\r\ndata: c\r\n\r", [b"a", b"b", b"c"]),
        (b"event: message\nid: 7\nretry: 10\ndata: a\n\n", [b"a"]),
        (b"data:a\n\n", [b"a"]),
        (b"data:  a \n\n", [b" a "]),
        (b"data: a\ndata: b\n\n", [b"a\nb"]),
        (b"data: a\ndata\ndata:\n\n", [b"a\n\n"]),
        (b"data\n\n", [b""]),
        (b"data: \xec\xb2\xad\xea\xb5\xac\n\n", ["청구".encode()]),
        (BOM + b"data: a\n\n", [b"a"]),
        (b"data: a\n\n" + BOM + b"data: b\n\n", [b"a"]),
        (b"id: 1\ndata: \n\nevent: message\ndata: a\n\n", [b"", b"a"]),
    ],
)
def test_an_event_is_its_data(stream: bytes, events: list[bytes]) -> None:
    assert read(stream) == events


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize(
    "stream",
    [
        b"",
        b"\n\n\n",
        b": keep-alive\n\n",
        b"event: message\n\n",
        b"id: 1\n",
        b"ids: 1\n\n",
        b"retry: soon\n\n",
        b"retry\n\n",
        b"data: half",
        b"data: no end\n",
        b"Data: a\n\n",
        b" data: a\n\n",
        b"datas: a\n\n",
        b"a: data: b\n\n",
        BOM,
    ],
)
def test_what_has_no_data_or_no_end_is_no_event(stream: bytes) -> None:
    assert read(stream) == []


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize(
    ("stream", "marks"),
    [
        (b"id: 7\ndata: a\n\n", [(b"a", b"7", None)]),
        (b"id: 7\nretry: 250\ndata:\n\n", [(b"", b"7", 250)]),
        (b"id: 7\n\n", [(b"", b"7", None)]),
        (b"retry: 250\n", [(b"", None, 250)]),
        (b"data: a\n\nid: 7\n\nretry: 250\n\n", [(b"a", b"7", 250)]),
        (b"id: 7\ndata: a\n\nid: 8\ndata: b\n\n", [(b"b", b"8", None)]),
        (b"id: 7\ndata: a\n\nid: 8\ndata: b\n", [(b"a", b"7", None)]),
        (b"id: 7\nid: 8\ndata: a\n\n", [(b"a", b"8", None)]),
        (b"id: 7\ndata: a\n\nid\n\n", [(b"a", b"", None)]),
        (b"id:  7 \ndata: a\n\n", [(b"a", b" 7 ", None)]),
        (b"id: 7\ndata: a\n\nretry: 1e3\n\n", [(b"a", b"7", None)]),
        (b"retry: " + b"9" * 5000 + b"\n", [(b"", None, 10**12)]),
        (b"ID: 7\nRetry: 1\ndata: a\n\n", []),
        (b"id: 7\0\ndata: a\n\n", []),
        (b"id: 7\ndata: a\n\nid: a\0b\ndata: b\n\n", [(b"b", b"7", None)]),
        (b"id: 7\nid: \0\ndata: a\n\n", [(b"a", b"7", None)]),
    ],
)
def test_where_a_stream_goes_on_is_marked_on_the_last_event_of_a_piece(
    stream: bytes, marks: list[tuple[bytes, bytes | None, int | None]]
) -> None:
    events = read(stream, max_bytes=10_000)
    found = [(bytes(event), event.id, event.retry_millis) for event in events if isinstance(event, Marked)]
    assert found == marks


@pytest.mark.req("gateway/P11")
def test_an_id_counts_once_its_event_is_whole_and_is_told_once() -> None:
    reader = EventReader(100)
    pieces = (b"id: 7\nda", b"ta: a\n", b"\n", b"data: b\n\n")
    assert [[(event, type(event)) for event in reader.feed(piece)] for piece in pieces] == [
        [],
        [],
        [(b"a", Marked)],
        [(b"b", bytes)],
    ]


@pytest.mark.req("gateway/P11")
def test_a_line_end_that_is_cut_in_two_ends_one_line() -> None:
    assert read(b"data: a\r", b"\ndata: b\r", b"\n\r", b"\n") == [b"a\nb"]
    assert read(b"data: a\r", b"\rdata: b\r", b"\r") == [b"a", b"b"]
    assert read(b"data: a\r", b"", b"\n\r", b"\n") == [b"a"]


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n\r\n"])
@pytest.mark.parametrize("begin", [b"data: ", b": ", b"event: "])
@pytest.mark.parametrize("size", [99, 100, 101])
def test_a_line_may_be_as_long_as_the_bound_and_no_longer(begin: bytes, size: int, end: bytes) -> None:
    reader = EventReader(100)
    reader.feed(begin.ljust(size, b"x") + end)
    assert reader.too_large is (size > 100)


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize("last", [26, 27])
def test_the_lines_of_an_event_count_together_and_each_event_anew(last: int) -> None:
    reader = EventReader(100)
    event = b"data: " + b"x" * 31 + b"\n: y\ndata: " + b"x" * 31 + b"\ndata"
    assert len(reader.feed((event + b"\n\n") * 3)) == 3
    assert len(reader.feed(event + b": " + b"z" * (last - 6) + b"\n\n")) == (1 if last == 26 else 0)
    assert reader.too_large is (last == 27)


@pytest.mark.req("gateway/P11")
def test_events_before_one_that_is_too_large_are_given_and_none_after_it() -> None:
    reader = EventReader(20)
    assert reader.feed(b"data: a\n\ndata: " + b"b" * 30 + b"\n\ndata: c\n\n") == [b"a"]
    assert reader.too_large
    assert reader.feed(b"data: d\n\n") == []


@pytest.mark.req("gateway/P11")
def test_lines_without_a_value_do_not_pile_up() -> None:
    reader = EventReader(1000)
    assert reader.feed(b"data\n" * 251) == []
    assert reader.too_large


@pytest.mark.req("gateway/P11")
def test_a_line_that_never_ends_is_not_kept_beyond_the_bound() -> None:
    reader = EventReader(1000)
    assert reader.feed(b"data: " + b"x" * 994) == []
    assert not reader.too_large
    assert reader.feed(b"x") == []
    assert reader.too_large


PARTS = st.sampled_from(
    [
        *(
            b"data: a",
            b"data:",
            b"data",
            b": comment",
            b"event: message",
            b"id: 1",
            b"id:2",
            b"id",
            b"id: 3\0",
            b"retry: 7",
            b"retry: -1",
            b"x" * 30,
            b"",
            b"data: " + BOM,
            BOM,
        ),
        *(b"\n", b"\r", b"\r\n", b"\n\n", b"\r\r", b"\r\n\r\n", b"\n\r"),
    ]
)


@pytest.mark.req("gateway/P11")
@given(parts=st.lists(PARTS, max_size=40), cuts=st.lists(st.integers(0, 200), max_size=12), bound=st.integers(5, 60))
def test_however_a_stream_is_cut_it_has_the_same_events(parts: list[bytes], cuts: list[int], bound: int) -> None:
    stream = b"".join(parts)
    places = sorted({0, len(stream), *(cut for cut in cuts if cut < len(stream))})
    pieces = [stream[start:end] for start, end in itertools.pairwise(places)]
    whole, cut = EventReader(bound), EventReader(bound)
    expected = whole.feed(stream)
    told = [event for piece in pieces for event in cut.feed(piece)]
    assert with_data(told) == with_data(expected)
    assert cut.too_large is whole.too_large
    bytewise = read(*(stream[at : at + 1] for at in range(len(stream))), max_bytes=bound)
    assert with_data(bytewise) == with_data(expected)
    if not whole.too_large:
        assert last_mark(told) == last_mark(expected) == last_mark(bytewise)


def with_data(events: list[bytes]) -> list[bytes]:
    """Return events that say more than where the stream goes on; those with empty data look alike and are left out."""
    return [bytes(event) for event in events if event]


def last_mark(events: list[bytes]) -> tuple[bytes | None, int | None]:
    """Return the last id and the last time to reconnect."""
    marks = [event for event in events if isinstance(event, Marked)]
    ids = [mark.id for mark in marks if mark.id is not None]
    times = [mark.retry_millis for mark in marks if mark.retry_millis is not None]
    return (ids[-1] if ids else None), (times[-1] if times else None)


def reference(stream: bytes) -> tuple[list[bytes], bytes | None, int | None]:
    """Read a whole stream as the standard describes it, line by line: data, last id, time to reconnect."""
    text = stream.removeprefix(BOM).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    events: list[bytes] = []
    data, own_id, last_id, retry = b"", None, None, None
    for line in text.split(b"\n")[:-1]:
        field, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if not line:
            if data:
                events.append(data[:-1])
            data, last_id = b"", own_id
        elif field == b"data":
            data += value + b"\n"
        elif field == b"id" and b"\0" not in value:
            own_id = value
        elif field == b"retry" and value.isdigit():
            retry = int(value)
    return events, last_id, retry


@pytest.mark.req("gateway/P11")
@given(st.lists(PARTS, max_size=40))
def test_events_are_those_of_the_standard(parts: list[bytes]) -> None:
    stream = b"".join(parts)
    events, last_id, retry = reference(stream)
    found = read(stream, max_bytes=100_000)
    assert with_data(found) == with_data(events)
    assert last_mark(found) == (last_id, retry)


@pytest.mark.req("gateway/P11", "fault/F14")
def test_a_stream_has_a_bound_however_small_its_events_are() -> None:
    reader = EventReader(100, max_total=45)
    assert reader.feed(b"data: a\n\n" * 5) == [b"a"] * 5
    assert (reader.feed(b"data: b\n\n"), reader.too_large) == ([], True)


@pytest.mark.req("gateway/P11", "fault/F14")
@pytest.mark.parametrize("line", [b": " + b"x" * 97 + b"\n", b"data: a\n\n", b"\n", b"data: " + b"x" * 500 + b"\n\n"])
@pytest.mark.parametrize("size", [1, 100, 4096, 100_000])
def test_how_much_came_is_told_to_the_byte_with_each_place_and_else_every_few_kibibytes(line: bytes, size: int) -> None:
    """Whoever reads several streams can so bound them together, whatever they are made of."""
    reader = EventReader(10_000, max_total=1_000_000)
    stream = line * (20_000 // len(line))
    told, fed = 0, 0
    for at in range(0, len(stream), size):
        piece = stream[at : at + size]
        fed += len(piece)
        told += sum(event.size for event in reader.feed(piece) if isinstance(event, Marked))
        assert fed - 4096 < told <= fed
    (last,) = (event for event in reader.feed(b"\nid: 7\n\n") if isinstance(event, Marked))
    assert (told + last.size, last.most) == (fed + 8, 1_000_000)


@pytest.mark.req("gateway/P11")
def test_what_only_tells_how_much_came_says_nothing_of_the_place() -> None:
    reader = EventReader(10_000)
    assert [(event.id, event.retry_millis) for event in reader.feed(b"id: 7\n\n") if isinstance(event, Marked)] == [
        (b"7", None)
    ]
    data, counted = reader.feed(b"data: " + b"x" * 5000 + b"\n\n")
    assert (type(data), len(data)) == (bytes, 5000)
    assert isinstance(counted, Marked)
    assert (counted, counted.id, counted.retry_millis) == (b"", None, None)
