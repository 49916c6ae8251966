"""The page's parts, as HTML."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from order_service.adapters.http import page_words as words
from order_service.adapters.http.html import Html, element, joined, visible
from order_service.adapters.http.sessions import FORM_FIELD, MAX_TOKEN_CHARS, field_for
from order_service.adapters.http.shapes import MAX_COMMENT_CHARS
from order_service.adapters.http.words import Language, Text
from order_service.domain.actor import ActorContext
from order_service.ports.approvals import Approval, Finding, UnknownCall

__all__ = ["document", "doubtful_list", "message", "pending_list", "sign_in_form", "who"]

_INDENT: Final = 2


def document(language: Language, *body: str) -> str:
    """Return the whole page."""
    title = words.TITLE.said(language)
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", title),
        element("link", rel="stylesheet", href="/approvals/style.css"),
    )
    return "<!doctype html>" + element("html", head, element("body", element("main", *body)), lang=language)


def message(language: Language, text: Text, *, is_alert: bool) -> Html:
    """Return one sentence about what just happened."""
    return element("p", text.said(language), role="alert" if is_alert else "status")


def sign_in_form(language: Language, secret: str) -> Html:
    """Return the form for a token."""
    field = element("textarea", name="token", rows="4", required="", maxlength=str(MAX_TOKEN_CHARS), autocomplete="off")
    return joined(
        element("h1", words.TITLE.said(language)),
        element(
            "form",
            _csrf(secret),
            element("label", words.TOKEN.said(language), field),
            element("button", words.SIGN_IN.said(language), type="submit"),
            method="post",
            action="/approvals/sign-in",
        ),
    )


def who(language: Language, actor: ActorContext, secret: str) -> Html:
    """Return the head of the page: who is signed in, and the way out."""
    return element(
        "header",
        element("h1", words.TITLE.said(language)),
        element("span", words.SIGNED_IN_AS.said(language), ": ", _value(actor.user_id)),
        element(
            "form",
            _csrf(secret),
            element("button", words.SIGN_OUT.said(language), type="submit"),
            method="post",
            action="/approvals/sign-out",
        ),
    )


def pending_list(language: Language, actor: ActorContext, waiting: Sequence[Approval], secret: str) -> Html:
    """Return what waits, each with its form."""
    if not waiting:
        return element("p", words.NOTHING.said(language))
    return joined(*(_article(language, actor, one, secret) for one in waiting))


def doubtful_list(language: Language, actor: ActorContext, calls: Sequence[UnknownCall], secret: str) -> Html:
    """Return the calls whose outcome nobody knows, each with its form; nothing where there are none."""
    if not calls:
        return Html()
    return element(
        "section",
        element("h2", words.DOUBTS.said(language)),
        element("p", words.DOUBT.said(language)),
        *(_doubt(language, actor, one, secret) for one in calls),
    )


def _article(language: Language, actor: ActorContext, one: Approval, secret: str) -> Html:
    facts = (words.TOOL, one.tool), (words.REQUESTER, one.requester), (words.EXPIRES, one.expires_at)
    return element(
        "article",
        *_facts(language, facts),
        *_arguments(language, words.ARGUMENTS, one.arguments),
        element("p", words.OWN.said(language))
        if one.requester == actor.user_id
        else _decision_form(language, one, secret),
    )


def _doubt(language: Language, actor: ActorContext, one: UnknownCall, secret: str) -> Html:
    facts = (words.TOOL, one.tool), (words.REQUESTER, one.requester), (words.CALL, one.id)
    return element(
        "article",
        *_facts(language, facts),
        *_arguments(language, words.VALUES, one.arguments),
        element("p", words.OWN_DOUBT.said(language))
        if one.requester == actor.user_id
        else _finding_form(language, one, secret),
    )


def _facts(language: Language, facts: Sequence[tuple[Text, str]]) -> list[Html]:
    return [element("p", element("strong", name.said(language)), ": ", _value(value)) for name, value in facts]


def _arguments(language: Language, title: Text, arguments: Mapping[str, Any]) -> tuple[Html, ...]:
    shown = visible(json.dumps(arguments, ensure_ascii=False, indent=_INDENT, sort_keys=True))
    return (
        element("p", element("strong", title.said(language))),
        element("pre", shown, dir="ltr"),
        element("p", words.UNSEEN.said(language)) if "<mark>" in shown else Html(),
    )


def _finding_form(language: Language, one: UnknownCall, secret: str) -> Html:
    said = ((words.HAPPENED, Finding.HAPPENED), (words.DID_NOT_HAPPEN, Finding.DID_NOT_HAPPEN))
    return element(
        "form",
        _csrf(secret),
        *(element("button", name.said(language), type="submit", name="finding", value=value) for name, value in said),
        method="post",
        action=f"/approvals/unknown-calls/{one.id}/finding",
    )


def _decision_form(language: Language, one: Approval, secret: str) -> Html:
    comment = element("input", type="text", name="comment", maxlength=str(MAX_COMMENT_CHARS), autocomplete="off")
    return element(
        "form",
        _csrf(secret),
        element("label", words.COMMENT.said(language), comment),
        element("button", words.APPROVE.said(language), type="submit", name="decision", value="approve"),
        element("button", words.DENY.said(language), type="submit", name="decision", value="deny"),
        method="post",
        action=f"/approvals/{one.id}/decision",
    )


def _value(text: str) -> Html:
    return element("bdi", visible(text), class_="value", dir="ltr")


def _csrf(secret: str) -> Html:
    return element("input", type="hidden", name=FORM_FIELD, value=field_for(secret))
