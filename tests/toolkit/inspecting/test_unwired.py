"""What cannot be given to a tool is told by the check, as far as the source of the app says what is provided."""

import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from axhub.toolkit.facts.service import Unusable
from axhub.toolkit.inspecting.document import inspect_with_samples
from support.tool_packages import ToolPackage

pytestmark = pytest.mark.req("rule/TK203")
PATH = "biz/cmm/usecase.py"
APP = 'from axhub.toolkit import ToolService\napp = ToolService("PACKAGE"{provide})\n'

TOOLS = """
from axhub.toolkit import HttpClient, RepeatStore

class Clock(Protocol):
    def now(self) -> str: ...

MADE = []

class Wall:
    def __init__(self, zone: str) -> None: MADE.append(zone)
    def now(self) -> str: return ""

class Named(Protocol):
    name: str

class Person:
    def __init__(self) -> None: self.name = ""

class Client:
    def __init__(self, http: HttpClient, store: RepeatStore, page: int = 1) -> None: MADE.append(http)
"""
TOOL = """
@tool(name="cmm_a", title="A", description="a.")
async def a(WANTED) -> Response: ...
"""


@pytest.fixture
def package(tmp_path: Path) -> Iterator[ToolPackage]:
    with ToolPackage(tmp_path) as package:
        yield package


def write(package: ToolPackage, wanted: str, provide: str = "", before: str = "", more: str = "") -> None:
    package.declare(f"{TOOLS}\n{more}\n{TOOL.replace('WANTED', wanted)}")
    usecase = "from PACKAGE.biz.cmm.usecase import Clock, Named, Person, Wall\n"
    package.write("app.py", usecase + before + APP.replace("{provide}", provide and f", provide={provide}"))


def told(package: ToolPackage) -> list[tuple[str, str]]:
    """Return the kinds of what cannot be given, with who wants what."""
    found = inspect_with_samples(package.root, package.name).unusable
    return [(one.kind, one.values["wants"].rpartition(".")[2]) for one in found]


def line_of(package: ToolPackage, text: str) -> int:
    lines = (package.folder / PATH).read_text(encoding="utf-8").splitlines()
    return next(at for at, line in enumerate(lines, 1) if text in line)


@pytest.mark.parametrize(
    ("wanted", "more", "expected"),
    [
        ("clock: Clock", "", ("wiring-nothing", "a(clock)")),
        ("wall: Wall", "", ("wiring-nothing", "Wall(zone)")),
        ("one: One", "class One:\n    def __init__(self, thing): ...", ("wiring-no-annotation", "One(thing)")),
        ("one: One", "class One:\n    def __init__(self, thing: 'Nowhere'): ...", ("wiring-annotations", "One")),
        (
            "one: One",
            "class One:\n    def __init__(self, two: 'Two'): ...\nclass Two:\n    def __init__(self, one: One): ...",
            ("wiring-circle", "Two(one)"),
        ),
    ],
)
def test_what_nothing_provides_is_told_with_who_wants_it(
    package: ToolPackage, wanted: str, more: str, expected: tuple[str, str]
) -> None:
    write(package, wanted, more=more)
    assert told(package) == [expected]


def test_the_place_is_that_of_the_constructor_and_the_tool_is_named(package: ToolPackage) -> None:
    write(package, "wall: Wall")
    (found,) = inspect_with_samples(package.root, package.name).unusable
    values = {"wants": "Wall(zone)", "type": "str", "package": package.name}
    assert (found.kind, found.values, found.tool) == ("wiring-nothing", values, "cmm_a")
    assert str(found.place) == f"src/{package.name}/{PATH}:{line_of(package, 'zone: str')}"
    assert isinstance(found, Unusable)


@pytest.mark.parametrize(
    ("wanted", "provide", "before"),
    [
        ("client: Client", "", ""),
        ("client: Client", "None", ""),
        ("clock: Clock", "[Wall('x')]", ""),
        ("clock: Clock", "given", "given = (Wall('x'),)\n"),
        ("clock: Clock", "[wall]", "wall = Wall('x')\n"),
        ("wall: Wall", "{str: 'x', Clock: Wall}", ""),
        ("clock: Clock", "{Clock: 1 / 0}", ""),
        ("named: Named", "[Person()]", ""),
        ("clock: Clock", "{usecase.Clock: 1}", "from PACKAGE.biz.cmm import usecase\n"),
        ("clock: Clock", "{kept.Clock: 1}", "import PACKAGE.biz.cmm.usecase as kept\n"),
        ("clock: Clock", "{Clock: 1}", "from .biz.cmm.usecase import Clock\n"),
    ],
)
def test_what_the_app_provides_is_read_and_nothing_is_made(
    package: ToolPackage, wanted: str, provide: str, before: str
) -> None:
    write(package, wanted, provide, before)
    assert told(package) == []
    assert importlib.import_module(f"{package.name}.biz.cmm.usecase").MADE == []


@pytest.mark.parametrize(
    ("provide", "before"),
    [
        ("make()", "from os import getcwd as make\n"),
        ("[make()]", "from os import getcwd as make\n"),
        ("[*things]", "things = []\n"),
        ("{**things}", "things = {}\n"),
        ("given", "given = []\ngiven = [Wall('x')]\n"),
        ("{nowhere.Clock: 1}", "from PACKAGE.biz.cmm import nowhere\n"),
        ("{kept.Nothing: 1}", "import PACKAGE.biz.cmm.usecase as kept\n"),
        ("[int()]", ""),
    ],
)
def test_where_only_running_the_app_would_tell_nothing_is_said(package: ToolPackage, provide: str, before: str) -> None:
    write(package, "clock: Clock", provide, before)
    assert told(package) == []


@pytest.mark.parametrize(
    "app",
    [
        "",
        "from axhub.toolkit import ToolService\na = ToolService('PACKAGE')\nb = ToolService('PACKAGE')\n",
        "from axhub.toolkit import ToolService\na = ToolService('PACKAGE', **{})\n",
        "from axhub.toolkit import ToolService\na = ToolService(*['PACKAGE'])\n",
    ],
)
def test_without_one_app_that_says_it_nothing_is_said(package: ToolPackage, app: str) -> None:
    write(package, "clock: Clock")
    package.write("app.py", app)
    assert told(package) == []


def test_two_that_fit_are_told_once_the_app_gives_both(package: ToolPackage) -> None:
    write(package, "clock: Clock", "[Wall('x'), Wall('y')]")
    assert told(package) == [("wiring-several", "a(clock)")]


LIMITS = {"claim": 3}
RAISING = {
    "an error in the straight way": ("raise NotImplementedError", "NotImplementedError"),
    "one with a text": ("MADE.append(1)\n        raise errors.ClosedError('secret')", "errors.ClosedError"),
    "a key that does not exist": ("self._most = LIMITS['claims']", "KeyError"),
    "a text that is no number": ("self._most = int('3o')", "ValueError"),
    "an attribute that does not exist": ("self._most = LIMITS.most", "AttributeError"),
}
SILENT = {
    "an error that only some values bring": "if LIMITS:\n            raise ValueError",
    "one that is caught": "try:\n            raise ValueError\n        except ValueError:\n            pass",
    "one after a way out": "if LIMITS:\n            return\n        raise ValueError",
    "a variable of the environment": "self._key = os.environ['NO_SUCH_KEY']",
    "what does something": "MADE.append(LIMITS['claims'])",
}


def with_constructor(package: ToolPackage, body: str) -> None:
    source = f"import os\nLIMITS = {LIMITS}\nclass One:\n    def __init__(self) -> None:\n        {body}\n"
    outer = "class Outer:\n    def __init__(self, one: One) -> None: self._one = one\n"
    write(package, "outer: Outer", more=source + outer)


@pytest.mark.parametrize(("body", "error"), RAISING.values(), ids=RAISING)
def test_a_constructor_that_can_only_raise_is_told_at_its_line_with_the_error(
    package: ToolPackage, body: str, error: str
) -> None:
    with_constructor(package, body)
    (found,) = inspect_with_samples(package.root, package.name).unusable
    assert (found.kind, found.values, found.tool) == ("wiring-raises", {"wants": "One", "error": error}, "cmm_a")
    assert str(found.place) == f"src/{package.name}/{PATH}:{line_of(package, 'class One') + 1}"
    assert importlib.import_module(f"{package.name}.biz.cmm.usecase").MADE == []


@pytest.mark.parametrize("body", SILENT.values(), ids=SILENT)
def test_a_constructor_that_may_succeed_is_left_alone(package: ToolPackage, body: str) -> None:
    with_constructor(package, body)
    assert told(package) == []


def test_a_constructor_whose_parts_are_stand_ins_is_not_judged_by_them(package: ToolPackage) -> None:
    more = "class One:\n    def __init__(self, http: HttpClient) -> None: self._call = http.call\n"
    write(package, "one: One", more=more)
    assert told(package) == []


def test_a_function_of_the_app_that_only_raises_is_told(package: ToolPackage) -> None:
    more = "def make_clock() -> Clock:\n    raise NotImplementedError\n"
    write(package, "clock: Clock", "{Clock: make_clock}", "from PACKAGE.biz.cmm.usecase import make_clock\n", more)
    assert told(package) == [("wiring-raises", "make_clock")]
