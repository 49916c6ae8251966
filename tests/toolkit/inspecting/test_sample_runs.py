"""Tools run on their samples: what is wrong with each, told without values and in time."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from axhub.toolkit.check.inspection import run_inspection
from axhub.toolkit.facts.service import FAILED
from axhub.toolkit.inspecting.document import inspect_with_samples
from support import sampled
from support.sampled import PATH, SECRET, TOOL, TOOLS, define, inspected, line_of, put, runs
from support.tool_packages import ToolPackage, definition_text

pytestmark = pytest.mark.req("rule/TK503")


@pytest.fixture
def package(tmp_path: Path) -> Iterator[ToolPackage]:
    with sampled.sampled_package(tmp_path) as made:
        yield made


def test_each_sample_is_tried_in_the_process_of_the_check(package: ToolPackage) -> None:
    good, bad = put(package, "http-claim", {"stCd": "1"}), put(package, "http-claim-2", {"stCd": "7"})
    result = run_inspection(package.root, package.name, 30)
    assert result.imported is not None
    assert result.imported[TOOL].sample_runs == {good: None, bad: f"KeyError at {line_of(package, 'STATES[')}"}


def test_what_the_sample_lacks_is_told_without_what_stands_in_it(package: ToolPackage) -> None:
    path = put(package, "http-claim", {"stCd": {"name": SECRET}})
    assert runs(package) == {path: "the answer is no Claim: /stCd string_type"}


def test_an_answer_that_the_model_does_not_allow_is_told_with_the_converters_line(package: ToolPackage) -> None:
    path = put(package, "http-claim", {"stCd": "3"})
    assert runs(package) == {
        path: f"Found cannot be made: /status literal_error at {line_of(package, 'return Found(')}"
    }


def test_an_answer_that_breaks_its_schema_is_told_with_the_place(package: ToolPackage) -> None:
    package.write("tool_schemas/out.json", '{"type": "object", "properties": {"status": {"enum": ["DONE"]}}}')
    package.declare(TOOLS.replace('"cmm")', '"cmm", output_schema_resource="tool_schemas/out.json")'))
    path = put(package, "http-claim", {"stCd": "1"})
    assert runs(package) == {path: "what the tool returned is no answer of it: /status: enum"}


def test_a_refusal_by_the_tool_is_an_answer_and_a_status_that_is_none_is_not_tried(package: ToolPackage) -> None:
    refused = put(package, "http-claim", {"stCd": "9"})
    put(package, "http-claim-2", {"request": {"clmNo": "x"}, "answer": {}, "status": 500})
    assert runs(package) == {refused: None}


def test_a_case_is_the_answer_to_the_first_call_and_others_answer_what_comes_after(package: ToolPackage) -> None:
    first = put(package, "http-claim", {"request": {"clmNo": "CLM1"}, "answer": {"stCd": "1", "nextKey": "page2"}})
    second = put(package, "http-claim-2", {"request": {"clmNo": "page2"}, "answer": {"stCd": "2"}})
    assert runs(package) == {first: None, second: None}


def test_a_tool_that_would_ask_without_end_is_stopped(package: ToolPackage) -> None:
    path = put(package, "http-claim", {"stCd": "1", "nextKey": "again"})
    assert runs(package) == {path: 'the tool asked the API "claim" more than 50 times'}


def test_a_case_that_cannot_be_used_is_told_and_one_that_is_no_json_is_left_to_the_rule(package: ToolPackage) -> None:
    path = put(package, "http-claim", {"request": [], "answer": {}})
    package.write(f"samples/{TOOL}/http-claim-2.json", "{")
    assert runs(package) == {path: "request has to be an object with the members that a request must have"}


def test_an_api_without_a_sample_is_named(package: ToolPackage) -> None:
    package.declare(
        TOOLS.replace(
            "        if answer.stCd",
            '        await self._client._http.call("code", request, Claim)\n        if answer.stCd',
        )
    )
    path = put(package, "http-claim", {"stCd": "1"})
    assert runs(package) == {path: 'the tool also asks the API "code", of which it has no sample (http-code.json)'}


def test_a_sample_of_an_api_that_is_not_asked_is_left_out(package: ToolPackage) -> None:
    put(package, "http-other", {"stCd": "1"})
    assert runs(package) == {}


def test_the_number_in_an_apis_name_is_none_of_a_sample(package: ToolPackage) -> None:
    package.declare(TOOLS.replace('API_NAME = "claim"', 'API_NAME = "claim-2"'))
    package.write("config/service.yaml", "glow: {communication: {http: {api-list: [{name: claim-2}]}}}")
    path = put(package, "http-claim-2", {"stCd": "1"})
    assert runs(package) == {path: None}


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("await asyncio.sleep(60)", "the tool took longer than 0.2 seconds"),
        ("raise SystemExit(3)", "SystemExit at {line}"),
        ("raise RuntimeError(answer.stCd)", "RuntimeError at {line}"),
        ('raise LegacyError("E1", answer.stCd)', "LegacyError E1 at {line}"),
        ("return None", "what the tool returned is no answer of it: NoneType instead of Found at {line}"),
        ("return answer", "what the tool returned is no answer of it: Claim instead of Found at {line}"),
    ],
)
def test_whatever_the_tool_does_is_told(package: ToolPackage, statement: str, said: str) -> None:
    head = "import asyncio\nfrom axhub.toolkit import LegacyError\n"
    package.declare(head + TOOLS.replace("        if answer.stCd", f"        {statement}\n        if answer.stCd"))
    path = put(package, "http-claim", {"stCd": "1"})
    one = 0.2 if "longer" in said else 20
    assert runs(package, one=one) == {path: said.format(line=line_of(package, statement))}


def test_a_tool_that_blocks_everything_is_left_behind(package: ToolPackage) -> None:
    package.declare(
        "import time\n" + TOOLS.replace("        if answer.stCd", "        time.sleep(8)\n        if answer.stCd")
    )
    path = put(package, "http-claim", {"stCd": "1"})
    began = time.monotonic()
    assert runs(package, all=0.5) == {
        path: "all samples together took longer than 0.5 seconds, and this one has not ended"
    }
    assert time.monotonic() - began < 7


def test_the_examples_of_the_fields_do_where_the_definition_has_none(package: ToolPackage) -> None:
    package.write(f"tool_definitions/cmm/{TOOL}.yml", definition_text())
    path = put(package, "http-claim", {"stCd": "1"})
    tool = inspected(package)
    assert (tool.sample_runs, tool.lacks_example) == ({}, True)
    text = (package.folder / PATH).read_text()
    (package.folder / PATH).write_text(text.replace('Desc("Claim number")', 'Desc("Claim number", example="CLM1")'))
    result = run_inspection(package.root, package.name, 30)
    assert result.imported is not None
    assert (result.imported[TOOL].sample_runs, result.imported[TOOL].lacks_example) == ({path: None}, False)


def test_an_example_that_the_tool_refuses_is_told_by_another_rule(package: ToolPackage) -> None:
    define(package)
    package.write(f"tool_definitions/cmm/{TOOL}.yml", definition_text(examples={"valid": [{"no": 1}]}))
    put(package, "http-claim", {"stCd": "1"})
    tool = inspected(package)
    assert (tool.sample_runs, tool.lacks_example) == ({}, False)


TOOL_OF_PORT = "cmm_port_search"
PORT = """
class Port(Protocol):
    async def find(self) -> str: ...

@tool(name="cmm_port_search", title="A", description="a.", category_key="cmm")
async def port_search(client: Client, port: Port, context: ToolContext) -> Found:
    await client.call(Body(clmNo=await port.find()), Claim)
    return Found(status="OPEN")
"""


def test_a_tool_that_needs_what_only_the_app_provides_is_not_run(package: ToolPackage) -> None:
    package.declare(TOOLS + PORT)
    package.write("app.py", "from axhub.toolkit import ToolService\napp = ToolService(1 / 0)")
    package.write("samples/cmm_port_search/http-claim.json", '{"stCd": "1"}')
    package.write(f"tool_definitions/cmm/{TOOL_OF_PORT}.yml", definition_text(name=TOOL_OF_PORT))
    tool = inspected(package, TOOL_OF_PORT)
    assert (tool.untried, tool.sample_runs) == ("provided", {})


CLOSED = """
from axhub.toolkit import EmployeeCipher, RepeatStore

@tool(name="cmm_self_search", title="A", description="a.", category_key="cmm")
async def self_search(client: Client, cipher: EmployeeCipher, store: RepeatStore, context: ToolContext) -> Found:
    number = await cipher.decrypt(context.employee)
    await client.call(Body(clmNo=number), Claim)
    return Found(status="OPEN")

class Pool:
    async def __aenter__(self): ...
    async def __aexit__(self, *_): ...

@tool(name="cmm_pool_search", title="A", description="a.", category_key="cmm")
async def pool_search(client: Client, pool: Pool) -> Found:
    await client.call(Body(clmNo=""), Claim)
    return Found(status="OPEN")
"""


def test_the_ports_of_the_toolkit_have_stand_ins_and_what_must_be_opened_is_not_run(package: ToolPackage) -> None:
    package.declare(TOOLS + CLOSED)
    for name in ("cmm_self_search", "cmm_pool_search"):
        package.write(f"samples/{name}/http-claim.json", '{"stCd": "1"}')
        package.write(f"tool_definitions/cmm/{name}.yml", definition_text(name=name))
    found = inspect_with_samples(package.root, package.name).imported
    assert found is not None
    path = f"src/{package.name}/samples/cmm_self_search/http-claim.json"
    assert (found["cmm_self_search"].sample_runs, found["cmm_pool_search"].sample_runs) == ({path: None}, {})
    assert found["cmm_pool_search"].untried == "opened"


def test_a_package_without_samples_or_that_cannot_be_imported_is_only_inspected(package: ToolPackage) -> None:
    tool = inspected(package)
    assert (tool.sample_runs, tool.lacks_example) == ({}, False)
    put(package, "http-claim", {"stCd": "1"})
    package.write("broken.py", "1 / 0")
    document = inspect_with_samples(package.root, package.name)
    assert (document.imported, document.problem is not None) == (None, True)


def test_a_sample_of_more_than_a_mebibyte_is_not_tried(package: ToolPackage) -> None:
    path = put(package, "http-claim", {"stCd": "1", "more": "x" * 1_048_576})
    assert runs(package) == {path: "it has more than 1 MiB, and is not tried; a few of its rows are enough"}


BEFORE = {
    "an error in the first line": ('STATES["no"]', 'KeyError "no" at {line}'),
    "a forgotten await": (
        "self._client.call(Body(clmNo=''), Claim).stCd",
        "the coroutine Client.call was never awaited at {line}",
    ),
    "an answer of another kind": (
        "return request",
        "what the tool returned is no answer of it: Request instead of Found at {line}",
    ),
    "a line that waits": ("await asyncio.sleep(9)", "the tool took longer than 0.2 seconds"),
}


@pytest.mark.parametrize(("statement", "said"), BEFORE.values(), ids=BEFORE)
def test_a_tool_that_fails_before_it_asks_for_anything_is_told_once(
    package: ToolPackage, statement: str, said: str
) -> None:
    first = "        answer = await self._client.call(Body(clmNo=request.claim_no), Claim)\n"
    package.declare("import asyncio\n" + TOOLS.replace(first, f"        {statement}\n{first}"))
    path = put(package, "http-claim", {"stCd": "1"})
    put(package, "http-claim-2", {"stCd": "2"})
    one = 0.2 if "longer" in said else 20
    assert runs(package, one=one) == {path: said.format(line=line_of(package, statement))}


def test_a_tool_that_blocks_longer_than_it_may_is_told(package: ToolPackage) -> None:
    package.declare(
        "import time\n" + TOOLS.replace("        answer = await", "        time.sleep(0.4)\n        answer = await", 1)
    )
    path = put(package, "http-claim", {"stCd": "1"})
    assert runs(package, one=0.2) == {path: "the tool took longer than 0.2 seconds"}


def test_a_coroutine_that_is_not_awaited_is_told_though_an_answer_comes_of_it(package: ToolPackage) -> None:
    forgotten = "self._client.call(Body(clmNo=request.claim_no), Claim)"
    package.declare(TOOLS.replace("        if answer.stCd", f"        {forgotten}\n        if answer.stCd"))
    path = put(package, "http-claim", {"stCd": "1"})
    line = line_of(package, f"        {forgotten}")
    assert runs(package) == {path: f"the coroutine Client.call was never awaited at {line}"}


def test_a_refusal_before_anything_is_asked_is_none_of_the_tools_faults(package: ToolPackage) -> None:
    package.declare(
        TOOLS.replace("        answer = await", '        raise Gone("없습니다.")\n        answer = await', 1)
    )
    put(package, "http-claim", {"stCd": "1"})
    assert runs(package) == {}


def test_a_request_that_no_sample_is_for_is_told_as_the_mock_would(package: ToolPackage) -> None:
    path = put(package, "http-claim", {"request": {"clmNo": "CLM1"}, "answer": {"stCd": "1", "nextKey": "page2"}})
    assert runs(package) == {path: 'the tool asks the API "claim" for what none of its samples is the answer to'}


def test_a_key_of_a_dictionary_is_data_and_stays_out(package: ToolPackage) -> None:
    text = TOOLS.replace("stCd: str\n    nextKey", "stCd: str\n    owners: dict[str, str] = {}\n    nextKey")
    kept = "class Kept(HttpBody):\n    by_owner: dict[str, int]\n\nSTATES ="
    text = text.replace("STATES =", kept, 1).replace(
        "        if answer.stCd", "        Kept(by_owner=answer.owners)\n        if answer.stCd"
    )
    package.declare(text)
    path = put(package, "http-claim", {"stCd": "1", "owners": {SECRET: "x"}})
    line = line_of(package, "Kept(by_owner")
    assert runs(package) == {path: f"Kept cannot be made: /by_owner/* int_parsing at {line}"}


RAISING = """
from pydantic import model_validator

class Asked(Input):
    claim_no: Annotated[str, Desc("청구번호")]

    @model_validator(mode="after")
    def _checked(self) -> "Asked":
        return {}["no"]

"""
ENTRY = "glow: {communication: {http: {api-list: [{name: claim, domain: http://a, method: %s, url: %s}]}}}"
UNSENT = 'the request to the API "claim" cannot be sent: '


@pytest.mark.req("toolkit/H1")
@pytest.mark.parametrize(
    ("method", "url", "said"),
    [
        ("GET", '"/claims/{no}"', "the API's url has {no}, and the request has no usable no"),
        ("GET", '"/claims/{clmNo}"', None),
        ("GET", "/claims", "more is an object or a list of lists, which no query holds"),
        ("POST", "/claims", None),
        ("GET", '"${CLAIM_URL}"', None),
    ],
)
def test_a_request_is_written_as_the_configuration_says(
    package: ToolPackage, method: str, url: str, said: str | None
) -> None:
    if url == "/claims":
        package.declare(TOOLS.replace("    clmNo: str\n", "    clmNo: str\n    more: dict[str, str] = {}\n", 1))
    package.write("config/service.yaml", ENTRY % (method, url))
    path = put(package, "http-claim", {"stCd": "1"})
    assert runs(package) == {path: None if said is None else UNSENT + said}


@pytest.mark.req("rule/TK405")
def test_a_request_model_that_raises_what_it_must_not_is_told_with_its_line(package: ToolPackage) -> None:
    define(package, examples={"valid": [{"claimNo": "CLM1"}], "invalid": [{"claimNo": "CLM2"}]})
    package.declare(
        TOOLS.replace("request: Request)", "request: Asked)").replace("class Body", f"{RAISING}class Body", 1)
    )
    put(package, "http-claim", {"stCd": "1"})
    found = inspected(package)
    said = f"{FAILED}KeyError at {line_of(package, 'return {}[')}"
    assert found.examples == {"valid/0": said, "invalid/0": said}
    assert (found.sample_runs, found.lacks_example) == ({}, False)
