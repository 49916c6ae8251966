"""What every system under test is given: manifests of Korean tools, one tool answer, the requests of both wires."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

BUNDLE = "insurance-processing"
PREFIX = "processing_"
CALLED_TOOL = f"{PREFIX}claim_lookup_00007"
LEGACY, MODERN = "2025-11-25", "2026-07-28"

ARGUMENTS = {
    "contractNo": "AB1234567890",
    "from": "2026-01-01",
    "to": "2026-07-30",
    "status": ["RECEIVED", "REVIEW"],
    "page": {"size": 20},
    "minAmount": 1000.0,
}
CALLER_HEADERS = {
    "guid": "7f0c2c3e-91d2-4a55-8e0a-1c7e6f1f3c11",
    "x-request-id": "req-20260730-000001",
    "mcp-session-id": "5f2b7a1e0c9d4b67",
    "employee-no": "ENC:Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4",
    "virtual-employee-no": "ENC:dmlydHVhbC1lbXBsb3llZS1uby0wMDAx",
}
META_PREFIX = "io.modelcontextprotocol/"


class Request(NamedTuple):
    """One HTTP request, the same for every repetition; without a body it is a GET."""

    path: str
    headers: Mapping[str, str] = {}
    body: bytes = b""
    fresh: str = ""
    """The header that has another value in each repetition."""


def compact(document: object) -> str:
    """Return a document as JSON without white space, Korean as it is."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


def tool(index: int, upstream: str) -> dict[str, Any]:
    """Return one tool of about 1.3 KB as a Tool Service would publish it; `upstream` is its origin."""
    return {
        "name": f"{PREFIX}claim_lookup_{index:05d}",
        "title": f"보험금 청구 조회 {index}",
        "description": "고객의 보험금 청구 내역을 계약번호와 기간으로 조회합니다. "
        "청구 상태, 지급 예정일, 부족 서류를 함께 돌려줍니다. "
        "상담 중 고객이 '청구가 어디까지 됐나요'라고 물을 때 사용하십시오. 지급 실행에는 사용하지 마십시오. "
        f"(variant {index})",
        "inputSchema": _input_schema(),
        "annotations": {
            "readOnlyHint": True,
            "destructiveHint": False,
            "idempotentHint": True,
            "openWorldHint": False,
        },
        "endpoint": f"{upstream}/t/{index:05d}",
        "_meta": {"version": "1.4.2", "timeoutMillis": 5000, "enabled": True},
    }


def _input_schema() -> dict[str, Any]:
    statuses = ["RECEIVED", "REVIEW", "HOLD", "PAID", "REJECTED"]
    page = {"size": {"type": "integer", "minimum": 1, "maximum": 100}, "cursor": {"type": "string", "maxLength": 128}}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": {
            "contractNo": {
                "type": "string",
                "pattern": "^[A-Z]{2}[0-9]{10}$",
                "description": "계약번호 (영문 2자리 + 숫자 10자리)",
            },
            "from": {"type": "string", "format": "date", "description": "조회 시작일"},
            "to": {"type": "string", "format": "date", "description": "조회 종료일"},
            "status": {"type": "array", "items": {"type": "string", "enum": statuses}, "maxItems": 5},
            "page": {"type": "object", "properties": page, "additionalProperties": False},
            "minAmount": {"type": "number", "minimum": 0},
        },
        "required": ["contractNo", "from", "to"],
        "additionalProperties": False,
    }


def manifest(count: int, upstream: str) -> dict[str, Any]:
    """Return the manifest of a bundle with that many tools."""
    return {
        "bundleId": BUNDLE,
        "revision": f"bench-{count}",
        "tools": [tool(index, upstream) for index in range(count)],
    }


def public_tools(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return a manifest's tools as `tools/list` shows them."""
    return [{k: v for k, v in tool.items() if k not in ("_meta", "endpoint")} for tool in document["tools"]]


def answer() -> str:
    """Return what the tool answers: about 1 KB of Korean JSON."""
    items = [
        {
            "claimNo": f"C2026{index:06d}",
            "status": "REVIEW",
            "amount": 1250000.50 + index,
            "receivedAt": f"2026-07-{index + 1:02d}T09:30:00+09:00",
            "memo": "추가 서류(진단서) 요청됨",
            "missing": ["진단서", "통장 사본"],
        }
        for index in range(5)
    ]
    customer = {"grade": "VIP", "name": "홍길동", "since": "2011-03-02"}
    return compact({"contractNo": "AB1234567890", "customer": customer, "items": items, "total": 5, "nextCursor": None})


def call_request(wire: str, tool: str = CALLED_TOOL, arguments: Mapping[str, Any] = ARGUMENTS) -> Request:
    """Return a `tools/call` with the five caller headers, on the wire of that revision."""
    return _request(wire, "tools/call", {"name": tool, "arguments": arguments}, tool)


def list_request(wire: str) -> Request:
    """Return a `tools/list` with the five caller headers, on the wire of that revision."""
    return _request(wire, "tools/list", {}, None)


def _request(wire: str, method: str, params: dict[str, Any], name: str | None) -> Request:
    headers = {
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": wire,
        **CALLER_HEADERS,
    }
    if wire == MODERN:
        meta = {"protocolVersion": wire, "clientCapabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
        params = {**params, "_meta": {META_PREFIX + key: value for key, value in meta.items()}}
        headers |= {"mcp-method": method} | ({"mcp-name": name} if name else {})
    body = compact({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
    return Request("/mcp", headers, body.encode())


def write_inputs(folder: Path, counts: tuple[int, ...], upstream: str) -> None:
    """Write `manifest_N.json` and the ready answer `list_N.json` for each count of tools."""
    for count in counts:
        document = manifest(count, upstream)
        (folder / f"manifest_{count}.json").write_text(compact(document), encoding="utf-8")
        listing = {"jsonrpc": "2.0", "id": 1, "result": {"tools": public_tools(document)}}
        (folder / f"list_{count}.json").write_text(compact(listing), encoding="utf-8")
