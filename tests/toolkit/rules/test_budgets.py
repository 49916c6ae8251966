"""The time that a tool's calls may take."""

from pathlib import Path

import pytest

from axhub.toolkit.rules import budgets
from support.telling import Told
from support.written_service import CONFIG, USECASE, Written, changed, told_of

RULES = {rule.id: rule for rule in budgets.RULES}
BUNDLE = "mcp: {bundleId: my-tools}"
CALL = "return to_claim_response(await self._claims.search(to_claim_body(request)))"
BANK = "        - {name: bank, domain: '${BANK}', url: /b, method: POST, totalTimeoutMillis: 6000}\n"
BANK_CLIENT = """\
from axhub.toolkit import HttpClient
NAME = "bank"
class BankClient:
    def __init__(self, http: HttpClient) -> None:
        self._http = http
    async def ask(self, request):
        return await self._send(request)
    async def _send(self, request):
        return await self._http.call(NAME, request, dict)
"""


def config(tools: str = "", total: int | None = None) -> dict[str, str]:
    """Return the configuration with timeouts of tools, and a bound of the API."""
    text = changed(CONFIG, BUNDLE, f"{BUNDLE}\n{tools}")[CONFIG]
    bound = "" if total is None else f"\n          totalTimeoutMillis: {total}"
    return {CONFIG: text.replace("method: POST", f"method: POST{bound}")}


def two(used: str, tools: str = "") -> dict[str, str]:
    """Return a use case with two clients, and how it calls the second one."""
    text = changed(USECASE, "claims: ClaimClient)", "claims: ClaimClient, bank: BankClient)")[USECASE]
    text = text.replace(
        "class ClaimUseCase", "from my_tools.infra.http.bank.client import BankClient\nclass ClaimUseCase"
    )
    text = text.replace("self._claims = claims", "self._claims = claims\n        self._bank = bank")
    entries = changed(CONFIG, BUNDLE, f"{BUNDLE}\n{tools}")[CONFIG]
    return {
        USECASE: text.replace(CALL, f"{used}\n        {CALL}"),
        CONFIG: entries.replace("        - name: claim", f"{BANK}        - name: claim"),
        "infra/http/bank/client.py": BANK_CLIENT,
    }


@pytest.mark.req("rule/TK615")
@pytest.mark.parametrize(
    "case",
    [
        Written(
            "one call, and the default",
            config(total=10000),
            (
                Told(
                    "config/service.yaml:11:31 error",
                    "The calls of cmm_claim_search may take 10000 ms (claim 10000), which is not less than its "
                    "own timeout of 10000 ms (the default). Add `cmm_claim_search: {timeoutMillis: "
                    "11000}` below `tools:` of src/my_tools/config/service.yaml, or let totalTimeoutMillis of claim "
                    "add up to 9999 at most.",
                    "cmm_claim_search 도구의 호출 시간 합계 10000ms(claim 10000)가 도구 자신의 timeout "
                    "10000ms(기본값)보다 작지 않습니다. src/my_tools/config/service.yaml 파일의 `tools:` 아래에 "
                    "`cmm_claim_search: {timeoutMillis: 11000}` 값을 더하거나, claim 항목의 totalTimeoutMillis "
                    "합계를 9999 이하로 낮추십시오.",
                ),
            ),
        ),
        Written(
            "one call, and a timeout that is written",
            config("tools: {cmm_claim_search: {timeoutMillis: 5000}}"),
            (
                Told(
                    "config/service.yaml:2:43 error",
                    "The calls of cmm_claim_search may take 5000 ms (claim 5000), which is not less than its own "
                    "timeout of 5000 ms. Write `timeoutMillis: 6000` here, or "
                    "let totalTimeoutMillis of claim add up to 4999 at most.",
                    "cmm_claim_search 도구의 호출 시간 합계 5000ms(claim 5000)가 도구 자신의 timeout 5000ms보다 "
                    "작지 않습니다. 여기에 `timeoutMillis: 6000` 값을 "
                    "쓰거나, claim 항목의 totalTimeoutMillis 합계를 4999 이하로 "
                    "낮추십시오.",
                ),
            ),
        ),
        Written(
            "two calls",
            two("await self._bank.ask(1)"),
            (
                Told(
                    "config/service.yaml:7:86 error",
                    "The calls of cmm_claim_search may take 11000 ms (claim 5000 + bank 6000), which is not less "
                    "than its own timeout of 10000 ms (the default). Add `cmm_claim_search: "
                    "{timeoutMillis: 12000}` below `tools:` of src/my_tools/config/service.yaml, or let "
                    "totalTimeoutMillis of "
                    "claim, bank add up to 9999 at most.",
                    "cmm_claim_search 도구의 호출 시간 합계 11000ms(claim 5000 + bank 6000)가 도구 자신의 timeout "
                    "10000ms(기본값)보다 작지 않습니다. src/my_tools/config/service.yaml 파일의 `tools:` 아래에 "
                    "`cmm_claim_search: {timeoutMillis: 12000}` 값을 더하거나, claim, bank 항목의 "
                    "totalTimeoutMillis 합계를 9999 이하로 낮추십시오.",
                ),
            ),
        ),
        Written(
            "too long for any timeout",
            config(total=40000),
            (
                Told(
                    "config/service.yaml:11:31 error",
                    "The calls of cmm_claim_search may take 40000 ms (claim 40000), which is not less than its "
                    "own timeout of 10000 ms. Let totalTimeoutMillis of claim add up to 9999 at most; a tool's "
                    "own timeout is 30000 at most.",
                    "cmm_claim_search 도구의 호출 시간 합계 40000ms(claim 40000)가 도구 자신의 timeout "
                    "10000ms보다 작지 않습니다. claim 항목의 totalTimeoutMillis 합계를 9999 이하로 낮추십시오. "
                    "도구의 timeout은 30000까지입니다.",
                ),
            ),
        ),
        Written(
            "a timeout that a gateway cuts off",
            config("tools: {cmm_claim_search: {timeoutMillis: 45000}}"),
            (
                Told(
                    "config/service.yaml:2:43 error",
                    "The timeout of cmm_claim_search is 45000 ms, and a gateway cuts a call off after 30000 ms. "
                    "Write `timeoutMillis: 30000` or less, and let the tool's calls take less than that together.",
                    "cmm_claim_search 도구의 timeout은 45000ms인데, 게이트웨이는 30000ms 뒤에 호출을 끊습니다. "
                    "`timeoutMillis: 30000` 이하로 쓰고, 도구의 호출 시간 합계를 그보다 작게 하십시오.",
                ),
            ),
        ),
    ],
    ids=str,
)
def test_calls_that_may_take_longer_than_the_tool_are_pointed_out(case: Written, tmp_path: Path) -> None:
    assert told_of(RULES["TK615"], tmp_path, case.files) == case.told


@pytest.mark.req("rule/TK615")
@pytest.mark.parametrize(
    "case",
    [
        Written("the good service", {}),
        Written("a client that the tool does not call", two("pass")),
        Written(
            "one API that is called twice", changed(USECASE, CALL, f"await self._claims.search(1)\n        {CALL}")
        ),
        Written(
            "two calls that fit", two("await self._bank.ask(1)", "tools: {cmm_claim_search: {timeoutMillis: 12000}}")
        ),
        Written(
            "a bound from the environment",
            config("tools: {cmm_claim_search: {timeoutMillis: 4000}}")
            | {
                CONFIG: config("tools: {cmm_claim_search: {timeoutMillis: 4000}}")[CONFIG].replace(
                    "method: POST", "method: POST\n          totalTimeoutMillis: ${MILLIS}"
                )
            },
        ),
        Written("an API without an entry", {CONFIG: "mcp: {bundleId: my-tools}\n"}),
        Written("a tool that is none", config("tools: {other: {timeoutMillis: 45000}}")),
    ],
    ids=str,
)
def test_tk615_has_nothing_to_say_about(case: Written, tmp_path: Path) -> None:
    assert told_of(RULES["TK615"], tmp_path, case.files) == ()
