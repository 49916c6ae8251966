"""What a deployment's settings make of the calls that tools make one after the other (toolkit/S5, toolkit/S7)."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from axhub.toolkit import ToolService
from axhub.toolkit.service.options import StartError
from support.tool_packages import ToolPackage, definition_text

TWO_APIS = """
mcp: {bundleId: claims}
glow:
  communication:
    http:
      api-list:
        - {name: claim, domain: "http://claims.example", url: /claims, method: POST, totalTimeoutMillis: 3000}
        - {name: ledger, domain: "http://a.example", url: /b, method: POST, totalTimeoutMillis: 4000}
"""
TOOL = """
@tool(name="cmm_claim_search", title="보험금 청구 상태 조회", description="조회합니다.", category_key="cmm")
async def search(request: Request, claims: ClaimClient, ledger: LedgerClient) -> Response:
    BODY
    return Response(status="OPEN")
"""
TWO_CLIENTS = """
from axhub.toolkit.ports import HttpClient
class ClaimClient:
    API_NAME = "claim"
    def __init__(self, http: HttpClient) -> None: self._http = http
    async def call(self, request): return await self._http.call(self.API_NAME, request, Response)
class LedgerClient:
    API_NAME = "ledger"
    def __init__(self, http: HttpClient) -> None: self._http = http
    async def call(self, request): return await self._http.call(self.API_NAME, request, Response)
"""
BOTH = "await claims.call(request); await ledger.call(request)"


def problems(package: ToolPackage, environ: Mapping[str, str]) -> list[str]:
    app = ToolService(package.name, profile="local")
    app.configure(environ=environ)
    try:
        app.prepare()
    except StartError as error:
        return list(error.problems)
    return []


@pytest.mark.req("toolkit/S7", "toolkit/S5")
@pytest.mark.parametrize(
    ("body", "packaged", "timeout", "said"),
    [
        (
            BOTH,
            9000,
            7000,
            [
                (
                    "the calls of cmm_claim_search may take 7000 ms together (API claim 3000 + API ledger 4000, "
                    "totalTimeoutMillis), which is not less than its own timeout, 7000 ms; raise "
                    "tools.cmm_claim_search.timeoutMillis or lower the others"
                )
            ],
        ),
        (BOTH, 9000, 7001, []),
        (BOTH, 7000, 6000, []),  # the check has said it
        ("await claims.call(request)", 9000, 7000, []),  # the other is at hand and never called
    ],
)
def test_calls_that_a_tool_makes_one_after_the_other_are_judged_together(
    tmp_path: Path, body: str, packaged: int, timeout: int, said: list[str]
) -> None:
    config = TWO_APIS + f"tools: {{cmm_claim_search: {{timeoutMillis: {packaged}}}}}\n"
    with ToolPackage(tmp_path) as package:
        package.write("config/service.yaml", config)
        package.write("tool_definitions/cmm/cmm_claim_search.yml", definition_text(name="cmm_claim_search"))
        package.declare(TWO_CLIENTS + TOOL.replace("BODY", body))
        assert problems(package, {"AXHUB_SERVICE__TOOLS__CMM_CLAIM_SEARCH__TIMEOUTMILLIS": str(timeout)}) == said
