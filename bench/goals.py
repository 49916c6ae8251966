"""Holds the rounds of a run against the goals of speed and latency; memory and system calls have runs of their own.

Figures count only if every round of both sides was free of errors: a refusal or a wrong answer is cheaper than a right
one, so a system that fails would look fast.
"""

from collections.abc import Mapping

from bench.compare import Rounds, added_latency, errors_of, speed_by_cpu
from bench.inputs import MODERN
from bench.mcp_suts import PEERS_OF
from bench.plan import CALL_1, LATENCY, MCP_1, MCP_4, MCP_CPU, MCP_LATENCY, SPEED_GOALS, Case, Goal
from bench.report import Measured
from bench.suts import NGINX, OURS_MODERN


def speeds(results: Mapping[Case, Rounds]) -> list[Measured]:
    """Return each goal of the cases that were run with what was measured of it, the gateway's on both wires."""
    measured = []
    for case, other, goal in SPEED_GOALS:
        rounds = results.get(case, {})
        for ours in case.ours if case in results else ():
            ratio = speed_by_cpu(rounds.get(ours, []), rounds.get(other, []))
            measured.append(_judged(goal, ours, other, rounds, ratio.median if ratio else None))
    rounds = results.get(CALL_1, {})
    for ours in CALL_1.ours if CALL_1 in results else ():
        added = added_latency(rounds.get(ours, []), rounds.get(NGINX, []))
        measured.append(_judged(LATENCY, ours, NGINX, rounds, added))
    return measured + _before_mcp(results)


def _before_mcp(results: Mapping[Case, Rounds]) -> list[Measured]:
    """Hold us against fastmcp's proxy and against nothing in the middle, each on the same wire."""
    measured = []
    for ours, (proxy, direct) in PEERS_OF.items():
        if MCP_4 in results:
            busy = results[MCP_4]
            ratio = speed_by_cpu(busy.get(ours, []), busy.get(proxy, []))
            measured.append(_judged(MCP_CPU, ours, proxy, busy, ratio.median if ratio else None))
        if MCP_1 in results:
            alone = results[MCP_1]
            added = added_latency(alone.get(ours, []), alone.get(direct, []))
            measured.append(_judged(MCP_LATENCY, ours, direct, alone, added))
    return measured


def ours_failed(results: Mapping[Case, Rounds], missing: Mapping[Case, Mapping[str, str]]) -> bool:
    """Tell whether one of our systems was not run on a case, or had an error in any round of any case."""
    not_run = any(name in case.ours for case, of_case in missing.items() for name in of_case)
    return not_run or any(errors_of(rounds.get(ours, [])) for case, rounds in results.items() for ours in case.ours)


def _judged(goal: Goal, ours: str, other: str, rounds: Rounds, value: float | None) -> Measured:
    named = goal._replace(name=goal.name + _wire(ours))
    faulty = [f"{name} had {errors} errors" for name in (ours, other) if (errors := errors_of(rounds.get(name, [])))]
    if faulty:
        return Measured(named, None, ", ".join(faulty), spoiled=True)
    return Measured(named, value, f"{ours} or {other} was not run")


def _wire(name: str) -> str:
    return f", {MODERN} wire" if name == OURS_MODERN else ""
