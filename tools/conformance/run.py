"""Runs the official MCP conformance suite, pinned, against our gateway with the fixture Tool Service behind it.

`tools/conformance/run.py [REVISION…] [--url URL]`: for each revision the suite's exit code decides, given the committed
baseline of failures that we expect, each with its reason (baseline-REVISION.yml). Exit code 0: all as expected; 1: not;
2: the suite cannot run here. Results lie in build/conformance/.
"""

import argparse
import http.client
import json
import os
import platform
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tools.conformance.fixture_tools import BUNDLE
from tools.conformance.results import expected_failures, read_checks, summarise

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
OUT = ROOT / "build" / "conformance"
REVISIONS = ("2025-06-18", "2025-11-25", "2026-07-28")
START_SECONDS, SUITE_SECONDS, INSTALL_SECONDS = 30.0, 300.0, 600.0
CONFIG = """mcp:
  identity: conformance
  bundles:
    - id: {bundle}
      manifestUrl: http://127.0.0.1:{port}/manifest
"""


class CannotRun(Exception):  # noqa: N818 - a state of this machine that is reported, not a fault of ours
    """The suite cannot run here; the message is one sentence for a person."""


def install() -> Path:
    """Install the pinned suite and its Node unless they are there; return the folder of the packages.

    Raises:
        CannotRun: there is no npm, or it could not install.
    """
    modules, lock = HERE / "node_modules", (HERE / "package-lock.json").read_text(encoding="utf-8")
    stamp = modules / ".installed-lock.json"
    if stamp.exists() and stamp.read_text(encoding="utf-8") == lock:
        return modules
    npm = shutil.which("npm")
    if npm is None:
        raise CannotRun("The conformance suite needs npm to be installed (Debian package: npm).")
    command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    done = subprocess.run(command, cwd=HERE, capture_output=True, text=True, check=False, timeout=INSTALL_SECONDS)
    if done.returncode:
        print(done.stderr.strip(), file=sys.stderr)
        raise CannotRun("npm could not install the conformance suite; what it said stands above.")
    stamp.write_text(lock, encoding="utf-8")
    return modules


def suite_command(modules: Path) -> list[str]:
    """Return how the suite is started: with the Node that is pinned beside it, else with the machine's.

    Raises:
        CannotRun: there is no Node that can run it.
    """
    architecture = {"x86_64": "x64", "aarch64": "arm64"}.get(platform.machine(), "none")
    pinned = modules / f"node-linux-{architecture}" / "bin" / "node"
    node = str(pinned) if pinned.exists() else shutil.which("node")
    if node is None:
        raise CannotRun("The conformance suite needs Node 22 or later, and npm has none for this machine.")
    return [node, str(modules / "@modelcontextprotocol" / "conformance" / "dist" / "index.js")]


def free_port() -> int:
    """Return a loopback port that nothing listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def process(command: list[str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run a server with its output in a file; end it afterwards."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("AXHUB_")}
    with log.open("wb") as output:
        server = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, env=environment)
        try:
            yield server
        finally:
            server.terminate()
            try:
                server.wait(10)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


@contextmanager
def gateway() -> Iterator[str]:
    """Run the fixture and a gateway in front of it; give the gateway's URL once it lists the tools.

    Raises:
        CannotRun: one of the two did not come up.
    """
    OUT.mkdir(parents=True, exist_ok=True)
    tools, port, management = free_port(), free_port(), free_port()
    with ExitStack() as stack:
        config = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "gateway.yaml"
        config.write_text(CONFIG.format(bundle=BUNDLE, port=tools), encoding="utf-8")
        fixture = ["tools.conformance.fixture_tools:app", "--app-dir", str(ROOT), "--port", str(tools)]
        stack.enter_context(process([sys.executable, "-m", "uvicorn", *fixture], OUT / "fixture.log"))
        axhub = [str(Path(sys.executable).parent / "axhub"), "gateway", "--config", str(config), "--profile", "local"]
        flags = ["--port", str(port), "--management-port", str(management)]
        server = stack.enter_context(process(axhub + flags, OUT / "gateway.log"))
        await_tools(port, server)
        yield f"http://127.0.0.1:{port}/mcp"


def await_tools(port: int, server: subprocess.Popen[bytes]) -> None:
    """Wait until the gateway lists tools.

    Raises:
        CannotRun: it ended or took too long.
    """
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}})
    headers = {
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": "2025-11-25",
    }
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and server.poll() is None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
        try:
            connection.request("POST", "/mcp", body, headers)
            if connection.getresponse().status == http.HTTPStatus.OK:
                return
        except (OSError, http.client.HTTPException):
            pass  # not yet listening
        finally:
            connection.close()
        time.sleep(0.1)
    raise CannotRun(f"The gateway did not come up; its output is in {(OUT / 'gateway.log').relative_to(ROOT)}.")


def run_revision(suite: list[str], url: str, revision: str) -> tuple[bool, int, int, int]:
    """Run the suite for one revision and print what came of it; return whether all is as expected, and three counts."""
    out, baseline = OUT / revision, HERE / f"baseline-{revision}.yml"
    shutil.rmtree(out, ignore_errors=True)
    flags = ["--url", url, "--suite", "all", "--spec-version", revision, "--output-dir", str(out)]
    command = [*suite, "server", *flags, "--expected-failures", str(baseline)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=SUITE_SECONDS)
    (OUT / f"{revision}.log").write_text(done.stdout + done.stderr, encoding="utf-8")
    summary = summarise(read_checks(out), expected_failures(baseline.read_text(encoding="utf-8")))
    passed, skipped = summary.counts["SUCCESS"], summary.counts["SKIPPED"] + summary.counts["INFO"]
    print(f"{revision}: {passed} checks passed, {summary.expected} failed as expected, {skipped} not applicable")
    for one in summary.unexpected:
        print(f"  {one.status} {one.scenario}:{one.id}: {one.message}")
    if done.returncode and not summary.unexpected:
        print("\n".join(f"  {line}" for line in (done.stdout + done.stderr).splitlines()[-12:]))
    as_expected = done.returncode == 0 and not summary.unexpected and passed > 0
    return as_expected, passed, max(len(summary.unexpected), not as_expected), summary.expected + skipped


def main() -> int:
    """Run the suite for each revision asked for; return the exit code."""
    parser = argparse.ArgumentParser(description="Official MCP conformance suite against the gateway.")
    parser.add_argument("revisions", nargs="*", metavar="REVISION", help=f"of {', '.join(REVISIONS)}; default: all")
    parser.add_argument("--url", help="test this server instead of starting a gateway")
    options = parser.parse_args()
    if unknown := set(options.revisions) - set(REVISIONS):
        parser.error(f"no baseline for {', '.join(sorted(unknown))}: there are {', '.join(REVISIONS)}")
    try:
        suite = suite_command(install())
        with ExitStack() as stack:
            url = options.url or stack.enter_context(gateway())
            outcomes = [run_revision(suite, url, revision) for revision in options.revisions or REVISIONS]
    except CannotRun as reason:
        print(reason, file=sys.stderr)
        return 2
    passed, failed, skipped = (sum(outcome[index] for outcome in outcomes) for index in (1, 2, 3))
    print(f"conformance: {passed} passed, {failed} failed, {skipped} skipped")
    return 0 if all(outcome[0] for outcome in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
