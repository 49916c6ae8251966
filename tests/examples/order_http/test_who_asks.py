"""Nobody is served without a token of the issuer, and nobody learns why."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from order_service.ports.faults import UnavailableError
from support.order_shop import Shop, shop_at
from support.token_keys import claims, ec_key, forged, rsa_key, signed_with_public_key, tampered, token

REFUSED = {
    "type": "urn:order-service:problem:not_authenticated",
    "title": "A valid bearer token is needed.",
    "status": 401,
    "detail": "A valid bearer token is needed.",
}
OPERATIONS = [
    ("GET", "/api/v1/orders"),
    ("POST", "/api/v1/orders/ORD-100/refund"),
    ("POST", "/api/v1/orders/ORD-100/cancel"),
    ("POST", "/api/v1/chat"),
    ("GET", "/api/v1/runs/r"),
    ("GET", "/api/v1/results/r"),
    ("POST", "/api/v1/runs/r/withdraw"),
    ("GET", "/api/v1/conversations/c"),
    ("GET", "/api/v1/approvals"),
    ("POST", "/api/v1/approvals/a/decision"),
    ("GET", "/api/v1/unknown-calls"),
    ("POST", "/api/v1/unknown-calls/a/finding"),
]


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
async def test_every_operation_asks_who_it_is_before_anything_else(shop: Shop, method: str, path: str) -> None:
    answer = await shop.call(method, path)
    assert (answer.status, answer.json) == (401, REFUSED)
    assert answer.headers["www-authenticate"] == 'Bearer realm="orders"'


async def test_no_operation_is_missing_above(shop: Shop) -> None:
    protected = {
        (method.upper(), path)
        for path, operations in shop.document["paths"].items()
        for method, operation in operations.items()
        if operation.get("security") != []
    }
    assert len(protected) == len(OPERATIONS)


async def test_forged_tokens_are_all_refused_alike(shop: Shop) -> None:
    good = shop.token("minji")
    issuer = shop.service.issuer
    assert issuer is not None
    kid = issuer.jwks()["keys"][0]["kid"]
    own: dict[str, Any] = {"iss": issuer.rules.issuer, "aud": issuer.rules.audience}
    forgeries = [
        "",
        "Bearer",
        "Bearer ",
        "Bearer x",
        f"Basic {good}",
        good,
        f"Bearer {good} {good}",
        f"Bearer {tampered(good, sub='sora', tenant='saebyeok')}",
        f"Bearer {tampered(good, roles=['approver'])}",
        f"Bearer {forged({'alg': 'none', 'kid': kid}, claims(**own))}",
        f"Bearer {token(ec_key('forger'), 'ES256', kid, claims(**own))}",
        f"Bearer {token(ec_key('forger'), 'ES256', 'other', claims(**own), jwk={'kty': 'EC'})}",
        f"Bearer {signed_with_public_key(rsa_key('a'), kid)}",
        f"Bearer {shop.token('minji', seconds=-61)}",
    ]
    for one in forgeries:
        answer = await shop.call("GET", "/api/v1/orders", headers={"Authorization": one})
        assert (answer.status, answer.json) == (401, REFUSED), one


async def test_two_authorization_headers_are_none(shop: Shop) -> None:
    good = shop.token("minji").encode()
    reader, writer = await asyncio.open_connection("127.0.0.1", shop.port)
    line = b"Authorization: Bearer %b\r\n" % good
    writer.write(b"GET /api/v1/orders HTTP/1.1\r\nHost: x\r\nConnection: close\r\n%b%b\r\n" % (line, line))
    head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    assert (head.split(b" ")[1], json.loads(body)) == (b"401", REFUSED)


async def test_the_pages_cookie_opens_no_api(shop: Shop) -> None:
    cookie = {"Cookie": f"order-approvals={shop.token('boram')}"}
    assert (await shop.call("GET", "/api/v1/approvals", headers=cookie)).status == 401


async def test_a_token_is_no_query_and_no_form(shop: Shop) -> None:
    assert (await shop.call("GET", f"/api/v1/orders?access_token={shop.token('minji')}")).status == 401


async def test_an_issuer_that_is_away_is_no_refusal(tmp_path: Path) -> None:
    class Away:
        async def actor(self, token: str) -> Any:
            raise UnavailableError

    async with shop_at(tmp_path, lambda services: replace(services, tokens=Away())) as shop:
        assert (await shop.call("GET", "/api/v1/orders", "minji")).problem == (503, "unavailable")
