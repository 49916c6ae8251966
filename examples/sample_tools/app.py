"""The HTTP side of the sample Tool Service, as the wire contract asks for it.

`GET /tool-manifest` gives the whole manifest (with `ETag`, so 304), `POST /tools/{name}` executes a tool:
the body is the arguments object, the answer the tool's JSON. Mistakes of the caller are 4xx with an `error`
object, anything else is a 500 with an `X-Error-Id` and nothing internal.
"""

import hashlib
import json
import logging
import uuid
from collections.abc import Awaitable, Callable, MutableMapping
from decimal import Decimal
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final, NamedTuple

import jsonschema_rs

from sample_tools.tools import TOOLS, Call, ToolError

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

MAX_BODY: Final = 1_048_576
MAX_DIGITS: Final = 20
_log = logging.getLogger("sample_tools")
_manifest = json.loads(Path(__file__).with_name("manifest.json").read_bytes())
_revision = "sha256:" + hashlib.sha256(json.dumps(_manifest, sort_keys=True).encode()).hexdigest()
_validators = {
    tool["name"]: jsonschema_rs.Draft202012Validator(tool["inputSchema"], validate_formats=True)
    for tool in _manifest["tools"]
}


class Answer(NamedTuple):
    """One HTTP answer; `body` is a JSON value."""

    status: int
    body: Any
    headers: tuple[tuple[bytes, bytes], ...] = ()


async def app(scope: Message, receive: Receive, send: Send) -> None:
    """Serve one ASGI connection."""
    if scope["type"] == "lifespan":
        await _lifespan(receive, send)
    elif scope["type"] == "http":
        headers = {name.decode("latin-1"): value.decode("utf-8", "replace") for name, value in scope["headers"]}
        answer = await _answer(scope["method"], scope["path"], headers, receive)
        await _send(answer, send)


async def _answer(method: str, path: str, headers: dict[str, str], receive: Receive) -> Answer:
    if path == "/tool-manifest":
        return _serve_manifest(headers) if method == "GET" else _refused(405, "METHOD_NOT_ALLOWED", "use GET")
    if not path.startswith("/tools/"):
        return _refused(404, "NOT_FOUND", "there is /tool-manifest and /tools/{name}")
    if method != "POST":
        return _refused(405, "METHOD_NOT_ALLOWED", "use POST")
    body = await _read(receive)
    if body is None:
        return _refused(413, "TOO_LARGE", f"the arguments are larger than {MAX_BODY} bytes")
    return await _execute(path.removeprefix("/tools/"), headers, body)


def _serve_manifest(headers: dict[str, str]) -> Answer:
    etag = f'"{_revision}"'
    known = headers.get("if-none-match") == etag
    return Answer(304 if known else 200, _manifest | {"revision": _revision}, ((b"etag", etag.encode()),))


async def _execute(name: str, headers: dict[str, str], body: bytes) -> Answer:
    if name not in TOOLS:
        return _refused(404, "TOOL_NOT_FOUND", f"도구 {name!r}이(가) 없습니다.")
    try:
        text = body.decode()
        arguments = json.loads(text or "{}", parse_float=_exact)
    except ValueError:
        return _refused(400, "INVALID_JSON", "인자가 올바른 JSON이 아닙니다.")
    fields = [{"path": _path(error), "message": error.message} for error in _validators[name].iter_errors(arguments)]
    if fields:
        error = {"code": "INVALID_ARGUMENTS", "message": "인자가 스키마에 맞지 않습니다.", "fields": fields}
        return Answer(400, {"error": error})
    try:
        return Answer(200, await TOOLS[name](Call(arguments, text, headers)))
    except ToolError as error:
        return Answer(error.status, error.body)
    except Exception:  # noqa: BLE001 - the edge of the service: nothing internal may leave it
        error_id = uuid.uuid4().hex
        _log.exception("%s failed, error id %s", name, error_id)
        internal = {"error": {"code": "INTERNAL", "message": "내부 오류입니다."}}
        return Answer(500, internal, ((b"x-error-id", error_id.encode()),))


def _exact(number: str) -> Decimal | int:
    """Keep a number's value: floats would turn 1e400 into infinity and 0.1 into something else."""
    value = Decimal(number)
    return int(value) if value.adjusted() < MAX_DIGITS and value == value.to_integral_value() else value


def _path(error: jsonschema_rs.ValidationError) -> str:
    return ".".join(str(part) for part in error.instance_path)


def _refused(status: int, code: str, message: str) -> Answer:
    return Answer(status, {"error": {"code": code, "message": message}})


async def _read(receive: Receive) -> bytes | None:
    chunks: list[bytes] = []
    more = True
    while more:
        message = await receive()
        chunks.append(message.get("body", b""))
        more = message.get("more_body", False)
        if sum(map(len, chunks)) > MAX_BODY:
            return None
    return b"".join(chunks)


async def _send(answer: Answer, send: Send) -> None:
    body = b"" if answer.status == HTTPStatus.NOT_MODIFIED else json.dumps(answer.body, ensure_ascii=False).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body)), *answer.headers]
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _lifespan(receive: Receive, send: Send) -> None:
    while (message := await receive())["type"] != "lifespan.shutdown":
        await send({"type": f"{message['type']}.complete"})
    await send({"type": "lifespan.shutdown.complete"})
