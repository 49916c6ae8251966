"""Which language somebody is answered in, and texts that exist in each."""

from typing import Literal, NamedTuple

from starlette.requests import HTTPConnection

__all__ = ["Language", "Text", "language_of"]

Language = Literal["en", "ko"]


class Text(NamedTuple):
    """One sentence for people."""

    en: str
    ko: str

    def said(self, language: Language) -> str:
        """Return it in a language."""
        return self.ko if language == "ko" else self.en


def language_of(request: HTTPConnection) -> Language:
    """Return the language that `Accept-Language` prefers; English if it names neither."""
    best: Language = "en"
    most = 0.0
    for part in request.headers.get("accept-language", "").split(","):
        tag, _, rest = part.partition(";")
        name = tag.strip().lower().partition("-")[0]
        weight = _weight(rest)
        if name in {"en", "ko"} and weight > most:
            best, most = "ko" if name == "ko" else "en", weight
    return best


def _weight(parameters: str) -> float:
    name, _, value = parameters.strip().partition("=")
    if name.strip() != "q":
        return 1.0
    try:
        return min(max(float(value), 0.0), 1.0)
    except ValueError:
        return 0.0
