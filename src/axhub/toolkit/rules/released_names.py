"""Names that callers know: rule TK106 (seed 003 §2, decision/D12)."""

from collections.abc import Iterator
from typing import Final

from axhub.configuration.faults import excerpt
from axhub.toolkit.facts.released import Released
from axhub.toolkit.facts.service import Facts, Place
from axhub.toolkit.rules.model import Breach, Message, Rule, Severity, Stage, Text
from axhub.toolkit.rules.names import is_valid
from axhub.toolkit.rules.telling.authored import nearest

__all__ = ["RULES"]


def _missing(facts: Facts) -> Iterator[Breach]:
    released = facts.released
    if released is None:
        return
    if released.problem is not None:
        values = {"problem": released.problem.en, "problem_ko": released.problem.ko}
        yield Breach(Place(released.path, 1, 1), "unreadable", values)
        return
    if facts.problems or facts.unreadable or any("name" in one.computed for one in facts.declared):
        return  # which tools there are is not known (rule/TK001, rule/TK211)
    for name, version in released.versions.items():
        declared = facts.declared_as(name)
        values = {"name": excerpt(name), "version": excerpt(version)}
        if declared is None:
            yield _gone(facts, released, name, values)
        elif not declared.register:
            yield Breach(declared.place_of("register"), "draft", values)  # callers lose it: no warning as of a draft


def _gone(facts: Facts, released: Released, name: str, values: dict[str, str]) -> Breach:
    known = {*released.versions, *released.retired}
    fresh = [
        one.name for one in facts.declared if one.name is not None and is_valid(one.name) and one.name not in known
    ]
    near = nearest(name, fresh)
    if near is None:
        return Breach(released.place(name), "", values)
    other = facts.declared_as(near)
    place = released.place(name) if other is None else other.place_of("name")
    return Breach(place, "renamed", {**values, "near": near})


_RETIRE: Final = 'axhub sync --retire {name} --reason "…"'

TK106: Final = Rule(
    id="TK106",
    severity=Severity.ERROR,
    stage=Stage.SOURCE,
    title=Text(
        "A tool that was released keeps its name, until it is retired with a reason.",
        "배포한 도구의 이름은 이유를 적어 폐기할 때까지 그대로 두어야 합니다.",
    ),
    why=Text(
        "Callers, prompts and approvals know a tool by its name; without it, calls that worked yesterday fail, and "
        "nobody there is told. axhub.lock.json says what was released. Source: seed 003 §2 and §12.",
        "호출하는 쪽, 프롬프트, 승인은 도구를 이름으로 압니다. 이름이 없어지면 어제까지 되던 호출이 실패하고, "
        "그쪽에서는 이유를 알 수 없습니다. 무엇을 배포했는지는 axhub.lock.json에 있습니다. "
        "출처: 설계 가이드 003 §2, §12.",
    ),
    messages={
        "": Message(
            Text(
                'The tool "{name}" was released with version {version}, and there is none of that name.',
                '버전 {version}(으)로 배포한 도구 "{name}" 이름의 도구가 없습니다.',
            ),
            Text(
                f"Restore it, or say that it is gone: {_RETIRE}.",
                f"되살리거나, 폐기했음을 적으십시오: {_RETIRE}.",
            ),
        ),
        "renamed": Message(
            Text(
                'The tool "{name}" was released with version {version}, and is now called "{near}".',
                '버전 {version}(으)로 배포한 도구 "{name}" 이름이 "{near}"(으)로 바뀌었습니다.',
            ),
            Text(
                f'Write "{{name}}" again; or keep both for a while, and say later that the old one is gone: {_RETIRE}.',
                f'"{{name}}" 이름으로 되돌리십시오. 또는 한동안 둘 다 두고 나중에 이전 이름을 폐기하십시오: {_RETIRE}.',
            ),
        ),
        "draft": Message(
            Text(
                'The tool "{name}" was released with version {version}, and `register=False` takes it away.',
                '버전 {version}(으)로 배포한 도구 "{name}" 이름의 도구가 `register=False` 때문에 게시되지 않습니다.',
            ),
            Text(
                f"Remove `register=False`, or say that it is gone: {_RETIRE}.",
                f"`register=False` 값을 지우거나, 폐기했음을 적으십시오: {_RETIRE}.",
            ),
        ),
        "unreadable": Message(
            Text("axhub.lock.json cannot be used: {problem}.", "axhub.lock.json 파일을 쓸 수 없습니다: {problem_ko}."),
            Text(
                "Until then nobody knows which tools callers rely on, so mend it first.",
                "그전에는 호출하는 쪽이 어떤 도구를 쓰는지 알 수 없으므로 먼저 고치십시오.",
            ),
        ),
    },
    check=_missing,
    bad='@tool(name="cmm_claim_find", …)   # released as cmm_claim_search',
    good='@tool(name="cmm_claim_search", …)',
    suppressible=False,
)

RULES: Final = (TK106,)
