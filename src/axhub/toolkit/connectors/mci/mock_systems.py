"""An MCI system as its samples describe it (toolkit/B4): which telegram it would answer to which.

Samples are read anew for each request, so that an author sees what he saves. A tool is answered from its own folder, if
that has a sample of the interface and it is known who asks; a service in the profile `local` knows it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from axhub.toolkit.connectors.mci.parts import Parts
from axhub.toolkit.connectors.mci.samples import MciSample, read_mci_sample, sample_files
from axhub.toolkit.connectors.samples import BrokenSample, choose
from axhub.toolkit.mci import Layout, TelegramError, to_plain

__all__ = ["MciMock", "MockTelegram"]

_CODE: Final = "MOCK"
"""Of what a mock says itself."""


@dataclass(frozen=True, slots=True)
class MockTelegram:
    """What a mock answers."""

    raw: bytes | None
    """The telegram, without its length; None: there is none, and the connection ends."""
    interface: str = ""
    sample: str | None = None
    """The file that the answer stands in, from the package's folder."""
    problem: str = ""
    """Why it is none of a sample."""


class MciMock:
    """Answers for one system."""

    def __init__(self, parts: Parts, folder: Path, asking: Mapping[Any, str] | None = None) -> None:
        """Take the system.

        Args:
            parts: its telegrams.
            folder: of the package, with `samples` in it.
            asking: which tool asks, by the correlation of its telegram, as far as that is known.
        """
        self._asking: Mapping[Any, str] = {} if asking is None else asking
        self._parts = parts
        self._folder = folder
        self.interfaces: Final = tuple(sorted(parts.requests.keys() & parts.answers.keys()))
        """Ids of the interfaces that can be asked."""

    def samples_of(self, interface: str) -> tuple[str, ...]:
        """Return the sample files of an interface, from the package's folder."""
        return tuple(self._shown(file) for file in sample_files(self._folder, interface))

    def answer(self, raw: bytes, tool: str = "", *, fail: str | None = None, wrong: bool = False) -> MockTelegram:
        """Return what the system would answer to a telegram.

        Args:
            raw: the whole telegram.
            tool: which tool asks, if somebody said so: its own samples come first.
            fail: refuse with this code.
            wrong: answer another question than this one.
        """
        envelope = self._parts.envelope
        try:
            header = envelope.read_header(raw)
            interface = str(getattr(header, envelope.interface, "")) if envelope.interface else self._only()
            if interface not in self.interfaces:
                return MockTelegram(
                    None, problem=f"no interface that is known; there are: {', '.join(self.interfaces)}"
                )
            _, asked = envelope.read_request(raw, self._parts.requests[interface])
        except TelegramError as error:
            return MockTelegram(None, problem=f"the request is no telegram: {error}")
        tool = tool or self._asking.get(getattr(header, envelope.correlation), "")
        header = self._wrong(header) if wrong else header
        if fail is not None:
            return self._refused(header, interface, (fail, "mock: told to fail"))
        return self._chosen(header, interface, to_plain(asked), tool)

    def _chosen(self, header: Layout, interface: str, given: Mapping[str, Any], tool: str) -> MockTelegram:
        samples = list(self._samples(interface, tool))
        broken = next((one for one in samples if isinstance(one, BrokenSample)), None)
        if broken is not None:
            return self._said(header, interface, f"{broken.file}: {broken.problem}")
        sample = choose([one for one in samples if isinstance(one, MciSample)], given)
        if sample is None:
            wanted = f"samples/*/mci-{interface}.json"
            missing = f"no sample of {wanted} is for this request" if samples else f"there is no sample {wanted}"
            return self._said(header, interface, missing)
        if sample.error is not None:
            return self._refused(header, interface, sample.error, sample.file)
        try:
            data = sample.data(self._parts.answers[interface])
            return MockTelegram(self._parts.envelope.build_answer(header, data), interface, sample.file)
        except ValueError as error:
            return self._said(header, interface, f"{sample.file}: {error}")

    def _samples(self, interface: str, tool: str) -> Iterator[MciSample | BrokenSample]:
        files = sample_files(self._folder, interface)
        for file in [file for file in files if file.parent.name == tool] or files:
            yield read_mci_sample(file, self._shown(file))

    def _said(self, header: Layout, interface: str, problem: str) -> MockTelegram:
        """Return what a mock says of itself, as a refusal of the system."""
        told = self._refused(header, interface, (_CODE, f"mock: {problem}"))
        return MockTelegram(told.raw, interface, None, problem)

    def _refused(
        self, header: Layout, interface: str, refusal: tuple[str, str], sample: str | None = None
    ) -> MockTelegram:
        code, words = refusal
        for text in (words, ""):
            try:
                raw = self._parts.envelope.build_answer(header, error=(code, text))
                return MockTelegram(raw, interface, sample)
            except ValueError:  # a field that has no room for the words, or takes no such code
                continue
        return MockTelegram(None, interface, sample, f"the code {code} has no place in the telegram")

    def _wrong(self, header: Layout) -> Layout:
        """Return a header that belongs to another question."""
        name = self._parts.envelope.correlation
        return header.__replace__(**{name: _other(getattr(header, name))})

    def _only(self) -> str:
        """Return the interface of a system that has one."""
        return self.interfaces[0] if len(self.interfaces) == 1 else ""

    def _shown(self, file: Path) -> str:
        return file.relative_to(self._folder).as_posix()


def _other(value: Any) -> Any:
    """Return another value of the same kind and length."""
    if isinstance(value, str):
        return ("0" if value[:1] != "0" else "1") + value[1:]
    return value - 1 if value else value + 1
