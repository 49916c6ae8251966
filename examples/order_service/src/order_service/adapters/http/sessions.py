"""Who sits in front of the page: a token in a cookie that only this page gets, and forms that only this page made.

Nothing is kept on the server, so every replica serves every person. The field against forged forms is made from the
cookie's own value, which no other site can read.
"""

import hashlib
import hmac
import re
import secrets
from collections.abc import Mapping
from typing import Final
from urllib.parse import parse_qsl, urlsplit

from starlette.requests import Request
from starlette.responses import Response

from order_service.adapters.http.problems import BAD_REQUEST, FORGED_FORM, WRONG_MEDIA, ProblemError
from order_service.adapters.http.reading import bounded_body

__all__ = ["FORM_FIELD", "MAX_TOKEN_CHARS", "Sessions", "field_for", "form_of", "pasted_token"]

FORM_FIELD: Final = "csrf"
MAX_TOKEN_CHARS: Final = 3800
"""What fits into one cookie."""
_TOKEN: Final = re.compile(r"[A-Za-z0-9._~+/=-]{1,3800}")
_VISITOR_BYTES: Final = 24
_VISITOR: Final = re.compile(r"[A-Za-z0-9_-]{32}")
_FORM: Final = "application/x-www-form-urlencoded"
_PURPOSE: Final = b"order-service form"
_MAX_FIELDS: Final = 8


class Sessions:
    """The page's two cookies: who is signed in, and which sign-in form was shown."""

    def __init__(self, *, is_secure: bool) -> None:
        """Say whether the page is served over https."""
        self._is_secure: Final = is_secure
        prefix = "__Host-" if is_secure else ""
        self._signed_in: Final = f"{prefix}order-approvals"
        self._visitor: Final = f"{prefix}order-approvals-visitor"

    def token(self, request: Request) -> str | None:
        """Return the token of whoever is signed in."""
        return request.cookies.get(self._signed_in)

    def secret(self, request: Request) -> str | None:
        """Return what the forms shown to this browser were made with."""
        return self.token(request) or request.cookies.get(self._visitor)

    def sign_in(self, response: Response, token: str) -> None:
        """Let the browser keep a token."""
        self._set(response, self._signed_in, token)
        self._drop(response, self._visitor)

    def sign_out(self, response: Response) -> None:
        """Let the browser forget it."""
        self._drop(response, self._signed_in)

    def visitor(self, request: Request) -> str:
        """Return what the sign-in form of a browser is made with: as before, so that two tabs get on, or new."""
        known = request.cookies.get(self._visitor, "")
        return known if _VISITOR.fullmatch(known) else secrets.token_urlsafe(_VISITOR_BYTES)

    def greet(self, response: Response, secret: str) -> None:
        """Let a browser that is not signed in keep what its form is made with, and nothing else."""
        self._set(response, self._visitor, secret)
        self.sign_out(response)

    def _set(self, response: Response, name: str, value: str) -> None:
        response.set_cookie(name, value, path="/", secure=self._is_secure, httponly=True, samesite="strict")

    def _drop(self, response: Response, name: str) -> None:
        response.delete_cookie(name, path="/", secure=self._is_secure, httponly=True, samesite="strict")

    def check(self, request: Request, form: Mapping[str, str]) -> None:
        """Look whether a form is one that this page made for this browser.

        Raises:
            ProblemError: it came from somewhere else.
        """
        secret = self.secret(request)
        is_ours = secret is not None and hmac.compare_digest(
            field_for(secret).encode(), form.get(FORM_FIELD, "").encode()
        )
        if not is_ours or not _is_same_origin(request):
            raise ProblemError(FORGED_FORM)


def field_for(secret: str) -> str:
    """Return the value of the field in forms of one browser."""
    return hmac.new(secret.encode(), _PURPOSE, hashlib.sha256).hexdigest()


def pasted_token(text: str) -> str | None:
    """Return a token as people paste it: with blanks around it, and with `Bearer` before it; None if it is none."""
    token = text.strip().removeprefix("Bearer ").strip()
    return token if _TOKEN.fullmatch(token) else None


def _is_same_origin(request: Request) -> bool:
    """Go by what browsers say of where a form was sent from; those that say nothing have the field."""
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site == "same-origin"
    origin = request.headers.get("origin")
    return origin is None or urlsplit(origin).netloc == request.headers.get("host", "")


async def form_of(request: Request) -> dict[str, str]:
    """Return the fields of a form.

    Raises:
        ProblemError: it is too large, no form, or has a field twice.
    """
    body = await bounded_body(request)
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != _FORM:
        raise ProblemError(WRONG_MEDIA)
    try:
        pairs = parse_qsl(body.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=_MAX_FIELDS)
    except ValueError:
        raise ProblemError(BAD_REQUEST) from None
    if len(dict(pairs)) != len(pairs):
        raise ProblemError(BAD_REQUEST)
    return dict(pairs)
