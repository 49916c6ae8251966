"""`axhub run`: the samples and a gateway on this machine, until Ctrl-C. `make run` is this command.

The sample Tool Service is `examples/insurance_tools`, built with the toolkit and served by `axhub service`; the systems
behind it are mocks that it answers for itself, from its samples. The sample of an application with an assistant is
`examples/order_service`, on a database that lives as long as this command.
"""

import argparse
import asyncio
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from axhub.cli import children, run_orders, tools_view
from axhub.cli.children import Child, ChildEndedError
from axhub.cli.parsing import Subparsers, add_command
from axhub.cli.run_preconditions import (
    CONFIG,
    HOST,
    SAMPLE,
    Ports,
    StartError,
    check_free,
    check_libraries,
    find_root,
    read_ports,
)

READY_SECONDS: Final = 20.0
_CLONE: Final = Path(__file__).resolve().parents[3]
_CALLS: Final = (
    ("cmm_claim_search", '{"contractNo": "2023-0001234"}', "an HTTP API"),
    ("ins_loan_inquiry", '{"contractNo": "2023-0001234"}', "a system that speaks telegrams over TCP"),
)
"""Tools, their arguments, and what stands behind them."""
_READY: Final = "/actuator/health/readiness"
_EPILOG: Final = """\
ports, each with the environment variable that changes it:
  AXHUB_PORT             8080  the MCP endpoint
  AXHUB_MANAGEMENT_PORT  9090  health, status and metrics
  AXHUB_TOOLS_PORT       8081  the sample Tool Service
  AXHUB_ORDERS_PORT      8082  the order service, a sample of an application with an assistant

example:
  AXHUB_PORT=18080 axhub run

exit codes:
  0  stopped by Ctrl-C or SIGTERM
  1  something could not start, or ended by itself"""
_HOW_TO: Final = """\

Try it in another terminal:
  {axhub} tools list {url}
  {axhub} tools call {url} ins_insurance_processor --args '{{"contractNo": "2023-0001234"}}'
  curl http://127.0.0.1:{management}/actuator/toolBundles

Connect an MCP client; for VS Code, for example, in .vscode/mcp.json:
  {{"servers": {{"axhub": {{"type": "http", "url": "{url}"}}}}}}

The tools are the Python package in {sample}.
The systems behind them are mocks, and answer from its folder samples: change a file there and call again."""
_END: Final = """\

What the parts log: {logs}
Ctrl-C stops everything, and forgets the orders.
"""


def add_parser(commands: Subparsers) -> None:
    """Add `axhub run` to the command line."""
    parser = add_command(commands, "run", "show the samples and a gateway at work, until Ctrl-C", _EPILOG)
    parser.set_defaults(run=run)


def run(_: argparse.Namespace) -> int:
    """Run the sample until it is stopped and return the exit code."""
    logs = Path(tempfile.mkdtemp(prefix="axhub-run-"))
    try:
        root, ports = find_root((Path.cwd(), _CLONE)), read_ports(os.environ)
        check_libraries()
        check_free(ports)
        asyncio.run(_until_stopped(root, ports, logs))
    except (StartError, ChildEndedError) as error:
        print(f"axhub run: {error}", file=sys.stderr)
        return 1
    finally:
        shutil.rmtree(logs, ignore_errors=True)
    print("stopped", file=sys.stderr)
    return 0


async def _until_stopped(root: Path, ports: Ports, logs: Path) -> None:
    """Do the work until a signal comes; a second one ends the children at once."""
    stopped, started = asyncio.Event(), list[Child]()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(number, _on_signal, stopped, started)
    work, stop = asyncio.ensure_future(_work(root, ports, logs, started)), asyncio.ensure_future(stopped.wait())
    try:
        await asyncio.wait((work, stop), return_when=asyncio.FIRST_COMPLETED)
        if work.done():
            work.result()
    finally:
        work.cancel()
        stop.cancel()
        await asyncio.gather(work, stop, return_exceptions=True)
        await children.stop(started)


def _on_signal(stopped: asyncio.Event, started: Sequence[Child]) -> None:
    if stopped.is_set():
        for child in started:
            children.kill(child)
    stopped.set()


async def _work(root: Path, ports: Ports, logs: Path, started: list[Child]) -> None:
    """Start the parts in order, show a call, then watch: ends only by an exception."""
    environ = {**os.environ, **ports.environment()}
    url, database = f"http://{HOST}:{ports.mcp}/mcp", f"sqlite:///{logs / 'orders.sqlite3'}"
    _say(f"starting the sample Tool Service on port {ports.tools}")
    command, with_sample = _tools_command(ports), environ | {"PYTHONPATH": _python_path(root, environ)}
    tools = await children.start("the sample Tool Service", command, with_sample, logs / "tools.log", grace=3)
    started.append(tools)
    _say(f"starting the order service on port {ports.orders}")
    with_orders = run_orders.environment(root, environ, ports.orders, database)
    orders = await children.start(run_orders.NAME, run_orders.command(), with_orders, logs / "orders.log", grace=10)
    started.append(orders)
    await _until_ok(tools, ports.tools, _READY, started)
    _say(f"starting the gateway on port {ports.mcp}, its management on port {ports.management}")
    command = _gateway_command(root, ports)
    gateway = await children.start("the gateway", command, environ, logs / "gateway.log", grace=10)
    started.append(gateway)
    await _until_ok(gateway, ports.management, _READY, started)
    await children.unless_one_ends(_show(url), started)
    await _until_ok(orders, ports.orders, run_orders.HEALTH, started)
    sample = _seen_from_here(root / SAMPLE)
    _say(_HOW_TO.format(axhub=_program(), url=url, management=ports.management, sample=sample))
    people = run_orders.read_people(orders.log)
    _say(run_orders.how_to(people, ports.orders, database, _program()))
    _say(_END.format(logs=logs))
    _say(f"ready: {url}")
    await children.watch(started)


def _tools_command(ports: Ports) -> Sequence[str]:
    where = ("--host", HOST, "--port", str(ports.tools))
    return (sys.executable, "-m", "axhub.cli.main", "service", SAMPLE.name, "--profile", "local", *where)


def _python_path(root: Path, environ: Mapping[str, str]) -> str:
    """Return where Python is to look for the sample, before all else."""
    return os.pathsep.join(filter(None, (str(root / SAMPLE.parent), environ.get("PYTHONPATH"))))


def _gateway_command(root: Path, ports: Ports) -> Sequence[str]:
    where = ("--host", HOST, "--port", str(ports.mcp), "--management-port", str(ports.management))
    config = ("--profile", "local", "--config", str(root / CONFIG))
    return (sys.executable, "-m", "axhub.cli.main", "gateway", *config, *where)


async def _until_ok(
    child: Child, port: int, path: str, started: Sequence[Child], seconds: float = READY_SECONDS
) -> None:
    """Wait until a child answers 200 there, unless any one ends."""
    try:
        async with asyncio.timeout(seconds):
            await children.unless_one_ends(children.until_ok(HOST, port, path), started)
    except TimeoutError:
        message = f"{child.name} was not ready within {seconds:g} s; its last lines:\n{child.last_lines()}"
        raise StartError(message) from None


async def _show(url: str) -> None:
    """List the tools and call some through the official MCP client, and print what happened."""
    from axhub.cli import mcp_client

    target = mcp_client.Target(url, timeout=READY_SECONDS)
    try:
        listing = await mcp_client.list_tools(target)
        results = [await mcp_client.call_tool(target, tool, arguments.encode()) for tool, arguments, _ in _CALLS]
    except (mcp_client.UnreachableError, mcp_client.AnsweredError) as error:
        raise StartError(f"the call through the gateway failed: {error}") from None
    contents = [result.model_dump(mode="json", by_alias=True)["content"] for result in results]
    for result, content in zip(results, contents, strict=True):
        if result.is_error:
            raise StartError(f"the call through the gateway failed: {tools_view.text_of(content)}")
    _say(f"the official MCP client found {len(listing.tools)} tools: {', '.join(tool.name for tool in listing.tools)}")
    for (tool, arguments, behind), content in zip(_CALLS, contents, strict=True):
        _say(f"it called {tool}, which asks {behind}, with {arguments} and got:")
        _say("\n".join(f"  {line}" for line in tools_view.answer(content).splitlines()))


def _program() -> str:
    """Return what to type for `axhub` here: in a clone it stands in the virtual environment, not on the PATH."""
    here = Path(sys.executable).with_name("axhub")
    return "axhub" if shutil.which("axhub") or not here.exists() else _seen_from_here(here)


def _seen_from_here(path: Path) -> str:
    return os.path.relpath(path) if path.is_relative_to(Path.cwd()) else str(path)


def _say(text: str) -> None:
    print(text, flush=True)
