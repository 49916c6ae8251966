"""The order service in processes of their own, which die where a test says; others go on with what they left.

    with servers(1) as (server,):
        assert await server.does(url, "refund", "ORD-1", at="in settle") is None  # it died there
        await server.does(url, "go_on")

A process reads lines of JSON. For each it forks, so that nothing has to be imported anew, and the child does what the
line says: `_DOES` has the names. What the child says is written as a line of JSON; null if it was killed.
"""

import asyncio
import json
import os
import resource
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from axhub.agent.ports.runs import LostLeaseError, StoreUnavailableError
from order_service.ports.agent import WaitingForApproval
from order_service.ports.approvals import ApprovalRefusedError, Verdict
from order_service.ports.faults import UnavailableError
from order_service.ports.inbound import RefundOrderCommand, SearchOrderQuery
from support.crash_parts import BORAM, DAY, MINJI, Service, assembled
from support.crash_points import Points

__all__ = ["MINJI", "Server", "Service", "assembled", "servers"]

_TESTS: Final = Path(__file__).resolve().parents[1]
_FAILED: Final = "failed"
_FULL: Final = 1_024
"""Bytes to which a file may grow: less than one page of a database."""


async def _refund(service: Service, order: str) -> None:
    """Refund an order from the customer's message to the event that has left."""
    approval = await service.held(order)
    await service.decide(approval)
    await service.agent.resume.next()
    await service.relay.once()


async def _go_on(service: Service) -> None:
    await service.go_on()


async def _owe(service: Service, *orders: str) -> None:
    """Refund orders without the assistant, and pay nobody yet."""
    for order in orders:
        await service.refund.execute(RefundOrderCommand(MINJI, order))


async def _pay(service: Service) -> bool:
    """Settle one payout that is due; say whether there was one."""
    return await service.payouts.next() is not None


async def _resume(service: Service) -> str:
    """Go on with one run; say what came of it, or which error."""
    try:
        return type(await service.agent.resume.next()).__name__
    except LostLeaseError as error:
        return type(error).__name__


async def _approve_all(service: Service) -> int:
    return await service.approve_all()


async def _hold(service: Service, *orders: str) -> list[str]:
    return [await service.held(one) for one in orders]


async def _again(service: Service, *orders: str) -> list[str]:
    """Ask anew, each in a new conversation, and approve; return the ids of the runs."""
    runs = []
    for order in orders:
        outcome = await service.ask(order)
        assert isinstance(outcome, WaitingForApproval), outcome
        await service.decide(outcome.approvals[0].id)
        runs.append(outcome.run_id)
    await service.go_on()
    return [(await service.agent.store.run(run, MINJI)).answer or "" for run in runs]


async def _contend(service: Service, word: str, *approvals: str) -> list[str]:
    """Decide on approvals and carry out what is ready, side by side with another process; say what came of each."""
    await service.approvals.pending(BORAM, 1)  # it is connected
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()
    said = []
    for one in approvals:
        try:
            await service.decide(one, Verdict(word))
            said.append("counts")
        except ApprovalRefusedError as refused:
            said.append(refused.reason.value)
        await service.agent.resume.next()
    return said


async def _without_room(service: Service, order: str, approved: str, waiting: str) -> dict[str, str]:
    """Let no file grow, as on a full disk, and try everything; make room again, and go on."""
    await service.decide(approved)
    most = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    resource.setrlimit(resource.RLIMIT_FSIZE, (_FULL, most))
    tried: dict[str, Callable[[], Awaitable[object]]] = {
        "ask": lambda: service.ask(order),
        "decide": lambda: service.decide(waiting),
        "go on": service.agent.resume.next,
        "search": lambda: service.search.execute(SearchOrderQuery(MINJI)),
        "pending": lambda: service.approvals.pending(BORAM),
    }
    said = {name: await _tried(one) for name, one in tried.items()}
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    await service.decide(waiting)
    await service.go_on()
    return said


async def _tried(one: Callable[[], Awaitable[object]]) -> str:
    try:
        await one()
    except (StoreUnavailableError, UnavailableError):
        return "refused"
    return "done"


async def _on_other_days(service: Service, order: str, seconds: str) -> str:
    """Refund an order in a process whose clock jumps between the steps, and which waits before it decides."""
    approval = await service.held(order)
    _jump(2)
    await asyncio.sleep(float(seconds))
    _jump(-4)
    try:
        await service.decide(approval)
    except ApprovalRefusedError as refused:
        return refused.reason.value
    _jump(4)
    await service.agent.recover.once()
    return type(await service.agent.resume.next()).__name__


def _jump(days: float) -> None:
    """Set the wall clock of this process, which is about to end, to another day; the monotonic clock stays."""
    real, real_ns = (vars(time)[name] for name in ("time", "time_ns"))
    vars(time).update(time=lambda: real() + days * DAY, time_ns=lambda: real_ns() + int(days * DAY) * 10**9)


_DOES: Final[dict[str, Callable[..., Awaitable[Any]]]] = {
    "refund": _refund,
    "go_on": _go_on,
    "owe": _owe,
    "pay": _pay,
    "resume": _resume,
    "approve_all": _approve_all,
    "hold": _hold,
    "again": _again,
    "contend": _contend,
    "without_room": _without_room,
    "on_other_days": _on_other_days,
}


class Server:
    """A process that was started."""

    def __init__(self) -> None:
        environ = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        command = [sys.executable, "-m", "support.crash_service"]
        self._process = subprocess.Popen(
            command, cwd=_TESTS, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    async def does(
        self,
        url: str,
        what: str,
        *words: str,
        at: str | None = None,
        events: Path | None = None,
        seconds: float = DAY,
        payments: str = "",
    ) -> Any:
        """Let a child do something, and return what it says; None if it died, at the point where it was to.

        Args:
            url: of the database.
            what: one of `_DOES`.
            words: its arguments.
            at: where it is to die.
            events: where the ids of events go that have left.
            seconds: how long people may take to decide.
            payments: address of the provider; nothing: one in the child, which forgets.
        """
        asked = [url, what, words, at, None if events is None else str(events), seconds, False, payments]
        said = json.loads(await self.say(asked))
        assert said != _FAILED, f"{what} failed; its process has written why"
        return said

    async def pauses(self, url: str, what: str, *words: str, at: str) -> int:
        """Let a child do something until it comes to a point and stops there; return its process id."""
        return int(await self.say([url, what, words, at, None, DAY, True]))

    async def goes_on(self, pid: int) -> Any:
        """Let it go on, and return what it says."""
        os.kill(pid, signal.SIGCONT)
        assert self._process.stdout is not None
        return json.loads(await asyncio.to_thread(self._process.stdout.readline))

    async def say(self, line: object) -> str:
        """Say a line to the child, and return its next one."""
        return await asyncio.to_thread(self._said, json.dumps(line))

    def _said(self, line: str) -> str:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()
        return self._process.stdout.readline()

    def close(self) -> None:
        """End it."""
        self._process.kill()
        self._process.communicate()


@contextmanager
def servers(count: int) -> Iterator[tuple[Server, ...]]:
    """Start some processes; they are gone at the end of the block."""
    made = tuple(Server() for _ in range(count))
    try:
        yield made
    finally:
        for one in made:
            one.close()


async def _child(
    url: str,
    what: str,
    words: list[str],
    at: str | None,
    events: str | None,
    approval_seconds: float,
    is_paused: bool = False,
    payments: str = "",
) -> None:
    points, file = Points(at, _pause if is_paused else None), None if events is None else Path(events)
    service = assembled(url, points, file, payments=payments, approval_seconds=approval_seconds)
    said = await _DOES[what](service, *words)
    await service.database.close()
    assert at is None or is_paused, f"{what} did not come to the point {at!r}"
    sys.stdout.write(f"{json.dumps({'said': said} if said is None else said)}\n")
    sys.stdout.flush()


def _pause() -> None:
    sys.stdout.write(f"{os.getpid()}\n")
    sys.stdout.flush()
    os.kill(os.getpid(), signal.SIGSTOP)


def _forked(asked: list[Any]) -> None:
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            asyncio.run(_child(*asked))
            code = 0
        except BaseException:  # noqa: BLE001 -- a child must not go on as its parent
            traceback.print_exc()
        finally:
            os._exit(code)
    _, status = os.waitpid(pid, 0)
    if os.WIFSIGNALED(status) or os.waitstatus_to_exitcode(status):
        sys.stdout.write(f"{json.dumps(None if os.WIFSIGNALED(status) else _FAILED)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    while line := sys.stdin.readline():
        _forked(json.loads(line))
