"""Runs the official MCP conformance suite, pinned, against our gateway with a fixture behind it.

`tools/conformance/run.py [REVISION…] [--upstream tool-service|mcp|sdk]… [--url URL]`: behind the gateway stands a Tool
Service, or an MCP server on the official SDK; `sdk` is that server without a gateway, for comparison. For each revision
the suite's exit code decides, given the committed baseline of failures that we expect, each with its reason
(baseline-REVISION.yml, baseline-mcp-REVISION.yml); for `sdk` there is none, and it is only counted. Exit code 0: all as
expected; 1: not; 2: the suite cannot run here. Results lie in build/conformance/.
"""

import argparse
import shutil
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tools.conformance import npm
from tools.conformance.results import Summary, expected_failures, read_checks, summarise
from tools.conformance.servers import HERE, MCP, ROOT, TOOL_SERVICE, UPSTREAMS, CannotRun, serving

OUT = ROOT / "build" / "conformance"
REVISIONS = ("2025-06-18", "2025-11-25", "2026-07-28")
BASELINES = {TOOL_SERVICE: "baseline-{}.yml", MCP: "baseline-mcp-{}.yml"}
SUITE_SECONDS = 300.0
DEFAULT_UPSTREAMS = (TOOL_SERVICE, MCP)


class Outcome(NamedTuple):
    """What came of one revision."""

    as_expected: bool
    passed: int
    failed: int
    skipped: int
    """Failed as the baseline says, or not applicable."""


def suite_command() -> list[str]:
    """Install the pinned suite unless it is there; return how it is started.

    Raises:
        CannotRun: there is no npm, or it could not install, or there is no Node that can run it.
    """
    try:
        modules = npm.install(HERE, "the conformance suite")
        return [npm.node(modules), str(modules / "@modelcontextprotocol" / "conformance" / "dist" / "index.js")]
    except npm.CannotInstall as reason:
        raise CannotRun(str(reason)) from reason


def run_revision(suite: list[str], url: str, revision: str, upstream: str) -> Outcome:
    """Run the suite for one revision and print what came of it."""
    out = OUT / upstream / revision
    shutil.rmtree(out, ignore_errors=True)
    baseline = HERE / BASELINES[upstream].format(revision) if upstream in BASELINES else None
    flags = ["--url", url, "--suite", "all", "--spec-version", revision, "--output-dir", str(out)]
    flags += ["--expected-failures", str(baseline)] if baseline else []
    done = subprocess.run(
        [*suite, "server", *flags], capture_output=True, text=True, check=False, timeout=SUITE_SECONDS
    )
    printed = done.stdout + done.stderr
    (OUT / upstream / f"{revision}.log").write_text(printed, encoding="utf-8")
    expected = expected_failures(baseline.read_text(encoding="utf-8")) if baseline else frozenset()
    summary = summarise(read_checks(out), expected)
    if baseline is None:
        return counted(upstream, revision, summary)
    outcome = judged(upstream, revision, summary, done.returncode)
    if done.returncode and not summary.unexpected:
        print("\n".join(f"  {line}" for line in printed.splitlines()[-12:]))
    return outcome


def judged(upstream: str, revision: str, summary: Summary, code: int) -> Outcome:
    """Print the counts of a revision and what its baseline does not expect."""
    passed, skipped = summary.counts["SUCCESS"], summary.counts["SKIPPED"] + summary.counts["INFO"]
    print(
        f"{upstream}, {revision}: {passed} checks passed, {summary.expected} failed as expected, "
        f"{skipped} not applicable"
    )
    for one in summary.unexpected:
        print(f"  {one.status} {one.scenario}:{one.id}: {one.message}")
    as_expected = code == 0 and not summary.unexpected and passed > 0
    return Outcome(as_expected, passed, max(len(summary.unexpected), not as_expected), summary.expected + skipped)


def counted(upstream: str, revision: str, summary: Summary) -> Outcome:
    """Print the counts of a server that is not ours: nothing of it is a failure of this run."""
    passed, skipped = summary.counts["SUCCESS"], summary.counts["SKIPPED"] + summary.counts["INFO"]
    failed = len(summary.unexpected)
    print(f"{upstream}, {revision}: {passed} checks passed, {failed} failed, {skipped} not applicable (for comparison)")
    return Outcome(passed > 0, 0, 0, 0)


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Official MCP conformance suite against the gateway.")
    parser.add_argument("revisions", nargs="*", metavar="REVISION", help=f"of {', '.join(REVISIONS)}; default: all")
    parser.add_argument("--upstream", action="append", choices=UPSTREAMS, help="what to run against; may be repeated")
    parser.add_argument("--url", help="test this server instead of starting one, with the baseline of the upstream")
    options = parser.parse_args()
    if unknown := set(options.revisions) - set(REVISIONS):
        parser.error(f"no baseline for {', '.join(sorted(unknown))}: there are {', '.join(REVISIONS)}")
    if options.url and options.upstream and len(options.upstream) > 1:
        parser.error("--url is one server: name one --upstream")
    return options


def main() -> int:
    """Run the suite for each upstream and revision asked for; return the exit code."""
    options = arguments()
    outcomes: list[Outcome] = []
    try:
        suite = suite_command()
        for upstream in options.upstream or DEFAULT_UPSTREAMS:
            (OUT / upstream).mkdir(parents=True, exist_ok=True)
            with ExitStack() as stack:
                url = options.url or stack.enter_context(serving(upstream, OUT / upstream))
                revisions = options.revisions or REVISIONS
                outcomes += [run_revision(suite, url, revision, upstream) for revision in revisions]
    except CannotRun as reason:
        print(reason, file=sys.stderr)
        return 2
    passed, failed, skipped = (sum(outcome[index] for outcome in outcomes) for index in (1, 2, 3))
    print(f"conformance: {passed} passed, {failed} failed, {skipped} skipped")
    return 0 if all(outcome.as_expected for outcome in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
