"""A package whose tool runs on samples, and what an inspection tells of it."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from axhub.toolkit.facts.service import Imported
from axhub.toolkit.inspecting.document import inspect_with_samples
from axhub.toolkit.inspecting.running import Limits
from support.tool_packages import ToolPackage, definition_text

TOOL = "cmm_claim_search"
PATH = "biz/cmm/usecase.py"
EXAMPLES = {"valid": [{"claimNo": "CLM1"}]}
SECRET = "900101-1234567"

TOOLS = """
from axhub.toolkit import HttpClient, ToolError

class Body(HttpBody):
    clmNo: str

class Claim(HttpBody):
    stCd: str
    nextKey: str = ""

class Client:
    API_NAME = "claim"
    def __init__(self, http: HttpClient) -> None:
        self._http = http
    async def call(self, request, response_type):
        return await self._http.call(self.API_NAME, request, response_type)

@output_schema
class Found(Output):
    status: Annotated[Literal["OPEN", "DONE"], Desc("상태")]

class Gone(ToolError, code="GONE"):
    pass

STATES = {"1": "OPEN", "2": "DONE", "3": "LOST"}

class Search:
    def __init__(self, client: Client) -> None:
        self._client = client

    @tool(name="cmm_claim_search", title="A", description="a.", category_key="cmm")
    async def search(self, request: Request) -> Found:
        answer = await self._client.call(Body(clmNo=request.claim_no), Claim)
        if answer.stCd == "9":
            raise Gone("없습니다.")
        while answer.nextKey:
            answer = await self._client.call(Body(clmNo=answer.nextKey), Claim)
        return Found(status=STATES[answer.stCd])
"""


@contextmanager
def sampled_package(tmp_path: Path) -> Iterator[ToolPackage]:
    with ToolPackage(tmp_path) as package:
        package.declare(TOOLS)
        define(package)
        yield package


def define(package: ToolPackage, **changes: Any) -> None:
    package.write(f"tool_definitions/cmm/{TOOL}.yml", definition_text(**{"examples": EXAMPLES, **changes}))


def put(package: ToolPackage, name: str, answer: Any) -> str:
    package.write(f"samples/{TOOL}/{name}.json", msgspec.json.encode(answer).decode())
    return f"src/{package.name}/samples/{TOOL}/{name}.json"


def inspected(package: ToolPackage, tool: str = TOOL, **limits: float) -> Imported:
    found = inspect_with_samples(package.root, package.name, Limits(**limits)).imported
    assert found is not None
    return found[tool]


def runs(package: ToolPackage, **limits: float) -> Mapping[str, str | None]:
    return inspected(package, TOOL, **limits).sample_runs


def line_of(package: ToolPackage, text: str) -> str:
    file = package.folder / PATH
    line = next(at for at, line in enumerate(file.read_text().splitlines(), 1) if text in line)
    return f"src/{package.name}/{PATH}:{line}"
