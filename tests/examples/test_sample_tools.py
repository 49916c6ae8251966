"""The sample Tool Service: a gateway takes its manifest, its tools answer, mistakes are told as toolkit/S3 says."""

import json
from collections.abc import MutableMapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from axhub.contract.endpoints import EndpointPolicy, parse_url
from axhub.contract.manifest import Manifest, ManifestPolicy, check_manifest, run
from sample_tools.app import MAX_BODY, app
from sample_tools.tools import TOOLS

MANIFEST = Path(__file__).resolve().parents[2] / "examples" / "sample_tools" / "manifest.json"
CONTRACT = "2023-0001234"
CLAIM = {
    "requestKey": "key-0001",
    "contractNo": CONTRACT,
    "accident": {"date": "2025-01-02", "kind": "INJURY", "summary": "넘어짐"},
}


@dataclass
class Answer:
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def json(self) -> Any:
        return json.loads(self.body)


async def ask(method: str, path: str, body: bytes = b"", **headers: str) -> Answer:
    answer = Answer()

    async def receive() -> MutableMapping[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            answer.status = message["status"]
            answer.headers = {name.decode(): value.decode() for name, value in message["headers"]}
        else:
            answer.body += message["body"]

    names = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    await app({"type": "http", "method": method, "path": path, "headers": names}, receive, send)
    return answer


async def call(name: str, **arguments: object) -> Answer:
    return await ask("POST", f"/tools/{name}", json.dumps(arguments).encode())


async def test_a_gateway_accepts_the_manifest() -> None:
    url = parse_url("http://127.0.0.1:8081/tool-manifest")
    policy = EndpointPolicy(
        service_domain=parse_url("http://127.0.0.1:8081"),
        base_endpoint=None,
        declared=frozenset({url.origin}),
        any_origin=False,
    )
    served = (await ask("GET", "/tool-manifest")).body
    checked = run(check_manifest(served, ManifestPolicy("insurance-sample", endpoints=policy)))
    assert isinstance(checked, Manifest), checked
    assert {tool.name: str(tool.endpoint) for tool in checked.tools} == {
        name: f"http://127.0.0.1:8081/tools/{name}" for name in TOOLS
    }


async def test_the_manifest_is_served_with_its_revision_and_not_again_if_it_is_known() -> None:
    first = await ask("GET", "/tool-manifest")
    assert (first.status, first.headers["content-type"]) == (200, "application/json")
    assert first.headers["etag"] == f'"{first.json["revision"]}"'
    assert {key: value for key, value in first.json.items() if key != "revision"} == json.loads(MANIFEST.read_bytes())
    again = await ask("GET", "/tool-manifest", if_none_match=first.headers["etag"])
    assert (again.status, again.body) == (304, b"")


@pytest.mark.parametrize(
    ("name", "arguments", "part"),
    [
        ("ins_contract_get", {"contractNo": CONTRACT}, {"ledgerNo": 9007199254740993}),
        ("ins_claim_search", {"customerNo": "10004321", "page": {"size": 1}}, {"total": 3}),
        ("ins_claim_search", {"customerNo": "10004321", "statuses": ["PAID"]}, {"total": 1}),
        ("ins_claim_search", {"customerNo": "99999999"}, {"total": 0, "claims": []}),
        ("ins_statement_build", {"contractNo": CONTRACT, "year": 2024, "delayMillis": 0}, {"year": 2024}),
        ("ins_claim_register", CLAIM, {"contractNo": CONTRACT}),
        (
            "ins_premium_quote",
            {
                "productCode": "HLT",
                "insured": {"birthDate": "1990-01-01", "gender": "F", "occupation": None},
                "sumInsured": 1e8,
                "riders": [{"code": "CANCER", "sumInsured": 30_000_000}],
            },
            {"sumInsured": 100_000_000, "monthlyPremium": 98_500},
        ),
    ],
)
async def test_a_tool_answers_with_its_result(name: str, arguments: dict[str, Any], part: dict[str, Any]) -> None:
    answer = await call(name, **arguments)
    assert answer.status == 200, answer.body
    assert {key: answer.json[key] for key in part} == part


async def test_an_answer_may_be_a_list_and_empty() -> None:
    seoul = await call("cmm_branch_search", region="SEOUL", language="en")
    assert [branch["name"] for branch in seoul.json] == ["Gangnam customer centre", "Jongno customer centre"]
    assert (await call("cmm_branch_search", region="JEJU")).json == []


async def test_riders_are_left_out_on_request() -> None:
    answer = await call("ins_contract_get", contractNo=CONTRACT, includeRiders=False)
    assert "riders" not in answer.json


async def test_the_same_request_key_registers_once() -> None:
    first, second = await call("ins_claim_register", **CLAIM), await call("ins_claim_register", **CLAIM)
    other = await call("ins_claim_register", **CLAIM | {"requestKey": "key-0002"})
    assert first.json == second.json
    assert first.json["claimNo"] != other.json["claimNo"]


async def test_the_context_is_told_without_the_secrets_in_it() -> None:
    text = '{"amount": 1e400, "글": 1.0}'
    headers = {"guid": "G", "employee_no": "SECRET", "authorization": "Bearer SECRET"}
    answer = await ask("POST", "/tools/cmm_request_context", text.encode(), **headers)
    assert answer.json == {
        "context": {"guid": "G", "x-request-id": None, "mcp-session-id": None, "traceparent": None},
        "present": {"employee-no": True, "virtual-employee-no": False, "authorization": True},
        "argumentsText": text,
    }


@pytest.mark.parametrize(
    ("name", "arguments", "status", "error"),
    [
        (
            "ins_contract_get",
            {"contractNo": "2020-0000001"},
            404,
            {"code": "CONTRACT_NOT_FOUND", "field": "contractNo"},
        ),
        ("ins_claim_register", CLAIM | {"contractNo": "2019-0000777"}, 409, {"code": "CONTRACT_NOT_ACTIVE"}),
        (
            "ins_claim_search",
            {"customerNo": "10004321", "period": {"from": "2025-01-02", "to": "2025-01-01"}},
            400,
            {"code": "PERIOD_REVERSED", "field": "period.from"},
        ),
        ("no_such_tool", {}, 404, {"code": "TOOL_NOT_FOUND"}),
    ],
)
async def test_a_mistake_is_an_error_object_in_words(
    name: str, arguments: dict[str, Any], status: int, error: dict[str, Any]
) -> None:
    answer = await call(name, **arguments)
    assert answer.status == status
    told = answer.json["error"]
    assert {key: told[key] for key in error} == error
    assert told["message"]


async def test_arguments_that_miss_the_schema_are_told_field_by_field() -> None:
    answer = await call("ins_claim_search", customerNo="1", period={"from": "2025-01-01"}, page={"size": 1.5})
    assert answer.status == 400
    assert answer.json["error"]["code"] == "INVALID_ARGUMENTS"
    assert {fault["path"] for fault in answer.json["error"]["fields"]} == {"customerNo", "period", "page.size"}


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "code"),
    [
        ("POST", "/tools/cmm_request_context", b"{", 400, "INVALID_JSON"),
        ("POST", "/tools/cmm_request_context", b"\xff", 400, "INVALID_JSON"),
        ("POST", "/tools/cmm_request_context", b"[]", 400, "INVALID_ARGUMENTS"),
        ("POST", "/tools/cmm_request_context", b" " * (MAX_BODY + 1), 413, "TOO_LARGE"),
        ("GET", "/tools/cmm_request_context", b"", 405, "METHOD_NOT_ALLOWED"),
        ("POST", "/tool-manifest", b"", 405, "METHOD_NOT_ALLOWED"),
        ("GET", "/", b"", 404, "NOT_FOUND"),
    ],
)
async def test_what_is_no_call_is_refused(method: str, path: str, body: bytes, status: int, code: str) -> None:
    answer = await ask(method, path, body)
    assert (answer.status, answer.json["error"]["code"]) == (status, code)


async def test_no_body_is_no_arguments() -> None:
    assert (await ask("POST", "/tools/cmm_request_context")).json["argumentsText"] == ""


async def test_a_fault_of_the_service_is_a_500_with_an_error_id_and_nothing_internal(
    caplog: pytest.LogCaptureFixture,
) -> None:
    answer = await call("ins_statement_build", contractNo=CONTRACT, year=2099, delayMillis=0)
    assert answer.status == 500
    assert b"ledger" not in answer.body
    assert "ledger" in caplog.text
    assert answer.headers["x-error-id"] in caplog.text
