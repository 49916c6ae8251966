"""The small model as a process of its own, and what it was told; `make test-model` installs it."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from support import tree
from tools.small_model.wire import MODEL

IS_WANTED: Final = os.environ.get("AXHUB_SMALL_MODEL") == "1"
NAME: Final = f"openai:{MODEL}"
END_SECONDS: Final = 10.0


@dataclass(frozen=True)
class Told:
    """One request that the model's server received, and what the model wrote."""

    headers: Sequence[tuple[str, str]]
    text: str
    """The body, as it came."""
    written: str

    @cached_property
    def body(self) -> dict[str, Any]:
        read: dict[str, Any] = json.loads(self.text)
        return read

    @property
    def all(self) -> str:
        """All of it in which something could be that no model should be told."""
        return "\n".join([*(f"{name}: {value}" for name, value in self.headers), self.text])


@dataclass(frozen=True)
class SmallModel:
    """A served model."""

    base_url: str
    record: Path

    def told(self, since: int = 0) -> list[Told]:
        """Return what it was told, from the request with this number on."""
        lines = self.record.read_text(encoding="utf-8").splitlines() if self.record.exists() else []
        read = [json.loads(line) for line in lines[since:]]
        return [Told([tuple(one) for one in line["headers"]], line["body"], line["written"]) for line in read]

    def settings(self, framework: str) -> Mapping[str, str]:
        """Return the variables that make the order service ask it, through a framework."""
        return {
            "ORDER_SERVICE_MODEL": NAME,
            "ORDER_SERVICE_MODEL_FRAMEWORK": framework,
            "ORDER_SERVICE_MODEL_BASE_URL": self.base_url,
        }


@contextmanager
def small_model(folder: Path, *flags: str) -> Iterator[SmallModel]:
    """Serve it on a port of its own; it is gone at the end of the block."""
    record, log = folder / "told.jsonl", folder / "log"
    command = [sys.executable, "-m", "tools.small_model", "--port", "0", "--record", str(record), *flags]
    with log.open("w") as errors:
        process = subprocess.Popen(command, cwd=tree.ROOT, stdout=subprocess.PIPE, stderr=errors, text=True)
    try:
        assert process.stdout is not None
        found = re.fullmatch(r"small model: (http://127\.0\.0\.1:\d+/v1)\n", process.stdout.readline())
        if found is None:
            process.wait(END_SECONDS)
            raise AssertionError(f"the small model does not serve: {log.read_text()}")
        yield SmallModel(found[1], record)
    finally:
        process.terminate()
        try:
            process.communicate(timeout=END_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
