"""Says what a run ran on: the class of machine, the versions, how long, and how much the hypervisor took."""

import subprocess
from collections.abc import Callable, Mapping
from importlib import metadata
from typing import Any

from bench.servers import NotRunning, program
from bench.suts import PEERS

_OWN = ("axhub", "uvloop", "httptools", "msgspec", "pydantic", "starlette", "uvicorn", "sqlalchemy")
_OF_PEERS = {
    "mcp-sdk-httpx": ("mcp", "httpx"),
    "mcp-sdk-aiohttp": ("mcp", "aiohttp"),
    "fastmcp-proxy": ("fastmcp",),
    "agent-pydantic-ai": ("pydantic_ai_slim",),
    "agent-langchain": ("langchain", "langgraph", "langgraph_checkpoint_sqlite"),
    "telegrams-construct": ("construct",),
    "telegrams-fixedwidth": ("pydantic_fixedwidth",),
}


def heading(about: Mapping[str, Any]) -> str:
    """Say on what a run ran, and how its figures are to be read."""
    kind, cores = about["machine"], about["cores"]
    return (
        f"# Bench of {about['date']}\n\n{kind['cores']} cores of {kind['cpu']}, {kind['memoryGB']} GB, "
        f"virtual: {kind['virtual']}, Linux {kind['kernel']}, Python {kind['python']}. "
        f"System under test on core {cores['sut']}, wrk on {cores['load']}, upstream on {cores['upstream']}. "
        f"{about['rounds']} rounds of {about['secondsARound']} s, {about['stolenSeconds']} s stolen by "
        f"the hypervisor.\n"
        "Medians over the rounds; ratios are taken round by round and say how many times we are as fast.\n"
        + ", ".join(f"{name} {version}" for name, version in about["versions"].items())
        + ".\n"
    )


def versions() -> dict[str, str]:
    """Return the versions of what was measured, as far as it is installed."""
    found = {name: _own_version(name) for name in _OWN}
    for peer, packages in _OF_PEERS.items():
        for name in packages:
            folders = list((PEERS / peer / "lib").glob(f"python3*/site-packages/{name}-*.dist-info"))
            found[name] = folders[0].name.removeprefix(f"{name}-").removesuffix(".dist-info") if folders else "none"
    found["nginx"] = _printed_version("nginx", "-v", lambda text: text.partition("nginx/")[2].split()[0])
    found["wrk"] = _printed_version("wrk", "-v", lambda text: text.split()[1])
    return found


def _own_version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "none"


def _printed_version(name: str, flag: str, read: Callable[[str], str]) -> str:
    try:
        done = subprocess.run([program(name, name), flag], capture_output=True, text=True, check=False, timeout=10)
        return read(done.stdout + done.stderr)
    except (NotRunning, IndexError):
        return "none"
