"""What the check of a project could not know: the settings that a deployment gives (toolkit/S0, toolkit/S7).

The check judged the service with the configuration inside its package. A variable, a flag or another file may say
otherwise, so a start judges again what follows from settings: the manifest, and how long calls may take.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Self

from axhub.toolkit.config.facts import settings_facts
from axhub.toolkit.config.settings import ServiceSettings
from axhub.toolkit.facts.following import HTTP, MCI
from axhub.toolkit.layout import CONFIGURATION, DEFAULT_TIMEOUT_MILLIS
from axhub.toolkit.published.manifest import Manifest
from axhub.toolkit.published.tool import PublishedTool
from axhub.toolkit.rules.adoption import refusals
from axhub.toolkit.rules.budgets import MAX_TIMEOUT_MILLIS
from axhub.toolkit.rules.model import Text
from axhub.toolkit.rules.telling.authored import in_both
from axhub.toolkit.rules.telling.manifest_faults import of_manifest
from axhub.toolkit.service.called import Called, System
from axhub.toolkit.service.start_words import start_text

__all__ = ["over_budget", "refused"]


def refused(manifest: Manifest, settings: ServiceSettings) -> Iterator[Text]:
    """Yield why a gateway with default limits would not adopt the manifest (gateway/G6)."""
    for finding in refusals(manifest.body, settings.bundle_id, settings.namespace):
        tool = repr(finding.tool[:80]) if finding.tool else ""
        where = Text(f"the tool {tool}", f"도구 {tool}을(를)") if tool else Text("the manifest", "매니페스트를")
        values = {
            **in_both("where", where),
            **in_both("problem", of_manifest(finding.problem)),
            **in_both("mend", of_manifest(finding.mend)),
        }
        yield start_text("refused", pointer=finding.pointer, **values)


def over_budget(
    settings: ServiceSettings,
    tools: Sequence[PublishedTool],
    reached: Mapping[str, frozenset[System]],
    called: Called,
    folder: Path,
) -> Iterator[Text]:
    """Yield which tools have more time than a gateway gives them, or less than their calls may take together.

    Calls that may take too long already with the package's own configuration are none of the deployment's: rule/TK615
    looked at it.

    Args:
        settings: as they are now.
        tools: those that are served.
        reached: the systems of the clients that each tool may reach, by its authored name.
        called: which of them its code calls.
        folder: of the package.
    """
    now, known = _Times.of(settings), _Times.packaged(folder)
    for tool in tools:
        timeout = settings.timeout_millis(tool.name)
        if timeout > MAX_TIMEOUT_MILLIS:
            yield start_text("over-cap", tool=tool.name, timeout=timeout, cap=MAX_TIMEOUT_MILLIS)
            continue
        for systems in _judged(tool.name, sorted(reached.get(tool.name, ())), called, now):
            if now.is_over(tool.name, systems) and not known.is_over(tool.name, systems):
                yield _told(tool.name, systems, now)


def _judged(tool: str, reached: Sequence[System], called: Called, now: "_Times") -> Iterator[Sequence[System]]:
    """Yield what is compared with a tool's time: each call alone, and all that its code makes."""
    alone = [(system,) for system in reached if now.is_over(tool, (system,))]
    yield from alone
    if not alone and len(reached) > 1 and now.is_over(tool, reached):
        yield called.by(tool)


def _told(tool: str, systems: Sequence[System], now: "_Times") -> Text:
    parts = " + ".join(f"{system} {now.total((system,))}" for system in systems)
    values = {"system": str(systems[0]), "total": now.total(systems), "sum": parts, "timeout": now.timeout(tool)}
    return start_text("over-budget" if len(systems) == 1 else "over-sum", tool=tool, **values)


class _Times:
    """How long tools have, and how long calls may take, by one configuration."""

    def __init__(self, timeouts: Mapping[str, int], totals: Mapping[System, int]) -> None:
        self._timeouts = timeouts
        self._totals = totals

    @classmethod
    def of(cls, settings: ServiceSettings) -> Self:
        """Return those of the settings as they are now."""
        apis = {System(HTTP.constant, api.name): api.total_timeout_millis for api in settings.apis}
        systems = {System(MCI.constant, one.name): one.total_timeout_millis for one in settings.systems}
        return cls(settings.timeouts_millis, {**apis, **systems})

    @classmethod
    def packaged(cls, folder: Path) -> Self:
        """Return those of the configuration inside a package, where it says them."""
        file = folder / CONFIGURATION
        if not file.is_file():
            return cls({}, {})
        facts = settings_facts(file, str(CONFIGURATION))
        apis = {System(HTTP.constant, api.name.value): api.total_millis for api in facts.apis}
        systems = {System(MCI.constant, one.name.value): one.total_millis for one in facts.systems}
        return cls({name: written.value for name, written in facts.timeouts.items()}, {**apis, **systems})

    def timeout(self, tool: str) -> int:
        return self._timeouts.get(tool, DEFAULT_TIMEOUT_MILLIS)

    def total(self, systems: Sequence[System]) -> int:
        return sum(self._totals.get(system, 0) for system in systems)

    def is_over(self, tool: str, systems: Sequence[System]) -> bool:
        return bool(systems) and self.total(systems) >= self.timeout(tool)
