"""What a service takes from the connectors: adapters of its ports, and in the profile `local` the mocks of its APIs."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from starlette.routing import BaseRoute, Mount

from axhub.toolkit.config.settings import ServiceSettings
from axhub.toolkit.connectors.http_client import PooledHttpClient
from axhub.toolkit.connectors.mock_app import mock_app
from axhub.toolkit.connectors.mock_systems import PREFIX
from axhub.toolkit.ports import HttpClient

__all__ = ["adapters", "local_routes", "unknown_apis"]


def adapters(settings: ServiceSettings) -> Mapping[Any, Callable[[], Any]]:
    """Return the ports that have an adapter here, with what makes it; the service opens and closes it."""
    return {HttpClient: partial(PooledHttpClient, settings.apis)}


def local_routes(settings: ServiceSettings, folder: Path) -> Sequence[BaseRoute]:
    """Return the routes under which a service answers for its own APIs; none without APIs.

    Args:
        settings: of the service.
        folder: of its package, with `samples` in it.
    """
    return [Mount(PREFIX, app=mock_app(settings, folder))] if settings.apis else []


def unknown_apis(settings: ServiceSettings, clients: Iterable[object]) -> list[str]:
    """Return a sentence for each client whose `API_NAME` no entry of the configuration has (toolkit/H1)."""
    known = [api.name for api in settings.apis]
    names = {type(one).__qualname__: getattr(type(one), "API_NAME", None) for one in clients}
    return [
        f'{client}.API_NAME is "{name}", and glow.communication.http.api-list has no entry of that name; '
        f"there are: {', '.join(known) or 'none'}"
        for client, name in names.items()
        if isinstance(name, str) and name not in known
    ]
