"""What a run does: its cases, how long, how often; and the figures that it is held against."""

from typing import NamedTuple

from bench.suts import NGINX, OURS, OURS_MODERN, SDK_AIOHTTP, SDK_HTTPX


class Case(NamedTuple):
    """One kind of request at one number of connections, with a catalogue of that many tools."""

    kind: str
    """`call` or `list`."""
    tools: int
    connections: int

    @property
    def name(self) -> str:
        """How tables and files name it."""
        what = "tools/call" if self.kind == "call" else f"tools/list of {self.tools}"
        return f"{what} @{self.connections}"


CALL_1, CALL_16, CALL_64 = Case("call", 50, 1), Case("call", 50, 16), Case("call", 50, 64)
LIST_50_1, LIST_50_16 = Case("list", 50, 1), Case("list", 50, 16)
LIST_200_1, LIST_200_16 = Case("list", 200, 1), Case("list", 200, 16)


class Plan(NamedTuple):
    """The extent of a run; seconds are whole ones."""

    cases: tuple[Case, ...]
    rounds: int
    seconds: int
    warm_up: int
    memory_seconds: int
    everywhere: tuple[str, ...]
    """Who takes part in every case; the others only in `tools/call @16`."""

    def takes_part(self, name: str, case: Case) -> bool:
        """Tell whether a contestant is measured on a case."""
        return name in self.everywhere or case == CALL_16


EVERYONE = (NGINX, OURS, OURS_MODERN, SDK_HTTPX, SDK_AIOHTTP)
FULL = Plan(
    cases=(CALL_16, CALL_1, CALL_64, LIST_50_16, LIST_50_1, LIST_200_16, LIST_200_1),
    rounds=7,
    seconds=2,
    warm_up=1,
    memory_seconds=60,
    everywhere=EVERYONE,
)
QUICK = Plan(
    cases=(CALL_16, CALL_1, LIST_50_16, LIST_200_16),
    rounds=3,
    seconds=1,
    warm_up=1,
    memory_seconds=5,
    everywhere=(NGINX, OURS, OURS_MODERN),
)


class Goal(NamedTuple):
    """One figure to reach and the one to aim at; `more` tells whether more is better."""

    name: str
    reach: float
    aim: float
    unit: str
    more: bool = True

    def reached(self, value: float) -> bool:
        """Tell whether a measured value is good enough."""
        return value >= self.reach if self.more else value <= self.reach

    def aimed(self, value: float) -> bool:
        """Tell whether it is as good as we want it."""
        return value >= self.aim if self.more else value <= self.aim


class SpeedGoal(NamedTuple):
    """A goal that is the ratio of our speed to another's on one case, by CPU time per request."""

    case: Case
    other: str
    goal: Goal


def _speed(case: Case, other: str, reach: float, aim: float) -> SpeedGoal:
    return SpeedGoal(case, other, Goal(f"{case.name} against {other}", reach, aim, "x"))


SPEED_GOALS = (
    _speed(CALL_16, NGINX, 0.40, 0.60),
    _speed(CALL_16, SDK_HTTPX, 60, 120),
    _speed(CALL_16, SDK_AIOHTTP, 25, 40),
    _speed(LIST_50_16, NGINX, 0.85, 1.0),
    _speed(LIST_200_16, NGINX, 1.0, 1.3),
)
LATENCY = Goal("p50 of tools/call @1 above nginx", 45, 25, "us", more=False)
MEMORY = Goal("memory after a minute of load", 40, 30, "MB", more=False)
READS = Goal("reads a call", 2, 2, "", more=False)
WRITES = Goal("writes a call", 2, 2, "", more=False)
