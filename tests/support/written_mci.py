"""A small good service with one MCI tool as an author writes it, for tests of rules about telegrams and systems."""

from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent
from typing import Final

from axhub.toolkit.facts.service import Facts
from axhub.toolkit.rules.all import rule_of
from support.service_projects import facts_of
from support.telling import Told, told
from support.tool_packages import definition_text

DTO: Final = "biz/cmm/dto.py"
CONVERTER: Final = "biz/cmm/converter.py"
USECASE: Final = "biz/cmm/usecase.py"
CLIENT: Final = "infra/mci/cfpa/client.py"
ENVELOPE: Final = "infra/mci/cfpa/envelope.py"
HEADER: Final = "infra/mci/cfpa/io/header.py"
IO: Final = "infra/mci/cfpa/io/clcnnb00001.py"
CONFIG: Final = "config/service.yaml"
YAML: Final = "tool_definitions/cmm/cmm_claim_search.yml"

GOOD: Final[Mapping[str, str]] = {
    DTO: """\
        from axhub.toolkit import Input, Output
        class ClaimRequest(Input):
            claim_no: str
        class ClaimResponse(Output):
            name: str
        """,
    CONVERTER: """\
        from my_tools.biz.cmm.dto import ClaimRequest, ClaimResponse
        from my_tools.infra.mci.cfpa.io.clcnnb00001 import CLCNNB00001_I, CLCNNB00001_O
        def to_mci_request(request: ClaimRequest) -> CLCNNB00001_I:
            return CLCNNB00001_I(claim_no=request.claim_no)
        def to_response(telegram: CLCNNB00001_O) -> ClaimResponse:
            return ClaimResponse(name=telegram.name)
        """,
    USECASE: """\
        from axhub.toolkit import tool
        from my_tools.biz.cmm.converter import to_mci_request, to_response
        from my_tools.biz.cmm.dto import ClaimRequest, ClaimResponse
        from my_tools.infra.mci.cfpa.client import CfpaClient
        from my_tools.infra.mci.cfpa.io.clcnnb00001 import CLCNNB00001_O
        class ClaimUseCase:
            def __init__(self, cfpa: CfpaClient) -> None:
                self._cfpa = cfpa
            @tool(
                name="cmm_claim_search",
                title="청구 조회",
                description="청구를 조회합니다.",
                category_key="cmm",
                mapping_id="CLCNNB00001",
            )
            async def search(self, request: ClaimRequest) -> ClaimResponse:
                return to_response(await self._cfpa.call(to_mci_request(request), CLCNNB00001_O))
        """,
    CLIENT: """\
        from typing import TypeVar
        from axhub.toolkit import MciClient
        from axhub.toolkit.mci import Layout
        from my_tools.infra.mci.cfpa.envelope import ENVELOPE
        L = TypeVar("L", bound=Layout)
        class CfpaClient:
            SYSTEM = "cfpa"
            def __init__(self, mci: MciClient) -> None:
                self._mci = mci
            async def call(self, request: Layout, response_type: type[L]) -> L:
                return await self._mci.call(self.SYSTEM, ENVELOPE, request, response_type)
        """,
    ENVELOPE: """\
        from axhub.toolkit.mci import Envelope, MciCall
        from my_tools.infra.mci.cfpa.io.header import CfpaHeader
        def head(call: MciCall) -> CfpaHeader:
            return CfpaHeader(interface_id=call.interface_id, guid=call.correlation_id)
        ENVELOPE = Envelope(header=CfpaHeader, head=head, correlation="guid", result="result")
        """,
    HEADER: """\
        from typing import Annotated
        from axhub.toolkit.mci import Layout, Num, Text
        class CfpaHeader(Layout, size=61):
            length: Annotated[int, Num(8)] = 0
            interface_id: Annotated[str, Text(20)]
            guid: Annotated[str, Text(32)]
            result: Annotated[str, Text(1)] = "0"
        """,
    IO: """\
        from decimal import Decimal
        from typing import Annotated
        from axhub.toolkit.mci import Layout, Num, Rows, Text
        class CLCNNB00001_I(Layout, id="CLCNNB00001", size=16):
            claim_no: Annotated[str, Text(16)]
        class ClaimRow(Layout):
            claim_no: Annotated[str, Text(16)]
            state: Annotated[str, Text(2)]
            amount: Annotated[int | None, Num(13, sign="leading")]
        class CLCNNB00001_O(Layout, id="CLCNNB00001", size=175):
            name: Annotated[str, Text(10)]
            rate: Annotated[Decimal, Num(7, scale=4)]
            row_count: Annotated[int, Num(3)] = 0
            rows: Annotated[list[ClaimRow], Rows(max=5, count="row_count")]
        """,
    CONFIG: """\
        mcp: {bundleId: my-tools}
        glow:
          communication:
            mci:
              system-list:
                - name: cfpa
                  host: ${CFPA_HOST}
                  port: ${CFPA_PORT:0}
                  lengthField: {kind: ascii, size: 8}
        """,
    YAML: definition_text(required_env_keys=["CFPA_HOST"]),
}
"""Its files below the package."""


def mci_facts(root: Path, files: Mapping[str, str | None]) -> Facts:
    """Return what is read from the good service with some files written otherwise."""
    return facts_of(root, {name: text for name, text in {**GOOD, **files}.items() if text is not None})


def mci_told(id_: str, root: Path, files: Mapping[str, str | None]) -> tuple[Told, ...]:
    """Return what a rule says about the good service with some files written otherwise."""
    rule = rule_of(id_)
    assert rule is not None
    return told(rule, mci_facts(root, files))


def mci_changed(file: str, old: str, new: str) -> dict[str, str]:
    """Return one file of the good service with a text that stands in it once replaced."""
    text = dedent(GOOD[file])
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {file}"
    return {file: text.replace(old, new)}


def mci_client(old: str, new: str, before: str = "") -> dict[str, str]:
    """Return the good client with a text in it replaced, and with more imports."""
    return {CLIENT: before + mci_changed(CLIENT, old, new)[CLIENT]}
