"""How one system puts its telegrams together: header, message and data, which are read one by one (toolkit/B3).

An answer that is no success may have no data at all, so nothing is read before the result code has been looked at.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, TypeVar

from axhub.toolkit.errors import LegacyError
from axhub.toolkit.mci.errors import CorrelationError, TelegramError
from axhub.toolkit.mci.layout import Layout

__all__ = ["Envelope", "MciCall", "SentTelegram"]

_NUMBER: Final = re.compile(r"-?[0-9]{1,18}")
_L = TypeVar("_L", bound=Layout)


@dataclass(frozen=True, slots=True, kw_only=True)
class MciCall:
    """What the header of one request is made from."""

    interface_id: str
    correlation_id: str
    """32 hexadecimal digits, new for each call; a header with less room takes the first of them."""
    trace_id: str
    request_id: str
    employee: str = ""
    """The employee number as it came, encrypted; empty: there is none."""
    sent_at: datetime
    """A header gets it as its own clock shows it; the zone is not written."""


@dataclass(frozen=True, slots=True)
class SentTelegram:
    """A request as it goes out."""

    header: Layout
    """What the answer's header is compared with."""
    raw: bytes
    """Header and data."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope:
    """The sections of one system's telegrams, and which of their fields say what.

    Requests are header and data; answers are header, message (if there is one) and data.
    """

    header: type[Layout]
    """Of one size, the same in requests and answers."""
    head: Callable[[MciCall], Layout]
    """Makes the header of a request."""
    correlation: str
    """The header field that an answer repeats."""
    result: str
    """The header field with the result code."""
    success: frozenset[str] = frozenset({"0"})
    """The result codes, as text, with which an answer has data; those of a number have no zeros before them."""
    failure: str = "1"
    """The result code of mocks for an error whose own code stands in the message."""
    interface: str = ""
    """The header field with the interface id, by which mocks and `axhub layout show` find a layout; empty: none."""
    message: type[Layout] | None = None
    """Of one size; None: answers have no message section."""
    message_always: bool = True
    """Whether answers with data have it too; False: it stands where the result is no success."""
    error_code: str = ""
    """The message field with the system's own code; empty, or blank in an answer: the result code is used."""
    error_text: str = ""
    """The message field with the system's own words; if they cannot be read, the code counts without them."""

    def __post_init__(self) -> None:
        """Refuse what cannot be taken apart.

        Raises:
            TypeError: a section varies in size, a field is not there or holds no code, or no result can ever be one of
                the codes.
        """
        message = () if self.message is None else (self.message,)
        for section in (self.header, *message):
            if section.layout_size is None:
                raise TypeError(f"{section.__name__} varies in size; in an envelope only the data may")
        for option in ("correlation", "result", "interface"):
            _check_field(self.header, option, getattr(self, option), needed=option != "interface")
        for option in ("error_code", "error_text"):
            _check_field(self.message, option, getattr(self, option), needed=False)
        success: object = self.success  # an author may write anything there
        if not (isinstance(success, set | frozenset) and success) or self.failure in success:
            raise TypeError("success is a frozenset of at least one result code, and failure is none of them")
        for option, codes in (("success", sorted(self.success)), ("failure", [self.failure])):
            _check_codes(self.header, self.result, option, codes)

    def request(self, call: MciCall, data: Layout) -> SentTelegram:
        """Return a request.

        Raises:
            TelegramError: a value does not go into its field.
            TypeError: what `head` made is no header, or has nothing that an answer could repeat.
        """
        made = self.head(call)
        if not isinstance(made, self.header):
            raise TypeError(f"head made {type(made).__name__}, and the header is {self.header.__name__}")
        raw = made.encode()
        header = self.header.decode(raw)  # as its answer will have it: without what was cut off or is not written
        if getattr(header, self.correlation) in {None, ""}:
            raise TypeError(f"head left {self.correlation} blank; write {self.correlation}=call.correlation_id")
        return SentTelegram(header, raw + data.encode())

    def answer(self, raw: bytes, request_header: Layout, response_type: type[_L]) -> _L:
        """Return the data of an answer.

        Args:
            raw: the whole telegram.
            request_header: of the request that it should answer.
            response_type: the layout of the data.

        Raises:
            CorrelationError: it answers another request.
            LegacyError: the system refused; its code and words.
            TelegramError: the bytes are no such telegram.
        """
        header = self.read_header(raw)
        if getattr(header, self.correlation) != getattr(request_header, self.correlation):
            raise CorrelationError(self.header.__name__, self.correlation)
        result, rest = _code(header, self.result), raw[_size(self.header) :]
        if result not in self.success:
            raise self._refusal(result, rest)
        if self.message is not None and self.message_always:
            self.message.decode(rest, exact=False)
            rest = rest[_size(self.message) :]
        return response_type.decode(rest)

    def read_header(self, raw: bytes) -> Layout:
        """Return the header of a request or an answer.

        Raises:
            TelegramError: there is none.
        """
        return self.header.decode(raw, exact=False)

    def read_request(self, raw: bytes, request_type: type[_L]) -> tuple[Layout, _L]:
        """Return header and data of a request, as the system that gets it does.

        Raises:
            TelegramError: the bytes are no such telegram.
        """
        return self.read_header(raw), request_type.decode(raw[_size(self.header) :])

    def build_answer(
        self, request_header: Layout, data: Layout | None = None, *, error: tuple[str, str] | None = None
    ) -> bytes:
        """Return the answer to a request, as the system that gets it does.

        Args:
            request_header: is answered with the result put in.
            data: of a success.
            error: code and words of a refusal, instead of data.

        Raises:
            TelegramError: a value does not go into its field.
            TypeError: both or none of data and error are given.
        """
        if (data is None) == (error is None):
            raise TypeError("an answer has either data or an error")
        result, code, text = min(self.success), "", ""
        if error is not None:
            code, text = error
            result = self.failure if self.error_code else code
        sections = [_with(request_header, {self.result: result})]
        if self.message is not None and (self.message_always or error is not None):
            sections.append(_filled(self.message, {self.error_code: code, self.error_text: text}))
        if data is not None:
            sections.append(data)
        return b"".join(section.encode() for section in sections)

    def sections(
        self, raw: bytes, data: type[Layout], *, answer: bool = True
    ) -> tuple[tuple[type[Layout], int, bytes], ...]:
        """Return the layout, offset and bytes of each section of a telegram, for showing it.

        Args:
            raw: the whole telegram; it may be faulty.
            data: the layout of its data.
            answer: whether it is one; False: a request.
        """
        found, at = [(self.header, 0, raw[: _size(self.header)])], _size(self.header)
        is_success = not answer or self._is_success(raw)
        if answer and self.message is not None and (self.message_always or not is_success):
            found.append((self.message, at, raw[at : at + _size(self.message)]))
            at += _size(self.message)
        if is_success or len(raw) > at:
            found.append((data, at, raw[at:]))
        return tuple(found)

    def _is_success(self, raw: bytes) -> bool:
        try:
            return _code(self.read_header(raw), self.result) in self.success
        except ValueError:  # a header that cannot be read is shown with all that could follow
            return True

    def _refusal(self, result: str, rest: bytes) -> LegacyError:
        if self.message is None or not rest:
            return LegacyError(result)
        try:
            message = self.message.decode(rest, exact=False)
        except TelegramError as error:
            if error.field not in {self.error_text} - {""}:
                raise
            message = None
        if message is None:  # the code says more than words that were cut or are in another charset
            message = self.message.decode(_without(self.message, self.error_text, rest), exact=False)
        code = _code(message, self.error_code) if self.error_code else ""
        text = _code(message, self.error_text) if self.error_text else ""
        return LegacyError(code or result, text)


def _code(section: Layout, field: str) -> str:
    """Return a code or words as text; a blank field has none."""
    value = getattr(section, field)
    return "" if value is None else str(value)


def _size(section: type[Layout]) -> int:
    return section.layout_size or 0


def _check_field(section: type[Layout] | None, option: str, name: str, *, needed: bool) -> None:
    if not name and not needed:
        return
    if section is None:
        raise TypeError(f"{option}={name!r} needs a message section; give message= too")
    found = next((field for field in section.layout_fields if field.name == name), None)
    if found is None:
        raise TypeError(f"{option}={name!r} is no field of {section.__name__}; write the name of one")
    if found.type not in {str, int}:
        raise TypeError(
            f"{option}={name!r}: {section.__name__}.{name} is a {found.kind}, which tells no two answers apart; write "
            "the name of a Text, or of a Num of type int"
        )


def _check_codes(header: type[Layout], name: str, option: str, codes: Sequence[str]) -> None:
    """Refuse a code that the result of no answer can be."""
    field = next(field for field in header.layout_fields if field.name == name)
    place, size = f"{header.__name__}.{name}", field.size or 0
    for code in codes:
        if field.type is int and not (_NUMBER.fullmatch(code) and str(int(code)) == code):
            raise TypeError(
                f"{option}={code!r} is never the result: {place} is a number, which has no zeros before it and no "
                f"letters; write '0' instead of '0000', or let it be Text({size})"
            )
        if not code or len(code) > size:
            raise TypeError(f"{option}={code!r} is never the result: {place} has 1 to {size} bytes; correct the code")


def _without(section: type[Layout], name: str, raw: bytes) -> bytes:
    """Return the bytes of a section with one field of it blank."""
    field = next(field for field in section.layout_fields if field.name == name)
    at, size = field.offset or 0, field.size or 0
    return raw[:at] + b" " * size + raw[at + size :]


def _with(header: Layout, changes: dict[str, str]) -> Layout:
    return header.__replace__(**_typed(type(header), changes))


def _filled(section: type[Layout], values: dict[str, str]) -> Layout:
    """Return a value of a section with these texts, and nothing in its other fields."""
    return section.decode(section.__plan__.blank).__replace__(
        **_typed(section, {name: text for name, text in values.items() if name and text})
    )


def _typed(section: type[Layout], values: dict[str, str]) -> dict[str, Any]:
    kinds = {field.name: field.type for field in section.layout_fields}
    return {name: _number(text) if kinds[name] is int else text for name, text in values.items()}


def _number(text: str) -> int | str:
    """Return a code for a field of numbers; what is no number is refused when it is written."""
    return int(text) if _NUMBER.fullmatch(text) else text
