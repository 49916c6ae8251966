"""Puts the fields of a sheet into their groups, by the names before theirs: `rows.claim_no` belongs to `rows`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from axhub.toolkit.rules.model import Text
from axhub.toolkit.scaffold.sheets import saying
from axhub.toolkit.scaffold.sheets.columns import Columns
from axhub.toolkit.scaffold.sheets.model import Entry, Fault, size_of
from axhub.toolkit.scaffold.sheets.words import FILLER, GROUP

__all__ = ["grouped"]


@dataclass(slots=True)
class _Open:
    """A group while its members come; the outermost one is the telegram itself."""

    path: tuple[str, ...]
    entry: Entry | None = None
    members: list[Entry] = field(default_factory=list)


def grouped(entries: Sequence[Entry], columns: Columns, faults: list[Fault]) -> tuple[Entry, ...]:
    """Return the outermost fields; what is wrong goes to the faults.

    Args:
        entries: one for each row, named with the groups around it.
        columns: for the places of faults.
        faults: where they go.
    """
    return _Grouping(columns, faults).all(entries)


class _Grouping:
    """One sheet while its groups are put together."""

    def __init__(self, columns: Columns, faults: list[Fault]) -> None:
        self._columns = columns
        self._faults = faults
        self._open = [_Open(())]

    def all(self, entries: Sequence[Entry]) -> tuple[Entry, ...]:
        for entry in entries:
            *around, name = entry.name.split(".")
            self._close_down_to(tuple(around))
            if self._open[-1].path != tuple(around):
                self._fault(entry, "field", saying.orphan(entry.name, ".".join(around)))
                continue
            self._add(replace(entry, name=name), entry.name)
        self._close_down_to(())
        return self._named(self._open[0].members)

    def _add(self, entry: Entry, shown: str) -> None:
        group = self._open[-1]
        before = next((one for one in group.members if one.name == entry.name and one.kind != FILLER), None)
        if before is not None and entry.name:
            self._fault(entry, "field", saying.twice(shown, before.row))
        self._check_count(entry, shown, group.members)
        if entry.kind == GROUP:
            self._open.append(_Open((*group.path, entry.name), entry))
        else:
            group.members.append(entry)

    def _check_count(self, entry: Entry, shown: str, before: Sequence[Entry]) -> None:
        occurs = entry.occurs
        if occurs is None or not occurs.count:
            return
        count = next((one for one in before if one.name == occurs.count), None)
        if count is None or count.kind != "num" or count.scale or count.sign or count.optional:
            self._fault(entry, "occurs", saying.count(shown, occurs.count))
        elif count.size and occurs.most >= 10**count.size:
            self._fault(entry, "occurs", saying.too_few_digits(shown, occurs.count, occurs.most))

    def _close_down_to(self, path: tuple[str, ...]) -> None:
        while len(self._open) > 1 and self._open[-1].path != path[: len(self._open[-1].path)]:
            closed = self._open.pop()
            if closed.entry is None:
                continue
            whole = replace(closed.entry, members=self._named(closed.members))
            self._check_group(whole, ".".join(closed.path))
            self._open[-1].members.append(whole)

    def _check_group(self, group: Entry, shown: str) -> None:
        inner, times = size_of(group.members), group.occurs.most if group.occurs else 1
        if not group.members:
            self._fault(group, "field", saying.no_members(shown))
        elif inner is None:
            if group.occurs is not None and group.occurs.fixed:
                self._fault(group, "occurs", saying.lonely(shown))
        elif group.size not in {0, inner, inner * times}:
            self._fault(group, "size", saying.group_size(group.size, inner, times))

    def _named(self, members: Sequence[Entry]) -> tuple[Entry, ...]:
        return tuple(_with_own_names(members))

    def _fault(self, entry: Entry, key: str, text: Text) -> None:
        self._faults.append(Fault(entry.row, self._columns.shown(key), text))


def _with_own_names(members: Sequence[Entry]) -> Iterator[Entry]:
    """Number the fillers where there are several of one name, since no two fields have the same."""
    taken = {member.name for member in members if member.kind != FILLER}
    for member in members:
        name, number = member.name, 1
        while member.kind == FILLER and name in taken:
            number += 1
            name = f"{member.name}_{number}"
        taken.add(name)
        yield replace(member, name=name) if name != member.name else member
