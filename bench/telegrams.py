"""Times our codec of telegrams beside construct and pydantic-fixedwidth: one layout, 175 bytes with five rows.

Each runs in a process and an environment of its own. Their answers are compared first; then they are timed in turn,
round by round, by CPU time. The others leave out most of what ours checks, and still have to give the same values.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from bench.compare import ratio
from bench.desks import Desk, ask, desk
from bench.plan import DECODE, ENCODE, FASTER, Goal
from bench.processes import pinned
from bench.report import Measured, figure, span, table
from bench.servers import NotRunning
from bench.suts import HERE, peer_python

OURS = "axhub"
CONSTRUCT, FIXEDWIDTH = "construct", "pydantic-fixedwidth"
PYTHONS: Mapping[str, Callable[[], Path]] = {
    OURS: lambda: Path(sys.executable),
    CONSTRUCT: lambda: peer_python("telegrams-construct"),
    FIXEDWIDTH: lambda: peer_python("telegrams-fixedwidth"),
}
SCRIPTS = {OURS: "telegram_axhub.py", CONSTRUCT: "telegram_construct.py", FIXEDWIDTH: "telegram_fixedwidth.py"}
TIMES = 2000
"""Repetitions a round."""
WAYS = ("decode", "encode")
PLAIN = {
    "name": "홍길동",
    "rate": "1.2500",
    "row_count": 5,
    "rows": [
        {"claim_no": f"CLM2026081{at:05d}", "state": "정", "amount": None if at == 4 else 1500 - 1000 * at}
        for at in range(5)
    ],
}
RAW = "홍길동    0012500005".encode("cp949") + b"".join(
    f"CLM2026081{at:05d} 정".encode("cp949") + (b" " * 13 if at == 4 else b"%+013d" % (1500 - 1000 * at))
    for at in range(5)
)
HEADINGS = ("codec", "decode us", "min..max", "encode us", "min..max")
RATIO_HEADINGS = ("against", "decode", "range", "encode", "range")


class Telegrams(NamedTuple):
    """What a run gave."""

    micros: Mapping[str, Mapping[str, Sequence[float]]]
    """CPU microseconds by codec and way, one figure a round; round i of each was measured side by side."""
    missing: Mapping[str, str]
    """Who was not run, and why."""

    @property
    def broken(self) -> bool:
        """Whether ours was not run, or gave a wrong answer."""
        return OURS in self.missing

    def text(self) -> str:
        """Return all there is to say."""
        rows = [
            [name, *(cell for way in WAYS for cell in (figure(median(of_one[way])), span(of_one[way])))]
            for name, of_one in self.micros.items()
        ]
        rows += [[name, *["not run"] * (len(HEADINGS) - 1)] for name in self.missing]
        parts = ["## Telegrams of 175 bytes with five rows", "", table(HEADINGS, rows)]
        ratios = [[f"{OURS} / {other}", *self._ratio_cells(other)] for other in self.micros if other != OURS]
        if ratios and not self.broken:
            parts += ["", table(RATIO_HEADINGS, ratios)]
        notes = [f"{name} was not run: {reason}" for name, reason in self.missing.items()]
        return "\n".join([*parts, *([""] if notes else []), *notes, ""])

    def goals(self) -> list[Measured]:
        """Return the goals with what was measured of them."""
        measured = []
        for way, goal in zip(WAYS, (DECODE, ENCODE), strict=True):
            value = None if self.broken else median(self.micros[OURS][way])
            measured.append(Measured(goal, value, f"{OURS} was not run"))
            measured += [self._against(other, way, FASTER) for other in (CONSTRUCT, FIXEDWIDTH)]
        return measured

    def document(self) -> dict[str, Any]:
        """Return it for a file; microseconds, by codec, way and round."""
        rounded = {
            name: {f"{way}CpuMicros": [round(one, 2) for one in of_one[way]] for way in WAYS}
            for name, of_one in self.micros.items()
        }
        return {"bytes": len(RAW), "rows": 5, "codecs": rounded, "notRun": dict(self.missing)}

    def _against(self, other: str, way: str, goal: Goal) -> Measured:
        named = goal._replace(name=f"{way} against {other}")
        both = OURS in self.micros and other in self.micros
        found = ratio(list(zip(self.micros[other][way], self.micros[OURS][way], strict=True))) if both else None
        return Measured(named, found.median if found else None, f"{OURS} or {other} was not run")

    def _ratio_cells(self, other: str) -> list[str]:
        cells = []
        for way in WAYS:
            found = ratio(list(zip(self.micros[other][way], self.micros[OURS][way], strict=True)))
            cells += [f"{figure(found.median)}x", span((found.low, found.high))] if found else ["-", "-"]
        return cells


def run(rounds: int, core: int, pythons: Mapping[str, Callable[[], Path]] = PYTHONS) -> Telegrams:
    """Start everyone, compare their answers, and time them in turn; who goes first changes from round to round."""
    missing: dict[str, str] = {}
    desks: dict[str, Desk] = {}
    with pinned(core), ExitStack() as stack:
        for name, python in pythons.items():
            try:
                started = stack.enter_context(desk([str(python()), str(HERE / "peers" / SCRIPTS[name])]))
                _check(started)
                desks[name] = started
            except NotRunning as reason:
                missing[name] = str(reason)
                print(f"{name} is not run on telegrams: {reason}", file=sys.stderr)
        micros: dict[str, dict[str, list[float]]] = {name: {way: [] for way in WAYS} for name in desks}
        names = list(desks)
        for number in range(rounds):
            turn = number % max(len(names), 1)
            for way in WAYS:
                for name in names[turn:] + names[:turn]:
                    micros[name][way].append(ask(desks[name], f"{way} {TIMES}"))
    return Telegrams(micros, missing)


def _check(one: Desk) -> None:
    answer = ask(one, f"answers {RAW.hex()}")
    if answer["plain"] != PLAIN:
        raise NotRunning(f"it reads other values: {answer['plain']!r}")
    if bytes.fromhex(answer["raw"]) != RAW:
        raise NotRunning(f"it writes other bytes: {answer['raw']}")
