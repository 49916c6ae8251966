"""Keys of HTTP requests: the first of three layers against doing something twice (agent/I1)."""

import pytest

from axhub.agent.adapters.sql.database import Database
from axhub.agent.adapters.system import RandomIds
from order_service.adapters.persistence.request_keys import SqlRequestKeys
from order_service.ports.faults import UnavailableError
from order_service.ports.request_keys import KnownKey, SeenKey

pytestmark = pytest.mark.req("agent/I1")


async def test_a_key_is_one_requests_until_it_is_done_and_gives_its_response_from_then_on(database: Database) -> None:
    keys = SqlRequestKeys(database, RandomIds().new)
    mine = await keys.begin("minji", "key", "refund")
    assert mine == KnownKey(SeenKey.FIRST)
    assert await keys.begin("minji", "key", "refund") == KnownKey(SeenKey.IN_PROGRESS)
    assert await keys.begin("minji", "key", "cancel") == KnownKey(SeenKey.OTHER)
    assert await keys.begin("junho", "key", "refund") == KnownKey(SeenKey.FIRST)
    await keys.finish("minji", "key", mine.token, '{"status": "REFUNDED"}')
    assert await keys.begin("minji", "key", "refund") == KnownKey(SeenKey.SAME, '{"status": "REFUNDED"}')
    assert await keys.begin("minji", "key", "cancel") == KnownKey(SeenKey.OTHER)


async def test_a_key_that_is_given_back_is_anybodys_and_a_done_one_is_not_given_back(database: Database) -> None:
    keys = SqlRequestKeys(database, RandomIds().new)
    first = await keys.begin("minji", "key", "refund")
    await keys.forget("minji", "key", first.token)
    second = await keys.begin("minji", "key", "cancel")
    assert second == KnownKey(SeenKey.FIRST)
    await keys.forget("minji", "key", first.token)
    await keys.finish("minji", "key", first.token, "of the first")
    assert await keys.begin("minji", "key", "cancel") == KnownKey(SeenKey.IN_PROGRESS), "it is the second one's"
    await keys.finish("minji", "key", second.token, "done")
    await keys.forget("minji", "key", second.token)
    assert await keys.begin("minji", "key", "cancel") == KnownKey(SeenKey.SAME, "done")


async def test_a_database_that_is_away_is_told_in_the_applications_words() -> None:
    away = Database("sqlite:////nowhere/at/all.sqlite3", patience_seconds=20)
    keys = SqlRequestKeys(away, RandomIds().new)
    for asked in (
        keys.begin("minji", "key", "a"),
        keys.finish("minji", "key", "t", "b"),
        keys.forget("minji", "key", "t"),
    ):
        with pytest.raises(UnavailableError):
            await asked
    await away.close()
