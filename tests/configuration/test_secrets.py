"""Secrets come from the environment only and are never shown; the variables that a document reads are known."""

import pytest

from axhub.configuration.document import Variable, variables
from axhub.configuration.faults import Place, Where
from axhub.configuration.overlay import overlay
from axhub.configuration.secrets import EnvOnly, Secret
from axhub.configuration.table import Key, Missing, Table
from support.tables import APIS, FILE, GOOD, WITH_VARIABLES, document_of, flat_of, read, told

KEY = f"{APIS}[0].password"
VARIABLE = "AXHUB_SERVICE__GLOW__COMMUNICATION__HTTP__API_LIST__0__PASSWORD"


def _text(written: str) -> str:
    return (
        GOOD
        + f"glow:\n  communication:\n    http:\n      api-list:\n        - name: a\n          password: {written}\n"
    )


@pytest.mark.req("toolkit/H1")
@pytest.mark.parametrize("written", ["${PW}", "'${PW}'", "  ${PW}   # from the vault"])
@pytest.mark.parametrize("value", ["geheim", "비밀번호", "true", "${NOT} {this}", "a b", "0123"])
def test_a_secret_is_the_value_of_one_variable_whatever_it_looks_like(written: str, value: str) -> None:
    secret = document_of(_text(written), {"PW": value}).value(KEY)
    assert secret == Secret(value)
    assert secret.reveal() == value


@pytest.mark.req("toolkit/H1")
def test_a_secret_does_not_show_itself() -> None:
    assert f"{Secret('geheim')} {Secret('geheim')!r} {[Secret('geheim')]}" == "*** *** [***]"


@pytest.mark.req("toolkit/H1", "threat/T32")
@pytest.mark.parametrize(
    "written",
    [
        "geheim",
        "12345",
        "'geheim'",
        "${PW:geheim}",
        "geheim${PW}",
        "${PW}${PW}",
        "${geheim",
        "${ge heim}",
        "${NO:geheim",
    ],
)
def test_a_secret_in_the_file_is_refused_without_being_shown(written: str) -> None:
    faults = told(_text(written), {"PW": "geheim"})
    assert faults == [(7, KEY, "a value: which does not come from one variable", EnvOnly().allowed)]


@pytest.mark.req("toolkit/H1")
@pytest.mark.parametrize(
    ("environ", "found"),
    [
        ({}, "${PW}, a variable that is not set, without a default"),
        ({"PW": ""}, "a value: of a variable that is set to nothing"),
        ({"PW": "geheim\n"}, "a value: with blanks or a line break around it"),
        ({"PW": " geheim"}, "a value: with blanks or a line break around it"),
        ({"PW": "ge\nheim"}, "a value: with characters that cannot be shown"),
    ],
)
def test_a_variable_that_holds_no_usable_secret_is_refused_without_showing_it(
    environ: dict[str, str], found: str
) -> None:
    assert [(line, key, said) for line, key, said, _ in told(_text("${PW}"), environ)] == [(7, KEY, found)]


@pytest.mark.req("toolkit/H1")
def test_a_secret_that_may_be_left_out_may_be_written_with_nothing() -> None:
    assert document_of(_text("")).value(KEY) is None


@pytest.mark.req("toolkit/H1")
def test_a_list_or_a_section_or_a_tag_instead_of_a_secret_is_refused_without_showing_it() -> None:
    shown = [found for written in ("[geheim]", "{a: geheim}", "!x geheim") for _, _, found, _ in told(_text(written))]
    assert shown == ["a list", "a section", "the YAML tag !x"]


@pytest.mark.req("toolkit/H1")
def test_a_variable_over_the_file_may_hold_the_secret_and_is_final() -> None:
    document = document_of(_text("${PW}"), {VARIABLE: "ge${heim}"}, WITH_VARIABLES)
    assert document.value(KEY) == Secret("ge${heim}")
    _, faults = read(_text("${PW}"), {VARIABLE: "geheim "}, WITH_VARIABLES)
    assert [(str(fault.place), fault.found) for fault in faults] == [
        (f"environment {VARIABLE}", "a value: with blanks or a line break around it")
    ]


@pytest.mark.req("toolkit/H1")
def test_no_other_value_can_be_made_of_a_secret() -> None:
    ((_, key, found, _),) = told(_text("${PW}") + f"server: {{host: '${{{KEY}}}'}}\n", {"PW": "geheim"})
    assert key == "server.host"
    assert "geheim" not in found


@pytest.mark.req("toolkit/S7", "toolkit/H1")
def test_the_variables_that_a_document_reads_are_listed_with_their_places_set_or_not() -> None:
    text = _text("${PW}") + "server:\n  host: ${A}-${B:${C}${D:x}}\n  public: http://h:${server.port}\n"
    flat = flat_of(text, WITH_VARIABLES)
    overlay(flat, {VARIABLE: "${geheim}", "AXHUB_SERVICE__SERVER__PORT": "${PORT}"})
    place = Place(Where.FILE, FILE, 9)
    over = Place(Where.ENVIRONMENT, "AXHUB_SERVICE__SERVER__PORT")
    assert variables(flat) == (
        Variable("A", "server.host", place, required=True),
        Variable("B", "server.host", place, required=False),
        Variable("C", "server.host", place, required=False),
        Variable("D", "server.host", place, required=False),
        Variable("PORT", "server.port", over, required=True),
    )
    assert [variable.name for variable in variables(flat_of(_text("${PW}")))] == ["PW"]


@pytest.mark.req("toolkit/H1")
def test_a_required_secret_that_is_written_with_nothing_is_said_to_be_nothing() -> None:
    table = Table("", (Key("password", EnvOnly(), Missing.REQUIRED, "."),))
    assert told("password:\n", table=table) == [(1, "password", "nothing", EnvOnly().allowed)]
