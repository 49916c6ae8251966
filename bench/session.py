"""One run of the bench from its first process to its report."""

import json
import os
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from bench import agent, answers, inputs, report, service_suts, syscalls, telegrams
from bench.about import heading, versions
from bench.agent_report import Agents
from bench.check_speed import time_checks
from bench.compare import Round
from bench.goals import ours_failed, speeds
from bench.mcp_suts import McpField
from bench.measure import Generator, calls_in_metrics, measure
from bench.plan import CHECK, MEMORY, READS, WRITES, Case, Goal, Plan
from bench.processes import Cores, choose_cores, machine, pinned, process_tree, resident_megabytes, stolen_seconds
from bench.report import Measured
from bench.servers import NotRunning, Running, Server, start
from bench.suts import Contestant, Field

COUNTS = (50, 200)
OF_TOOL_SERVICES = ("call", "list")
"""The kinds of cases that have the Tool Service behind them."""
Part: TypeAlias = telegrams.Telegrams | Agents
"""What needs no server."""


class Outcome(NamedTuple):
    """What a run gave."""

    text: str
    document: dict[str, Any]
    broken: bool
    """Our gateway could not be measured, or had an error or a wrong answer in any round."""
    missed: bool
    """A goal was not reached, or errors on either side leave it unknown."""


def run(plan: Plan, folder: Path) -> Outcome:
    """Run a plan; files of the run lie in `folder`.

    Raises:
        NotRunning: wrk, nginx as the upstream, or the upstream's port is not to be had.
    """
    return Session(plan, folder).run()


def run_telegrams(plan: Plan) -> Outcome:
    """Run the part of a plan that needs no server: the codec of telegrams."""
    return _without_servers(plan, "telegrams", lambda core: telegrams.run(plan.telegrams, core))


def run_agents(plan: Plan, extent: agent.Extent) -> Outcome:
    """Run the part of a plan that is about agents."""
    return _without_servers(plan, "agents", lambda core: agent.run(extent, core))


def _without_servers(plan: Plan, name: str, measured: Callable[[int], Part]) -> Outcome:
    cores, steal, began = choose_cores(os.sched_getaffinity(0)), stolen_seconds(), time.perf_counter()
    before = os.getloadavg()
    found = measured(cores.sut)
    about = _about(plan, cores, stolen_seconds() - steal, time.perf_counter() - began)
    load = "Load of the machine (1, 5, 15 minutes) before: {:.1f}, {:.1f}, {:.1f}; after: {:.1f}, {:.1f}, {:.1f}.\n"
    said = load.format(*before, *os.getloadavg())
    goals = found.goals()
    text = "\n".join([heading(about), said, found.text(), report.goals_text(goals)])
    print(text, flush=True)
    document = report.document(about | {"notes": [said.strip()], name: found.document()}, {}, {}, goals)
    return Outcome(text, document, found.broken, any(one.verdict == "MISSED" for one in goals))


class Session:
    """The state of a run: what is running, what is missing and why, what was measured."""

    def __init__(self, plan: Plan, folder: Path) -> None:
        self._plan = plan
        self._folder = folder
        self._cores = choose_cores(os.sched_getaffinity(0))
        self._generator = Generator(folder, self._cores.load)
        self._field = Field(folder, COUNTS)
        self._mcp_field = McpField(folder, COUNTS[0])
        self._running: dict[str, Running] = {}
        self._sizes: dict[tuple[str, Case], int] = {}
        self._results: dict[Case, dict[str, list[Round]]] = {case: {} for case in plan.cases}
        self._missing: dict[Case, dict[str, str]] = {case: {} for case in plan.cases}
        self._notes: list[str] = []
        self._texts: list[str] = []
        self._alone_failed = False

    def run(self) -> Outcome:
        """Measure everything, then stop everything, whatever happened."""
        steal, began = stolen_seconds(), time.perf_counter()
        try:
            with pinned(self._cores.load):
                self._start_upstreams()
                fields = {case: self._line_up(case) for case in self._plan.cases}
                self._warm_up(fields)
                for number in range(self._plan.rounds):
                    self._round(number, fields)
                self._say_features()
                memory, calls = self._alone() if self._plan.memory_seconds else ([], [])
                checks = self._checks() if self._plan.checks else []
            parts: dict[str, Part] = {}
            if self._plan.telegrams:
                parts["telegrams"] = telegrams.run(self._plan.telegrams, self._cores.sut)
            if self._plan.agents:
                parts["agents"] = agent.run(agent.Extent(self._plan.agents), self._cores.sut)
        finally:
            for one in reversed(self._running.values()):
                one.stop()
        about = _about(self._plan, self._cores, stolen_seconds() - steal, time.perf_counter() - began)
        goals = [goal for part in parts.values() for goal in part.goals()]
        return self._outcome(about, parts, [*speeds(self._results), *memory, *calls, *checks, *goals])

    def _say(self, text: str) -> None:
        print(text, flush=True)
        self._texts.append(text)

    def _start(self, server: Server, core: int) -> Running:
        if server.name not in self._running:
            try:
                start(server, core, lambda one: self._running.update({server.name: one}))
            except NotRunning:
                if broken := self._running.pop(server.name, None):
                    broken.stop()
                raise
        return self._running[server.name]

    def _start_upstreams(self) -> None:
        """Start what stands behind the contestants of the cases."""
        kinds = {case.kind for case in self._plan.cases}
        if kinds & set(OF_TOOL_SERVICES) or self._plan.memory_seconds:
            self._start(self._field.upstream(), self._cores.upstream)
        if "mcp" in kinds:
            self._start(self._mcp_field.upstream(), self._cores.upstream)

    def _contestants(self, case: Case) -> list[tuple[str, Callable[[], Contestant]]]:
        if case.kind == "service":
            return service_suts.contestants()
        return self._mcp_field.contestants() if case.kind == "mcp" else self._field.contestants(case.tools)

    def _line_up(self, case: Case) -> list[Contestant]:
        """Start who takes part in a case and check the answers."""
        ready = []
        for name, make in self._contestants(case):
            if not self._plan.takes_part(name, case):
                continue
            try:
                contestant = make()
                running = self._start(contestant.server, self._cores.sut)
                self._sizes[name, case] = self._check(contestant, running.server.port, case)
                ready.append(contestant)
            except NotRunning as reason:
                self._missing[case][name] = str(reason)
                print(f"{name} is not run on {case.name}: {reason}", file=sys.stderr)
        return ready

    def _check(self, contestant: Contestant, port: int, case: Case) -> int:
        if case.kind != "list":
            expected = service_suts.ANSWER if case.kind == "service" else inputs.answer()
            return answers.check_call(contestant, port, expected)
        document = json.loads((self._folder / f"list_{case.tools}.json").read_text(encoding="utf-8"))
        return answers.check_list(contestant, port, document["result"]["tools"])

    def _measure(self, contestant: Contestant, case: Case, seconds: int) -> Round:
        request = contestant.listing if case.kind == "list" else contestant.call
        running = self._running[contestant.server.name]
        size = self._sizes[contestant.name, case]
        return measure(self._generator, running, request, case.connections, seconds, size)

    def _warm_up(self, fields: Mapping[Case, list[Contestant]]) -> None:
        for case, contestants in fields.items():
            for contestant in contestants:
                self._measure(contestant, case, self._plan.warm_up)

    def _round(self, number: int, fields: Mapping[Case, list[Contestant]]) -> None:
        """Measure everyone once; who goes first changes from round to round."""
        print(f"round {number + 1} of {self._plan.rounds}", file=sys.stderr, flush=True)
        for case, contestants in fields.items():
            turn = number % max(len(contestants), 1)
            for contestant in contestants[turn:] + contestants[:turn]:
                of_case = self._results[case].setdefault(contestant.name, [])
                of_case.append(self._measure(contestant, case, self._plan.seconds))

    def _say_features(self) -> None:
        """Show that logging and metrics were at work: count their traces."""
        for running in self._running.values():
            if running.server.management_port:
                counted = calls_in_metrics(running)
                self._notes.append(
                    f"{running.server.name}: {counted:,.0f} calls in its metrics, {running.log.lines:,} log lines "
                    f"({running.log.bytes / 1e6:.1f} MB) drained from its pipe."
                )

    def _alone(self) -> tuple[list[Measured], list[Measured]]:
        """Measure a gateway that nothing was asked of before: memory after load, then system calls."""
        seconds = self._plan.memory_seconds
        try:
            server = replace(self._field.gateway(50), name="axhub_alone")
            gateway = self._start(server, self._cores.sut)
            load = self._generator.load(gateway.server.port, inputs.call_request(inputs.LEGACY), 16, seconds)
        except NotRunning as reason:
            self._alone_failed = True
            return _not_measured(str(reason), MEMORY), _not_measured(str(reason), READS, WRITES)
        if load.errors:
            self._alone_failed = True
            problem = f"the gateway had {load.errors} errors under load"
            return _not_measured(problem, MEMORY), _not_measured(problem, READS, WRITES)
        calls_in_metrics(gateway)  # rendering them loads code of its own: a gateway in use is scraped
        resident = resident_megabytes(process_tree(gateway.process.pid))
        self._notes.append(f"Memory of a fresh gateway after {seconds} s of tools/call @16: {resident:.1f} MB.")
        try:
            found = syscalls.trace(gateway, self._generator, self._folder)
        except NotRunning as reason:
            return [Measured(MEMORY, resident)], _not_measured(str(reason), READS, WRITES)
        self._notes.append(syscalls.sentence(found))
        if found.errors:
            self._alone_failed = True
            problem = f"the gateway had {found.errors} errors while it was traced"
            return [Measured(MEMORY, resident)], _not_measured(problem, READS, WRITES)
        counts = [Measured(READS, round(found.reads, 1)), Measured(WRITES, round(found.writes, 1))]
        return [Measured(MEMORY, resident)], counts

    def _checks(self) -> list[Measured]:
        """Time `axhub check`."""
        try:
            times = time_checks(self._folder, self._cores.sut, self._plan.checks)
        except NotRunning as reason:
            self._alone_failed = True
            return _not_measured(str(reason), CHECK)
        self._notes.append(times.sentence())
        return [Measured(CHECK, times.middle)]

    def _outcome(self, about: dict[str, Any], parts: Mapping[str, Part], measured: list[Measured]) -> Outcome:
        self._say("\n" + heading(about))
        for case in self._plan.cases:
            self._say(report.case_text(case, self._results[case], self._missing[case]))
        for part in parts.values():
            self._say(part.text())
        self._say(report.goals_text(measured))
        self._say("\n".join(self._notes) + "\n")
        about |= {"notes": self._notes, **{name: part.document() for name, part in parts.items()}}
        document = report.document(about, self._results, self._missing, measured)
        failed = self._alone_failed or any(part.broken for part in parts.values())
        broken = failed or ours_failed(self._results, self._missing)
        missed = any(one.verdict == "MISSED" or one.spoiled for one in measured)
        return Outcome("\n".join(self._texts), document, broken, missed)


def _about(plan: Plan, cores: Cores, stolen: float, elapsed: float) -> dict[str, Any]:
    return {
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "machine": machine(),
        "cores": cores._asdict(),
        "rounds": plan.rounds,
        "secondsARound": plan.seconds,
        "elapsedSeconds": round(elapsed),
        "stolenSeconds": round(stolen, 2),
        "versions": versions(),
    }


def _not_measured(reason: str, *goals: Goal) -> list[Measured]:
    return [Measured(goal, None, reason) for goal in goals]
