"""Requests of which two parsers could make different ones: with a second request inside, for whoever sees it there.

`test_hostile_callers` has the table of what is refused by itself; here each case is a whole attack, for a pair of
parsers behind each other. Its first part is one request to the one and two requests to the other.
"""

from collections.abc import Iterator
from typing import Final

_POST: Final = b"POST /mcp HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
_CODINGS: Final = {
    "plain": b"Transfer-Encoding: chunked",
    "xchunked": b"Transfer-Encoding: xchunked",
    "identity": b"Transfer-Encoding: identity",
    "identity, chunked": b"Transfer-Encoding: identity, chunked",
    "chunked, identity": b"Transfer-Encoding: chunked, identity",
    "twice": b"Transfer-Encoding: chunked\r\nTransfer-Encoding: x",
    "with a parameter": b"Transfer-Encoding: chunked;x=y",
    "in quotes": b'Transfer-Encoding: "chunked"',
    "behind a tab": b"Transfer-Encoding:\tchunked",
    "behind a vertical tab": b"Transfer-Encoding: \x0bchunked",
    "before a NUL": b"Transfer-Encoding: chunked\x00",
    "blank before the colon": b"Transfer-Encoding : chunked",
    "underscore": b"Transfer_Encoding: chunked",
    "folded": b"Transfer-Encoding:\r\n chunked",
    "in a folded line": b"X: y\r\n Transfer-Encoding: chunked",
    "behind a bare LF": b"X: y\nTransfer-Encoding: chunked",
    "behind a bare CR": b"X: y\rTransfer-Encoding: chunked",
    "named as one hop's": b"Connection: Transfer-Encoding\r\nTransfer-Encoding: chunked",
}
_LENGTHS: Final = {
    "plus": b"Content-Length: +%d",
    "twice in a list": b"Content-Length: %d, 0",
    "a second one of 0": b"Content-Length: %d\r\nContent-Length: 0",
    "a first one of 0": b"Content-Length: 0\r\nContent-Length: %d",
    "behind 0": b"Content-Length: 0 %d",
    "octal zeros": b"Content-Length: 000%d",
    "blank before the colon": b"Content-Length : %d",
    "behind a vertical tab": b"Content-Length: \x0b%d",
    "before a NUL": b"Content-Length: %d\x00",
    "underscore": b"Content_Length: %d",
    "folded": b"Content-Length:\r\n %d",
    "behind a bare LF": b"X: y\nContent-Length: %d",
    "behind a bare CR": b"X: y\rContent-Length: %d",
    "named as one hop's": b"Connection: Content-Length\r\nContent-Length: %d",
    "with Expect": b"Expect: 100-continue\r\nContent-Length: %d",
    "with another Expect": b"Expect: 200-ok\r\nContent-Length: %d",
    "with Upgrade": b"Connection: Upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMA\r\nContent-Length: %d",
}
_FIRST_LINES: Final = {
    "GET with a body": b"GET /mcp HTTP/1.1",
    "HEAD with a body": b"HEAD /mcp HTTP/1.1",
    "HTTP/1.0 kept alive": b"POST /mcp HTTP/1.0\r\nConnection: keep-alive",
    "HTTP/1.9": b"POST /mcp HTTP/1.9",
    "HTTP/9.1": b"POST /mcp HTTP/9.1",
    "a method of two words": b"POST POST /mcp HTTP/1.1",
    "bare LF": b"POST /mcp HTTP/1.1\nX: y",
    "absolute form": b"POST http://b/mcp HTTP/1.1",
}


def attacks(inside: bytes) -> Iterator[tuple[str, bytes]]:
    """Return name and bytes of each attack around one whole request."""
    for name, line in _CODINGS.items():
        body = b"0\r\n\r\n" + inside
        yield f"CL before TE {name}", _POST + b"Content-Length: %d\r\n%b\r\n\r\n%b" % (len(body), line, body)
        size = b"%x\r\n" % len(inside)
        body = size + inside + b"\r\n0\r\n\r\n"
        yield f"TE {name} before CL", _POST + b"%b\r\nContent-Length: %d\r\n\r\n%b" % (line, len(size), body)
    for name, line in _LENGTHS.items():
        yield f"CL {name}", _POST + line % len(inside) + b"\r\n\r\n" + inside
    for name, line in _FIRST_LINES.items():
        yield name, b"%b\r\nHost: a\r\nContent-Length: %d\r\n\r\n%b" % (line, len(inside), inside)
    yield "chunk extension with LF", _chunked(b"2;\nxx\r\n%x\r\n%b\r\n0\r\n\r\n" % (len(inside), inside))
    yield "chunk extension with CR", _chunked(b"2;\rxx\r\n%x\r\n%b\r\n0\r\n\r\n" % (len(inside), inside))
    yield "last chunk with a body", _chunked(b"0\r\n" + inside)
    yield "chunk size beyond 64 bits", _chunked(b"1%016x\r\n%b\r\n0\r\n\r\n" % (len(inside), inside))
    yield "chunk longer than its size", _chunked(b"2\r\nxx%b\r\n0\r\n\r\n" % inside)
    yield "trailers that frame", _chunked(b"0\r\nContent-Length: %d\r\n\r\n%b" % (len(inside), inside))


def _chunked(body: bytes) -> bytes:
    return _POST + b"Transfer-Encoding: chunked\r\n\r\n" + body
