"""Every provider behind the port gives the same promises, and one outside may do what it likes (agent/I5)."""

import socket
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Final

import pytest

from order_service.adapters.payments.http import HttpPayments
from order_service.adapters.payments.in_process import DECLINED_AMOUNT, InProcessPayments
from order_service.ports.payments import Declined, NothingKnown, NotSent, PaidOut, Payment, Payments, Unknown
from order_service.testing import provider as troubles
from order_service.testing.provider import Provider, Trouble, provider

pytestmark = pytest.mark.req("agent/I5")

ONE: Final = Payment(key="hanbit:refund:ORD-100", payee="minji", amount=89_000)
OTHER: Final = Payment(key="한빛/?#%:refund:ORD-100:2", payee="민지", amount=1)
NEVER: Final = Payment(key="hanbit:refund:ORD-111", payee="junho", amount=DECLINED_AMOUNT)


@dataclass(frozen=True)
class Kind:
    """A provider, and what to look into it with."""

    payments: Payments
    outside: Provider | None = None

    @property
    def paid(self) -> list[tuple[str, int]]:
        """Return what was paid."""
        if isinstance(self.payments, InProcessPayments):
            return [(one.key, one.amount) for one in self.payments.payments]
        assert self.outside is not None
        return list(self.outside.paid.items())


@pytest.fixture
async def outside() -> AsyncIterator[Provider]:
    async with provider() as made:
        made.declines = lambda key: "account_closed" if key == NEVER.key else None
        yield made


@pytest.fixture(params=["in_process", "http"])
def kind(request: pytest.FixtureRequest, outside: Provider) -> Kind:
    if request.param == "in_process":
        return Kind(InProcessPayments())
    return Kind(HttpPayments(outside.url), outside)


async def test_of_all_requests_with_one_key_one_is_paid(kind: Kind) -> None:
    assert [await kind.payments.pay_out(ONE) for _ in range(3)] == [PaidOut()] * 3
    assert await kind.payments.pay_out(OTHER) == PaidOut()
    assert kind.paid == [(ONE.key, 89_000), (OTHER.key, 1)]


async def test_what_was_declined_stays_so_and_nothing_is_paid(kind: Kind) -> None:
    assert [await kind.payments.pay_out(NEVER) for _ in range(2)] == [Declined("account_closed")] * 2
    assert await kind.payments.find(NEVER.key) == Declined("account_closed")
    assert kind.paid == []


async def test_asking_tells_what_became_of_a_key_and_changes_nothing(kind: Kind) -> None:
    for one in (ONE, OTHER):
        assert await kind.payments.find(one.key) == NothingKnown()
        assert await kind.payments.pay_out(one) == PaidOut()
        assert await kind.payments.find(one.key) == PaidOut()
    assert kind.paid == [(ONE.key, 89_000), (OTHER.key, 1)]


async def test_a_provider_that_nobody_reaches_was_sent_nothing() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    for url in (f"http://127.0.0.1:{port}", f"https://127.0.0.1:{port}"):
        payments = HttpPayments(url, seconds=30.0, connect_seconds=20.0)
        assert isinstance(await payments.pay_out(ONE), NotSent)
        assert isinstance(await payments.find(ONE.key), Unknown)


async def test_a_provider_that_accepts_no_connection_in_time_was_sent_nothing() -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=0) as full:
        address = full.getsockname()
        with socket.create_connection(address):  # which fills its queue
            sent = await HttpPayments(f"http://127.0.0.1:{address[1]}", connect_seconds=0.2).pay_out(ONE)
    assert sent == NotSent("ConnectionTimeoutError")


async def test_a_provider_that_speaks_no_tls_was_sent_nothing(outside: Provider) -> None:
    assert isinstance(
        await HttpPayments(outside.url.replace("http:", "https:"), connect_seconds=0.5).pay_out(ONE), NotSent
    )
    assert outside.requests == []


@pytest.mark.parametrize(
    ("trouble", "why"),
    [
        (troubles.SILENT, "TimeoutError"),
        (troubles.RESET, "ClientOSError"),
        (troubles.FAILED, "HTTP 503"),
        (troubles.REDIRECTED, "HTTP 307"),
        (troubles.DONE_AND_SILENT, "TimeoutError"),
        (troubles.DONE_AND_RESET, "ClientOSError"),
        (troubles.DONE_AND_FAILED, "HTTP 500"),
        (troubles.GARBAGE, "the answer says neither paid nor declined"),
        (troubles.PENDING, "the answer says neither paid nor declined"),
        (troubles.TOO_LONG, "the answer says neither paid nor declined"),
    ],
)
async def test_where_it_may_have_happened_that_is_said_and_nothing_is_sent_again(
    outside: Provider, trouble: Trouble, why: str
) -> None:
    payments = HttpPayments(outside.url, seconds=0.5 if why == "TimeoutError" else 20.0)
    outside.troubles.append(trouble)
    assert await payments.pay_out(ONE) == Unknown(why)
    assert outside.requests == [("POST", ONE.key)]
    assert await HttpPayments(outside.url).find(ONE.key) == (PaidOut() if trouble.is_done else NothingKnown())


@pytest.mark.parametrize("trouble", [troubles.SILENT, troubles.FAILED, troubles.GARBAGE, troubles.PENDING])
async def test_a_question_that_is_not_answered_leaves_it_unknown(outside: Provider, trouble: Trouble) -> None:
    await HttpPayments(outside.url).pay_out(ONE)
    outside.troubles.append(trouble)
    assert isinstance(await HttpPayments(outside.url, seconds=0.5).find(ONE.key), Unknown)


async def test_a_provider_that_takes_no_more_for_now_has_done_nothing(outside: Provider) -> None:
    outside.troubles.append(troubles.BUSY)
    assert await HttpPayments(outside.url).pay_out(ONE) == NotSent("HTTP 429")
    assert outside.paid == {}


async def test_of_two_answers_the_first_counts_and_the_other_is_nobodys(outside: Provider) -> None:
    outside.troubles.append(troubles.DONE_AND_TOLD_TWICE)
    payments = HttpPayments(outside.url)
    assert await payments.pay_out(ONE) == PaidOut()
    assert await payments.pay_out(OTHER) == PaidOut()
    assert await payments.find(ONE.key) == PaidOut()


@pytest.mark.parametrize("reason", ["Account of Minji Kim closed!", "", "x" * 33, "<b>", "a\nb"])
async def test_a_text_of_the_provider_is_no_reason(outside: Provider, reason: str) -> None:
    outside.declines = lambda _key: reason
    assert await HttpPayments(outside.url).pay_out(ONE) == Declined("other")


async def test_the_provider_is_told_the_key_the_service_is_known_by(outside: Provider) -> None:
    await HttpPayments(f"{outside.url}/", "a secret").pay_out(ONE)
    await HttpPayments(outside.url).pay_out(ONE)
    assert [b"Authorization: Bearer a secret" in head for head in outside.headers] == [True, False]
    assert "a secret" not in repr(outside.requests)
