"""What a run of the agents gave: its tables, its goals, its document."""

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any, NamedTuple

from bench.compare import Ratio, ratio
from bench.plan import DECISION, FASTER, FLAT, GOING_ON, TRANSACTIONS, TURN, Goal
from bench.report import Measured, figure, span, table

OURS = "axhub"
OTHERS = ("pydantic-ai", "langchain")
NEW, KNOWN = "new", "known"
WAYS = (NEW, KNOWN)
"""A turn in a conversation of its own, and the 21st of a known one."""
NAMES = {NEW: "a new conversation", KNOWN: "turn 21"}
HEADINGS = ("agent", "new ms", "min..max", "transactions", "turn 21 ms", "min..max", "transactions")
RATIO_HEADINGS = ("against", "new", "range", "turn 21", "range")
DECISION_HEADINGS = ("waiting", "decision ms", "min..max", "going on ms", "min..max")
STEPS = ("decision", "goingOn")
Micros = Mapping[str, Mapping[str, Sequence[float]]]


class Decisions(NamedTuple):
    """CPU microseconds of a decision, and of the run that goes on; round i of both was measured side by side."""

    waiting: int
    none: Sequence[Mapping[str, float]]
    """With nobody else waiting."""
    many: Sequence[Mapping[str, float]]
    """With `waiting` others."""

    def slower(self, step: str) -> Ratio | None:
        """Return how many times as much it costs with the others waiting."""
        return ratio([(many[step], none[step]) for none, many in zip(self.none, self.many, strict=True)])


class Alone(NamedTuple):
    """What was measured of ours only."""

    decisions: Decisions | None
    turns: tuple[int, int]
    """After which the memory was read."""
    memory: Sequence[float] | None
    """Resident megabytes then."""
    problem: str = ""
    """Why something of it is missing."""


class Agents(NamedTuple):
    """What a run gave."""

    micros: Micros
    """CPU microseconds a turn by agent and way, one figure a round; round i of each was measured side by side."""
    counts: Mapping[str, Mapping[str, int]]
    """Transactions a turn by agent and way."""
    missing: Mapping[str, str]
    """Who was not run, and why."""
    alone: Alone

    @property
    def rounds(self) -> int:
        """How often each was timed."""
        return max((len(figures) for of_one in self.micros.values() for figures in of_one.values()), default=0)

    @property
    def broken(self) -> bool:
        """Whether ours was not run, gave a wrong answer, or could not be measured whole."""
        return OURS in self.missing or bool(self.alone.problem)

    def text(self) -> str:
        """Return all there is to say."""
        rows = [[name, *self._cells(name)] for name in self.micros]
        rows += [[name, *["not run"] * (len(HEADINGS) - 1)] for name in self.missing]
        parts = ["## A chat turn with one read tool, stored on SQLite (CPU)", "", table(HEADINGS, rows)]
        ratios = [[f"{OURS} / {name}", *self._ratio_cells(name)] for name in self.micros if name != OURS]
        if ratios and OURS in self.micros:
            parts += ["", table(RATIO_HEADINGS, ratios)]
        notes = [
            f"{self.rounds} rounds, in turn; transactions are counted in a run of their own.",
            *_memory_text(self.alone),
        ]
        notes += [f"{name} was not run: {reason}" for name, reason in self.missing.items()]
        return "\n".join([*parts, *_decisions_text(self.alone.decisions), "", *notes, ""])

    def goals(self) -> list[Measured]:
        """Return the goals with what was measured of them."""
        not_run = f"{OURS} was not run"
        measured = []
        for way in WAYS:
            known = None if OURS in self.missing else median(self.micros[OURS][way]) / 1000
            measured.append(Measured(_named(TURN, way), known, not_run))
            measured += [self._against(other, way) for other in OTHERS]
            count = None if OURS in self.missing else self.counts[OURS][way]
            measured.append(Measured(_named(TRANSACTIONS, way), count, not_run))
        reason = self.alone.problem or not_run
        for step, goal in zip(STEPS, (DECISION, GOING_ON), strict=True):
            slower = self.alone.decisions.slower(step) if self.alone.decisions else None
            measured.append(Measured(goal, slower.median if slower else None, reason))
        grown = None if self.alone.memory is None else round(self.alone.memory[1] - self.alone.memory[0], 2)
        first, last = self.alone.turns
        flat = FLAT._replace(name=f"{FLAT.name} from {first:,} to {last:,} turns")
        return [*measured, Measured(flat, grown, reason)]

    def document(self) -> dict[str, Any]:
        """Return it for a file."""
        rounded = {
            name: {
                **{f"{way}CpuMicros": [round(one, 1) for one in of_one[way]] for way in WAYS},
                "transactions": dict(self.counts.get(name, {})),
            }
            for name, of_one in self.micros.items()
        }
        return {"agents": rounded, "notRun": dict(self.missing), "alone": _alone_document(self.alone)}

    def _cells(self, name: str) -> list[str]:
        cells = []
        for way in WAYS:
            millis = [one / 1000 for one in self.micros[name][way]]
            count = self.counts.get(name, {}).get(way)
            cells += [figure(median(millis)), span(millis), "-" if count is None else str(count)]
        return cells

    def _ratio_cells(self, other: str) -> list[str]:
        cells = []
        for way in WAYS:
            found = self._ratio(other, way)
            cells += [f"{figure(found.median)}x", span((found.low, found.high))] if found else ["-", "-"]
        return cells

    def _ratio(self, other: str, way: str) -> Ratio | None:
        """Return how many turns ours takes with the CPU time in which the other takes one."""
        if OURS not in self.micros or other not in self.micros:
            return None
        return ratio(list(zip(self.micros[other][way], self.micros[OURS][way], strict=True)))

    def _against(self, other: str, way: str) -> Measured:
        found = self._ratio(other, way)
        goal = FASTER._replace(name=f"{NAMES[way]} against {other}")
        return Measured(goal, found.median if found else None, f"{OURS} or {other} was not run")


def _named(goal: Goal, way: str) -> Goal:
    return goal._replace(name=f"{goal.name}, {NAMES[way]}")


def _decisions_text(decisions: Decisions | None) -> list[str]:
    if decisions is None:
        return []
    rows = []
    for waiting, rounds in ((0, decisions.none), (decisions.waiting, decisions.many)):
        millis = {step: [one[step] / 1000 for one in rounds] for step in STEPS}
        rows.append([f"{waiting:,}", *(cell for one in millis.values() for cell in (figure(median(one)), span(one)))])
    slower = [decisions.slower(step) for step in STEPS]
    ratios = [cell for one in slower if one for cell in (f"{figure(one.median)}x", span((one.low, one.high)))]
    return ["", table(DECISION_HEADINGS, [*rows, ["ratio", *ratios]])]


def _memory_text(alone: Alone) -> list[str]:
    if alone.memory is None:
        return []
    after = ", ".join(f"{one:.1f} MB after {turns:,}" for one, turns in zip(alone.memory, alone.turns, strict=True))
    return [f"Memory of the process over turns in conversations of their own: {after}."]


def _alone_document(alone: Alone) -> dict[str, Any]:
    decisions = alone.decisions
    waited = {} if decisions is None else {"0": decisions.none, str(decisions.waiting): decisions.many}
    return {
        "decisionCpuMicrosByWaiting": {
            waiting: [{step: round(one[step], 1) for step in STEPS} for one in rounds]
            for waiting, rounds in waited.items()
        },
        "residentMBByTurns": dict(zip(map(str, alone.turns), alone.memory or (), strict=False)),
        "problem": alone.problem,
    }
