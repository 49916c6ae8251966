"""The addresses besides the calls: manifest, health, metrics (toolkit/S1, toolkit/S6)."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from axhub.toolkit.service.answers import Answer, Outcome, refusal
from axhub.toolkit.service.metrics import Metrics
from axhub.toolkit.service.words import Language

__all__ = ["ManifestPage", "Pages", "pages"]

_PROMETHEUS: Final = "text/plain; version=0.0.4; charset=utf-8"
_NOT_MODIFIED: Final = 304
_TAG: Final = re.compile(r'"[\x21\x23-\x7e\x80-\xff]*"')
_TAGS: Final = re.compile(rf"[ \t,]*+(?:(?:W/)?{_TAG.pattern}[ \t]*+(?:,[ \t,]*+|$))*+")
_Handler = Callable[[Request], Any]


@dataclass(frozen=True, slots=True)
class ManifestPage:
    """The manifest as it is served: the same bytes on every replica."""

    body: bytes
    revision: str

    def answer(self, if_none_match: str) -> Response:
        """Return the manifest, or 304 if the caller has this revision (decision/D9).

        Args:
            if_none_match: a list of tags, or `*`; what is neither is no tag, and the manifest is sent.
        """
        tag = f'"{self.revision}"'
        listed = _TAGS.fullmatch(if_none_match) is not None and tag in _TAG.findall(if_none_match)
        if listed or if_none_match.strip() == "*":
            return Response(status_code=_NOT_MODIFIED, headers={"ETag": tag})
        return Response(self.body, media_type="application/json", headers={"ETag": tag})


@dataclass(frozen=True, slots=True)
class Pages:
    """What the pages show."""

    manifest: ManifestPage
    metrics: Metrics
    is_ready: Callable[[], bool]
    tool_count: int
    language: Language
    is_alive: Callable[[], bool] = lambda: True
    """Tells whether the process need not be replaced."""
    more: Sequence[BaseRoute] = ()
    """Routes of others, such as mock systems in the profile `local`."""


def pages(shown: Pages) -> Starlette:
    """Return the app that answers everything but calls."""
    app = Starlette(
        routes=[
            Route("/tool-manifest", _manifest(shown.manifest)),
            Route("/actuator/health", _health(shown)),
            Route("/actuator/health/liveness", _probe(shown.is_alive)),
            Route("/actuator/health/readiness", _probe(shown.is_ready)),
            Route("/actuator/prometheus", _metrics(shown.metrics)),
            *shown.more,
        ],
        exception_handlers={
            404: _refusing(refusal("NOT_FOUND", shown.language, Outcome.NOT_FOUND)),
            405: _refusing(refusal("METHOD_NOT_ALLOWED", shown.language, Outcome.NOT_FOUND)),
        },
    )
    app.router.redirect_slashes = False  # every address has one spelling; the others are not found
    return app


def _manifest(page: ManifestPage) -> _Handler:
    async def manifest(request: Request) -> Response:
        return page.answer(", ".join(request.headers.getlist("if-none-match")))

    return manifest


def _probe(is_up: Callable[[], bool]) -> _Handler:
    async def probe(request: Request) -> Response:  # noqa: ARG001 - the signature of a Starlette handler
        return _state(is_up())

    return probe


def _health(shown: Pages) -> _Handler:
    async def health(request: Request) -> Response:  # noqa: ARG001 - the signature of a Starlette handler
        ready, alive = shown.is_ready(), shown.is_alive()
        components = {
            "liveness": {"status": _word(alive)},
            "readiness": {"status": _word(ready)},
            "tools": {"status": "UP", "details": {"count": shown.tool_count}},
        }
        return _state(ready and alive, components=components)

    return health


def _metrics(metrics: Metrics) -> _Handler:
    async def prometheus(request: Request) -> Response:  # noqa: ARG001 - the signature of a Starlette handler
        return Response(metrics.text(), headers={"Content-Type": _PROMETHEUS})

    return prometheus


def _refusing(answer: Answer) -> Any:
    async def refuse(request: Request, error: Exception) -> Response:  # noqa: ARG001 - as Starlette calls it
        headers = dict(getattr(error, "headers", None) or {})
        if "Allow" in headers:  # Starlette has them in no order
            headers["Allow"] = ", ".join(sorted(headers["Allow"].split(", ")))
        return Response(answer.body, answer.status, headers, media_type="application/json")

    return refuse


def _state(up: bool, **more: Any) -> Response:
    return JSONResponse({"status": _word(up), **more}, 200 if up else 503)


def _word(up: bool) -> str:
    return "UP" if up else "DOWN"
