"""Writes the published schema into a definition as text: everything else in the file stays as it is (decision/D12)."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import yaml

from axhub.toolkit.facts.service import Definition, Place
from axhub.toolkit.promises.agreeing import agrees
from axhub.toolkit.promises.known import text_of
from axhub.toolkit.promises.yaml_edits import CommentLostError, Edit, edits, line_end_of, replacement
from axhub.toolkit.promises.yaml_writing import member_lines
from axhub.toolkit.published.definition_file import read_definition
from axhub.toolkit.rules.model import Text

__all__ = ["PARAMETERS", "CannotEditError", "with_parameters"]

PARAMETERS: Final = "parameters_schema"
_BOM: Final = "\ufeff"
_BEFORE: Final = ("repeat", "idempotent", "destructive", "read_only", "example_queries")
"""Keys after which a schema is written that is not there yet: the first of them that is."""


class CannotEditError(ValueError):
    """A definition cannot be changed safely; `text` says why and what to do, `place` where."""

    def __init__(self, place: Place, text: Text) -> None:
        super().__init__(f"{place}: {text.en}")
        self.place = place
        self.text = text


def with_parameters(content: bytes, path: str, schema: Mapping[str, Any]) -> bytes:
    """Return a definition whose `parameters_schema` says what a schema says; the same bytes if it does already.

    Args:
        content: the file's bytes.
        path: what it is called in messages.
        schema: what is published.

    Raises:
        CannotEditError: it cannot be read, or not be changed without a risk for what else is in it.
    """
    before = read_definition(content, path)
    if before.problem is not None:
        said = before.problem.value
        raise CannotEditError(
            before.problem.place, Text(f"it cannot be read: {said}", f"정의 파일을 읽을 수 없습니다: {said}")
        )
    if PARAMETERS in before.values and agrees(before.values[PARAMETERS], schema):
        return content
    text = content.decode("utf-8")
    mark = _BOM if text.startswith(_BOM) else ""
    text = text.removeprefix(_BOM)
    _check(text, before)
    for changed in _ways(text, before, schema):
        result = (mark + changed).encode()
        if _is_good(before, read_definition(result, path), schema):
            return result
    raise CannotEditError(
        before.place(f"/{PARAMETERS}"),
        Text(
            f"{PARAMETERS} is written in a way that cannot be changed safely; delete it with its key, and run it again",
            f"{PARAMETERS} 작성 방식 때문에 안전하게 고칠 수 없습니다. 키와 함께 지운 뒤 다시 실행하십시오",
        ),
    )


def _check(text: str, definition: Definition) -> None:
    """Refuse what stands for something elsewhere: repeated keys, anchors, aliases, tags."""
    repeated = next((one for one in definition.duplicates if f"{one.value}/".startswith(f"/{PARAMETERS}/")), None)
    if repeated is not None:
        raise CannotEditError(
            repeated.place,
            Text(
                f"the key {repeated.value} stands there twice; delete one of the two",
                f"{repeated.value} 키가 두 번 있습니다. 둘 중 하나를 지우십시오",
            ),
        )
    found = _entry(text)
    if found is None:
        return
    start, end = found[0].start_mark.index, found[1].end_mark.index
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        mark = event.start_mark
        if mark is None or not start <= mark.index < end:
            continue
        if getattr(event, "anchor", None) or isinstance(event, yaml.AliasEvent):
            raise CannotEditError(
                Place(definition.path, mark.line + 1, mark.column + 1),
                Text(
                    "an anchor (&) or alias (*) of YAML stands in it, which may be used elsewhere; write out what it "
                    "stands for",
                    "YAML 앵커(&) 또는 별칭(*)이 있어 다른 곳에서도 쓰일 수 있습니다. 값을 풀어 쓰십시오",
                ),
            )


def _ways(text: str, definition: Definition, schema: Mapping[str, Any]) -> Iterator[str]:
    """Yield the text changed in ways that are tried in turn: what differs, then the whole schema."""
    found = _entry(text)
    if found is None:
        yield _added(text, schema)
        return
    written = definition.values[PARAMETERS]
    try:
        yield _applied(text, edits(text, *found, written, schema))
        yield _applied(text, replacement(text, *found, schema))
    except CommentLostError as error:
        line = text.count("\n", 0, error.index) + 1
        column = error.index - text.rfind("\n", 0, error.index)
        raise CannotEditError(
            Place(definition.path, line, column),
            Text(
                "this comment would be lost, as what it stands in has to be replaced; move it out of there",
                "이 주석이 있는 부분을 바꿔야 해서 주석이 없어집니다. 주석을 다른 곳으로 옮기십시오",
            ),
        ) from None


def _entry(text: str) -> tuple[yaml.Node, yaml.Node] | None:
    return next(((key, value) for key, value in _members(text) if key.value == PARAMETERS), None)


def _members(text: str) -> list[tuple[yaml.Node, yaml.Node]]:
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    return list(root.value) if isinstance(root, yaml.MappingNode) else []


def _added(text: str, schema: Mapping[str, Any]) -> str:
    """Return the text with the schema as a key of its own, below one that usually stands before it, else at the end."""
    newline = line_end_of(text)
    lines = newline.join(member_lines(PARAMETERS, schema, 0))
    starts = {key.value: key.start_mark.index for key, _ in _members(text)}
    known = next((name for name in _BEFORE if name in starts), None)
    after = sorted(index for index in starts.values() if known is not None and index > starts[known])
    if after:
        return f"{text[: after[0]]}{lines}{newline}{text[after[0] :]}"
    is_ended = text.endswith("\n")
    return f"{text}{'' if is_ended else newline}{lines}{newline if is_ended else ''}"


def _applied(text: str, found: list[Edit]) -> str:
    """Make the changes from the end on; of two at one place, the later one goes further back."""
    for at in sorted(range(len(found)), key=lambda at: (found[at].start, found[at].end, at), reverse=True):
        edit = found[at]
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def _is_good(before: Definition, after: Definition, schema: Mapping[str, Any]) -> bool:
    """Say whether a changed text is read as what it should be, and nothing else of it is."""
    if after.problem is not None or not agrees(after.values.get(PARAMETERS), schema):
        return False
    return text_of({**before.values, PARAMETERS: None}) == text_of({**after.values, PARAMETERS: None})
