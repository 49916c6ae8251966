"""Runs each tool once for each of its samples, with the definition's first valid example as arguments (rule/TK503).

What the author's `app.py` provides is not used, since importing it starts something, and a check asks nobody's
database: a tool that needs it is not run. Nor is one whose classes do anything when they are made (`plain`); and what
a tool reaches for while it runs is refused (`guard`).
"""

import asyncio
import gc
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from axhub.toolkit.check.inspection import package_folder
from axhub.toolkit.config.settings import HttpApiSettings
from axhub.toolkit.connectors.samples import BrokenSample
from axhub.toolkit.context import Encrypted, ToolContext, current_context
from axhub.toolkit.errors import ToolError
from axhub.toolkit.facts.service import Imported, Located
from axhub.toolkit.inspecting.awaiting import listening
from axhub.toolkit.inspecting.client import SampleClients, TriedSample, UnansweredError
from axhub.toolkit.inspecting.guard import guarded
from axhub.toolkit.inspecting.plain import is_plain
from axhub.toolkit.inspecting.telling import Returned, said
from axhub.toolkit.inspecting.variables import StandIns, unset_variable
from axhub.toolkit.ports import EmployeeCipher, HttpClient, MciClient, RepeatStore
from axhub.toolkit.published.tool import FoundTool
from axhub.toolkit.published.validation import SchemaValidator
from axhub.toolkit.rules.model import Text
from axhub.toolkit.service.repeat import MemoryRepeatStore
from axhub.toolkit.service.results import ResultWriter
from axhub.toolkit.service.use_case import use_case
from axhub.toolkit.service.wiring import Wiring, WiringError

__all__ = ["Limits", "Runs", "Trial", "run_trials"]

_NUMBER: Final = "00000000"


@dataclass(frozen=True, slots=True)
class Limits:
    """How long it may take, in seconds."""

    one: float = 3.0
    all: float = 10.0


@dataclass(frozen=True, slots=True)
class Trial:
    """One tool with what it is run on."""

    tool: FoundTool
    imported: Imported
    request: Any
    """Validated; None for a tool without arguments."""
    samples: tuple[TriedSample | BrokenSample, ...]
    variables: tuple[str, ...] = ()
    """Of the environment, which the definition says to be set whenever the tool runs."""


@dataclass(frozen=True, slots=True)
class Runs:
    """What became of the trials."""

    done: Mapping[str, str | None]
    """What is wrong with each sample by its path; None: the tool makes a valid answer of it. Samples that nothing can
    be said about are left out."""
    reaches: Mapping[str, Located[str]]
    """What a tool reached for while it was tried, by its name; see `guard.guarded`."""
    untried: Mapping[str, str]
    """Why a tool was not run, by its name; see `Imported.untried`."""


def run_trials(
    trials: list[Trial], package: str, root: Path, limits: Limits, entries: Mapping[str, HttpApiSettings]
) -> Runs:
    """Run tools on their samples.

    Args:
        trials: what to run.
        package: its classes are built as the service would build them.
        root: what paths in messages are relative to.
        limits: hold whatever the tools do.
        entries: how the configuration says that each API is asked, as far as that is known.
    """
    with guarded(root) as noted, _young_collections():
        running = _Running(package, root, limits.one, noted, entries)
        thread = threading.Thread(target=running.all, args=(trials,), daemon=True)  # what blocks is left behind
        thread.start()
        thread.join(limits.all)
    done, blocking = dict(running.done), running.now
    if blocking is not None:
        done[blocking] = f"all samples together took longer than {limits.all:g} seconds, and this one has not ended"
    return Runs(done, dict(running.reaches), dict(running.untried))


@contextmanager
def _young_collections() -> Iterator[None]:
    """Let the collection after each trial look at what the trial made, and not at all that was imported."""
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def _ports(clients: SampleClients) -> Mapping[Any, Callable[[], Any]]:
    return {
        HttpClient: lambda: clients.http,
        MciClient: lambda: clients.mci,
        RepeatStore: MemoryRepeatStore,
        EmployeeCipher: _Cipher,
    }


class _Cipher:
    async def decrypt(self, _: Encrypted) -> str:
        return _NUMBER


class _NotPlainError(WiringError):
    """Making an instance would do something."""

    def __init__(self, maker: Callable[..., Any]) -> None:
        self.name: str = getattr(maker, "__qualname__", str(maker))
        super().__init__(Text(self.name, self.name))


class _Trying(Wiring):
    """Makes what does nothing by being made."""

    def __init__(self, package: str, clients: SampleClients) -> None:
        super().__init__(package, (), _ports(clients))
        self._own = package

    def made_by(self, maker: Callable[..., Any], given: Mapping[str, Any]) -> Any:
        """See `Wiring.made_by`."""
        if not is_plain(maker, self._own):
            raise _NotPlainError(maker)
        return super().made_by(maker, given)


@dataclass(frozen=True, slots=True)
class _Ended:
    """How a run ended."""

    problem: str | None = None
    is_own: bool = False
    """Whether it is the tool's own fault, whatever it was answered."""
    is_raised: bool = False
    """Whether something in the author's code ended it."""
    unset: str | None = None
    """The variable of the environment that it ended with, if it did."""


@dataclass(slots=True)
class _Running:
    """Runs in a thread of its own and notes what comes out, by path of the sample."""

    package: str
    root: Path
    seconds: float
    noted: list[Located[str]]
    """What was refused so far."""
    entries: Mapping[str, HttpApiSettings]
    done: dict[str, str | None] = field(default_factory=dict)
    reaches: dict[str, Located[str]] = field(default_factory=dict)
    untried: dict[str, str] = field(default_factory=dict)
    now: str | None = None
    """The sample that is being tried."""

    def all(self, trials: list[Trial]) -> None:
        for trial in trials:
            self._tool(trial)

    def _tool(self, trial: Trial) -> None:
        unasked: dict[str, str] = {}
        for sample in trial.samples:
            if isinstance(sample, BrokenSample):
                self.done[sample.file] = sample.problem
            elif sample.is_success and trial.tool.name not in self.reaches:
                self.now = sample.sample.file
                unasked.update(self._one(trial, sample))
                self.now = None
        if unasked and not any(self.done.get(_path(sample)) for sample in trial.samples):
            first = next(iter(unasked))  # the tool fails whatever it is answered, and once is enough to say so
            self.done[first] = unasked[first]

    def _one(self, trial: Trial, sample: TriedSample) -> Mapping[str, str]:
        """Try one sample; return what is wrong with the tool if it did not even ask for it."""
        name, path = trial.tool.name, sample.sample.file
        before = len(self.noted)
        with StandIns(trial.variables) as stand_ins:
            ended, clients = self._tried(trial, sample)
            while stand_ins.set(ended.unset):
                ended, clients = self._tried(trial, sample)
        if len(self.noted) > before:
            found = self.noted[before]
            place = found.place if found.place.file else trial.tool.place  # another thread did it for the tool
            self.reaches[name] = Located(found.value, place)
        elif stand_ins.are_set and ended.is_raised:
            return {}  # with another value of the variable it might not be so
        elif clients.is_used:
            self.done[path] = ended.problem
        elif ended.is_own and ended.problem is not None:
            return {path: ended.problem}
        return {}

    def _tried(self, trial: Trial, sample: TriedSample) -> tuple[_Ended, SampleClients]:
        samples = [one for one in trial.samples if not isinstance(one, BrokenSample)]
        clients = SampleClients(sample, samples, self.entries)
        function = self._bound(trial.tool, clients)
        return (_Ended() if function is None else self._ended(trial, function, clients)), clients

    def _bound(self, tool: FoundTool, clients: SampleClients) -> Callable[..., Any] | None:
        wiring = _Trying(self.package, clients)
        try:
            function = wiring.bind(tool)
        except _NotPlainError as error:
            self.untried[tool.name] = f"constructor {error.name}"
            return None
        except WiringError:
            self.untried[tool.name] = "provided"  # or the start of the service says it
            return None
        if any(isinstance(one, AbstractAsyncContextManager) for one in wiring.built):
            self.untried[tool.name] = "opened"  # it might reach for the world then
            return None
        return function

    def _ended(self, trial: Trial, function: Callable[..., Any], clients: SampleClients) -> _Ended:
        with (
            listening(self.root) as unawaited,
            # A loop that is not Python's own would reach out unseen.
            asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner,
        ):
            ended = runner.run(self._run(trial, function, clients))
        return ended if unawaited.said is None else _Ended(unawaited.said, is_own=True)

    async def _run(self, trial: Trial, function: Callable[..., Any], clients: SampleClients) -> _Ended:
        context = ToolContext("0" * 31 + "1", "sample", employee=Encrypted(""), virtual_employee=Encrypted(""))
        current_context.set(context)
        call = use_case(function, trial.tool.request_parameter, trial.tool.context_parameter)
        limit = asyncio.timeout(self.seconds)
        schema = trial.imported.output_schema
        began = time.monotonic()
        late = _Ended(f"the tool took longer than {self.seconds:g} seconds", is_own=True)
        returned = Returned(trial.tool.function)
        try:
            with returned:
                async with limit:
                    result = await call(trial.request, context)
            ResultWriter(trial.tool.response, None if schema is None else SchemaValidator(schema)).write(result)
        except ToolError:
            return _Ended(clients.problem)  # an answer too: the tool knows what this sample means
        except UnansweredError as error:
            return _Ended(str(error))
        except BaseException as error:  # noqa: BLE001 - the author's code may raise anything, or ask the process to end
            if limit.expired():
                return late
            told = said(error, self.root, package_folder(self.root, self.package), returned)
            raised = clients.problem is None
            return _Ended(clients.problem or told, not clients.has_failed, raised, unset_variable(error))
        return late if time.monotonic() - began > self.seconds else _Ended(clients.problem)


def _path(sample: TriedSample | BrokenSample) -> str:
    return sample.file if isinstance(sample, BrokenSample) else sample.sample.file
