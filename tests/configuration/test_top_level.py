"""A table without a root: its sections stand at the top of the file, alone."""

from dataclasses import replace

import pytest

from axhub.configuration.kinds import Whole
from axhub.configuration.table import Key, Table
from support.tables import APIS, GOOD, KEYS, TABLE, document_of, told

WITH_TOP_KEY = Table("", (*KEYS, Key("maxInFlightCalls", Whole(1, 9), 5, "Calls at the same time.")))

EVERYTHING = """\
mcp: {bundleId: 보험, disabledTools: [a, b]}
server: {port: 9000}
tools:
  claim_search: {timeoutMillis: 500, tags: [x]}
  ins.claim: {}
glow:
  communication:
    http:
      api-list:
        - name: insurance
          biz-pod: true
          headers: {X-Channel: "01", x.trace: on}
"""


@pytest.mark.req("toolkit/S0", "toolkit/H1")
def test_several_sections_stand_at_the_top_and_names_may_have_dashes() -> None:
    document = document_of(EVERYTHING)
    assert {path: given.value for path, given in document.given.items()} == {
        "mcp.bundleId": "보험",
        "mcp.disabledTools[0]": "a",
        "mcp.disabledTools[1]": "b",
        "server.port": 9000,
        "tools.claim_search.timeoutMillis": 500,
        "tools.claim_search.tags[0]": "x",
        f"{APIS}[0].name": "insurance",
        f"{APIS}[0].biz-pod": True,
        f"{APIS}[0].headers.X-Channel": "01",
        f'{APIS}[0].headers."x.trace"': "on",
    }
    assert document.value("mcp.disabledTools") == ("a", "b")
    assert document.items(APIS) == (f"{APIS}[0]",)


@pytest.mark.req("toolkit/S0")
@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("sever: {port: 1}\n", (2, "sever", "an unknown key", "server (the nearest key)")),
        ("spring: {}\n", (2, "spring", "an unknown key", "one of mcp, server, tools, glow")),
        ("port: 1\n", (2, "port", "an unknown key", "server.port (the key of this name)")),
        ("Tags: 1\n", (2, "Tags", "an unknown key", "tools.<name>.tags (the key of this name)")),
        ("server.port: 1\n", (2, "server.port", "an unknown key", "server (the nearest key)")),
        ("mcp: {}\n", (2, "mcp", "the key a second time (first on line 1)", "each key once")),
        ("server: 5\n", (2, "server", "5", "a section with host, port, public")),
        ("glow: {comunication: 1}\n", (2, "glow.comunication", "an unknown key", "communication (the nearest key)")),
    ],
)
def test_what_is_not_of_the_table_is_refused_at_the_top_as_anywhere(
    text: str, fault: tuple[int, str, str, str]
) -> None:
    assert told(GOOD + text) == [fault]


@pytest.mark.req("toolkit/S0")
@pytest.mark.parametrize("section", ["server", "mcp"])
def test_a_key_of_the_top_level_in_a_section_is_told_where_it_belongs(section: str) -> None:
    text = {"server": GOOD + "server: {maxInFlightCalls: 3}\n", "mcp": "mcp: {bundleId: x, maxInFlightCalls: 3}\n"}
    ((_, key, found, allowed),) = told(text[section], table=WITH_TOP_KEY)
    assert (key, found) == (f"{section}.maxInFlightCalls", "an unknown key")
    assert allowed == "maxInFlightCalls at the top level, in no section (the key of this name)"


@pytest.mark.req("toolkit/S0")
@pytest.mark.parametrize("text", ["", "# nothing\n", "{}\n"])
def test_an_empty_file_lacks_only_what_is_required(text: str) -> None:
    assert told(text) == [(1, "mcp.bundleId", "nothing: the key is missing", "text (required)")]


@pytest.mark.req("toolkit/S0")
@pytest.mark.parametrize(("text", "found"), [("text", '"text"'), ("- mcp", "a list"), ("!x {}", "the YAML tag !x")])
def test_a_file_that_is_no_section_is_refused_once(text: str, found: str) -> None:
    ((line, key, said, _),) = told(text)
    assert (line, key, said) == (1, "", found)


@pytest.mark.req("toolkit/S0")
def test_nothing_is_said_of_required_keys_in_a_section_that_cannot_be_read() -> None:
    assert told("mcp: 5\n") == [(1, "mcp", "5", "a section with bundleId, disabledTools")]


@pytest.mark.req("toolkit/S0", "gateway/C1")
def test_with_a_root_the_other_sections_at_the_top_are_ignored() -> None:
    keys = tuple(replace(key, path=key.path.removeprefix("mcp.")) for key in TABLE.keys if key.section == "mcp")
    table = replace(TABLE, root="mcp", keys=keys)
    assert told(GOOD + "spring: {a: !x 1}\n", table=table) == []
    assert told("mcp: {}", table=table) == [(1, "mcp.bundleId", "nothing: the key is missing", "text (required)")]
