"""`axhub tools watch URL`: the list of tools once, and from then on what comes, goes and changes (gateway/C5).

A server that cannot be reached any more is asked until it is back; only one that never answered ends the command.
"""

import argparse
import asyncio
import json
import os
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from axhub.cli import tools_view
from axhub.cli.arguments import UsageError
from axhub.cli.tables import one_line, terminal_width, wants_colour
from axhub.cli.tools_changes import Changes, change_lines, compare

if TYPE_CHECKING:
    from axhub.cli.mcp_client import Listing, Target

EPILOG: Final = """\
examples:
  axhub tools watch http://127.0.0.1:8080/mcp
  axhub tools watch http://127.0.0.1:8080/mcp --json | jq -r 'select(.event == "change") | .removed[]'

Servers of MCP 2026-07-28 tell when their list changes; others are asked every so often (--every). A server that goes
away is waited for. --json prints one object a line, the list first:
  {"at": "2026-11-30T09:00:00.000Z", "event": "list", "url": …, "protocol": …, "server": …, "tools": [each tool]}
  {"at": …, "event": "change", "added": [each new tool], "removed": [names],
   "changed": [{"name": …, "members": ["description", …]}]}

exit codes:
  0  ended by Ctrl-C
  1  the server refused, at the very first
  2  the command line is wrong
  3  no MCP server has ever answered at URL"""

_FIRST_PAUSE, _LONGEST_PAUSE = 0.25, 15.0
_LEAVING_SECONDS: Final = 3.0
"""How long a server has to take leave of its client after Ctrl-C."""
_LASTED: Final = 30.0
"""After a connection that held so long, in seconds, the next try comes soon again."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what only this command has."""
    parser.add_argument(
        "--every",
        metavar="SECONDS",
        type=float,
        default=30.0,
        help="how often to ask a server that does not tell of changes (default: 30)",
    )


async def watch(args: argparse.Namespace, target: "Target") -> int:
    """Watch until cancelled; a server that hangs keeps nobody from leaving.

    Raises:
        UsageError: the interval is none.
        UnreachableError, AnsweredError: the server did not answer the first time, or refused.
    """
    watching = asyncio.create_task(_watch(args, target))
    try:
        return await asyncio.shield(watching)
    except asyncio.CancelledError:
        watching.cancel()
        await asyncio.wait({watching}, timeout=_LEAVING_SECONDS)
        if not watching.done():
            sys.stdout.flush()
            os._exit(0)  # closing the event loop would wait for the server once more
        if not watching.cancelled():
            watching.exception()  # what broke while it was left: nobody wants to know
        raise


async def _watch(args: argparse.Namespace, target: "Target") -> int:
    from axhub.cli.mcp_client import AnsweredError, UnreachableError
    from axhub.cli.mcp_watch import Following, follow

    if not 0 < args.every < float("inf"):
        raise UsageError(f"--every takes a number of seconds above 0; found {args.every:g}")
    seen = _Seen(target.url, args.json)
    following = Following(args.every, seen.listed, lambda found: seen.asking(found, args.every), seen.waiting)
    loop, pause = asyncio.get_running_loop(), _FIRST_PAUSE
    while True:
        began = loop.time()
        try:
            await follow(target, following)
            problem = "the server has ended the subscription"
        except (UnreachableError, AnsweredError) as error:
            if not seen.ever:
                raise
            problem = str(error)
        seen.lost(problem)
        pause = _FIRST_PAUSE if loop.time() - began > _LASTED else min(pause * 2, _LONGEST_PAUSE)
        await asyncio.sleep(pause)


class _Seen:
    """What has been seen and told so far."""

    def __init__(self, url: str, as_json: bool) -> None:
        self._url = url
        self._as_json = as_json
        self._known: Sequence[Mapping[str, Any]] | None = None
        self._lost = False
        self._explained = False

    @property
    def ever(self) -> bool:
        """Whether the server has ever answered."""
        return self._known is not None

    def listed(self, found: "Listing") -> None:
        """Show the first list, and from then on what is not as it was."""
        if self._lost:
            self._lost = False
            _say("connected again")
        tools = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in found.tools]
        known, self._known = self._known, tools
        if known is None:
            self._show_list(found, tools)
        elif changes := compare(known, tools):
            self._show_changes(changes)

    def waiting(self) -> None:
        """Say once that the server will tell."""
        self._explain("waiting for changes")

    def asking(self, found: "Listing", every: float) -> None:
        """Say once that the server will not tell."""
        self._explain(f"no change notices from this server at MCP {found.protocol}: asking every {every:g} s")

    def lost(self, problem: str) -> None:
        """Say, once an outage, why the server cannot be followed at the moment."""
        if not self._lost:
            self._lost = True
            _say(f"{problem} (connecting again until it works)")

    def _explain(self, what: str) -> None:
        if not self._explained:
            self._explained = True
            _say(f"{what}; Ctrl-C ends this")

    def _show_list(self, found: "Listing", tools: Sequence[Mapping[str, Any]]) -> None:
        if self._as_json:
            server = dict(zip(("name", "version"), found.server, strict=True)) if found.server else None
            head = {"url": self._url, "protocol": found.protocol, "server": server}
            self._print_json("list", {**head, "tools": tools})
            return
        for line in tools_view.tool_lines(tools, terminal_width(sys.stdout), wants_colour(sys.stdout)):
            print(line)
        print(tools_view.summary(len(tools), found.server, found.protocol), flush=True)

    def _show_changes(self, changes: Changes) -> None:
        if self._as_json:
            changed = [{"name": tool["name"], "members": members} for tool, members in changes.changed]
            removed = [tool["name"] for tool in changes.went]
            self._print_json("change", {"added": changes.came, "removed": removed, "changed": changed})
            return
        time = _now().astimezone().strftime("%H:%M:%S")
        for line in change_lines(time, changes, terminal_width(sys.stdout)):
            print(line, flush=True)

    def _print_json(self, event: str, more: Mapping[str, Any]) -> None:
        at = _now().isoformat(timespec="milliseconds").replace("+00:00", "Z")
        print(json.dumps({"at": at, "event": event, **more}, ensure_ascii=False), flush=True)


def _now() -> datetime:
    return datetime.now(UTC)  # noqa: TID251 -- shown and nothing else; the command line has no port for time


def _say(message: str) -> None:
    """Tell the person; standard output is for lists and changes."""
    print(f"axhub tools: {one_line(message)}", file=sys.stderr, flush=True)
