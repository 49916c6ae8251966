"""For the tests of tool authors: call a tool without a server, and stand-ins that pass the suites of the real ports."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from pydantic import BaseModel

from axhub.toolkit.context import Encrypted, ToolContext
from axhub.toolkit.declare import is_output_schema
from axhub.toolkit.published.schemas import input_schema, output_schema
from axhub.toolkit.published.signatures import read_signature
from axhub.toolkit.published.tool import PublishedTool
from axhub.toolkit.published.validation import SchemaValidator
from axhub.toolkit.service.app import ToolService
from axhub.toolkit.service.arguments import ArgumentReader
from axhub.toolkit.service.execution import Execution, Terms
from axhub.toolkit.service.log import CallLog
from axhub.toolkit.service.repeat import MemoryRepeatStore
from axhub.toolkit.service.results import ResultWriter
from axhub.toolkit.service.use_case import use_case
from axhub.toolkit.testing_http import ScriptedHttp
from axhub.toolkit.testing_mci import ScriptedMci

__all__ = [
    "FakeCipher",
    "MemoryRepeatStore",
    "ScriptedHttp",
    "ScriptedMci",
    "ToolAnswer",
    "call_tool",
    "call_use_case",
    "fixed_context",
    "published_tool",
    "started",
]

_OK: Final = 200
_PREFIX: Final = "enc:"
_SECONDS: Final = 10.0


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """What a caller would have got."""

    status: int
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def value(self) -> Any:
        """The body as a JSON value; None if there is none."""
        return json.loads(self.body) if self.body else None

    @property
    def ok(self) -> bool:
        """Whether the tool answered."""
        return self.status == _OK


async def call_tool(
    app: ToolService,
    name: str,
    arguments: Mapping[str, Any] | bytes | None = None,
    *,
    headers: Mapping[str, str] | None = None,
) -> ToolAnswer:
    """Call a tool as the gateway would, in this process: the same checks, wiring, bounds and answers, no socket.

    Args:
        app: started (see `started`), or not: then it is started for this call alone, in the profile that it was given.
        name: the published name.
        arguments: as JSON will have them (wire names), or the very bytes.
        headers: of the call, such as `employee-no`.
    """
    if not app.is_started:
        async with started(app):
            return await call_tool(app, name, arguments, headers=headers)
    caller = _Caller(_bytes(arguments))
    lines = [(name.lower().encode(), value.encode()) for name, value in (headers or {}).items()]
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/mcp",
        "raw_path": b"/mcp",
        "query_string": b"",
        "headers": [(b"content-type", b"application/json"), (b"mcp-name", name.encode()), *lines],
    }
    await app(scope, caller.receive, caller.send)
    return caller.answer


async def call_use_case(
    function: Callable[..., Awaitable[Any]],
    arguments: Mapping[str, Any] | bytes | None = None,
    *,
    context: ToolContext | None = None,
    **given: Any,
) -> ToolAnswer:
    """Call one declared function or bound method as its tool: arguments and answer are JSON, checked as in a service.

    ```python
    answer = await call_use_case(claim_search, {"claimNo": "CLM202608100001"}, client=FakeClient())
    answer = await call_use_case(ClaimUseCaseImpl(FakeClient()).search_claim, {"claimNo": "CLM202608100001"})
    ```

    Args:
        function: declared with `@tool`, or what implements such a declaration.
        arguments: as JSON will have them (wire names), or the very bytes.
        context: None: `fixed_context()`.
        given: what a module's function takes besides request and context, by name.

    Raises:
        SignatureError: it cannot be a tool.
    """
    plain = getattr(function, "__func__", function)
    signature = read_signature(plain, is_method=plain is not function)
    execution = Execution(
        plain.__name__,
        use_case(partial(function, **given), signature.request_parameter, signature.context_parameter),
        ArgumentReader(signature.request, input_schema(signature.request), None, "en"),
        ResultWriter(signature.answer, _declared(signature.answer)),
        Terms(_SECONDS),
        CallLog(),
    )
    answer = await execution.answer(_bytes(arguments), context or fixed_context(), None)
    return ToolAnswer(answer.status, answer.body, {name.decode(): value.decode() for name, value in answer.headers})


@asynccontextmanager
async def started(app: ToolService) -> AsyncIterator[ToolService]:
    """Run an app for the length of a block: its adapters are opened, and closed at the end."""
    await app.start()
    try:
        yield app
    finally:
        await app.stop()


def fixed_context(
    *,
    trace_id: str = "0af7651916cd43dd8448eb211c80319c",
    request_id: str = "request-1",
    guid: str | None = None,
    session_id: str | None = None,
    employee: Encrypted | str | None = None,
    virtual_employee: Encrypted | str | None = None,
    deadline: float | None = None,
) -> ToolContext:
    """Return a context with known ids, for the test of a use case; employees may be plain texts."""
    return ToolContext(
        trace_id, request_id, guid, session_id, _encrypted(employee), _encrypted(virtual_employee), deadline
    )


def published_tool(app: ToolService, name: str) -> PublishedTool:
    """Return one tool as the service would publish it, with its schemas and texts; drafts too in the profile `local`.

    Args:
        app: not started, or started.
        name: the authored name.

    Raises:
        LookupError: the service has no tool of that name.
        StartError: the service cannot start.
    """
    tools = {tool.name: tool for tool in app.prepare().tools}
    if name not in tools:
        raise LookupError(f"no tool is called {name!r}; there are {', '.join(tools) or 'none'}")
    return tools[name]


class FakeCipher:
    """An `EmployeeCipher` for tests: `enc:` and the number backwards."""

    @staticmethod
    def encrypt(number: str) -> Encrypted:
        """Return what `decrypt` reads."""
        return Encrypted(_PREFIX + number[::-1])

    async def decrypt(self, value: Encrypted) -> str:
        """Return the plain number.

        Raises:
            ValueError: it was not made by `encrypt`.
        """
        text = value.reveal_cipher_text()
        if not text.startswith(_PREFIX):
            raise ValueError("not encrypted with the key of FakeCipher")
        return text.removeprefix(_PREFIX)[::-1]


def _bytes(arguments: Mapping[str, Any] | bytes | None) -> bytes:
    return arguments if isinstance(arguments, bytes) else json.dumps(arguments or {}, ensure_ascii=False).encode()


def _encrypted(value: Encrypted | str | None) -> Encrypted | None:
    return Encrypted(value) if isinstance(value, str) else value


def _declared(response: type[BaseModel]) -> SchemaValidator | None:
    return SchemaValidator(output_schema(response)) if is_output_schema(response) else None


class _Caller:
    """The other end of one ASGI request: sends a body, keeps the answer, stays until it has come."""

    def __init__(self, body: bytes) -> None:
        self._body: bytes | None = body
        self.answer = ToolAnswer(0, b"")
        self._status = 0
        self._headers: Mapping[str, str] = {}

    async def receive(self) -> dict[str, Any]:
        body, self._body = self._body, None
        if body is None:
            await asyncio.Event().wait()
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(self, message: Mapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            self._status = message["status"]
            self._headers = {name.decode(): value.decode() for name, value in message["headers"]}
        else:
            self.answer = ToolAnswer(self._status, message.get("body", b""), self._headers)
