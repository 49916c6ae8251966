"""What the parts of a tool name say: rules TK103 to TK105 (seed 003 §2)."""

import re
from collections.abc import Iterator
from typing import Final

from axhub.configuration.faults import excerpt
from axhub.contract.naming import MAX_NAME_CHARS
from axhub.toolkit.facts.service import Class, Declared, Facts
from axhub.toolkit.rules.model import Breach, Message, Rule, Severity, Stage, Text
from axhub.toolkit.rules.names import is_valid, well_named
from axhub.toolkit.rules.telling.authored import squeezed

__all__ = ["RULES"]

_PODS: Final = frozenset({"cus", "sal", "pro", "sys"})
_INTERFACE: Final = re.compile(r"[a-z]{4,8}[0-9]{4,}")
_CLASS_ENDINGS: Final = ("usecaseimpl", "usecase", "impl", "service", "client", "converter", "request", "response")


# --- TK103 -----------------------------------------------------------------------------------------------------------


def _parts(name: str) -> list[str]:
    return [part for part in name.split("_") if part]


def _loose(facts: Facts) -> Iterator[Breach]:
    for name, declared in well_named(facts):
        parts = _parts(name)
        if set(parts) & _PODS or _copied(facts, name, declared) is not None:
            continue  # TK104 and TK105 say it
        category = _agreed_category(facts, name, declared)
        values: dict[str, str | int] = {"name": name, "count": len(parts), "category": category or ""}
        if category is not None and parts[0] != category:
            better = {"better": f"{category}_{name}"[:MAX_NAME_CHARS]}
            yield Breach(declared.place_of("name"), "category", {**values, **better, "first": parts[0]}, name)
        elif len(parts) == 1:
            yield Breach(declared.place_of("name"), "one", values, name)
        elif len(parts) == 2:  # noqa: PLR2004 - domain and function without an action
            yield Breach(declared.place_of("name"), "two", {**values, "better": f"{'_'.join(parts)}_search"}, name)


def _agreed_category(facts: Facts, name: str, declared: Declared) -> str | None:
    """Return the category if decorator, definition and folder name the same known one; else TK214 speaks."""
    argument = declared.arguments.get("category_key")
    said: list[object] = [argument.value if argument is not None else None]
    definition = facts.definition_of(name)
    if definition is not None:
        said += [definition.category, definition.values.get("category_key", definition.category)]
    first, known = said[0], facts.project.categories or (said[0],)
    return first if isinstance(first, str) and first and all(one == first for one in said) and first in known else None


TK103: Final = Rule(
    id="TK103",
    severity=Severity.WARNING,
    stage=Stage.SOURCE,
    title=Text(
        "A tool name has the form domain_function_action and begins with its category.",
        "도구 이름은 업무도메인_업무기능_행위 형식이며 업무 분류 코드로 시작하는 것이 좋습니다.",
    ),
    why=Text(
        "A model that sees many tools tells them apart by their names first; the same order of parts everywhere shows "
        "what belongs together and what a tool does. Source: seed 003 §2.",
        "모델은 많은 도구를 먼저 이름으로 구별합니다. 부분의 순서가 같으면 무엇이 함께 속하는지, 도구가 무엇을 하는지 "
        "알 수 "
        "있습니다. 출처: 설계 가이드 003 §2.",
    ),
    messages={
        "one": Message(
            Text(
                'The tool name "{name}" has 1 part; 3 are recommended: domain_function_action.',
                '도구 이름 "{name}"의 구성은 1개 부분입니다. 업무도메인_업무기능_행위의 3개 부분을 권장합니다.',
            ),
            Text(
                'Say domain, function and action, as in "cmm_claim_search".',
                '업무도메인, 업무기능, 행위를 모두 쓰십시오. 예: "cmm_claim_search".',
            ),
        ),
        "two": Message(
            Text(
                'The tool name "{name}" has 2 parts; 3 are recommended: domain_function_action.',
                '도구 이름 "{name}"의 구성은 2개 부분입니다. 업무도메인_업무기능_행위의 3개 부분을 권장합니다.',
            ),
            Text(
                'Add the part that is missing, for instance the action: "{better}".',
                '빠진 부분을 더하십시오. 예를 들어 행위를 더하면 "{better}".',
            ),
        ),
        "category": Message(
            Text(
                'The tool name "{name}" begins with "{first}", and its category is "{category}".',
                '도구 이름 "{name}"의 첫 부분은 "{first}"인데 업무 분류 코드는 "{category}"입니다.',
            ),
            Text(
                'Begin the name with the category: "{better}".',
                '이름을 업무 분류 코드로 시작하십시오: "{better}".',
            ),
        ),
    },
    check=_loose,
    bad='@tool(name="claim_search", …)      # category cmm',
    good='@tool(name="cmm_claim_search", …)',
)


# --- TK104 -----------------------------------------------------------------------------------------------------------


def _in_pods(facts: Facts) -> Iterator[Breach]:
    for name, declared in well_named(facts):
        parts = _parts(name)
        pod = next((part for part in parts if part in _PODS), None)
        if pod is not None:
            better = _without_pods(facts, name, declared)
            variant = "" if is_valid(better) and better.count("_") > 1 else "only"  # rule/TK101, rule/TK103
            yield Breach(declared.place_of("name"), variant, {"name": name, "pod": pod, "better": better}, name)


def _without_pods(facts: Facts, name: str, declared: Declared) -> str:
    parts = [part for part in _parts(name) if part not in _PODS]
    category = _agreed_category(facts, name, declared)
    return "_".join(parts if category is None or parts[:1] == [category] else [category, *parts])


_POD_PROBLEM: Final = Text(
    'The part "{pod}" of the tool name "{name}" is the name of a Pod.',
    '도구 이름 "{name}"의 "{pod}" 부분은 Pod 이름입니다.',
)

TK104: Final = Rule(
    id="TK104",
    severity=Severity.ERROR,
    stage=Stage.SOURCE,
    title=Text(
        "No part of a tool name is a Pod name (cus, sal, pro, sys).",
        "도구 이름의 어느 부분도 Pod 이름(cus, sal, pro, sys)이 아니어야 합니다.",
    ),
    why=Text(
        'Where a tool runs may change, its name may not. Whole parts between _ are compared, so that "processor" is '
        "fine. Source: seed 003 §2.",
        '도구가 실행되는 곳은 바뀔 수 있지만 이름은 바뀌면 안 됩니다. _로 나눈 부분 전체를 비교하므로 "processor"는 '
        "괜찮습니다. "
        "출처: 설계 가이드 003 §2.",
    ),
    messages={
        "": Message(
            _POD_PROBLEM,
            Text(
                'Leave it out: "{better}"; the same in the definition and its file name.',
                '그 부분을 빼십시오: "{better}". 정의 파일의 name과 파일 이름도 같게 고치십시오.',
            ),
        ),
        "only": Message(
            _POD_PROBLEM,
            Text(
                "Say there what the tool does, in the form domain_function_action, as in "
                '"cmm_claim_search"; the same in the definition and its file name.',
                "그 자리에 도구가 하는 일을 업무도메인_업무기능_행위 형식으로 쓰십시오. 예: "
                '"cmm_claim_search". 정의 파일의 name과 파일 이름도 같게 고치십시오.',
            ),
        ),
    },
    check=_in_pods,
    bad='@tool(name="cmm_sal_claim_search", …)',
    good='@tool(name="cmm_claim_search", …)',
)


# --- TK105 -----------------------------------------------------------------------------------------------------------


def _technical(facts: Facts) -> Iterator[Breach]:
    for name, declared in well_named(facts):
        copied = _copied(facts, name, declared)
        if copied is not None:
            variant, what = copied
            yield Breach(declared.place_of("name"), variant, {"name": name, "what": what}, name)
            continue
        part = next((part for part in _parts(name) if _INTERFACE.fullmatch(part)), None)
        if part is not None:
            yield Breach(declared.place_of("name"), "part", {"name": name, "what": part}, name, Severity.WARNING)


def _copied(facts: Facts, name: str, declared: Declared) -> tuple[str, str] | None:
    """Return what a whole name is copied from: an interface id or a class."""
    whole = squeezed(name)
    ids = [found.value for key in ("mapping_id",) if (found := declared.arguments.get(key)) is not None]
    if (definition := facts.definition_of(name)) is not None:
        ids.append(definition.values.get("legacy_interface_id"))
    if copied := next((one for one in ids if isinstance(one, str) and one and squeezed(one) == whole), None):
        return "interface", excerpt(copied)
    if _INTERFACE.fullmatch(whole) and len(_parts(name)) == 1:
        return "interface", name
    technical = whole.endswith(_CLASS_ENDINGS) or len(_parts(name)) < 3  # noqa: PLR2004 - the form of TK103
    classes: Iterator[Class] = (one for module in facts.modules for one in module.classes)
    same = next((one.name for one in classes if technical and squeezed(one.name) == whole), None)
    return None if same is None else ("class", same)


_SAY_WHAT: Final = Text(
    'Say what the tool does, in the form domain_function_action, as in "cmm_claim_search".',
    '도구가 하는 일을 업무도메인_업무기능_행위 형식으로 쓰십시오. 예: "cmm_claim_search".',
)

TK105: Final = Rule(
    id="TK105",
    severity=Severity.ERROR,
    stage=Stage.SOURCE,
    title=Text(
        "A tool name is more than a class name or an interface id.",
        "도구 이름은 클래스명이나 인터페이스 ID만으로 만들지 않아야 합니다.",
    ),
    why=Text(
        "Neither tells a model what the tool is for, and both change when the implementation does. An interface id as "
        "one part of a longer name is a warning. Source: seed 003 §2.",
        "둘 다 모델에게 도구의 쓰임을 알려 주지 못하고, 구현이 바뀌면 함께 바뀝니다. 긴 이름의 한 부분이 인터페이스 "
        "ID이면 "
        "경고입니다. 출처: 설계 가이드 003 §2.",
    ),
    messages={
        "interface": Message(
            Text(
                'The tool name "{name}" is nothing but the interface id {what}.',
                '도구 이름 "{name}" 전체가 인터페이스 ID {what}입니다.',
            ),
            _SAY_WHAT,
        ),
        "class": Message(
            Text(
                'The tool name "{name}" is nothing but the name of the class {what}.',
                '도구 이름 "{name}" 전체가 클래스 이름 {what}입니다.',
            ),
            _SAY_WHAT,
        ),
        "part": Message(
            Text(
                'The part "{what}" of the tool name "{name}" looks like an interface id.',
                '도구 이름 "{name}"의 "{what}" 부분은 인터페이스 ID로 보입니다.',
            ),
            Text(
                "Say what the tool does there; the interface id stands in mapping_id.",
                "그 자리에 도구가 하는 일을 쓰십시오. 인터페이스 ID는 mapping_id에 씁니다.",
            ),
        ),
    },
    check=_technical,
    bad='@tool(name="clcnnb00001", …)',
    good='@tool(name="cmm_claim_search", …)',
)

RULES: Final = (TK103, TK104, TK105)
