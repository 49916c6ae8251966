"""What a tool may not do while it is tried on its samples, and which tools are not tried."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from axhub.toolkit.check.inspection import run_inspection
from support import sampled
from support.sampled import EXAMPLES, TOOL, TOOLS, define, inspected, line_of, put
from support.tool_packages import ToolPackage, definition_text

pytestmark = pytest.mark.req("rule/TK503")


@pytest.fixture
def package(tmp_path: Path) -> Iterator[ToolPackage]:
    with sampled.sampled_package(tmp_path) as made:
        yield made


EFFECTS = {
    "a file that is written": ('open("ledger.txt", "w")', "file", "open("),
    "a file that is removed": ('os.remove("ledger.txt")', "file", "os.remove("),
    "a folder that is made": ('os.mkdir("ledger")', "file", "os.mkdir("),
    "a database in a file": ('sqlite3.connect("ledger.sqlite3")', "file", "sqlite3.connect("),
    "a socket": ('socket.create_connection(("127.0.0.1", 9), 1)', "socket", "socket.create"),
    "another thread": ('await asyncio.open_connection("localhost", 9)', "socket", "async def search"),
    "a program that is started": ('subprocess.run(["true"])', "process", "subprocess.run("),
    "a refusal that nobody hears": ('quietly(open, "ledger.txt", "a")', "file", "function(*arguments)"),
}
HELPERS = """
import asyncio, os, socket, sqlite3, subprocess
from contextlib import suppress

def quietly(function, *arguments):
    with suppress(Exception):
        function(*arguments)
"""


@pytest.mark.parametrize(("statement", "kind", "at"), EFFECTS.values(), ids=EFFECTS)
def test_what_a_tool_reaches_for_is_refused_and_noted(
    package: ToolPackage, statement: str, kind: str, at: str, tmp_path: Path
) -> None:
    package.declare(HELPERS + TOOLS.replace("        if answer.stCd", f"        {statement}\n        if answer.stCd"))
    put(package, "http-claim", {"stCd": "1"})
    put(package, "http-claim-2", {"stCd": "1"})
    before = sorted(tmp_path.rglob("*"))
    result = run_inspection(package.root, package.name, 30)
    assert result.imported is not None
    tool = result.imported[TOOL]
    assert tool.reaches is not None
    assert (tool.reaches.value, tool.sample_runs) == (kind, {})
    assert f"{tool.reaches.place.file}:{tool.reaches.place.line}" == line_of(package, at)
    assert sorted(tmp_path.rglob("*")) == before


def test_reading_a_file_and_a_database_in_memory_are_nobodys_business(package: ToolPackage) -> None:
    statement = 'open(__file__).close(), sqlite3.connect(":memory:").close(), open(os.devnull, "w").close()'
    package.declare(HELPERS + TOOLS.replace("        if answer.stCd", f"        {statement}\n        if answer.stCd"))
    path = put(package, "http-claim", {"stCd": "1"})
    tool = inspected(package)
    assert (tool.reaches, tool.sample_runs) == (None, {path: None})


@pytest.mark.parametrize(("value", "untried"), [(False, "writes"), ("yes", "unknown"), (1, "unknown"), ([], "unknown")])
def test_a_tool_that_may_write_is_not_run(package: ToolPackage, value: Any, untried: str, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    package.declare(
        TOOLS.replace("        answer = await", f'        open({str(mark)!r}, "w")\n        answer = await', 1)
    )
    define(package, read_only=value)
    put(package, "http-claim", {"stCd": "1"})
    tool = inspected(package)
    assert (tool.untried, tool.reaches, tool.sample_runs, mark.exists()) == (untried, None, {}, False)


CONSTRUCTORS = {
    "a call": "self._file = open({mark!r}, 'w')",
    "a statement": "if client: open({mark!r}, 'w')",
    "a call in an argument": "self._all = dict(file=open({mark!r}, 'w'))",
    "an operator of somebody's": "client @= 1",
}


@pytest.mark.parametrize("statement", CONSTRUCTORS.values(), ids=CONSTRUCTORS)
def test_an_instance_that_does_something_when_it_is_made_is_not_made(
    package: ToolPackage, statement: str, tmp_path: Path
) -> None:
    mark = tmp_path / "made"
    text = statement.format(mark=str(mark))
    package.declare(TOOLS.replace("        self._client = client", f"        {text}\n        self._client = client"))
    put(package, "http-claim", {"stCd": "1"})
    tool = inspected(package)
    assert (tool.untried, tool.sample_runs, mark.exists()) == ("constructor Search", {}, False)


PLAIN = """
import asyncio, logging
from dataclasses import dataclass, field

class Mapper:
    NAMES = {"1": "OPEN"}

@dataclass
class Keeper:
    mapper: Mapper
    seen: list = field(default_factory=list)

class Base:
    def __init__(self) -> None:
        "Keeps."
        self._lock = asyncio.Lock()

class Careful(Base):
    def __init__(self, client: Client, keeper: Keeper) -> None:
        super().__init__()
        self._client, self._log = client, logging.getLogger(__name__)
        self._own: Mapper = Mapper()
        pass

    @tool(name="cmm_careful_search", title="A", description="a.", category_key="cmm")
    async def search(self, request: Request) -> Found:
        await self._client.call(Body(clmNo=""), Claim)
        return Found(status="OPEN")
"""


def test_classes_that_only_keep_what_they_are_given_are_made(package: ToolPackage) -> None:
    package.declare(TOOLS + PLAIN)
    name = "cmm_careful_search"
    package.write(f"tool_definitions/cmm/{name}.yml", definition_text(name=name, examples=EXAMPLES))
    package.write(f"samples/{name}/http-claim.json", '{"stCd": "1"}')
    tool = inspected(package, name)
    assert (tool.untried, list(tool.sample_runs.values())) == ("", [None])
