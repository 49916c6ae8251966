"""A configuration that is typed and not yet judged, and what rules ask it: whose an address is, and who chose it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from axhub.configuration.document import Document
from axhub.configuration.faults import Fault, Place, Where
from axhub.configuration.flatten import Flat
from axhub.configuration.source import Scalar
from axhub.configuration.values import Reference, Substituted, references, substitute
from axhub.toolkit.config.keys import TABLE

__all__ = ["Draft", "is_this_machine"]

_STAND_IN: Final = "1"
"""Instead of what a variable says: as a host or a whole address it is none, as a port it is one."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A typed document with what the rules need to know besides."""

    document: Document
    flat: Flat
    """What it was made of."""
    environ: Mapping[str, str]
    profile: str

    def fault(self, path: str, found: str, allowed: str, place: Place | None = None) -> Fault:
        """Return a fault of the key at `path`."""
        return Fault(place or self.document.place(path), TABLE.whole(path), found, allowed)

    def written(self, key: str) -> str:
        """Return what the file says, with a stand-in for what the environment does; empty where it says nothing."""
        value = self.flat.entries[key].value
        if not isinstance(value, Scalar) or value.place.where is not Where.FILE:
            return ""
        own = dict.fromkeys(self.environ, _STAND_IN)
        return substitute(value.text, own, lambda name: Substituted(str(self.document.value(name)), ())).text

    def variable(self, key: str) -> str:
        """Return the variable that would say otherwise: the first that a value reads and that is not set."""
        value = self.flat.entries[key].value
        return next(self._unset(value.text) if isinstance(value, Scalar) else iter(()), TABLE.variable(key))

    def _unset(self, text: str) -> Iterator[str]:
        for part in references(text):
            if isinstance(part, Reference) and "." not in part.name and part.name not in self.environ:
                yield part.name


def is_this_machine(host: str) -> bool:
    """Say whether a host is this machine itself."""
    return host == "localhost" or host.endswith(".localhost") or host.startswith("127.") or host == "::1"
