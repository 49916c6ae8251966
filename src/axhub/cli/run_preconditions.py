"""What must hold before `axhub run` starts anything: a clone, free ports, the libraries. All faults are sentences."""

import socket
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple

from axhub.cli.listening import MAX_PORT

HOST: Final = "127.0.0.1"
SAMPLE: Final = Path("examples/insurance_tools/src/insurance_tools")
ORDERS: Final = Path("examples/order_service/src/order_service")
CONFIG: Final = Path("config/gateway.yaml")
_PORTS: Final = {
    "AXHUB_PORT": 8080,
    "AXHUB_MANAGEMENT_PORT": 9090,
    "AXHUB_TOOLS_PORT": 8081,
    "AXHUB_ORDERS_PORT": 8082,
}
_LIBRARIES: Final = (
    *("aiohttp", "aiosqlite", "alembic", "cryptography", "jwt", "mcp", "prometheus_client", "pydantic", "sqlalchemy"),
    *("starlette", "uvicorn"),
)


class StartError(Exception):
    """The samples cannot run; the message says why and what to do."""


class Ports(NamedTuple):
    """Where everything listens, in the order of the environment variables."""

    mcp: int
    management: int
    tools: int
    orders: int

    def environment(self) -> dict[str, str]:
        """Return the variables that say so to the programs started."""
        return {variable: str(port) for variable, port in zip(_PORTS, self, strict=True)}


def find_root(candidates: Sequence[Path]) -> Path:
    """Return the first folder that has the samples and their configuration.

    Raises:
        StartError: none has, which is so outside a clone.
    """
    needed = (SAMPLE / "app.py", ORDERS / "main.py", CONFIG)
    for root in candidates:
        if all((root / part).is_file() for part in needed):
            return root
    missing = " and ".join(str(part) for part in needed if not (candidates[0] / part).is_file())
    raise StartError(
        f"{missing} not found in {candidates[0]}: the samples come with a clone of the project, not with the package. "
        "Run them in a clone, or serve your own Tool Services with `axhub gateway --config FILE`."
    )


def read_ports(environ: Mapping[str, str]) -> Ports:
    """Read the ports from the environment; an empty variable counts as absent.

    Raises:
        StartError: a value is no port, or two are the same; every fault is named.
    """
    values = {variable: environ.get(variable, "") or str(default) for variable, default in _PORTS.items()}
    faults = [
        f"{variable}={value} is not a port (a number from 1 to {MAX_PORT})"
        for variable, value in values.items()
        if not (value.isascii() and value.isdigit() and 0 < int(value[:6]) <= MAX_PORT)
    ]
    ports = [] if faults else [int(value) for value in values.values()]
    if not faults and len(set(ports)) < len(ports):
        faults = ["the ports must differ: " + ", ".join(f"{variable}={value}" for variable, value in values.items())]
    if faults:
        raise StartError("; ".join(faults))
    return Ports(*ports)


def check_libraries(names: Sequence[str] = _LIBRARIES) -> None:
    """Raise `StartError` unless the libraries are there that the samples need beside the gateway's."""
    missing = [name for name in names if find_spec(name) is None]
    if missing:
        raise StartError(
            f"{' and '.join(missing)} not installed; this brings it: pip install 'axhub[client,toolkit,agent]'"
        )


def check_free(ports: Ports) -> None:
    """Raise `StartError` if one of the ports is taken, naming each with the variable that moves it."""
    taken = [
        f"port {port} is taken: set {variable} to a free one, for example {variable}={_other(port)}"
        for variable, port in zip(_PORTS, ports, strict=True)
        if not _is_free(port)
    ]
    if taken:
        raise StartError("; ".join(taken))


def _other(port: int) -> int:
    return port + 10_000 if port + 10_000 <= MAX_PORT else port - 10_000


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # a connection just closed does not count
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True
