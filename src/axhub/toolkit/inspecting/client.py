"""The `HttpClient` of a trial: one sample is the answer, and the tool's other samples answer what it asks besides."""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from pydantic import BaseModel

from axhub.toolkit.connectors.http_bodies import json_bytes, validated
from axhub.toolkit.connectors.samples import Sample, choose
from axhub.toolkit.errors import LegacyError

__all__ = ["ApiSample", "SampleHttp", "UnansweredError"]

MAX_CALLS: Final = 50
"""Of one API in one trial; a tool that reads page after page would never end on a sample that names a next one."""
_SUCCESSES: Final = range(200, 300)

_A = TypeVar("_A", bound=BaseModel)


class UnansweredError(Exception):
    """The tool asked for what no sample answers; the message says which API."""


@dataclass(frozen=True, slots=True)
class ApiSample:
    """A sample and whose it is."""

    api: str
    sample: Sample

    @property
    def is_success(self) -> bool:
        """Whether it is an answer, not a status that is none."""
        return self.sample.status in _SUCCESSES


class SampleHttp:
    """Answers the first call of an API with the sample on trial, and further ones with what fits."""

    def __init__(self, tried: ApiSample, samples: Iterable[ApiSample]) -> None:
        self.is_used = False
        self.problem: str | None = None
        """Why the sample on trial is none of the model that the client asked for."""
        self.has_failed = False
        """Whether a call of it ended without an answer; what the tool makes of that is no fault of its own."""
        self._tried = tried
        self._samples = list(samples)
        self._calls: dict[str, int] = {}

    async def call(self, api: str, request: BaseModel, response_type: type[_A]) -> _A:
        """See `HttpClient`.

        Raises:
            LegacyError: as the adapter would.
            UnansweredError: no sample is for this request, or the API was asked too often.
        """
        self.has_failed, before = True, self.has_failed
        answer = await self._answer(api, request, response_type)
        self.has_failed = before
        return answer

    async def _answer(self, api: str, request: BaseModel, response_type: type[_A]) -> _A:
        await asyncio.sleep(0)  # others run meanwhile, and a trial that takes too long can be ended
        self._calls[api] = self._calls.get(api, 0) + 1
        if self._calls[api] > MAX_CALLS:
            raise UnansweredError(f'the tool asked the API "{api}" more than {MAX_CALLS} times')
        chosen = self._chosen(api, request.model_dump(mode="json", by_alias=True))
        if not chosen.is_success:
            raise LegacyError(str(chosen.sample.status), f"the API answered with the status {chosen.sample.status}")
        try:
            return validated(response_type, json_bytes(chosen.sample.answer).decode())
        except LegacyError as error:
            if chosen is self._tried:
                self.problem = error.message
            raise

    def _chosen(self, api: str, given: Mapping[str, Any]) -> ApiSample:
        if api == self._tried.api and not self.is_used:
            self.is_used = True
            return self._tried
        of_the_api = [one for one in self._samples if one.api == api]
        found = choose([one.sample for one in of_the_api], given)
        if found is not None:
            return next(one for one in of_the_api if one.sample is found)
        if of_the_api:
            raise UnansweredError(f'the tool asks the API "{api}" for what none of its samples is the answer to')
        raise UnansweredError(f'the tool also asks the API "{api}", of which it has no sample (http-{api}.json)')
