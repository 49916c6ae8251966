"""Sections whose names are free: `tools.<name>`, headers."""

import pytest

from axhub.configuration.document import Named
from axhub.configuration.faults import Place, Where
from axhub.configuration.kinds import Text
from axhub.configuration.table import FREE_NAME, Key, Missing, Table
from support.tables import APIS, FILE, GOOD, WITH_VARIABLES, document_of, flat_of, read, told

TOOLS = GOOD + "tools:\n  b_조회: {timeoutMillis: 5}\n  a.claim:\n  Claim-Search: {tags: [x]}\n"


@pytest.mark.req("toolkit/S0")
def test_the_written_names_are_listed_in_the_order_of_the_file_with_their_places() -> None:
    document = document_of(TOOLS)
    assert document.names("tools") == (
        Named("b_조회", "tools.b_조회", Place(Where.FILE, FILE, 3)),
        Named("a.claim", 'tools."a.claim"', Place(Where.FILE, FILE, 4)),
        Named("Claim-Search", "tools.Claim-Search", Place(Where.FILE, FILE, 5)),
    )
    assert [named.place.column for named in document.names("tools")] == [3, 3, 3]
    assert document.names("server") == ()


@pytest.mark.req("toolkit/S0", "toolkit/T8")
def test_under_each_name_stand_the_same_keys_with_the_same_defaults_written_or_not() -> None:
    document = document_of(TOOLS)
    assert document.value("tools.b_조회.timeoutMillis") == 5
    assert document.value('tools."a.claim".timeoutMillis') == 10_000
    assert document.value("tools.never_written.timeoutMillis") == 10_000
    assert document.value("tools.Claim-Search.tags") == ("x",)
    assert document.place("tools.b_조회.timeoutMillis") == Place(Where.FILE, FILE, 3)
    assert document.place('tools."a.claim".timeoutMillis') == Place(Where.FILE, FILE, 2)


@pytest.mark.req("toolkit/H1")
def test_a_free_section_may_hold_values_instead_of_sections() -> None:
    document = document_of(GOOD + "glow: {communication: {http: {api-list: [{name: a, headers: {X-A: v}}]}}}\n")
    (header,) = document.names(f"{APIS}[0].headers")
    assert (header.name, document.value(header.path)) == ("X-A", "v")
    assert document.value(f"{APIS}[0].headers.X-B") is None


@pytest.mark.req("toolkit/S0")
@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("a: {timeoutMilis: 1}", ("tools.a.timeoutMilis", "an unknown key", "timeoutMillis (the nearest key)")),
        ("a: {timeoutMillis: x}", ("tools.a.timeoutMillis", '"x"', "a whole number from 1 to 60000")),
        ("a: 5", ("tools.a", "5", "a section with timeoutMillis, tags")),
        ("a.b: {timeoutMillis: x}", ('tools."a.b".timeoutMillis', '"x"', "a whole number from 1 to 60000")),
        ("'a b': {}", ("tools.a b", "a name that cannot stand here", FREE_NAME)),
        ("'a[0]': {}", ("tools.a[0]", "a name that cannot stand here", FREE_NAME)),
        ("'': {}", ("tools.", "a name that cannot stand here", FREE_NAME)),
        ("? [x]\n  : {}", ("tools.?", "a name that cannot stand here", FREE_NAME)),
        ("<<: {}", ("tools.<<", "a merge key", "keys written out")),
        ("a: {}\n  a: {}", ("tools.a", "the key a second time (first on line 3)", "each key once")),
        ("a: {tags: x}", ("tools.a.tags", '"x"', "a list, each item text")),
    ],
)
def test_what_is_wrong_under_a_free_name_is_said_with_the_name(line: str, fault: tuple[str, str, str]) -> None:
    assert [each[1:] for each in told(GOOD + f"tools:\n  {line}\n")] == [fault]


@pytest.mark.req("toolkit/S0")
def test_a_section_of_names_that_is_none_is_refused_saying_what_stands_under_each() -> None:
    assert told(GOOD + "tools: 5\n") == [
        (2, "tools", "5", "a section of names, each a section with timeoutMillis, tags")
    ]
    api = "glow: {communication: {http: {api-list: [{name: a, headers: [x]}]}}}\n"
    assert told(GOOD + api) == [(2, f"{APIS}[0].headers", "a list", "a section of names, each with text")]


@pytest.mark.req("toolkit/S0")
def test_a_required_key_is_missed_under_each_name_that_lacks_it() -> None:
    table = Table("", (Key("systems.{}.hosts[].name", Text(), Missing.REQUIRED, "A name."),))
    text = "systems:\n  a:\n    hosts: [{}, {name: x}]\n  b: {}\n  c.d:\n    hosts:\n      - {}\n"
    allowed = "text (required)"
    assert told(text, table=table) == [
        (3, "systems.a.hosts[0].name", "nothing: the key is missing", allowed),
        (7, 'systems."c.d".hosts[0].name', "nothing: the key is missing", allowed),
    ]


@pytest.mark.req("toolkit/S0")
def test_a_variable_means_the_name_that_the_file_writes_and_else_a_name_in_lower_case() -> None:
    environ = {
        "AXHUB_SERVICE__TOOLS__CLAIM_SEARCH__TIMEOUTMILLIS": "7",
        "AXHUB_SERVICE__TOOLS__A_CLAIM__TAGS__0": "말",
        "AXHUB_SERVICE__TOOLS__NEW_TOOL__TIMEOUTMILLIS": "8",
    }
    document = document_of(TOOLS, environ, WITH_VARIABLES)
    assert [named.name for named in document.names("tools")] == ["b_조회", "a.claim", "Claim-Search", "new_tool"]
    assert document.value("tools.Claim-Search.timeoutMillis") == 7
    assert document.value('tools."a.claim".tags') == ("말",)
    assert document.value("tools.new_tool.timeoutMillis") == 8
    assert str(document.names("tools")[3].place) == "environment AXHUB_SERVICE__TOOLS__NEW_TOOL__TIMEOUTMILLIS"


@pytest.mark.req("toolkit/S0")
@pytest.mark.parametrize(
    ("name", "mend"),
    [
        ("AXHUB_SERVICE__TOOLS__A__TIMEOUT", "AXHUB_SERVICE__TOOLS__<NAME>__TIMEOUTMILLIS (the nearest variable)"),
        ("AXHUB_SERVICE__TOOLS____TIMEOUTMILLIS", "AXHUB_SERVICE__TOOLS__<NAME>__TIMEOUTMILLIS (the nearest variable)"),
        ("AXHUB_SERVICE__SERVER__0__PORT", "AXHUB_SERVICE__SERVER__PORT (the nearest variable)"),
        ("AXHUB_SERVICE__QQQ", "AXHUB_SERVICE__… with the path of a key, such as AXHUB_SERVICE__SERVER__PORT"),
    ],
)
def test_a_variable_that_fits_nowhere_is_refused(name: str, mend: str) -> None:
    _, faults = read(TOOLS, {name: "1"}, WITH_VARIABLES)
    assert [(str(fault.place), fault.found, fault.allowed) for fault in faults] == [
        (f"environment {name}", "an unknown variable", mend)
    ]


@pytest.mark.req("toolkit/S0")
def test_a_variable_that_may_mean_two_names_is_refused() -> None:
    text = GOOD + "tools: {a-b: {}, a_b: {}}\n"
    _, faults = read(text, {"AXHUB_SERVICE__TOOLS__A_B__TIMEOUTMILLIS": "1"}, WITH_VARIABLES)
    assert [(fault.key, fault.found) for fault in faults] == [("tools", "a variable that may mean a-b or a_b")]


@pytest.mark.req("toolkit/S0")
def test_dashes_are_underscores_in_variables_and_items_can_be_added() -> None:
    start = "AXHUB_SERVICE__GLOW__COMMUNICATION__HTTP__API_LIST"
    environ = {f"{start}__0__NAME": "a", f"{start}__0__BIZ_POD": "true", f"{start}__0__HEADERS__X_A": "v"}
    document = document_of(GOOD, environ, WITH_VARIABLES)
    assert document.value(f"{APIS}[0].biz-pod") is True
    assert [named.name for named in document.names(f"{APIS}[0].headers")] == ["x_a"]


@pytest.mark.req("toolkit/S0")
def test_a_table_may_take_no_variables_at_all() -> None:
    document = document_of(GOOD, {"AXHUB_SERVICE__SERVER__PORT": "1", "AXHUB_SERVICE__X": "2"})
    assert document.value("server.port") == 8081


@pytest.mark.req("toolkit/S0")
def test_a_flag_of_the_command_line_can_be_put_over_the_file() -> None:
    flat = flat_of(GOOD + "server: {port: [1]}\n")
    flat.put("server.port", "9", Place(Where.COMMAND_LINE, "--port"))
    assert flat.entries["server.port"].place == Place(Where.COMMAND_LINE, "--port")
