"""Which definition files there are: rule TK301 (seed 003 §5, toolkit/T8)."""

from collections.abc import Iterator, Mapping
from typing import Final

from axhub.configuration.faults import excerpt
from axhub.toolkit.facts.service import Declared, Definition, Facts, Place
from axhub.toolkit.layout import DEFINITIONS, definition_file
from axhub.toolkit.rules.model import Breach, Message, Rule, Severity, Stage, Text
from axhub.toolkit.rules.names import is_valid, well_named
from axhub.toolkit.rules.reading import is_closed
from axhub.toolkit.rules.telling.authored import nearest

__all__ = ["RULES", "TK301"]

_FOLDER: Final = f"/{DEFINITIONS}/"


def _files(facts: Facts) -> Iterator[Breach]:
    named = dict(well_named(facts))
    missing = {name: declared for name, declared in named.items() if facts.definition_of(name) is None}
    surplus = {one.stem: one for one in facts.definitions if one.stem not in named}
    # A tool that nobody could read may be the one of any surplus file.
    undecided = bool(facts.problems or facts.unreadable) or any(
        not is_valid(declared.name) or facts.is_doubled(declared.name) for declared in facts.declared
    )
    if any(_FOLDER in f"{one.place.file}/" for one in facts.unreadable):
        return  # which files there are is not known; rule/TK001
    for name, declared in missing.items():
        yield from _missing(facts, declared, name, surplus)
    for one in surplus.values():
        if not undecided and not is_closed(one):
            values = {"name": excerpt(one.stem), "file": excerpt(one.path)}
            yield Breach(Place(one.path, 1, 1), "surplus", values, one.stem)
    yield from _twins(facts, named)
    yield from _misnamed(facts)


def _missing(facts: Facts, declared: Declared, name: str, surplus: dict[str, Definition]) -> Iterator[Breach]:
    """Say what a tool lacks; a surplus file that most likely is its definition is taken out."""
    values = {"name": name, "file": _expected(facts, declared, name)}
    ending = next((path for path in facts.misspelt_definitions if path.endswith(f"/{name}.yaml")), None)
    near = _same_tool(name, surplus) if ending is None else None
    if ending is not None:
        variant, more = "ending", {"other": excerpt(ending), "new": f"{name}.yml"}
    elif near is not None:
        del surplus[near.stem]
        variant, more = "renamed", {"other": excerpt(near.path)}
    else:
        variant, more = "missing", {}
    yield Breach(declared.place_of("name"), variant, {**values, **more}, name)


def _same_tool(name: str, surplus: Mapping[str, Definition]) -> Definition | None:
    """Return the file without a tool that most likely is this tool's: by what it says, else by its own name."""
    inside = next((one for one in surplus.values() if one.values.get("name") == name), None)
    return inside or surplus.get(nearest(name, surplus) or "")


def _expected(facts: Facts, declared: Declared, name: str) -> str:
    argument = declared.arguments.get("category_key")
    category = argument.value if argument is not None and isinstance(argument.value, str) else ""
    return f"{facts.project.folder}/{definition_file(excerpt(category) or '{category}', name)}"


def _twins(facts: Facts, named: Mapping[str, Declared]) -> Iterator[Breach]:
    """Report all files of one tool but the first."""
    first: dict[str, Definition] = {}
    for one in facts.definitions:
        before = first.setdefault(one.stem, one)
        if before is not one and one.stem in named:
            yield Breach(Place(one.path, 1, 1), "twice", {"name": one.stem, "other": before.path}, one.stem)


def _misnamed(facts: Facts) -> Iterator[Breach]:
    """Report files that say another good name than theirs; a name that is no good is TK101's."""
    declared = {found.name for found in facts.declared}
    for one in facts.definitions:
        name = one.values.get("name")
        if is_valid(name) and name != one.stem and (one.stem in declared or name not in declared):
            yield Breach(one.place("/name"), "differ", {"name": str(name), "stem": excerpt(one.stem)}, one.stem)


TK301: Final = Rule(
    id="TK301",
    severity=Severity.ERROR,
    stage=Stage.SOURCE,
    title=Text(
        "Every tool has its definition tool_definitions/{category}/{name}.yml, and every definition its tool.",
        "모든 도구에 tool_definitions/{category}/{name}.yml 정의 파일이 있고, 모든 정의 파일에 도구가 있어야 합니다.",
    ),
    why=Text(
        "The decorator declares a tool, the definition tells models and people about it. Decorator, name in the file "
        "and file name are the same, so that each can be found from the other. `axhub explain TK302` shows a whole "
        "definition. Source: seed 003 §5, toolkit/T8.",
        "데코레이터는 도구를 선언하고 정의 파일은 모델과 사람에게 도구를 설명합니다. 데코레이터의 name, 파일 안의 "
        "name, 파일 이름이 "
        "같아야 서로 찾을 수 있습니다. `axhub explain TK302` 명령이 정의 파일 전체의 예를 보여 줍니다. 출처: 설계 "
        "가이드 003 §5, "
        "toolkit/T8.",
    ),
    messages={
        "missing": Message(
            Text('The tool "{name}" has no definition file.', '도구 "{name}"의 정의 파일이 없습니다.'),
            Text(
                "Create {file}; `axhub explain TK302` shows what stands in it.",
                "{file} 파일을 만드십시오. 내용의 예는 `axhub explain TK302` 명령으로 볼 수 있습니다.",
            ),
        ),
        "ending": Message(
            Text(
                'The tool "{name}" has no definition file; {other} ends in .yaml.',
                '도구 "{name}"의 정의 파일이 없습니다. {other} 파일 이름이 .yaml로 끝납니다.',
            ),
            Text("Rename it to {new}.", "파일 이름을 {new}(으)로 바꾸십시오."),
        ),
        "renamed": Message(
            Text(
                'The tool "{name}" has no definition file, and {other} belongs to no tool.',
                '도구 "{name}"의 정의 파일이 없고, {other} 파일에 맞는 도구가 없습니다.',
            ),
            Text(
                "If they belong together, rename the file to {file} and write `name: {name}` in it, or change the name "
                "here.",
                "서로 맞는 것이라면 파일 이름을 {file}로 바꾸고 그 안에 `name: {name}` 값을 쓰거나, 여기의 이름을 "
                "고치십시오.",
            ),
        ),
        "surplus": Message(
            Text('No tool is named "{name}", as this file is.', '이 파일의 이름과 같은 도구 "{name}" 선언이 없습니다.'),
            Text(
                'Declare @tool(name="{name}", …), rename the file to the name of its tool, or delete it.',
                '@tool(name="{name}", …)을 선언하거나, 파일 이름을 도구 이름으로 바꾸거나, 파일을 지우십시오.',
            ),
        ),
        "twice": Message(
            Text(
                'The tool "{name}" has a second definition here; the first is {other}.',
                '도구 "{name}"의 정의 파일이 여기에 또 있습니다. 첫 번째 파일: {other}.',
            ),
            Text("Delete one of the two.", "둘 중 하나를 지우십시오."),
        ),
        "differ": Message(
            Text(
                'The definition says `name: "{name}"`, and its file is named "{stem}".',
                '정의 파일 안의 name 값은 "{name}"인데 파일 이름은 "{stem}"입니다.',
            ),
            Text("Write `name: {stem}`.", "`name: {stem}` 값을 쓰십시오."),
        ),
    },
    check=_files,
    bad='@tool(name="cmm_claim_search", …)   # tool_definitions/cmm/cmm_claim_serach.yml',
    good='@tool(name="cmm_claim_search", …)   # tool_definitions/cmm/cmm_claim_search.yml',
)

RULES: Final = (TK301,)
