"""`python -m order_service --profile local`: serve, and for a developer print whom one can be."""

import argparse
import asyncio
import logging
import os
import sys
from typing import Final

import uvicorn

from axhub.configuration.languages import LANGUAGES, language_of
from order_service.adapters.persistence.health import is_reachable
from order_service.config import ConfigError, Problem, Settings, read_settings
from order_service.main import OrderService, build, database_of

__all__ = ["main"]

_PEOPLE: Final = (
    ("minji", "hanbit", ()),
    ("junho", "hanbit", ()),
    ("sora", "saebyeok", ()),
    ("boram", "hanbit", ("approver",)),
    ("haneul", "saebyeok", ("approver",)),
    ("dana", "hanbit", ("support",)),
)
"""For the demonstration: three customers, an approver for each tenant, and one who serves all customers of one."""
_TOKEN_SECONDS: Final = 86_400.0
_NO_ANSWER: Final = Problem(
    "ORDER_SERVICE_DATABASE_URL: this database does not answer",
    "ORDER_SERVICE_DATABASE_URL: 데이터베이스가 응답하지 않습니다",
)


def main(arguments: list[str] | None = None) -> int:
    """Serve until a signal ends it; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m order_service", description="Orders, and an assistant for them.")
    parser.add_argument("--profile", help="instead of ORDER_SERVICE_PROFILE; `local` brings all it needs itself")
    parser.add_argument("--lang", choices=LANGUAGES, help="language of messages (default: from LANG)")
    said = parser.parse_args(arguments)
    try:
        settings = read_settings(os.environ, said.profile)
        asyncio.run(_look_at_database(settings))
        service = build(settings)
    except ConfigError as error:
        print(error.said(language_of(os.environ, said.lang)), file=sys.stderr)
        return 2
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s %(message)s")
    _introduce(service)
    uvicorn.run(service.asgi(), host=service.settings.host, port=service.settings.port, server_header=False)
    return 0


async def _look_at_database(settings: Settings) -> None:
    """Look whether there is one, before anything else begins.

    Raises:
        ConfigError: it does not answer.
    """
    database = database_of(settings)
    try:
        if not await is_reachable(database):
            raise ConfigError(settings.profile, (_NO_ANSWER,))
    finally:
        await database.close()


def _introduce(service: OrderService) -> None:
    """Print a token for each person of the demonstration, where there are any."""
    if service.issuer is None:
        return
    for user_id, tenant_id, roles in _PEOPLE:
        token = service.issuer.token(user_id, tenant_id, roles, seconds=_TOKEN_SECONDS)
        print(f"{user_id} of {tenant_id}{', ' + ', '.join(roles) if roles else ''}: {token}")


if __name__ == "__main__":
    sys.exit(main())
