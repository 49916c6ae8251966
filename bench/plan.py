"""What a run does: its cases, how long, how often; and the figures that it is held against."""

from typing import NamedTuple

from bench.service_suts import BARE, SDK_TOOL, TOOLKIT
from bench.suts import NGINX, OURS, OURS_MODERN, SDK_AIOHTTP, SDK_HTTPX


class Case(NamedTuple):
    """One kind of request at one number of connections, with a catalogue of that many tools."""

    kind: str
    """`call` or `list` of a gateway, `mcp`: a call of one before an MCP server, `service`: of a Tool Service."""
    tools: int
    connections: int

    @property
    def name(self) -> str:
        """How tables and files name it."""
        listing = f"tools/list of {self.tools}"
        what = {"call": "tools/call", "mcp": "MCP call", "service": "Tool Service call"}.get(self.kind, listing)
        return f"{what} @{self.connections}"

    @property
    def ours(self) -> tuple[str, ...]:
        """Which of its contestants are ours."""
        return (TOOLKIT,) if self.kind == "service" else (OURS, OURS_MODERN)


CALL_1, CALL_16, CALL_64 = Case("call", 50, 1), Case("call", 50, 16), Case("call", 50, 64)
LIST_50_1, LIST_50_16 = Case("list", 50, 1), Case("list", 50, 16)
SERVICE_16 = Case("service", 1, 16)
MCP_1, MCP_4 = Case("mcp", 50, 1), Case("mcp", 50, 4)
LIST_200_1, LIST_200_16 = Case("list", 200, 1), Case("list", 200, 16)


class Plan(NamedTuple):
    """The extent of a run; seconds are whole ones."""

    cases: tuple[Case, ...]
    rounds: int
    seconds: int
    warm_up: int
    memory_seconds: int
    """How long our gateway is loaded before its memory is read; 0: not at all."""
    checks: int
    """How often `axhub check` is timed; 0: not at all."""
    telegrams: int
    """Rounds of the codec of telegrams; 0: it is not run."""
    agents: int
    """Rounds of the agents; 0: they are not run."""
    everywhere: tuple[str, ...]
    """Who takes part in every case; the others only in the calls at 16 connections."""

    def takes_part(self, name: str, case: Case) -> bool:
        """Tell whether a contestant is measured on a case."""
        return name in self.everywhere or case.kind == "mcp" or case in {CALL_16, SERVICE_16}

    def of_the_toolkit(self) -> "Plan":
        """Return the part of it that measures the toolkit."""
        return self._replace(cases=(SERVICE_16,), memory_seconds=0, agents=0)

    def of_mcp(self) -> "Plan":
        """Return the part of it that measures a gateway before an MCP server."""
        return self._replace(cases=(MCP_1, MCP_4), memory_seconds=0, checks=0, telegrams=0, agents=0)


EVERYONE = (NGINX, OURS, OURS_MODERN, SDK_HTTPX, SDK_AIOHTTP)
FULL = Plan(
    cases=(CALL_16, CALL_1, CALL_64, LIST_50_16, LIST_50_1, LIST_200_16, LIST_200_1, SERVICE_16, MCP_1, MCP_4),
    rounds=7,
    seconds=2,
    warm_up=1,
    memory_seconds=60,
    checks=5,
    telegrams=15,
    agents=9,
    everywhere=EVERYONE,
)
QUICK = Plan(
    cases=(CALL_16, CALL_1, LIST_50_16, LIST_200_16, SERVICE_16, MCP_1, MCP_4),
    rounds=3,
    seconds=1,
    warm_up=1,
    memory_seconds=5,
    checks=2,
    telegrams=5,
    agents=7,
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
    _speed(SERVICE_16, BARE, 0.5, 0.8),
    _speed(SERVICE_16, SDK_TOOL, 3, 6),
)
LATENCY = Goal("p50 of tools/call @1 above nginx", 45, 25, "us", more=False)
MCP_CPU = Goal("CPU of the middle for an MCP call @4, against fastmcp's proxy", 300, 600, "x")
MCP_LATENCY = Goal("p50 of an MCP call @1 above that without a middle", 1000, 300, "us", more=False)
CHECK = Goal("axhub check of a hundred tools", 5, 3, "s", more=False)
MEMORY = Goal("memory after a minute of load", 40, 30, "MB", more=False)
DECODE = Goal("decode of a telegram of 175 bytes", 20, 8, "us", more=False)
ENCODE = Goal("encode of a telegram of 175 bytes", 20, 8, "us", more=False)
FASTER = Goal("", 1, 2, "x")
TURN = Goal("CPU of a turn with a tool", 6, 3, "ms", more=False)
TRANSACTIONS = Goal("transactions of a turn", 4, 3, "", more=False)
DECISION = Goal("a decision with 10,000 waiting to one with none", 1.5, 1.1, "x", more=False)
GOING_ON = Goal("a decided run that goes on, likewise", 1.5, 1.1, "x", more=False)
FLAT = Goal("memory gained", 2, 0.5, "MB", more=False)
READS = Goal("reads a call", 2, 2, "", more=False)
WRITES = Goal("writes a call", 2, 2, "", more=False)
