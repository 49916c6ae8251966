"""`axhub audit`: each kind of damage to a stored audit is found, and named (agent/I3, input/B96)."""

import asyncio
import json
import sqlite3
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy.engine import Connection

from axhub.agent.adapters.sql.chain import append
from axhub.agent.adapters.sql.database import Database
from axhub.agent.adapters.sql.migrations import upgrade
from axhub.agent.domain.audit import AuditAction, AuditEntry
from axhub.cli.main import main

SWAP = """
    UPDATE agent_audit SET seq = 10 WHERE tenant_id = 'shinhan' AND seq = 1;
    UPDATE agent_audit SET seq = 1 WHERE tenant_id = 'shinhan' AND seq = 2;
    UPDATE agent_audit SET seq = 2 WHERE tenant_id = 'shinhan' AND seq = 10;
"""
CUT = """
    DELETE FROM agent_audit WHERE tenant_id = 'shinhan' AND seq = 3;
    UPDATE agent_audit_head SET seq = 2 WHERE tenant_id = 'shinhan';
    UPDATE agent_audit_head SET hash = (SELECT hash FROM agent_audit WHERE tenant_id = 'shinhan' AND seq = 2)
    WHERE tenant_id = 'shinhan';
"""
SET_BACK = """
    UPDATE agent_audit_head SET seq = 1,
    hash = (SELECT hash FROM agent_audit WHERE tenant_id = 'shinhan' AND seq = 1) WHERE tenant_id = 'shinhan';
"""
ENTRIES = {"shinhan": 3, "대한": 2}


def entry(tenant_id: str, number: int) -> AuditEntry:
    return AuditEntry(
        action=AuditAction.CALL_ENDED, tenant_id=tenant_id, user_id="u1", run_id=f"run-{number}", agent="support"
    )


@pytest.fixture
def database(tmp_path: Path) -> str:
    url = f"sqlite:///{tmp_path / 'orders.sqlite3'}"
    asyncio.run(filled(url))
    return url


async def filled(url: str) -> None:
    opened = Database(url, patience_seconds=20)
    await upgrade(opened)
    for tenant_id, count in ENTRIES.items():
        entries = [entry(tenant_id, number) for number in range(count)]
        await opened.write(partial(_append, entries))
    await opened.close()


def _append(entries: list[AuditEntry], connection: Connection) -> None:
    append(connection, entries)


def damaged(url: str, statement: str) -> None:
    """Change the audit as somebody could who owns the database."""
    connection = sqlite3.connect(url.removeprefix("sqlite:///"))
    triggers = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall()
    for (name,) in triggers:
        connection.execute(f"DROP TRIGGER {name}")
    connection.executescript(statement)
    connection.commit()
    connection.close()


@pytest.fixture
def lines(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, list[str]]]:
    def run(*arguments: str) -> tuple[int, list[str]]:
        code = main(["audit", *arguments])
        printed = capsys.readouterr()
        return code, (printed.out + printed.err).splitlines()

    return run


@pytest.mark.req("agent/I3")
def test_a_whole_audit_is_whole(database: str, lines: Callable[..., tuple[int, list[str]]]) -> None:
    assert lines("verify", "--database", database, "--lang", "en") == (0, ["audit: 2 tenants, 5 entries, whole"])
    assert lines("verify", "--database", database, "--lang", "ko") == (
        0,
        ["감사 기록: 테넌트 2개, 항목 5개, 온전합니다"],
    )


@pytest.mark.req("agent/I3", "input/B96", "threat/T29")
@pytest.mark.parametrize(
    ("statement", "found"),
    [
        (
            "UPDATE agent_audit SET body = replace(body, 'u1', 'u2') WHERE tenant_id = 'shinhan' AND seq = 2",
            ["shinhan 2: its content was changed"],
        ),
        (
            "DELETE FROM agent_audit WHERE tenant_id = 'shinhan' AND seq = 2",
            ["shinhan 3: follows entry 1: entries were removed or swapped"],
        ),
        (
            "DELETE FROM agent_audit WHERE tenant_id = 'shinhan' AND seq = 3",
            ["shinhan 3: is missing: the chain ends at 2"],
        ),
        (
            "DELETE FROM agent_audit WHERE tenant_id = '대한'",
            ["대한 2: is missing: the chain ends at 0"],
        ),
        (
            SWAP,
            [
                "shinhan 1: does not continue entry 0: one of the two was changed or moved",
                "shinhan 1: its content was changed",
                "shinhan 2: does not continue entry 1: one of the two was changed or moved",
                "shinhan 2: its content was changed",
                "shinhan 3: does not continue entry 2: one of the two was changed or moved",
            ],
        ),
    ],
    ids=["edited", "removed", "cut", "tenant-gone", "swapped"],
)
def test_each_kind_of_damage_is_found(
    database: str, lines: Callable[..., tuple[int, list[str]]], statement: str, found: list[str]
) -> None:
    damaged(database, statement)
    code, printed = lines("verify", "--database", database, "--lang", "en")
    assert code == 1
    assert printed[:-1] == found


@pytest.mark.req("agent/I3")
def test_a_tail_that_was_cut_with_its_head_shows_against_an_exported_head(
    database: str, lines: Callable[..., tuple[int, list[str]]], tmp_path: Path
) -> None:
    code, printed = lines("head", "--database", database)
    assert code == 0
    assert [(one["tenant"], one["seq"]) for one in json.loads("\n".join(printed))] == [("shinhan", 3), ("대한", 2)]
    kept = tmp_path / "heads.json"
    kept.write_text("\n".join(printed), encoding="utf-8")
    damaged(database, CUT)
    assert lines("verify", "--database", database, "--lang", "en")[0] == 0
    assert lines("verify", "--database", database, "--head", str(kept), "--lang", "en") == (
        1,
        [
            "shinhan 3: is missing: the chain ends at 2",
            "audit: 2 tenants, 4 entries, 1 place does not hold",
        ],
    )


@pytest.mark.parametrize(
    ("content", "problem"),
    [("[", "no JSON"), ("{}", "not what `axhub audit head` prints"), (None, "No such file or directory")],
)
def test_a_head_that_cannot_be_read_is_named(
    database: str,
    lines: Callable[..., tuple[int, list[str]]],
    tmp_path: Path,
    content: str | None,
    problem: str,
) -> None:
    kept = tmp_path / "heads.json"
    if content is not None:
        kept.write_text(content, encoding="utf-8")
    assert lines("verify", "--database", database, "--head", str(kept)) == (
        2,
        [f"axhub audit verify: {kept}: {problem}"],
    )


def test_without_a_database_it_says_how_to_name_one(
    lines: Callable[..., tuple[int, list[str]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("AXHUB_AUDIT_DATABASE", raising=False)
    assert lines("head") == (
        2,
        ["axhub audit head: no database: give --database, or set AXHUB_AUDIT_DATABASE"],
    )
    code, printed = lines("verify", "--database", "mysql://host/name")
    assert code == 2
    assert printed[0].startswith("axhub audit verify: the audit cannot be read: the database's address cannot be used")
    assert "write sqlite:///FILE or postgresql://USER:PASSWORD@HOST:PORT/NAME" in printed[0]


@pytest.mark.req("agent/I3", "threat/T29")
@pytest.mark.parametrize(
    ("statement", "en", "ko"),
    [
        ("UPDATE agent_audit_head SET seq = 0, hash = '00' WHERE tenant_id = 'shinhan'", "0", "0(으)로"),
        ("DELETE FROM agent_audit_head WHERE tenant_id = 'shinhan'", "0", "0(으)로"),
        (
            SET_BACK,
            "1",
            "1(으)로",
        ),
    ],
    ids=["zero", "gone", "set-back"],
)
def test_a_stored_head_that_was_changed_is_noticed_and_stops_no_later_entry(
    database: str, lines: Callable[..., tuple[int, list[str]]], statement: str, en: str, ko: str
) -> None:
    damaged(database, statement)
    code, said = lines("verify", "--database", database, "--lang", "en")
    assert (code, said[0]) == (
        1,
        f"shinhan 3: the stored head stands at {en}, before this entry: it was changed, or this entry was slipped in",
    )
    code, said = lines("verify", "--database", database, "--lang", "ko")
    assert (code, said[0]) == (
        1,
        f"shinhan 3: 저장된 끝 위치가 {ko} 이 항목보다 앞입니다: 끝 위치가 바뀌었거나 이 항목이 몰래 추가되었습니다",
    )
    asyncio.run(appended(database))
    assert lines("verify", "--database", database, "--lang", "en") == (0, ["audit: 2 tenants, 6 entries, whole"])


@pytest.mark.req("agent/I3", "threat/T29")
@pytest.mark.parametrize("statement", ["SET hash = '00'", "SET seq = 50", "SET seq = 50, hash = '00'"])
def test_a_stored_head_that_names_another_entry_shows_in_what_follows_it_too(
    database: str, lines: Callable[..., tuple[int, list[str]]], statement: str
) -> None:
    damaged(database, f"UPDATE agent_audit_head {statement} WHERE tenant_id = 'shinhan'")
    assert lines("verify", "--database", database)[0] == 1
    asyncio.run(appended(database))
    assert lines("verify", "--database", database)[0] == 1


async def appended(url: str) -> None:
    """Append one more entry, as a running application does."""
    opened = Database(url, patience_seconds=20)
    await opened.write(partial(_append, [entry("shinhan", 9)]))
    await opened.close()
