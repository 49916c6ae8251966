"""Legacy HTTP systems as their samples describe them (toolkit/B4): which answer an API would give to a request.

Samples are the files `samples/{tool}/http-{api}.json` of a package, and `http-{api}-2.json` and so on. A file is the
answer itself, or `{"request": {…}, "answer": …}`: then it is the answer to requests with these members. `"status"`
may stand there too. Files are read anew for each request, so that an author sees what he saves.

A tool is answered from its own folder, if that has a sample of the API. Which tool asks stands in a header where the
API's path is one of the mocks; elsewhere only what is asked tells samples apart.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Protocol
from urllib.parse import parse_qsl, unquote

from axhub.toolkit.config.kinds import FIELD, charset_of
from axhub.toolkit.config.settings import MOCK_PREFIX, HttpApiSettings, is_mocked
from axhub.toolkit.connectors.http_bodies import json_bytes
from axhub.toolkit.connectors.samples import BrokenSample, Sample, api_of, choose, number_of, read_sample
from axhub.toolkit.layout import SAMPLES

__all__ = ["MAX_REQUEST_BYTES", "PREFIX", "Answering", "Asked", "MockAnswer", "MockSystems"]

PREFIX: Final = MOCK_PREFIX
MAX_REQUEST_BYTES: Final = 1_048_576
_NOT_FOUND: Final = 404
_NOT_ALLOWED: Final = 405
_BROKEN: Final = 500


@dataclass(frozen=True, slots=True)
class Asked:
    """A request to a mock."""

    method: str
    path: str
    """Without query, percent-decoded."""
    query: str = ""
    body: bytes = b""
    content_type: str = ""
    tool: str = ""
    """Which tool asks; empty: nobody said."""


@dataclass(frozen=True, slots=True)
class MockAnswer:
    """What a mock answers."""

    status: int
    body: bytes
    content_type: str
    api: str | None = None
    """Which API it was; None: none."""
    sample: str | None = None
    """The file that the answer stands in, from the package's folder."""


class Answering(Protocol):
    """Answers requests as the systems behind would."""

    def answer(self, asked: Asked) -> MockAnswer:
        """Return the answer to a request."""
        ...


@dataclass(frozen=True, slots=True)
class _Mock:
    api: HttpApiSettings
    paths: frozenset[str] = field(default_factory=frozenset)


class MockSystems:
    """Answers for all APIs of a service."""

    def __init__(self, apis: Iterable[HttpApiSettings], folder: Path) -> None:
        """Take the APIs.

        Args:
            apis: of the configuration; of their addresses the path counts.
            folder: of the package, with `samples` in it.
        """
        self._folder = folder
        known = list(apis)
        self._names = {api.name for api in known}
        self._mocks = [_Mock(api, self._paths(api)) for api in known]

    def paths_of(self, api: str) -> tuple[str, ...]:
        """Return the paths under which an API is answered, that of its entry first."""
        mock = next(mock for mock in self._mocks if mock.api.name == api)
        own = _path(mock.api)
        return (own, *sorted(mock.paths - {own}))

    def samples_of(self, api: str) -> tuple[str, ...]:
        """Return the sample files of an API, from the package's folder."""
        return tuple(file.relative_to(self._folder).as_posix() for file in self._files(api))

    def never_answered(self, api: str) -> tuple[str, ...]:
        """Return the samples of an API that no request gets, since one before them is for the same requests."""
        by_tool = is_mocked(next(mock.api.url for mock in self._mocks if mock.api.name == api))
        first: set[tuple[str, str]] = set()
        hidden = []
        for file in self._files(api):
            shown = file.relative_to(self._folder).as_posix()
            sample = read_sample(file, shown)
            request = json.dumps(sample.request, sort_keys=True) if isinstance(sample, Sample) else shown
            meant = (file.parent.name if by_tool else "", request)
            if meant in first:
                hidden.append(shown)
            first.add(meant)
        return tuple(hidden)

    def answer(self, asked: Asked) -> MockAnswer:
        """Return what the API at a path would answer."""
        own = [mock.api for mock in self._mocks if _filled(mock.api, asked.path) is not None]
        here = own or [mock.api for mock in self._mocks if asked.path in mock.paths]
        if not here:
            return _refusal(_NOT_FOUND, f"no API has the path {asked.path}; there are: {', '.join(self._all_paths())}")
        meant = [api for api in here if api.method == asked.method]
        if not meant:
            methods = " or ".join(dict.fromkeys(api.method for api in here))
            return _refusal(_NOT_ALLOWED, f"this path is asked with {methods}", here[0].name)
        given = _members(asked, meant[0])
        if given is None:
            return _refusal(400, "the request is no JSON object in the charset it names", meant[0].name)
        return self._chosen(meant, (asked.tool, asked.path.rpartition("/")[2]), given)

    def _chosen(self, apis: Sequence[HttpApiSettings], tools: Sequence[str], given: Mapping[str, Any]) -> MockAnswer:
        samples = [(api, one) for api in apis for one in self._samples(api.name, tools)]
        broken = next((one for _, one in samples if isinstance(one, BrokenSample)), None)
        if broken is not None:
            return _refusal(_BROKEN, f"{broken.file}: {broken.problem}", apis[0].name)
        usable = [(api, one) for api, one in samples if isinstance(one, Sample)]
        sample = choose([one for _, one in usable], given)
        if sample is not None:
            api = next(api for api, one in usable if one is sample)
            charset = charset_of(api.content_type) or "utf-8"
            content_type = f"application/json;charset={charset}"
            return MockAnswer(sample.status, json_bytes(sample.answer, charset), content_type, api.name, sample.file)
        wanted = f"samples/*/http-{apis[0].name}.json"
        problem = f"no sample of {wanted} is for this request" if usable else f"there is no sample {wanted}"
        return _refusal(_NOT_FOUND, problem, apis[0].name)

    def _samples(self, api: str, tools: Sequence[str]) -> Iterator[Sample | BrokenSample]:
        for file in self._files(api, tools):
            yield read_sample(file, file.relative_to(self._folder).as_posix())

    def _files(self, api: str, tools: Sequence[str] = ()) -> list[Path]:
        """Return the samples of an API: those of the first of these tools that has any, else all."""
        found = [
            file for file in self._folder.glob(f"{SAMPLES}/*/http-*.json") if api_of(file.stem, self._names) == api
        ]
        found.sort(key=lambda file: (file.parent.name, number_of(file.stem, api)))
        of_tools = ([file for file in found if file.parent.name == tool] for tool in tools)
        return next((own for own in of_tools if own), found)

    def _paths(self, api: HttpApiSettings) -> frozenset[str]:
        tools = {file.parent.name for file in self._files(api.name)}
        return frozenset({_path(api), f"{PREFIX}/{api.name}", *(f"{PREFIX}/{tool}" for tool in tools)})

    def _all_paths(self) -> list[str]:
        return [_path(mock.api) for mock in self._mocks]


def _path(api: HttpApiSettings) -> str:
    return unquote(api.url.partition("?")[0])


def _filled(api: HttpApiSettings, path: str) -> Mapping[str, str] | None:
    """Return the members that stand in a path as the API's has places for them; None if it is another path."""
    pattern, last = "", 0
    own = _path(api)
    for place in FIELD.finditer(own):
        pattern += f"{re.escape(own[last : place.start()])}([^/]+)"
        last = place.end()
    found = re.fullmatch(pattern + re.escape(own[last:]), path)
    return None if found is None else dict(zip(FIELD.findall(own), found.groups(), strict=True))


def _members(asked: Asked, api: HttpApiSettings) -> Mapping[str, Any] | None:
    """Return what a request says; None if it cannot be read."""
    charset = charset_of(asked.content_type) or charset_of(api.content_type) or "utf-8"
    try:
        found: dict[str, Any] = dict(parse_qsl(asked.query, keep_blank_values=True, encoding=charset))
        body = json.loads(asked.body.decode(charset)) if asked.body else {}
    except (UnicodeDecodeError, ValueError, RecursionError):
        return None
    return {**found, **body, **(_filled(api, asked.path) or {})} if isinstance(body, dict) else None


def _refusal(status: int, problem: str, api: str | None = None) -> MockAnswer:
    return MockAnswer(status, json_bytes({"mock": problem}), "application/json;charset=utf-8", api)
