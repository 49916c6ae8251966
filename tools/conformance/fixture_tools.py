"""The Tool Service that the conformance suite calls through the gateway: its fixture tools, as far as text goes.

A plain ASGI app: the manifest at /manifest, each tool at /tools/NAME. Names, schemas and texts are those that
the suite asks for; a tool that answers with images, progress, log messages or questions to the client cannot be offered
over this contract.
"""

import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, NamedTuple

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

BUNDLE = "conformance-fixture"
DIALECT = "https://json-schema.org/draft/2020-12/schema"
TEXT, JSON = b"text/plain; charset=utf-8", b"application/json"

NO_ARGUMENTS = {"type": "object"}
RICH_SCHEMA = {
    "$schema": DIALECT,
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}
HEADER_SCHEMA = {
    "type": "object",
    "properties": {"region": {"type": "string", "x-mcp-header": "Region"}, "query": {"type": "string"}},
}


class Answer(NamedTuple):
    """What a tool answers, whatever it is asked."""

    status: int
    content_type: bytes
    body: bytes


def _error(code: str, message: str) -> Answer:
    return Answer(400, JSON, json.dumps({"error": {"code": code, "message": message}}).encode())


def _text(text: str) -> Answer:
    return Answer(200, TEXT, text.encode())


class Fixture(NamedTuple):
    """One tool of the fixture."""

    description: str
    schema: dict[str, Any]
    answer: Answer


FIXTURES = {
    "json_schema_2020_12_tool": Fixture("Tool with JSON Schema 2020-12 features", RICH_SCHEMA, _text("ok")),
    "test_error_handling": Fixture(
        "Always fails", NO_ARGUMENTS, _error("TEST", "This tool intentionally returns an error for testing")
    ),
    "test_header_parameter": Fixture("Takes a parameter from a header", HEADER_SCHEMA, _text("ok")),
    "test_logging_tool": Fixture("Sends no log messages", NO_ARGUMENTS, _text("nothing was logged")),
    "test_simple_text": Fixture(
        "Answers with a text", NO_ARGUMENTS, _text("This is a simple text response for testing.")
    ),
    "test_streaming_elicitation": Fixture("Asks the client nothing", NO_ARGUMENTS, _text("nothing was asked")),
    "test_trigger_tool_change": Fixture("Shows or hides a tool", NO_ARGUMENTS, _text("the tools have changed")),
}
CHANGED = {"test_changed_tool": Fixture("Comes and goes", NO_ARGUMENTS, _text("ok"))}
"""What `test_trigger_tool_change` shows and hides."""
_shown: list[bool] = [False]


def manifest() -> dict[str, Any]:
    """Return the manifest of the fixture; the endpoints are relative to it."""
    tools = [
        {
            "name": name,
            "description": tool.description,
            "inputSchema": tool.schema,
            "endpoint": f"/tools/{name}",
            "_meta": {"version": "1.0.0"},
        }
        for name, tool in (FIXTURES | (CHANGED if _shown[0] else {})).items()
    ]
    return {"bundleId": BUNDLE, "revision": "1", "tools": tools}


def respond(method: str, path: str) -> Answer:
    """Return the answer to a request."""
    if method == "GET" and path == "/manifest":
        return Answer(200, JSON, json.dumps(manifest()).encode())
    tool = FIXTURES.get(path.removeprefix("/tools/"))
    if method == "POST" and path.startswith("/tools/") and tool is not None:
        _shown[0] ^= path.endswith("/test_trigger_tool_change")
        return tool.answer
    return _error("NOT_FOUND", "no such tool")._replace(status=404)


async def app(scope: Message, receive: Receive, send: Send) -> None:
    """Serve the fixture (ASGI)."""
    if scope["type"] != "http":
        return
    more = True
    while more:
        more = (await receive()).get("more_body", False)
    answer = respond(scope["method"], scope["path"])
    headers = [(b"content-type", answer.content_type), (b"content-length", str(len(answer.body)).encode())]
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "http.response.body", "body": answer.body})
