"""Whether each API and each MCI system that a client names is configured: rule TK611 (seed 003 §9 and §10)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from axhub.configuration.faults import excerpt
from axhub.toolkit.facts.following import HTTP, MCI, Package, Wire, text_in
from axhub.toolkit.facts.service import Facts, Layer, Literal, Located, Place, Settings
from axhub.toolkit.rules.constants import addresses_in
from axhub.toolkit.rules.model import Breach, Message, Rule, Severity, Stage, Text
from axhub.toolkit.rules.telling.authored import listed, nearest
from axhub.toolkit.rules.telling.setting_faults import SettingsFault, settings_faults

__all__ = ["RULES", "known_names"]


_OF_ADDRESSES: Final = "TK612"


class _Kind(NamedTuple):
    """One kind of what clients call by a name."""

    wire: Wire
    prefix: str
    """Of the messages about it."""
    inside: re.Pattern[str]
    """Keys inside an entry, but for its name."""

    def entries(self, settings: Settings) -> Sequence[Located[str]]:
        """Return the names of the entries, with their places."""
        listed_here = settings.systems if self.wire is MCI else settings.apis
        return [entry.name for entry in listed_here]

    def is_of(self, facts: Facts, place: Place) -> bool:
        """Say whether a constant that stands in a module is of this kind."""
        module = next((one for one in facts.modules if one.path == place.file), None)
        return module is None or module.is_mci is (self.wire is MCI)


_KINDS: Final = (
    _Kind(HTTP, "", re.compile(r"glow\.communication\.http\.api-list\[\d+\]\.(?!name$).*", re.DOTALL)),
    _Kind(MCI, "system-", re.compile(r"glow\.communication\.mci\.system-list\[\d+\]\.(?!name$).*", re.DOTALL)),
)


def known_names(facts: Facts, wire: Wire) -> frozenset[str] | None:
    """Return the names of all systems of one kind, configured or only named by a client; None where they may be others.

    Args:
        facts: of the service.
        wire: the kind.
    """
    kind = next(one for one in _KINDS if one.wire is wire)
    settings = facts.settings
    if settings is None or facts.problems or any(_hides_entries(fault) for fault in settings_faults(settings)):
        return None
    entries = {name.value for name in kind.entries(settings)}
    if not entries and _is_open(facts, kind):
        return None  # an adapter of the service's own may know others
    return frozenset({*entries, *(name for name, _ in _named(facts, kind))}) or None


def _names(facts: Facts) -> Iterator[Breach]:
    for kind in _KINDS:
        yield from _of_kind(facts, kind)


def _of_kind(facts: Facts, kind: _Kind) -> Iterator[Breach]:
    addresses = list(_addresses(facts))
    yield from _computed(facts, kind, addresses)
    settings = facts.settings
    if settings is None:
        return
    yield from _twice(settings, kind)
    if any(_hides_entries(fault) for fault in settings_faults(settings)):
        return  # which entries there are is not known; TK613 says why
    entries = {name.value: name for name in kind.entries(settings)}
    named = dict(_named(facts, kind))
    addressed = {literal.value for literal in addresses} & named.keys() - entries.keys()
    unknown = {name: place for name, place in named.items() if name not in entries and name not in addressed}
    meant = set()
    for name, place in unknown.items():
        near = nearest(name, [entry for entry in entries if entry not in named]) or nearest(name, entries)
        meant.add(near)
        values = {"name": excerpt(name), "near": near or "", "known": listed(entries) or "-", "config": settings.path}
        variant = "misspelt" if near is not None else "unknown" if entries else "none"
        yield Breach(place, f"{kind.prefix}{variant}", values)
    if not facts.problems and not addressed and not _is_open(facts, kind):
        yield from _unused(facts, entries, {*named, *meant}, kind)


def _addresses(facts: Facts) -> Iterator[Literal]:
    """Yield the addresses in the code that rule/TK612 tells, with what to write in their place."""
    for module in facts.modules:
        yield from (one for one, _ in addresses_in(module) if not _is_allowed(facts, one.place))


def _is_allowed(facts: Facts, place: Place) -> bool:
    return any(
        _OF_ADDRESSES in one.rules
        and one.reason
        and one.place.file == place.file
        and one.first <= place.line <= one.last
        for one in facts.allowances
    )


def _is_address(place: Place, kind: _Kind, addresses: Sequence[Literal]) -> bool:
    """Say whether a name that is put together in a place is an address."""
    return any(
        one.name == kind.wire.constant and (one.place.file, one.place.line) == (place.file, place.line)
        for one in addresses
    )


def _computed(facts: Facts, kind: _Kind, addresses: Sequence[Literal]) -> Iterator[Breach]:
    for module in facts.modules:
        for found in module.classes if module.layer is Layer.CLIENT else ():
            place = found.computed.get(kind.wire.constant)
            if place is not None and kind.is_of(facts, place) and not _is_address(place, kind, addresses):
                yield Breach(place, f"{kind.prefix}computed", {"class": found.name})


def _twice(settings: Settings, kind: _Kind) -> Iterator[Breach]:
    first: dict[str, Place] = {}
    for name in kind.entries(settings):
        if name.value in first:
            values: dict[str, str | int] = {"name": excerpt(name.value), "line": first[name.value].line}
            yield Breach(name.place, f"{kind.prefix}twice", values)
        first.setdefault(name.value, name.place)


def _hides_entries(fault: SettingsFault) -> bool:
    """Say whether an entry or its name may be hidden behind a fault."""
    if not fault.key:
        return True
    around = fault.key.startswith("glow") or fault.allowed.startswith("glow")
    return around and not any(kind.inside.fullmatch(fault.key) for kind in _KINDS)


def _named(facts: Facts, kind: _Kind) -> Iterator[tuple[str, Place]]:
    """Yield the names that clients use with where they stand; of several places the best comes last."""
    package = Package(facts)
    for module in reversed(facts.modules):
        for call in module.calls:
            function = package.functions.get(call.function)
            if function is not None and package.is_call(call.resolved, function[0], kind.wire):
                text = text_in(next(iter(call.arguments), call.keywords.get(kind.wire.argument, "")))
                if text is not None:
                    yield text, call.place
                else:
                    yield from ((name, call.place) for name in package.name_in(call, function[0], kind.wire))
        for found in reversed(module.classes):
            constant = found.constants.get(kind.wire.constant)
            if constant is not None and kind.is_of(facts, constant.place):
                yield constant.value, constant.place


def _is_open(facts: Facts, kind: _Kind) -> bool:
    """Say whether a client takes the name of its system from somewhere else, so that any entry may be used."""
    package = Package(facts)
    return any(
        package.is_call(call.resolved, function, kind.wire) and not list(package.name_in(call, function, kind.wire))
        for function, _ in package.functions.values()
        for call in package.calls.get(function.qualified, ())
    )


def _unused(facts: Facts, entries: Mapping[str, Located[str]], used: set[str | None], kind: _Kind) -> Iterator[Breach]:
    """Find entries whose name stands nowhere in the code."""
    written = {literal.value for module in facts.modules for literal in module.literals}
    for name, place in entries.items():
        if name not in used and name not in written:
            yield Breach(place.place, f"{kind.prefix}unused", {"name": excerpt(name)}, severity=Severity.WARNING)


_UNKNOWN: Final = Text(
    'The client names the API "{name}", which no entry of the api-list in {config} has.',
    '클라이언트의 API 이름 "{name}" 값이 {config} 파일의 api-list 항목에 없습니다.',
)
_NO_SYSTEM: Final = Text(
    'The client names the system "{name}", which no entry of the system-list in {config} has.',
    '클라이언트의 시스템 이름 "{name}" 값이 {config} 파일의 system-list 항목에 없습니다.',
)
_NEAR: Final = Text(
    'Write "{near}", if that is meant; the entries are: {known}.',
    '"{near}" 항목을 뜻했다면 그렇게 쓰십시오. 있는 항목: {known}.',
)

_OF_APIS: Final[Mapping[str, Message]] = {
    "computed": Message(
        Text(
            "The API_NAME of {class} is computed, so it cannot be compared with the configuration.",
            "{class}의 API_NAME 값이 계산식이어서 설정과 비교할 수 없습니다.",
        ),
        Text(
            'Write the name of the entry itself: `API_NAME = "…"`.', '항목의 이름을 그대로 쓰십시오: `API_NAME = "…"`.'
        ),
    ),
    "misspelt": Message(_UNKNOWN, _NEAR),
    "unknown": Message(
        _UNKNOWN,
        Text(
            "Name one of the entries ({known}), or add one: `- {{name: {name}, domain: …, url: …, method: …}}`.",
            "있는 항목({known}) 가운데 하나를 쓰거나 항목을 더하십시오: `- {{name: {name}, domain: …, url: …, method: "
            "…}}`.",
        ),
    ),
    "none": Message(
        _UNKNOWN,
        Text(
            "Add it there below glow.communication.http.api-list: `- {{name: {name}, domain: …, url: …, method: …}}`.",
            "그 파일의 glow.communication.http.api-list 아래에 더하십시오: `- {{name: {name}, domain: …, url: …, "
            "method: …}}`.",
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
        Text('No client names the API "{name}".', 'API "{name}" 항목을 쓰는 클라이언트가 없습니다.'),
        Text(
            'Remove the entry, or let a client name it: `API_NAME = "{name}"`.',
            '항목을 지우거나 클라이언트에서 쓰십시오: `API_NAME = "{name}"`.',
        ),
    ),
}
_OF_SYSTEMS: Final[Mapping[str, Message]] = {
    "system-computed": Message(
        Text(
            "The SYSTEM of {class} is computed, so it cannot be compared with the configuration.",
            "{class}의 SYSTEM 값이 계산식이어서 설정과 비교할 수 없습니다.",
        ),
        Text('Write the name of the entry itself: `SYSTEM = "…"`.', '항목의 이름을 그대로 쓰십시오: `SYSTEM = "…"`.'),
    ),
    "system-misspelt": Message(_NO_SYSTEM, _NEAR),
    "system-unknown": Message(
        _NO_SYSTEM,
        Text(
            "Name one of the entries ({known}), or add one: `- {{name: {name}, host: …, port: …, lengthField: …}}`.",
            "있는 항목({known}) 가운데 하나를 쓰거나 항목을 더하십시오: `- {{name: {name}, host: …, port: …, "
            "lengthField: …}}`.",
        ),
    ),
    "system-none": Message(
        _NO_SYSTEM,
        Text(
            "Add it there below glow.communication.mci.system-list: `- {{name: {name}, host: …, port: …, lengthField: "
            "…}}`.",
            "그 파일의 glow.communication.mci.system-list 아래에 더하십시오: `- {{name: {name}, host: …, port: …, "
            "lengthField: …}}`.",
        ),
    ),
    "system-twice": Message(
        Text(
            'The system name "{name}" stands in line {line} already.',
            '시스템 이름 "{name}" 값은 이미 {line}번째 줄에 있습니다.',
        ),
        Text(
            "Give this entry a name of its own, and let its client name it, or remove it.",
            "이 항목에 다른 이름을 주고 클라이언트의 SYSTEM도 맞추거나, 항목을 지우십시오.",
        ),
    ),
    "system-unused": Message(
        Text('No client names the system "{name}".', '시스템 "{name}" 항목을 쓰는 클라이언트가 없습니다.'),
        Text(
            'Remove the entry, or let a client name it: `SYSTEM = "{name}"`.',
            '항목을 지우거나 클라이언트에서 쓰십시오: `SYSTEM = "{name}"`.',
        ),
    ),
}

TK611: Final = Rule(
    id="TK611",
    severity=Severity.ERROR,
    stage=Stage.SOURCE,
    title=Text(
        "Each API and each MCI system that a client names has one entry in the configuration.",
        "클라이언트가 쓰는 API 이름과 MCI 시스템 이름마다 설정 항목이 하나씩 있어야 합니다.",
    ),
    why=Text(
        "A client knows an API by the name of its entry in glow.communication.http.api-list, `API_NAME`, and an MCI "
        "system by that in glow.communication.mci.system-list, `SYSTEM`, and nothing else, so a name that is misspelt "
        "on one side is a system that cannot be called. An entry that no client names is a warning. Source: seed 003 "
        "§9 and §10.",
        "클라이언트는 glow.communication.http.api-list 항목의 이름(`API_NAME`)이나 glow.communication.mci.system-list "
        "항목의 이름(`SYSTEM`)으로만 상대를 알기 때문에, 한쪽이라도 철자가 틀리면 호출할 수 없습니다. 어떤 "
        "클라이언트도 쓰지 않는 항목은 경고입니다. 출처: 설계 가이드 003 §9, §10.",
    ),
    messages={**_OF_APIS, **_OF_SYSTEMS},
    check=_names,
    bad='API_NAME = "claims"      # config/service.yaml: - name: claim',
    good='API_NAME = "claim"',
)

RULES: Final = (TK611,)
