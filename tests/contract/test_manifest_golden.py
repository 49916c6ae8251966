"""Whole manifests and what becomes of them, as files: `golden/NAME.manifest.json` and `golden/NAME.expected.json`.

The manifest is read as bytes; what is expected is compared whole: all members of all tools, or all findings.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from axhub.contract.endpoints import EndpointPolicy, parse_origin, parse_url
from axhub.contract.manifest import Manifest, ManifestPolicy, Rejected, check_manifest, run

GOLDEN = Path(__file__).parent / "golden"
NAMES = sorted(path.name.removesuffix(".manifest.json") for path in GOLDEN.glob("*.manifest.json"))
DOMAIN = parse_url("http://tool-processing.ax-hub.svc.cluster.local:8080")
POLICY = ManifestPolicy(
    "insurance-processing",
    "processing.",
    EndpointPolicy(
        DOMAIN, None, frozenset({DOMAIN.origin, parse_origin("https://tools.example.com")}), any_origin=False
    ),
)


def outcome(result: Manifest | Rejected) -> dict[str, Any]:
    """What became of a manifest, as JSON."""
    if isinstance(result, Rejected):
        return {
            "invalidJson": result.invalid_json,
            "findings": [
                {
                    "rule": found.rule,
                    "pointer": found.pointer,
                    "tool": found.tool,
                    "problem": found.problem,
                    "mend": found.mend,
                }
                for found in result.findings
            ],
        }
    return {
        "bundleId": result.bundle_id,
        "revision": result.revision,
        "contentDigest": result.content_digest,
        "tools": [
            {
                "name": tool.name,
                "version": tool.version,
                "endpoint": str(tool.endpoint),
                "timeoutMillis": tool.timeout_millis,
                "enabled": tool.enabled,
                "headerParams": [[param.header.decode(), list(param.path), param.kind] for param in tool.header_params],
                "members": [[name, text.decode()] for name, text in tool.members.items()],
            }
            for tool in result.tools
        ],
    }


@pytest.mark.req("gateway/G6", "gateway/K4", "gateway/G7")
@pytest.mark.parametrize("name", NAMES)
def test_a_manifest_becomes_what_its_file_says(name: str) -> None:
    body = (GOLDEN / f"{name}.manifest.json").read_bytes()
    expected = json.loads((GOLDEN / f"{name}.expected.json").read_text(encoding="utf-8"))
    assert outcome(run(check_manifest(body, POLICY))) == expected


def test_there_are_golden_files() -> None:
    assert len(NAMES) >= 5
