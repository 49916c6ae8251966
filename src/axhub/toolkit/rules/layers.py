"""Which layer may know which: rule TK201 (seed 003 §1.2 and §3, decision/D19)."""

from collections.abc import Iterator
from typing import Final

from axhub.toolkit.facts.following import Package, names_in
from axhub.toolkit.facts.service import Facts, Import, Layer, Module, Place
from axhub.toolkit.rules.connectors import said_by_signatures
from axhub.toolkit.rules.model import Breach, Message, Rule, Severity, Stage, Text
from axhub.toolkit.rules.telling.authored import in_both

__all__ = ["RULES"]

_FORBIDDEN: Final[dict[Layer, frozenset[Layer]]] = {
    Layer.DTO: frozenset({Layer.CONVERTER, Layer.USECASE, Layer.CLIENT, Layer.ENVELOPE, Layer.IO}),
    Layer.CONVERTER: frozenset({Layer.USECASE, Layer.CLIENT, Layer.ENVELOPE}),
    Layer.CLIENT: frozenset({Layer.DTO, Layer.CONVERTER, Layer.USECASE}),
    Layer.ENVELOPE: frozenset({Layer.DTO, Layer.CONVERTER, Layer.USECASE, Layer.CLIENT}),
    Layer.IO: frozenset({Layer.DTO, Layer.CONVERTER, Layer.USECASE, Layer.CLIENT, Layer.ENVELOPE}),
}
"""What a layer must not import; use cases see all others."""
_CONTEXT: Final = frozenset(
    {f"axhub.toolkit.{name}" for name in ("ToolContext", "context.ToolContext", "context.current_context")}
)
_PROTOCOLS: Final = frozenset({"typing.Protocol", "typing_extensions.Protocol", "abc.ABC"})
_LAYERS: Final[dict[Layer, Text]] = {
    Layer.DTO: Text("a model of what agents see (dto)", "에이전트용 모델(dto)"),
    Layer.CONVERTER: Text("a converter", "컨버터(converter)"),
    Layer.USECASE: Text("a use case", "유스케이스(usecase)"),
    Layer.CLIENT: Text("a client", "클라이언트(client)"),
    Layer.ENVELOPE: Text("an envelope of telegrams (envelope)", "전문 봉투(envelope)"),
    Layer.IO: Text("a telegram or HTTP body (io)", "전문·HTTP 본문(io)"),
}
_MAX_HOPS: Final = 8  # a name may be passed on by one package after another, and in a circle


def _directions(facts: Facts) -> Iterator[Breach]:
    package, modules = Package(facts), {module.name: module for module in facts.modules}
    for module in facts.modules:
        forbidden = _FORBIDDEN.get(module.layer)
        if forbidden is None:
            yield from _ports(facts, module, package)
            continue
        signatures = said_by_signatures(module, package)
        for one in module.imports:
            target, name = _target(one, modules)
            if target is not None and target.layer in forbidden and name not in signatures:
                yield _breach(module, target, name, one.place)
        yield from _with_context(module)


def _breach(module: Module, target: Module, name: str, place: Place) -> Breach:
    said = {**in_both("layer", _LAYERS[module.layer]), **in_both("other", _LAYERS[target.layer])}
    return Breach(place, module.layer.value, {"name": name, "part": module.part, **said})


def _target(one: Import, modules: dict[str, Module]) -> tuple[Module | None, str]:
    """Return the module that an import gets something from, wherever it is passed on, and what that is called."""
    module, name = one.module, one.name
    for _ in range(_MAX_HOPS):
        full = f"{module}.{name}" if name and name != "*" else module
        if full in modules:
            return modules[full], full
        found = modules.get(module)
        passed = [other for other in found.imports if other.local == name and other.name] if found is not None else []
        if not passed:
            return found, full
        module, name = passed[0].module, passed[0].name
    return None, ""


def _with_context(module: Module) -> Iterator[Breach]:
    """Find the context of a call where only plain values may be."""
    said, variant = {**in_both("layer", _LAYERS[module.layer])}, "context-mci" if module.is_mci else "context"
    imported = [one for one in module.imports if f"{one.module}.{one.name}" in _CONTEXT]
    for one in imported:
        yield Breach(one.place, variant, {"name": one.name, **said})
    for function in module.functions if not imported else ():
        for parameter in function.parameters.values():
            if not _CONTEXT.isdisjoint(names_in(parameter.value)):
                yield Breach(parameter.place, variant, {"name": "ToolContext", **said})


def _ports(facts: Facts, module: Module, package: Package) -> Iterator[Breach]:
    """Find the context in an application port: a protocol that declares no tool."""
    declared = {one.function.rpartition(".")[0] for one in facts.declared}
    for function in module.functions:
        owner = package.owner_of(function)
        if owner is None or owner.qualified in declared or _PROTOCOLS.isdisjoint(owner.bases):
            continue
        for parameter in function.parameters.values():
            if not _CONTEXT.isdisjoint(names_in(parameter.value)):
                yield Breach(parameter.place, "port", {"port": owner.name, "method": function.name})


_PROBLEM: Final = Text(
    "{name} is {other}, and {layer} may not import it.",
    "{name} 항목은 {other_ko}입니다. {layer_ko}에서는 가져올(import) 수 없습니다.",
)

_CONTEXT_USED: Final = Text(
    "{name} belongs to the use case, and here it is used in {layer}.",
    "{name} 값은 유스케이스까지만 전달할 수 있는데 {layer_ko}에서 쓰고 있습니다.",
)

TK201: Final = Rule(
    id="TK201",
    severity=Severity.ERROR,
    stage=Stage.SOURCE,
    title=Text(
        "Only converters and use cases see both what agents see and what legacy systems speak.",
        "에이전트용 모델과 레거시 전문을 함께 아는 곳은 컨버터와 유스케이스뿐이어야 합니다.",
    ),
    why=Text(
        "dto imports nothing of converter, usecase, client and io; converter imports dto and io; client imports io, "
        "and in MCI its envelope, which imports io; io imports nothing of the others; usecase puts them together. "
        "Then a change of a legacy system ends in one converter. ToolContext ends at the use case: what else needs "
        "something of it gets a plain value. Source: seed 003 §1.2 and §3, decision D19.",
        "dto는 converter, usecase, client, io를 가져오지 않고, converter는 dto와 io만, client는 io와 "
        "MCI 봉투(envelope)만, envelope는 io만 가져오며, io는 다른 계층을 가져오지 않습니다. usecase가 이들을 "
        "조합합니다. 그래야 레거시가 바뀌어도 컨버터 하나만 고칩니다. "
        "ToolContext는 "
        "유스케이스까지만 전달하고, 다른 곳에는 필요한 값만 넘깁니다. 출처: 설계 가이드 003 §1.2, §3, 결정 D19.",
    ),
    messages={
        "dto": Message(
            _PROBLEM,
            Text(
                "Remove the import. Declare what an agent sees in plain fields, and convert in biz/{part}/converter.",
                "import를 지우십시오. 에이전트가 보는 값은 일반 필드로 선언하고 변환은 biz/{part}/converter에 "
                "두십시오.",
            ),
        ),
        "converter": Message(
            _PROBLEM,
            Text(
                "Remove the import. Let the use case do the call, and give the converter what was answered.",
                "import를 지우십시오. 호출은 유스케이스가 하고 컨버터에는 응답을 넘기십시오.",
            ),
        ),
        "client": Message(
            _PROBLEM,
            Text(
                "Remove the import. A client takes and returns bodies of its io; a converter in biz makes them.",
                "import를 지우십시오. 클라이언트는 io의 본문만 주고받고, 본문은 biz의 컨버터가 만듭니다.",
            ),
        ),
        "io": Message(
            _PROBLEM,
            Text(
                "Remove the import. Declare the fields as the legacy system has them; a converter in biz does the "
                "rest.",
                "import를 지우십시오. 필드는 레거시 시스템 그대로 선언하고, 나머지는 biz의 컨버터에 두십시오.",
            ),
        ),
        "envelope": Message(
            _PROBLEM,
            Text(
                "Remove the import. An envelope fills headers from the MciCall that it is given, and knows no data.",
                "import를 지우십시오. 봉투는 받은 MciCall로 헤더만 채우고 데이터부는 모릅니다.",
            ),
        ),
        "context-mci": Message(
            _CONTEXT_USED,
            Text(
                "Trace id, request id and encrypted employee number are in the MciCall that the envelope's `head` is "
                "given; for anything else take a plain value, and let the use case pass it.",
                "trace-id, request-id, 암호화 사번은 봉투의 `head` 함수가 받는 MciCall에 있습니다. 그 밖의 값은 일반 "
                "값으로 받고 유스케이스가 넘기게 하십시오.",
            ),
        ),
        "context": Message(
            _CONTEXT_USED,
            Text(
                "Take a plain value instead, such as `trace_id: str`, and let the use case pass it. The headers of a "
                "call are sent along by the HttpClient.",
                "대신 `trace_id: str` 같은 값을 받고 유스케이스가 넘기게 하십시오. 호출 헤더는 HttpClient가 함께 "
                "보냅니다.",
            ),
        ),
        "port": Message(
            Text(
                "The port {port} takes ToolContext in its method {method}; it belongs to the use case.",
                "포트 {port}의 메서드 {method}에서 ToolContext를 받고 있습니다. ToolContext는 유스케이스까지만 전달할 "
                "수 있습니다.",
            ),
            Text(
                "Take the plain values that it needs, such as `trace_id: str`, and let the use case pass them.",
                "필요한 값만 `trace_id: str`처럼 받고 유스케이스가 넘기게 하십시오.",
            ),
        ),
    },
    check=_directions,
    bad="# biz/cmm/dto/claim.py\nfrom my_tools.infra.http.claim.io import ClaimRow",
    good="# biz/cmm/converter/claim.py\nfrom my_tools.infra.http.claim.io import ClaimRow",
)

RULES: Final = (TK201,)
