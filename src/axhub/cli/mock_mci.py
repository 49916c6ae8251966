"""The MCI part of `axhub mock`: systems over TCP, each on a port of its own, and what is said of them (toolkit/B4)."""

import socket
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from axhub.cli.listening import bound

if TYPE_CHECKING:
    from axhub.toolkit.config.mocked import Mocked
    from axhub.toolkit.config.settings import MciSystemSettings
    from axhub.toolkit.connectors.mci.mock_faults import MciMisbehaviour
    from axhub.toolkit.connectors.mci.mock_systems import MciMock
    from axhub.toolkit.connectors.mci.parts import Parts

__all__ = ["MciListening", "listen", "package_parts", "started", "told_systems", "told_variables"]


@dataclass(frozen=True, slots=True)
class MciListening:
    """One system over TCP with its bound socket."""

    system: "MciSystemSettings"
    mock: "MciMock"
    socket: socket.socket
    fault: "MciMisbehaviour"

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self.socket.getsockname()[1])


def package_parts(folder: Path, mocked: "Mocked") -> "Mapping[str, Parts]":
    """Return what a package says about its MCI systems; without any nothing of it is imported.

    Args:
        folder: of the package.
        mocked: its configuration.

    Raises:
        ValueError: it cannot be imported, or lacks the envelope of a system; the message says what to do.
    """
    from axhub.toolkit.connectors.mci.parts import parts_of

    if not mocked.systems:
        return {}
    sys.path.insert(0, str(folder.parent))
    try:
        parts = parts_of(folder.name)
    except Exception as error:
        raise ValueError(
            f"the package {folder.name} cannot be imported ({type(error).__name__}); axhub check says where"
        ) from error
    lacking = [system.name for system in mocked.systems if system.name not in parts]
    if lacking:
        raise ValueError(
            f"the MCI system {lacking[0]} cannot be mocked: no folder of infra/mci has its ENVELOPE; "
            f"write infra/mci/{lacking[0]}/envelope.py"
        )
    return parts


def listen(
    mocked: "Mocked",
    parts: "Mapping[str, Parts]",
    folder: Path,
    faults: "Mapping[str, MciMisbehaviour]",
    where: tuple[str, int],
) -> list[MciListening]:
    """Return the systems over TCP, bound to the ports from one on; from 0 on: to any free ones.

    Raises:
        CannotListenError: a port cannot be had.
    """
    from axhub.toolkit.connectors.mci.mock_faults import GOOD
    from axhub.toolkit.connectors.mci.mock_systems import MciMock

    host, first = where
    found: list[MciListening] = []
    with ExitStack() as bounds:
        for system in (one for one in mocked.systems if one.transport == "tcp"):
            listening = bounds.enter_context(bound(host, first + len(found) if first else 0))
            mock = MciMock(parts[system.name], folder)
            found.append(MciListening(system, mock, listening, faults.get(system.name, GOOD)))
        bounds.pop_all()
    return found


async def started(stack: AsyncExitStack, listening: Sequence[MciListening]) -> None:
    """Serve the systems until the stack is closed."""
    from axhub.toolkit.connectors.mci.mock_server import MciMockServer

    for one in listening:
        server = MciMockServer(one.system, one.mock, one.socket, lambda line: print(line, flush=True), one.fault)
        await stack.enter_async_context(server)


def told_systems(
    origin: str, host: str, mocked: "Mocked", parts: "Mapping[str, Parts]", folder: Path, there: Sequence[MciListening]
) -> Iterator[str]:
    """Yield a line for each system and each of its interfaces."""
    from axhub.toolkit.connectors.mci.mock_systems import MciMock

    ports = {one.system.name: one for one in there}
    for system in mocked.systems:
        if (own := ports.get(system.name)) is not None:
            fault = f"  ({own.fault})" if str(own.fault) else ""
            yield f"  {system.name}  TCP {host}:{own.port}{fault}"
        else:
            yield f"  {system.name}  POST {origin}{system.url}"
        mock = MciMock(parts[system.name], folder)
        for interface in mock.interfaces:
            samples = ", ".join(mock.samples_of(interface))
            yield f"    {interface}  {samples or f'no sample: write samples/TOOL/mci-{interface}.json'}"


def told_variables(origin: str, host: str, mocked: "Mocked", there: Sequence[MciListening]) -> Iterator[str]:
    """Yield the variables that let a service find these systems."""
    ports = {one.system.name: one.port for one in there}
    for name, moving in mocked.system_variables.items():
        values = {"host": host, "port": str(ports[name])} if name in ports else {"domain": origin}
        for key, value in values.items():
            if key in moving:
                yield f"  {moving[key]}={value}"
