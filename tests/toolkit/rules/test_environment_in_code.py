"""Environment variables that the code of a tool reads, over names and in functions that it calls."""

from pathlib import Path
from textwrap import dedent, indent
from typing import Final

import pytest

from axhub.toolkit.rules.environment import TK312
from support.written_service import CLIENT, CONVERTER, GOOD, USECASE, changed, told_of

pytestmark = pytest.mark.req("rule/TK312")
DEFINITION: Final = "tool_definitions/cmm/cmm_claim_search.yml"
BODY: Final = "    return ClaimBody(clmNo=request.claim_no)"
UNREAD: Final = "required_env_keys lists CLAIM_KEY, which nothing in this service reads."
UNLISTED: Final = "The tool needs the environment variable CLAIM_KEY, read at "


def _reading(body: str, top: str = "") -> dict[str, str]:
    """Return the converter of the good service with some lines more in its first function, and at its top."""
    own = indent(dedent(body).strip("\n"), "    ")
    return {CONVERTER: f"import os\n{top}\n" + dedent(GOOD[CONVERTER]).replace(BODY, f"{own}\n{BODY}")}


def _told(root: Path, files: dict[str, str], *, listed: bool) -> list[str]:
    keys = "CLAIM_DOMAIN, CLAIM_KEY" if listed else "CLAIM_DOMAIN"
    text = f"name: cmm_claim_search\nrequired_env_keys: [{keys}]\n"
    return [one.en for one in told_of(TK312, root, {**files, DEFINITION: text})]


READS: Final = {
    "a text": "key = os.environ['CLAIM_KEY']",
    "a name": "name = 'CLAIM_KEY'\nkey = os.environ[name]",
    "a name with a type": "name: str = 'CLAIM_KEY'\nkey = os.environ[name]",
    "a name given in a condition": "if (name := 'CLAIM_KEY') and request:\n    key = os.environ[name]",
    "a name of a name": "first = 'CLAIM_KEY'\nname = first\nkey = os.getenv(name)",
    "a name beside another": "other = name = 'CLAIM_KEY'\nkey = os.environ.get(name)",
    "another name of the environment": "env = os.environ\nkey = env['CLAIM_KEY']",
    "another name of the environment, asked": "env = os.environ\nname = 'CLAIM_KEY'\nkey = env.get(name)",
    "another name of the reader": "read = os.environ.get\nkey = read('CLAIM_KEY')",
    "a name of the function around": "name = 'CLAIM_KEY'\ndef inner():\n    return os.environ[name]\nkey = inner()",
    "a name that another function uses too": (
        "name = 'CLAIM_KEY'\ndef inner():\n    name = 'OTHER'\n    return name\nkey = os.environ[name]"
    ),
}


@pytest.mark.parametrize("body", READS.values(), ids=READS)
def test_a_variable_that_is_read_over_names_counts_as_read(body: str, tmp_path: Path) -> None:
    assert _told(tmp_path, _reading(body), listed=True) == []


@pytest.mark.parametrize("body", [body for what, body in READS.items() if "around" not in what])
def test_a_converter_that_reads_a_variable_makes_its_tool_need_it(body: str, tmp_path: Path) -> None:
    (said,) = _told(tmp_path, _reading(body), listed=False)
    assert said.startswith(f"{UNLISTED}src/my_tools/biz/cmm/converter.py:")
    assert said.endswith("Write `required_env_keys: [CLAIM_DOMAIN, CLAIM_KEY]`.")


@pytest.mark.parametrize("top", ["NAME = 'CLAIM_KEY'", "class Names:\n    pass\nNAME: str = 'CLAIM_KEY'"])
def test_a_constant_of_the_module_is_followed(top: str, tmp_path: Path) -> None:
    files = _reading("key = os.environ[NAME]", top)
    assert _told(tmp_path, files, listed=True) == []
    assert len(_told(tmp_path, files, listed=False)) == 1


UNKNOWN: Final = {
    "a name given twice": "name = 'CLAIM_KEY'\nname = 'OTHER'\nkey = os.environ[name]",
    "a name given by branches": (
        "if request.claim_no:\n    name = 'CLAIM_KEY'\nelse:\n    name = 'OTHER'\nkey = os.environ[name]"
    ),
    "a name that is added to": "name = 'CLAIM_KEY'\nname += '_2'\nkey = os.environ[name]",
    "a name that a loop gives": "name = 'CLAIM_KEY'\nfor name in ('A', 'B'):\n    key = os.environ[name]",
    "a name of a comprehension": "name = 'CLAIM_KEY'\nkeys = [os.environ[name] for name in ('A', 'B')]",
    "a name of a lambda": "name = 'CLAIM_KEY'\nread = lambda name: os.environ[name]\nkey = read('A')",
    "a parameter": "def inner(name):\n    return os.environ[name]\nkey = inner('CLAIM_KEY')",
    "a parameter over a name": (
        "name = 'CLAIM_KEY'\ndef inner(name):\n    return os.environ[name]\nkey = inner('OTHER')"
    ),
    "a name of several at once": "name, other = 'CLAIM_KEY', 'OTHER'\nkey = os.environ[name]",
    "a name that is put together": "name = 'CLAIM' + '_KEY'\nkey = os.environ[name]",
    "a text that is put together": "key = os.environ['CLAIM' + '_KEY']",
    "a name that is given later": (
        "for one in 'ab':\n    key = os.environ[name] if one == 'b' else ''\n    name = 'CLAIM_KEY'"
    ),
    "a name that a function inside gives": (
        "name = 'CLAIM_KEY'\ndef inner():\n    nonlocal name\n    name = 'OTHER'\ninner()\nkey = os.environ[name]"
    ),
    "a name that is removed": "name = 'CLAIM_KEY'\ndel name\nkey = os.environ[name]",
    "a name of an error": (
        "name = 'CLAIM_KEY'\ntry:\n    pass\nexcept OSError as name:\n    key = os.environ[str(name)]"
    ),
    "a name in a pattern": "name = 'CLAIM_KEY'\nmatch request:\n    case name:\n        key = os.environ[name]",
    "a name of its own": "name = name\nkey = os.environ[name]",
}


@pytest.mark.parametrize("listed", [True, False], ids=["listed", "unlisted"])
@pytest.mark.parametrize("body", UNKNOWN.values(), ids=UNKNOWN)
def test_nothing_is_said_about_a_variable_whose_name_is_not_known(body: str, listed: bool, tmp_path: Path) -> None:
    assert _told(tmp_path, _reading(body), listed=listed) == []


@pytest.mark.parametrize(
    ("top", "body"),
    [
        ("NAME = 'CLAIM_KEY'\nNAME = 'OTHER'", "key = os.environ[NAME]"),
        ("NAME = 'CLAIM_KEY'\ndef more():\n    global NAME\n    NAME = 'OTHER'", "key = os.environ[NAME]"),
        ("class Names:\n    NAME = 'CLAIM_KEY'\n", "key = os.environ[Names.NAME]"),
        ("NAME = 'CLAIM_KEY'", "NAME = request.claim_no\nkey = os.environ[NAME]"),
    ],
)
def test_nothing_is_said_about_a_constant_that_may_be_another(top: str, body: str, tmp_path: Path) -> None:
    files = _reading(body, top)
    assert (_told(tmp_path / "a", files, listed=True), _told(tmp_path / "b", files, listed=False)) == ([], [])


@pytest.mark.parametrize(
    "body", ["key = 'CLAIM_KEY'", "os = {}\nkey = os.environ['CLAIM_KEY']", "env = {}\nkey = env['CLAIM_KEY']"]
)
def test_what_reads_no_variable_is_none_that_is_read(body: str, tmp_path: Path) -> None:
    (said,) = _told(tmp_path, _reading(body), listed=True)
    assert said.startswith(UNREAD)


def test_a_name_of_a_class_is_not_seen_by_its_methods(tmp_path: Path) -> None:
    read = "    def key(self) -> str:\n        return os.environ[NAME]"
    top = f"NAME = 'CLAIM_KEY'\nclass Keys:\n    NAME = 'OTHER'\n{read}"
    assert _told(tmp_path, _reading("pass", top), listed=True) == []


@pytest.mark.parametrize("read", ["os.getenv(name, '')", "os.environ.get(name, default='')"])
@pytest.mark.parametrize("listed", [True, False], ids=["listed", "unlisted"])
def test_a_variable_with_a_default_in_the_code_may_be_listed(read: str, listed: bool, tmp_path: Path) -> None:
    assert _told(tmp_path, _reading(f"name = 'CLAIM_KEY'\nkey = {read}"), listed=listed) == []


def test_a_variable_that_is_read_without_its_default_elsewhere_is_needed(tmp_path: Path) -> None:
    body = "name = 'CLAIM_KEY'\nkey = os.getenv(name, '') or os.environ[name]"
    assert len(_told(tmp_path, _reading(body), listed=False)) == 1


def test_a_function_that_no_tool_calls_makes_none_need_its_variable(tmp_path: Path) -> None:
    top = "def unused() -> str:\n    name = 'CLAIM_KEY'\n    return os.environ[name]"
    assert _told(tmp_path, _reading("pass", top), listed=False) == []


@pytest.mark.parametrize("file", [CLIENT, USECASE])
def test_a_constant_in_the_module_of_a_class_is_followed(file: str, tmp_path: Path) -> None:
    first = dedent(GOOD[file]).splitlines()[0]
    files = changed(file, first, f"import os\nNAME = 'CLAIM_KEY'\nKEY = os.environ[NAME]\n{first}")
    assert _told(tmp_path / "a", files, listed=True) == []
    assert len(_told(tmp_path / "b", files, listed=False)) == 1
