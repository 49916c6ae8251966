"""Who may do what with which order: asked of the loaded order, each time (seed 000 §VI.1)."""

from typing import Final

from order_service.domain.actor import ActorContext
from order_service.domain.errors import NotAllowedError, OrderNotFoundError
from order_service.domain.order import Order

__all__ = ["SUPPORT", "check_may_change", "check_may_see"]

SUPPORT: Final = "support"
"""The role that serves all customers of its tenant."""


def check_may_see(actor: ActorContext, order: Order | None) -> Order:
    """Return the order if the actor may know of it.

    Raises:
        OrderNotFoundError: there is none, or it is another tenant's or customer's.
    """
    if order is None or order.tenant_id != actor.tenant_id:
        raise OrderNotFoundError
    if order.customer_id != actor.user_id and SUPPORT not in actor.roles:
        raise OrderNotFoundError
    return order


def check_may_change(actor: ActorContext, order: Order | None) -> Order:
    """Return the order if the actor may change it: the customer, and nobody for the customer.

    Raises:
        OrderNotFoundError: as above.
        NotAllowedError: the actor may see it and nothing more.
    """
    found = check_may_see(actor, order)
    if found.customer_id != actor.user_id:
        raise NotAllowedError(found.id)
    return found
