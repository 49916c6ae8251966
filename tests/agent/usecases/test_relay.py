"""Events leave at least once, in order, and never for ever in vain (agent/I4)."""

import asyncio
from collections.abc import Sequence
from typing import Final

import pytest

from axhub.agent.ports.effects import Noted
from axhub.agent.ports.events import Event, OutboxItem, Publisher
from axhub.agent.testing import FixedClock, NumberedIds, RecordingObserver
from axhub.agent.usecases.relay import Relay


class Outbox:
    """Gives out what is due, and keeps what it is told."""

    def __init__(self, *items: OutboxItem) -> None:
        self.items = items
        self.told: Final[list[tuple[str, float | str | None]]] = []
        self.lag = 0.0

    async def claim(self, most: int, lease_seconds: float) -> tuple[OutboxItem, ...]:
        return self.items[:most]

    async def published(self, event_id: str) -> None:
        self.told.append((event_id, "published"))

    async def failed(self, event_id: str, retry_in: float | None) -> None:
        self.told.append((event_id, retry_in))

    async def give_back(self, items: Sequence[OutboxItem]) -> None:
        self.told.extend((one.event.id, "given back") for one in items)

    async def lag_seconds(self) -> float:
        return self.lag


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


def relay(
    outbox: Outbox, broker: Publisher, chance: float = 0.0, clock: FixedClock | None = None, **more: float
) -> tuple[Relay, RecordingObserver]:
    observer = RecordingObserver()
    made = Relay(
        outbox=outbox,
        publisher=broker,
        clock=clock or FixedClock(),
        ids=NumberedIds(),
        observer=observer,
        chance=lambda: chance,
        **more,
    )
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


@pytest.mark.req("agent/I4", "agent/I5")
async def test_a_publisher_that_hangs_is_cut_off_and_its_event_is_tried_again() -> None:
    class Hangs(Broker):
        async def publish(self, event: Event) -> None:
            if event.type == "bad":
                await asyncio.Event().wait()
            await super().publish(event)

    outbox, broker = Outbox(item("1", kind="bad"), item("2")), Hangs()
    one, observer = relay(outbox, broker, publish_seconds=0.05)
    async with asyncio.timeout(10):
        assert await one.once() == 1
    assert outbox.told == [("1", 1.0), ("2", "published")]
    assert [type(error) for error in observer.faults.values()] == [TimeoutError]


@pytest.mark.req("agent/I4")
async def test_what_has_not_left_when_the_lease_is_nearly_over_goes_back() -> None:
    clock = FixedClock()

    class Slow(Broker):
        async def publish(self, event: Event) -> None:
            clock.advance(9)
            await super().publish(event)

    outbox, broker = Outbox(*(item(str(number)) for number in range(5))), Slow()
    one, _ = relay(outbox, broker, clock=clock)
    assert await one.once() == 3
    assert outbox.told == [
        ("0", "published"),
        ("1", "published"),
        ("2", "published"),
        ("3", "given back"),
        ("4", "given back"),
    ], "at 27 s of 30 another 10 s would be too much"


@pytest.mark.parametrize("seconds", [0.0, -1.0, 15.1, float("nan")])
def test_a_time_that_no_lease_covers_is_refused(seconds: float) -> None:
    with pytest.raises(ValueError, match="publish_seconds"):
        relay(Outbox(), Broker(), publish_seconds=seconds)


@pytest.mark.req("agent/I4")
async def test_a_dead_event_is_told() -> None:
    one, observer = relay(Outbox(item("1", 12, "bad")), Broker())
    await one.once()
    assert observer.notes == [(Noted.EVENT_DEAD, {"event": "1", "type": "bad", "attempts": 12})]


@pytest.mark.req("agent/I4")
async def test_how_far_events_are_behind_is_told_while_it_is_much_and_once_when_it_is_not() -> None:
    clock, outbox = FixedClock(), Outbox()
    one, observer = relay(outbox, Broker(), clock=clock)
    for lag in (0.0, 29.9, 61.04, 90.0, 0.0, 0.0):
        outbox.lag = lag
        for _ in range(10):
            await one.once()
        clock.advance(30)
    assert observer.notes == [(Noted.EVENTS_BEHIND, {"seconds": lag}) for lag in (61.0, 90.0, 0.0)]
