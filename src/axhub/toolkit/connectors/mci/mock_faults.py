"""How a mock of an MCI system can be told to misbehave: `cfpa=delay:2000`, `cfpa=fail:E0042`, `*=half` (toolkit/B4)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from axhub.toolkit.connectors.mock_faults import ALLOWED, EVERY, Misbehaviour, read_faults

__all__ = ["GOOD", "KINDS", "MciMisbehaviour", "read_all_faults"]

KINDS: Final = (
    "SYSTEM=delay:MILLISECONDS, SYSTEM=late:MILLISECONDS, SYSTEM=fail:CODE, SYSTEM=cut, SYSTEM=garble, SYSTEM=reset, "
    "SYSTEM=half, SYSTEM=double or SYSTEM=wrong"
)
_MOST_MILLIS: Final = 3_600_000
_SWITCHES: Final = ("cut", "garble", "reset", "half", "double", "wrong")


@dataclass(frozen=True, slots=True)
class MciMisbehaviour:
    """What a mock does besides answering."""

    delay_millis: int = 0
    late_millis: int | None = None
    """Send the answer a second time, so much later: when nobody asks any more, or somebody asks something else."""
    fail: str | None = None
    """Refuse with this code instead of answering."""
    cut: bool = False
    """End the connection in the middle of the answer."""
    garble: bool = False
    """Answer bytes that are no telegram, of the right length."""
    reset: bool = False
    """Break the connection off instead of answering."""
    half: bool = False
    """Send the answer in two parts."""
    double: bool = False
    """Send the answer twice at once."""
    wrong: bool = False
    """Answer another question."""

    def __str__(self) -> str:
        said = [f"delay {self.delay_millis} ms"] if self.delay_millis else []
        said += [f"late {self.late_millis} ms"] if self.late_millis is not None else []
        said += [f"fail {self.fail}"] if self.fail else []
        return ", ".join([*said, *(name for name in _SWITCHES if getattr(self, name))])


GOOD: Final = MciMisbehaviour()


def read_all_faults(
    texts: Iterable[str], apis: Sequence[str], systems: Sequence[str]
) -> tuple[Mapping[str, Misbehaviour], Mapping[str, MciMisbehaviour]]:
    """Return what each HTTP mock does wrong, and each MCI system over TCP; several texts about one add up.

    Args:
        texts: such as `claim=cut`; `*` is every one that can do it.
        apis: names of what is served over HTTP, MCI systems among them.
        systems: names of the MCI systems over TCP.

    Raises:
        ValueError: a text says nothing that can be done, or names none; the message says what may stand there.
    """
    http: list[str] = []
    found: dict[str, MciMisbehaviour] = {}
    for text in texts:
        name, equals, kind = text.rpartition("=")
        if not equals or name not in {EVERY, *apis, *systems}:
            known = ", ".join([*apis, *systems]) or "none"
            raise ValueError(f'"{text}" names no API; there are: {known}. Allowed: {_allowed(systems)}')
        meant = systems if name == EVERY else [one for one in systems if one == name]
        done = {one: changed for one in meant if (changed := _with(found.get(one, GOOD), kind)) is not None}
        found |= done
        if name not in systems and (not done or _is_http(text, apis)):
            http.append(text)
        elif not done:
            raise ValueError(f'"{text}" is nothing that a mock can do. Allowed: {_allowed(systems)}')
    return read_faults(http, apis), found


def _allowed(systems: Sequence[str]) -> str:
    return f"{ALLOWED}; for MCI systems over TCP {KINDS}" if systems else ALLOWED


def _is_http(text: str, apis: Sequence[str]) -> bool:
    try:
        return bool(read_faults([text], apis))
    except ValueError:
        return False


def _with(before: MciMisbehaviour, kind: str) -> MciMisbehaviour | None:
    """Return what a mock does wrong besides; None if there is no such kind."""
    word, _, value = kind.partition(":")
    change: dict[str, Any] = {word: True}
    if word in _SWITCHES and not value:
        return replace(before, **change)
    if word == "fail" and value:
        return replace(before, fail=value)
    digits = value.isascii() and value.isdecimal() and len(value) <= len(str(_MOST_MILLIS))
    if word in {"delay", "late"} and digits and int(value) <= _MOST_MILLIS:
        change = {f"{word}_millis": int(value)}
        return replace(before, **change)
    return None
