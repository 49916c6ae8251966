"""What a `ToolService` was told, and how a failed start is told: light enough for an author's `app.py`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from axhub.toolkit.config.settings import ServiceSettings
from axhub.toolkit.rules.model import Text

if TYPE_CHECKING:
    from axhub.toolkit.service.wiring import Provide

__all__ = ["Options", "StartError"]


class StartError(Exception):
    """The service cannot start; `problems` lists everything that could be found, a sentence each."""

    def __init__(self, reasons: Sequence[Text]) -> None:
        self.reasons = tuple(dict.fromkeys(reasons))
        """All reasons, in both languages."""
        self.problems = tuple(reason.en for reason in self.reasons)
        super().__init__(self.said("en"))

    def said(self, language: str) -> str:
        """Return the whole message in a language: `en` or `ko`."""
        count, at = len(self.reasons), Text._fields.index(language)
        heading = Text(
            f"the Tool Service cannot start, {count} problem{'' if count == 1 else 's'}:",
            f"도구 서비스를 시작할 수 없습니다. 문제 {count}건:",
        )
        return "\n".join([heading[at], *(f"  - {reason[at]}" for reason in self.reasons)])


@dataclass(frozen=True, slots=True)
class Options:
    """What the author, the command line or a test says about one service."""

    package: str
    provide: "Provide" = ()
    config: Path | None = None
    profile: str | None = None
    environ: Mapping[str, str] | None = None
    """None: the process's."""
    host: str | None = None
    """Instead of `server.host`."""
    port: int | None = None
    """Instead of `server.port`."""
    settings: ServiceSettings | None = None
    """Instead of a configuration file."""

    def changed(self, **said: Any) -> "Options":
        """Return these options with whatever is not None in its place."""
        return replace(self, **{name: value for name, value in said.items() if value is not None})
