"""Names of a catalogue's tools as a model is shown them (decision/D4, AG-P24).

MCP takes names that providers of models refuse: with dots, slashes, capitals, or of another script. Such a name becomes
a legal one that still can be read, with a hash that keeps two of them apart. The same source and name give the same
result in every process, whatever else is in the catalogue; the way back is a table, made when the application starts.
"""

import hashlib
import re
from typing import Final

from axhub.agent.domain.definition import NAME

__all__ = ["model_name"]

_OTHERS: Final = re.compile(r"[^a-z0-9]+")
_HASH_CHARACTERS: Final = 10
_LONGEST: Final = 64
_NAMELESS: Final = "tool"


def model_name(source: str, name: str) -> str:
    """Return the name for the model: the tool's own if every provider takes it, else a readable one with a hash.

    Args:
        source: the id of the catalogue; two of them may have tools of the same name.
        name: the tool's in that catalogue.
    """
    if NAME.fullmatch(name):
        return name
    readable = _OTHERS.sub("_", name.lower()).strip("_")
    if not readable[:1].isalpha():
        readable = f"{_NAMELESS}_{readable}".rstrip("_")
    mark = hashlib.sha256(f"{source}\0{name}".encode(errors="surrogatepass")).hexdigest()[:_HASH_CHARACTERS]
    return f"{readable[: _LONGEST - len(mark) - 1].rstrip('_')}_{mark}"
