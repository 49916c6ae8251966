"""The build gate before setuptools: a PEP 517 backend that checks, lets setuptools build, and seals the wheel.

```toml
[build-system]
requires = ["setuptools>=80", "axhub[toolkit]"]
build-backend = "axhub.toolkit.gate.setuptools_backend"
```
"""

import os
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

from setuptools import build_meta  # type: ignore[import-untyped]  # it ships no types

from axhub.configuration.languages import language_of
from axhub.toolkit.gate.building import GateClosedError, Passed, pass_gate, seal

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

Settings: TypeAlias = Mapping[str, Any] | None
"""What the user of a build frontend says with `--config-setting`."""

build_editable: Final = build_meta.build_editable
get_requires_for_build_editable: Final = build_meta.get_requires_for_build_editable
prepare_metadata_for_build_editable: Final = build_meta.prepare_metadata_for_build_editable
prepare_metadata_for_build_wheel: Final = build_meta.prepare_metadata_for_build_wheel


def get_requires_for_build_sdist(config_settings: Settings = None) -> list[str]:
    """Return what an isolated build needs besides: the check imports the package, and so what that imports."""
    return [*build_meta.get_requires_for_build_sdist(config_settings), *_dependencies()]


def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:
    """Return the same for a wheel."""
    return [*build_meta.get_requires_for_build_wheel(config_settings), *_dependencies()]


def build_sdist(sdist_directory: str, config_settings: Settings = None) -> str:
    """Check, then build an sdist; return its name."""
    _pass()
    return str(build_meta.build_sdist(sdist_directory, config_settings))


def build_wheel(wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None) -> str:
    """Check, build a wheel and put the receipt into it; return its name."""
    passed = _pass()
    name = str(build_meta.build_wheel(wheel_directory, config_settings, metadata_directory))
    try:
        seal(Path(wheel_directory, name), passed, language_of(os.environ))
    except GateClosedError as error:
        sys.exit(str(error))
    return name


def _pass() -> Passed:
    try:
        return pass_gate(Path.cwd(), language_of(os.environ))
    except GateClosedError as error:
        sys.exit(str(error))  # a text is printed without a trace, and the code is 1


def _dependencies() -> list[str]:
    """Return what stands in `[project] dependencies`; setuptools says itself what is wrong with the file."""
    document = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))
    return list(document.get("project", {}).get("dependencies", ()))
