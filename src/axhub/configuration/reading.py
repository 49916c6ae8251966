"""What each written value becomes: substituted, typed, read by its key's kind; each once, in whatever order is asked.

The order is the file's, but for a value that is made of another setting (`http://localhost:${server.port}`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final, NamedTuple, TypeAlias

from axhub.configuration.faults import Fault, Place, Where, excerpt
from axhub.configuration.flatten import Entry, Flat, nearest
from axhub.configuration.kinds import NotAllowedError
from axhub.configuration.secrets import EnvOnly
from axhub.configuration.source import Scalar
from axhub.configuration.table import ANY_NAME, Key, Missing
from axhub.configuration.values import Raw, Shape, Substituted, describe, describe_value, substitute, typed


class Given(NamedTuple):
    """A value that was written and is allowed."""

    value: Any
    place: Place


class Without(Enum):
    """Why a key that is written has no value, where nothing is to be said."""

    LEFT_OUT = "written with nothing, and may be left out"
    NEEDS_A_FAULTY_ONE = "made of a setting whose fault is said where it stands"


Outcome: TypeAlias = Given | Fault | Without


class _FaultyError(Exception):
    """A setting that a value is made of is faulty itself."""


@dataclass(slots=True)
class Reader:
    """Reads the entries of a flat document."""

    flat: Flat
    environ: Mapping[str, str]
    _done: dict[str, Outcome] = field(default_factory=dict)
    _texts: dict[str, str] = field(default_factory=dict)
    _open: list[str] = field(default_factory=list)
    """Keys that are being read, each made of the next."""

    def read(self, path: str) -> Outcome:
        """Return what the entry at a path becomes."""
        if path not in self._done:
            self._open.append(path)
            try:
                self._done[path] = self._outcome(path, self.flat.entries[path])
            except _FaultyError:
                self._done[path] = Without.NEEDS_A_FAULTY_ONE
            finally:
                self._open.pop()
        return self._done[path]

    def _outcome(self, path: str, entry: Entry) -> Outcome:
        key = self.flat.table.key(path)
        whole = self.flat.table.whole(path)
        scalar = entry.value
        if not isinstance(scalar, Scalar):
            return Fault(entry.place, whole, describe_value(scalar), key.kind.allowed)
        if scalar.tag is not None:
            return Fault(entry.place, whole, f"the YAML tag {excerpt(scalar.tag)}", "values without tags")
        if isinstance(key.kind, EnvOnly):
            raw: Raw | tuple[str, ...] = _secret(scalar, self.environ)
        else:
            raw = self._raw(path, scalar)
        if not isinstance(raw, Raw):
            return Fault(entry.place, whole, " and ".join(raw), _set_variable(own=self.flat.table.own_settings))
        if raw.shape is Shape.NOTHING and key.default is Missing.NONE and not key.many:
            return Without.LEFT_OUT
        return _by_kind(key, whole, raw, entry.place)

    def _raw(self, path: str, scalar: Scalar) -> Raw | tuple[str, ...]:
        """Substitute and type a value; return the problems if there are any."""
        own = self._own if self.flat.table.own_settings else None
        text, problems = substitute(scalar.text, self.environ, own)
        self._texts[path] = text
        return problems or typed(scalar, text)

    def _own(self, name: str) -> Substituted | None:
        """Return the value of the setting that stands at a path of the file, None if it has none.

        Raises:
            _FaultyError: it cannot be used.
        """
        table = self.flat.table
        usable = {table.whole(key.path): key for key in table.keys if _stands_once(key)}
        key = usable.get(name)
        if key is None:
            near = nearest(name, list(usable))
            hint = f" (the nearest setting: {near})" if near else ""
            return Substituted("", (f"${{{excerpt(name)}}}, which is not the path of a setting{hint}",))
        if key.path in self._open:
            return Substituted("", (self._cycle(name, key.path),))
        outcome = self.read(key.path) if key.path in self.flat.entries else Without.LEFT_OUT
        if isinstance(outcome, Given):
            return Substituted(self._texts[key.path], ())
        if outcome is not Without.LEFT_OUT or not self.flat.broken.isdisjoint(_around(key.path)):
            raise _FaultyError
        return None if isinstance(key.default, Missing) else Substituted(_as_written(key.default), ())

    def _cycle(self, name: str, path: str) -> str:
        *between, last = self._open[self._open.index(path) + 1 :] or [path]
        if last == path:
            return f"${{{name}}}, which is this setting itself"
        through = f" through {', '.join(map(self.flat.table.whole, between))}" if between else ""
        return f"${{{name}}}, which is made of {self.flat.table.whole(last)} itself{through}"


def _secret(scalar: Scalar, environ: Mapping[str, str]) -> Raw | tuple[str, ...]:
    """Return a secret's value without showing it; what a variable over the file says is final."""
    if scalar.place.where is Where.ENVIRONMENT:
        return Raw(scalar.text, Shape.TEXT, True, f"${{{scalar.place.source}}}")
    try:
        EnvOnly().check_written(scalar.text)
    except NotAllowedError:
        return typed(scalar, scalar.text)
    text, problems = substitute(scalar.text, environ)
    return problems or Raw(text, Shape.TEXT, True, scalar.text)


def _by_kind(key: Key, whole: str, raw: Raw, place: Place) -> Given | Fault:
    try:
        return Given(key.kind.read(raw), place)
    except NotAllowedError as error:
        found = "a value" if error.hide else describe(raw)
        return Fault(place, whole, f"{found}: {error}" if str(error) else found, key.kind.allowed)


def _set_variable(*, own: bool) -> str:
    return "a set variable, the path of a setting, or ${NAME:default}" if own else "a set variable, or ${NAME:default}"


def _stands_once(key: Key) -> bool:
    """Say whether a key may be part of another value: it has one place and is no secret."""
    return not (key.many or "[]" in key.path or ANY_NAME in key.path or isinstance(key.kind, EnvOnly))


def _around(path: str) -> set[str]:
    parts = path.split(".")
    return {"", *(".".join(parts[:end]) for end in range(1, len(parts) + 1))}


_WORDS: Final = {True: "true", False: "false"}


def _as_written(default: object) -> str:
    """Return a default as it would be written."""
    if isinstance(default, bool):
        return _WORDS[default]
    return f"{default:g}" if isinstance(default, float) else str(default)
