"""Rules about what an answer is made of, and that samples become one (seed 003 §8.7, §7): TK503, TK517, TK518."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Final

from axhub.toolkit.facts.fields import tools
from axhub.toolkit.facts.service import (
    Declared,
    Definition,
    Facts,
    Function,
    Imported,
    Layer,
    Located,
    Module,
    Place,
    Shape,
)
from axhub.toolkit.facts.wording import words
from axhub.toolkit.layout import mci_sample_file, sample_file
from axhub.toolkit.rules.answers.sample_faults import FAILED, failed
from axhub.toolkit.rules.answers.sample_names import NAMES, unread_samples
from axhub.toolkit.rules.definitions import OPTIONAL_KEYS, REQUIRED_KEYS, value_at
from axhub.toolkit.rules.interface_ids import interface_of
from axhub.toolkit.rules.model import Breach, Message, Rule, Severity, Stage, Text
from axhub.toolkit.rules.name_parts import TK104, TK105
from axhub.toolkit.rules.names import TK101
from axhub.toolkit.rules.outside import TK702
from axhub.toolkit.rules.schemas.answer_drift import answer_breaches
from axhub.toolkit.rules.telegrams import refused_telegram
from axhub.toolkit.rules.telling.authored import in_both
from axhub.toolkit.rules.telling.saying import in_words, of_json

__all__ = ["RULES"]

_REACHES: Final[Mapping[str, Text]] = {
    "file": Text("wanted to write a file", "파일을 쓰려고 했"),
    "socket": Text("opened a socket", "소켓을 열려고 했"),
    "process": Text("wanted to start or end a process", "프로세스를 시작하거나 끝내려고 했"),
}
_UNSENT: Final = re.compile(r'the request to the API "(?P<api>.*)" cannot be sent: (?P<why>.*)')
_OPEN: Final = frozenset({"dict", "Any", "object", "Mapping", "TypedDict"})


def _open_type(text: str) -> str:
    """Return the bare name of a type: `typing.Any` → Any, `dict[str, str]` → dict."""
    return text.partition("[")[0].strip().rpartition(".")[2]


def _leaks(facts: Facts, *, of_items: bool) -> Iterator[Breach]:
    seen = set()
    for name, tool in tools(facts):
        for leak in tool.leaks:
            pointer, _, type_name = leak.partition(": ")
            field = next((field for field in tool.outputs if field.pointer == pointer.removesuffix("/*")), None)
            is_item = field is not None and field.shape is Shape.LIST and field.item in {Shape.OPEN, None}
            if (is_item and _open_type(type_name) in _OPEN) != of_items:
                continue
            place = field.place if field is not None else _returns(facts, name)
            if (place, type_name) in seen:
                continue
            seen.add((place, type_name))
            model = (field.model if field is not None else tool.response).rpartition(".")[2]
            values = {"pointer": pointer, "type": type_name, "model": model, "item": _item_name(pointer)}
            yield Breach(place, "" if of_items else _variant(pointer, type_name), values, name)


def _variant(pointer: str, type_name: str) -> str:
    is_whole = pointer.strip("/") == ""
    if _open_type(type_name) in _OPEN:
        return "plain" if is_whole else "open"
    return "whole" if is_whole else "legacy"


def _item_name(pointer: str) -> str:
    """Return a class name for the items of a list: `/claimItems` → ClaimItem."""
    parts = words(pointer.removesuffix("/*").rpartition("/")[2]) or ("item",)
    name = "".join(part.capitalize() for part in parts)
    return name.removesuffix("s") if len(name) > 1 else "Item"


def _returns(facts: Facts, name: str) -> Place:
    declared = facts.declared_as(name)
    if declared is None:
        return Place(facts.project.pyproject)
    found = _function(facts, declared.function)
    return declared.place if found is None or not found.returns.value else found.returns.place


def _function(facts: Facts, qualified: str) -> Function | None:
    functions = (function for module in facts.modules for function in module.functions)
    return next((function for function in functions if function.qualified == qualified), None)


def _legacy_types(facts: Facts) -> Iterator[Breach]:
    for name, tool in tools(facts):
        if not tool.response_is_model and not tool.leaks:
            values = {"type": tool.response or "nothing"}
            yield Breach(_returns(facts, name), "plain", values, name)
    yield from _leaks(facts, of_items=False)
    cause = "" if facts.import_problem is None else facts.import_problem.value
    telegram = refused_telegram(facts, cause)
    if facts.import_problem is not None and telegram is not None:
        yield Breach(facts.import_problem.place, "refused", {"type": telegram})


TK517: Final = Rule(
    id="TK517",
    severity=Severity.ERROR,
    stage=Stage.IMPORTED,
    title=Text(
        "An answer is a model of its own, not what the legacy system said.",
        "응답은 레거시 응답이 아니라 별도의 모델이어야 합니다.",
    ),
    why=Text(
        "A telegram, an HTTP body, a `dict` or `Any` in an answer passes on names that no model understands and "
        "fields that nobody chose, personal data among them (seed 003 §8.7). The converter maps what the tool needs.",
        "응답에 전문, HTTP 본문, `dict`, `Any`가 있으면 모델이 이해하지 못하는 이름과 아무도 고르지 않은 필드가 "
        "개인정보까지 그대로 나갑니다(가이드 003 §8.7). 도구에 필요한 값만 converter에서 옮깁니다.",
    ),
    messages={
        "plain": Message(
            Text("The tool answers with {type}, which is no model.", "도구의 응답이 모델이 아니라 {type} 타입입니다."),
            Text(
                "Declare `class …Response(Output)` with a described field for each value, and return it.",
                "`class …Response(Output)`에 값마다 설명이 있는 필드를 선언하고 그 모델을 반환하십시오.",
            ),
        ),
        "whole": Message(
            Text(
                "The tool answers with {type}, which is a type of the legacy system.",
                "도구의 응답이 레거시 시스템의 {type} 타입입니다.",
            ),
            Text(
                "Declare `class …Response(Output)` with the values that are needed, and map them in the converter.",
                "필요한 값만 있는 `class …Response(Output)`을 선언하고 converter에서 옮기십시오.",
            ),
        ),
        "open": Message(
            Text(
                "The answer holds {type} at {pointer}, in which anything may stand.",
                "응답의 {pointer}에 무엇이든 들어갈 수 있는 {type} 타입이 있습니다.",
            ),
            Text(
                "Declare a model `class {item}(Output)` with a described field for each value, and use it there.",
                "값마다 설명이 있는 모델 `class {item}(Output)`을 선언해 그 자리에 쓰십시오.",
            ),
        ),
        "refused": Message(
            Text(
                "A model holds {type}, which is a telegram of the legacy system.",
                "모델에 레거시 시스템의 전문 {type} 타입이 있습니다.",
            ),
            Text(
                "Declare the values that are needed as plain fields, and map them in the converter; rules about "
                "models were not run.",
                "필요한 값만 일반 필드로 선언하고 converter에서 옮기십시오. 모델에 대한 규칙은 검사하지 않았습니다.",
            ),
        ),
        "legacy": Message(
            Text(
                "The answer holds {type} at {pointer}, which is a type of the legacy system.",
                "응답의 {pointer}에 레거시 시스템의 {type} 타입이 있습니다.",
            ),
            Text(
                "Declare a model `class {item}(Output)` with the values that are needed, and map them in the "
                "converter.",
                "필요한 값만 있는 모델 `class {item}(Output)`을 선언하고 converter에서 옮기십시오.",
            ),
        ),
    },
    check=_legacy_types,
    bad="async def search_claim(self, request: ClaimSearchRequest) -> dict[str, Any]: ...",
    good="async def search_claim(self, request: ClaimSearchRequest) -> ClaimSearchResponse: ...",
)


def _nameless_items(facts: Facts) -> Iterator[Breach]:
    return _leaks(facts, of_items=True)


TK518: Final = Rule(
    id="TK518",
    severity=Severity.ERROR,
    stage=Stage.IMPORTED,
    title=Text("The items of a list are a named model.", "배열 요소가 객체이면 이름 있는 모델이어야 합니다."),
    why=Text(
        "Items without a model have no described fields, so a model guesses what is in them (seed 003 §8).",
        "모델이 없는 요소에는 설명된 필드가 없어 내용을 추측하게 됩니다(가이드 003 §8).",
    ),
    messages={
        "": Message(
            Text(
                "The items of the list {pointer} of {model} are {type}, not a model.",
                "{model}의 {pointer} 배열의 요소가 모델이 아니라 {type} 타입입니다.",
            ),
            Text(
                "Declare `class {item}(Output)` with a described field for each value, and write `list[{item}]`.",
                "값마다 설명이 있는 `class {item}(Output)`을 선언하고 `list[{item}]`으로 쓰십시오.",
            ),
        ),
    },
    check=_nameless_items,
    bad='items: Annotated[list[dict[str, str]], Desc("청구 목록. 접수일 내림차순")]',
    good='items: Annotated[list[ClaimItem], Desc("청구 목록. 접수일 내림차순")]',
)


def _samples(facts: Facts) -> Iterator[Breach]:
    misnamed = {breach.tool for rule in (TK101, TK104, TK105) for breach in rule.check(facts)}
    astray = facts.samples.keys() - {declared.name for declared in facts.declared}
    unread = unread_samples(facts)
    yield from unread.values()
    for name, tool in tools(facts):
        declared, definition = facts.declared_as(name), facts.definition_of(name)
        if declared is None or definition is None or definition.values.get("name", name) != name:
            continue  # rule/TK301
        if facts.is_doubled(name):
            continue  # rule/TK107
        paths = facts.samples.get(name, ())
        yield from _sample_faults(facts, tool, tuple(path for path in paths if path not in unread))
        client = _client(facts, declared)
        if not paths and client is not None and not (astray and name in misnamed):
            values = {"tool": name, "path": f"{facts.project.folder}/{_first_sample(facts, declared, client)}"}
            yield Breach(declared.place, "absent", values, name)
        is_undecided = any(field.required and field.nullable for field in tool.inputs)  # rule/TK406
        if tool.lacks_example and not is_undecided and _can_have_examples(declared, definition):
            yield Breach(definition.place("/examples"), "untried", {"tool": name}, name, Severity.WARNING)
        if tool.reaches is not None and not _is_told(facts, tool.reaches):
            values = {"tool": name, **in_both("what", _REACHES.get(tool.reaches.value, _REACHES["process"]))}
            yield Breach(tool.reaches.place, "reaches", values, name, Severity.WARNING)


def _is_told(facts: Facts, reaches: Located[str]) -> bool:
    """Say whether rule/TK702 tells already that there is a way to other systems beside the client."""
    return reaches.value == "socket" and any(True for _ in TK702.check(facts))


def _can_have_examples(declared: Declared, definition: Definition) -> bool:
    """Say whether nothing else is wrong that would explain why there are none: rule/TK001, TK214, TK302."""
    found = declared.arguments.get("category_key")
    is_sound = definition.problem is None and {*definition.values} <= {*REQUIRED_KEYS, *OPTIONAL_KEYS}
    written = value_at(definition, "/examples")
    valid = value_at(definition, "/examples/valid")
    listed = valid is ... or valid is None or isinstance(valid, list)
    is_read = listed and (written is ... or written is None or isinstance(written, dict))
    return is_sound and is_read and found is not None and found.value == definition.category


def _sample_faults(facts: Facts, tool: Imported, paths: tuple[str, ...]) -> Iterator[Breach]:
    disagrees = any(True for _ in answer_breaches(facts, tool))  # rule/TK401
    for path in paths:
        text = facts.sample_texts.get(path)
        fault = _json_fault(path, text) if text is not None and path.endswith(".json") else None
        answer = tool.sample_runs.get(path)
        if fault is not None:
            place, cause = fault
            yield Breach(place, "unreadable", {"path": path, **in_both("cause", of_json(cause))}, tool.name)
        elif answer is not None and (unsent := _UNSENT.fullmatch(answer)) is not None:
            values = {"api": unsent["api"], "tool": tool.name, **in_both("why", in_words(unsent["why"]))}
            yield Breach(_entry(facts, unsent["api"]), "unsent", values, tool.name)
            return  # the same with each sample
        elif answer is not None and not disagrees and (breach := failed(facts, tool, path, answer)) is not None:
            yield breach


def _entry(facts: Facts, api: str) -> Place:
    """Return where the configuration says how an API is asked."""
    entries = () if facts.settings is None else facts.settings.apis
    found = next((one for one in entries if one.name.value == api), None)
    if found is None:
        return Place(facts.project.pyproject)
    return found.values["url"].place if "url" in found.values else found.name.place


def _json_fault(path: str, text: str) -> tuple[Place, str] | None:
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return Place(path, error.lineno, error.colno), error.msg
    except RecursionError:
        return Place(path, 1, 1), "too deep"
    return None


def _client(facts: Facts, declared: Declared) -> Module | None:
    """Return the client module whose class the tool is given, if there is one."""
    owner = declared.function.rpartition(".")[0]
    classes = [found for module in facts.modules for found in module.classes]
    owners = {owner, *(found.qualified for found in classes if owner in found.bases)}
    wanted = {declared.function, *(f"{name}.__init__" for name in owners)}
    functions = [found for module in facts.modules for found in module.functions if found.qualified in wanted]
    hints = [hint.value for function in functions for hint in function.parameters.values()]
    clients = (module for module in facts.modules if module.layer is Layer.CLIENT)
    return next((module for module in clients if any(f"{module.name}." in hint for hint in hints)), None)


def _first_sample(facts: Facts, declared: Declared, client: Module) -> str:
    """Return where the first sample of a tool belongs, from the package's folder."""
    if not client.is_mci:
        return sample_file(declared.name or "", client.part)
    named = interface_of(facts, declared)
    return mci_sample_file(declared.name or "", "{INTERFACE}" if named is None else named[0])


TK503: Final = Rule(
    id="TK503",
    severity=Severity.ERROR,
    stage=Stage.IMPORTED,
    title=Text(
        "A sample answer of the legacy system becomes an answer of the tool.",
        "레거시 응답 샘플은 도구의 응답으로 변환되어야 합니다.",
    ),
    why=Text(
        "A converter that was never tried with a real, anonymised answer fails at the first customer. The samples "
        "are what `axhub mock` answers with, so the tool can be tried at once, too. The tool runs once for each, with "
        "the first valid example of its definition, and its answer is checked as in a service (seed 003 §7); a tool "
        "that writes, or that needs what app.py provides, does not run.",
        "실제 응답(익명화)으로 시험하지 않은 converter는 첫 고객에게서 실패합니다. 샘플은 `axhub mock`의 응답으로도 "
        "쓰여 도구를 바로 시험할 수 있습니다. 샘플마다 정의 파일의 첫 번째 valid 예시로 도구를 한 번 실행하고 그 "
        "응답을 서비스에서처럼 검사합니다(가이드 003 §7). 쓰기 도구와 app.py가 제공하는 것이 필요한 도구는 실행하지 "
        "않습니다.",
    ),
    messages={
        "absent": Message(
            Text(
                "The tool {tool} calls a legacy system, and there is no sample of its answer.",
                "{tool} 도구는 레거시 시스템을 호출하는데 응답 샘플이 없습니다.",
            ),
            Text(
                "Put an anonymised answer into {path}.",
                "익명화한 응답을 {path}에 두십시오.",
            ),
        ),
        **NAMES,
        "unreadable": Message(
            Text("The sample {path} is not valid JSON: {cause}.", "{path} 샘플이 올바른 JSON이 아닙니다: {cause_ko}."),
            Text("Correct this line or the one before it.", "이 줄이나 바로 앞 줄을 고치십시오."),
        ),
        **FAILED,
        "unsent": Message(
            Text(
                "What {tool} asks the API {api} cannot be sent as this entry says: {why}.",
                "{tool} 도구의 요청을 이 설정대로 API {api}에 보낼 수 없습니다: {why_ko}.",
            ),
            Text(
                "Correct `url` or `method` here, or what the converter puts into the request.",
                "여기의 `url`이나 `method` 값, 또는 converter가 만드는 요청을 고치십시오.",
            ),
        ),
        "untried": Message(
            Text(
                "The samples of {tool} were not tried: nothing says what a call of it looks like.",
                "{tool} 도구의 호출 예시가 없어 샘플을 변환해 보지 못했습니다.",
            ),
            Text(
                "Add arguments that it accepts to the definition: `examples: {{valid: [{{…}}]}}`.",
                "받아들이는 인자를 정의 파일에 추가하십시오: `examples: {{valid: [{{…}}]}}`.",
            ),
        ),
        "reaches": Message(
            Text(
                "The samples of {tool} were not tried: the tool {what} while it was tried, which a check refuses.",
                "{tool} 도구가 시험 실행 중에 {what_ko}으므로 막았고, 샘플을 변환해 보지 못했습니다.",
            ),
            Text(
                "Call other systems through the `HttpClient` or `MciClient`, and take what else reaches out as a "
                "parameter that app.py provides; if the tool writes, say `read_only: false`.",
                "다른 시스템은 `HttpClient`나 `MciClient`로 호출하고, 그 밖에 외부에 닿는 것은 app.py가 provide하는 "
                "매개변수로 받으십시오. 쓰기 도구라면 `read_only: false`로 적으십시오.",
            ),
        ),
    },
    check=_samples,
    bad="samples/cmm_claim_search/   # empty",
    good='samples/cmm_claim_search/http-insurance.json   # {"clmNo": "CLM202608100001", "stCd": "10"}',
)

RULES: Final = (TK503, TK517, TK518)
