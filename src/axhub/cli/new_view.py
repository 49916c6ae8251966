"""How `axhub new` shows what it made and what is left to do, in both languages."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from axhub.toolkit.check.report import Language
from axhub.toolkit.rules.model import Text

__all__ = ["Shown", "render"]

_WORDS: Final[Mapping[str, Text]] = {
    "new": Text("made", "만듦"),
    "added": Text("added to", "추가함"),
    "kept": Text("was there", "그대로"),
    "by hand": Text("add this to", "직접 추가"),
}
_NOTHING: Final = Text(
    "Everything is there already; nothing was changed.", "이미 모두 있어 아무것도 바꾸지 않았습니다."
)
_DRY: Final = Text("This would be made; nothing was written:", "다음과 같이 만들 예정이며 아무것도 쓰지 않았습니다.")
_LEFT: Final = Text(
    "Left to write, each marked TODO ({count}):", "직접 작성해야 할 곳입니다. TODO로 표시되어 있습니다({count}곳)."
)
_THEN: Final = Text("Then:", "다음 명령:")


@dataclass(frozen=True, slots=True)
class Shown:
    """What there is to say."""

    lines: Sequence[tuple[str, str]]
    """A word of `new`, `added`, `kept`, `by hand`, and the file."""
    left: Sequence[str]
    """What is left to write: place and line."""
    then: Sequence[str] = ()
    """Commands that come next."""
    notes: Sequence[Text] = ()
    """What to know besides."""


def render(shown: Shown, language: Language, *, dry_run: bool) -> str:
    """Return the whole text."""
    return "\n".join(_lines(shown, language, dry_run=dry_run))


def _lines(shown: Shown, language: Language, *, dry_run: bool) -> Iterator[str]:
    if dry_run:
        yield _DRY.said(language)
    if all(word == "kept" for word, _ in shown.lines):
        yield _NOTHING.said(language)
    else:
        width = max(len(text.said(language)) for text in _WORDS.values())
        for word, file in shown.lines:
            yield f"  {_WORDS[word].said(language):{width}}  {file}"
    yield from (note.said(language) for note in shown.notes)
    if shown.left:
        yield _LEFT.said(language).format(count=len(shown.left))
        yield from (f"  {line}" for line in shown.left)
    if shown.then and not dry_run:
        yield _THEN.said(language)
        yield from (f"  {line}" for line in shown.then)
