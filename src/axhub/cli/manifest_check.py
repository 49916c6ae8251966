"""What `axhub manifest check` does (gateway/C4); its parser is in `cli.manifest`."""

import argparse
import asyncio
import sys
from pathlib import Path
from typing import Final

from axhub.cli.manifest_check_reports import ManifestReport, judge
from axhub.cli.manifest_check_view import (
    FINDINGS,
    GOOD,
    UNUSABLE,
    absolute_json,
    absolute_lines,
    manifest_json,
    manifest_lines,
    print_json,
)
from axhub.configuration.files import read_bounded
from axhub.contract.endpoints import Endpoint, EndpointError, parse_url
from axhub.contract.manifest import ManifestPolicy
from axhub.gateway.config.settings import DiscoverySettings, TlsSettings
from axhub.gateway.ports import Pulled, PullFailure

_ONLY: Final = "manifest"
"""What the one manifest is called where a gateway's bundles have ids."""


_NOTHING_THERE: Final = frozenset({PullFailure.CONNECT_FAILED, PullFailure.TIMED_OUT})
"""Nobody answered, which is no finding about a manifest: the same as a file that is missing."""


class UnusableError(ValueError):
    """There is nothing to check; the message says why."""


def run(args: argparse.Namespace) -> int:
    """Check the manifest by itself, without what a gateway's configuration would add."""
    source: str = args.source
    try:
        pulled = _fetch(source) if "://" in source else _read(source)
    except UnusableError as error:
        print(f"axhub manifest check: {error}", file=sys.stderr)
        return UNUSABLE
    report = judge(source, pulled, ManifestPolicy(bundle_id=None))
    if args.json:
        print_json({"ok": report.good} | manifest_json(report) | absolute_json(report))
    else:
        for line in (*manifest_lines(report), *absolute_lines(report)):
            print(line)
    return exit_code(report)


def exit_code(report: ManifestReport) -> int:
    """Return 0, 1 for what a gateway would not accept, or 2 where there was nothing to judge."""
    if report.failure in _NOTHING_THERE:
        return UNUSABLE
    return GOOD if report.good else FINDINGS


def _fetch(url: str) -> Pulled:
    try:
        return asyncio.run(_pull(parse_url(url)))
    except EndpointError as error:
        raise UnusableError(f"{url} cannot be fetched: {error}") from None


async def _pull(endpoint: Endpoint) -> Pulled:
    from axhub.gateway.main.pull import manifest_source

    async with manifest_source({_ONLY: endpoint}, DiscoverySettings(), TlsSettings()) as source:
        return await source.pull(_ONLY, None)


def _read(source: str) -> Pulled:
    limit = DiscoverySettings().max_manifest_bytes
    body = sys.stdin.buffer.read(limit + 1) if source == "-" else read_bounded(Path(source), limit)
    if isinstance(body, str):
        raise UnusableError(f"{source}: {body}")
    if len(body) > limit:
        return Pulled(failure=PullFailure.TOO_LARGE, detail=f"more than {limit} bytes")
    return Pulled(body=body)
