"""Why something about an order cannot be done. Each adapter says it in its own protocol, under the same code."""

from typing import ClassVar

__all__ = [
    "ConflictError",
    "NotAllowedError",
    "OrderError",
    "OrderNotFoundError",
    "PayoutContradictedError",
    "WrongStateError",
]


class OrderError(Exception):
    """The base of them."""

    code: ClassVar[str]
    """The same word over REST, in small letters, and for models (agent/A11)."""


class OrderNotFoundError(OrderError):
    """There is no such order, or it is another customer's or tenant's: nobody learns which."""

    code = "NOT_FOUND"


class ConflictError(OrderError):
    """Somebody else changed the order at the same moment; nothing has changed here, and trying again is safe."""

    code = "CONFLICT"


class NotAllowedError(OrderError):
    """The actor may not do this with this order."""

    code = "NOT_ALLOWED"


class WrongStateError(OrderError):
    """The order is in no state in which this can be done."""

    code = "WRONG_STATE"

    def __init__(self, order_id: str, state: str, wanted: str) -> None:
        super().__init__(f"order {order_id} is {state}; it cannot be {wanted}")
        self.order_id = order_id
        self.state = state
        self.wanted = wanted


class PayoutContradictedError(Exception):
    """What is said of a payout cannot follow what is known of it; nothing has changed, and a person has to look."""

    def __init__(self, key: str, state: str, wanted: str) -> None:
        super().__init__(f"payout {key} is {state}; it cannot be {wanted}")
