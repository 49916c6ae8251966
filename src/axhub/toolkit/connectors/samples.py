"""Sample answers of legacy HTTP systems, as files have them: whose they are, and to which requests (toolkit/B4)."""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

__all__ = ["OK", "BrokenSample", "Sample", "answer_in", "api_of", "choose", "number_of", "read_sample"]

OK: Final = 200
_CASE: Final = frozenset({"request", "answer"})
_CASE_KEYS: Final = frozenset({"request", "answer", "status"})
_STATUSES: Final = range(200, 600)


class _Asked(Protocol):
    """What is the answer to some requests."""

    @property
    def request(self) -> Mapping[str, Any] | None:
        """What a request must have; None: anything."""
        ...


_S = TypeVar("_S", bound=_Asked)


@dataclass(frozen=True, slots=True)
class Sample:
    """One file that can be used."""

    file: str
    """What it is called."""
    request: Mapping[str, Any] | None
    """What a request must have; None: anything."""
    answer: Any
    status: int = OK


@dataclass(frozen=True, slots=True)
class BrokenSample:
    """One that cannot, and why."""

    file: str
    problem: str


def read_sample(file: Path, shown: str) -> Sample | BrokenSample:
    """Read a file; `shown` is what it is called."""
    try:
        value = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        return BrokenSample(shown, f"not readable as JSON in UTF-8 ({type(error).__name__})")
    if not _is_case(value):
        return Sample(shown, None, value)
    request, status = value["request"], value.get("status", OK)
    if not isinstance(request, dict):
        return BrokenSample(shown, "request has to be an object with the members that a request must have")
    if not isinstance(status, int) or status not in _STATUSES:
        return BrokenSample(shown, "status has to be a number from 200 to 599")
    return Sample(shown, request, value["answer"], status)


def answer_in(sample: Any) -> Any:
    """Return the answer that a sample's JSON value holds: its member `answer` beside a `request`, else all of it."""
    return sample["answer"] if _is_case(sample) else sample


def api_of(stem: str, apis: Collection[str]) -> str:
    """Return whose sample a file is: `http-claim-2` is one of `claim`, unless an API is called `claim-2`."""
    name = stem.removeprefix("http-")
    return name if name in apis else re.sub(r"-[0-9]+$", "", name)


def number_of(stem: str, api: str) -> int:
    """Return which of an API's samples a file is; the first has no number."""
    rest = stem.removeprefix(f"http-{api}").removeprefix("-")
    return int(rest) if rest.isdecimal() else 0


def choose(samples: Sequence[_S], given: Mapping[str, Any]) -> _S | None:
    """Return the sample that answers a request: the first that wants its members, else the first that wants nothing.

    Args:
        samples: of the API or the interface, in their order.
        given: the members of the request.
    """
    fitting = (one for one in samples if one.request is not None and _fits(one.request, given))
    plain = (one for one in samples if one.request is None)
    return next(fitting, None) or next(plain, None)


def _fits(wanted: Mapping[str, Any], given: Mapping[str, Any]) -> bool:
    return all(name in given and _same(value, given[name]) for name, value in wanted.items())


def _is_case(value: Any) -> bool:
    return isinstance(value, dict) and _CASE <= value.keys() <= _CASE_KEYS


def _same(wanted: Any, given: Any) -> bool:
    """Say whether a member is what a sample wants; out of a query everything comes as text."""
    if isinstance(given, str) and not isinstance(wanted, str):
        return json.dumps(wanted) == given
    return bool(wanted == given)
