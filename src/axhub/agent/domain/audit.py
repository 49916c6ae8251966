"""The audit: one chain of entries per tenant, in which a change, a removal or a swap shows (agent/I3)."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Final

from axhub.agent.domain.canonical import canonical

__all__ = [
    "GENESIS",
    "AuditAction",
    "AuditEntry",
    "AuditFault",
    "AuditProblem",
    "ChainedEntry",
    "Head",
    "Verification",
    "chained",
    "late",
    "verify",
]

GENESIS: Final = "0" * 64
"""What the first entry of a tenant follows."""


class AuditAction(StrEnum):
    """What an entry tells of."""

    CALL_REJECTED = "call_rejected"
    CALL_PROPOSED = "call_proposed"
    """It waits for an approval."""
    CALL_DECIDED = "call_decided"
    CALL_WITHDRAWN = "call_withdrawn"
    CALL_EXPIRED = "call_expired"
    CALL_INTENDED = "call_intended"
    """It is about to run: the intent, before."""
    CALL_ENDED = "call_ended"
    """The outcome, after."""
    OUTCOME_LATE = "outcome_late"
    """What a process says that had lost the run: the call had its end already, and keeps it."""
    CALL_SETTLED = "call_settled"
    """A person has looked what became of a call whose outcome nobody knew."""
    DECISION_REFUSED = "decision_refused"
    """Somebody of the tenant who may not tried to decide."""
    RUN_ENDED = "run_ended"


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """Who did what; arguments by their hash, and by those fields that the tool lets into the audit."""

    action: AuditAction
    tenant_id: str
    user_id: str
    """Who it was done for."""
    run_id: str
    agent: str
    call_id: str = ""
    tool: str = ""
    arguments_sha256: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    decision: str = ""
    approver: str = ""
    policy_version: str = ""
    """Of the capability policy, as it was asked last before this (agent/A4)."""
    approval_policy_version: str = ""
    """Of the approval policy, as it was asked last before this (agent/R0)."""
    outcome: str = ""
    reference: str = ""
    """Where the log has more."""
    trace_id: str = ""
    at: str = ""
    """UTC, ISO 8601, by the clock of the database; filled in when it is stored."""

    def with_arguments(self, arguments: Mapping[str, Any]) -> "AuditEntry":
        """Return the entry with values of arguments in it."""
        return replace(self, arguments=arguments)

    def decided(self, decision: str, approver: str) -> "AuditEntry":
        """Return the entry with a person's decision in it."""
        return replace(self, decision=decision, approver=approver)

    def body(self) -> str:
        """Return the canonical text that is hashed and stored."""
        return canonical({name: getattr(self, name) for name in _FIELDS})


_FIELDS: Final = tuple(AuditEntry.__dataclass_fields__)
_ENDS: Final = frozenset({AuditAction.CALL_ENDED, AuditAction.CALL_REJECTED})


@dataclass(frozen=True, slots=True)
class ChainedEntry:
    """An entry as stored."""

    tenant_id: str
    seq: int
    """From 1, without gaps."""
    body: str
    previous: str
    hash: str


@dataclass(frozen=True, slots=True)
class Head:
    """The newest entry of a tenant, kept elsewhere to find a cut tail."""

    tenant_id: str
    seq: int
    hash: str


class AuditProblem(StrEnum):
    """What is wrong at one place of a chain."""

    GAP = "gap"
    """It does not follow the entry before it by number: entries were removed or swapped."""
    UNLINKED = "unlinked"
    """It does not hold the hash of the entry before it: that one was changed."""
    CHANGED = "changed"
    """Its own hash is not that of its content."""
    OTHER_HEAD = "other_head"
    """It is another entry than the one whose head was exported."""
    CUT = "cut"
    """The chain ends before an entry that was there."""
    HEAD_BEHIND = "head_behind"
    """The store's own head stands before the last entry, or is gone: it was changed, or this entry was slipped in."""


@dataclass(frozen=True, slots=True)
class AuditFault:
    """One place where a chain does not hold."""

    tenant_id: str
    seq: int
    problem: AuditProblem
    after: int = 0
    """The number of the entry before it, or of the last one there is."""


def chained(tenant_id: str, seq: int, body: str, previous: str) -> ChainedEntry:
    """Return an entry with its hash."""
    text = canonical([tenant_id, seq, previous, body])
    return ChainedEntry(tenant_id, seq, body, previous, hashlib.sha256(text.encode()).hexdigest())


class Verification:
    """Looks at stored chains one entry at a time, so that an audit of any length can be verified."""

    def __init__(self, heads: Iterable[Head] = ()) -> None:
        """Take what must be there.

        Args:
            heads: exported earlier, or as the store has them.
        """
        self._wanted: dict[tuple[str, int], set[str]] = {}
        for head in heads:
            self._wanted.setdefault((head.tenant_id, head.seq), set()).add(head.hash)
        self._last: dict[str, ChainedEntry] = {}
        self.counts: dict[str, int] = {}
        """Entries seen, by tenant."""

    def next(self, entry: ChainedEntry) -> Iterator[AuditFault]:
        """Yield what is wrong with the next entry; a tenant's entries come in ascending order of `seq`."""
        yield from _breaks(entry, self._last.get(entry.tenant_id))
        hashes = self._wanted.pop((entry.tenant_id, entry.seq), {entry.hash})
        if hashes != {entry.hash}:
            yield AuditFault(entry.tenant_id, entry.seq, AuditProblem.OTHER_HEAD, entry.seq)
        self._last[entry.tenant_id] = entry
        self.counts[entry.tenant_id] = self.counts.get(entry.tenant_id, 0) + 1

    def end(self, stored: Iterable[Head] | None = None) -> Iterator[AuditFault]:
        """Yield what should have come and did not.

        Args:
            stored: the store's own heads, read after the entries; none of them stands before its last entry.
        """
        for tenant_id, seq in self._wanted:
            found = self._last[tenant_id].seq if tenant_id in self._last else 0
            yield AuditFault(tenant_id, seq, AuditProblem.CUT, found)
        if stored is None:
            return
        heads = {head.tenant_id: head.seq for head in stored}
        for tenant_id, last in self._last.items():
            at = heads.get(tenant_id, 0)
            if at < last.seq:
                yield AuditFault(tenant_id, last.seq, AuditProblem.HEAD_BEHIND, at)


def late(entries: Iterable[AuditEntry], changed: AbstractSet[str]) -> list[AuditEntry]:
    """Return what is to be told of a response whose run its process had lost.

    Args:
        entries: as they would stand there if it had the run.
        changed: ids of the calls whose rows took the outcome all the same. That of any other call is told as late, and
            what the process refused is for those to tell who have the run.
    """
    told = []
    for one in entries:
        if one.action not in _ENDS or one.call_id in changed:
            told.append(one)
        elif one.action is AuditAction.CALL_ENDED:
            told.append(replace(one, action=AuditAction.OUTCOME_LATE))
    return told


def verify(entries: Iterable[ChainedEntry], heads: Iterable[Head] = ()) -> Iterator[AuditFault]:
    """Yield what is wrong with stored chains; see `Verification`."""
    checking = Verification(heads)
    for entry in entries:
        yield from checking.next(entry)
    yield from checking.end()


def _breaks(entry: ChainedEntry, before: ChainedEntry | None) -> Iterator[AuditFault]:
    seq, previous = (before.seq, before.hash) if before is not None else (0, GENESIS)
    if entry.seq != seq + 1:
        yield AuditFault(entry.tenant_id, entry.seq, AuditProblem.GAP, seq)
    elif entry.previous != previous:
        yield AuditFault(entry.tenant_id, entry.seq, AuditProblem.UNLINKED, seq)
    if chained(entry.tenant_id, entry.seq, entry.body, entry.previous).hash != entry.hash:
        yield AuditFault(entry.tenant_id, entry.seq, AuditProblem.CHANGED, seq)
