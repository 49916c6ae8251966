"""How a mock can be told to misbehave: `claim=delay:2000`, `claim=fail:503`, `*=cut` (toolkit/B4)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

__all__ = ["ALLOWED", "EVERY", "GOOD", "Misbehaviour", "read_faults"]

EVERY: Final = "*"
ALLOWED: Final = "API=delay:MILLISECONDS, API=fail:STATUS, API=cut, API=garble or API=reset (* is every API)"
_MOST_MILLIS: Final = 3_600_000
_FAILURES: Final = range(300, 600)


@dataclass(frozen=True, slots=True)
class Misbehaviour:
    """What a mock does besides answering."""

    delay_millis: int = 0
    fail: int | None = None
    """Answer this status instead."""
    cut: bool = False
    """End the connection in the middle of the body."""
    garble: bool = False
    """Answer what is no JSON."""
    reset: bool = False
    """Break the connection instead of answering."""

    def __str__(self) -> str:
        said = [f"delay {self.delay_millis} ms"] if self.delay_millis else []
        said += [f"fail {self.fail}"] if self.fail else []
        return ", ".join([*said, *(name for name in ("cut", "garble", "reset") if getattr(self, name))])


GOOD: Final = Misbehaviour()


def read_faults(texts: Iterable[str], apis: Sequence[str]) -> Mapping[str, Misbehaviour]:
    """Return what each API does wrong; several texts about one add up.

    Raises:
        ValueError: a text says nothing that can be done, or names no API; the message says what may stand there.
    """
    found: dict[str, Misbehaviour] = {}
    for text in texts:
        name, equals, kind = text.rpartition("=")
        if not equals or (name != EVERY and name not in apis):
            raise ValueError(f'"{text}" names no API; there are: {", ".join(apis) or "none"}. Allowed: {ALLOWED}')
        for one in apis if name == EVERY else [name]:
            found[one] = _with(found.get(one, GOOD), kind, text)
    return found


def _with(before: Misbehaviour, kind: str, text: str) -> Misbehaviour:
    word, _, value = kind.partition(":")
    if word in {"cut", "garble", "reset"} and not value:
        return replace(before, **{word: True})
    number = int(value) if value.isascii() and value.isdecimal() and len(value) < len(str(_MOST_MILLIS)) + 1 else -1
    if word == "delay" and 0 <= number <= _MOST_MILLIS:
        return replace(before, delay_millis=number)
    if word == "fail" and number in _FAILURES:
        return replace(before, fail=number)
    raise ValueError(f'"{text}" is nothing that a mock can do. Allowed: {ALLOWED}')
