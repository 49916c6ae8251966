"""What a call leads to, and what a name is, as annotations say."""

from pathlib import Path

import pytest

from axhub.toolkit.facts.following import HTTP, Package, names_in, text_in
from axhub.toolkit.facts.service import Layer
from axhub.toolkit.rules import api_names, budgets, configured, outside
from axhub.toolkit.rules.model import Rule
from support.telling import told
from support.toolkit_facts import call, facts, module
from support.written_service import CLIENT, USECASE, changed, facts_with

PROTOCOL = """\
from typing import Protocol
from axhub.toolkit import tool, tool_hint
from my_tools.infra.http.claim.client import ClaimClient
class ClaimUseCase(Protocol):
    @tool(name="cmm_claim_search", title="청구 조회", description="청구를 조회합니다.", category_key="cmm")
    async def search(self, request): ...
class Base:
    async def _ask(self, request):
        return await self._claims.search(request)
class ClaimUseCaseImpl(ClaimUseCase, Base):
    def __init__(self, claims: ClaimClient | None) -> None:
        self._claims: ClaimClient | None = claims
    async def search(self, request):
        return await self._ask(request)
"""
FUNCTIONS = """\
from axhub.toolkit import tool
from my_tools.infra.http.claim.client import ClaimClient
async def helper(client: ClaimClient):
    async def inner():
        return 1
    return await client.search(await inner())
@tool(name="cmm_claim_search", title="청구 조회", description="청구를 조회합니다.", category_key="cmm")
async def search(client: ClaimClient):
    return await helper(client)
"""
DATACLASS = """\
from dataclasses import dataclass
from axhub.toolkit import tool
from my_tools.infra.http.claim.client import ClaimClient
@dataclass
class ClaimUseCase:
    claims: ClaimClient
    limit: int = 3
    @tool(name="cmm_claim_search", title="청구 조회", description="청구를 조회합니다.", category_key="cmm")
    async def search(self):
        return await self.claims.search(1)
"""
IN_CALL = 'self._http.call(api="claim", request=request, response_type=ClaimAnswer)'


@pytest.mark.req("rule/TK615")
@pytest.mark.parametrize(
    "files",
    [
        {},
        {USECASE: PROTOCOL},
        {USECASE: FUNCTIONS},
        {USECASE: DATACLASS},
        changed(CLIENT, "self._http.call(self.API_NAME, request, ClaimAnswer)", IN_CALL),
        changed(CLIENT, "self.API_NAME", "ClaimClient.API_NAME"),
    ],
    ids=["class", "protocol", "functions", "dataclass", "keyword", "constant of the class"],
)
def test_a_tool_is_followed_to_the_apis_that_it_calls(files: dict[str, str], tmp_path: Path) -> None:
    found = facts_with(tmp_path, files)
    assert [Package(found).named_by(declared, HTTP) for declared in found.declared] == [("claim",)]


@pytest.mark.req("rule/TK615")
@pytest.mark.parametrize(
    "files",
    [
        {USECASE: PROTOCOL.replace("self._ask(request)", "self._other(request)")},
        {USECASE: FUNCTIONS.replace("client: ClaimClient", "client")},
        changed(CLIENT, "self.API_NAME", "name_of(request)"),
        changed(CLIENT, "http: HttpClient", "http"),
    ],
    ids=["another method", "no annotation", "a computed name", "no HttpClient"],
)
def test_what_annotations_do_not_say_is_not_guessed(files: dict[str, str], tmp_path: Path) -> None:
    found = facts_with(tmp_path, files)
    assert [Package(found).named_by(declared, HTTP) for declared in found.declared] == [()]


def test_code_that_calls_itself_and_classes_that_inherit_in_a_circle_come_to_an_end(tmp_path: Path) -> None:
    text = "class A(B):\n    def f(self):\n        x = x.f()\n        self.f()\nclass B(A): ...\n"
    package = Package(facts_with(tmp_path, {"odd.py": text}))
    function = package.functions["my_tools.odd.A.f"][0]
    assert package.bases_of("my_tools.odd.A") == {"my_tools.odd.A", "my_tools.odd.B"}
    assert package.type_of("x", function) == ""
    assert [one.name for one, _ in package.reached("self.f", function)] == ["f"]
    assert list(package.reached("self.g", function)) == []


def test_layers_are_those_of_the_packages_own_classes(tmp_path: Path) -> None:
    package = Package(facts_with(tmp_path, {}))
    assert package.layer_of("my_tools.infra.http.claim.io.ClaimBody") is Layer.IO
    assert package.layer_of("axhub.toolkit.HttpBody") is None


def test_names_and_texts_are_taken_out_of_source() -> None:
    assert names_in("list[a.b.Item] | None") == ("list", "a.b.Item", "None")
    assert [text_in(source) for source in ("'x'", "1", "x", "f(")] == ["x", None, None, None]


@pytest.mark.parametrize("rule", [*api_names.RULES, *budgets.RULES, *configured.RULES], ids=lambda rule: rule.id)
def test_without_a_configuration_nothing_is_said_about_it(rule: Rule) -> None:
    assert told(rule, facts(settings=None)) == ()


def test_an_argument_that_cannot_be_read_is_no_finding() -> None:
    (rule,) = [rule for rule in outside.RULES if rule.id == "TK703"]
    assert told(rule, facts(modules=(module(calls=(call("print", "f(", "*"),)),))) == ()
