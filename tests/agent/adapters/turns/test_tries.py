"""How often and when a turn is tried again."""

from collections.abc import Callable

import pytest

from axhub.agent.adapters.turns.tries import FailedTryError, Patience, RetryingTurns
from axhub.agent.domain.messages import AssistantMessage, ModelTurn, TurnRequest
from axhub.agent.ports.turns import ModelRefusedError, ModelUnavailableError
from support.talks import Clock

pytestmark = [pytest.mark.req("agent/I5")]

REQUEST = TurnRequest("", ())
TURN = ModelTurn(AssistantMessage("Hello"))


class Failing:
    """Fails as it is told, and then answers."""

    def __init__(self, *failures: FailedTryError, says: str = "") -> None:
        self._failures = list(failures)
        self._says = says
        self.is_closed = False

    async def take(self, request: TurnRequest, on_text: Callable[[str], None] | None) -> ModelTurn:
        if on_text is not None and self._says:
            on_text(self._says)
        if self._failures:
            raise self._failures.pop(0)
        return TURN

    async def aclose(self) -> None:
        self.is_closed = True


def passing(retry_after: float | None = None) -> FailedTryError:
    return FailedTryError("HTTP 503", passing=True, retry_after=retry_after)


@pytest.mark.parametrize(
    ("tried", "retry_after", "chance", "expected"),
    [
        (1, None, 0.0, 0.0),
        (1, None, 1.0, 0.5),
        (2, None, 1.0, 1.0),
        (5, None, 1.0, 8.0),
        (9, None, 1.0, 20.0),
        (1, 3.0, 0.0, 3.0),
        (1, 3.0, 0.5, 3.25),
    ],
)
def test_a_pause_is_any_part_of_a_bound_that_doubles(
    tried: int, retry_after: float | None, chance: float, expected: float
) -> None:
    assert Patience(chance=lambda: chance).pause(tried, retry_after) == expected


async def test_it_sleeps_on_the_clock_it_was_given() -> None:
    clock = Clock()
    turns = RetryingTurns(Failing(passing(), passing(2.0)), clock, Patience(3, chance=lambda: 1.0))
    assert await turns.take(REQUEST) == TURN
    assert clock.slept == [0.5, 3.0]


@pytest.mark.parametrize("tries", [1, 2, 4])
async def test_it_is_tried_that_often_and_no_more(tries: int) -> None:
    clock = Clock()
    turns = RetryingTurns(Failing(*[passing()] * 9), clock, Patience(tries, chance=lambda: 0.0))
    with pytest.raises(ModelUnavailableError) as caught:
        await turns.take(REQUEST)
    assert str(caught.value) == f"the model gave no answer: HTTP 503 (tries: {tries})"
    assert len(clock.slept) == tries - 1


async def test_a_refusal_ends_it() -> None:
    turns = RetryingTurns(Failing(FailedTryError("HTTP 400", passing=False)), Clock(), Patience())
    with pytest.raises(ModelRefusedError, match=r"^the model's provider refused the request: HTTP 400$"):
        await turns.take(REQUEST)


async def test_nothing_is_said_twice() -> None:
    heard: list[str] = []
    clock = Clock()
    turns = RetryingTurns(Failing(passing(), says="Hel"), clock, Patience())
    with pytest.raises(ModelUnavailableError):
        await turns.take(REQUEST, heard.append)
    assert heard == ["Hel"]
    assert clock.slept == []


async def test_closing_closes_the_one_below() -> None:
    once = Failing()
    await RetryingTurns(once, Clock(), Patience()).aclose()
    assert once.is_closed
