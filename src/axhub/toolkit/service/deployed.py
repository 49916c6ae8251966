"""What the check of a project could not know: the settings that a deployment gives (toolkit/S0, toolkit/S7).

The check judged the service with the configuration inside its package. A variable, a flag or another file may say
otherwise, so a start judges again what follows from settings: the manifest, and how long calls may take.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from axhub.toolkit.config.facts import settings_facts
from axhub.toolkit.config.settings import ServiceSettings
from axhub.toolkit.layout import CONFIGURATION, DEFAULT_TIMEOUT_MILLIS
from axhub.toolkit.published.manifest import Manifest
from axhub.toolkit.published.tool import PublishedTool
from axhub.toolkit.rules.adoption import refusals
from axhub.toolkit.rules.budgets import MAX_TIMEOUT_MILLIS

__all__ = ["over_budget", "refused"]


def refused(manifest: Manifest, settings: ServiceSettings) -> Iterator[str]:
    """Yield why a gateway with default limits would not adopt the manifest (gateway/G6)."""
    for finding in refusals(manifest.body, settings.bundle_id, settings.namespace):
        where = f"the tool {finding.tool[:80]!r}" if finding.tool else "the manifest"
        yield f"{where} would be refused by a gateway: {finding.problem} ({finding.pointer}); {finding.mend}"


def over_budget(
    settings: ServiceSettings,
    tools: Sequence[PublishedTool],
    used: Mapping[str, frozenset[str]],
    folder: Path,
) -> Iterator[str]:
    """Yield which tools have more time than a gateway gives them, or less than a call of theirs may take.

    A call that may take too long already with the package's own configuration is none of the deployment's: rule/TK615
    looked at it, and knows more closely which tool makes which calls.

    Args:
        settings: as they are now.
        tools: those that are served.
        used: the `API_NAME`s of the clients that each tool may reach, by its authored name.
        folder: of the package.
    """
    totals = {api.name: api.total_timeout_millis for api in settings.apis}
    known = _packaged(folder)
    for tool in tools:
        timeout = settings.timeout_millis(tool.name)
        if timeout > MAX_TIMEOUT_MILLIS:
            yield (
                f"tools.{tool.name}.timeoutMillis is {timeout}, and a gateway cuts a call off after "
                f"{MAX_TIMEOUT_MILLIS} ms; give it {MAX_TIMEOUT_MILLIS} or less"
            )
            continue
        for api in sorted(used.get(tool.name, ())):
            total = totals.get(api, 0)
            if total >= timeout and not known.is_over(tool.name, api):
                yield (
                    f"a call of the API {api} may take {total} ms (totalTimeoutMillis), which is not less than the "
                    f"timeout of {tool.name}, {timeout} ms; raise tools.{tool.name}.timeoutMillis or lower the other"
                )


class _Packaged:
    """The times of the configuration inside the package, where it says them."""

    def __init__(self, timeouts: Mapping[str, int], totals: Mapping[str, int]) -> None:
        self._timeouts = timeouts
        self._totals = totals

    def is_over(self, tool: str, api: str) -> bool:
        return self._totals.get(api, 0) >= self._timeouts.get(tool, DEFAULT_TIMEOUT_MILLIS)


def _packaged(folder: Path) -> _Packaged:
    file = folder / CONFIGURATION
    if not file.is_file():
        return _Packaged({}, {})
    facts = settings_facts(file, str(CONFIGURATION))
    timeouts = {name: written.value for name, written in facts.timeouts.items()}
    return _Packaged(timeouts, {api.name.value: api.total_millis for api in facts.apis})
