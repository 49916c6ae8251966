"""Walks through a page of the documents as its reader would: makes its files, types its commands, compares answers.

A block of code after `<!-- file: PATH -->` is the content of a file. In a `console` block, lines after `$ ` are typed
and the lines below are what comes back, where `…` on a line of its own stands for any lines, and within a line for any
text. A command after `<!-- stays: URL -->` is left running until the end of the walk, and waited for at that URL.
"""

import re
import signal
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from support.author import environ

_BLOCK: Final = re.compile(
    r"(?:^<!-- (?P<kind>file|stays): (?P<what>[^\n]+?) -->\n+)?^```(?P<language>[a-z]+)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
_ANY: Final = "…"
_PATIENCE: Final = 30


@dataclass(frozen=True)
class Block:
    """One block of code with what the comment before it says."""

    kind: str
    what: str
    language: str
    text: str

    def commands(self) -> Iterator[tuple[str, str]]:
        """Yield each command of a console block with what it answers."""
        for part in re.split(r"^\$ ", self.text, flags=re.MULTILINE)[1:]:
            lines = part.split("\n")
            last = next(at for at, line in enumerate(lines) if not line.endswith("\\"))
            yield "\n".join(lines[: last + 1]), "\n".join(lines[last + 1 :]).strip("\n")


def blocks(page: str) -> list[Block]:
    """Return the blocks of a page that a reader uses: files and consoles."""
    found = [
        Block(match["kind"] or "", match["what"] or "", match["language"], match["text"])
        for match in _BLOCK.finditer(page)
    ]
    return [block for block in found if block.kind or block.language == "console"]


def agrees(said: str, expected: str) -> bool:
    """Say whether a text is as a page shows it."""
    pattern = "".join(
        r"(?:.*\n)*" if line == _ANY else f"{re.escape(line).replace(_ANY, '.*')}\n" for line in expected.splitlines()
    )
    return re.fullmatch(pattern, "".join(f"{line.rstrip()}\n" for line in said.strip("\n").splitlines())) is not None


@dataclass
class Walk:
    """One reader at work in a folder."""

    folder: Path
    replacements: Mapping[str, str] = field(default_factory=dict)
    """What this reader has instead of what the page says, ports for instance."""
    typed: list[str] = field(default_factory=list)
    _running: list["subprocess.Popen[bytes]"] = field(default_factory=list)

    def follow(self, page: str) -> None:
        """Do everything that the page says."""
        for block in blocks(self._own(page)):
            if block.kind == "file":
                place = self.folder / block.what
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_text(block.text, encoding="utf-8")
            elif block.kind == "stays":
                for command, _ in block.commands():
                    self._leave_running(command, block.what)
            else:
                for command, expected in block.commands():
                    self._type(command, expected)

    def close(self) -> list[int]:
        """End what was left running, the last first, and return the exit codes."""
        running, self._running = self._running, []
        codes = []
        for process in reversed(running):
            process.send_signal(signal.SIGTERM)
            codes.append(process.wait(_PATIENCE))
        return codes

    def _own(self, text: str) -> str:
        for shown, own in self.replacements.items():
            text = text.replace(shown, own)
        return text

    def _type(self, command: str, expected: str) -> None:
        self.typed.append(command)
        if command.startswith("cd "):
            self.folder = self.folder / command.removeprefix("cd ")
            return
        ran = subprocess.run(
            ["bash", "-c", command],
            cwd=self.folder,
            env=environ(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
            timeout=_PATIENCE,
        )
        said = ran.stdout.decode()
        assert agrees(said, expected), f"$ {command}\n--- says\n{said}\n--- and the page says\n{expected}"

    def _leave_running(self, command: str, url: str) -> None:
        self.typed.append(command)
        log = (self.folder / f".log-{len(self._running)}").open("wb")
        process = subprocess.Popen(
            ["bash", "-c", f"exec {command}"], cwd=self.folder, env=environ(), stdout=log, stderr=log
        )
        log.close()
        self._running.append(process)
        until = time.monotonic() + _PATIENCE
        while not _answers(url):
            said = (self.folder / f".log-{len(self._running) - 1}").read_text(encoding="utf-8")
            assert process.poll() is None, f"$ {command}\nended with {process.returncode}:\n{said}"
            assert time.monotonic() < until, f"$ {command}\n{url} does not answer:\n{said}"
            time.sleep(0.05)


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=1) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False
