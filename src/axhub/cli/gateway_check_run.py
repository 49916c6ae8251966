"""What `axhub gateway check` does (gateway/C4); its parser is in `cli.gateway_check`."""

import argparse
import asyncio
import os
import sys
from collections.abc import Iterator
from typing import Any

from axhub.cli.manifest_check_reports import CatalogueReport, pull_catalogue
from axhub.cli.manifest_check_view import (
    FINDINGS,
    GOOD,
    UNUSABLE,
    catalogue_json,
    catalogue_lines,
    fault_json,
    print_json,
)
from axhub.gateway.config import ConfigError, Loaded, load
from axhub.gateway.config.flags import config_of, flags_of


def run(args: argparse.Namespace) -> int:
    """Check the configuration, then pull if asked to; nothing is served and, without `--pull`, nothing contacted."""
    try:
        path = config_of(args)
        loaded = load(path, os.environ, flags_of(args))
    except ConfigError as error:
        return _refused(error, args.json)
    report = asyncio.run(_pull(loaded)) if args.pull and loaded.local is None else None
    if args.json:
        print_json(_document(path, loaded, report))
    else:
        for line in _lines(path, loaded, report):
            print(line)
    return GOOD if report is None or report.good else FINDINGS


def _refused(error: ConfigError, as_json: bool) -> int:
    if as_json:
        print_json({"ok": False, "faults": [fault_json(fault) for fault in error.faults]})
    else:
        print(error, file=sys.stderr)
    return UNUSABLE


async def _pull(loaded: Loaded) -> CatalogueReport:
    from axhub.gateway.main.pull import configured_source

    async with configured_source(loaded.settings) as source:
        return await pull_catalogue(source, loaded.settings)


def _lines(path: str, loaded: Loaded, report: CatalogueReport | None) -> Iterator[str]:
    settings = loaded.settings
    disabled = len(settings.bundles) - len(settings.enabled_bundles)
    bundles = f"bundles: {len(settings.bundles)}" + (f", {disabled} disabled" if disabled else "")
    yield f"{path}: the configuration is right (profile {settings.serve.profile}, {bundles})"
    for warning in loaded.warnings:
        yield f"warning: {warning}"
    if loaded.local is not None:
        tools = len(loaded.local.manifest.tools)
        yield f"{loaded.local.bundle.id}: served from registry.localFile (tools: {tools}), nothing is pulled"
    if report is not None:
        yield from catalogue_lines(report)


def _document(path: str, loaded: Loaded, report: CatalogueReport | None) -> dict[str, Any]:
    head = {
        "ok": report is None or report.good,
        "config": path,
        "profile": loaded.settings.serve.profile,
        "warnings": list(loaded.warnings),
    }
    return head | (catalogue_json(report) if report is not None else {})
