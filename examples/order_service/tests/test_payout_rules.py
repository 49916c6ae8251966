"""What may follow what of a payout, and how long pauses are (agent/I5)."""

import pytest

from order_service.domain.errors import PayoutContradictedError
from order_service.domain.order import Order, OrderStatus
from order_service.domain.payout import NEXT, Payout, PayoutState
from order_service.usecases.patience import LATER, SOON

pytestmark = pytest.mark.req("agent/I5")


def test_nothing_follows_what_is_over_and_every_state_can_end() -> None:
    assert set(NEXT) == set(PayoutState)
    over = {state for state, following in NEXT.items() if not following}
    assert over == {PayoutState.PAID, PayoutState.DECLINED}
    assert [
        state for state, following in NEXT.items() if state not in over and following.isdisjoint({*over, "SENT"})
    ] == []


def test_an_order_goes_back_to_where_it_was_and_its_next_refund_has_another_key() -> None:
    before = Order("ORD-1", "hanbit", "minji", "a keyboard", 89_000, OrderStatus.SHIPPED)
    payout = Payout.of(before)
    assert (payout.key, payout.former, payout.is_new) == ("refund:ORD-1", OrderStatus.SHIPPED, True)
    back = before.refund().take_back_refund(payout.former, "limit")
    assert (back.status, back.version, back.refund_declined, back.refund_key) == (
        *(OrderStatus.SHIPPED, 3, "limit"),
        "refund:ORD-1:2",
    )
    assert back.refund().take_back_refund(OrderStatus.SHIPPED, "limit").refund_key == "refund:ORD-1:3"
    assert back.refund().refund_declined == ""


def test_what_was_never_sent_is_neither_paid_nor_declined() -> None:
    payout = Payout.of(Order("ORD-1", "hanbit", "minji", "a keyboard", 89_000, OrderStatus.PAID))
    with pytest.raises(PayoutContradictedError, match="payout refund:ORD-1 is DUE; it cannot be PAID"):
        payout.paid()
    assert payout.sent().sent().tries == 2
    assert [one.is_over for one in (payout.sent(), payout.sent().paid(), payout.sent().declined("limit"))] == [
        False,
        True,
        True,
    ]


def test_pauses_double_up_to_a_bound_and_half_of_each_is_chance() -> None:
    assert [LATER.pause(tried, 1.0) for tried in (1, 2, 3, 9, 10, 11, 10_000)] == [2, 4, 8, 512, 900, 900, 900]
    assert [LATER.pause(tried, 0.0) for tried in (1, 2, 3, 10_000)] == [1, 2, 4, 450]
    assert [SOON.pause(tried, 0.5) for tried in (1, 2, 3, 4)] == [0.1875, 0.375, 0.75, 0.75]
    assert [SOON.is_over(tried) for tried in (1, 2, 3)] == [False, False, True]
    assert not LATER.is_over(10_000)
