"""Orders over HTTP: who sees what, and that a request with a key is done once."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from order_service.adapters.http.serving import Services
from order_service.ports.faults import UnavailableError
from order_service.ports.request_keys import KnownKey, SeenKey
from support.order_shop import Shop, shop_at

REFUNDED = {"orderId": "ORD-100", "status": "REFUNDED", "item": "무선 키보드", "total": 89_000}


async def test_everybody_finds_the_own_orders(shop: Shop) -> None:
    async def numbers(who: str, query: str = "") -> list[str]:
        answer = await shop.call("GET", f"/api/v1/orders{query}", who)
        return [one["orderId"] for one in answer.json["orders"]]

    assert await numbers("minji") == ["ORD-102", "ORD-101", "ORD-100"]
    assert await numbers("sora") == ["ORD-200", "ORD-100"]
    assert await numbers("dana") == ["ORD-111", "ORD-110", "ORD-102", "ORD-101", "ORD-100"]
    assert await numbers("minji", "?status=PAID") == ["ORD-100"]
    assert await numbers("minji", "?text=%EB%AA%A8%EB%8B%88%ED%84%B0") == ["ORD-101"]
    assert await numbers("minji", "?limit=1") == ["ORD-102"]
    assert await numbers("boram") == []


@pytest.mark.parametrize(
    "query",
    ["status=paid", "status=PAID&status=PAID", "limit=0", "limit=101", "limit=1.0", "text=", "text=a%00b", "tenant=x"],
)
async def test_a_query_that_nobody_understands_is_refused(shop: Shop, query: str) -> None:
    assert (await shop.call("GET", f"/api/v1/orders?{query}", "minji")).problem == (400, "bad_request")


@pytest.mark.req("agent/I1")
async def test_the_same_request_again_gets_the_first_response(shop: Shop) -> None:
    first = await shop.refund("ORD-100", "key-1")
    again = await shop.refund("ORD-100", "key-1")
    assert (first.status, first.json) == (200, REFUNDED)
    assert (again.status, again.body, again.headers["content-type"]) == (200, first.body, "application/json")


@pytest.mark.req("agent/A2")
async def test_a_second_refund_with_a_new_key_gets_the_first_result(shop: Shop) -> None:
    first = await shop.refund("ORD-100", "key-1")
    other = await shop.refund("ORD-100", "key-2")
    assert (other.status, other.body) == (200, first.body)


@pytest.mark.req("threat/T27", "input/B90")
async def test_a_key_with_another_order_is_refused_and_nothing_happens(shop: Shop) -> None:
    await shop.refund("ORD-100", "key-1")
    assert (await shop.refund("ORD-101", "key-1")).problem == (422, "idempotency_key_reused")
    found = await shop.call("GET", "/api/v1/orders?status=SHIPPED", "minji")
    assert [one["orderId"] for one in found.json["orders"]] == ["ORD-101"]


@pytest.mark.req("threat/T27", "input/B92")
async def test_a_key_belongs_to_one_user_of_one_tenant_and_one_operation(shop: Shop) -> None:
    await shop.refund("ORD-100", "key-1")
    assert (await shop.refund("ORD-110", "key-1", "junho")).json["orderId"] == "ORD-110"
    assert (await shop.refund("ORD-200", "key-1", "sora")).json["orderId"] == "ORD-200"
    cancelled = await shop.call("POST", "/api/v1/orders/ORD-102/cancel", "minji", headers={"Idempotency-Key": "key-1"})
    assert cancelled.problem == (409, "wrong_state")


@pytest.mark.req("agent/I1", "input/B91")
async def test_the_same_request_at_the_same_time_is_told_so(tmp_path: Path) -> None:
    begun, let_go = asyncio.Event(), asyncio.Event()

    def slowly(services: Services) -> Services:
        inner = services.refund

        class Slow:
            outcome = inner.outcome

            async def execute(self, command: object) -> object:
                begun.set()
                await let_go.wait()
                return await inner.execute(command)  # type: ignore[arg-type]  # whatever the adapter sends

        return replace(services, refund=Slow())  # type: ignore[arg-type]  # as above

    async with shop_at(tmp_path, slowly) as shop:
        first = asyncio.create_task(shop.refund("ORD-100", "key-1"))
        await begun.wait()
        second = await shop.refund("ORD-100", "key-1")
        other = await shop.refund("ORD-101", "key-1")
        let_go.set()
        assert second.problem == (409, "request_in_progress")
        assert second.headers["retry-after"] == "1"
        assert other.problem == (422, "idempotency_key_reused")
        assert (await first).json == REFUNDED


@pytest.mark.req("agent/I5")
async def test_a_refund_that_nobody_can_pay_is_taken_back_and_may_be_asked_for_again(shop: Shop) -> None:
    async def order() -> dict[str, object]:
        found = (await shop.call("GET", "/api/v1/orders", "junho")).json["orders"]
        return next(one for one in found if one["orderId"] == "ORD-111")

    before = await order()
    first = await shop.refund("ORD-111", "key-1", "junho")
    assert (first.status, first.json) == (200, {**before, "status": "REFUNDED"})
    while (after := await order())["status"] == "REFUNDED":  # noqa: ASYNC110 -- as a customer who looks again
        await asyncio.sleep(0.02)
    assert after == {**before, "refundDeclined": "account_closed"}
    assert (await shop.refund("ORD-111", "key-1", "junho")).body == first.body
    assert await order() == after
    assert (await shop.refund("ORD-111", "key-2", "junho")).json == first.json


async def test_a_refused_request_gives_its_key_back(shop: Shop) -> None:
    assert (await shop.refund("ORD-102", "key-1")).problem == (409, "wrong_state")
    assert (await shop.refund("ORD-100", "key-1")).json == REFUNDED


async def test_a_done_request_is_told_as_done_though_its_key_cannot_be_kept(tmp_path: Path) -> None:
    class Forgetful:
        async def begin(self, scope: str, key: str, fingerprint: str) -> KnownKey:
            return KnownKey(SeenKey.FIRST)

        async def finish(self, scope: str, key: str, token: str, response: str) -> None:
            raise UnavailableError

        async def forget(self, scope: str, key: str, token: str) -> None:
            raise UnavailableError

    async with shop_at(tmp_path, lambda services: replace(services, request_keys=Forgetful())) as shop:
        assert (await shop.refund("ORD-100", "key-1")).json == REFUNDED
        assert (await shop.refund("ORD-102", "key-2")).problem == (409, "wrong_state")


@pytest.mark.parametrize("key", [None, "", "k" * 256, "two words", "한글".encode().decode("latin-1")])
async def test_a_refund_without_a_key_is_refused(shop: Shop, key: str | None) -> None:
    headers = {} if key is None else {"Idempotency-Key": key}
    for operation in ("refund", "cancel"):
        answer = await shop.call("POST", f"/api/v1/orders/ORD-100/{operation}", "minji", headers=headers)
        assert answer.problem == (400, "idempotency_key_missing")


@pytest.mark.req("agent/A11")
async def test_orders_of_others_are_not_there(shop: Shop) -> None:
    assert (await shop.refund("ORD-110", "k", "minji")).problem == (404, "not_found")
    assert (await shop.refund("ORD-200", "k", "minji")).problem == (404, "not_found")
    assert (await shop.refund("ORD-999", "k", "minji")).problem == (404, "not_found")
    assert (await shop.refund("ORD%00", "k", "minji")).problem == (404, "not_found")
    assert (await shop.refund("ORD-100", "k", "dana")).problem == (403, "not_allowed")


async def test_no_answer_about_others_tells_more_than_another(shop: Shop) -> None:
    theirs, none = await shop.refund("ORD-110", "a"), await shop.refund("ORD-999", "b")
    assert theirs.body == none.body


@pytest.mark.parametrize(
    ("body", "media", "problem"),
    [
        (b'{"amount":1}', "application/json", (400, "bad_request")),
        (b"[]", "application/json", (400, "bad_request")),
        (b"null", "application/json", (400, "bad_request")),
        (b"{", "application/json", (400, "bad_request")),
        (b"\xff", "application/json", (400, "bad_request")),
        (b'{"a":' * 30_000, "application/json", (413, "body_too_large")),
        (b'{"a":' * 10_000, "application/json", (400, "bad_request")),
        (b"{}", "text/plain", (415, "media_type")),
        (b"a=b", "application/x-www-form-urlencoded", (415, "media_type")),
        (b" " * 65_537, "application/json", (413, "body_too_large")),
    ],
)
async def test_a_body_that_says_anything_is_refused(
    shop: Shop, body: bytes, media: str, problem: tuple[int, str]
) -> None:
    headers = {"Idempotency-Key": "k", "Content-Type": media}
    assert (await shop.call("POST", "/api/v1/orders/ORD-100/refund", "minji", body, headers)).problem == problem
    found = await shop.call("GET", "/api/v1/orders?status=PAID", "minji")
    assert [one["orderId"] for one in found.json["orders"]] == ["ORD-100"]


async def test_an_empty_object_is_no_body(shop: Shop) -> None:
    headers = {"Idempotency-Key": "k"}
    answer = await shop.call("POST", "/api/v1/orders/ORD-100/cancel", "minji", b"{}", headers)
    assert answer.json == {**REFUNDED, "status": "CANCELLED"}


async def test_a_fault_tells_a_reference_and_nothing_else(tmp_path: Path) -> None:
    noted: list[tuple[str, BaseException]] = []

    class Broken:
        async def execute(self, query: object) -> object:
            raise RuntimeError("password=hunter2 at /srv/app.py")

    def broken(services: Services) -> Services:
        return replace(services, search=Broken(), fault=lambda *told: noted.append(told))  # type: ignore[arg-type]  # breaks whatever comes

    async with shop_at(tmp_path, broken) as shop:
        shop.document = {}
        answer = await shop.call("GET", "/api/v1/orders", "minji")
    reference, error = noted[0]
    assert str(error) == "password=hunter2 at /srv/app.py"
    assert answer.status == 500
    assert answer.json == {
        "type": "urn:order-service:problem:fault",
        "title": "Something is wrong on our side.",
        "status": 500,
        "detail": "Something is wrong on our side.",
        "instance": f"urn:order-service:fault:{reference}",
    }


async def test_a_service_without_its_database_says_when_to_come_back(tmp_path: Path) -> None:
    class Away:
        async def execute(self, query: object) -> object:
            raise UnavailableError

    async def not_ready() -> bool:
        return False

    def away(services: Services) -> Services:
        return replace(services, search=Away(), is_ready=not_ready)  # type: ignore[arg-type]  # is away for all

    async with shop_at(tmp_path, away) as shop:
        for path in ("/api/v1/orders", "/health/ready"):
            answer = await shop.call("GET", path, "minji")
            assert (answer.problem, answer.headers["retry-after"]) == ((503, "unavailable"), "2")
        assert (await shop.call("GET", "/health/live")).json == {"status": "UP"}


async def test_problems_are_told_in_the_language_that_is_asked_for(shop: Shop) -> None:
    async def title(languages: str) -> tuple[str, str]:
        answer = await shop.call("GET", "/api/v1/orders/x", headers={"Accept-Language": languages})
        return answer.headers["content-language"], answer.json["title"]

    english, korean = ("en", "There is no such thing here."), ("ko", "해당하는 항목이 없습니다.")
    assert await title("ko-KR,ko;q=0.9,en;q=0.8") == korean
    assert await title("en;q=0.2,ko;q=0.3") == korean
    assert await title("fr,*") == english
    assert await title("ko;q=0,en;q=x") == english


async def test_a_path_that_is_not_there_and_a_method_that_does_not_fit(shop: Shop) -> None:
    assert (await shop.call("GET", "/api/v1/secrets", "minji")).problem == (404, "not_found")
    assert (await shop.call("GET", "/api/v1/orders/", "minji")).problem == (404, "not_found")
    shop.document = {}
    wrong = await shop.call("DELETE", "/api/v1/orders", "minji")
    assert (wrong.problem, wrong.headers["allow"]) == ((405, "method_not_allowed"), "GET, HEAD")


async def test_answers_are_not_kept_by_anybody_on_the_way(shop: Shop) -> None:
    answer = await shop.call("GET", "/api/v1/orders", "minji")
    assert (answer.headers["cache-control"], answer.headers["x-content-type-options"]) == ("no-store", "nosniff")
