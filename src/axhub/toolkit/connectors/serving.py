"""What a service takes from the connectors: adapters of its ports, and in the profile `local` the mocks behind them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from starlette.routing import BaseRoute, Mount

from axhub.toolkit.config.settings import MCI_MOCK_PREFIX, ServiceSettings
from axhub.toolkit.connectors.http_client import PooledHttpClient
from axhub.toolkit.connectors.mci.client import PooledMciClient
from axhub.toolkit.connectors.mci.local import LocalMciClient
from axhub.toolkit.connectors.mci.mock_bodies import MciBodies
from axhub.toolkit.connectors.mci.parts import parts_of
from axhub.toolkit.connectors.mock_app import answering_app, mock_app
from axhub.toolkit.connectors.mock_systems import PREFIX
from axhub.toolkit.ports import HttpClient, MciClient

__all__ = ["adapters", "local_routes", "unknown_apis", "unknown_systems", "unmocked_systems"]


def adapters(settings: ServiceSettings, package: str = "", folder: Path = Path()) -> Mapping[Any, Callable[[], Any]]:
    """Return the ports that have an adapter here, with what makes it; the service opens and closes it.

    Args:
        settings: of the service.
        package: its name, for mocks of MCI systems in the profile `local`.
        folder: of its package, with `samples` in it.
    """
    mci: Callable[[], Any] = partial(PooledMciClient, settings.systems)
    if settings.local and any(system.is_mock for system in settings.systems):
        mci = partial(LocalMciClient, settings.systems, partial(parts_of, package), folder)
    return {HttpClient: partial(PooledHttpClient, settings.apis), MciClient: mci}


def local_routes(settings: ServiceSettings, folder: Path, package: str = "") -> Sequence[BaseRoute]:
    """Return the routes under which a service answers for its own APIs and MCI systems; none without any.

    Args:
        settings: of the service.
        folder: of its package, with `samples` in it.
        package: its name.
    """
    routes: list[BaseRoute] = [Mount(PREFIX, app=mock_app(settings, folder))] if settings.apis else []
    if any(system.transport == "http" for system in settings.systems):
        bodies = MciBodies(settings.systems, parts_of(package), folder)
        routes.append(Mount(MCI_MOCK_PREFIX, app=answering_app(bodies)))
    return routes


def unknown_apis(settings: ServiceSettings, clients: Iterable[object]) -> list[tuple[str, str, str]]:
    """Return each client whose `API_NAME` no entry of the configuration has, that name, and those there are (H1)."""
    return _unknown("API_NAME", [api.name for api in settings.apis], clients)


def unknown_systems(settings: ServiceSettings, clients: Iterable[object]) -> list[tuple[str, str, str]]:
    """Return the same of each client's `SYSTEM`."""
    return _unknown("SYSTEM", [system.name for system in settings.systems], clients)


def _unknown(constant: str, known: Sequence[str], clients: Iterable[object]) -> list[tuple[str, str, str]]:
    names = {type(one).__qualname__: getattr(type(one), constant, None) for one in clients}
    return [
        (client, name, ", ".join(known))
        for client, name in names.items()
        if isinstance(name, str) and name not in known
    ]


def unmocked_systems(settings: ServiceSettings, package: str) -> list[str]:
    """Return the systems whose mock the service has to start and cannot: the package has no envelope of them."""
    if not settings.local or not any(system.is_mock for system in settings.systems):
        return []
    parts = parts_of(package)
    return [system.name for system in settings.systems if system.is_mock and system.name not in parts]
