"""A Tool Service with one MCI tool, as its author writes it."""

from pathlib import Path
from typing import Final

from support.tool_packages import ToolPackage, definition_text

ENVELOPE: Final = """\
from typing import Annotated

from axhub.toolkit.mci import Envelope, Filler, Layout, MciCall, Num, Text


class Header(Layout):
    length: Annotated[int, Num(4)] = 0
    interface: Annotated[str, Text(11)]
    correlation: Annotated[str, Text(32)]
    result: Annotated[str, Text(4)] = "0000"
    reserve: Annotated[None, Filler(9)] = None


class Message(Layout):
    code: Annotated[str, Text(8)]
    text: Annotated[str, Text(40, overflow="cut")]


def head(call: MciCall) -> Header:
    return Header(interface=call.interface_id, correlation=call.correlation_id)


ENVELOPE = Envelope(
    header=Header,
    head=head,
    correlation="correlation",
    result="result",
    success=frozenset({"0000"}),
    failure="9999",
    interface="interface",
    message=Message,
    message_always=False,
    error_code="code",
    error_text="text",
)
"""
IO: Final = """\
from typing import Annotated

from axhub.toolkit.mci import Layout, Num, Text


class CLCNNB00001_I(Layout, id="CLCNNB00001"):
    claim_no: Annotated[str, Text(16)]


class CLCNNB00001_O(Layout, id="CLCNNB00001"):
    name: Annotated[str, Text(10)]
    amount: Annotated[int, Num(9)]
"""
CLIENT: Final = """\
from typing import TypeVar

from axhub.toolkit import MciClient
from axhub.toolkit.mci import Layout

from PACKAGE.infra.mci.cfpa.envelope import ENVELOPE

L = TypeVar("L", bound=Layout)


class CfpaClient:
    SYSTEM = "cfpa"

    def __init__(self, mci: MciClient) -> None:
        self._mci = mci

    async def call(self, request: Layout, response_type: type[L]) -> L:
        return await self._mci.call(self.SYSTEM, ENVELOPE, request, response_type)
"""
TOOL: Final = '''\
from axhub.toolkit import Input, LegacyError, Output, ToolError, tool, tool_hint
from PACKAGE.infra.mci.cfpa.client import CfpaClient
from PACKAGE.infra.mci.cfpa.io.claims import CLCNNB00001_I, CLCNNB00001_O


class ClaimRequest(Input):
    claimNo: str


class ClaimResponse(Output):
    name: str
    amount: int


class Refused(ToolError, status=422, code="REFUSED"):
    """The system refused."""


@tool(name="cmm_claim_search", title="보험금 청구 상태 조회", description="청구 상태를 조회합니다.")
@tool_hint(register=True, category_key="cmm", mapping_id="CLCNNB00001")
async def search(request: ClaimRequest, cfpa: CfpaClient) -> ClaimResponse:
    try:
        found = await cfpa.call(CLCNNB00001_I(claim_no=request.claimNo), CLCNNB00001_O)
    except LegacyError as error:
        raise Refused(f"{error.code} {error.message}") from error
    return ClaimResponse(name=found.name, amount=found.amount)
'''
TCP: Final = """\
        - name: cfpa
          host: ${CFPA_HOST:localhost}
          port: ${CFPA_PORT:0}
          totalTimeoutMillis: 5000
          lengthField: {kind: ascii, size: 4}
"""
HTTP: Final = """\
        - name: cfpa
          transport: http
          domain: ${CFPA_DOMAIN:http://localhost:${server.port}}
          url: ${CFPA_URL:/api/mock/mci/cfpa}
          lengthField: {kind: ascii, size: 4}
"""
CASE: Final = '{"request": {"claim_no": "2"}, "error": {"code": "E0042", "message": "해지된 계약입니다"}}'
HEX: Final = """\
# name: 김철수, padded to ten bytes
B1 E8 C3 B6 BC F6 20 20 20 20
30 30 30 30 30 30 30 30 37  # amount
"""


def mci_package(root: Path, system: str = TCP) -> ToolPackage:
    """Write the project; enter what is returned to import it.

    Args:
        root: the project's folder.
        system: the entry of the configuration.
    """
    package = ToolPackage(root)
    config = f"mcp: {{bundleId: my-tools}}\nglow:\n  communication:\n    mci:\n      system-list:\n{system}"
    for folder in ("infra", "infra/mci", "infra/mci/cfpa", "infra/mci/cfpa/io", "biz"):
        package.write(f"{folder}/__init__.py", "")
    package.write("infra/mci/cfpa/envelope.py", ENVELOPE)
    package.write("infra/mci/cfpa/client.py", CLIENT)
    package.write("infra/mci/cfpa/io/claims.py", IO)
    package.write("biz/claim.py", TOOL)
    package.write("config/service.yaml", config)
    package.write("tool_definitions/cmm/cmm_claim_search.yml", definition_text())
    package.write("samples/cmm_claim_search/mci-CLCNNB00001.json", '{"name": "홍길동", "amount": 5}')
    package.write("samples/cmm_claim_search/mci-CLCNNB00001-2.json", CASE)
    package.write(
        "samples/cmm_claim_search/mci-CLCNNB00001-3.json",
        '{"request": {"claim_no": "3"}, "answer": {"name": "뷁", "amount": 1}}',
    )
    (root / "pyproject.toml").write_text(
        f'[project]\nname = "{package.name}"\nversion = "1.0.0"\n\n[tool.axhub]\n', encoding="utf-8"
    )
    return package
