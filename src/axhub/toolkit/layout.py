"""What all Tool Services have in common: the folders and files of their packages (decision/D26), and a default.

Every part of the toolkit takes these names from here; texts for people spell them out.
"""

from typing import Final

__all__ = [
    "BUSINESS",
    "CONFIG",
    "CONFIGURATION",
    "DEFAULT_TIMEOUT_MILLIS",
    "DEFINITIONS",
    "HTTP",
    "INFRASTRUCTURE",
    "MCI",
    "RESOURCES",
    "SAMPLES",
    "definition_file",
    "mci_sample_file",
    "sample_file",
]

CONFIG: Final = "config"
CONFIGURATION: Final = f"{CONFIG}/service.yaml"
"""Of one environment: addresses, timeouts, what is switched off."""
DEFINITIONS: Final = "tool_definitions"
"""The words of the tools, a folder for each category."""
RESOURCES: Final = "tool_schemas"
"""Schemas that declarations name."""
SAMPLES: Final = "samples"
"""Anonymised answers of the systems behind, a folder for each tool."""
BUSINESS: Final = "biz"
"""Code, a folder for each category."""
INFRASTRUCTURE: Final = "infra"
HTTP: Final = "http"
"""In `infra`, a folder for each API."""
MCI: Final = "mci"
"""In `infra`, a folder for each system."""

DEFAULT_TIMEOUT_MILLIS: Final = 10_000
"""Of a tool whose `tools.<name>.timeoutMillis` is not written (toolkit/S0)."""


def definition_file(category: str, tool: str) -> str:
    """Return where a tool's definition stands, from the package's folder."""
    return f"{DEFINITIONS}/{category}/{tool}.yml"


def sample_file(tool: str, api: str) -> str:
    """Return where the first sample of a tool's API stands, from the package's folder."""
    return f"{SAMPLES}/{tool}/http-{api}.json"


def mci_sample_file(tool: str, interface: str) -> str:
    """Return where the first sample of a tool's MCI interface stands, from the package's folder."""
    return f"{SAMPLES}/{tool}/mci-{interface}.json"
