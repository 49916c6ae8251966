"""Changes one value of a YAML text into another, and touches nothing but what differs."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import yaml

from axhub.toolkit.promises.agreeing import OWN, agrees
from axhub.toolkit.promises.known import text_of
from axhub.toolkit.promises.yaml_writing import (
    STEP,
    block_lines,
    flow_text,
    is_short,
    key_text,
    member_lines,
    scalar_text,
)

__all__ = ["CommentLostError", "Edit", "edits", "line_end_of", "replacement"]

_BLOCK_SCALARS: Final = ("|", ">")
_KEPT: Final = frozenset({*OWN, "description"})
"""Keywords that stay where the published schema does not have them."""
_NAMED: Final = frozenset({"properties", "patternProperties", "$defs"})


class CommentLostError(Exception):
    """A comment stands in what would have to be replaced; `index` says where."""

    def __init__(self, index: int) -> None:
        super().__init__(index)
        self.index = index


class _NoKeyError(Exception):
    """An item of a list would have to be replaced, and only values of keys are."""


class Edit(NamedTuple):
    """One stretch of the text, and what stands there instead."""

    start: int
    end: int
    text: str


class _Entry(NamedTuple):
    """A key with its value."""

    name: str
    key: yaml.Node
    value: yaml.Node


def edits(text: str, key: yaml.Node, value: yaml.Node, written: Any, wanted: Any) -> list[Edit]:
    """Return what to change so that the value of a key becomes another.

    Args:
        text: the whole document.
        key: the key's node in it.
        value: its value's node.
        written: that value.
        wanted: the value that it becomes.

    Raises:
        CommentLostError: it cannot be done without losing a comment.
    """
    editing = _Editing(text)
    editing.value(_Entry("", key, value), written, wanted, _agree_schemas, key.start_mark.column)
    return editing.done


def replacement(text: str, key: yaml.Node, value: yaml.Node, wanted: Any) -> list[Edit]:
    """Return how the whole value of a key is replaced.

    Raises:
        CommentLostError: a comment stands in it.
    """
    editing = _Editing(text)
    editing.replace(_Entry("", key, value), wanted, key.start_mark.column)
    return editing.done


def line_end_of(text: str) -> str:
    """Return how the lines of a text end."""
    first = text.find("\n")
    return "\r\n" if first > 0 and text[first - 1] == "\r" else "\n"


def _agree_schemas(written: Any, wanted: Any) -> bool:
    return agrees(written, wanted)


def _agree_named(written: Any, wanted: Any) -> bool:
    """Compare names with their schemas."""
    return (
        isinstance(written, dict)
        and isinstance(wanted, dict)
        and written.keys() == wanted.keys()
        and all(agrees(written[name], wanted[name]) for name in written)
    )


_Compare = Callable[[Any, Any], bool]


@dataclass(slots=True)
class _Editing:
    text: str
    done: list[Edit] = field(default_factory=list)

    @property
    def _newline(self) -> str:
        return line_end_of(self.text)

    def value(self, entry: _Entry, written: Any, wanted: Any, compare: _Compare, column: int) -> None:
        """Change one value, as deep inside as can be."""
        node = entry.value
        if compare(written, wanted):
            return
        if isinstance(node, yaml.MappingNode) and isinstance(wanted, dict) and wanted and node.value:
            self._mapping(entry, node, written, wanted, compare, column)
        elif isinstance(node, yaml.SequenceNode) and isinstance(wanted, list) and wanted and node.value:
            self._sequence(entry, node, written, wanted, column)
        elif (
            isinstance(node, yaml.ScalarNode)
            and not isinstance(wanted, dict | list)
            and node.style not in _BLOCK_SCALARS
        ):
            before = self.text[node.start_mark.index : node.end_mark.index]
            self._put(entry, scalar_text(wanted, before))
        else:
            self.replace(entry, wanted, column)

    def replace(self, entry: _Entry, wanted: Any, column: int) -> None:
        """Give a key another value, whatever stood there."""
        if entry.key is entry.value:
            raise _NoKeyError
        start, end = self._after_colon(entry), self._end(entry.value)
        self._refuse_comments(entry.value, start, end)
        if is_short(wanted) or self._is_inline(entry.key):
            text = f" {flow_text(wanted)}"
        else:
            lines = block_lines(wanted, column + STEP)
            text = "".join(f"{self._newline}{line}" for line in lines)
        self.done.append(Edit(start, max(start, end), text))

    def _mapping(
        self,
        entry: _Entry,
        node: yaml.MappingNode,
        written: Mapping[str, Any],
        wanted: Mapping[str, Any],
        compare: _Compare,
        column: int,
    ) -> None:
        inside = [_Entry(key.value, key, value) for key, value in node.value]
        are_names = compare is _agree_named
        gone = [one.name not in wanted and (are_names or one.name not in _KEPT) for one in inside]
        placed = _placed(inside, gone, wanted)
        if all(gone) or not self._are_on_lines(node, inside if gone[0] or -1 in placed else inside[1:]):
            self.replace(entry, wanted, column)
            return
        for one, is_gone in zip(inside, gone, strict=True):
            if not is_gone and one.name in wanted:
                below = _agree_schemas if are_names else _comparison(one.name)
                self.value(one, written.get(one.name), wanted[one.name], below, one.key.start_mark.column)
        remove, insert = (self._cut, self._insert_in_line) if node.flow_style else (self._cut_lines, self._insert_lines)
        for at, is_gone in enumerate(gone):
            if is_gone:
                remove(inside, gone, at)
        for after, names in placed.items():
            insert(inside, gone, after, {name: wanted[name] for name in names})

    def _sequence(
        self, entry: _Entry, node: yaml.SequenceNode, written: list[Any], wanted: list[Any], column: int
    ) -> None:
        if self._items(node, written, wanted):
            return
        if not node.flow_style or any(isinstance(one, dict | list) for one in wanted):
            self.replace(entry, wanted, column)
            return
        self._refuse_comments(node, node.start_mark.index, node.end_mark.index)
        kept = {
            text_of(value): self.text[item.start_mark.index : item.end_mark.index]
            for item, value in zip(node.value, written, strict=True)
        }
        items = ", ".join(kept.get(text_of(one)) or flow_text(one) for one in wanted)
        self.done.append(Edit(node.start_mark.index, node.end_mark.index, f"[{items}]"))

    def _items(self, node: yaml.SequenceNode, written: list[Any], wanted: list[Any]) -> bool:
        """Change item by item, where all are groups of keys and stay as many; say whether that was possible."""
        pairs = list(zip(node.value, written, wanted, strict=False))
        if len(written) != len(wanted) or not all(
            isinstance(item, yaml.MappingNode) and isinstance(theirs, dict) for item, _, theirs in pairs
        ):
            return False
        editing = _Editing(self.text)
        try:
            for item, ours, theirs in pairs:
                editing.value(_Entry("", item, item), ours, theirs, _agree_schemas, item.start_mark.column)
        except _NoKeyError:
            return False
        self.done += editing.done
        return True

    def _put(self, entry: _Entry, text: str) -> None:
        start, end = entry.value.start_mark.index, entry.value.end_mark.index
        self.done.append(Edit(start, end, text if start < end else f" {text}"))

    # --- lines -------------------------------------------------------------------------------------------------------

    def _cut_lines(self, inside: list[_Entry], _gone: list[bool], at: int) -> None:
        start = self._line_start(inside[at].key.start_mark.index)
        end = self._line_finish(self._entry_end(inside[at]))
        self.done.append(Edit(start - len(self._newline), end, ""))

    def _insert_lines(self, inside: list[_Entry], _gone: list[bool], after: int, members: Mapping[str, Any]) -> None:
        column = inside[0].key.start_mark.column
        lines = [line for name, value in members.items() for line in member_lines(name, value, column)]
        if after >= 0:
            place = self._line_finish(self._entry_end(inside[after]))
        else:
            place = self._line_start(inside[0].key.start_mark.index) - len(self._newline)
        self.done.append(Edit(place, place, "".join(f"{self._newline}{line}" for line in lines)))

    # --- in braces ---------------------------------------------------------------------------------------------------

    def _cut(self, inside: list[_Entry], gone: list[bool], at: int) -> None:
        if all(gone[:at]):
            start, end = inside[at].key.start_mark.index, inside[at + 1].key.start_mark.index
        else:
            start, end = self._entry_end(inside[at - 1]), self._entry_end(inside[at])
        self._refuse_comments(inside[at].value, start, end, inside[at].key)
        self.done.append(Edit(start, end, ""))

    def _insert_in_line(self, inside: list[_Entry], gone: list[bool], after: int, members: Mapping[str, Any]) -> None:
        text = ", ".join(f"{key_text(name)}: {flow_text(value)}" for name, value in members.items())
        if after >= 0:
            place = self._entry_end(inside[after])
            self.done.append(Edit(place, place, f", {text}"))
        else:
            place = inside[gone.index(False)].key.start_mark.index
            self.done.append(Edit(place, place, f"{text}, "))

    # --- places ------------------------------------------------------------------------------------------------------

    def _are_on_lines(self, node: yaml.MappingNode, inside: list[_Entry]) -> bool:
        """Say whether each key begins a line, so that lines can come and go."""
        if node.flow_style:
            return True
        starts = (one.key.start_mark.index for one in inside)
        return all(not self.text[self._line_start(start) : start].strip(" ") for start in starts)

    def _is_inline(self, key: yaml.Node) -> bool:
        """Say whether something stands before a key on its line: a brace, a comma, a dash."""
        start = key.start_mark.index
        return bool(self.text[self._line_start(start) : start].strip())

    def _after_colon(self, entry: _Entry) -> int:
        return self.text.index(":", entry.key.end_mark.index) + 1

    def _entry_end(self, entry: _Entry) -> int:
        return max(self._after_colon(entry), self._end(entry.value))

    def _end(self, node: yaml.Node) -> int:
        """Return where the text of a node ends; comments and blank lines after it are not its own."""
        if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
            last = node.value[-1]
            return self._entry_end(_Entry("", *last)) if isinstance(node, yaml.MappingNode) else self._end(last)
        if isinstance(node, yaml.ScalarNode) and node.style in _BLOCK_SCALARS:
            return node.start_mark.index + len(self.text[node.start_mark.index : node.end_mark.index].rstrip())
        return int(node.end_mark.index)

    def _line_start(self, index: int) -> int:
        return self.text.rfind("\n", 0, index) + 1

    def _line_finish(self, index: int) -> int:
        """Return where the line ends that a place is on, before its line end."""
        found = self.text.find("\n", index)
        if found < 0:
            return len(self.text)
        return found - 1 if self.text[found - 1] == "\r" else found

    def _refuse_comments(self, node: yaml.Node, start: int, end: int, *more: yaml.Node) -> None:
        covered = sorted((leaf.start_mark.index, self._end(leaf)) for one in (node, *more) for leaf in _leaves(one))
        at = start
        for first, last in (*covered, (end, end)):
            found = self.text.find("#", at, max(at, min(first, end)))
            if found >= 0:
                raise CommentLostError(found)
            at = max(at, last)


def _comparison(keyword: str) -> _Compare:
    """Return how the values of a keyword are compared."""
    if keyword in _NAMED:
        return _agree_named
    return lambda written, wanted: agrees({keyword: written}, {keyword: wanted})


def _placed(inside: list[_Entry], gone: list[bool], wanted: Mapping[str, Any]) -> dict[int, list[str]]:
    """Return the new names by the entry that they come after, -1 for the beginning."""
    kept = {one.name: at for at, (one, is_gone) in enumerate(zip(inside, gone, strict=True)) if not is_gone}
    found: dict[int, list[str]] = {}
    after = -1
    for name in wanted:
        if name in kept:
            after = kept[name]
        else:
            found.setdefault(after, []).append(name)
    return found


def _leaves(node: yaml.Node) -> Iterator[yaml.Node]:
    if isinstance(node, yaml.ScalarNode):
        yield node
    elif isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield from _leaves(key)
            yield from _leaves(value)
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from _leaves(item)
