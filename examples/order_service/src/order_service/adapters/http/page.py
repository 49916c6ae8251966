"""The page on which people decide (agent/R5): forms and nothing else, so it needs no JavaScript and allows none."""

from typing import Final, TypeVar

from pydantic import BaseModel, ValidationError
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from order_service.adapters.http import page_words as words
from order_service.adapters.http.html import element
from order_service.adapters.http.page_parts import document, doubtful_list, message, pending_list, sign_in_form, who
from order_service.adapters.http.problems import BAD_REQUEST, NOT_AUTHENTICATED, ProblemError, kind_of
from order_service.adapters.http.reading import path_id
from order_service.adapters.http.serving import Endpoint, HttpSettings, Services, told
from order_service.adapters.http.sessions import FORM_FIELD, Sessions, form_of, pasted_token
from order_service.adapters.http.shapes import DecisionBody, FindingBody
from order_service.adapters.http.words import Text, language_of
from order_service.domain.actor import ActorContext
from order_service.ports.approvals import Finding, Verdict
from order_service.ports.tokens import InvalidTokenError

__all__ = ["PageEndpoints"]

M = TypeVar("M", bound=BaseModel)

_HOME: Final = "/approvals"
_SEE_OTHER: Final = 303
_HEADERS: Final = (
    (
        "content-security-policy",
        "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    ),
    ("cache-control", "no-store"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("referrer-policy", "same-origin"),
    ("vary", "Accept-Language, Cookie"),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
)


class PageEndpoints:
    """`/approvals`."""

    def __init__(self, services: Services, settings: HttpSettings) -> None:
        self._services: Final = services
        self._sessions: Final = Sessions(is_secure=settings.is_secure)

    def routes(self) -> list[Route]:
        """Return them."""
        listed = (
            (_HOME, self.home, "GET"),
            (f"{_HOME}/style.css", self.style, "GET"),
            (f"{_HOME}/sign-in", self.sign_in, "POST"),
            (f"{_HOME}/sign-out", self.sign_out, "POST"),
            (f"{_HOME}/{{approval_id}}/decision", self.decide, "POST"),
            (f"{_HOME}/unknown-calls/{{call_id}}/finding", self.settle, "POST"),
        )
        return [Route(path, self._shown(endpoint), methods=[method]) for path, endpoint, method in listed]

    def _shown(self, endpoint: Endpoint) -> Endpoint:
        """Return an endpoint whose problems are pages, with headers that let the browser do very little."""

        async def answer(request: Request) -> Response:
            try:
                response = await endpoint(request)
            except Exception as error:  # noqa: BLE001 - as for the API: the person gets a sentence, the log the rest
                response = self._problem(request, error)
            for name, value in _HEADERS:
                response.headers[name] = value
            return response

        return answer

    def _problem(self, request: Request, error: Exception) -> Response:
        kind = kind_of(error)
        if kind is NOT_AUTHENTICATED:
            return self._sign_in_page(request, words.TOKEN_REFUSED)
        answer = told(self._services, request, error)
        language = language_of(request)
        text = Text("Something is wrong on our side.", "서비스에 문제가 있습니다.") if kind is None else kind.title
        page = document(
            language,
            element("h1", words.TITLE.said(language)),
            message(language, text, is_alert=True),
            element("p", element("a", words.BACK.said(language), href=_HOME)),
        )
        return HTMLResponse(page, answer.status_code)

    def _sign_in_page(self, request: Request, refusal: Text | None) -> Response:
        language = language_of(request)
        secret = self._sessions.visitor(request)
        notice = words.NOTICES.get(request.query_params.get("notice", "")) if refusal is None else refusal
        said = [] if notice is None else [message(language, notice, is_alert=refusal is not None)]
        status = 200 if refusal is None else NOT_AUTHENTICATED.status
        response = HTMLResponse(document(language, *said, sign_in_form(language, secret)), status)
        self._sessions.greet(response, secret)
        return response

    async def home(self, request: Request) -> Response:
        """Show what waits and what nobody knows the outcome of, or the sign-in form."""
        token = self._sessions.token(request)
        if token is None:
            return self._sign_in_page(request, None)
        actor = await self._services.tokens.actor(token)
        language = language_of(request)
        waiting = await self._services.approvals.pending(actor)
        doubtful = await self._services.approvals.unknown_calls(actor)
        notice = words.NOTICES.get(request.query_params.get("notice", ""))
        page = document(
            language,
            who(language, actor, token),
            *([] if notice is None else [message(language, notice, is_alert=False)]),
            pending_list(language, actor, waiting, token),
            doubtful_list(language, actor, doubtful, token),
        )
        return HTMLResponse(page)

    async def style(self, _request: Request) -> Response:
        """Return how it looks."""
        return Response(words.STYLE, media_type="text/css")

    async def sign_in(self, request: Request) -> Response:
        """Take a token that verifies."""
        form = await form_of(request)
        self._sessions.check(request, form)
        token = pasted_token(form.get("token", ""))
        if token is None:
            raise ProblemError(NOT_AUTHENTICATED)
        await self._services.tokens.actor(token)
        response = RedirectResponse(_HOME, _SEE_OTHER)
        self._sessions.sign_in(response, token)
        return response

    async def sign_out(self, request: Request) -> Response:
        """Forget the token."""
        self._sessions.check(request, await form_of(request))
        response = RedirectResponse(f"{_HOME}?notice=signed-out", _SEE_OTHER)
        self._sessions.sign_out(response)
        return response

    async def decide(self, request: Request) -> Response:
        """Take a decision."""
        actor, body = await self._sent(request, DecisionBody)
        verdict = Verdict(body.decision)
        await self._services.approvals.decide(actor, path_id(request, "approval_id"), verdict, body.comment)
        notice = "approved" if verdict is Verdict.APPROVE else "denied"
        return RedirectResponse(f"{_HOME}?notice={notice}", _SEE_OTHER)

    async def settle(self, request: Request) -> Response:
        """Take what an approver has found out about a call whose outcome nobody knew."""
        actor, body = await self._sent(request, FindingBody)
        finding = Finding(body.finding)
        await self._services.approvals.settle(actor, path_id(request, "call_id"), finding)
        return RedirectResponse(f"{_HOME}?notice={finding.value.replace('_', '-')}", _SEE_OTHER)

    async def _sent(self, request: Request, model: type[M]) -> tuple[ActorContext, M]:
        """Return who sent a form of this page, and what it says.

        Raises:
            ProblemError, InvalidTokenError: it is not from this page, nobody is signed in, or it says anything else.
        """
        form = await form_of(request)
        self._sessions.check(request, form)
        actor = await self._signed_in(request)
        try:
            return actor, model.model_validate({name: form[name] for name in form if name != FORM_FIELD})
        except ValidationError:
            raise ProblemError(BAD_REQUEST) from None

    async def _signed_in(self, request: Request) -> ActorContext:
        token = self._sessions.token(request)
        if token is None:
            raise InvalidTokenError("not signed in")
        return await self._services.tokens.actor(token)
