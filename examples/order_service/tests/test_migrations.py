"""The migrations make the tables that the code reads (ops/O7)."""

from dataclasses import replace
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import func, select, text
from sqlalchemy.engine import Connection

from axhub.agent.adapters.sql.database import Database
from order_service.adapters.persistence import migrations, tables
from order_service.adapters.persistence.health import is_reachable
from order_service.adapters.persistence.migrations import VERSION_TABLE, upgrade
from order_service.adapters.persistence.seed import DEMO_ORDERS, seed
from order_service.domain.order import OrderStatus
from order_service.testing.stored import stored_order


@pytest.mark.req("ops/O7")
async def test_the_tables_are_as_the_code_has_them_and_a_second_upgrade_changes_nothing(database: Database) -> None:
    await upgrade(database)
    options = {"include_name": _own, "version_table": VERSION_TABLE}
    found = await database.read(
        lambda one: compare_metadata(MigrationContext.configure(one, opts=options), tables.metadata)
    )
    assert found == []


def _own(name: str | None, kind: str, _parents: object) -> bool:
    return kind != "table" or (name or "").startswith("order_service_")


@pytest.mark.req("ops/O7")
async def test_a_database_of_the_version_before_keeps_its_orders_and_owes_nothing(database: Database) -> None:
    await database.write(_taken_back, seconds=30.0)
    await database.write(lambda one: one.execute(text("UPDATE order_service_order SET status = 'REFUNDED'")))
    await upgrade(database)
    first = DEMO_ORDERS[0]
    assert await stored_order(database, first.tenant_id, first.id) == replace(first, status=OrderStatus.REFUNDED)
    owed = await database.read(lambda one: one.execute(select(func.count()).select_from(tables.payout)).scalar_one())
    assert owed == 0


def _taken_back(connection: Connection) -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.downgrade(config, "0001")


async def test_a_second_seed_leaves_orders_as_they_are(database: Database) -> None:
    first = DEMO_ORDERS[0]
    await seed(database, (first.refund(), *DEMO_ORDERS[1:]))
    assert await stored_order(database, first.tenant_id, first.id) == first
    assert len({order.tenant_id for order in DEMO_ORDERS}) == 2
    assert len({order.customer_id for order in DEMO_ORDERS}) == 3


async def test_a_database_answers_or_does_not(database: Database) -> None:
    away = Database("sqlite:////nowhere/at/all.sqlite3", patience_seconds=20)
    assert (await is_reachable(database), await is_reachable(away)) == (True, False)
    await away.close()
