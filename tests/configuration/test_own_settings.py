"""`${server.port}`: a value that is made of another setting."""

from dataclasses import replace

import pytest

from axhub.configuration.document import read_document
from axhub.configuration.faults import Place, Where
from axhub.configuration.kinds import Seconds, Switch, Text
from axhub.configuration.table import Key, Missing, Table
from support.tables import GOOD, TABLE, WITH_VARIABLES, document_of, flat_of, told

SET = "a set variable, the path of a setting, or ${NAME:default}"


def _public(written: str, more: str = "", environ: dict[str, str] | None = None) -> str:
    text = GOOD + f"server:\n  public: {written}\n{more}"
    return str(document_of(text, environ, WITH_VARIABLES).value("server.public"))


@pytest.mark.req("toolkit/H1")
@pytest.mark.parametrize(
    ("written", "more", "environ", "value"),
    [
        ("http://h:${server.port}", "", {}, "http://h:8081/"),
        ("http://h:${server.port}", "  port: 9000\n", {}, "http://h:9000/"),
        ("http://h:${server.port}", "  port: ${PORT:9000}\n", {}, "http://h:9000/"),
        ("http://h:${server.port}", "  port: ${PORT:9000}\n", {"PORT": "7000"}, "http://h:7000/"),
        ("http://h:${server.port}", "", {"AXHUB_SERVICE__SERVER__PORT": "6000"}, "http://h:6000/"),
        ("${DOMAIN:http://localhost:${server.port}}", "", {}, "http://localhost:8081/"),
        ("${DOMAIN:http://localhost:${server.port}}", "", {"DOMAIN": "http://x"}, "http://x:80/"),
        ("http://${server.host}:${server.port:1}/a", "  host: ${H:${mcp.bundleId:x}}\n", {"H": "y"}, "http://y:8081/a"),
    ],
)
def test_the_path_of_a_setting_is_its_value_or_its_default(
    written: str, more: str, environ: dict[str, str], value: str
) -> None:
    assert _public(written, more, environ) == value


@pytest.mark.req("toolkit/H1")
def test_a_default_of_the_reference_stands_only_where_the_setting_has_no_value() -> None:
    keys = (
        Key("a.text", Text(), Missing.NONE, "."),
        Key("a.rate", Seconds(9), 2.0, "."),
        Key("a.on", Switch(), True, "."),
        Key("b.all", Text(), Missing.NONE, "."),
    )
    table = Table("", keys, own_settings=True)
    text = "b:\n  all: x ${a.text:own} ${a.rate:1} ${a.on:no}\na:\n  text:\n"
    assert document_of(text, table=table).value("b.all") == "x own 2 true"
    assert told("b: {all: 'x ${a.text}'}\n", table=table) == [
        (1, "b.all", "${a.text}, a setting that has no value, without a default", SET)
    ]


@pytest.mark.req("toolkit/H1")
def test_a_flag_counts_as_the_setting() -> None:
    flat = flat_of(GOOD + "server: {public: 'http://h:${server.port}'}\n")
    flat.put("server.port", "5000", Place(Where.COMMAND_LINE, "--port"))
    document, faults = read_document(flat, {})
    assert (str(document.value("server.public")), faults) == ("http://h:5000/", [])


@pytest.mark.req("toolkit/H1")
def test_what_a_variable_says_is_final() -> None:
    ((_, key, found, _),) = told(GOOD + "server: {public: '${D}'}\n", {"D": "http://h:${server.port}"})
    assert (key, found[:24]) == ("server.public", '"http://h:${server.port}"'[:24])


@pytest.mark.req("toolkit/H1")
@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("server.prt", "${server.prt}, which is not the path of a setting (the nearest setting: server.port)"),
        ("qqqqqqqq.x", "${qqqqqqqq.x}, which is not the path of a setting"),
        ("tools.a.timeoutMillis", "${tools.a.timeoutMillis}, which is not the path of a setting"),
        ("server", "${server}, a variable that is not set, without a default"),
        ("a b", "${a b}, which is not a variable's name"),
    ],
)
def test_what_is_neither_a_variable_nor_a_setting_is_refused(name: str, found: str) -> None:
    assert told(GOOD + f"server: {{host: 'x${{{name}}}'}}\n") == [(2, "server.host", found, SET)]


@pytest.mark.req("toolkit/H1")
@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        (["a: '${s.a}'"], (2, "s.a", "${s.a}, which is this setting itself", SET)),
        (["a: '${s.b}'", "b: 'x${s.a}'"], (3, "s.b", "${s.a}, which is made of s.b itself", SET)),
        (
            ["a: '${X:${s.b}}'", "b: '${s.c}'", "c: '${s.a:d}'", "d: '${s.a}'"],
            (4, "s.c", "${s.a}, which is made of s.c itself through s.b", SET),
        ),
    ],
)
def test_settings_that_are_made_of_each_other_are_one_fault_that_names_them(
    lines: list[str], fault: tuple[int, str, str, str]
) -> None:
    table = Table("", tuple(Key(f"s.{name}", Text(), Missing.NONE, ".") for name in "abcd"), own_settings=True)
    assert told("s:\n  " + "\n  ".join(lines) + "\n", table=table) == [fault]


@pytest.mark.req("toolkit/H1")
@pytest.mark.parametrize("written", ["abc", "[1]", "!x 1", "${NOPE}"])
def test_the_fault_of_a_setting_is_said_once_and_not_where_it_is_used(written: str) -> None:
    text = GOOD + f"server:\n  public: http://h:${{server.port}}\n  port: {written}\n"
    assert [key for _, key, _, _ in told(text)] == ["server.port"]


@pytest.mark.req("toolkit/H1")
def test_a_setting_in_a_section_that_cannot_be_read_is_not_taken_from_its_default() -> None:
    text = "mcp: {bundleId: 'x${server.port}'}\nserver: 5\n"
    assert [key for _, key, _, _ in told(text)] == ["server"]


@pytest.mark.req("gateway/C1", "toolkit/H1")
def test_a_table_without_own_settings_knows_variables_only() -> None:
    table = replace(TABLE, own_settings=False)
    assert told(GOOD + "server: {host: 'x${server.port}'}\n", table=table) == [
        (2, "server.host", "${server.port}, which is not a variable's name", "a set variable, or ${NAME:default}")
    ]


@pytest.mark.req("toolkit/H1")
def test_with_a_root_the_path_is_written_as_in_the_file() -> None:
    keys = (Key("a", Text(), Missing.NONE, "."), Key("b", Text(), "c", "."))
    table = Table("mcp", keys, own_settings=True)
    assert document_of("mcp: {a: '${mcp.b}!'}", table=table).value("a") == "c!"
