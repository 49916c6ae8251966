"""What the tool design guide (seed 003) shows works here with nothing but the syntax changed, faults included.

The code and YAML of its §4 to §10 make a service; what it leaves open is filled in below. The check says of the guide's
own samples what the guide's own rules say of them, and nothing else.
"""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from axhub.toolkit.check import check, find_project
from support.service_process import service_process
from support.service_projects import write_files

pytestmark = [pytest.mark.req("toolkit/T1"), pytest.mark.req("toolkit/H1")]

# --- what the guide shows --------------------------------------------------------------------------------------------

USECASE = """\
from typing import Protocol

from axhub.toolkit import tool, tool_hint

from mcc_tools.biz.cmm.converter.claim import to_http_request, to_response
from mcc_tools.biz.cmm.dto.claim import ClaimSearchRequest, ClaimSearchResponse
from mcc_tools.infra.http.insurance.client import InsuranceClient
from mcc_tools.infra.http.insurance.io import InsuranceAnswer


class ClaimUseCase(Protocol):
    @tool(
        name="cmm_claim_search",
        title="보험금 청구 상태 조회",
        description="청구번호 또는 계약번호로 보험금 청구 상태를 조회합니다.",
    )
    @tool_hint(
        register=True,
        category_key="cmm",
        mapping_id="CLCNNB00001",
    )
    async def search_claim(self, request: ClaimSearchRequest) -> ClaimSearchResponse: ...


class ClaimUseCaseImpl(ClaimUseCase):
    def __init__(self, client: InsuranceClient) -> None:
        self._client = client

    async def search_claim(self, request: ClaimSearchRequest) -> ClaimSearchResponse:
        return to_response(await self._client.call(to_http_request(request), InsuranceAnswer))
"""
"""§4, with the implementation that §3 and §10 describe."""

DEFINITION = """\
name: cmm_claim_search
display_name: 보험금 청구 상태 조회
version: 1.0.0
category_key: cmm
description:
  function: 청구번호 또는 계약번호를 기준으로 청구 상태와 심사 결과를 조회한다.
  when_to_use: 기존 청구 건의 진행 상태나 지급 결과를 확인할 때 사용한다.
  when_not_to_use: 신규 보험금 청구 접수나 기존 청구 변경에는 사용하지 않는다.
  io_limits: 청구번호 또는 계약번호 중 하나 이상이 필요하며 조회 기능만 제공한다.
display_description: 보험금 청구 상태와 심사 결과를 조회합니다.
example_queries:
  - 내 보험금 청구가 어디까지 진행됐는지 알려줘
  - 계약번호로 최근 청구 상태를 확인해줘
  - 청구 심사 결과가 나왔는지 조회해줘
read_only: true
destructive: false
idempotent: true
parameters_schema:
  type: object
  properties:
    claimNo:
      type: string
      description: 조회할 보험금 청구번호
  additionalProperties: false
tags: [보험금, 청구조회]
legacy_interface_id: CLCNNB00001
required_env_keys: []
owner_org: MCP_TOOL
"""
"""§5, to the letter."""

CLAIM_DTO = """\
from typing import Annotated

from axhub.toolkit import Desc, Input, Output, output_schema


class ClaimSearchRequest(Input):
    claim_no: Annotated[str, Desc("보험금 청구번호", example="CLM202608100001")]


@output_schema
class ClaimSearchResponse(Output):
    status: Annotated[str, Desc("청구 상태 코드")]
    status_label: Annotated[str, Desc("청구 상태 이름")]
    paid_amount: Annotated[int | None, Desc("심사 전이면 null이며 0원으로 해석하지 않는다.")]
    reject_reason: Annotated[str | None, Desc("status가 REJECTED일 때만 값이 있다.")]
"""
"""§6.1 and §7, with the fields and sentences of §8.1 to §8.3 for "// fields"."""

ACTIVITY_DTO = """\
from typing import Annotated

from axhub.toolkit import Desc, Input, Output


class ActivityStatusRequest(Input):
    customer_key: Annotated[str, Desc("고객 식별키", example="K1")]


class ActivityStatusResponse(Output):
    class ActivityItem(Output):
        status: str
        status_label: str

    items: list[ActivityItem]
"""
"""§8: the class inside, and no description anywhere."""

CLIENT = """\
from typing import TypeVar

from axhub.toolkit import HttpBody, HttpClient

O = TypeVar("O", bound=HttpBody)


class InsuranceClient:
    API_NAME = "insurance"

    def __init__(self, http: HttpClient) -> None:
        self._http = http

    async def call(self, request: HttpBody, response_type: type[O]) -> O:
        return await self._http.call(self.API_NAME, request, response_type)
"""
"""§10."""

API_LIST = """\
glow:
  communication:
    http:
      api-list:
        - name: insurance
          domain: ${AXHUB_INSURANCE_HTTP_DOMAIN:http://localhost:${server.port}}
          url: ${AXHUB_INSURANCE_HTTP_URL:/api/mock/http/ins_insurance_processor}
          method: POST
          content-type: application/json;charset=UTF-8
          biz-pod: false
"""
"""§10, to the letter."""

# --- what it leaves open ---------------------------------------------------------------------------------------------

PROCESSOR = """\
from axhub.toolkit import tool, tool_hint

from mcc_tools.biz.ins.converter.activity import to_http_request, to_response
from mcc_tools.biz.ins.dto.activity import ActivityStatusRequest, ActivityStatusResponse
from mcc_tools.infra.http.insurance.client import InsuranceClient
from mcc_tools.infra.http.insurance.io import InsuranceAnswer


class ActivityUseCase:
    def __init__(self, client: InsuranceClient) -> None:
        self._client = client

    @tool(name="ins_insurance_processor", title="활동 상태 조회", description="고객의 활동별 처리 상태를 조회합니다.")
    @tool_hint(category_key="ins", mapping_id="INCNNB00001")
    async def activity_status(self, request: ActivityStatusRequest) -> ActivityStatusResponse:
        return to_response(await self._client.call(to_http_request(request), InsuranceAnswer))
"""
PROCESSOR_DEFINITION = """\
name: ins_insurance_processor
display_name: 활동 상태 조회
version: 1.0.0
category_key: ins
description:
  function: 고객에게 예정된 방문과 상담이 어느 단계인지 돌려준다.
  when_to_use: 담당자가 남은 업무를 점검할 때 사용한다.
  when_not_to_use: 일정을 새로 만들거나 취소하는 데에는 쓰지 않는다.
  io_limits: 고객 식별키 하나만 받는다.
display_description: 방문과 상담의 단계를 보여 줍니다.
example_queries: [오늘 남은 방문이 있어?, 상담이 끝났는지 봐줘, 이 고객과 약속한 일이 뭐야]
read_only: true
destructive: false
idempotent: true
parameters_schema:
  type: object
  properties:
    customerKey: {type: string, description: 고객 식별키}
  required: [customerKey]
  additionalProperties: false
examples:
  valid: [{customerKey: K1}]
tags: [활동]
legacy_interface_id: INCNNB00001
required_env_keys: []
owner_org: MCP_TOOL
signoff: [texts, schema, answer, privacy]
"""
BODIES = """\
from axhub.toolkit import HttpBody


class InsuranceQuery(HttpBody):
    key: str


class InsuranceRow(HttpBody):
    stCd: str
    stNm: str


class InsuranceAnswer(HttpBody):
    rows: list[InsuranceRow]
"""
CLAIM_CONVERTER = """\
from mcc_tools.biz.cmm.dto.claim import ClaimSearchRequest, ClaimSearchResponse
from mcc_tools.infra.http.insurance.io import InsuranceAnswer, InsuranceQuery


def to_http_request(request: ClaimSearchRequest) -> InsuranceQuery:
    return InsuranceQuery(key=request.claim_no)


def to_response(answer: InsuranceAnswer) -> ClaimSearchResponse:
    row = answer.rows[0]
    return ClaimSearchResponse(status=row.stCd, status_label=row.stNm, paid_amount=None, reject_reason=None)
"""
ACTIVITY_CONVERTER = """\
from mcc_tools.biz.ins.dto.activity import ActivityStatusRequest, ActivityStatusResponse
from mcc_tools.infra.http.insurance.io import InsuranceAnswer, InsuranceQuery


def to_http_request(request: ActivityStatusRequest) -> InsuranceQuery:
    return InsuranceQuery(key=request.customer_key)


def to_response(answer: InsuranceAnswer) -> ActivityStatusResponse:
    items = [ActivityStatusResponse.ActivityItem(status=row.stCd, status_label=row.stNm) for row in answer.rows]
    return ActivityStatusResponse(items=items)
"""
PYPROJECT = """\
[project]
name = "mcc-tools"
version = "1.0.0"

[tool.axhub]
categories = ["cmm", "ins"]
owners = ["MCP_TOOL"]
"""
ANSWER = '{"rows": [{"stCd": "RECEIVED", "stNm": "접수"}]}\n'
FOLDER = "src/mcc_tools"
CLAIM = f"{FOLDER}/biz/cmm/dto/claim.py"
ACTIVITY = f"{FOLDER}/biz/ins/dto/activity.py"
YAML = f"{FOLDER}/tool_definitions/cmm/cmm_claim_search.yml"
PACKAGES = ("", "biz/", "biz/cmm/", "biz/ins/", "infra/", "infra/http/", "infra/http/insurance/")
LAYERS = tuple(f"biz/{category}/{layer}/" for category in ("cmm", "ins") for layer in ("dto", "converter", "usecase"))
FILES: Mapping[str, str] = {
    "pyproject.toml": PYPROJECT,
    **{f"{FOLDER}/{package}__init__.py": "" for package in (*PACKAGES, *LAYERS)},
    f"{FOLDER}/app.py": 'from axhub.toolkit import ToolService\n\napp = ToolService("mcc_tools")\n',
    f"{FOLDER}/config/service.yaml": f"mcp:\n  bundleId: mcc-tools\n{API_LIST}",
    f"{FOLDER}/biz/cmm/usecase/claim.py": USECASE,
    CLAIM: CLAIM_DTO,
    f"{FOLDER}/biz/cmm/converter/claim.py": CLAIM_CONVERTER,
    YAML: DEFINITION,
    f"{FOLDER}/biz/ins/usecase/activity.py": PROCESSOR,
    ACTIVITY: ACTIVITY_DTO,
    f"{FOLDER}/biz/ins/converter/activity.py": ACTIVITY_CONVERTER,
    f"{FOLDER}/tool_definitions/ins/ins_insurance_processor.yml": PROCESSOR_DEFINITION,
    f"{FOLDER}/infra/http/insurance/client.py": CLIENT,
    f"{FOLDER}/infra/http/insurance/io.py": BODIES,
    f"{FOLDER}/samples/cmm_claim_search/http-insurance.json": ANSWER,
    f"{FOLDER}/samples/ins_insurance_processor/http-insurance.json": ANSWER,
}
"""The whole service."""


UNDESCRIBED = [
    f"error TK310 {ACTIVITY}:12:9: The field /items/*/status of ActivityItem has no description.",
    f"error TK310 {ACTIVITY}:13:9: The field /items/*/statusLabel of ActivityItem has no description.",
    f"error TK310 {ACTIVITY}:15:5: The field /items of ActivityStatusResponse has no description.",
]
"""§8 shows the class without the descriptions that §5 and §8 ask for."""
UNPROVEN = (
    f'warning TK405 {YAML}:9:14: `io_limits` states a condition between arguments ("중 하나"), and no example proves '
    "that it is checked."
)
UNSAID = [f"warning TK901 {YAML}:1:1: Not yet signed by a reviewer (4): texts, schema, answer, privacy.", UNPROVEN]
"""§13 wants a person to look; §5 says that one of two numbers is needed, and its schema has only one of them."""
OPTIONAL = (
    f"warning TK401 {YAML}:19:3: parameters_schema and ClaimSearchRequest ({CLAIM}:7:5) differ at /claimNo: the model "
    "requires it, the definition does not."
)
"""§6.1 requires the number, the schema of §5 does not."""
SAID_OTHERWISE = (
    f"warning TK401 {YAML}:23:20: parameters_schema and ClaimSearchRequest ({CLAIM}:7:5) differ at /claimNo: the model "
    'says "보험금 청구번호"; the definition says "조회할 보험금 청구번호".'
)
"""The same argument is described in two ways in §5 and §6.1."""


def found_in(root: Path) -> list[str]:
    report = check(find_project(root))
    assert report.faults == ()
    return [f"{one.severity.value} {one.rule} {one.place}: {one.problem}" for one in report.findings()]


def test_the_check_says_of_the_guides_samples_what_the_guides_rules_say(tmp_path: Path) -> None:
    assert found_in(write_files(tmp_path, FILES)) == [*UNDESCRIBED, OPTIONAL, SAID_OTHERWISE, *UNSAID]


def test_with_plain_descriptions_the_order_and_the_end_of_the_list_are_missing(tmp_path: Path) -> None:
    described = ACTIVITY_DTO.replace("status: str", 'status: Annotated[str, Desc("상태 코드")]', 1)
    described = described.replace("status_label: str", 'status_label: Annotated[str, Desc("상태 이름")]')
    described = described.replace("list[ActivityItem]", 'Annotated[list[ActivityItem], Desc("활동 목록")]')
    order = "The description of the list /items of ActivityStatusResponse does not state the order."
    end = "Nothing says whether the list /items of ActivityStatusResponse is complete."
    assert found_in(write_files(tmp_path, {**FILES, ACTIVITY: described})) == [
        f"error TK514 {ACTIVITY}:15:5: {order}",
        OPTIONAL,
        SAID_OTHERWISE,
        f"warning TK515 {ACTIVITY}:15:5: {end}",
        *UNSAID,
    ]


RESOURCES = """\
        mapping_id="CLCNNB00001",
        input_schema_resource="classpath:tool-schemas/cmm/claim-search-resource-input-schema.json",
        output_schema_resource="classpath:tool-schemas/cmm/claim-search-resource-output-schema.json",
"""
INPUT = {
    "type": "object",
    "properties": {"claimNo": {"type": "string", "description": "조회할 보험금 청구번호", "pattern": "^CLM[0-9]{12}$"}},
    "required": ["claimNo"],
    "additionalProperties": False,
}
OUTPUT = {
    "type": "object",
    "properties": {
        "status": {"type": "string", "description": "청구 상태 코드"},
        "statusLabel": {"type": "string", "description": "청구 상태 이름"},
        "paidAmount": {"type": ["integer", "null"], "description": "심사 전이면 null이며 0원으로 해석하지 않는다."},
        "rejectReason": {"type": ["string", "null"], "description": "status가 REJECTED일 때만 값이 있다."},
    },
    "additionalProperties": False,
}
SCHEMAS = f"{FOLDER}/tool_schemas/cmm/claim-search-resource"


def with_resources(root: Path) -> Path:
    usecase = USECASE.replace('        mapping_id="CLCNNB00001",\n', RESOURCES)
    schemas = {f"{SCHEMAS}-{kind}-schema.json": json.dumps(one) for kind, one in (("input", INPUT), ("output", OUTPUT))}
    return write_files(root, {**FILES, f"{FOLDER}/biz/cmm/usecase/claim.py": usecase, **schemas})


def test_the_paths_of_the_guide_lead_to_the_schemas(tmp_path: Path) -> None:
    assert found_in(with_resources(tmp_path)) == [*UNDESCRIBED, OPTIONAL, SAID_OTHERWISE, *UNSAID]


CALLS = {
    "cmm_claim_search": (
        {"claimNo": "CLM202608100001"},
        {"status": "RECEIVED", "statusLabel": "접수", "paidAmount": None, "rejectReason": None},
    ),
    "ins_insurance_processor": ({"customerKey": "K1"}, {"items": [{"status": "RECEIVED", "statusLabel": "접수"}]}),
}


@pytest.mark.parametrize("written", [lambda root: write_files(root, FILES), with_resources], ids=["models", "files"])
async def test_the_service_answers_in_the_profile_local_from_its_own_mock(
    written: Callable[[Path], Path], tmp_path: Path
) -> None:
    root = written(tmp_path)
    words = ("mcc_tools", "--profile", "local", "--port", "0")  # its configuration says ${server.port}
    async with service_process(*words, PYTHONPATH=str(root / "src")) as service:
        await service.ready()
        for name, (arguments, answer) in CALLS.items():
            said = await service.send(f"/tools/{name}", json.dumps(arguments).encode())
            assert (said.status, json.loads(said.body)) == (200, answer), name
        refused = await service.send("/tools/cmm_claim_search", b"{}")
        assert refused.status == 400
