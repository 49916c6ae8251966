"""The order service as its clients see it: over a socket, with tokens, each answer held against its document."""

import asyncio
import http.client
import json
import re
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import jsonschema_rs
from sqlalchemy import update
from sqlalchemy.engine import Connection
from starlette.applications import Starlette

from axhub.agent.adapters.sql import tables
from axhub.agent.adapters.sql.database import Database
from order_service.adapters.http.app import HttpSettings, Services, build_http
from order_service.config import LOCAL, read_settings
from order_service.main import OrderService, build
from support.asgi_server import on_loopback
from support.order_databases import order_database

PEOPLE: Final[Mapping[str, tuple[str, str, tuple[str, ...]]]] = {
    "minji": ("minji", "hanbit", ()),
    "junho": ("junho", "hanbit", ()),
    "sora": ("sora", "saebyeok", ()),
    "boram": ("boram", "hanbit", ("approver",)),
    "haneul": ("haneul", "saebyeok", ("approver",)),
    "dana": ("dana", "hanbit", ("support",)),
    "minji the approver": ("minji", "hanbit", ("approver",)),
}
PATIENCE_SECONDS: Final = 20
_LATER: Final = 9_000_000_000_000


@dataclass(frozen=True)
class Answer:
    """One answer as it came."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def problem(self) -> tuple[int, str]:
        """Status and the last word of the type."""
        return self.status, self.json["type"].rpartition(":")[2]

    @property
    def events(self) -> list[tuple[str, Any]]:
        """The events of a stream."""
        found = re.findall(r"event: (\w+)\ndata: (.*)\n\n", self.text)
        return [(name, json.loads(data)) for name, data in found]


@dataclass
class Shop:
    """A served order service."""

    port: int
    service: OrderService
    document: Mapping[str, Any] = field(default_factory=dict)
    seen: set[tuple[str, str, int]] = field(default_factory=set)
    """Path, method and status of answers that the document was asked about."""

    def token(self, who: str, **said: Any) -> str:
        assert self.service.issuer is not None
        user, tenant, roles = PEOPLE[who]
        return self.service.issuer.token(user, tenant, roles, **said)

    async def call(
        self,
        method: str,
        path: str,
        who: str | None = None,
        body: object = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Send one request; `who` is somebody of `PEOPLE`, or a header value; bytes are sent as they are."""
        sent = dict(headers or {})
        if who is not None:
            sent.setdefault("Authorization", f"Bearer {self.token(who)}" if who in PEOPLE else who)
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
        if body is not None:
            sent.setdefault("Content-Type", "application/json")
        answer = await asyncio.to_thread(_exchange, self.port, method, path, body, sent)
        self._hold_against_document(method, path, answer)
        return answer

    async def refund(self, order: str, key: str, who: str = "minji") -> Answer:
        return await self.call("POST", f"/api/v1/orders/{order}/refund", who, headers={"Idempotency-Key": key})

    async def chat(self, message: str, who: str = "minji", **more: object) -> Answer:
        return await self.call("POST", "/api/v1/chat", who, {"message": message, **more})

    async def decide(self, approval: str, decision: str, who: str = "boram", **more: object) -> Answer:
        return await self.call("POST", f"/api/v1/approvals/{approval}/decision", who, {"decision": decision, **more})

    async def lost(self, who: str = "minji", order: str = "ORD-100") -> str:
        """Let a refund be of unknown outcome, and nobody look at it soon; return its id."""
        approval: str = (await self.chat(f"{order} 환불해 주세요", who)).json["approvals"][0]["id"]
        values = {"state": "UNKNOWN", "business_key": approval, "looked_at": _LATER}
        changed = update(tables.call).where(tables.call.c.id == approval).values(**values)
        decided = update(tables.approval).where(tables.approval.c.call_id == approval).values(is_open=False)

        def work(connection: Connection) -> tuple[int, int]:
            return connection.execute(changed).rowcount, connection.execute(decided).rowcount

        assert await self.service.database.write(work) == (1, 1)
        return approval

    async def ended(self, run: str, who: str = "minji") -> Any:
        """Return the last state of a run."""
        found: Any = {"status": "running"}
        while found["status"] == "running":
            found = (await self.call("GET", f"/api/v1/runs/{run}?wait=5", who)).json
        return found

    def _hold_against_document(self, method: str, path: str, answer: Answer) -> None:
        found = next((one for one in self.document.get("paths", {}) if _pattern(one).fullmatch(path)), None)
        operation = self.document["paths"][found].get(method.lower()) if found else None
        if found is None or operation is None:
            return
        described = operation["responses"].get(str(answer.status))
        assert described is not None, f"{method} {found} answers {answer.status}, which its document does not say"
        media = (answer.headers["content-type"] or "").partition(";")[0]
        assert media in described["content"], f"{method} {found} {answer.status} comes as {media}"
        self.seen.add((found, method, answer.status))
        if media != "text/event-stream":
            schema = {**described["content"][media]["schema"], "components": self.document["components"]}
            jsonschema_rs.validate(schema, answer.json)


def _pattern(path: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\{\w+\}", "[^/?]+", path) + r"(\?.*)?")


def _exchange(port: int, method: str, path: str, body: object, headers: Mapping[str, str]) -> Answer:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)
    try:
        connection.request(method, path, body, dict(headers))  # type: ignore[arg-type]  # bytes, None or an iterator
        response = connection.getresponse()
        return Answer(response.status, response.headers, response.read())
    finally:
        connection.close()


@asynccontextmanager
async def shop_at(
    folder: Path, change: Callable[[Services], Services] | None = None, kind: str = "sqlite", **settings: Any
) -> AsyncIterator[Shop]:
    """Serve the service as `main` builds it for a developer's machine, on a database of its own.

    Args:
        folder: for the database.
        change: puts something else behind the HTTP adapter.
        kind: of the database.
        settings: of the HTTP adapter.
    """
    async with order_database(kind, folder) as url:
        configured = read_settings({"ORDER_SERVICE_DATABASE_URL": url}, LOCAL)
        service = build(configured, database=Database(url, patience_seconds=20))
        if change is not None:
            service = replace(service, services=change(service.services))
        async with on_loopback(_app(service, settings)) as port:
            shop = Shop(port, service)
            shop.document = (await shop.call("GET", "/openapi.json")).json
            yield shop


def _app(service: OrderService, settings: Mapping[str, Any]) -> Starlette:
    @asynccontextmanager
    async def lifespan(_app: object) -> AsyncIterator[None]:
        async with service.running():
            yield

    own = HttpSettings(**{"poll_seconds": 0.02, "is_secure": False, **settings})
    return build_http(service.services, own, lifespan)
