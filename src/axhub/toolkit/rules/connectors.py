"""Who makes telegrams and HTTP bodies, and who passes them on: rules TK601 to TK603 (seed 003 §3, §9 and §10)."""

import re
from collections.abc import Iterator
from typing import Final

from axhub.toolkit.facts.following import Package, names_in
from axhub.toolkit.facts.service import Call, Facts, Function, Layer, Located, Module
from axhub.toolkit.rules.model import Breach, Message, Rule, Severity, Stage, Text

__all__ = ["RULES", "said_by_signatures", "side_of"]

_DTO: Final = frozenset({f"axhub.toolkit.{name}" for name in ("Input", "Output", "models.Input", "models.Output")})
_BODY: Final = frozenset({"axhub.toolkit.HttpBody", "axhub.toolkit.models.HttpBody", "pydantic.BaseModel"})
_LAYOUT: Final = re.compile(r"axhub\.toolkit\.mci\.(?:\w+\.)*Layout")
_RAW: Final = frozenset({"bytes", "bytearray", "memoryview"})
_OPEN: Final = frozenset({"dict", "object", "typing.Any", "typing.Mapping", "collections.abc.Mapping"})
_PLAIN: Final = frozenset(
    {
        *("str", "int", "float", "bool", "bytes", "list", "tuple", "set", "frozenset", "None", "type", "datetime.date"),
        *("datetime.datetime", "decimal.Decimal", "collections.abc.Sequence"),
    }
)
_NO_BODY: Final = ("Error", "Exception", "Enum", "Flag", "Protocol")
_MAKERS: Final = ("model_validate", "model_validate_json", "model_validate_strings", "model_construct")
_DIRECTED: Final = re.compile(r"(?:to|from)(?:_|[A-Z]).*")
_CAPITAL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


# --- TK601 -----------------------------------------------------------------------------------------------------------


def _assembled(facts: Facts) -> Iterator[Breach]:
    package = Package(facts)
    for module in facts.modules:
        if module.layer not in {Layer.USECASE, Layer.CLIENT, Layer.OTHER}:
            continue  # of models and bodies, rule/TK201 speaks
        for call in module.calls:
            name, _, maker = call.resolved.rpartition(".")
            body = name if maker in _MAKERS else call.resolved
            if package.layer_of(body) is Layer.IO and _is_body(package, body):
                variant = "client" if module.layer is Layer.CLIENT else "usecase"
                variant += _of_mci(body, package)
                if variant == "client" and maker in _MAKERS and _is_answer(call, body, package):
                    variant = "answer"
                category = module.part if module.layer is Layer.USECASE else "{category}"
                yield Breach(call.place, variant, {"body": body.rpartition(".")[2], "category": category})


def _is_answer(call: Call, body: str, package: Package) -> bool:
    """Say whether a body is what the function around a call returns, so that it is read out of an answer."""
    found = package.functions.get(call.function)
    return found is not None and found[0].returns.value == body


def _of_mci(class_name: str, package: Package) -> str:
    """Return the end of the names of messages about telegrams; empty for what is none."""
    found = package.classes.get(class_name)
    return "-mci" if (found is not None and found[1].is_mci) or _LAYOUT.fullmatch(class_name) else ""


def _is_body(package: Package, class_name: str) -> bool:
    return not any(base.endswith(_NO_BODY) for base in package.bases_of(class_name))


TK601: Final = Rule(
    id="TK601",
    severity=Severity.ERROR,
    stage=Stage.SOURCE,
    title=Text(
        "Telegrams and HTTP bodies are made in converters.",
        "전문과 HTTP 본문은 컨버터에서 만들어야 합니다.",
    ),
    why=Text(
        "A use case that puts a telegram together field by field has to change with every change of the legacy system, "
        "and nobody can test the conversion alone. Naming a class of io, as the type of an answer, is fine. Source: "
        "seed 003 §9.",
        "유스케이스에서 전문 필드를 하나씩 조립하면 레거시가 바뀔 때마다 고쳐야 하고 변환만 따로 시험할 수 없습니다. "
        "응답 타입으로 "
        "io 클래스를 적는 것은 괜찮습니다. 출처: 설계 가이드 003 §9.",
    ),
    messages={
        "usecase": Message(
            Text(
                "{body} is put together here, outside a converter.",
                "컨버터 밖에서 {body} 본문을 조립하고 있습니다.",
            ),
            Text(
                "Move it into a function of biz/{category}/converter, `def to_http_request(request: …) -> {body}`, and "
                "call that.",
                "biz/{category}/converter의 함수 `def to_http_request(request: …) -> {body}`로 옮기고 그 함수를 "
                "호출하십시오.",
            ),
        ),
        "client": Message(
            Text(
                "{body} is put together in a client.",
                "클라이언트에서 {body} 본문을 조립하고 있습니다.",
            ),
            Text(
                "Take it as a parameter, `request: {body}`, and make it in a converter of biz.",
                "`request: {body}` 매개변수로 받고, 본문은 biz의 컨버터에서 만드십시오.",
            ),
        ),
        "answer": Message(
            Text(
                "{body} is read out of an answer by hand.",
                "응답을 직접 읽어 {body} 모델을 만들고 있습니다.",
            ),
            Text(
                "Leave that to the `HttpClient`: `return await self._http.call(self.API_NAME, request, {body})`.",
                "`HttpClient`에 맡기십시오: `return await self._http.call(self.API_NAME, request, {body})`.",
            ),
        ),
        "usecase-mci": Message(
            Text(
                "The telegram {body} is put together here, outside a converter.",
                "컨버터 밖에서 {body} 전문을 조립하고 있습니다.",
            ),
            Text(
                "Move it into a function of biz/{category}/converter, `def to_mci_request(request: …) -> {body}`, and "
                "call that.",
                "biz/{category}/converter의 함수 `def to_mci_request(request: …) -> {body}`로 옮기고 그 함수를 "
                "호출하십시오.",
            ),
        ),
        "client-mci": Message(
            Text(
                "The telegram {body} is put together in a client.",
                "클라이언트에서 {body} 전문을 조립하고 있습니다.",
            ),
            Text(
                "Take it as a parameter, `request: {body}`, and make it in a converter of biz.",
                "`request: {body}` 매개변수로 받고, 전문은 biz의 컨버터에서 만드십시오.",
            ),
        ),
    },
    check=_assembled,
    bad="body = await self._client.search(ClaimSearchBody(clmNo=request.claim_no))",
    good="body = await self._client.search(to_search_body(request))",
)


# --- TK602 -----------------------------------------------------------------------------------------------------------


def _one_way(facts: Facts) -> Iterator[Breach]:
    package = Package(facts)
    converters = [module for module in facts.modules if module.layer is Layer.CONVERTER]
    ways = {module.path: {way for one in module.functions if (way := _way(one, package))} for module in converters}
    for module in converters:
        others = {way for one in converters if one is not module and one.part == module.part for way in ways[one.path]}
        if len(ways[module.path]) == 1 and not (len(others) == 1 and others != ways[module.path]):
            function = next(one for one in module.functions if _way(one, package))
            named = [name for one in function.parameters.values() for name in names_in(one.value)]
            named += names_in(function.returns.value)
            of = next((of for name in named if (of := _of_mci(name, package))), "")
            yield Breach(function.place, f"{_way(function, package)}{of}", {"name": function.name})
        for one in module.functions:
            if _way(one, package) and not one.name.startswith("_") and not _DIRECTED.fullmatch(one.name):
                yield Breach(one.place, "name", {"name": one.name, "better": _better(one)})


def _way(function: Function, package: Package) -> str:
    """Return `request` for what makes a body, `answer` for what makes a model of an agent, else nothing."""
    layers = {side_of(name, package) for name in names_in(function.returns.value)}
    return "request" if Layer.IO in layers else "answer" if Layer.DTO in layers else ""


def side_of(name: str, package: Package) -> Layer | None:
    """Return on which side of a converter a type is."""
    layer = package.layer_of(name)
    if layer in {Layer.DTO, Layer.IO}:
        return layer
    if name in _DTO:
        return Layer.DTO
    return Layer.IO if name in _BODY or _LAYOUT.fullmatch(name) else None


def _better(function: Function) -> str:
    made = [name.rpartition(".")[2] for name in names_in(function.returns.value)]
    last = next((name for name in reversed(made) if name[:1].isupper()), made[-1])
    return f"to_{_CAPITAL.sub('_', last).lower()}"


_ONE_WAY_WHY: Final = Text(
    "Who reads a converter finds both directions at one place, and knows from its names what goes where. Converters "
    "of one category may share the work: one module for requests, another for answers. Source: seed 003 §3 and §9.",
    "컨버터를 읽는 사람이 두 방향을 한곳에서 보고 이름만으로 변환 방향을 알 수 있어야 합니다. 한 분류 안에서 요청과 "
    "응답을 두 "
    "모듈로 나누어도 됩니다. 출처: 설계 가이드 003 §3, §9.",
)

_NO_ANSWER: Final = Text(
    "This converter makes requests for the legacy system ({name}), and nothing converts its answers.",
    "이 컨버터는 레거시 요청만 만들고({name}) 응답은 변환하지 않습니다.",
)
_NO_REQUEST: Final = Text(
    "This converter converts answers of the legacy system ({name}), and nothing makes its requests.",
    "이 컨버터는 레거시 응답만 변환하고({name}) 요청은 만들지 않습니다.",
)

TK602: Final = Rule(
    id="TK602",
    severity=Severity.WARNING,
    stage=Stage.SOURCE,
    title=Text(
        "A converter has both directions, and its functions are named to_… or from_….",
        "컨버터에는 두 방향이 모두 있고 함수 이름은 to_… 또는 from_…인 것이 좋습니다.",
    ),
    why=_ONE_WAY_WHY,
    messages={
        "request": Message(
            _NO_ANSWER,
            Text(
                "Add `def to_response(body: …) -> …`, which makes the model that agents see, and call it in the use "
                "case.",
                "에이전트용 모델을 만드는 `def to_response(body: …) -> …` 함수를 더하고 유스케이스에서 호출하십시오.",
            ),
        ),
        "request-mci": Message(
            _NO_ANSWER,
            Text(
                "Add `def to_response(telegram: …_O) -> …`, which makes the model that agents see, and call it in the "
                "use case.",
                "에이전트용 모델을 만드는 `def to_response(telegram: …_O) -> …` 함수를 더하고 유스케이스에서 "
                "호출하십시오.",
            ),
        ),
        "answer-mci": Message(
            _NO_REQUEST,
            Text(
                "Add `def to_mci_request(request: …) -> …_I`, which makes the telegram, and call it in the use case.",
                "전문을 만드는 `def to_mci_request(request: …) -> …_I` 함수를 더하고 유스케이스에서 호출하십시오.",
            ),
        ),
        "answer": Message(
            _NO_REQUEST,
            Text(
                "Add `def to_http_request(request: …) -> …`, which makes the body, and call it in the use case.",
                "본문을 만드는 `def to_http_request(request: …) -> …` 함수를 더하고 유스케이스에서 호출하십시오.",
            ),
        ),
        "name": Message(
            Text(
                "The name {name} does not say which way it converts.",
                "함수 이름 {name}에서 변환 방향을 알 수 없습니다.",
            ),
            Text("Call it {better}.", "이름을 {better}(으)로 바꾸십시오."),
        ),
    },
    check=_one_way,
    bad="def make_body(request: ClaimSearchRequest) -> ClaimSearchBody: ...",
    good="def to_search_body(request: ClaimSearchRequest) -> ClaimSearchBody: ...\n"
    "def to_search_response(body: ClaimListBody) -> ClaimSearchResponse: ...",
)


# --- TK603 -----------------------------------------------------------------------------------------------------------


def _foreign(facts: Facts) -> Iterator[Breach]:
    package = Package(facts)
    for module in facts.modules:
        for function in _methods(module, package):
            for name, parameter in function.parameters.items():
                for found in _not_of_io(parameter, package, module):
                    values = {"name": name, "type": found.rpartition(".")[2], "method": function.name}
                    yield Breach(parameter.place, "takes", values)
            yield from _returned(function, package, module)


def _methods(module: Module, package: Package) -> Iterator[Function]:
    """Yield what a client offers: async methods and functions without `_`."""
    for function in module.functions if module.layer is Layer.CLIENT else ():
        inner = function.qualified.removeprefix(f"{module.name}.").count(".")
        if (
            function.is_async
            and not function.name.startswith("_")
            and inner == (package.owner_of(function) is not None)
        ):
            yield function


def _not_of_io(annotation: Located[str], package: Package, module: Module) -> list[str]:
    """Return the first type that is a model of agents, of the other kind of clients, or may be anything."""
    names = names_in(annotation.value)
    return [
        name
        for name in names
        if side_of(name, package) is Layer.DTO or name in _OPEN or _is_of_others(name, package, module)
    ][:1]


def _is_of_others(name: str, package: Package, module: Module) -> bool:
    if module.is_mci:
        return name in _BODY or name in _RAW
    return bool(side_of(name, package) is Layer.IO and _of_mci(name, package))


def _returned(function: Function, package: Package, module: Module) -> Iterator[Breach]:
    values = {"method": function.name, "type": function.returns.value.rpartition(".")[2]}
    if not function.returns.value:
        yield Breach(function.place, "silent-mci" if module.is_mci else "silent", values)
    elif found := _not_of_io(function.returns, package, module):
        yield Breach(function.returns.place, "returns", {**values, "type": found[0].rpartition(".")[2]})
    elif (names := names_in(function.returns.value)) and names != ("None",) and set(names) <= _PLAIN:
        yield Breach(function.returns.place, "returns", values)


def said_by_signatures(module: Module, package: Package) -> frozenset[str]:
    """Return the types that TK603 speaks of in a client, so that their imports are not reported too."""
    annotations = [
        annotation
        for function in _methods(module, package)
        for annotation in (*function.parameters.values(), function.returns)
    ]
    return frozenset(name for annotation in annotations for name in _not_of_io(annotation, package, module))


_SILENT: Final = Text("{method} does not say what it returns.", "{method} 메서드에 반환 타입이 없습니다.")

TK603: Final = Rule(
    id="TK603",
    severity=Severity.ERROR,
    stage=Stage.SOURCE,
    title=Text(
        "A client takes and returns telegrams and HTTP bodies of its io.",
        "클라이언트는 io의 전문과 HTTP 본문만 주고받아야 합니다.",
    ),
    why=Text(
        "A client calls one system and converts nothing: bodies go in, bodies come out, and what a conversion needs is "
        "in one place. Plain values may be taken besides; a client that passes any body on, `call(request: HttpBody, "
        "response_type: type[A]) -> A`, is fine, and so is one that passes any Layout on. Source: seed 003 §9 and §10.",
        "클라이언트는 한 시스템을 호출할 뿐 변환하지 않습니다. 본문을 받아 본문을 돌려주므로 변환은 한곳에 모입니다. "
        "일반 값을 더 "
        "받아도 되며, 본문이나 Layout을 그대로 전달하는 `call(request: HttpBody, response_type: type[A]) -> A` 같은 "
        "클라이언트도 괜찮습니다. "
        "출처: 설계 가이드 003 §9, §10.",
    ),
    messages={
        "takes": Message(
            Text(
                "{method} takes {type} as {name}, which is no type of io.",
                "{method} 메서드가 매개변수 {name}(으)로 io 타입이 아닌 {type} 타입을 받습니다.",
            ),
            Text(
                "Take a class of this client's io instead, and make it in a converter of biz.",
                "이 클라이언트의 io 클래스를 받고, 그 본문은 biz의 컨버터에서 만드십시오.",
            ),
        ),
        "returns": Message(
            Text(
                "{method} returns {type}, which is no type of io.",
                "{method} 메서드가 io 타입이 아닌 {type} 타입을 돌려줍니다.",
            ),
            Text(
                "Return a class of this client's io, and convert it in a converter of biz.",
                "이 클라이언트의 io 클래스를 돌려주고 변환은 biz의 컨버터에서 하십시오.",
            ),
        ),
        "silent-mci": Message(
            _SILENT,
            Text(
                "Write the layout of this client's io after `->`, as in `-> CLCNNB00001_O`.",
                "`-> CLCNNB00001_O`처럼 이 클라이언트의 io 레이아웃을 `->` 뒤에 쓰십시오.",
            ),
        ),
        "silent": Message(
            _SILENT,
            Text(
                "Write the class of this client's io after `->`, as in `-> ClaimListBody`.",
                "`-> ClaimListBody`처럼 이 클라이언트의 io 클래스를 `->` 뒤에 쓰십시오.",
            ),
        ),
    },
    check=_foreign,
    bad="async def search(self, request: ClaimSearchRequest) -> dict[str, Any]: ...",
    good="async def search(self, request: ClaimSearchBody) -> ClaimListBody: ...",
)

RULES: Final = (TK601, TK602, TK603)
