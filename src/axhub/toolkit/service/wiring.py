"""Gives each tool what its function asks for, by type (toolkit/T1): what is provided, and classes of the package.

No scanning and no names: a parameter's annotation says what it wants. Whatever cannot be given is a problem that names
the class and the parameter, found at start.
"""

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final, Self, TypeAlias, get_type_hints

from axhub.toolkit.facts.service import Place, Unusable
from axhub.toolkit.published.tool import FoundTool
from axhub.toolkit.rules.model import SaidError, Text
from axhub.toolkit.rules.telling.unusable import text_of

__all__ = ["Provide", "Wiring", "WiringError"]

Provide: TypeAlias = Sequence[object] | Mapping[Any, Any]
"""Instances, or types with an instance or with what makes one: a class or a function with annotated parameters."""

_PLAIN: Final = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
_MAX_DEPTH: Final = 50


class WiringError(SaidError):
    """Something cannot be given; the message says what, who wants it, and how to mend it."""

    def __init__(self, text: Text, found: Unusable | None = None) -> None:
        super().__init__(text)
        self.found = found
        """The same as one of `rules.telling.unusable`, without a place; None if only a start can find it."""
        self.maker: Callable[..., Any] | None = None
        """The class or function whose parameter cannot be given, or that raises."""

    @classmethod
    def of(cls, kind: str, **values: str) -> Self:
        """Return one of the kinds of `rules.telling.unusable`."""
        found = Unusable(kind, Place(""), values)
        return cls(Text("; ".join(text_of(found)), ". ".join(text_of(found, "ko"))), found)

    @classmethod
    def raised_in(cls, maker: Callable[..., Any], error: str) -> Self:
        """Return that a class or function cannot make anything, with the type of the error that it raises."""
        failed = cls.of("wiring-raises", wants=_called(maker), error=error)
        failed.maker = maker
        return failed


class Wiring:
    """Builds and keeps one instance of each type that somebody asks for."""

    def __init__(
        self, package: str, provide: Provide = (), defaults: Mapping[Any, Callable[[], Any]] | None = None
    ) -> None:
        """Take what can be given.

        Args:
            package: the service's package, whose classes are built from their annotated constructors.
            provide: what the service's author provides.
            defaults: ports with what makes their adapter where the author provides none.
        """
        self._package = package
        self._named = dict(provide) if isinstance(provide, Mapping) else {}
        self._instances = [] if isinstance(provide, Mapping) else list(provide)
        self._defaults = defaults or {}
        self._built: dict[Any, Any] = {}
        self._defaulted: set[Any] = set()
        self._building: list[Any] = []
        self._parts: dict[int, list[Any]] = {}

    @property
    def built(self) -> list[Any]:
        """Every instance that was given so far, in the order they were made."""
        return list({id(one): one for one in self._built.values()}.values())

    def reached_by(self, tool: FoundTool) -> list[Any]:
        """Return the instances that a bound tool was given, and those that they were given when they were made."""
        found: dict[int, Any] = {}
        waiting = [self._built[kind] for kind in (tool.owner, *tool.dependencies.values()) if kind in self._built]
        while waiting:
            one = waiting.pop()
            if id(one) not in found:
                found[id(one)] = one
                waiting += self._parts.get(id(one), ())
        return list(found.values())

    def is_default(self, wanted: Any) -> bool:
        """Say whether somebody asked for a type that the author does not provide, and got the default."""
        return wanted in self._defaulted

    def bind(self, tool: FoundTool) -> Callable[..., Any]:
        """Return a tool's function with its dependencies: what is left takes the request and the context by name.

        Raises:
            WiringError: something cannot be given.
        """
        if tool.owner is not None:
            instance = self.give(tool.owner, f"the tool {tool.name}")
            return partial(tool.function, instance)
        wants = f"{tool.function.__module__}.{tool.function.__qualname__}"
        given = {name: self.give(kind, f"{wants}({name})") for name, kind in tool.dependencies.items()}
        return partial(tool.function, **given) if given else tool.function

    def give(self, wanted: Any, wants: str) -> Any:
        """Return the one instance of a type.

        Args:
            wanted: the annotation.
            wants: who asks, for the message.

        Raises:
            WiringError: it cannot be given.
        """
        if wanted in self._built:
            return self._built[wanted]
        if wanted in self._building or len(self._building) > _MAX_DEPTH:
            circle = " -> ".join(_called(one) for one in [*self._building, wanted])
            raise WiringError.of("wiring-circle", wants=wants, type=_called(wanted), circle=circle)
        self._building.append(wanted)
        try:
            made = self._make(wanted, wants)
        finally:
            self._building.pop()
        self._built[wanted] = made
        return made

    def _make(self, wanted: Any, wants: str) -> Any:
        if wanted in self._named:
            return self._from_named(self._named[wanted], wanted)
        fitting = [one for one in self._instances if _fits(one, wanted)]
        if len(fitting) > 1:
            names = ", ".join(type(one).__name__ for one in fitting)
            raise WiringError.of("wiring-several", wants=wants, type=_called(wanted), names=names)
        if fitting:
            return fitting[0]
        if wanted in self._defaults:
            self._defaulted.add(wanted)
            return self._defaults[wanted]()
        if self._is_own(wanted):
            return self._construct(wanted)
        raise WiringError.of("wiring-nothing", wants=wants, type=_called(wanted), package=self._package)

    def _from_named(self, value: Any, wanted: Any) -> Any:
        if inspect.isclass(value):
            shared = value is not wanted and (value in self._named or self._is_own(value))
            return self.give(value, f"provide[{_called(wanted)}]") if shared else self._construct(value)
        if inspect.isfunction(value) or inspect.ismethod(value) or isinstance(value, partial):
            return self._construct(value)
        return value

    def _is_own(self, wanted: Any) -> bool:
        if not inspect.isclass(wanted) or inspect.isabstract(wanted) or getattr(wanted, "_is_protocol", False):
            return False
        return f"{wanted.__module__}.".startswith(f"{self._package}.")

    def _construct(self, maker: Callable[..., Any]) -> Any:
        try:
            given = {name: self.give(kind, f"{_called(maker)}({name})") for name, kind in _parameters(maker)}
        except WiringError as error:
            error.maker = error.maker or maker
            raise
        made = self.made_by(maker, given)
        self._parts[id(made)] = list(given.values())
        return made

    def made_by(self, maker: Callable[..., Any], given: Mapping[str, Any]) -> Any:
        """Call a class or function with what it asks for; a check that only looks makes nothing.

        Raises:
            WiringError: it fails.
        """
        try:
            return maker(**given)
        except Exception as error:
            raise WiringError.raised_in(maker, type(error).__name__) from error


def _parameters(maker: Callable[..., Any]) -> Iterable[tuple[str, Any]]:
    """Yield the names and types of what a class or function needs; parameters with a default keep it."""
    target: Any = maker.__init__ if inspect.isclass(maker) else _unbound(maker)
    if target is object.__init__:
        return
    try:
        hints = get_type_hints(target)
    except Exception as error:
        raise WiringError.of("wiring-annotations", wants=_called(maker), error=str(error)) from error
    for name, parameter in inspect.signature(maker).parameters.items():
        if parameter.kind not in _PLAIN or parameter.default is not inspect.Parameter.empty:
            continue
        if name not in hints:
            raise WiringError.of("wiring-no-annotation", wants=f"{_called(maker)}({name})")
        yield name, hints[name]


def _fits(instance: object, wanted: Any) -> bool:
    if not inspect.isclass(wanted):
        return False
    if not getattr(wanted, "_is_protocol", False):
        return isinstance(instance, wanted)
    if wanted in type(instance).__mro__:
        return True
    members = {name for base in wanted.__mro__[:-1] if getattr(base, "_is_protocol", False) for name in _public(base)}
    return bool(members) and all(hasattr(instance, name) for name in members)


def _public(protocol: type) -> Iterable[str]:
    return (name for name in (*vars(protocol), *protocol.__annotations__) if not name.startswith("_"))


def _unbound(maker: Any) -> Any:
    return maker.func if isinstance(maker, partial) else maker


def _called(wanted: Any) -> str:
    named = _unbound(wanted)
    if isinstance(named, type) or inspect.isroutine(named):
        return named.__qualname__
    return str(wanted)
