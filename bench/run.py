"""Measures our gateway beside nginx, the official Python SDK and fastmcp's proxy, our toolkit beside bare Starlette and
the SDK, our codec of telegrams beside construct and pydantic-fixedwidth, our agent beside Pydantic AI and LangChain.

`bench/run.py [--quick] [--toolkit | --mcp | --telegrams | --agent [--long]] [--check]`: tables on standard output,
everything in bench/out/. Exit code 1 if one of our systems could not be measured or had errors or, with --check, missed
a goal. Peers that are not there yet are installed first.
"""

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench import agent, prepare, session
from bench.plan import FULL, QUICK
from bench.servers import NotRunning

OUT = Path(__file__).resolve().parent / "out"
PARTS = ("agent", "mcp", "telegrams", "toolkit")
"""What can be asked for alone."""


def main() -> int:
    """Run, print, write; return the exit code."""
    parser = argparse.ArgumentParser(description="Side-by-side benchmark of the gateway and the toolkit.")
    parser.add_argument("--quick", action="store_true", help="about a minute: fewer cases, 3 rounds of one second")
    parser.add_argument("--toolkit", action="store_true", help="only what is about the toolkit, not the gateway")
    parser.add_argument("--mcp", action="store_true", help="only the gateway before an MCP server")
    parser.add_argument("--telegrams", action="store_true", help="only the codec of telegrams (a few seconds)")
    parser.add_argument("--check", action="store_true", help="exit with 1 if a goal is missed")
    parser.add_argument("--no-install", action="store_true", help="do not install peers; what is missing is not run")
    parser.add_argument("--agent", action="store_true", help="only the agent library (a few minutes)")
    parser.add_argument("--long", action="store_true", help="with --agent: its memory over ten thousand turns")
    options = parser.parse_args()
    if not options.no_install:
        prepare.install_all()
    with tempfile.TemporaryDirectory(prefix="axhub-bench-") as folder:
        try:
            outcome = _outcome(options, Path(folder))
        except NotRunning as reason:
            print(f"The bench cannot run: {reason}", file=sys.stderr)
            return 1
    OUT.mkdir(exist_ok=True)
    part = next((f"-{name}" for name in PARTS if getattr(options, name)), "")
    kind = ("quick" if options.quick else "full") + part
    stem = f"{kind}-{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}"
    (OUT / f"{stem}.json").write_text(json.dumps(outcome.document, indent=1, ensure_ascii=False), encoding="utf-8")
    (OUT / f"{stem}.md").write_text(outcome.text, encoding="utf-8")
    print(f"written: bench/out/{stem}.json and .md")
    return 1 if outcome.broken or (options.check and outcome.missed) else 0


def _outcome(options: argparse.Namespace, folder: Path) -> session.Outcome:
    plan = QUICK if options.quick else FULL
    if options.agent:
        extent = agent.Extent(plan.agents)
        return session.run_agents(plan, extent._replace(memory=agent.LONG) if options.long else extent)
    if options.telegrams:
        return session.run_telegrams(plan)
    if options.mcp:
        return session.run(plan.of_mcp(), folder)
    return session.run(plan.of_the_toolkit() if options.toolkit else plan, folder)


if __name__ == "__main__":
    sys.exit(main())
