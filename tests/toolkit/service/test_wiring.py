"""Tools get what their parameters ask for, by type alone (toolkit/T1)."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import pytest

from axhub.toolkit.service.wiring import Provide, Wiring, WiringError


class Port(Protocol):
    async def send(self, text: str) -> str: ...


class Adapter:
    async def send(self, text: str) -> str:
        return text


class Explicit(Port):
    async def send(self, text: str) -> str:
        return text


class Settings: ...


@dataclass
class Client:
    port: Port
    settings: Settings
    size: int = 3


class UseCase:
    def __init__(self, client: Client, *, other: "Other") -> None:
        self.client = client
        self.other = other


class Other:
    def __init__(self, client: Client) -> None:
        self.client = client


class Base(ABC):
    @abstractmethod
    def go(self) -> None: ...


class Loop:
    def __init__(self, back: "Back") -> None: ...


class Back:
    def __init__(self, loop: Loop) -> None: ...


class Bare:
    def __init__(self, thing) -> None: ...  # type: ignore[no-untyped-def]  # noqa: ANN001 - what the test is about


class Unknown:
    def __init__(self, thing: "NowhereToBeFound") -> None: ...  # type: ignore[name-defined]  # noqa: F821 - the test


class Failing:
    def __init__(self) -> None:
        raise RuntimeError("900101-1234567")


def make_client(settings: Settings) -> Client:
    return Client(Adapter(), settings, 7)


def wiring(provide: Provide = (), **options: Any) -> Wiring:
    return Wiring(__name__, provide, **options)


@pytest.mark.req("toolkit/T1")
@pytest.mark.parametrize(
    "provide",
    [
        {Port: Adapter()},
        {Port: Adapter},
        {Port: lambda: Adapter()},  # noqa: PLW0108 - a function is what is meant
        [Adapter()],
        [Explicit()],
    ],
    ids=["an instance", "a class", "a function", "listed, by its methods", "listed, by its base"],
)
def test_a_port_gets_what_was_provided_and_classes_of_the_package_are_built_once(provide: Provide) -> None:
    given = wiring(provide)
    made = given.give(UseCase, "a test")
    assert isinstance(made.client.port, Adapter | Explicit)
    assert made.client.size == 3
    assert made.other.client is made.client is given.give(Client, "a test")
    assert [type(one).__name__ for one in given.built][1:] == ["Settings", "Client", "Other", "UseCase"]


def test_a_factory_gets_its_own_parameters() -> None:
    for factory in (make_client, partial(make_client)):
        assert wiring({Client: factory}).give(Other, "a test").client.size == 7


def test_defaults_stand_in_only_where_nothing_was_provided() -> None:
    first, second = Adapter(), Adapter()
    assert wiring(defaults={Port: lambda: first}).give(Port, "a test") is first
    assert wiring([second], defaults={Port: lambda: first}).give(Port, "a test") is second


def nobody(wants: str, wanted: str) -> str:
    mend = f'give it to the service: ToolService("{__name__}", provide={{{wanted}: …}})'
    return f"{wants} wants {wanted}, which nothing provides; {mend}"


FAILING = "Failing could not be made: RuntimeError in its constructor; mend its constructor, or what it reads there"
UNREADABLE = (
    "the annotations of Unknown cannot be read: name 'NowhereToBeFound' is not defined; import its types at the top of "
    "the module, not only under TYPE_CHECKING"
)
SEVERAL = "several of what is provided fit (Adapter, Explicit); say which: provide={Port: …}"


@pytest.mark.req("toolkit/T1")
@pytest.mark.parametrize(
    ("wanted", "provide", "message"),
    [
        (UseCase, (), nobody("Client(port)", "Port")),
        (Client, [Adapter(), Explicit()], f"Client(port) wants Port, and {SEVERAL}"),
        (Base, (), nobody("a test", "Base")),
        (int, (), nobody("a test", "int")),
        (list[int], (), nobody("a test", "list[int]")),
        (Loop, (), "Back(loop) wants Loop, which wants itself: Loop -> Back -> Loop; take one of them out"),
        (Bare, (), "Bare(thing) has no annotation; write what type it wants"),
        (Unknown, (), UNREADABLE),
        (Failing, (), FAILING),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)  # fmt: skip
def test_what_cannot_be_given_is_named_with_who_asks_and_how_to_mend_it(
    wanted: Any, provide: Provide, message: str
) -> None:
    with pytest.raises(WiringError) as caught:
        wiring(provide).give(wanted, "a test")
    assert str(caught.value) == message
