"""The build hook for hatchling: `[tool.hatch.build.hooks.axhub]` in a project puts the build gate before its builds.

hatchling loads this wherever axhub is installed (entry point `hatch`), for any project that uses a hook of somebody's,
so it imports nothing of the toolkit and does nothing until a project names the hook.
"""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.plugin import hookimpl

if TYPE_CHECKING:
    from axhub.toolkit.gate.building import Passed

_EDITABLE: Final = "editable"
_WHEEL: Final = "wheel"


class AxhubBuildHook(BuildHookInterface[BuilderConfig]):
    """Checks before a build, and seals the wheel after it."""

    PLUGIN_NAME = "axhub"
    _passed: "Passed | None" = None

    def dependencies(self) -> list[str]:
        """Return what an isolated build needs besides: the check imports the package, and so what that imports."""
        return list(self.metadata.core.dependencies)

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling's signature
        """Check the project; an editable installation passes, or nobody could work on an unfinished tool."""
        if version == _EDITABLE:
            return
        from axhub.configuration.languages import language_of
        from axhub.toolkit.gate.building import GateClosedError, pass_gate

        try:
            self._passed = pass_gate(Path(self.root), language_of(os.environ))
        except GateClosedError as error:
            sys.exit(str(error))  # a text is printed without a trace, and the code is 1

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002 - as above
        """Put the receipt into the wheel."""
        if self._passed is None or self.target_name != _WHEEL:
            return
        from axhub.configuration.languages import language_of
        from axhub.toolkit.gate.building import GateClosedError, seal

        try:
            seal(Path(artifact_path), self._passed, language_of(os.environ))
        except GateClosedError as error:
            sys.exit(str(error))


@hookimpl
def hatch_register_build_hook() -> type[AxhubBuildHook]:
    """Tell hatchling about the hook."""
    return AxhubBuildHook
