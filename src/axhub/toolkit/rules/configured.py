"""Whether the configuration can be used: rule TK613 (seed 003 §10, toolkit/S0, toolkit/H1)."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from axhub.toolkit.facts.service import Facts, Located, Settings
from axhub.toolkit.rules.model import Breach, Message, Rule, Severity, Stage, Text
from axhub.toolkit.rules.telling.authored import in_both, listed, nearest, quoted
from axhub.toolkit.rules.telling.setting_faults import (
    BUNDLE_ID,
    MISSING,
    STRANGE,
    SettingsFault,
    follows_from_a_key,
    settings_faults,
)

__all__ = ["RULES"]

_EXAMPLES: Final[Mapping[str, str]] = {
    "name": "claim",
    "domain": "${CLAIM_HTTP_DOMAIN}",
    "url": "/claims/search",
    "method": "POST",
}
_MCI_EXAMPLES: Final[Mapping[str, str]] = {
    "name": "cfpa",
    "host": "${CFPA_MCI_HOST}",
    "port": "${CFPA_MCI_PORT:0}",
    "domain": "${CFPA_MCI_DOMAIN}",
    "url": "/mci/telegrams",
    "lengthField": "{kind: ascii, size: 8}",
    "size": "8",
}
_ENTRY: Final = re.compile(r"glow\.communication\.(?:http\.api|mci\.system)-list\[([0-9]+)\]\.")
_LENGTH: Final = "lengthField"
_MCI: Final = "glow.communication.mci."
_CREDENTIAL: Final = "${NAME} alone"
_OPEN: Final = "${ without its closing }"
_SECTION: Final = "a section"
"""What YAML makes of `{NAME}`."""
_PERCENT: Final = "found character '%' that cannot start any token"
_NAME: Final = "([A-Z_][A-Z0-9_]*)"
_OTHER_VARIABLE: Final = re.compile(rf'"[^"]*?(?:\$\(?{_NAME}|%{_NAME}%|(?<!\$){{{{?{_NAME}}})[^"]*"')
"""A text with a variable as a shell, a batch file or a template writes it; that of a configuration is `${NAME}`."""


def _faults(facts: Facts) -> Iterator[Breach]:
    settings = facts.settings
    if settings is None:
        return
    for fault in settings_faults(settings):
        if fault.key != BUNDLE_ID and not follows_from_a_key(fault, settings):
            yield _fault(facts, fault, settings)
    if not facts.problems:
        yield from _unknown_tools(facts, settings)


def _fault(facts: Facts, fault: SettingsFault, settings: Settings) -> Breach:
    near = fault.allowed.partition(" ")[0]
    values: dict[str, str | int] = {
        "key": fault.key,
        "name": fault.name,
        **in_both("found", fault.found_text),
        "near": near,
        "example": _example(fault, settings),
        "file": settings.path,
        **in_both("allowed", fault.allowed_text),
    }
    if fault.found == MISSING:
        return Breach(fault.place, "missing", {**values, "name": _written_name(fault)})
    if fault.found == STRANGE:
        return Breach(fault.place, "misspelt" if "(the " in fault.allowed else "strange", values)
    if fault.allowed.startswith(_CREDENTIAL):
        return Breach(fault.place, "secret", {**values, "variable": _variable_of(facts, fault) or "NAME"})
    if fault.found == _OPEN:
        return Breach(fault.place, "open", values)
    variant, more = _of_value(fault)
    return Breach(fault.place, variant, {**values, **more})


def _of_value(fault: SettingsFault) -> tuple[str, dict[str, str | int]]:
    """Return which message tells that a value cannot be used, with what it shows besides."""
    method = fault.found.strip('"').upper()
    if fault.name == "method" and method in fault.allowed.replace(",", "").split():
        return "method", {"method": method}
    if not fault.key:
        return "percent" if _PERCENT in fault.found else "file", {}
    if (meant := _OTHER_VARIABLE.match(fault.found)) is not None:
        return "variable", {"text": meant[0], "variable": next(filter(None, meant.groups()))}
    return "section" if fault.found == _SECTION and _ENTRY.match(fault.key) is not None else "value", {}


def _written_name(fault: SettingsFault) -> str:
    """Return the key that is to be written: of a section inside an entry the section with all that it needs."""
    return _LENGTH if fault.key.endswith(f".{_LENGTH}.kind") else fault.name


def _example(fault: SettingsFault, settings: Settings) -> str:
    """Return a value to write for a missing key: of an address the variable that bears the system's own name."""
    is_mci, entry = fault.key.startswith(_MCI), _ENTRY.match(fault.key)
    written = (_MCI_EXAMPLES if is_mci else _EXAMPLES).get(_written_name(fault), "…")
    if not written.startswith("${") or entry is None or any(one.name == "name" for one in settings_faults(settings)):
        return written
    names = [one.name.value for one in (settings.systems if is_mci else settings.apis)]
    if int(entry[1]) >= len(names):
        return written
    name = re.sub("[^A-Z0-9]+", "_", names[int(entry[1])].upper())
    return f"${{AXHUB_{name}_{re.sub('^[^_]+_', '', written[2:])}"


def _variable_of(facts: Facts, fault: SettingsFault) -> str | None:
    """Return the variable that a header was to be: that in its line, else the one that definitions name in vain."""
    settings = facts.settings
    places = [place for api in (settings.apis if settings is not None else ()) for place in api.environment.items()]
    here = {name for name, place in places if place.line == fault.place.line}
    if len(here) == 1:
        return next(iter(here))
    read = {one.value for module in facts.modules for one in module.environment}
    read |= {name for name, _ in places}
    keys = [definition.values.get("required_env_keys") for definition in facts.definitions]
    names = {name for listed in keys if isinstance(listed, list) for name in listed if isinstance(name, str)}
    return next(iter(names - read)) if len(names - read) == 1 else None


def _unknown_tools(facts: Facts, settings: Settings) -> Iterator[Breach]:
    """Find names of tools in the configuration that no tool has: what is meant for it would do nothing."""
    tools = [one.name for one in facts.declared if one.name is not None]
    if any(one.name is None or facts.is_doubled(one.name) for one in facts.declared):
        return
    written = [*settings.disabled, *(Located(name, one.place) for name, one in settings.timeouts.items())]
    for one in written:
        if one.value not in tools:
            near = nearest(one.value, tools)
            values = {"name": quoted(str(one.value)), "near": near or "", "known": listed(tools) or "-"}
            yield Breach(
                settings.tool_places.get(one.value, one.place), "tool" if near is None else "tool-near", values
            )


_NO_TOOL: Final = Text(
    "The configuration names the tool {name}, which this service does not have.",
    "설정에 적은 도구 {name} 항목이 이 서비스에 없습니다.",
)

TK613: Final = Rule(
    id="TK613",
    severity=Severity.ERROR,
    stage=Stage.SOURCE,
    title=Text(
        "The configuration is complete, and every value in it can be used.",
        "설정에는 필요한 값이 모두 있고 모든 값을 쓸 수 있어야 합니다.",
    ),
    why=Text(
        "A service with a fault in its configuration does not start; here it shows before the wheel is built. "
        "Variables "
        "of the environment need not be set for the check. That a default with localhost is not used outside the "
        "profile local (TK614) is seen at the start only, where the profile and the variables are known; the service "
        "then does not start. Source: seed 003 §10, toolkit/S0, toolkit/H1.",
        "설정이 잘못된 서비스는 시작하지 않습니다. 이 검사는 wheel을 만들기 전에 알려 줍니다. 검사할 때 환경 변수를 "
        "설정할 필요는 "
        "없습니다. localhost 기본값을 local 이외의 프로필에서 쓰는지(TK614)는 프로필과 변수를 아는 시작 시점에만 알 수 "
        "있고, 그때 "
        "서비스가 시작하지 않습니다. 출처: 설계 가이드 003 §10, toolkit/S0, toolkit/H1.",
    ),
    messages={
        "missing": Message(
            Text("The key {key} is missing.", "설정 {key} 값이 없습니다."),
            Text(
                "Write `{name}: {example}` here; allowed is {allowed}.",
                "여기에 `{name}: {example}`처럼 쓰십시오. 허용: {allowed_ko}.",
            ),
        ),
        "misspelt": Message(
            Text("There is no key {key}.", "설정에 {key} 키는 없습니다."),
            Text('Write "{near}", if that is meant.', '"{near}" 키를 뜻했다면 그렇게 쓰십시오.'),
        ),
        "strange": Message(
            Text("There is no key {key}.", "설정에 {key} 키는 없습니다."),
            Text("Remove it; allowed is {allowed}.", "지우십시오. 허용: {allowed_ko}."),
        ),
        "secret": Message(
            Text(
                "The header {key} has a value that does not come from one variable of the environment.",
                "헤더 {key} 값이 환경 변수 하나에서 오지 않습니다.",
            ),
            Text(
                "Write `{name}: ${{{variable}}}`, without a default, and set that variable; a credential that stood "
                "in this file has to be replaced.",
                "`{name}: ${{{variable}}}` 값을 기본값 없이 쓰고 그 환경 변수를 설정하십시오. 이 파일에 있던 인증 값은 "
                "새 "
                "값으로 "
                "바꾸십시오.",
            ),
        ),
        "open": Message(
            Text(
                "The value of {key} has a `${{` without its `}}`.", "설정 {key} 값에 닫는 `}}`가 없는 `${{`가 있습니다."
            ),
            Text(
                "Close it: `${{NAME}}`, or `${{NAME:default}}` for a variable that may be unset.",
                "닫으십시오: `${{NAME}}`, 또는 설정되지 않을 수 있는 변수는 `${{NAME:기본값}}`.",
            ),
        ),
        "variable": Message(
            Text(
                "The value of {key} cannot be used: in {text} nothing is replaced by a variable of the environment.",
                "설정 {key} 값을 쓸 수 없습니다. {text} 값은 환경 변수로 치환되지 않습니다.",
            ),
            Text(
                "Write the variable as `${{{variable}}}`, or as `${{{variable}:default}}` if it may be unset.",
                "환경 변수를 `${{{variable}}}`, 설정되지 않을 수 있으면 `${{{variable}:기본값}}`처럼 쓰십시오.",
            ),
        ),
        "method": Message(
            Text(
                "The value of {key} cannot be used; here stands {found}.",
                "설정 {key} 값을 쓸 수 없습니다. 지금 값: {found_ko}.",
            ),
            Text("Write {method}.", "{method} 값을 쓰십시오."),
        ),
        "value": Message(
            Text(
                "The value of {key} cannot be used; here stands {found}.",
                "설정 {key} 값을 쓸 수 없습니다. 지금 값: {found_ko}.",
            ),
            Text("Write {allowed}.", "허용되는 값으로 고치십시오: {allowed_ko}."),
        ),
        "file": Message(
            Text("The configuration cannot be read ({found}).", "설정을 읽을 수 없습니다({found_ko})."),
            Text("Put {allowed} there.", "허용되는 내용으로 고치십시오: {allowed_ko}."),
        ),
        "section": Message(
            Text(
                "The value of {key} cannot be used; here stands {found}.",
                "설정 {key} 값을 쓸 수 없습니다. 지금 값: {found_ko}.",
            ),
            Text(
                "Write {allowed}; a variable of the environment is written as `${{NAME}}`.",
                "허용되는 값으로 고치십시오: {allowed_ko}. 환경 변수는 `${{NAME}}`처럼 씁니다.",
            ),
        ),
        "percent": Message(
            Text("The configuration cannot be read ({found}).", "설정을 읽을 수 없습니다({found_ko})."),
            Text(
                "Write a variable of the environment as `${{NAME}}`, or as `${{NAME:default}}` if it may be unset; put "
                "any other value with % in front in quotes.",
                "환경 변수는 `${{NAME}}`, 설정되지 않을 수 있으면 `${{NAME:기본값}}`처럼 쓰고, %로 시작하는 다른 값은 "
                "따옴표로 묶으십시오.",
            ),
        ),
        "tool-near": Message(
            _NO_TOOL,
            Text('Write "{near}", if that is meant.', '"{near}" 도구를 뜻했다면 그렇게 쓰십시오.'),
        ),
        "tool": Message(
            _NO_TOOL,
            Text("Remove it, or name one of: {known}.", "지우거나 있는 도구를 쓰십시오: {known}."),
        ),
    },
    check=_faults,
    bad="- name: claim\n  domain: ${CLAIM_HTTP_DOMAIN\n  url: claims/search",
    good="- name: claim\n  domain: ${CLAIM_HTTP_DOMAIN}\n  url: /claims/search\n  method: POST",
)

RULES: Final = (TK613,)
