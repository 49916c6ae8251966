"""Sample answers of MCI systems, as files have them (toolkit/B4).

`samples/{tool}/mci-{INTERFACE}.json` holds the data of an answer by the names of its fields, or
`{"request": {…}, "answer": {…}}`: then it answers requests with these members; with `"error": {"code", "message"}` in
place of the answer the system refuses. `mci-{INTERFACE}.hex` is a captured data section: hexadecimal digits, blanks
between them, and comments from `#` to the end of a line. Further ones are `mci-{INTERFACE}-2.json` and so on.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

from axhub.toolkit.connectors.samples import BrokenSample
from axhub.toolkit.layout import SAMPLES
from axhub.toolkit.mci import Layout, from_plain

__all__ = ["HEX", "PREFIX", "MciSample", "interface_of", "number_of", "read_mci_sample", "sample_files"]

PREFIX: Final = "mci-"
"""What the names of these files begin with."""
HEX: Final = ".hex"
"""What the names of captured ones end with."""
_JSON: Final = ".json"
_COMMENT: Final = re.compile(r"#[^\n]*")
_NUMBER: Final = re.compile(r"-[0-9]+$")
_CASES: Final = (frozenset({"request", "answer"}), frozenset({"request", "error"}))

_L = TypeVar("_L", bound=Layout)


@dataclass(frozen=True, slots=True)
class MciSample:
    """One file that can be used."""

    file: str
    """What it is called."""
    request: Mapping[str, Any] | None
    """What a request must have, by the names of its fields; None: anything."""
    answer: Mapping[str, Any] | bytes | None
    """The data of the answer by the names of its fields, or as bytes; None: the system refuses."""
    error: tuple[str, str] | None = None
    """Code and words of a refusal."""

    def data(self, layout: type[_L]) -> _L:
        """Return the data of the answer.

        Raises:
            TelegramError: the bytes are none of the layout.
            ValueError: the members are none; the message names the place, never what stands there.
        """
        return layout.decode(self.answer) if isinstance(self.answer, bytes) else from_plain(layout, self.answer or {})


def interface_of(stem: str) -> str:
    """Return which interface's sample a file is: `mci-CLCNNB00001-2` is one of `CLCNNB00001`."""
    return _NUMBER.sub("", stem.removeprefix(PREFIX))


def number_of(stem: str, interface: str) -> int:
    """Return which of an interface's samples a file is; the first has no number."""
    rest = stem.removeprefix(f"{PREFIX}{interface}").removeprefix("-")
    return int(rest) if rest.isdecimal() else 0


def sample_files(folder: Path, interface: str) -> list[Path]:
    """Return the samples of an interface, in the order of tools and numbers.

    Args:
        folder: of the package, with `samples` in it.
        interface: its id.
    """
    found = [
        file
        for file in folder.glob(f"{SAMPLES}/*/{PREFIX}*")
        if file.suffix in {_JSON, HEX} and interface_of(file.stem) == interface
    ]
    return sorted(found, key=lambda file: (file.parent.name, number_of(file.stem, interface), file.suffix))


def read_mci_sample(file: Path, shown: str) -> MciSample | BrokenSample:
    """Read a file; `shown` is what it is called."""
    kind = "hexadecimal digits" if file.suffix == HEX else "JSON"
    try:
        text = file.read_text(encoding="utf-8")
        if file.suffix == HEX:
            return MciSample(shown, None, bytes.fromhex(_COMMENT.sub("", text)))
        value = json.loads(text)
    except (OSError, ValueError, RecursionError) as error:
        return BrokenSample(shown, f"not readable as {kind} in UTF-8 ({type(error).__name__})")
    if not isinstance(value, dict):
        return BrokenSample(shown, "it has to be an object with the fields of the answer")
    return _case(shown, value) if value.keys() in _CASES else MciSample(shown, None, value)


def _case(shown: str, value: Mapping[str, Any]) -> MciSample | BrokenSample:
    request, answer, error = value["request"], value.get("answer"), value.get("error")
    if not isinstance(request, dict):
        return BrokenSample(shown, "request has to be an object with the fields that a request must have")
    if "answer" in value:
        if isinstance(answer, dict):
            return MciSample(shown, request, answer)
        return BrokenSample(shown, "answer has to be an object with the fields of the answer")
    code, message = (error.get("code"), error.get("message", "")) if isinstance(error, dict) else (None, None)
    if isinstance(code, str) and code and isinstance(message, str):
        return MciSample(shown, request, None, (code, message))
    return BrokenSample(shown, 'error has to be an object such as {"code": "E0042", "message": "…"}')
