"""Manifests that are right but for one thing, and what becomes of them."""

import json
from typing import Any

from axhub.contract.endpoints import EndpointPolicy, parse_origin, parse_url
from axhub.contract.findings import Finding
from axhub.contract.manifest import Manifest, ManifestPolicy, Rejected, check_manifest, run

DOMAIN = parse_url("http://tools:8080/base")
ENDPOINTS = EndpointPolicy(DOMAIN, None, frozenset({DOMAIN.origin, parse_origin("http://other:9")}), any_origin=False)
POLICY = ManifestPolicy("orders", "", ENDPOINTS)
PREFIXED = ManifestPolicy("orders", "order_", ENDPOINTS)
RELAXED = ManifestPolicy(None)

SCHEMA: dict[str, Any] = {"type": "object", "properties": {"id": {"type": "string"}}}
META: dict[str, Any] = {"version": "1.0.0"}
DROP = object()


def tool(name: str = "find", **members: Any) -> dict[str, Any]:
    """A tool that is right but for `members`; `DROP` leaves one out."""
    whole = {
        "name": name,
        "description": "Finds.",
        "inputSchema": SCHEMA,
        "_meta": META,
        "endpoint": f"/{name}",
        **members,
    }
    return {member: value for member, value in whole.items() if value is not DROP}


def body(*tools: Any, **members: Any) -> bytes:
    whole = {"bundleId": "orders", "tools": list(tools), **members}
    return json.dumps({member: value for member, value in whole.items() if value is not DROP}).encode()


def adopted(text: bytes, policy: ManifestPolicy = POLICY) -> Manifest:
    result = run(check_manifest(text, policy))
    assert isinstance(result, Manifest), result
    return result


def findings(text: bytes, policy: ManifestPolicy = POLICY) -> tuple[Finding, ...]:
    result = run(check_manifest(text, policy))
    assert isinstance(result, Rejected), result
    assert result.findings
    return result.findings


def meta(**members: Any) -> dict[str, Any]:
    return tool(_meta={**META, **members})


def taking(**keywords: Any) -> bytes:
    """A manifest whose tool has an input schema with these keywords."""
    return body(tool(inputSchema={"type": "object", **keywords}))


def annotated(**members: Any) -> dict[str, Any]:
    return tool(annotations=members)
