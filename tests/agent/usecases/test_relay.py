"""Events leave at least once, in order, and never for ever in vain (agent/I4)."""

from typing import Final

import pytest

from axhub.agent.ports.events import Event, OutboxItem
from axhub.agent.testing import NumberedIds, RecordingObserver
from axhub.agent.usecases.relay import Relay


class Outbox:
    """Gives out what is due, and keeps what it is told."""

    def __init__(self, *items: OutboxItem) -> None:
        self.items = items
        self.told: Final[list[tuple[str, float | str | None]]] = []

    async def claim(self, most: int, lease_seconds: float) -> tuple[OutboxItem, ...]:
        return self.items[:most]

    async def published(self, event_id: str) -> None:
        self.told.append((event_id, "published"))

    async def failed(self, event_id: str, retry_in: float | None) -> None:
        self.told.append((event_id, retry_in))

    async def lag_seconds(self) -> float:
        return 0.0


class Broker:
    """Takes all events but those of one type."""

    def __init__(self) -> None:
        self.events: Final[list[str]] = []

    async def publish(self, event: Event) -> None:
        if event.type == "bad":
            raise ConnectionError("away")
        self.events.append(event.id)


def item(id_: str, attempts: int = 1, kind: str = "good") -> OutboxItem:
    return OutboxItem(Event(id_, f"order-{id_}", kind, {}), attempts)


def relay(outbox: Outbox, broker: Broker, chance: float = 0.0) -> tuple[Relay, RecordingObserver]:
    observer = RecordingObserver()
    made = Relay(outbox=outbox, publisher=broker, ids=NumberedIds(), observer=observer, chance=lambda: chance)
    return made, observer


@pytest.mark.req("agent/I4")
async def test_an_event_that_cannot_leave_keeps_no_other_waiting() -> None:
    outbox, broker = Outbox(item("1"), item("2", kind="bad"), item("3")), Broker()
    one, observer = relay(outbox, broker)
    assert await one.once() == 2
    assert broker.events == ["1", "3"]
    assert outbox.told == [("1", "published"), ("2", 1.0), ("3", "published")]
    assert [str(error) for error in observer.faults.values()] == ["away"]


@pytest.mark.req("agent/I4")
@pytest.mark.parametrize(
    ("attempts", "chance", "pause"),
    [(1, 0.0, 1.0), (1, 1.0, 2.0), (3, 0.5, 6.0), (10, 1.0, 900.0), (11, 0.0, 450.0), (12, 0.0, None), (40, 0.0, None)],
)
async def test_pauses_grow_are_spread_by_chance_and_end(attempts: int, chance: float, pause: float | None) -> None:
    outbox = Outbox(item("1", attempts, "bad"))
    one, _ = relay(outbox, Broker(), chance)
    assert await one.once() == 0
    assert outbox.told == [("1", pause)]
