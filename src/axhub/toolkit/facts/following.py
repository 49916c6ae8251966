"""Which code a call leads to, and what type a name has, as far as annotations say so; nothing is guessed."""

import ast
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from axhub.toolkit.facts.service import Call, Class, Declared, Facts, Function, Layer, Module

__all__ = ["HTTP", "MCI", "Package", "Wire", "names_in", "text_in"]


class Wire(NamedTuple):
    """One way to other systems: a port whose method `call` names the system first."""

    ports: frozenset[str]
    """Absolute names of the port."""
    argument: str
    """What the system is called as a keyword."""
    constant: str
    """The attribute of a client that has its name."""


HTTP: Final = Wire(frozenset({"axhub.toolkit.HttpClient", "axhub.toolkit.ports.HttpClient"}), "api", "API_NAME")
MCI: Final = Wire(frozenset({"axhub.toolkit.MciClient", "axhub.toolkit.ports.MciClient"}), "system", "SYSTEM")
_DOTTED: Final = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_MAX_HOPS: Final = 8  # a variable may be made of a variable, and in a circle


def names_in(annotation: str) -> tuple[str, ...]:
    """Return the names in an annotation: `list[app.dto.Item] | None` → list, app.dto.Item, None."""
    return tuple(_DOTTED.findall(annotation))


class Package:
    """Classes, functions and calls of a package by qualified names."""

    def __init__(self, facts: Facts) -> None:
        self.classes: dict[str, tuple[Class, Module]] = {}
        self.functions: dict[str, tuple[Function, Module]] = {}
        self.calls: dict[str, list[Call]] = {}
        self._implementers: dict[str, list[str]] = {}
        for module in facts.modules:
            self.classes.update({found.qualified: (found, module) for found in module.classes})
            self.functions.update({found.qualified: (found, module) for found in module.functions})
            for call in module.calls:
                self.calls.setdefault(call.function, []).append(call)
            for found in module.classes:
                for base in found.bases:
                    self._implementers.setdefault(base, []).append(found.qualified)

    def layer_of(self, class_name: str) -> Layer | None:
        """Return the layer of a class of the package; None of any other name."""
        found = self.classes.get(class_name)
        return None if found is None else found[1].layer

    def bases_of(self, class_name: str) -> frozenset[str]:
        """Return the names of a class and of everything that it inherits from, as far as the package says."""
        return frozenset({class_name, *(base for one in self._with_bases(class_name) for base in one.bases)})

    def owner_of(self, function: Function) -> Class | None:
        """Return the class that a function is a method of."""
        found = self.classes.get(function.qualified.rpartition(".")[0])
        return None if found is None else found[0]

    def type_of(self, dotted: str, function: Function, hops: int = 0) -> str:
        """Return the annotation of what a name in a function stands for; empty where nothing says it."""
        first, *rest = dotted.split(".")
        owner = self.owner_of(function)
        if first == "self" and owner is not None:
            found = owner.qualified
        elif first in function.parameters:
            found = function.parameters[first].value
        elif first in function.made and hops < _MAX_HOPS:
            found = self._result(function.made[first], function, hops + 1)
        else:
            return ""
        for attribute in rest:
            found = self._held(found, attribute)
        return found

    def reached(self, dotted: str, function: Function, hops: int = 0) -> Iterator[tuple[Function, Module]]:
        """Yield the functions of the package that a call of `dotted` in a function may run."""
        if dotted in self.functions:
            yield self.functions[dotted]
            return
        receiver, _, name = dotted.rpartition(".")
        for one in names_in(self.type_of(receiver, function, hops)) if receiver else ():
            yield from self._methods(one, name)

    def named_by(self, declared: Declared, wire: Wire) -> tuple[str, ...]:
        """Return the names of the systems that a tool calls, in the order in which its code names them."""
        calls = self.calls_of(declared, wire)
        return tuple(dict.fromkeys(name for call, function in calls for name in self.name_in(call, function, wire)))

    def calls_of(self, declared: Declared, wire: Wire) -> Iterator[tuple[Call, Function]]:
        """Yield the calls of a port that a tool makes, each with the function around it."""
        for function in self.functions_of(declared):
            for call in self.calls.get(function.qualified, ()):
                if self.is_call(call.resolved, function, wire):
                    yield call, function

    def functions_of(self, declared: Declared) -> Iterator[Function]:
        """Yield the functions of the package that a call of a tool may run, its own first."""
        waiting = [one for one, _ in self._starts(declared)]
        seen: set[str] = set()
        while waiting:
            function = waiting.pop(0)
            if function.qualified in seen:
                continue
            seen.add(function.qualified)
            yield function
            for call in self.calls.get(function.qualified, ()):
                waiting += [one for one, _ in self.reached(call.resolved, function)]

    def is_call(self, dotted: str, function: Function, wire: Wire) -> bool:
        """Say whether a call of `dotted` in a function is one of a port."""
        receiver, _, name = dotted.rpartition(".")
        return name == "call" and not wire.ports.isdisjoint(names_in(self.type_of(receiver, function)))

    def name_in(self, call: Call, function: Function, wire: Wire) -> Iterator[str]:
        """Yield the name of the system that a call of a port names, where it can be read."""
        written = next(iter(call.arguments), call.keywords.get(wire.argument, ""))
        if (text := text_in(written)) is not None:
            yield text
            return
        owner, module = self.owner_of(function), self.functions[function.qualified][1]
        name = written.rpartition(".")[2]
        if owner is not None and any(name in one.computed for one in self._with_bases(owner.qualified)):
            return
        constant = self._constant(owner, name) if owner is not None else None
        if constant is not None:
            yield constant
        else:
            yield from (one.value for one in module.literals if one.name == name and isinstance(one.value, str))

    def _constant(self, owner: Class, name: str) -> str | None:
        for one in self._with_bases(owner.qualified):
            if name in one.constants:
                return one.constants[name].value
        return None

    def _starts(self, declared: Declared) -> Iterator[tuple[Function, Module]]:
        owner, _, name = declared.function.rpartition(".")
        if owner in self.classes:
            yield from self._methods(owner, name)
        elif declared.function in self.functions:
            yield self.functions[declared.function]

    def _methods(self, class_name: str, name: str) -> Iterator[tuple[Function, Module]]:
        """Yield a method as it stands in a class or its bases, and as the classes that implement it have it."""
        own = (f"{one.qualified}.{name}" for one in self._with_bases(class_name))
        found = next((one for one in own if one in self.functions), None)
        if found is not None:
            yield self.functions[found]
        for one in self._implementers.get(class_name, ()):
            if f"{one}.{name}" in self.functions:
                yield self.functions[f"{one}.{name}"]

    def _with_bases(self, class_name: str) -> Iterator[Class]:
        waiting, seen = [class_name], set()
        while waiting:
            one = waiting.pop(0)
            if one in self.classes and one not in seen:
                seen.add(one)
                yield self.classes[one][0]
                waiting += self.classes[one][0].bases

    def _held(self, annotation: str, attribute: str) -> str:
        """Return the annotation of an attribute; what a base uses may be kept by the class that inherits from it."""
        for name in names_in(annotation):
            heirs = (self.classes[one][0] for one in self._implementers.get(name, ()))
            for one in (*self._with_bases(name), *heirs):
                if attribute in one.held:
                    return one.held[attribute]
        return ""

    def _result(self, called: str, function: Function, hops: int) -> str:
        if called in self.classes:
            return called
        found = next(self.reached(called, function, hops), None)
        return "" if found is None else found[0].returns.value


def text_in(source: str) -> str | None:
    """Return the text that a literal in source stands for; None for any other expression."""
    try:
        value = ast.literal_eval(source)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
    return value if isinstance(value, str) else None
