"""A small good service as an author writes it, for tests of rules about its code and configuration."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent
from typing import Final

from axhub.toolkit.facts.service import Facts
from axhub.toolkit.rules.model import Rule
from support.service_projects import facts_of
from support.telling import Told, told

DTO: Final = "biz/cmm/dto.py"
CONVERTER: Final = "biz/cmm/converter.py"
USECASE: Final = "biz/cmm/usecase.py"
CLIENT: Final = "infra/http/claim/client.py"
BODIES: Final = "infra/http/claim/io.py"
CONFIG: Final = "config/service.yaml"

GOOD: Final[Mapping[str, str]] = {
    DTO: """\
        from axhub.toolkit import Input, Output
        class ClaimRequest(Input):
            claim_no: str
        class ClaimResponse(Output):
            status: str
        """,
    CONVERTER: """\
        from my_tools.biz.cmm.dto import ClaimRequest, ClaimResponse
        from my_tools.infra.http.claim.io import ClaimAnswer, ClaimBody
        def to_claim_body(request: ClaimRequest) -> ClaimBody:
            return ClaimBody(clmNo=request.claim_no)
        def to_claim_response(answer: ClaimAnswer) -> ClaimResponse:
            return ClaimResponse(status=answer.stCd)
        """,
    USECASE: """\
        from axhub.toolkit import tool
        from my_tools.biz.cmm.converter import to_claim_body, to_claim_response
        from my_tools.biz.cmm.dto import ClaimRequest, ClaimResponse
        from my_tools.infra.http.claim.client import ClaimClient
        class ClaimUseCase:
            def __init__(self, claims: ClaimClient) -> None:
                self._claims = claims
            @tool(name="cmm_claim_search", title="청구 조회", description="청구를 조회합니다.", category_key="cmm")
            async def search(self, request: ClaimRequest) -> ClaimResponse:
                return to_claim_response(await self._claims.search(to_claim_body(request)))
        """,
    CLIENT: """\
        from axhub.toolkit import HttpClient
        from my_tools.infra.http.claim.io import ClaimAnswer, ClaimBody
        class ClaimClient:
            API_NAME = "claim"
            def __init__(self, http: HttpClient) -> None:
                self._http = http
            async def search(self, request: ClaimBody) -> ClaimAnswer:
                return await self._http.call(self.API_NAME, request, ClaimAnswer)
        """,
    BODIES: """\
        from axhub.toolkit import HttpBody
        class ClaimBody(HttpBody):
            clmNo: str
        class ClaimAnswer(HttpBody):
            stCd: str
        """,
    CONFIG: """\
        mcp: {bundleId: my-tools}
        glow:
          communication:
            http:
              api-list:
                - name: claim
                  domain: ${CLAIM_DOMAIN}
                  url: /claims
                  method: POST
        """,
}
"""Its files below the package."""


@dataclass(frozen=True, slots=True)
class Written:
    """The good service with some files written otherwise, and what a rule says about it."""

    what: str
    files: Mapping[str, str | None]
    """By path below the package; None: it is not there."""
    told: tuple[Told, ...] = ()

    def __str__(self) -> str:
        return self.what


def facts_with(root: Path, files: Mapping[str, str | None]) -> Facts:
    """Return what is read from the good service with some files written otherwise."""
    kept = {name: text for name, text in {**GOOD, **files}.items() if text is not None}
    return facts_of(root, kept)


def told_of(rule: Rule, root: Path, files: Mapping[str, str | None]) -> tuple[Told, ...]:
    """Return what a rule says about the good service with some files written otherwise."""
    return told(rule, facts_with(root, files))


def changed(file: str, old: str, new: str) -> dict[str, str]:
    """Return one file of the good service with a text that stands in it once replaced."""
    text = dedent(GOOD[file])
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {file}"
    return {file: text.replace(old, new)}
