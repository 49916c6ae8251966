"""`axhub mock`: fake legacy systems that answer from a Tool Service's samples (toolkit/B4)."""

import argparse
import asyncio
import os
import signal
import socket
import sys
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from axhub.cli.listening import CannotListenError, bound, origin, port
from axhub.cli.parsing import Subparsers

if TYPE_CHECKING:
    from axhub.toolkit.config.mocked import Mocked
    from axhub.toolkit.connectors.mock_faults import Misbehaviour
    from axhub.toolkit.connectors.mock_systems import MockSystems

STOPPED: Final = 0
FAILED: Final = 1
REFUSED: Final = 2
_PORT: Final = 8090
_DESCRIPTION: Final = """\
Serve fake legacy HTTP systems for a Tool Service: each API of its config/service.yaml answers at the path of its entry,
from the files samples/{tool}/http-{api}.json.

  axhub mock .                                   for the Tool Service in this folder
  axhub mock claim_tools --port 9000             for a package
  axhub mock . --fault claim=delay:2000          and one of them is slow
"""
_EPILOG: Final = """\
A sample is the answer itself, or {"request": {...}, "answer": ..., "status": 404}: then it answers requests that have
these members. Samples are read anew for each request.
faults: API=delay:MILLISECONDS, API=fail:STATUS, API=cut, API=garble, API=reset; * is every API; several add up
exit codes: 0 stopped by a signal, 1 it cannot listen there, 2 there is nothing to serve"""


def add_parser(commands: Subparsers) -> None:
    """Add `mock`."""
    parser = commands.add_parser(
        "mock",
        help="serve fake legacy systems from samples",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("target", metavar="PACKAGE_OR_PROJECT", help="a project's folder, or the name of a package")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (127.0.0.1)")
    parser.add_argument("--port", type=port, default=_PORT, help=f"port to listen on ({_PORT}; 0: any free one)")
    parser.add_argument("--fault", action="append", default=[], metavar="API=KIND", help="let one misbehave")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Serve until a signal comes; return the exit code."""
    from axhub.configuration.faults import ConfigError
    from axhub.toolkit.check.project import CannotCheckError
    from axhub.toolkit.config.mocked import load_mocked
    from axhub.toolkit.connectors.mock_faults import read_faults
    from axhub.toolkit.connectors.mock_systems import MockSystems
    from axhub.toolkit.layout import CONFIGURATION

    try:
        folder = package_folder(args.target, Path.cwd())
        mocked = load_mocked(folder / CONFIGURATION, os.environ)
        faults = read_faults(args.fault, [api.name for api in mocked.apis])
    except (ConfigError, CannotCheckError, ValueError) as error:
        print(f"axhub mock: {error}", file=sys.stderr)
        return REFUSED
    if not mocked.apis:
        print(f"axhub mock: {folder / CONFIGURATION} names no API in glow.communication.http.api-list", file=sys.stderr)
        return REFUSED
    try:
        listening = bound(args.host, args.port)
    except CannotListenError as error:
        print(f"axhub mock: {error}", file=sys.stderr)
        return FAILED
    systems = MockSystems(mocked.apis, folder)
    lines = _introduction(origin(args.host, listening.getsockname()[1]), mocked, systems, faults)
    asyncio.run(_serve(systems, faults, listening, "\n".join(lines)))
    return STOPPED


def package_folder(target: str, here: Path) -> Path:
    """Return the folder of a package that is named, or whose project is.

    Args:
        target: the name of a package, or a path in a project.
        here: where a package is looked for, in it and in its `src`, before it is where Python looks.

    Raises:
        ValueError: there is none.
    """
    from axhub.toolkit.check.project import find_project

    if target.isidentifier():
        for folder in (here / "src" / target, here / target):
            if (folder / "__init__.py").is_file():
                return folder
        found = find_spec(target)
        if found is not None and found.submodule_search_locations:
            return Path(next(iter(found.submodule_search_locations)))
        if not (here / target).exists():
            raise ValueError(f"there is no package {target!r} and no such folder; name a Tool Service's folder")
    return find_project(here / target).folder


async def _serve(
    systems: "MockSystems", faults: "Mapping[str, Misbehaviour]", listening: socket.socket, introduction: str
) -> None:
    from axhub.toolkit.connectors.mock_server import MockServer

    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    async with MockServer(systems, faults, listening, lambda line: print(line, flush=True)):
        print(introduction, flush=True)
        await stopped.wait()


def _introduction(
    origin: str, mocked: "Mocked", systems: "MockSystems", faults: "Mapping[str, Misbehaviour]"
) -> Iterator[str]:
    yield f"mock systems on {origin}; Ctrl-C ends them"
    for api in mocked.apis:
        samples = systems.samples_of(api.name)
        told = ", ".join(samples) or f"no sample: write samples/TOOL/http-{api.name}.json"
        fault = f"  ({faults[api.name]})" if api.name in faults else ""
        yield f"  {api.name}  {api.method} {systems.paths_of(api.name)[0]}  {told}{fault}"
        if hidden := systems.never_answered(api.name):
            yield f"    never answered, since one before is for the same requests: {', '.join(hidden)}"
            yield '    to tell them apart write {"request": {…}, "answer": …} into them, with members of the request'
    if mocked.variables:
        yield "to call them, start the service with:"
        for variable in dict.fromkeys(mocked.variables.values()):
            yield f"  {variable}={origin}"
