"""The start of a Tool Service: everything put together once, all that is wrong told at once (toolkit/T1, toolkit/S7).

Each step collects problems and goes on as far as it can, so that a second start does not find a second batch.
"""

import importlib.util
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.routing import BaseRoute

from axhub.configuration.faults import ConfigError
from axhub.toolkit.config.settings import ServiceSettings
from axhub.toolkit.facts.following import HTTP, MCI
from axhub.toolkit.facts.service import Unusable
from axhub.toolkit.gate.receipt import ReceiptError, check_receipt
from axhub.toolkit.layout import CONFIGURATION
from axhub.toolkit.ports import HttpClient, MciClient, RepeatStore
from axhub.toolkit.published.discovery import find_tools
from axhub.toolkit.published.manifest import Manifest, endpoint_of, entry_of, render_manifest
from axhub.toolkit.published.publish import Options as PublishOptions
from axhub.toolkit.published.publish import publish
from axhub.toolkit.published.tool import PublishedTool
from axhub.toolkit.rules.model import Text
from axhub.toolkit.rules.telling.authored import in_both
from axhub.toolkit.rules.telling.python_errors import of_python
from axhub.toolkit.rules.telling.setting_faults import fault_text
from axhub.toolkit.rules.telling.unusable import text_of
from axhub.toolkit.service.arguments import ArgumentReader
from axhub.toolkit.service.called import Called, System
from axhub.toolkit.service.deployed import over_budget, refused
from axhub.toolkit.service.endpoint import CallEndpoint, CallLimits, Target
from axhub.toolkit.service.execution import Execution, Once, Terms
from axhub.toolkit.service.log import CallLog
from axhub.toolkit.service.metrics import Metrics
from axhub.toolkit.service.options import Options, StartError
from axhub.toolkit.service.pages import ManifestPage, Pages, pages
from axhub.toolkit.service.repeat import BusinessKey, MemoryRepeatStore, UnknownKeyError
from axhub.toolkit.service.results import ResultWriter
from axhub.toolkit.service.start_words import start_text
from axhub.toolkit.service.traces import named
from axhub.toolkit.service.use_case import told_apart, use_case
from axhub.toolkit.service.watch import Abandoned
from axhub.toolkit.service.wiring import Wiring, WiringError

__all__ = ["Prepared", "address_of", "prepare"]


@dataclass(frozen=True, slots=True)
class Prepared:
    """A service that is ready to answer."""

    settings: ServiceSettings
    tools: tuple[PublishedTool, ...]
    """Those that can be called or are switched off: outside `local` without drafts."""
    endpoint: CallEndpoint
    pages: Starlette
    by_path: Mapping[bytes, Target]
    """What can be called, by its path."""
    by_name: Mapping[str, Target]
    """The same by published name."""
    resources: tuple[AbstractAsyncContextManager[Any], ...]
    """What is opened before the first call and closed after the last, in this order."""
    log: CallLog
    manifest: ManifestPage
    checked_by: str | None = None
    """The version of axhub whose build gate the package passed; None in the profile `local`."""


@dataclass(frozen=True, slots=True)
class _Serving:
    """What the pages show."""

    manifest: Manifest
    is_ready: Callable[[], bool]
    routes: Sequence[BaseRoute]


def prepare(options: Options, profile: str, environ: Mapping[str, str], is_ready: Callable[[], bool]) -> Prepared:
    """Find, check and wire everything.

    Args:
        options: what the service was told.
        profile: the one that applies.
        environ: the environment.
        is_ready: tells whether callers may be sent to the service.

    Raises:
        StartError: at least one thing is wrong.
    """
    folder = _folder(options.package)
    problems: list[Text] = []
    settings = options.settings or _settings(options, folder, environ, profile, problems)
    is_configured = not problems
    checked_by = None if settings.local else _checked_by(options.package, folder, problems)
    if not settings.local and checked_by is None:
        raise StartError(problems)  # nothing of a package runs, not even its imports, that is not as it was checked
    tools = _tools(options.package, folder, settings, problems)
    served = tuple(tool for tool in tools if tool.register or settings.local)
    problems += _missing_variables(served, environ)
    wiring = Wiring(options.package, options.provide, _defaults(settings, options.package, folder))
    log = CallLog()
    abandoned = Abandoned()
    executions = _executions(served, settings, wiring, log, abandoned, problems)
    if is_configured and wiring.is_default(HttpClient):  # else it is not known which APIs there are
        problems += _unknown_apis(settings, wiring)
    if is_configured and wiring.is_default(MciClient):
        problems += _unknown_systems(settings, wiring, options.package)
    manifest = _manifest(settings, served)
    if is_configured:
        problems += refused(manifest, settings)
        problems += over_budget(settings, served, _reached(served, wiring), Called(options.package, folder), folder)
    if problems:
        raise StartError(problems)
    serving = _Serving(manifest, is_ready, _mocks(settings, folder, options.package))
    return replace(
        _assembled(settings, served, executions, wiring, log, abandoned, serving),
        checked_by=checked_by,
    )


def address_of(options: Options, environ: Mapping[str, str]) -> tuple[str, int] | None:
    """Return host and port that a service is to listen on; None if a fault of its configuration hides them.

    Args:
        options: what the service was told.
        environ: the environment.

    Raises:
        StartError: there is no such package.
    """
    if options.settings is not None:
        return options.settings.server.host, options.settings.server.port
    from axhub.toolkit.config.loading import load_address  # noqa: PLC0415 - a service may be given its settings

    path = options.config or _folder(options.package) / CONFIGURATION
    return load_address(path, environ, host=options.host, port=options.port)


def _folder(package: str) -> Path:
    try:
        found = importlib.util.find_spec(package)
    except (ImportError, ValueError) as error:
        raise StartError([_not_imported(package, error)]) from error
    if found is None:
        raise StartError([start_text("no-package", package=repr(package))])
    if not found.submodule_search_locations:
        raise StartError([start_text("one-module", package=repr(package))])
    return Path(next(iter(found.submodule_search_locations)))


def _checked_by(package: str, folder: Path, problems: list[Text]) -> str | None:
    try:
        return check_receipt(folder, package).axhub
    except ReceiptError as error:
        problems.append(error.text)
        return None


def _settings(
    options: Options, folder: Path, environ: Mapping[str, str], profile: str, problems: list[Text]
) -> ServiceSettings:
    from axhub.toolkit.config.loading import load_service  # noqa: PLC0415 - a service may be given its settings

    try:
        path = options.config or folder / CONFIGURATION
        return load_service(path, environ, profile, host=options.host, port=options.port)
    except ConfigError as error:
        problems += map(fault_text, error.faults)
        return ServiceSettings(bundle_id="unknown", profile=profile)  # the rest is looked at, and nothing served


def _tools(package: str, folder: Path, settings: ServiceSettings, problems: list[Text]) -> tuple[PublishedTool, ...]:
    try:
        found = find_tools(package)
    except Exception as error:  # noqa: BLE001 - a module of the author may raise anything while it is imported
        problems.append(_not_imported(package, error, _where(error, folder)))
        return ()
    published = publish(
        found.tools,
        folder,
        folder.parent,
        PublishOptions(
            namespace=settings.namespace,
            disabled=settings.disabled_tools,
            timeouts_millis=settings.timeouts_millis,
        ),
    )
    problems += [_unusable(problem) for problem in (*found.problems, *published.problems)]
    declared = {tool.name for tool in found.tools}
    problems += _unknown_names(settings, declared)
    if not declared and not problems:
        problems.append(start_text("no-tool", package=repr(package)))
    return published.tools


def _unknown_names(settings: ServiceSettings, declared: set[str]) -> Iterator[Text]:
    if not declared:
        return
    for name in sorted(settings.disabled_tools - declared):
        yield start_text("unknown-disabled", name=repr(name))
    for name in sorted(set(settings.timeouts_millis) - declared):
        yield start_text("unknown-timeout", name=name)


def _missing_variables(tools: Sequence[PublishedTool], environ: Mapping[str, str]) -> Iterator[Text]:
    wanted: dict[str, list[str]] = {}
    for tool in tools:
        for key in tool.required_env_keys:
            if tool.enabled and not environ.get(key):
                wanted.setdefault(key, []).append(tool.name)
    for key, names in sorted(wanted.items()):
        yield start_text("no-variable", key=key, tools=", ".join(names))


def _defaults(settings: ServiceSettings, package: str, folder: Path) -> Mapping[Any, Callable[[], Any]]:
    def adapter(port: Any) -> Any:
        from axhub.toolkit.connectors.serving import adapters  # noqa: PLC0415 - loads aiohttp: only if somebody asks

        return adapters(settings, package, folder)[port]()

    stores = {RepeatStore: MemoryRepeatStore} if settings.local else {}
    return {**{port: partial(adapter, port) for port in (HttpClient, MciClient)}, **stores}


def _unknown_apis(settings: ServiceSettings, wiring: Wiring) -> Sequence[Text]:
    from axhub.toolkit.connectors.serving import unknown_apis  # noqa: PLC0415 - as in `_defaults`

    return [
        start_text("unknown-api", client=client, name=name, known=known or "none", known_ko=known or "없음")
        for client, name, known in unknown_apis(settings, wiring.built)
    ]


def _unknown_systems(settings: ServiceSettings, wiring: Wiring, package: str) -> Iterator[Text]:
    from axhub.toolkit.connectors.serving import unknown_systems, unmocked_systems  # noqa: PLC0415 - as in `_defaults`

    for client, name, known in unknown_systems(settings, wiring.built):
        yield start_text("unknown-system", client=client, name=name, known=known or "none", known_ko=known or "없음")
    for name in unmocked_systems(settings, package):
        yield start_text("no-envelope", system=name)


def _mocks(settings: ServiceSettings, folder: Path, package: str) -> Sequence[BaseRoute]:
    if not settings.local or not (settings.apis or settings.systems):
        return ()
    from axhub.toolkit.connectors.serving import local_routes  # noqa: PLC0415 - as in `_defaults`

    return local_routes(settings, folder, package)


def _reached(tools: Sequence[PublishedTool], wiring: Wiring) -> Mapping[str, frozenset[System]]:
    """Return which systems the clients name that each tool may reach."""
    return {
        tool.name: frozenset(
            System(wire.constant, name)
            for one in wiring.reached_by(tool.found)
            for wire in (HTTP, MCI)
            if isinstance(name := getattr(type(one), wire.constant, None), str)
        )
        for tool in tools
    }


def _manifest(settings: ServiceSettings, tools: Sequence[PublishedTool]) -> Manifest:
    entries = [entry_of(tool, publish_output_schema=settings.publish_output_schema) for tool in tools if tool.register]
    return render_manifest(settings.bundle_id, entries)


def _executions(
    tools: Sequence[PublishedTool],
    settings: ServiceSettings,
    wiring: Wiring,
    log: CallLog,
    abandoned: Abandoned,
    problems: list[Text],
) -> dict[str, Execution]:
    executions: dict[str, Execution] = {}
    for tool in tools:
        try:
            function = wiring.bind(tool.found)
            once = _once(tool, settings, wiring)
        except WiringError as error:
            problems.append(error.text)
            continue
        found = tool.found
        call = use_case(function, found.request_parameter, found.context_parameter)
        executions[tool.published_name] = Execution(
            tool.published_name,
            told_apart(call, tool.name) if settings.local else call,
            ArgumentReader(found.request, tool.input_schema, tool.input_validator, settings.language),
            ResultWriter(found.response, tool.output_validator),
            Terms(tool.timeout_millis / 1000, settings.language, found.declaration.requires_employee, once, abandoned),
            log,
        )
    return executions


def _once(tool: PublishedTool, settings: ServiceSettings, wiring: Wiring) -> Once | None:
    if tool.repeat is None or not tool.repeat.key:
        return None
    store = wiring.give(RepeatStore, f"the tool {tool.name} (repeat.key)")
    if isinstance(store, MemoryRepeatStore) and not settings.local:
        raise WiringError(start_text("forgetful-store", tool=tool.name))
    if tool.found.request is None:
        raise WiringError(start_text("key-without-arguments", tool=tool.name))
    try:
        return Once(BusinessKey(tool.found.request, tool.repeat.key), store)
    except UnknownKeyError as error:
        raise WiringError(start_text("unknown-key", tool=tool.name, **error.values)) from None


def _assembled(
    settings: ServiceSettings,
    tools: tuple[PublishedTool, ...],
    executions: Mapping[str, Execution],
    wiring: Wiring,
    log: CallLog,
    abandoned: Abandoned,
    serving: _Serving,
) -> Prepared:
    targets = {
        tool.published_name: Target(tool.published_name, executions[tool.published_name] if tool.enabled else None)
        for tool in tools
    }
    metrics = Metrics(targets)
    limits = CallLimits(settings.server.max_request_bytes, settings.server.max_in_flight_calls)
    manifest = ManifestPage(serving.manifest.body, serving.manifest.revision)
    endpoint = CallEndpoint(targets, limits, settings.language, log, metrics, abandoned)
    shown = Pages(
        manifest,
        metrics,
        serving.is_ready,
        len(tools),
        settings.language,
        is_alive=lambda: not endpoint.is_stuck,
        more=serving.routes,
    )
    return Prepared(
        settings=settings,
        tools=tools,
        endpoint=endpoint,
        pages=pages(shown),
        by_path={endpoint_of(name).encode(): target for name, target in targets.items()},
        by_name=targets,
        resources=tuple(one for one in wiring.built if isinstance(one, AbstractAsyncContextManager)),
        log=log,
        manifest=manifest,
    )


def _unusable(problem: Unusable) -> Text:
    place = f"{problem.place}: " if str(problem.place) else ""
    return Text(place + "; ".join(text_of(problem)), place + ". ".join(text_of(problem, "ko")))


def _not_imported(package: str, error: BaseException, where: str = "") -> Text:
    said = of_python(_said(error))
    return start_text("not-imported", package=repr(package), where=where, **in_both("cause", said))


def _said(error: BaseException) -> str:
    """Return what is wrong, with the text only where Python wrote it: an author's may quote what is secret."""
    if isinstance(error, SyntaxError):
        is_pythons = error.filename is not None and error.lineno is not None
        text = error.msg
    else:
        is_pythons = isinstance(error, ImportError) and error.name is not None
        text = str(error)
    return f"{named(error)}: {text}" if is_pythons else named(error)


def _where(error: BaseException, folder: Path) -> str:
    """Return the author's own line that an error comes from."""
    if isinstance(error, SyntaxError) and error.filename is not None:
        return f" ({error.filename}:{error.lineno})"
    frames = [
        frame for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename).is_relative_to(folder)
    ]
    return f" ({frames[-1].filename}:{frames[-1].lineno})" if frames else ""
