"""Values that come from the environment only, and are never shown (toolkit/H1)."""

import re
from dataclasses import dataclass
from typing import Final

from axhub.configuration.kinds import NotAllowedError
from axhub.configuration.values import Raw, Shape

_ALONE: Final = re.compile(r"\$\{[A-Za-z_][A-Za-z0-9_]*\}")


@dataclass(frozen=True, slots=True, repr=False)
class Secret:
    """A text that no log, message or trace shows by accident."""

    _text: str

    def reveal(self) -> str:
        """Return the text, for the place that sends it."""
        return self._text

    def __repr__(self) -> str:
        return "***"


@dataclass(frozen=True, slots=True)
class EnvOnly:
    """A secret: the whole value is one `${NAME}` without a default. No fault shows what was written instead."""

    allowed: str = "${NAME} alone, without a default: a secret comes from a variable of the environment"

    def check_written(self, written: str) -> None:
        """Look at a value before substitution.

        Raises:
            NotAllowedError: it is not one reference.
        """
        if not _ALONE.fullmatch(written):
            raise NotAllowedError("which does not come from one variable", hide=True)

    def read(self, raw: Raw) -> Secret:
        """See `Kind`."""
        if raw.shape is Shape.NOTHING and not raw.written:
            raise NotAllowedError
        self.check_written(raw.written)
        if not raw.text:
            raise NotAllowedError("of a variable that is set to nothing", hide=True)
        if raw.text != raw.text.strip():
            raise NotAllowedError("with blanks or a line break around it", hide=True)
        if not raw.text.isprintable():
            raise NotAllowedError("with characters that cannot be shown", hide=True)
        return Secret(raw.text)
