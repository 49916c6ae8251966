"""`axhub audit`: is the audit of an application with an agent whole (agent/I3)?"""

import argparse
import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from axhub.cli.parsing import Subparsers, add_command
from axhub.configuration.languages import Language, language_of

if TYPE_CHECKING:
    from axhub.agent.adapters.sql.chain import SqlAuditTrail
    from axhub.agent.domain.audit import AuditFault, Head

T = TypeVar("T")

WHOLE: Final = 0
BROKEN: Final = 1
UNUSABLE: Final = 2
_DATABASE: Final = "AXHUB_AUDIT_DATABASE"
_HEAD_KEYS: Final = frozenset({"tenant", "seq", "hash"})
_PROBLEMS: Final = {
    "gap": (
        "follows entry {after}: entries were removed or swapped",
        "항목 {after} 다음에 이 항목이 있습니다: 항목이 삭제되었거나 순서가 바뀌었습니다",
    ),
    "unlinked": (
        "does not continue entry {after}: one of the two was changed or moved",
        "항목 {after}에서 이어지지 않습니다: 둘 중 하나가 바뀌었거나 옮겨졌습니다",
    ),
    "changed": ("its content was changed", "이 항목의 내용이 바뀌었습니다"),
    "other_head": ("is another entry than the kept head says", "보관된 끝 항목과 다른 항목입니다"),
    "cut": ("is missing: the chain ends at {after}", "항목이 없습니다: 기록이 {after}에서 끝납니다"),
    "head_behind": (
        "the stored head stands at {after}, before this entry: it was changed, or this entry was slipped in",
        "저장된 끝 위치가 {after}(으)로 이 항목보다 앞입니다: 끝 위치가 바뀌었거나 이 항목이 몰래 추가되었습니다",
    ),
}
_EPILOG: Final = f"""\
The audit is a chain per tenant: each entry holds the hash of the one before it, so a change, a removal or a swap shows.
A cut tail shows only against a head that was exported earlier and is kept elsewhere.

examples:
  axhub audit head --database sqlite:///orders.sqlite3 > heads-2026-11-30.json
  axhub audit verify --database sqlite:///orders.sqlite3
  axhub audit verify --database postgresql://auditor@db/orders --head heads-2026-11-30.json

The address of the database may stand in {_DATABASE}, so that its password stands in no list of processes.

exit codes:
  0  the audit is whole
  1  it is not; each place is named
  2  it cannot be read"""


def add_parser(commands: Subparsers) -> None:
    """Add `audit` to the command line."""
    group = add_command(commands, "audit", "verify the audit of an application with an agent", _EPILOG)
    parts = group.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name, summary, function in (
        ("verify", "say whether the stored audit is whole", verify),
        ("head", "print where each tenant's audit ends, to be kept elsewhere", head),
    ):
        parser = add_command(parts, name, summary, _EPILOG)
        parser.add_argument("--database", metavar="URL", help=f"sqlite:///FILE or postgresql://… ({_DATABASE})")
        parser.add_argument("--lang", choices=("en", "ko"), help="language of messages (default: from LANG)")
        if function is verify:
            parser.add_argument("--head", metavar="FILE", help="what `axhub audit head` printed earlier")
        parser.set_defaults(run=function)


def verify(args: argparse.Namespace) -> int:
    """Verify the chains; return the exit code."""
    language = language_of(os.environ, args.lang)
    try:
        heads = () if args.head is None else read_heads(Path(args.head))
    except (OSError, ValueError) as error:
        return _unusable("verify", f"{args.head}: {_said(error)}")

    async def work(trail: "SqlAuditTrail") -> tuple["list[AuditFault]", dict[str, int]]:
        from axhub.agent.domain.audit import Verification

        checking = Verification([*heads, *await trail.heads()])
        faults = [fault async for entry in trail.entries() for fault in checking.next(entry)]
        return [*faults, *checking.end(await trail.heads())], dict(checking.counts)

    found = _with_trail("verify", args.database, work)
    if found is None:
        return UNUSABLE
    faults, counts = found
    for fault in faults:
        print(f"{fault.tenant_id} {fault.seq}: {_problem(fault, language)}")
    print(_summary(counts, len(faults), language))
    return BROKEN if faults else WHOLE


def head(args: argparse.Namespace) -> int:
    """Print the newest entry of each tenant as JSON; return the exit code."""

    async def work(trail: "SqlAuditTrail") -> "tuple[Head, ...]":
        return await trail.heads()

    found = _with_trail("head", args.database, work)
    if found is None:
        return UNUSABLE
    rows = [{"tenant": one.tenant_id, "seq": one.seq, "hash": one.hash} for one in found]
    print(json.dumps(rows, ensure_ascii=False, indent=2))
    return WHOLE


def read_heads(path: Path) -> "tuple[Head, ...]":
    """Return exported heads.

    Raises:
        OSError: the file cannot be read.
        ValueError: it is not what `axhub audit head` prints.
    """
    from axhub.agent.domain.audit import Head

    value: Any = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(value, list) or not all(_is_head(row) for row in value):
        raise ValueError("not what `axhub audit head` prints")
    return tuple(Head(row["tenant"], row["seq"], row["hash"]) for row in value)


def _is_head(row: Any) -> bool:
    return isinstance(row, Mapping) and row.keys() == _HEAD_KEYS and isinstance(row["seq"], int)


def _with_trail(command: str, url: str | None, work: "Callable[[SqlAuditTrail], Awaitable[T]]") -> T | None:
    """Read an audit; None once it was said why that cannot be done."""
    address = url or os.environ.get(_DATABASE)
    if not address:
        _unusable(command, f"no database: give --database, or set {_DATABASE}")
        return None
    if find_spec("sqlalchemy") is None:
        _unusable(command, "the agent library is not installed: pip install 'axhub[agent]'")
        return None
    from axhub.agent.adapters.sql.chain import SqlAuditTrail
    from axhub.agent.adapters.sql.database import Database
    from axhub.agent.ports.runs import StoreUnavailableError

    async def run() -> T:
        database = Database(address)
        try:
            return await work(SqlAuditTrail(database))
        finally:
            await database.close()

    try:
        return asyncio.run(run())
    except (ValueError, StoreUnavailableError) as error:
        _unusable(command, f"the audit cannot be read: {_said(error)}")
    return None


def _said(error: Exception) -> str:
    if isinstance(error, OSError):
        return error.strerror or type(error).__name__
    return "no JSON" if isinstance(error, json.JSONDecodeError) else str(error)


def _problem(fault: "AuditFault", language: Language) -> str:
    en, ko = _PROBLEMS[fault.problem.value]
    return (ko if language == "ko" else en).format(after=fault.after)


def _unusable(command: str, problem: str) -> int:
    print(f"axhub audit {command}: {problem}", file=sys.stderr)
    return UNUSABLE


def _summary(counts: Mapping[str, int], faults: int, language: Language) -> str:
    entries, tenants = sum(counts.values()), len(counts)
    if language == "ko":
        verdict = f"{faults}곳이 맞지 않습니다" if faults else "온전합니다"
        return f"감사 기록: 테넌트 {tenants}개, 항목 {entries}개, {verdict}"
    verdict = "whole" if not faults else "1 place does not hold" if faults == 1 else f"{faults} places do not hold"
    counted = f"{_counted(tenants, 'tenant', 'tenants')}, {_counted(entries, 'entry', 'entries')}"
    return f"audit: {counted}, {verdict}"


def _counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
