"""Whether each API that a client names is configured: rule TK611 (seed 003 §10)."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from axhub.configuration.faults import excerpt
from axhub.toolkit.facts.following import Package, text_in
from axhub.toolkit.facts.service import Facts, Layer, Located, Place, Settings
from axhub.toolkit.rules.model import Breach, Message, Rule, Severity, Stage, Text
from axhub.toolkit.rules.telling.authored import listed, nearest
from axhub.toolkit.rules.telling.setting_faults import SettingsFault, settings_faults

__all__ = ["RULES"]

_API_NAME: Final = "API_NAME"
_MCI: Final = ".infra.mci."
_INSIDE_ENTRY: Final = re.compile(r"glow\.communication\.http\.api-list\[\d+\]\.(?!name$).*", re.DOTALL)


def _apis(facts: Facts) -> Iterator[Breach]:
    yield from _computed(facts)
    settings = facts.settings
    if settings is None:
        return
    yield from _twice(settings)
    if any(_hides_entries(fault) for fault in settings_faults(settings)):
        return  # which entries there are is not known; TK613 says why
    entries = {api.name.value: api.name for api in settings.apis}
    named = dict(_named(facts))
    unknown = {name: places for name, places in named.items() if name not in entries}
    meant = set()
    for name, place in unknown.items():
        near = nearest(name, [entry for entry in entries if entry not in named]) or nearest(name, entries)
        meant.add(near)
        values = {"name": excerpt(name), "near": near or "", "known": listed(entries) or "-", "config": settings.path}
        variant = "misspelt" if near is not None else "unknown" if entries else "none"
        yield Breach(place, variant, values)
    if not facts.problems and not _is_open(facts):
        yield from _unused(facts, entries, {*named, *meant})


def _computed(facts: Facts) -> Iterator[Breach]:
    for module in facts.modules:
        for found in module.classes if module.layer is Layer.CLIENT and _MCI not in f"{module.name}." else ():
            if (place := found.computed.get(_API_NAME)) is not None:
                yield Breach(place, "computed", {"class": found.name})


def _twice(settings: Settings) -> Iterator[Breach]:
    first: dict[str, Place] = {}
    for api in settings.apis:
        if api.name.value in first:
            values: dict[str, str | int] = {"name": excerpt(api.name.value), "line": first[api.name.value].line}
            yield Breach(api.name.place, "twice", values)
        first.setdefault(api.name.value, api.name.place)


def _hides_entries(fault: SettingsFault) -> bool:
    """Say whether an entry or its name may be hidden behind a fault."""
    if not fault.key:
        return True
    around = fault.key.startswith("glow") or fault.allowed.startswith("glow")
    return around and _INSIDE_ENTRY.fullmatch(fault.key) is None


def _named(facts: Facts) -> Iterator[tuple[str, Place]]:
    """Yield the API names of clients with where they stand; of several places the best comes last."""
    package = Package(facts)
    for module in reversed(facts.modules):
        if _MCI in f"{module.name}.":
            continue
        for call in module.calls:
            function = package.functions.get(call.function)
            if function is not None and package.is_http_call(call.resolved, function[0]):
                text = text_in(next(iter(call.arguments), call.keywords.get("api", "")))
                if text is not None:
                    yield text, call.place
                else:
                    yield from ((name, call.place) for name in package.api_of(call, function[0]))
        for found in reversed(module.classes):
            if (constant := found.constants.get(_API_NAME)) is not None:
                yield constant.value, constant.place


def _is_open(facts: Facts) -> bool:
    """Say whether a client takes the name of its API from somewhere else, so that any entry may be used."""
    package = Package(facts)
    return any(
        package.is_http_call(call.resolved, function) and not list(package.api_of(call, function))
        for function, _ in package.functions.values()
        for call in package.calls.get(function.qualified, ())
    )


def _unused(facts: Facts, entries: Mapping[str, Located[str]], used: set[str | None]) -> Iterator[Breach]:
    """Find entries whose name stands nowhere in the code."""
    written = {literal.value for module in facts.modules for literal in module.literals}
    for name, place in entries.items():
        if name not in used and name not in written:
            yield Breach(place.place, "unused", {"name": excerpt(name)}, severity=Severity.WARNING)


_UNKNOWN: Final = Text(
    'The client names the API "{name}", which no entry of the api-list in {config} has.',
    '클라이언트의 API 이름 "{name}" 값이 {config} 파일의 api-list 항목에 없습니다.',
)

TK611: Final = Rule(
    id="TK611",
    severity=Severity.ERROR,
    stage=Stage.SOURCE,
    title=Text(
        "Each API that a client names has one entry in the configuration.",
        "클라이언트가 쓰는 API 이름마다 설정 항목이 하나씩 있어야 합니다.",
    ),
    why=Text(
        "A client knows an API by the name of its entry in glow.communication.http.api-list, `API_NAME`, and nothing "
        "else, so a name that is misspelt on one side is an API that cannot be called. An entry that no client names "
        "is "
        "a warning. Source: seed 003 §10.",
        "클라이언트는 glow.communication.http.api-list 항목의 이름(`API_NAME`)으로만 API를 알기 때문에, 한쪽이라도 "
        "철자가 "
        "틀리면 "
        "호출할 수 없습니다. 어떤 클라이언트도 쓰지 않는 항목은 경고입니다. 출처: 설계 가이드 003 §10.",
    ),
    messages={
        "computed": Message(
            Text(
                "The API_NAME of {class} is computed, so it cannot be compared with the configuration.",
                "{class}의 API_NAME 값이 계산식이어서 설정과 비교할 수 없습니다.",
            ),
            Text(
                'Write the name of the entry itself: `API_NAME = "…"`.',
                '항목의 이름을 그대로 쓰십시오: `API_NAME = "…"`.',
            ),
        ),
        "misspelt": Message(
            _UNKNOWN,
            Text(
                'Write "{near}", if that is meant; the entries are: {known}.',
                '"{near}" 항목을 뜻했다면 그렇게 쓰십시오. 있는 항목: {known}.',
            ),
        ),
        "unknown": Message(
            _UNKNOWN,
            Text(
                "Name one of the entries ({known}), or add one: `- {{name: {name}, domain: …, url: …, method: …}}`.",
                "있는 항목({known}) 가운데 하나를 쓰거나 항목을 더하십시오: `- {{name: {name}, domain: …, url: …, "
                "method: "
                "…}}`.",
            ),
        ),
        "none": Message(
            _UNKNOWN,
            Text(
                "Add it there below glow.communication.http.api-list: `- {{name: {name}, domain: …, url: …, method: "
                "…}}`.",
                "그 파일의 glow.communication.http.api-list 아래에 더하십시오: `- {{name: {name}, domain: …, url: …, "
                "method: "
                "…}}`.",
            ),
        ),
        "twice": Message(
            Text(
                'The API name "{name}" stands in line {line} already.',
                'API 이름 "{name}" 값은 이미 {line}번째 줄에 있습니다.',
            ),
            Text(
                "Give this entry a name of its own, and let its client name it, or remove it.",
                "이 항목에 다른 이름을 주고 클라이언트의 API_NAME도 맞추거나, 항목을 지우십시오.",
            ),
        ),
        "unused": Message(
            Text(
                'No client names the API "{name}".',
                'API "{name}" 항목을 쓰는 클라이언트가 없습니다.',
            ),
            Text(
                'Remove the entry, or let a client name it: `API_NAME = "{name}"`.',
                '항목을 지우거나 클라이언트에서 쓰십시오: `API_NAME = "{name}"`.',
            ),
        ),
    },
    check=_apis,
    bad='API_NAME = "claims"      # config/service.yaml: - name: claim',
    good='API_NAME = "claim"',
)

RULES: Final = (TK611,)
