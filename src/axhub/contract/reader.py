"""Reads the members of one JSON object by kind; what does not fit becomes a finding, and reading goes on."""

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Final

import msgspec

from axhub.contract.findings import Finding
from axhub.contract.jsontext import split_object
from axhub.contract.schema_walk import pointer as json_pointer
from axhub.contract.text import MEND as TEXT_MEND
from axhub.contract.text import check_text_field

_NULL: Final = b"null"
_BOOLEANS: Final = {b"true": True, b"false": False}


class Reader:
    """One object of a manifest. Members that are `null` count as absent; members that nobody asks for are ignored."""

    __slots__ = ("_members", "_rule", "findings", "pointer", "tool")

    def __init__(
        self, members: Mapping[str, msgspec.Raw], rule: str, pointer: str = "", findings: list[Finding] | None = None
    ) -> None:
        """Read an object.

        Args:
            members: its members as compact JSON text.
            rule: how the ids of its rules begin, such as `tool`.
            pointer: where it stands.
            findings: where to add to; a new list if not given.
        """
        self._members = {name: raw for name, value in members.items() if (raw := bytes(value)) != _NULL}
        self._rule = rule
        self.pointer = pointer
        self.findings: list[Finding] = [] if findings is None else findings
        self.tool: str | None = None

    def report(self, rule: str, problem: str, mend: str, *below: str) -> None:
        """Add a finding about a member, or about the object."""
        at = self.pointer + json_pointer(*below)
        self.findings.append(Finding(f"{self._rule}.{rule}", at, self.tool, problem, mend))

    def raw(self, name: str) -> bytes | None:
        """Return a member as it was written, or None if it is absent."""
        return self._members.get(name)

    def missing(self, name: str, mend: str) -> None:
        """Report a required member that is absent."""
        self.report(f"{name}.missing", f"{name!r} is missing or null", mend, name)

    def word(self, name: str, *, required: str = "") -> str | None:
        """Return a text that has a grammar of its own, which the caller checks.

        Args:
            name: the member.
            required: what to write if the member is missing or blank; empty: it may be.
        """
        raw = self.raw(name)
        if raw is None:
            if required:
                self.missing(name, required)
            return None
        if not raw.startswith(b'"'):
            self.report(f"{name}.type", f"{name!r} is not a text", "write it in quotes", name)
            return None
        text = msgspec.json.decode(raw, type=str)
        if required and not text.strip():
            self.report(f"{name}.blank", f"{name!r} is blank", required, name)
        return text

    def text(self, name: str, *, required: str = "", multiline: bool = False) -> str | None:
        """Return a text that people and models may read; `multiline` allows several lines, the rest is as in `word`."""
        text = self.word(name, required=required)
        problem = check_text_field(text, multiline) if text is not None else None
        if problem is not None:
            at = self.pointer + json_pointer(name)
            self.findings.append(Finding("text.character", at, self.tool, f"{name!r}: {problem}", TEXT_MEND))
        return text

    def boolean(self, name: str) -> bool | None:
        """Return true or false."""
        raw = self.raw(name)
        if raw is not None and raw not in _BOOLEANS:
            self.report(f"{name}.type", f"{name!r} is not true or false", "write true or false without quotes", name)
        return _BOOLEANS.get(raw or b"")

    def positive_integer(self, name: str, most: int) -> int | None:
        """Return an integer of at least 1, and `most` for a larger one; `1e3` and `5.0` are integers too."""
        raw = self.raw(name)
        if raw is None:
            return None
        value = _integer(raw)
        if value is None:
            self.report(f"{name}.type", f"{name!r} is not an integer", "write a whole number without quotes", name)
            return None
        if value < 1:
            self.report(f"{name}.range", f"{name!r} is less than 1", f"write a number from 1 to {most}", name)
            return None
        return most if value > most else int(value)

    def inner(self, name: str, rule: str) -> "Reader | None":
        """Return an object to read on in; its findings come here."""
        raw = self.raw(name)
        members = split_object(raw) if raw is not None else None
        if members is None:
            if raw is not None:
                self.report(f"{rule}.type", f"{name!r} is not an object", "write {…}", name)
            return None
        below = Reader(members, f"{self._rule}.{rule}", self.pointer + json_pointer(name), self.findings)
        below.tool = self.tool
        return below

    def names(self) -> tuple[str, ...]:
        """Return the names of the members, in the author's order."""
        return tuple(self._members)


def _integer(raw: bytes) -> Decimal | None:
    try:
        value = Decimal(raw.decode())
    except InvalidOperation:
        return None
    return value if value == value.to_integral_value() else None
