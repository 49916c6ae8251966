"""Where an import stands that does not end: the process writes its own frames down before it is ended (rule/TK002)."""

import ast
import faulthandler
import os
import re
import signal
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from axhub.toolkit.facts.service import Place

__all__ = ["Hung", "ask", "listen", "read_frames"]

_SIGNAL: Final = signal.SIGUSR1
_FRAME: Final = re.compile(r'^  File "(?P<file>.*)", line (?P<line>[0-9]+) in (?P<name>.*)$', re.MULTILINE)
_ESCAPED: Final = re.compile(r"\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8}))")
_MODULE: Final = "<module>"
_SECONDS: Final = 1.0
_STEP: Final = 0.02


@dataclass(frozen=True, slots=True)
class Hung:
    """An import that did not end."""

    values: Mapping[str, str]
    """See `Facts.import_hung`."""
    place: Place


def listen(descriptor: int) -> None:
    """Let this process write the frames of its main thread to an open file when it is asked to."""
    faulthandler.register(_SIGNAL, file=descriptor, all_threads=False)


def ask(process: int, file: IO[bytes]) -> str:
    """Ask a process for its frames and return what it has written soon after; empty if nothing."""
    os.kill(process, _SIGNAL)
    end = time.monotonic() + _SECONDS
    text = b""
    while time.monotonic() < end:
        time.sleep(_STEP)
        file.seek(0)
        before, text = text, file.read()
        if text and text == before:
            break
    return text.decode("ascii", "replace")


def read_frames(text: str, folder: Path, root: Path, package: str, seconds: float) -> Hung:
    """Return where an import stood, from frames with the innermost first.

    Args:
        text: what `ask` returned.
        folder: of the package.
        root: what places are relative to.
        package: is named where no module of it can be.
        seconds: how long it was waited for.
    """
    frames = [(Path(_plain(found["file"])), int(found["line"]), found["name"]) for found in _FRAME.finditer(text)]
    own = [frame for frame in frames if frame[0].is_relative_to(folder)]
    values = {"module": package, "seconds": f"{seconds:g}", "at": "", "called": ""}
    if not own:
        return Hung(values, Place((folder / "__init__.py").relative_to(root).as_posix(), 1))
    file, line, _ = own[0]
    importing = next((one for one, _, name in own if name == _MODULE), folder / "__init__.py")
    place = Place(file.relative_to(root).as_posix(), line)
    module = ".".join((package, *importing.relative_to(folder).with_suffix("").parts)).removesuffix(".__init__")
    return Hung({**values, "module": module, "at": str(place), "called": _called(file, line)}, place)


def _plain(text: str) -> str:
    """Return a path as it is; what is not ASCII was written by its number."""
    return _ESCAPED.sub(lambda found: chr(int(found[1] or found[2] or found[3], 16)), text)


def _called(file: Path, line: int) -> str:
    """Return what is called in a line, the innermost of several as it is written; empty if nothing is."""
    try:
        tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError):
        return ""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.lineno <= line <= _end(node)]
    return ast.unparse(calls[-1].func) if calls else ""


def _end(node: ast.Call) -> int:
    return node.end_lineno or node.lineno
