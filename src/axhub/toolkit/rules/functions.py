"""Which functions are tools, and whether they can run: rules TK202 and TK203 (seed 003 §3, toolkit/T1)."""

import re
from collections.abc import Iterator
from typing import Final

from axhub.toolkit.facts.following import Package, text_in
from axhub.toolkit.facts.service import Declared, Facts, Function, Layer, Place, Unusable
from axhub.toolkit.rules.declarations import NEEDED, TAKES
from axhub.toolkit.rules.model import Breach, Message, Rule, Severity, Stage, Text
from axhub.toolkit.rules.telegrams import refused_layouts, refused_telegram
from axhub.toolkit.rules.telling.authored import quoted
from axhub.toolkit.rules.telling.unusable import MESSAGES, SAID_BY_OTHER_RULES, WIRING

__all__ = ["RULES", "fails_the_import", "implementing", "refused_awaits"]

_FROM_SOURCE: Final = {
    "not-async": ("sync",),
    "replaced": ("twice",),
    "repeated": ("again", "hints"),
    "contradiction": ("differ",),
}
"""What the import shows again of what the source has shown."""
_NOT_ASYNC: Final = re.compile(r"outside async|outside of an async")
"""What Python says about `await` in a function that is not async."""
_POSITIONAL: Final = "positional argument"
"""What Python says about an argument without its name."""
_TWO: Final = 2
_SERVICES: Final = frozenset({"axhub.toolkit.ToolService", "axhub.toolkit.service.app.ToolService"})
_MODELS: Final = frozenset({"not-input", "not-output"})
"""What is wrong with the class of a request or an answer, not with the tool."""
_NO_TOOLS: Final = frozenset({Layer.DTO, Layer.CONVERTER, Layer.CLIENT, Layer.ENVELOPE, Layer.IO})


def fails_the_import(facts: Facts, cause: str) -> bool:
    """Say whether Python refuses the package for a reason that TK001, TK202, TK211, TK517 or TK604 tells better."""
    sync = any(not declared.is_async for declared in facts.declared)
    if _NOT_ASYNC.search(cause) and (sync or next(refused_awaits(facts), None) is not None):
        return True
    if refused_layouts(facts, cause) or refused_telegram(facts, cause) is not None:
        return True
    return any(_is_refused(declared, cause) for declared in facts.declared)


def refused_awaits(facts: Facts) -> Iterator[Function]:
    """Yield the functions that await something without being async."""
    return (found for module in facts.modules for found in module.functions if found.awaits)


def implementing(facts: Facts) -> dict[str, Declared]:
    """Return what is declared by the names of the methods that implement it in other classes."""
    package = Package(facts)
    found: dict[str, Declared] = {}
    for declared in facts.declared:
        owner, _, method = declared.function.rpartition(".")
        if owner in package.classes:
            heirs = (name for name in package.classes if name != owner and owner in package.bases_of(name))
            found.update({f"{heir}.{method}": declared for heir in heirs})
    return found


def _is_refused(declared: Declared, cause: str) -> bool:
    given = {*declared.arguments, *declared.computed}
    if declared.positional and _POSITIONAL in cause:
        return True
    return not given <= TAKES.keys() or ("tool" in declared.decorated_by and not given.issuperset(NEEDED))


# --- TK202 -----------------------------------------------------------------------------------------------------------


def _undeclared(facts: Facts) -> Iterator[Breach]:
    found = [*_unfit(facts), *_repeated(facts), *_contradicted(facts), *_astray(facts), *_sync_methods(facts)]
    yield from found
    said = {(breach.variant, breach.tool) for breach in found}
    said |= {("hints", declared.name) for declared in facts.declared if "tool_hint" in declared.repeated}
    said |= {("differ", declared.name) for declared in facts.declared if declared.contradicted}
    for one in facts.unusable:
        again = any((variant, one.tool) in said for variant in _FROM_SOURCE.get(one.kind, ()))
        if one.kind not in SAID_BY_OTHER_RULES | WIRING and not again:
            yield Breach(_of_model(facts, one), one.kind, one.values, one.tool)


def _of_model(facts: Facts, one: Unusable) -> Place:
    """Return where the model stands whose base is the wrong one; of anything else, where the tool does."""
    found = [
        model.place for module in facts.modules for model in module.classes if model.name == one.values.get("type")
    ]
    return found[0] if one.kind in _MODELS and len(found) == 1 else one.place


def _unfit(facts: Facts) -> Iterator[Breach]:
    """Yield what the source alone shows."""
    seen: dict[str, Place] = {}
    functions = {found.qualified: found for module in facts.modules for found in module.functions}
    for declared in facts.declared:
        short = _short(declared)
        if (before := seen.setdefault(declared.function, declared.place)) != declared.place:
            yield Breach(declared.place, "twice", {"function": short, "other": str(before)}, declared.name)
        elif "tool" not in declared.decorated_by:
            yield Breach(declared.place, "hint", {"function": short}, declared.name)
        elif not declared.is_async:
            values = {"function": short, "name": declared.function.rpartition(".")[2]}
            yield Breach(_place(functions.get(declared.function), declared), "sync", values, declared.name)


def _repeated(facts: Facts) -> Iterator[Breach]:
    for declared in facts.declared:
        for kind, places in declared.repeated.items():
            lines = [place.line for place in places]
            count = Text("two", "두 개") if len(lines) == _TWO else Text(str(len(lines)), f"{len(lines)}개")
            values = {
                "function": _short(declared),
                "kind": kind,
                "count": count.en,
                "count_ko": count.ko,
                "lines": f"{', '.join(map(str, lines[:-1]))} and {lines[-1]}",
                "lines_ko": ", ".join(map(str, lines)),
            }
            if kind == "tool":
                yield Breach(places[0], "again", values, declared.name)
            else:  # of no tool: whether it is under development is what they may disagree about
                yield Breach(places[0], "hints", values)


def _contradicted(facts: Facts) -> Iterator[Breach]:
    for declared in facts.declared:
        for argument, written in declared.contradicted.items():
            if declared.repeated:
                break  # which of them is to stay says which value does
            values: dict[str, str | int] = {
                "function": _short(declared),
                "argument": argument,
                "upper": quoted(written[0].value),
                "lower": quoted(written[-1].value),
                "line": written[-1].place.line,
            }
            # Of no tool where it is about that: whether it is under development.
            yield Breach(written[0].place, "differ", values, None if argument == "register" else declared.name)


def _astray(facts: Facts) -> Iterator[Breach]:
    """Find tools where what agents see, what legacy systems speak, and what is between them stands."""
    layers = {module.path: module for module in facts.modules}
    for declared in facts.declared:
        module = layers.get(declared.module)
        if module is not None and module.layer in _NO_TOOLS and "tool" in declared.decorated_by:
            folder = module.path.removeprefix(f"{facts.project.folder}/").rpartition("/")[0]
            part = module.part if module.layer in {Layer.DTO, Layer.CONVERTER} else "{category}"
            yield Breach(
                declared.place, "astray", {"function": _short(declared), "folder": folder, "part": part}, declared.name
            )


def _sync_methods(facts: Facts) -> Iterator[Breach]:
    """Find methods that implement a tool and await something without being async, which no import survives."""
    waiting = list(refused_awaits(facts))
    tools = implementing(facts) if waiting else {}
    for function in waiting:
        if (declared := tools.get(function.qualified)) is not None:
            values = {"function": ".".join(function.qualified.split(".")[-2:]), "name": function.name}
            yield Breach(function.place, "sync", values, declared.name)


def _short(declared: Declared) -> str:
    return ".".join(declared.function.split(".")[-2:])


def _place(function: Function | None, declared: Declared) -> Place:
    return declared.place if function is None else function.place


def _sentences(message: Message) -> Message:
    """Return a message of a start's log as the whole sentences that findings are made of."""
    return Message(_sentence(message.problem), _sentence(message.mend))


def _sentence(text: Text) -> Text:
    """Return both as sentences; a Korean one may begin with Python, which stays as it is."""
    return Text(f"{text.en[:1].upper()}{text.en[1:]}.", f"{text.ko}.")


TK202: Final = Rule(
    id="TK202",
    severity=Severity.ERROR,
    stage=Stage.IMPORTED,
    title=Text(
        "Every tool is an async function or method with one declaration of its own.",
        "모든 도구는 자신만의 선언을 하나 가진 async 함수나 메서드여야 합니다.",
    ),
    why=Text(
        "One declaration is one tool with one definition file; a class may hold several tools, each with its own "
        "@tool. Tools are async so that one slow legacy system does not hold up the others. Source: seed 003 §3.",
        "선언 하나가 정의 파일 하나를 가진 도구 하나입니다. 한 클래스에 도구가 여럿이면 각각 @tool을 붙입니다. 느린 "
        "레거시 시스템 "
        "하나가 다른 호출을 막지 않도록 도구는 async여야 합니다. 출처: 설계 가이드 003 §3.",
    ),
    messages={
        "sync": Message(
            Text("The tool {function} is no async function.", "도구 {function}: async 함수가 아닙니다."),
            Text(
                "Write `async def {name}(…)`, and await what it calls.",
                "`async def {name}(…)` 형식으로 쓰고 호출하는 것을 await 하십시오.",
            ),
        ),
        "hint": Message(
            Text(
                "{function} has @tool_hint and no @tool, so it is no tool.",
                "{function}에 @tool_hint만 있고 @tool이 없어 도구가 아닙니다.",
            ),
            Text(
                "Add @tool(name=…, title=…, description=…) beside it, or remove @tool_hint.",
                "@tool(name=…, title=…, description=…)을 함께 붙이거나 @tool_hint를 지우십시오.",
            ),
        ),
        "again": Message(
            Text(
                "{function} has {count} @{kind} (lines {lines}); only the upper one counts.",
                "{function}에 @{kind}이 {count_ko} 있어({lines_ko}번째 줄) 맨 위의 것만 적용됩니다.",
            ),
            Text(
                "Keep one of them; a second tool is a function of its own with its own definition.",
                "하나만 남기십시오. 두 번째 도구는 별도의 함수와 정의 파일로 만듭니다.",
            ),
        ),
        "hints": Message(
            Text(
                "{function} has {count} @{kind} (lines {lines}); where they differ, only the upper one counts.",
                "{function}에 @{kind}가 {count_ko} 있어({lines_ko}번째 줄) 서로 다른 값은 맨 위의 것만 적용됩니다.",
            ),
            Text("Write one @{kind} with all that is meant.", "뜻하는 값을 모두 @{kind} 하나에 쓰십시오."),
        ),
        "differ": Message(
            Text(
                "The decorators of {function} say different things about {argument}: {upper} here, and {lower} in line "
                "{line}.",
                "{function}의 데코레이터에 적은 {argument} 값이 서로 다릅니다. 여기는 {upper}, {line}번째 줄은 "
                "{lower}.",
            ),
            Text("Write {argument} once, in one of them.", "{argument}은(는) 한쪽에 한 번만 쓰십시오."),
        ),
        "astray": Message(
            Text(
                "The tool {function} stands in {folder}; a tool stands in biz/{{category}}/usecase.",
                "도구 {function} 선언이 {folder}에 있습니다. 도구는 biz/{{category}}/usecase에 두어야 합니다.",
            ),
            Text("Move it to biz/{part}/usecase.", "biz/{part}/usecase로 옮기십시오."),
        ),
        "twice": Message(
            Text(
                "{function} is declared twice, also at {other}.",
                "{function}의 선언이 두 번 있습니다. 다른 위치: {other}.",
            ),
            Text(
                "Keep one @tool here; a second tool is a function of its own with its own definition.",
                "@tool을 하나만 남기십시오. 두 번째 도구는 별도의 함수와 정의 파일로 만듭니다.",
            ),
        ),
    }
    | {kind: _sentences(message) for kind, message in MESSAGES.items() if kind not in SAID_BY_OTHER_RULES | WIRING},
    check=_undeclared,
    bad="@tool(…)\ndef search_claim(self, request): ...",
    good="@tool(…)\nasync def search_claim(self, request): ...",
)


# --- TK203 -----------------------------------------------------------------------------------------------------------


def _unwired(facts: Facts) -> Iterator[Breach]:
    for one in facts.unusable:
        if one.kind in WIRING:
            yield Breach(one.place, one.kind, one.values, one.tool)
    for module in facts.modules:
        for call in module.calls:
            named = text_in(next(iter(call.arguments), call.keywords.get("package", "")))
            if call.resolved in _SERVICES and named is not None and named.partition(".")[0] != facts.project.package:
                yield Breach(call.place, "elsewhere", {"name": quoted(named), "package": facts.project.package})


TK203: Final = Rule(
    id="TK203",
    severity=Severity.ERROR,
    stage=Stage.IMPORTED,
    title=Text(
        "Everything that a tool and what it is made of ask for is provided.",
        "도구와 그 구성 요소가 요구하는 것은 모두 제공되어야 합니다.",
    ),
    why=Text(
        "A service gives constructors and functions what they ask for by the type of each parameter: ports of the "
        "toolkit, what ToolService(…, provide=…) is given, and classes of the package. What cannot be given stops the "
        "start, and so does a constructor that raises. What `provide` holds is read from the source, so what only "
        "runs can tell is left to the start. "
        "Source: toolkit/T1.",
        "서비스는 매개변수의 타입을 보고 생성자와 함수에 필요한 것을 넣습니다. 넣을 수 있는 것은 toolkit의 포트, "
        "ToolService(…, provide=…)에 준 것, 패키지의 클래스입니다. 넣을 수 없거나 생성자에서 오류가 나면 서비스가 "
        "시작하지 않습니다. "
        "provide "
        "값은 소스에서 읽으므로 실행해야 알 수 있는 것은 시작할 때 확인합니다. 출처: toolkit/T1.",
    ),
    messages={kind: _sentences(message) for kind, message in MESSAGES.items() if kind in WIRING}
    | {
        "elsewhere": Message(
            Text(
                "The service is made for the package {name}, and this project's is {package}.",
                "서비스가 {name} 패키지를 가리키지만 이 프로젝트의 패키지는 {package}입니다.",
            ),
            Text('Write `ToolService("{package}")`.', '`ToolService("{package}")`로 쓰십시오.'),
        ),
    },
    check=_unwired,
    bad="class ClaimUseCaseImpl(ClaimUseCase):\n    def __init__(self, client): ...",
    good="class ClaimUseCaseImpl(ClaimUseCase):\n    def __init__(self, client: InsuranceClient) -> None: ...",
)

RULES: Final = (TK202, TK203)
