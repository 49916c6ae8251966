"""Whether what a tool waits for fits into its own time: rule TK615 (seed 003 §1.4, toolkit/S5)."""

import re
from collections.abc import Iterator
from typing import Final

from axhub.toolkit.facts.following import HTTP, MCI, Package
from axhub.toolkit.facts.service import Api, Declared, Facts, Place, Settings, System
from axhub.toolkit.layout import DEFAULT_TIMEOUT_MILLIS
from axhub.toolkit.rules.model import Breach, Message, Rule, Severity, Stage, Text

__all__ = ["MAX_TIMEOUT_MILLIS", "RULES"]

MAX_TIMEOUT_MILLIS: Final = 30_000
"""What a gateway with default limits lets a call take (gateway/G7)."""
_OWN_WORK_MILLIS: Final = 1_000
"""What a mend leaves a tool beside its calls."""
_TOTAL: Final = "totalTimeoutMillis"
_VARIABLE: Final = re.compile(r"\$\{[A-Za-z_]\w*\}")
"""One without a default."""
_Called = Api | System


def _budgets(facts: Facts) -> Iterator[Breach]:
    settings = facts.settings
    if settings is None:
        return
    for name, written in settings.timeouts.items():
        if written.value > MAX_TIMEOUT_MILLIS and facts.declared_as(name) is not None:
            values: dict[str, str | int] = {"tool": name, "timeout": written.value}
            yield Breach(written.place, "cap", values, name)
    package, apis = Package(facts), {api.name.value: api for api in settings.apis}
    systems = {system.name.value: system for system in settings.systems}
    for declared in facts.declared:
        used: list[_Called] = [apis[name] for name in package.named_by(declared, HTTP) if name in apis]
        used += [systems[name] for name in package.named_by(declared, MCI) if name in systems]
        if declared.name is not None and used:
            yield from _budget(declared, used, settings)


def _budget(declared: Declared, used: list[_Called], settings: Settings) -> Iterator[Breach]:
    name = declared.name or ""
    written = settings.timeouts.get(name)
    timeout = DEFAULT_TIMEOUT_MILLIS if written is None else written.value
    total = sum(api.total_millis for api in used)
    if total < timeout or timeout > MAX_TIMEOUT_MILLIS or any(map(_is_open, used)):
        return
    parts = [f"{api.name.value} {api.total_millis}" for api in used]
    enough = -(-(total + 1) // _OWN_WORK_MILLIS) * _OWN_WORK_MILLIS
    values: dict[str, str | int] = {
        "tool": name,
        "total": total,
        "sum": " + ".join(parts),
        "timeout": timeout,
        "enough": enough,
        "most": timeout - 1,
        "apis": ", ".join(api.name.value for api in used),
        "file": settings.path,
    }
    variant = "written" if written is not None else "default"
    yield Breach(
        _place(used) if written is None else written.place,
        variant if enough <= MAX_TIMEOUT_MILLIS else "long",
        values,
        name,
    )


def _is_open(api: _Called) -> bool:
    """Say whether only the environment says how long a call may take."""
    total = api.values.get(_TOTAL)
    return total is not None and isinstance(total.value, str) and _VARIABLE.search(total.value) is not None


def _place(used: list[_Called]) -> Place:
    """Return where a bound of the calls stands, the longest one first."""
    longest = max(used, key=lambda api: api.total_millis)
    total = longest.values.get(_TOTAL)
    return longest.name.place if total is None else total.place


_PROBLEM: Final = Text(
    "The calls of {tool} may take {total} ms ({sum}), which is not less than its own timeout of {timeout} ms.",
    "{tool} 도구의 호출 시간 합계 {total}ms({sum})가 도구 자신의 timeout {timeout}ms보다 작지 않습니다.",
)
_DEFAULT: Final = Text(
    "The calls of {tool} may take {total} ms ({sum}), which is not less than its own timeout of {timeout} ms (the "
    "default).",
    "{tool} 도구의 호출 시간 합계 {total}ms({sum})가 도구 자신의 timeout {timeout}ms(기본값)보다 작지 않습니다.",
)
_MEND: Final = Text(
    "Write `timeoutMillis: {enough}` here, or let totalTimeoutMillis of {apis} add up to {most} at most.",
    "여기에 `timeoutMillis: {enough}` 값을 쓰거나, {apis} 항목의 totalTimeoutMillis 합계를 {most} 이하로 낮추십시오.",
)
_ADD: Final = Text(
    "Add `{tool}: {{timeoutMillis: {enough}}}` below `tools:` of {file}, or let totalTimeoutMillis of {apis} add up to "
    "{most} at most.",
    "{file} 파일의 `tools:` 아래에 `{tool}: {{timeoutMillis: {enough}}}` 값을 더하거나, {apis} 항목의 "
    "totalTimeoutMillis 합계를 {most} 이하로 낮추십시오.",
)

TK615: Final = Rule(
    id="TK615",
    severity=Severity.ERROR,
    stage=Stage.SERVICE,
    title=Text(
        "What a tool waits for fits into its own timeout, and that into 30000 ms.",
        "도구가 기다리는 시간은 도구 자신의 timeout 안에, timeout은 30000ms 안에 들어야 합니다.",
    ),
    why=Text(
        "Only if every call ends before the tool does can the tool say which system was slow; a gateway cuts a call "
        "off after 30000 ms whatever the tool says. totalTimeoutMillis of an API or an MCI system bounds a call with "
        "all its tries; of each that the tool's code calls it is counted once. Calls that run at the same time may be "
        "allowed with a reason. Source: seed 003 §1.4, toolkit/S5.",
        "모든 호출이 도구보다 먼저 끝나야 어느 시스템이 느렸는지 알 수 있습니다. 게이트웨이는 도구의 값과 상관없이 "
        "30000ms 뒤에 호출을 끊습니다. API와 MCI 시스템의 totalTimeoutMillis는 재시도를 포함한 한 호출의 한도이며, "
        "도구 코드가 호출하는 것마다 한 번씩 더합니다. 동시에 실행하는 호출은 이유를 적고 허용할 수 있습니다. 출처: "
        "설계 가이드 003 §1.4, toolkit/S5.",
    ),
    messages={
        "written": Message(_PROBLEM, _MEND),
        "default": Message(_DEFAULT, _ADD),
        "long": Message(
            _PROBLEM,
            Text(
                "Let totalTimeoutMillis of {apis} add up to {most} at most; a tool's own timeout is 30000 at most.",
                "{apis} 항목의 totalTimeoutMillis 합계를 {most} 이하로 낮추십시오. 도구의 timeout은 30000까지입니다.",
            ),
        ),
        "cap": Message(
            Text(
                "The timeout of {tool} is {timeout} ms, and a gateway cuts a call off after 30000 ms.",
                "{tool} 도구의 timeout은 {timeout}ms인데, 게이트웨이는 30000ms 뒤에 호출을 끊습니다.",
            ),
            Text(
                "Write `timeoutMillis: 30000` or less, and let the tool's calls take less than that together.",
                "`timeoutMillis: 30000` 이하로 쓰고, 도구의 호출 시간 합계를 그보다 작게 하십시오.",
            ),
        ),
    },
    check=_budgets,
    bad="tools: {cmm_claim_search: {timeoutMillis: 5000}}      # claim: totalTimeoutMillis: 5000",
    good="tools: {cmm_claim_search: {timeoutMillis: 6000}}",
)

RULES: Final = (TK615,)
