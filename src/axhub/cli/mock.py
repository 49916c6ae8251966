"""`axhub mock`: fake legacy systems that answer from a Tool Service's samples (toolkit/B4)."""

import argparse
import asyncio
import os
import signal
import socket
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from axhub.cli.check import add_language
from axhub.cli.listening import CannotListenError, bound, closing_on_error, origin, port
from axhub.cli.mock_mci import (
    MciListening,
    listen,
    package_parts,
    started,
    told_systems,
    told_variables,
)
from axhub.cli.mock_words import in_language, told
from axhub.cli.parsing import Help, Subparsers
from axhub.configuration.languages import Language, language_of

if TYPE_CHECKING:
    from axhub.toolkit.config.mocked import Mocked
    from axhub.toolkit.connectors.mci.mock_faults import MciMisbehaviour
    from axhub.toolkit.connectors.mci.parts import Parts
    from axhub.toolkit.connectors.mock_faults import Misbehaviour
    from axhub.toolkit.connectors.mock_systems import Answering, MockSystems

STOPPED: Final = 0
FAILED: Final = 1
REFUSED: Final = 2
_PORT: Final = 8090
_DESCRIPTION: Final = """\
Serve fake legacy systems for a Tool Service: each API of its config/service.yaml answers at the path of its entry, from
the files samples/{tool}/http-{api}.json, and each MCI system from samples/{tool}/mci-{INTERFACE}.json or .hex: over TCP
on the ports after --port, over HTTP at the path of its entry.

  axhub mock .                                   for the Tool Service in this folder
  axhub mock claim_tools --port 9000             for a package
  axhub mock . --fault claim=delay:2000          and one of them is slow
"""
_EPILOG: Final = """\
A sample is the answer itself, or {"request": {...}, "answer": ..., "status": 404}: then it answers requests that have
these members. Samples are read anew for each request.
faults: API=delay:MILLISECONDS, API=fail:STATUS, API=cut, API=garble, API=reset; * is every API; several add up
faults of MCI systems over TCP, besides these with fail:CODE: half (in two parts), double (the answer twice),
late:MILLISECONDS (the answer a second time, that much later), wrong (the answer to another question)
exit codes: 0 stopped by a signal, 1 it cannot listen there, 2 there is nothing to serve"""


def add_parser(commands: Subparsers) -> None:
    """Add `mock`."""
    parser = commands.add_parser(
        "mock",
        help="serve fake legacy systems from samples",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=Help,
        allow_abbrev=False,
    )
    parser.add_argument("target", metavar="PACKAGE_OR_PROJECT", help="a project's folder, or the name of a package")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (127.0.0.1)")
    parser.add_argument("--port", type=port, default=_PORT, help=f"port to listen on ({_PORT}; 0: any free one)")
    parser.add_argument("--fault", action="append", default=[], metavar="API=KIND", help="let one misbehave")
    add_language(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Serve until a signal comes; return the exit code."""
    from axhub.configuration.faults import ConfigError
    from axhub.toolkit.check.project import CannotCheckError
    from axhub.toolkit.layout import CONFIGURATION

    language = language_of(os.environ, args.lang)
    try:
        folder = package_folder(args.target, Path.cwd())
        mocks = _mocks_of(folder, args.fault)
    except (ConfigError, CannotCheckError, ValueError) as error:
        print(f"axhub mock: {told(error, language)}", file=sys.stderr)
        return REFUSED
    if not (mocks.mocked.apis or mocks.mocked.systems):
        nothing = (
            f"{folder / CONFIGURATION} names no API in glow.communication.http.api-list, and no system in "
            "glow.communication.mci.system-list"
        )
        print(f"axhub mock: {in_language(nothing, language)}", file=sys.stderr)
        return REFUSED
    try:
        listening = bound(args.host, args.port)
        with closing_on_error(listening):
            first = args.port + 1 if args.port else 0
            systems = listen(mocks.mocked, mocks.parts, folder, mocks.mci_faults, (args.host, first))
    except CannotListenError as error:
        print(f"axhub mock: {error.said(language)}", file=sys.stderr)
        return FAILED
    here = origin(args.host, listening.getsockname()[1])
    lines = [
        *_introduction(here, mocks),
        *told_systems(here, args.host, mocks.mocked, mocks.parts, folder, systems),
        *_variables(here, args.host, mocks, systems),
    ]
    introduction = "\n".join([*(in_language(line, language) for line in lines), *_unread(folder, mocks, language)])
    asyncio.run(_serve(mocks, listening, systems, introduction))
    return STOPPED


@dataclass(frozen=True, slots=True)
class _Mocks:
    """What is served."""

    mocked: "Mocked"
    parts: "Mapping[str, Parts]"
    systems: "MockSystems"
    answering: "Answering"
    """The same with the MCI systems over HTTP."""
    faults: "Mapping[str, Misbehaviour]"
    mci_faults: "Mapping[str, MciMisbehaviour]"


def _mocks_of(folder: Path, faults: Sequence[str]) -> _Mocks:
    """Return what a package's configuration has to be served.

    Raises:
        ConfigError: the configuration lacks what a mock needs.
        ValueError: a fault is none, or the package cannot be imported.
    """
    from axhub.toolkit.config.mocked import load_mocked
    from axhub.toolkit.connectors.mci.mock_bodies import MciBodies
    from axhub.toolkit.connectors.mci.mock_faults import read_all_faults
    from axhub.toolkit.connectors.mock_systems import MockSystems
    from axhub.toolkit.layout import CONFIGURATION

    mocked = load_mocked(folder / CONFIGURATION, os.environ)
    over_http = [one.name for one in mocked.systems if one.transport == "http"]
    over_tcp = [one.name for one in mocked.systems if one.transport != "http"]
    found, mci_faults = read_all_faults(faults, [*(api.name for api in mocked.apis), *over_http], over_tcp)
    parts = package_parts(folder, mocked)
    systems = MockSystems(mocked.apis, folder)
    return _Mocks(mocked, parts, systems, MciBodies(mocked.systems, parts, folder, systems), found, mci_faults)


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


async def _serve(mocks: _Mocks, listening: socket.socket, systems: Sequence[MciListening], introduction: str) -> None:
    from axhub.toolkit.connectors.mock_server import MockServer

    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    async with AsyncExitStack() as stack:
        server = MockServer(mocks.answering, mocks.faults, listening, lambda line: print(line, flush=True))
        await stack.enter_async_context(server)
        await started(stack, systems)
        print(introduction, flush=True)
        await stopped.wait()


def _introduction(origin: str, mocks: _Mocks) -> Iterator[str]:
    yield f"mock systems on {origin}; Ctrl-C ends them"
    systems, faults = mocks.systems, mocks.faults
    for api in mocks.mocked.apis:
        samples = systems.samples_of(api.name)
        told = ", ".join(samples) or f"no sample: write samples/TOOL/http-{api.name}.json"
        fault = f"  ({faults[api.name]})" if api.name in faults else ""
        yield f"  {api.name}  {api.method} {systems.paths_of(api.name)[0]}  {told}{fault}"
        if hidden := systems.never_answered(api.name):
            yield f"    never answered, since one before is for the same requests: {', '.join(hidden)}"
            yield '    to tell them apart write {"request": {…}, "answer": …} into them, with members of the request'


def _unread(folder: Path, mocks: _Mocks, language: Language) -> Iterator[str]:
    """Yield what to do about samples whose names make nothing of this read them."""
    from axhub.toolkit.connectors.unread import told_unread

    interfaces = {interface for parts in mocks.parts.values() for interface in (*parts.requests, *parts.answers)}
    for told_of in told_unread(folder, {api.name for api in mocks.mocked.apis}, interfaces):
        yield told_of.ko if language == "ko" else told_of.en


def _variables(origin: str, host: str, mocks: _Mocks, systems: Sequence[MciListening]) -> Iterator[str]:
    lines = [
        *(f"  {variable}={origin}" for variable in mocks.mocked.variables.values()),
        *told_variables(origin, host, mocks.mocked, systems),
    ]
    if lines:
        yield "to call them, start the service with:"
        yield from dict.fromkeys(lines)
