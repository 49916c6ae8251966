"""What a check finds: one value a fault, with its place and its mend."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault of a manifest, shown to people by the log, `axhub manifest check` and the build gate."""

    rule: str
    """Stable id of the rule, dotted: `tool.name.pattern`."""
    pointer: str
    """JSON pointer (RFC 6901) into the document; empty for the whole."""
    tool: str | None
    """The tool's name where it could be read."""
    problem: str
    """What is wrong, in one sentence, without quoting more than a short excerpt."""
    mend: str
    """What to do about it."""
