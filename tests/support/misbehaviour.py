"""Every way in which a Tool Service can fail a pull over the wire (gateway/G4-G6), and how the gateway names it."""

import gzip
from typing import Final

from axhub.gateway.ports import PullFailure
from support.tool_service import Answer, Close, Drip, Hang, Reset, Send, reply, response

REDIRECTS: Final = (301, 302, 303, 307, 308)
OTHER_STATUSES: Final = (201, 204, 206, 400, 401, 404, 429, 500, 502, 503, 599)
FOREIGN: Final = (b"Location", b"http://169.254.169.254/latest/meta-data")
DEEP: Final = b'{"bundleId":"a","tools":[],"x":' + b"[" * 64 + b"]" * 64 + b"}"


def misbehaviours(good: bytes, max_bytes: int) -> dict[str, tuple[Answer, PullFailure]]:
    """Return answers by a name, each right but for what the name says; `good` is the manifest they carry."""
    return {
        **_statuses(good),
        **_content(good),
        **_sizes(good, max_bytes),
        **_broken(good),
        **_slow(good),
        **_documents(),
    }


def _statuses(good: bytes) -> dict[str, tuple[Answer, PullFailure]]:
    found = {f"status {code}": (reply(code, good), PullFailure.HTTP_STATUS) for code in OTHER_STATUSES if code != 204}
    for code in REDIRECTS:
        found[f"redirect {code} to itself"] = (
            reply(code, good, headers=[(b"Location", b"/tool-manifest")]),
            PullFailure.HTTP_STATUS,
        )
        found[f"redirect {code} away"] = (reply(code, good, headers=[FOREIGN]), PullFailure.HTTP_STATUS)
    found["status 204"] = (reply(204, b"", length=None), PullFailure.HTTP_STATUS)
    found["unasked 304"] = (reply(304, b"", length=None), PullFailure.UNEXPECTED_NOT_MODIFIED)
    return found


def _content(good: bytes) -> dict[str, tuple[Answer, PullFailure]]:
    types = (
        None,
        b"",
        b"text/html",
        b"text/json",
        b"application/problem+json",
        b"application/json2",
        b"application/json; charset=euc-kr",
        b"application/json;charset=",
        b'application/json; x=1; CHARSET="latin1"',
    )
    found = {f"type {kind!r}": (reply(200, good, content_type=kind), PullFailure.CONTENT_TYPE) for kind in types}
    for coding, body in {b"gzip": gzip.compress(good), b"br": good, b"GZIP, identity": good}.items():
        found[f"encoding {coding!r}"] = (
            reply(200, body, headers=[(b"Content-Encoding", coding)]),
            PullFailure.CONTENT_TYPE,
        )
    return found


def _sizes(good: bytes, max_bytes: int) -> dict[str, tuple[Answer, PullFailure]]:
    large = good + b" " * (max_bytes + 1 - len(good))
    return {
        "too large": (reply(200, large), PullFailure.TOO_LARGE),
        "too large in chunks": (reply(200, large, chunked=True), PullFailure.TOO_LARGE),
        "too large without length": (reply(200, large, length=None, then=(Close(),)), PullFailure.TOO_LARGE),
        "too large by its length alone": (reply(200, good, length=10**12, then=(Hang(),)), PullFailure.TOO_LARGE),
    }


def _broken(good: bytes) -> dict[str, tuple[Answer, PullFailure]]:
    whole = response(200, good)
    chunks = response(200, good, chunked=True)
    return {
        "closed at once": ((Close(),), PullFailure.CONNECT_FAILED),
        "reset at once": ((Reset(),), PullFailure.CONNECT_FAILED),
        "closed in the head": ((Send(whole[:30]), Close()), PullFailure.CONNECT_FAILED),
        "body shorter than its length": ((Send(whole[:-10]), Close()), PullFailure.CONNECT_FAILED),
        "cut in a chunk": ((Send(chunks[:-20]), Close()), PullFailure.CONNECT_FAILED),
        "no last chunk": ((Send(chunks[:-5]), Close()), PullFailure.CONNECT_FAILED),
        "bad chunk size": (
            (Send(chunks.replace(b"\r\n\r\n", b"\r\n\r\nzz\r\n", 1)), Close()),
            PullFailure.CONNECT_FAILED,
        ),
        "reset in the body": ((Send(whole[:-10]), Reset()), PullFailure.CONNECT_FAILED),
        "two lengths": (
            reply(200, good, headers=[(b"Content-Length", b"5")], then=(Close(),)),
            PullFailure.CONNECT_FAILED,
        ),
        "length and chunks": (
            (Send(chunks.replace(b"\r\n\r\n", b"\r\nContent-Length: 5\r\n\r\n", 1)), Close()),
            PullFailure.CONNECT_FAILED,
        ),
        "a head of 2 MB": (reply(200, good, headers=[(b"X-Long", b"x" * 2_000_000)]), PullFailure.CONNECT_FAILED),
        "10,000 header fields": (reply(200, good, headers=[(b"X", b"y")] * 10_000), PullFailure.CONNECT_FAILED),
        "not HTTP": ((Send(b"SSH-2.0-OpenSSH_9.2\r\n"), Close()), PullFailure.CONNECT_FAILED),
        "HTTP without a head": ((Send(good), Close()), PullFailure.CONNECT_FAILED),
    }


def _slow(good: bytes) -> dict[str, tuple[Answer, PullFailure]]:
    whole = response(200, good)
    body = len(whole) - len(good)
    return {
        "silence": ((Hang(),), PullFailure.TIMED_OUT),
        "head, then silence": ((Send(whole[:body]), Hang()), PullFailure.TIMED_OUT),
        "part of the body, then silence": ((Send(whole[:-10]), Hang()), PullFailure.TIMED_OUT),
        "dripping head": ((Drip(whole),), PullFailure.TIMED_OUT),
        "dripping body": ((Send(whole[:body]), Drip(whole[body:])), PullFailure.TIMED_OUT),
    }


def _documents() -> dict[str, tuple[Answer, PullFailure]]:
    not_json = {
        "empty": b"",
        "html": b"<html>busy</html>",
        "cut": b'{"bundleId": "a", "tools": [',
        "two documents": b'{"bundleId":"a","tools":[]}{}',
        "a byte order mark": b'\xef\xbb\xbf{"bundleId":"a","tools":[]}',
        "bad UTF-8": b'{"bundleId":"a","tools":[],"x":"\xff"}',
        "UTF-16": '{"bundleId":"a","tools":[]}'.encode("utf-16"),
        "NaN": b'{"bundleId":"a","tools":[],"x":NaN}',
        "65 levels": DEEP,
    }
    not_valid = {
        "null": b"null",
        "an array": b"[]",
        "no tools": b'{"bundleId":"a"}',
        "no bundleId": b'{"tools":[]}',
        "another bundle": b'{"bundleId":"A","tools":[]}',
        "tools as an object": b'{"bundleId":"a","tools":{}}',
        "a tool without anything": b'{"bundleId":"a","tools":[{}]}',
    }
    return {
        **{f"body: {name}": (reply(200, body), PullFailure.INVALID_JSON) for name, body in not_json.items()},
        **{f"body: {name}": (reply(200, body), PullFailure.INVALID_MANIFEST) for name, body in not_valid.items()},
    }
