"""Paths of keys: what stands where, concrete and in the table."""

import pytest

from axhub.configuration.table import Segment, is_free_name, joined, segments
from support.tables import APIS, KEYS, TABLE, WITH_VARIABLES


@pytest.mark.req("toolkit/S0")
@pytest.mark.parametrize(
    ("path", "template"),
    [
        ("", ""),
        ("server.port", "server.port"),
        ("tools", "tools"),
        ("tools.a", "tools.{}"),
        ("tools.a.timeoutMillis", "tools.{}.timeoutMillis"),
        ('tools."보험.조회".timeoutMillis', "tools.{}.timeoutMillis"),
        ("tools.a.tags", "tools.{}.tags"),
        ("tools.a.tags[12]", "tools.{}.tags[]"),
        (f"{APIS}[0]", f"{APIS}[]"),
        (f"{APIS}[10].headers.x-channel", f"{APIS}[].headers.{{}}"),
        (f'{APIS}[10].headers."x.channel"', f"{APIS}[].headers.{{}}"),
        ("nothing.like[3].this", "nothing.like[].this"),
    ],
)
def test_a_concrete_path_has_its_template_in_the_table(path: str, template: str) -> None:
    assert TABLE.template(path) == template


@pytest.mark.req("toolkit/S0")
def test_every_section_around_a_key_is_a_section() -> None:
    around = {"", "mcp", "server", "tools", "tools.{}", "glow", "glow.communication", "glow.communication.http"}
    assert TABLE.sections == around | {f"{APIS}[]", f"{APIS}[].headers"}


@pytest.mark.req("toolkit/S0")
def test_the_key_of_a_path_is_found_also_from_an_item_of_its_list() -> None:
    assert TABLE.key("mcp.disabledTools[3]").path == "mcp.disabledTools"
    assert TABLE.key("tools.x.timeoutMillis") == KEYS[5]
    assert TABLE.names_in("") == ("mcp", "server", "tools", "glow")
    assert TABLE.names_in("tools") == ("{}",)


@pytest.mark.req("toolkit/S0")
@pytest.mark.parametrize(("section", "name"), [("", "server.port"), ("", "tools[0]"), ("", "{}"), ("server", "x")])
def test_a_name_that_only_looks_like_a_path_is_nothing(section: str, name: str) -> None:
    assert TABLE.child(section, name) is None


@pytest.mark.req("toolkit/S0")
def test_a_name_with_a_dot_stands_in_quotes_in_a_path_and_comes_back_without() -> None:
    path = joined(joined("tools", "a.b"), "tags") + "[0]"
    assert path == 'tools."a.b".tags[0]'
    assert list(segments(path)) == [Segment("tools", ""), Segment("a.b", ""), Segment("tags", "[0]")]


@pytest.mark.req("toolkit/S0")
@pytest.mark.parametrize("name", ["a", "보험_조회", "X-Channel", "a.b/c", "1", "x" * 128])
def test_a_free_name_may_be_what_tools_and_headers_are_called(name: str) -> None:
    assert is_free_name(name)


@pytest.mark.req("toolkit/S0")
@pytest.mark.parametrize("name", ["", " ", "a b", "a\tb", 'a"b', "a[0]", "{}", "?", "<<", "\x07", "\u200b", "x" * 129])
def test_a_free_name_can_be_shown_and_written_in_a_path(name: str) -> None:
    assert not is_free_name(name)


@pytest.mark.req("toolkit/S0")
@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("server.port", "AXHUB_SERVICE__SERVER__PORT"),
        (f"{APIS}[0].biz-pod", "AXHUB_SERVICE__GLOW__COMMUNICATION__HTTP__API_LIST__0__BIZ_POD"),
        ("tools.claim_search.tags[2]", "AXHUB_SERVICE__TOOLS__CLAIM_SEARCH__TAGS__2"),
        ('tools."ins.claim".timeoutMillis', "AXHUB_SERVICE__TOOLS__INS_CLAIM__TIMEOUTMILLIS"),
    ],
)
def test_the_variable_of_a_key_is_its_path_in_upper_case_with_underscores(path: str, name: str) -> None:
    assert WITH_VARIABLES.variable(path) == name


@pytest.mark.req("toolkit/S0")
def test_a_table_without_variables_has_none() -> None:
    with pytest.raises(ValueError, match="takes no variables"):
        TABLE.variable("server.port")
