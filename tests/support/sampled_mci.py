"""A package whose tool calls an MCI system and runs on samples."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from support.sampled import TOOL, define
from support.tool_packages import ToolPackage

INTERFACE = "CLCNNB00001"

ENVELOPE = """
from typing import Annotated
from axhub.toolkit.mci import Envelope, Layout, MciCall, Num, Text

class Header(Layout):
    length: Annotated[int, Num(8)] = 0
    interface_id: Annotated[str, Text(12)]
    guid: Annotated[str, Text(32)]
    result: Annotated[str, Text(1)] = "0"

def head(call: MciCall) -> Header:
    return Header(interface_id=call.interface_id, guid=call.correlation_id)

ENVELOPE = Envelope(header=Header, head=head, correlation="guid", result="result", interface="interface_id")
"""
TELEGRAMS = """
from decimal import Decimal
from typing import Annotated
from axhub.toolkit.mci import Layout, Num, Rows, Text

class CLCNNB00001_I(Layout, id="CLCNNB00001", size=8):
    claim_no: Annotated[str, Text(8)]

class ClaimRow(Layout):
    paid_on: Annotated[str, Text(8)]

class CLCNNB00001_O(Layout, id="CLCNNB00001", size=31):
    state: Annotated[str, Text(2)]
    rate: Annotated[Decimal, Num(5, scale=2)]
    next_key: Annotated[str, Text(8)] = ""
    row_count: Annotated[int, Num(8)] = 0
    rows: Annotated[list[ClaimRow], Rows(max=1, count="row_count")]
"""
CLIENT = """
from axhub.toolkit import MciClient
from PACKAGE.infra.mci.cfpa.envelope import ENVELOPE

class CfpaClient:
    SYSTEM = "cfpa"
    def __init__(self, mci: MciClient) -> None:
        self._mci = mci
    async def call(self, request, response_type):
        return await self._mci.call(self.SYSTEM, ENVELOPE, request, response_type)
"""
TOOLS = """
from axhub.toolkit import LegacyError, ToolError
from PACKAGE.infra.mci.cfpa.client import CfpaClient
from PACKAGE.infra.mci.cfpa.io.clcnnb00001 import CLCNNB00001_I, CLCNNB00001_O

@output_schema
class Found(Output):
    status: Annotated[Literal["OPEN", "DONE"], Desc("상태")]

class Gone(ToolError, code="GONE"):
    pass

STATES = {"1": "OPEN", "2": "DONE"}

class Search:
    def __init__(self, client: CfpaClient) -> None:
        self._client = client

    @tool(name="cmm_claim_search", title="A", description="a.", category_key="cmm", mapping_id="CLCNNB00001")
    async def search(self, request: Request) -> Found:
        answer = await self._client.call(CLCNNB00001_I(claim_no=request.claim_no), CLCNNB00001_O)
        while answer.next_key:
            answer = await self._client.call(CLCNNB00001_I(claim_no=answer.next_key), CLCNNB00001_O)
        if answer.state == "9":
            raise Gone("없습니다.")
        return Found(status=STATES[answer.state])
"""


@contextmanager
def mci_package(tmp_path: Path) -> Iterator[ToolPackage]:
    """Yield a package that is there until the end."""
    with ToolPackage(tmp_path) as package:
        package.write("infra/mci/cfpa/envelope.py", ENVELOPE)
        package.write("infra/mci/cfpa/io/clcnnb00001.py", TELEGRAMS)
        package.write("infra/mci/cfpa/client.py", CLIENT)
        package.declare(TOOLS)
        define(package)
        yield package


def put_json(package: ToolPackage, answer: Any, number: str = "") -> str:
    """Write a sample by names of fields, and return its path."""
    return put_text(package, f"{INTERFACE}{number}.json", msgspec.json.encode(answer).decode())


def put_text(package: ToolPackage, name: str, text: str) -> str:
    """Write a sample as it stands, and return its path."""
    package.write(f"samples/{TOOL}/mci-{name}", text)
    return f"src/{package.name}/samples/{TOOL}/mci-{name}"
