"""Bytes that once were, or could be, a parser's undoing: each file at every split point, and over a real connection.

A file's name begins with what becomes of it: a status or `ok`, a failure or `surplus`. A new finding becomes a file.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from axhub.gateway.adapters.http1.answer_reader import AnswerReader
from axhub.gateway.adapters.http1.limits import BundleLimits, ServerLimits
from axhub.gateway.adapters.http1.request_head import Fault
from axhub.gateway.adapters.http1.request_reader import RequestReader
from axhub.gateway.ports import HttpRequest, UpstreamAnswer
from support.wire import close, read, send, upstream
from support.wire_ends import Core, caller, calling, serving

CORPUS = Path(__file__).parent / "corpus"
REQUESTS = sorted(path.name for path in (CORPUS / "requests").glob("*.http"))
ANSWERS = sorted(path.name for path in (CORPUS / "answers").glob("*.http"))
GOOD = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngood"
MAX_ANSWER_BYTES = 1000


def splits(data: bytes) -> Iterator[tuple[bytes, ...]]:
    """Yield `data` in one piece, in two at every place, and byte by byte."""
    yield (data,)
    for at in range(1, len(data)):
        yield data[:at], data[at:]
    yield tuple(data[at : at + 1] for at in range(len(data)))


def read_requests(pieces: tuple[bytes, ...]) -> list[tuple[HttpRequest | Fault, bool]]:
    reader = RequestReader(ServerLimits())
    for piece in pieces:
        assert reader.feed(piece) is None
    return list(reader.queue)


def read_answer(pieces: tuple[bytes, ...]) -> tuple[UpstreamAnswer, bool]:
    """Return the answer, and whether its connection may be used again."""
    reader = AnswerReader(MAX_ANSWER_BYTES)
    for piece in pieces:
        if reader.feed(piece):
            break
    else:
        reader.end()
    return reader.answer(), reader.keep and not reader.surplus and reader.failure is None


@pytest.mark.req("input/B55", "gateway/P6")
@pytest.mark.parametrize("name", REQUESTS)
def test_a_request_of_the_corpus_means_the_same_at_every_split(name: str) -> None:
    data = (CORPUS / "requests" / name).read_bytes()
    whole = read_requests((data,))
    assert whole
    for pieces in splits(data):
        assert read_requests(pieces) == whole
    refused = [entry for entry, _ in whole if isinstance(entry, Fault)]
    assert [str(fault.status) for fault in refused] == ([] if name.startswith("ok-") else [name[:3]])


@pytest.mark.req("input/B55", "gateway/P6")
@pytest.mark.parametrize("name", REQUESTS)
async def test_a_request_of_the_corpus_is_answered_over_a_connection(name: str) -> None:
    async with serving(Core()) as server, caller(server) as peer:
        await peer.send((CORPUS / "requests" / name).read_bytes())
        peer.half_close()
        text = await peer.until_end()
    assert text.startswith(b"HTTP/1.1 ")
    assert b"HTTP/1.1 5" not in text
    if name.startswith("ok-"):
        assert b"HTTP/1.1 4" not in text
    else:
        assert text.count(b"HTTP/1.1 %b " % name[:3].encode()) == 1


@pytest.mark.req("input/B38", "gateway/X4", "gateway/X10")
@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_of_the_corpus_means_the_same_at_every_split(name: str) -> None:
    data = (CORPUS / "answers" / name).read_bytes()
    whole, keep = read_answer((data,))
    expected = name.partition("-")[0]
    assert (whole.failure or "ok") == {"surplus": "ok"}.get(expected, expected)
    if expected == "surplus":
        assert not keep
    for pieces in splits(data):
        answer, kept = read_answer(pieces)
        assert answer == whole
        if expected != "surplus":
            assert keep or not kept


@pytest.mark.req("input/B38", "gateway/X4", "gateway/X10")
@pytest.mark.parametrize("name", ANSWERS)
async def test_an_answer_of_the_corpus_harms_no_later_call(name: str) -> None:
    data = (CORPUS / "answers" / name).read_bytes()
    script = (read(), send(data), close())
    async with (
        upstream(script, (read(), send(GOOD))) as service,
        calling(limits=BundleLimits(1, 0), max_response_bytes=MAX_ANSWER_BYTES) as caller,
    ):
        answer = await caller.call(service.origin)
        expected = name.partition("-")[0]
        assert (answer.failure or "ok") == {"surplus": "ok"}.get(expected, expected)
        await service.ended(0)
        assert (await caller.call(service.origin)).body == b"good"
