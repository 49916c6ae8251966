"""What an author of a tool can get wrong: it is refused where it is declared or registered, with what to do."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

import pytest
from pydantic import AliasChoices, BaseModel, ConfigDict, Field, Json
from pydantic.json_schema import SkipJsonSchema
from typing_extensions import TypedDict

from axhub.agent import CallContext, Effect, FixedTools, RegistrationError, Tool, ToolArgs, ToolRegistry, ToolResult
from axhub.agent.domain.definition import ToolDefinition, check_definition
from axhub.agent.domain.errors import ArgumentsError
from axhub.agent.domain.identities import is_identity
from axhub.agent.testing import FakeActor

Context = CallContext[FakeActor]
NO_TOOLS: Any = "do_it"
NO_TOOL: Any = print


class Line(ToolArgs):
    sku: Annotated[str, Field(description="What.")]
    count: Annotated[int, Field(description="How many.")] = 1


class OpenLine(BaseModel):
    sku: Annotated[str, Field(description="What.")]


class LooseLine(Line):
    model_config = ConfigDict(extra="ignore")


class LaxLine(Line):
    model_config = ConfigDict(strict=False)


class ByName(ToolArgs):
    model_config = ConfigDict(validate_by_name=True, validate_by_alias=True)
    sku: Annotated[str, Field(description="What.", alias="SKU")]


class Typed(TypedDict):
    sku: str


@dataclass
class Data:
    sku: str


class Pair(NamedTuple):
    sku: str


class View(ToolResult):
    done: bool = True


def declared(args: Any, result: Any = View, **members: Any) -> type[Tool[Any, Any, FakeActor]]:
    """Declare a tool that reads."""

    async def run(self: Any, args: Any, context: Context) -> Any:
        return View()

    body = {"name": "do_it", "description": "Does.", "effect": Effect.READ, "run": run, **members}
    made: type[Tool[Any, Any, FakeActor]] = type(
        "DoIt", (Tool,), {**body, "__orig_bases__": (Tool[args, result, Any],)}
    )
    return made


def with_field(type_: Any, **more: Any) -> Any:
    """Return arguments with one field."""
    body = {"__annotations__": {"field": Annotated[type_, Field(description="It.", **more)]}, "__module__": __name__}
    return type("Args", (ToolArgs,), body)


@pytest.mark.req("agent/A7", "threat/T24")
@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda: with_field(OpenLine), "OpenLine is not closed and strict by itself; use a model that derives from"),
        (lambda: with_field(list[OpenLine]), "OpenLine is not closed and strict by itself"),
        (lambda: with_field(OpenLine | None), "OpenLine is not closed and strict by itself"),
        (lambda: with_field(tuple[Line, OpenLine]), "OpenLine is not closed and strict by itself"),
        (lambda: with_field(LooseLine), "LooseLine: its model_config must not change extra; leave extra='forbid'"),
        (lambda: LooseLine, "LooseLine: its model_config must not change extra"),
        (lambda: with_field(list[LaxLine]), "LaxLine: its model_config must not change strict; leave strict=True"),
        (lambda: with_field(int, strict=False), "Args.field: strict=False takes values of other types"),
        (lambda: with_field(dict[str, str]), "Args.field: a mapping takes any members; use a model that derives from"),
        (lambda: with_field(list[dict[str, int]]), "Args.field: a mapping takes any members"),
        (lambda: with_field(Any), "Args.field: Any and object take everything"),
        (lambda: with_field(list[object]), "Args.field: Any and object take everything"),
        (lambda: with_field(Json[int]), "Args.field: text that is JSON inside is shown to nobody"),
        (lambda: with_field(Typed), "Args.field: a TypedDict is not closed and strict by itself; use a model"),
        (lambda: with_field(Data), "Args.field: a dataclass is not closed and strict by itself"),
        (lambda: with_field(Pair), "Args.field: a named tuple is not closed and strict by itself"),
        (
            lambda: with_field(str, validation_alias=AliasChoices("field", "user_id")),
            "Args.field: AliasChoices and AliasPath take names that no schema shows; use one alias",
        ),
        (lambda: ByName, "ByName.sku: it is taken by its alias and by its name, and the schema shows one"),
        (lambda: with_field(SkipJsonSchema[str]), "Args.field: the schema does not show it, and it is taken"),
    ],
)  # fmt: skip
def test_arguments_that_take_more_than_is_shown(make: Callable[[], Any], problem: str) -> None:
    with pytest.raises(RegistrationError) as refused:
        declared(make())
    assert str(refused.value).startswith(f"DoIt: {problem}")


@pytest.mark.req("agent/A7", "agent/R1")
@pytest.mark.parametrize("type_", [Line, list[Line], Line | None, Annotated[str, Field(alias="orderNo")]])
def test_closed_models_in_models_are_taken(type_: Any) -> None:
    tool: Any = declared(with_field(type_))()
    assert ToolRegistry({"a": [tool]}).names == {"do_it"}


@pytest.mark.req("agent/A7", "agent/R1")
def test_a_model_in_a_model_is_as_strict_as_the_outer_one() -> None:
    tool: Any = declared(with_field(Line))()
    for odd in ({"sku": "a", "count": "7"}, {"sku": "a", "discount": 99}):
        with pytest.raises(ArgumentsError):
            tool.read({"field": odd})


async def _key(self: Any, args: Any, context: Context) -> str:
    return "k"


def _run(self: Any, args: Any, context: Context) -> View:
    return View()


async def _find(self: Any, args: Any) -> None:
    return None


async def _dict(self: Any, args: Any, context: Context) -> dict[str, Any]:
    return {}


@pytest.mark.req("agent/A5", "agent/I1")
@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda: declared(Line, key=_key), "key() is an async def; it only reads its arguments: use def"),
        (lambda: declared(Line, run=_run), "run() is no async def; the loop waits for it: use async def"),
        (lambda: declared(Line, find=_run), "find() is no async def; the loop waits for it: use async def"),
        (lambda: declared(Line, find=_find), "find() does not take the arguments and the context: use find(self, args"),
        (lambda: declared(Line, run=_dict), "run() returns dict; return a class that derives from ToolResult"),
        (lambda: declared(Line, effect="write"), "effect is 'write'; use Effect.READ or Effect.WRITE"),
        (lambda: declared(Line, audited="sku"), "audited is no set of names; use frozenset({...})"),
        (lambda: declared(Line, audited=["sku"]), "audited is no set of names; use frozenset({...})"),
        (lambda: declared(Line, description=None), "description is no text"),
        (lambda: declared(Line, timeout_seconds="1"), "timeout_seconds is '1'; a number is needed"),
        (lambda: declared(Line, identity_exceptions="owner"), "identity_exceptions is no mapping of texts; use {"),
        (lambda: declared(OpenLine), "its arguments, OpenLine, must derive from ToolArgs"),
        (lambda: declared(Line, OpenLine), "its result, OpenLine, must derive from ToolResult"),
        (lambda: type("DoIt", (Tool,), {"name": "do_it"}), "its types are not known; derive from Tool[Arguments,"),
        (lambda: declared(with_field(Callable[[], str])), "no schema can be made of Args"),
    ],
)  # fmt: skip
def test_a_class_that_cannot_work(make: Callable[[], Any], problem: str) -> None:
    with pytest.raises(RegistrationError) as refused:
        make()
    assert str(refused.value).startswith(f"DoIt: {problem}")


@pytest.mark.req("agent/A5")
@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda tool: ToolRegistry({"pay": [tool]}), "DoIt: this is the class; register an object of it: DoIt(...)"),
        (FixedTools, "DoIt: this is the class; register an object of it: DoIt(...)"),
        (lambda tool: ToolRegistry({"pay": tool()}), "capability 'pay': put its tools into a list, even if it is one"),
        (lambda _: ToolRegistry({"pay": NO_TOOLS}), "capability 'pay': put its tools into a list, even if it is one"),
        (lambda _: ToolRegistry({"pay": [NO_TOOL]}), "builtin_function_or_method: it is no tool; derive it from Tool["),
    ],
)
def test_what_is_no_tool_is_not_registered(make: Callable[[Any], Any], problem: str) -> None:
    with pytest.raises(RegistrationError) as refused:
        make(declared(Line))
    assert str(refused.value).startswith(problem)


@pytest.mark.req("agent/A5")
def test_an_effect_that_is_none_is_refused_in_a_definition_too() -> None:
    effect: Any = "write"
    with pytest.raises(RegistrationError, match=r"^tool 'do_it': its effect is 'write'; use Effect\.READ or Effect"):
        ToolDefinition("do_it", "Does.", {"type": "object"}, effect)


@pytest.mark.req("agent/A3", "agent/I1")
async def test_what_a_tool_returns_is_told_to_its_author() -> None:
    async def run(self: Any, args: Any, context: Context) -> Any:
        return {"ok": True}

    def key(self: Any, args: Any, context: Context) -> Any:
        return 5

    tool: Any = declared(Line, run=run, find=run, key=key)()
    context: Any = None
    with pytest.raises(TypeError, match=r"^do_it: run\(\) returned dict; a class that derives from ToolResult is"):
        await tool.call(None, context)
    with pytest.raises(TypeError, match=r"^do_it: find\(\) returned dict; a class that derives from ToolResult is"):
        await tool.outcome(None, context)
    with pytest.raises(TypeError, match=r"^do_it: key\(\) returned int; a str is needed$"):
        tool.key_of(None, context)


IDENTITIES = (
    *("user_id", "userId", "USER-ID", "user_no", "user_ids", "acting_user", "as_user", "on_behalf_of_someone", "uid"),
    *("customer", "customer_no", "customerno", "CustomerNumber", "member_id", "memberid", "owner_id", "ownerName"),
    *("emp_no", "empNo", "employee_number", "employeeNumber", "virtualEmployeeNo", "tenant_code", "tenantKey"),
    *("jwt", "bearer", "auth", "auth_token", "idToken", "mcp_session_id", "x_request_id", "requestId", "traceId"),
    *("idempotency", "idempotency_token", "business_key", "is_admin", "role_name", "approve", "is_approved", "login"),
    *("사번", "고객번호", "담당직원", "회원_번호", "사용자ID", "\u1109\u1161\u1107\u1165\u11ab", "\uff55ser"),
)
PLAIN = (
    *("users", "order_id", "orderNo", "amount", "key", "note", "request_date", "max_tokens", "author", "tokenizer"),
    *("custom", "membership", "pattern", "empty", "주문번호", "금액", "reason", "scope_note", "subjects"),
)


@pytest.mark.req("agent/A7", "input/B79")
@pytest.mark.parametrize("name", IDENTITIES)
def test_a_name_that_says_who_acts_is_known_by_its_words(name: str) -> None:
    assert is_identity(name)


@pytest.mark.req("agent/A7")
@pytest.mark.parametrize("name", PLAIN)
def test_a_name_that_only_looks_alike_is_plain(name: str) -> None:
    assert not is_identity(name)


def _with(exceptions: Mapping[str, Any], **properties: Any) -> ToolDefinition:
    parameters = {"type": "object", "properties": properties}
    return ToolDefinition("do_it", "Does.", parameters, Effect.READ, identity_exceptions=exceptions)


@pytest.mark.req("agent/A7")
def test_an_argument_that_is_none_is_named_with_the_reason() -> None:
    pet = {"type": "object", "properties": {"owner_name": {}}}
    check_definition(_with({"pet/owner_name": "whose pet is looked for; says nothing of who acts"}, pet=pet))
    for exceptions, problem in (
        ({}, "the argument /owner is decided by the server, never by a model"),
        ({"owner": " "}, "identity_exceptions has owner without the reason why a model may write it"),
        ({"owner": "A pet's.", "tenant": "Gone."}, "identity_exceptions has tenant, which is no argument that is"),
    ):
        with pytest.raises(RegistrationError) as refused:
            check_definition(_with(exceptions, owner={}))
        assert str(refused.value).startswith(f"tool 'do_it': {problem}")


@pytest.mark.req("agent/A7")
def test_an_exception_of_a_class_reaches_its_definition() -> None:
    class Search(ToolArgs):
        owner: Annotated[str, Field(description="Of the pet.")]

    tool: Any = declared(Search, identity_exceptions={"owner": "the pet's, a word to look for"})()
    ToolRegistry({"a": [tool]})
    with pytest.raises(RegistrationError):
        ToolRegistry({"a": [declared(Search)()]})
