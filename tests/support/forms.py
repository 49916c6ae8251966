"""A browser without JavaScript: reads a page's forms, sends them, and keeps cookies as a browser would."""

import asyncio
import http.client
from collections.abc import Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from http.cookies import Morsel, SimpleCookie
from urllib.parse import urlencode

PATIENCE_SECONDS = 20


@dataclass
class Form:
    """One form of a page, with the values that it would send."""

    action: str
    method: str
    fields: dict[str, str] = field(default_factory=dict)
    buttons: list[tuple[str, str]] = field(default_factory=list)


class Page(HTMLParser):
    """A page as a parser sees it: its forms, its elements, and its text."""

    def __init__(self, status: int, headers: http.client.HTTPMessage, body: str) -> None:
        super().__init__()
        self.status = status
        self.headers = headers
        self.forms: list[Form] = []
        self.elements: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.pre: list[str] = []
        self.lines: list[str] = []
        self._in_pre = False
        self.feed(body)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        self.elements.append(tag)
        self.attributes += said.items()
        self._in_pre = self._in_pre or tag == "pre"
        if tag == "pre":
            self.pre.append("")
        if tag == "form":
            self.forms.append(Form(said["action"], said["method"]))
        elif tag in {"input", "textarea"}:
            self.forms[-1].fields[said["name"]] = said.get("value", "")
        elif tag == "button" and "name" in said:
            self.forms[-1].buttons.append((said["name"], said["value"]))

    def handle_endtag(self, tag: str) -> None:
        self._in_pre = self._in_pre and tag != "pre"

    def handle_data(self, data: str) -> None:
        if self._in_pre:
            self.pre[-1] += data
        self.lines.append(data)

    @property
    def text(self) -> str:
        return "".join(self.lines)


class Browser:
    """One person's browser."""

    def __init__(self, port: int, language: str = "en") -> None:
        self.port = port
        self.headers = {"Accept-Language": language}
        self.cookies: dict[str, Morsel[str]] = {}

    async def get(self, path: str, **headers: str) -> Page:
        return await self._follow("GET", path, None, headers)

    async def send(self, form: Form, *, headers: Mapping[str, str] | None = None, **said: str) -> Page:
        """Send a form with what a person typed into it; a field that is `-` is left out."""
        values = {name: value for name, value in {**form.fields, **said}.items() if value != "-"}
        return await self._follow(form.method.upper(), form.action, urlencode(values), headers or {})

    async def _follow(self, method: str, path: str, body: str | None, headers: Mapping[str, str]) -> Page:
        page = await self.once(method, path, body, headers)
        if page.status == http.HTTPStatus.SEE_OTHER:
            return await self._follow("GET", page.headers["location"], None, {})
        return page

    async def once(self, method: str, path: str, body: str | None, headers: Mapping[str, str]) -> Page:
        """Send one request and follow nothing."""
        sent = {**self.headers, **headers}
        if self.cookies:
            sent["Cookie"] = "; ".join(f"{name}={one.value}" for name, one in self.cookies.items())
        if body is not None:
            sent.setdefault("Content-Type", "application/x-www-form-urlencoded")
        page = await asyncio.to_thread(self._exchange, method, path, body, sent)
        for line in page.headers.get_all("set-cookie") or []:
            for name, morsel in SimpleCookie(line).items():
                self.cookies.pop(name, None)
                if morsel["max-age"] != "0":
                    self.cookies[name] = morsel
        return page

    def _exchange(self, method: str, path: str, body: str | None, headers: Mapping[str, str]) -> Page:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_SECONDS)
        try:
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            return Page(response.status, response.headers, response.read().decode())
        finally:
            connection.close()
