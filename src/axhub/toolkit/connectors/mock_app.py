"""The mocks of a service's HTTP APIs as an ASGI app: what it answers its own calls with in the profile `local`."""

from pathlib import Path

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from axhub.toolkit.config.settings import ServiceSettings
from axhub.toolkit.connectors.http_context import TOOL_HEADER
from axhub.toolkit.connectors.mock_systems import MAX_REQUEST_BYTES, Answering, Asked, MockSystems

__all__ = ["answering_app", "mock_app"]

_TOO_LARGE = 413


def mock_app(settings: ServiceSettings, package_folder: Path) -> ASGIApp:
    """Return an app that answers for all APIs of a service, at the paths of their entries.

    Args:
        settings: of the service.
        package_folder: with `samples` in it.
    """
    return answering_app(MockSystems(settings.apis, package_folder))


def answering_app(systems: Answering) -> ASGIApp:
    """Return an app that answers as the systems behind would."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        try:
            body = await _body(request)
        except ClientDisconnect:
            return
        if body is None:
            await Response(status_code=_TOO_LARGE)(scope, receive, send)
            return
        said = request.headers
        asked = Asked(
            request.method,
            scope["path"],
            request.url.query,
            body,
            said.get("content-type", ""),
            said.get(TOOL_HEADER, ""),
        )
        answer = systems.answer(asked)
        content_type = {"content-type": answer.content_type}
        await Response(answer.body, answer.status, content_type)(scope, receive, send)

    return app


async def _body(request: Request) -> bytes | None:
    """Return a request's body; None if it is larger than any that is answered."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > MAX_REQUEST_BYTES:
            return None
    return bytes(body)
