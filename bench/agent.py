"""Times a chat turn of our agent beside Pydantic AI's own loop and LangChain's agent, each with its store on SQLite.

One turn: a message, a call of a read tool, an answer; the model is the same script for all, the conversation is kept.
Each runs in a process and an environment of its own. Their answers and what they stored are compared first; then they
are timed in turn, round by round, by the CPU time of the whole process. Our agent's decisions, with and without ten
thousand approvals that wait, and its memory have processes of their own.
"""

import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

from bench.agent_report import KNOWN, NEW, OURS, WAYS, Agents, Alone, Decisions
from bench.desks import Desk, ask, desk
from bench.peers.agent_desk import TOOL, question, view
from bench.processes import pinned
from bench.servers import NotRunning
from bench.suts import HERE, peer_python

PYDANTIC_AI, LANGCHAIN = "pydantic-ai", "langchain"
PYTHONS: Mapping[str, Callable[[], Path]] = {
    OURS: lambda: Path(sys.executable),
    PYDANTIC_AI: lambda: peer_python("agent-pydantic-ai"),
    LANGCHAIN: lambda: peer_python("agent-langchain"),
}
SCRIPTS = {OURS: "agent_axhub.py", PYDANTIC_AI: "agent_pydantic_ai.py", LANGCHAIN: "agent_langchain.py"}


class Extent(NamedTuple):
    """How much is measured."""

    rounds: int
    new: int = 50
    """Turns a round, each in a conversation of its own."""
    known: int = 20
    """Turns a round, each the next one of a conversation of `TURNS`."""
    waiting: int = 10_000
    """Approvals that nobody decides on."""
    decisions: int = 50
    """Decisions a round."""
    memory: tuple[int, int] = (500, 2_000)
    """Turns after which the memory is read."""


LONG = (1_000, 10_000)
"""Turns after which the memory is read in a long run."""
TURNS = 20


def run(extent: Extent, core: int, pythons: Mapping[str, Callable[[], Path]] = PYTHONS) -> Agents:
    """Measure everything on one core."""
    with pinned(core), tempfile.TemporaryDirectory(prefix="axhub-bench-agent-") as made:
        folder = Path(made)
        missing: dict[str, str] = {}
        counts: dict[str, dict[str, int]] = {}
        with ExitStack() as stack:
            desks = _ready(pythons, folder, extent, stack, missing)
            for name in desks:
                counts[name] = _transactions(pythons[name](), name, folder)
            micros = _rounds(desks, extent)
        alone = Alone(None, extent.memory, None) if OURS in missing else _alone(extent, pythons[OURS](), folder)
    return Agents(micros, counts, missing, alone)


def _ready(
    pythons: Mapping[str, Callable[[], Path]], folder: Path, extent: Extent, stack: ExitStack, missing: dict[str, str]
) -> dict[str, Desk]:
    """Start everyone, compare their answers, and prepare their known conversations."""
    desks = {}
    for name, python in pythons.items():
        try:
            started = stack.enter_context(_desk(python(), SCRIPTS[name], folder / name))
            _check(started)
            ask(started, f"prepare {extent.known} {TURNS}")
            desks[name] = started
        except NotRunning as reason:
            missing[name] = str(reason)
            print(f"{name} is not run as an agent: {reason}", file=sys.stderr)
    return desks


def _desk(python: Path, script: str, folder: Path, *more: str) -> Any:
    folder.mkdir()
    return desk([str(python), str(HERE / "peers" / script), str(folder), *more])


def _rounds(desks: Mapping[str, Desk], extent: Extent) -> dict[str, dict[str, list[float]]]:
    """Time everyone in turn; who goes first changes from round to round."""
    micros: dict[str, dict[str, list[float]]] = {name: {way: [] for way in WAYS} for name in desks}
    names = list(desks)
    for number in range(extent.rounds):
        print(f"agents: round {number + 1} of {extent.rounds}", file=sys.stderr, flush=True)
        turn = number % max(len(names), 1)
        for way, line in ((NEW, f"new {extent.new}"), (KNOWN, f"known {extent.known}")):
            for name in names[turn:] + names[:turn]:
                micros[name][way].append(_timed(desks[name], line, 1 if way == NEW else TURNS + 1))
    return micros


def _timed(one: Desk, line: str, messages: int) -> float:
    answer = ask(one, line)
    if answer["shown"] != messages:
        raise NotRunning(f"its model was shown {answer['shown']} messages of people, not {messages}")
    return float(answer["micros"])


def _check(one: Desk) -> None:
    answer, expected = ask(one, "answers"), _expected()
    if answer != expected:
        raise NotRunning(f"it answers or stores something else: {answer!r}")


def _expected() -> dict[str, Any]:
    """Return what everyone has to answer and to store in two turns of one conversation."""
    said = [f"Your order is {view(f'ORD-{number}')['state']}." for number in (1, 2)]
    stored: list[list[Any]] = []
    for number, text in enumerate(said, 1):
        order = f"ORD-{number}"
        stored += [["user", question(number)], ["call", TOOL, {"order_id": order}], ["result", view(order)]]
        stored += [["assistant", text]]
    return {"said": said, "isSame": True, "shown": 2, "stored": stored}


def _transactions(python: Path, name: str, folder: Path) -> dict[str, int]:
    """Count the transactions of one turn, in a process of its own, since counting costs time."""
    with _desk(python, SCRIPTS[name], folder / f"{name}-counted", "count") as one:
        ask(one, f"prepare 1 {TURNS}")
        return {way: ask(one, f"count {way}") for way in WAYS}


def _alone(extent: Extent, python: Path, folder: Path) -> Alone:
    """Measure what only ours has, or only ours has to hold."""
    decisions, problem = _attempt(lambda: _decisions(extent, python, folder))
    memory, other = _attempt(lambda: _memory(extent, python, folder))
    return Alone(decisions, extent.memory, memory, problem or other)


def _attempt(measure: Callable[[], Any]) -> tuple[Any, str]:
    try:
        return measure(), ""
    except NotRunning as reason:
        print(f"{OURS} is not measured whole as an agent: {reason}", file=sys.stderr)
        return None, str(reason)


def _decisions(extent: Extent, python: Path, folder: Path) -> Decisions:
    """Time decisions with nobody else waiting and with all of them, in turn."""
    found: dict[int, list[Mapping[str, float]]] = {0: [], extent.waiting: []}
    with _desk(python, "agent_decisions.py", folder / "decisions") as one:
        for others in found:
            count = ask(one, f"waiting {others} {extent.decisions}")
            if count < others + extent.decisions:
                raise NotRunning(f"{count} approvals wait, and {others + extent.decisions} should")
        for number in range(extent.rounds):
            for others in sorted(found, reverse=bool(number % 2)):
                found[others].append(ask(one, f"decide {others}"))
    return Decisions(extent.waiting, found[0], found[extent.waiting])


def _memory(extent: Extent, python: Path, folder: Path) -> Sequence[float]:
    """Return the resident megabytes after the two numbers of turns."""
    first, last = extent.memory
    with _desk(python, SCRIPTS[OURS], folder / "memory") as one:
        found: Sequence[float] = ask(one, f"memory {first} {last}")
        return found
