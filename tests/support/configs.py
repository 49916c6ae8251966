"""Configurations for tests: the shortest good one, and a way to load text and look at what is wrong with it."""

from collections.abc import Mapping
from pathlib import Path

from axhub.configuration.faults import Fault
from axhub.gateway.config import ConfigError, Loaded, load
from axhub.gateway.config.flags import Flags

LOCAL = Flags(profile="local")

GOOD = """\
mcp:
  identity: mcp-insurance-core
  bundles:
    - id: insurance-processing
      manifestUrl: http://tool-processing:8080/tool-manifest
"""


def write(folder: Path, text: str | bytes, name: str = "gateway.yaml") -> Path:
    """Put a configuration into a folder."""
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def load_text(
    folder: Path, text: str | bytes, environ: Mapping[str, str] | None = None, flags: Flags | None = None
) -> Loaded:
    """Load a configuration from its text."""
    return load(write(folder, text), environ or {}, flags or Flags())


def faults_of(
    folder: Path, text: str | bytes, environ: Mapping[str, str] | None = None, flags: Flags | None = None
) -> list[Fault]:
    """Return every fault of a configuration, none if it is good."""
    try:
        load_text(folder, text, environ, flags)
    except ConfigError as error:
        return list(error.faults)
    return []


def seen(faults: list[Fault]) -> list[tuple[int, str]]:
    """Return line and key of each fault."""
    return [(fault.place.line, fault.key) for fault in faults]
