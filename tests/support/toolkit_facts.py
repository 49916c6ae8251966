"""Facts about a Tool Service for tests of rules: a good one by default, and ways to change one thing in it.

The good service is that of seed 003: one tool that looks claims up through one HTTP API. Lines and columns are made up,
in the order in which the values would stand in a file, and the same in every run.
"""

import copy
from collections.abc import Iterable, Mapping
from typing import Any, Final

from axhub.toolkit.facts.service import (
    Api,
    Call,
    Class,
    Declared,
    Definition,
    Facts,
    Field,
    Function,
    Import,
    Imported,
    Kind,
    Layer,
    Literal,
    Located,
    Module,
    Place,
    Project,
    Resource,
    Settings,
    Shape,
)
from support.yaml_places import drop, places_of, put

PACKAGE: Final = "my_tools"
FOLDER: Final = f"src/{PACKAGE}"
TOOL: Final = "cmm_claim_search"
USECASE: Final = f"{FOLDER}/biz/cmm/usecase.py"
DTO: Final = f"{FOLDER}/biz/cmm/dto.py"
CONVERTER: Final = f"{FOLDER}/biz/cmm/converter.py"
CLIENT: Final = f"{FOLDER}/infra/http/insurance/client.py"
BODIES: Final = f"{FOLDER}/infra/http/insurance/io.py"
CONFIG: Final = f"{FOLDER}/config/service.yaml"
YAML: Final = f"{FOLDER}/tool_definitions/cmm/{TOOL}.yml"

_SERVICE_DOMAIN: Final = "${AXHUB_INSURANCE_HTTP_DOMAIN:http://localhost:${server.port}}"

ARGUMENTS: Final[Mapping[str, Any]] = {
    "name": TOOL,
    "title": "보험금 청구 상태 조회",
    "description": "청구번호 또는 계약번호로 보험금 청구 상태를 조회합니다.",
    "register": True,
    "category_key": "cmm",
    "mapping_id": "CLCNNB00001",
}
"""What the good tool's decorators say."""

INPUT_SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {"claimNo": {"type": "string", "description": "조회할 보험금 청구번호"}},
    "required": ["claimNo"],
    "additionalProperties": False,
}
OUTPUT_SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {
        "status": {"type": "string", "enum": ["RECEIVED", "PAID", "REJECTED"], "description": "청구 상태 코드"},
        "statusLabel": {"type": "string", "description": "청구 상태의 이름"},
    },
    "required": ["status", "statusLabel"],
    "additionalProperties": False,
}

VALUES: Final[Mapping[str, Any]] = {
    "name": TOOL,
    "display_name": "보험금 청구 상태 조회",
    "version": "1.0.0",
    "category_key": "cmm",
    "description": {
        "function": "청구번호 또는 계약번호를 기준으로 청구 상태와 심사 결과를 조회한다.",
        "when_to_use": "기존 청구 건의 진행 상태나 지급 결과를 확인할 때 사용한다.",
        "when_not_to_use": "신규 보험금 청구 접수나 기존 청구 변경에는 사용하지 않는다.",
        "io_limits": "청구번호 또는 계약번호 중 하나 이상이 필요하며 조회 기능만 제공한다.",
    },
    "display_description": "보험금 청구 상태와 심사 결과를 조회합니다.",
    "example_queries": [
        "내 보험금 청구가 어디까지 진행됐는지 알려줘",
        "계약번호로 최근 청구 상태를 확인해줘",
        "청구 심사 결과가 나왔는지 조회해줘",
    ],
    "read_only": True,
    "destructive": False,
    "idempotent": True,
    "parameters_schema": INPUT_SCHEMA,
    "tags": ["보험금", "청구조회"],
    "legacy_interface_id": "CLCNNB00001",
    "required_env_keys": [],
    "owner_org": "MCP_TOOL",
    "signoff": ["texts", "schema", "answer", "privacy"],
}
"""What the good tool's definition says."""


def place(file: str = USECASE, line: int = 1, column: int = 1) -> Place:
    """Return a place."""
    return Place(file, line, column)


def located(value: Any, file: str = USECASE, line: int = 1, column: int = 1) -> Located[Any]:
    """Return a value with its place."""
    return Located(value, Place(file, line, column))


def declared(
    name: Any = TOOL,
    *,
    module: str = USECASE,
    function: str = f"{PACKAGE}.biz.cmm.usecase.ClaimUseCase.search_claim",
    line: int = 10,
    without: Iterable[str] = (),
    computed: Iterable[str] = (),
    is_async: bool = True,
    decorated_by: Iterable[str] = ("tool", "tool_hint"),
    **arguments: Any,
) -> Declared:
    """Return the good declaration with other arguments, one a line below the decorator's line."""
    given = {**ARGUMENTS, "name": name, **arguments}
    places = {argument: Place(module, line + 1 + at, 10) for at, argument in enumerate(given)}
    left_out = {*without, *computed}
    return Declared(
        place=Place(module, line, 6),
        function=function,
        module=module,
        arguments={key: Located(value, places[key]) for key, value in given.items() if key not in left_out},
        computed={key: places.get(key, Place(module, line + 1, 10)) for key in computed},
        is_async=is_async,
        decorated_by=frozenset(decorated_by),
    )


def definition(
    name: Any = TOOL,
    *,
    category: str = "cmm",
    stem: str | None = None,
    at: Mapping[str, Any] | None = None,
    without: Iterable[str] = (),
    problem: str | None = None,
    duplicates: Iterable[str] = (),
    **changes: Any,
) -> Definition:
    """Return the good definition with other values.

    Args:
        name: its `name`, and its file name unless `stem` is given.
        category: its folder.
        stem: its file name.
        at: values by JSON pointer: `{"/description/function": ""}`.
        without: JSON pointers that are left out.
        problem: why it cannot be read; it says nothing then.
        duplicates: JSON pointers of keys that stand a second time, at line 90 and the following.
        changes: values by their name at the top.
    """
    stem = str(name) if stem is None else stem
    path = f"{FOLDER}/tool_definitions/{category}/{stem}.yml"
    if problem is not None:
        return Definition(path, category, stem, problem=Located(problem, Place(path, 3, 5)))
    values = copy.deepcopy({**VALUES, "name": name, **changes})
    for pointer, value in (at or {}).items():
        put(values, pointer, value)
    for pointer in without:
        drop(values, pointer)
    again = tuple(Located(pointer, Place(path, 90 + line, 1)) for line, pointer in enumerate(duplicates))
    return Definition(path, category, stem, values=values, duplicates=again, places=places_of(values, path))


def module(path: str = USECASE, **changes: Any) -> Module:
    """Return a module; its name, layer and part follow from its path."""
    name = path.removeprefix("src/").removesuffix(".py").replace("/", ".").removesuffix(".__init__")
    layer, part = _layer(name.split("."))
    return Module(**{"path": path, "name": name, "layer": layer, "part": part, **changes})


def imports(target: str, name: str = "", *, path: str = USECASE, line: int = 3, local: str = "") -> Import:
    """Return one import: `imports("a.b", "c")` is `from a.b import c`."""
    return Import(target, name, Place(path, line, 1), local or name or target)


def call(callee: str, *arguments: str, path: str = USECASE, line: int = 20, **changes: Any) -> Call:
    """Return one call; `resolved=`, `function=`, `keywords=` as needed."""
    defaults = {"resolved": callee, "function": "", "keywords": {}}
    return Call(**{"callee": callee, "arguments": arguments, "place": Place(path, line, 9), **defaults, **changes})


def literal(value: str | float, name: str = "", *, path: str = USECASE, line: int = 20) -> Literal:
    """Return one literal."""
    return Literal(value, name, Place(path, line, 9))


def class_(
    name: str,
    *bases: str,
    path: str = USECASE,
    line: int = 5,
    constants: Mapping[str, str] | None = None,
    annotations: Mapping[str, str] | None = None,
    **changes: Any,
) -> Class:
    """Return a class of the module at `path`; its constants and annotations stand one a line below it."""
    at = module(path).name
    within = {
        key: Located(text, Place(path, line + 1 + n, 16)) for n, (key, text) in enumerate((constants or {}).items())
    }
    hints = {
        key: Located(text, Place(path, line + 1 + n, 9)) for n, (key, text) in enumerate((annotations or {}).items())
    }
    defaults: dict[str, Any] = {"qualified": f"{at}.{name}", "decorators": (), "methods": ()}
    given = {"name": name, "bases": bases, "constants": within, "annotations": hints, "place": Place(path, line, 1)}
    return Class(**{**given, **defaults, **changes})


def function(
    qualified: str, parameters: Mapping[str, str] | None = None, *, path: str = USECASE, line: int = 8, **changes: Any
) -> Function:
    """Return a function; `parameters` are names with resolved annotations, all on its line."""
    given = {
        key: Located(text, Place(path, line, 20 + 10 * n)) for n, (key, text) in enumerate((parameters or {}).items())
    }
    defaults: dict[str, Any] = {"returns": Located("", Place(path, line, 1)), "is_async": True}
    base = {"name": qualified.rpartition(".")[2], "qualified": qualified, "parameters": given}
    return Function(**{**base, "place": Place(path, line, 5), **defaults, **changes})


def modules() -> tuple[Module, ...]:
    """Return the good service's modules: models, converter, use case, client and bodies."""
    models = (
        class_("ClaimSearchRequest", "axhub.toolkit.Input", path=DTO),
        class_("ClaimSearchResponse", "axhub.toolkit.Output", path=DTO, line=12),
    )
    return (module(DTO, classes=models), module(CONVERTER), usecase_module(), client_module(), module(BODIES))


def usecase_module(**changes: Any) -> Module:
    """Return the good use case: a protocol with the declaration, and the class that implements it."""
    biz, client = f"{PACKAGE}.biz.cmm", f"{PACKAGE}.infra.http.insurance.client"
    usecase, impl = f"{biz}.usecase.ClaimUseCase", f"{biz}.usecase.ClaimUseCaseImpl"
    asked = {"self": "", "request": f"{biz}.dto.ClaimSearchRequest"}
    given: dict[str, Any] = {
        "imports": (imports(client, "InsuranceClient"),),
        "classes": (
            class_("ClaimUseCase", "typing.Protocol", methods=("search_claim",)),
            class_("ClaimUseCaseImpl", usecase, line=30, methods=("__init__", "search_claim")),
        ),
        "functions": (
            function(f"{usecase}.search_claim", asked, line=18),
            function(f"{impl}.__init__", {"self": "", "client": f"{client}.InsuranceClient"}, line=31),
            function(f"{impl}.search_claim", {"self": "", "request": ""}, line=34),
        ),
    }
    return module(USECASE, **{**given, **changes})


def client_module(**changes: Any) -> Module:
    """Return the good client of the API `insurance`."""
    client = f"{PACKAGE}.infra.http.insurance.client.InsuranceClient"
    built, called = {"self": "", "http": "axhub.toolkit.HttpClient"}, {"self": "", "request": "axhub.toolkit.HttpBody"}
    api_name = {"API_NAME": "insurance"}
    given: dict[str, Any] = {
        "imports": (imports("axhub.toolkit", "HttpClient", path=CLIENT),),
        "classes": (class_("InsuranceClient", path=CLIENT, constants=api_name, methods=("__init__", "call")),),
        "functions": (
            function(f"{client}.__init__", built, path=CLIENT),
            function(f"{client}.call", called, path=CLIENT),
        ),
    }
    return module(CLIENT, **{**given, **changes})


def api(name: str = "insurance", *, line: int = 10, environment: Iterable[str] | None = None, **values: Any) -> Api:
    """Return one entry of the api list; `values` with `-` written as `_`: `content_type="application/json"`."""
    written = {
        "domain": _SERVICE_DOMAIN,
        "url": "${AXHUB_INSURANCE_HTTP_URL:/api/mock/http/ins_insurance_processor}",
        "method": "POST",
        "content-type": "application/json;charset=UTF-8",
        "biz-pod": False,
        **{key.replace("_", "-"): value for key, value in values.items()},
    }
    read = ("AXHUB_INSURANCE_HTTP_DOMAIN", "AXHUB_INSURANCE_HTTP_URL") if environment is None else tuple(environment)
    return Api(
        name=Located(name, Place(CONFIG, line, 17)),
        values={
            key: Located(value, Place(CONFIG, line + 1 + at, 17)) for at, (key, value) in enumerate(written.items())
        },
        environment={key: Place(CONFIG, line + 1, 17) for key in read},
        connect_millis=1000,
        read_millis=3000,
        total_millis=5000,
    )


def settings(**changes: Any) -> Settings:
    """Return the good service's configuration."""
    given = {"path": CONFIG, "bundle_id": "insurance-tools", "apis": (api(),), "namespace_place": Place(CONFIG, 3, 14)}
    return Settings(**{**given, **changes})


def field(pointer: str = "/status", **changes: Any) -> Field:
    """Return one field; a required text with a description by default."""
    given = {
        "pointer": pointer,
        "name": pointer.rpartition("/")[2],
        "model": f"{PACKAGE}.biz.cmm.dto.ClaimSearchResponse",
        "place": Place(DTO, 13, 5),
        "shape": Shape.TEXT,
        "description": "설명",
    }
    return Field(**{**given, **changes})


def imported(name: str = TOOL, **changes: Any) -> Imported:
    """Return what the good tool's models are."""
    dto = f"{PACKAGE}.biz.cmm.dto"
    request = f"{dto}.ClaimSearchRequest"
    given = {
        "name": name,
        "input_schema": INPUT_SCHEMA,
        "input_kind": Kind.MODEL,
        "model_schema": INPUT_SCHEMA,
        "output_schema": OUTPUT_SCHEMA,
        "output_kind": Kind.MODEL,
        "answer_schema": OUTPUT_SCHEMA,
        "request": request,
        "response": f"{dto}.ClaimSearchResponse",
        "inputs": (field("/claimNo", model=request, place=Place(DTO, 6, 5), description="조회할 보험금 청구번호"),),
        "outputs": (
            field("/status", shape=Shape.CODE, description="청구 상태 코드"),
            field("/statusLabel", place=Place(DTO, 14, 5), description="청구 상태의 이름"),
        ),
        "examples": {"valid/0": None, "invalid/0": "claimNo: this argument is needed"},
    }
    return Imported(**{**given, **changes})


def resource(name: str, schema: Any = INPUT_SCHEMA, **changes: Any) -> Resource:
    """Return a file below `tool_schemas/`: `resource("cmm/claim-input-schema.json")`."""
    return Resource(**{"path": f"{FOLDER}/tool_schemas/{name}", "schema": schema, **changes})


def project(**changes: Any) -> Project:
    """Return the good project."""
    given = {
        "package": PACKAGE,
        "folder": FOLDER,
        "categories": ("cmm", "ins"),
        "owners": ("MCP_TOOL",),
        "version": "1.0.0",
    }
    return Project(**{**given, **changes})


def facts(*parts: Declared | Definition, **changes: Any) -> Facts:
    """Return the facts of the good service; `parts` replace its declarations and definitions, kind by kind."""
    given: dict[str, Any] = {
        "project": project(),
        "modules": modules(),
        "declared": (declared(),),
        "definitions": (definition(),),
        "samples": {TOOL: (f"{FOLDER}/samples/{TOOL}/http-insurance.json",)},
        "settings": settings(),
        "imported": {TOOL: imported()},
    }
    for key, kind in (("declared", Declared), ("definitions", Definition)):
        if chosen := tuple(part for part in parts if isinstance(part, kind)):
            given[key] = chosen
    return Facts(**{**given, **changes})


def _layer(parts: list[str]) -> tuple[Layer, str]:
    match parts:
        case [_, "biz", category, ("dto" | "converter" | "usecase") as layer, *_]:
            return Layer(layer), category
        case [_, "infra", "http" | "mci", name, "client", *_]:
            return Layer.CLIENT, name
        case [_, "infra", "http" | "mci", name, "io", *_]:
            return Layer.IO, name
        case _:
            return Layer.OTHER, ""
