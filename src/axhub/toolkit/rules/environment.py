"""Which environment variables a tool needs: rule TK312 (seed 003 §5, toolkit/S7).

What a tool uses is followed from its function over the types of constructor and function parameters: to the classes of
the package that are built for it, and from their API names to the entries of the configuration; besides over its calls
to functions, as those of a converter.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from axhub.configuration.faults import excerpt
from axhub.toolkit.facts.following import HTTP, MCI, Package, Wire
from axhub.toolkit.facts.service import Api, Call, Class, Declared, Definition, Facts, Function, Module, Place, System
from axhub.toolkit.rules.definitions import readable, value_at
from axhub.toolkit.rules.model import Breach, Message, Rule, Severity, Stage, Text
from axhub.toolkit.rules.telling.authored import described, in_both, is_blank, listed, nearest, quoted
from axhub.toolkit.rules.telling.setting_faults import settings_faults

__all__ = ["RULES"]

_KEYS: Final = "/required_env_keys"
_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_PLAIN: Final = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_PROTOCOL: Final = "typing.Protocol"
_GIVEN: Final = "axhub."
"""What comes from the toolkit reads no variables of its own."""


@dataclass(slots=True)
class _Uses:
    """What one tool reads."""

    needed: dict[str, str] = field(default_factory=dict)
    """Variables without a default, with where they are read."""
    optional: set[str] = field(default_factory=set)
    whole: bool = True
    """Whether everything that the tool is built from could be followed."""


class _Package:
    """Classes and functions of a package by their qualified names."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.following = Package(facts)
        self.classes: dict[str, tuple[Class, Module]] = {}
        self.functions: dict[str, Function] = {}
        for module in facts.modules:
            self.classes.update({found.qualified: (found, module) for found in module.classes})
            self.functions.update({found.qualified: found for found in module.functions})

    def uses(self, declared: Declared) -> _Uses:
        """Return what a tool reads."""
        uses = _Uses()
        modules = {declared.module: next((one for one in self.facts.modules if one.path == declared.module), None)}
        named: dict[Wire, set[str]] = {HTTP: set(), MCI: set()}
        for found, module in self._parts(declared, uses):
            modules[module.path] = module
            for wire, names in named.items():
                names |= set(self._names(found, module, wire))
        for name, place, module in self._reads(declared, [one for one in modules.values() if one is not None]):
            if name in module.defaulted:
                uses.optional.add(name)
            else:
                uses.needed.setdefault(name, str(place))
        for wire, names in named.items():
            entries = _entries(self.facts, wire)
            uses.whole = uses.whole and names <= {entry.name.value for entry in entries}  # else rule/TK611
            for entry in entries:
                if entry.name.value in names:
                    _add(entry, uses)
        return uses

    def _reads(self, declared: Declared, modules: Iterable[Module]) -> Iterator[tuple[str, Place, Module]]:
        """Yield what the code of a tool reads: in the modules of its classes, and in the functions that it calls."""
        for one in modules:
            yield from ((read.value, read.place, one) for read in one.environment)
        for function in self.following.functions_of(declared):
            module = self.following.functions[function.qualified][1]
            yield from ((name, place, module) for name, place in function.reads.items())

    def _names(self, found: Class, module: Module, wire: Wire) -> Iterator[str]:
        """Yield what a class calls the systems by that it calls over one way."""
        constant = found.constants.get(wire.constant) if module.is_mci is (wire is MCI) else None
        if constant is not None:
            yield constant.value
        for call in module.calls:
            function = self.functions.get(call.function)
            is_own = function is not None and call.function.startswith(f"{found.qualified}.")
            if function is not None and is_own and call.arguments and self._is_call(call, function, wire):
                yield call.arguments[0].strip("\"'")

    def _is_call(self, call: Call, function: Function, wire: Wire) -> bool:
        """Say whether a call goes one way; what is called on something of an unknown type goes over HTTP."""
        is_mci = self.following.is_call(call.resolved, function, MCI)
        return is_mci if wire is MCI else not is_mci and call.callee.endswith(".call")

    def _parts(self, declared: Declared, uses: _Uses) -> Iterator[tuple[Class, Module]]:
        """Yield the classes that a tool is built from."""
        owner = declared.function.rpartition(".")[0]
        first = [owner, *self._implementers(owner)] if owner in self.classes else self._needs(declared.function)
        waiting, seen = list(first), set()
        while waiting:
            name = waiting.pop()
            if name in seen or name.startswith(_GIVEN) or "." not in name:
                continue
            seen.add(name)
            if name not in self.classes:
                uses.whole = uses.whole and not name.startswith(f"{self.facts.project.package}.")
                continue
            yield self.classes[name]
            bases, implementers = self.classes[name][0].bases, self._implementers(name)
            uses.whole = uses.whole and (bool(implementers) or _PROTOCOL not in bases)
            waiting += [*self._needs(f"{name}.__init__"), *bases, *implementers]

    def _implementers(self, name: str) -> list[str]:
        return [found.qualified for found, _ in self.classes.values() if name in found.bases]

    def _needs(self, function: str) -> list[str]:
        found = self.functions.get(function)
        return [] if found is None else [one.value for one in found.parameters.values()]


def _entries(facts: Facts, wire: Wire) -> tuple[Api, ...] | tuple[System, ...]:
    if facts.settings is None:
        return ()
    return facts.settings.systems if wire is MCI else facts.settings.apis


def _add(entry: Api | System, uses: _Uses) -> None:
    """Note what an entry reads: without a default, or inside one, where it is needed only if another one is not set."""
    bare = {name for value in entry.values.values() for name in _bare(value.value)}
    bare |= entry.secrets if isinstance(entry, Api) else frozenset()
    for name, place in entry.environment.items():
        if name in bare:
            uses.needed.setdefault(name, str(place))
        else:
            uses.optional.add(name)


def _bare(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        depth = 0
        for at, character in enumerate(value):
            if depth == 0 and (found := _PLAIN.match(value, at)) is not None:
                yield found[1]
            depth += value.startswith("${", at) - (character == "}" and depth > 0)
    elif isinstance(value, Mapping | list):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from _bare(item)


def _environment(facts: Facts) -> Iterator[Breach]:
    if facts.import_problem is not None:
        return  # rule/TK002: what the tools are built from is not known
    package = _Package(facts)
    read = {one.value for module in facts.modules for one in module.environment}
    read |= {name for wire in (HTTP, MCI) for entry in _entries(facts, wire) for name in entry.environment}
    known = read if _is_grounded(facts) else None
    for definition in readable(facts):
        listed_keys = value_at(definition, _KEYS)
        if listed_keys is ...:
            continue
        if not isinstance(listed_keys, list):
            variant = "none" if is_blank(listed_keys) else "kind"
            names = _VARIABLE.findall(listed_keys) if isinstance(listed_keys, str) else []
            said = {**in_both("found", described(listed_keys)), "better": listed(names or ["CLAIM_API_KEY"])}
            yield Breach(definition.place(_KEYS), variant, said, definition.stem)
            continue
        wrong = list(_shapes(definition, listed_keys))
        yield from wrong
        declared = facts.declared_as(definition.stem)
        if declared is not None and not wrong and not facts.is_doubled(declared.name):
            yield from _compared(definition, listed_keys, package.uses(declared), known)


def _is_grounded(facts: Facts) -> bool:
    """Say whether all that is read is known: no source, name, entry or header hides a variable, no client its API."""
    if facts.settings is None or facts.problems or facts.unreadable:
        return False
    if any(module.hides_environment for module in facts.modules):
        return False
    hiding = (fault for fault in settings_faults(facts.settings) if not fault.key or fault.key.startswith("glow"))
    if any(True for _ in hiding):
        return False  # rule/TK613
    package = Package(facts)
    calls = ((call, one) for one, _ in package.functions.values() for call in package.calls.get(one.qualified, ()))
    return all(
        any(True for _ in package.name_in(call, one, wire))
        for call, one in calls
        for wire in (HTTP, MCI)
        if package.is_call(call.resolved, one, wire)
    )


def _shapes(definition: Definition, keys: list[Any]) -> Iterator[Breach]:
    for at, key in enumerate(keys):
        if not isinstance(key, str) or _VARIABLE.fullmatch(key) is None:
            found = re.search(_VARIABLE, key) if isinstance(key, str) else None
            variant = "name" if found is None else "bare"
            values: dict[str, str | int] = {"key": quoted(key), "better": found[0] if found else "", "number": at + 1}
            yield Breach(definition.place(f"{_KEYS}/{at}"), variant, values, definition.stem)


def _compared(definition: Definition, keys: list[str], uses: _Uses, read: set[str] | None) -> Iterator[Breach]:
    """Compare what is listed with what is used; `read` is None where a file could not be read, so that nobody knows."""
    meant = _meant(keys, uses, read)
    for name, place in uses.needed.items():
        if name not in keys and name not in meant.values():
            better = listed([*keys, name])
            values = {"name": excerpt(name), "where": place, "better": better}
            yield Breach(definition.place(_KEYS), "unlisted", values, definition.stem)
    for at, name in enumerate(keys):
        if name in meant:
            values = {"name": excerpt(name), "near": meant[name], "where": uses.needed[meant[name]]}
            yield Breach(definition.place(f"{_KEYS}/{at}"), "misspelt", values, definition.stem)
            continue
        used = name in uses.needed or name in uses.optional
        if not used and read is not None and (name not in read or uses.whole):
            variant = "other" if name in read else "unused"
            yield Breach(definition.place(f"{_KEYS}/{at}"), variant, {"name": excerpt(name)}, definition.stem)


def _meant(keys: list[str], uses: _Uses, read: set[str] | None) -> dict[str, str]:
    """Return the listed names that nothing reads with the needed ones that were meant."""
    missing = [name for name in uses.needed if name not in keys]
    meant = {}
    for name in keys:
        near = (
            nearest(name, missing) if read is not None and name not in {*read, *uses.needed, *uses.optional} else None
        )
        if near is not None:
            meant[name] = near
            missing.remove(near)
    return meant


TK312: Final = Rule(
    id="TK312",
    severity=Severity.ERROR,
    stage=Stage.SERVICE,
    title=Text(
        "required_env_keys lists the environment variables that the tool's clients need, and no others.",
        "required_env_keys에는 도구의 클라이언트가 쓰는 환경 변수만 빠짐없이 적어야 합니다.",
    ),
    why=Text(
        "A service does not start while one of them is missing, so that the fault shows at the start and not in a "
        "call. A variable with a default in the configuration may be listed and need not. Source: seed 003 §5, "
        "toolkit/S7.",
        "이 가운데 하나라도 없으면 서비스가 시작하지 않으므로 호출할 때가 아니라 시작할 때 드러납니다. 설정에 기본값이 "
        "있는 변수는 "
        "적지 않아도 됩니다. 출처: 설계 가이드 003 §5, toolkit/S7.",
    ),
    messages={
        "unlisted": Message(
            Text(
                "The tool needs the environment variable {name}, read at {where}, and required_env_keys does not list "
                "it.",
                "도구가 환경 변수 {name} 값을 쓰는데(읽는 곳: {where}) required_env_keys에 없습니다.",
            ),
            Text("Write `required_env_keys: [{better}]`.", "`required_env_keys: [{better}]` 값을 쓰십시오."),
        ),
        "misspelt": Message(
            Text(
                "required_env_keys lists {name}, and the tool reads {near}, at {where}.",
                "required_env_keys에는 {name} 변수가 있는데 도구가 읽는 것은 {near} 변수입니다(읽는 곳: {where}).",
            ),
            Text("Did you mean {near}? Write it here.", "{near} 변수를 뜻했다면 여기에 그렇게 쓰십시오."),
        ),
        "unused": Message(
            Text(
                "required_env_keys lists {name}, which nothing in this service reads.",
                "required_env_keys에 적은 {name} 변수는 이 서비스의 어디에서도 읽지 않습니다.",
            ),
            Text(
                "Remove it, or correct its spelling.",
                "지우거나 철자를 고치십시오.",
            ),
        ),
        "other": Message(
            Text(
                "required_env_keys lists {name}, which other tools of this service use and this one does not.",
                "required_env_keys에 적은 {name} 변수는 이 서비스의 다른 도구가 쓰며 이 도구는 쓰지 않습니다.",
            ),
            Text("Remove it here.", "여기에서 지우십시오."),
        ),
        "none": Message(
            Text(
                "required_env_keys is empty, and has to be a list.",
                "required_env_keys 값이 비어 있습니다. 목록이어야 합니다.",
            ),
            Text("Write `required_env_keys: []`.", "`required_env_keys: []` 값을 쓰십시오."),
        ),
        "kind": Message(
            Text(
                "required_env_keys has to be a list, and here stands {found}.",
                "required_env_keys 값은 목록이어야 합니다. 지금 값: {found_ko}.",
            ),
            Text(
                "Put names in brackets: `required_env_keys: [{better}]`.",
                "이름을 대괄호로 묶으십시오: `required_env_keys: [{better}]`.",
            ),
        ),
        "bare": Message(
            Text("{key} is no name of an environment variable.", "{key} 값은 환경 변수 이름이 아닙니다."),
            Text("Write the name alone: {better}.", "이름만 쓰십시오: {better}."),
        ),
        "name": Message(
            Text(
                "Entry {number} of required_env_keys is {key}, no name of an environment variable.",
                "required_env_keys의 {number}번째 값은 환경 변수 이름이 아닙니다: {key}.",
            ),
            Text("Write a name such as CLAIM_API_KEY, or remove it.", "CLAIM_API_KEY 같은 이름을 쓰거나 지우십시오."),
        ),
    },
    check=_environment,
    bad="required_env_keys: []        # the client's entry has domain: ${CLAIM_DOMAIN}",
    good="required_env_keys: [CLAIM_DOMAIN]",
)

RULES: Final = (TK312,)
