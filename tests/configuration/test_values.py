"""`${ENV:default}` and the types of plain values."""

import pytest

from axhub.configuration.faults import Place, Where
from axhub.configuration.source import Scalar, Style
from axhub.configuration.values import Shape, describe, shape_of, substitute, typed

HERE = Place(Where.FILE, "f.yaml", 1)
ENVIRON = {"HOST": "tools", "EMPTY": "", "NUMBER": "3000", "KOREAN": "보험", "DOLLAR": "${HOST}"}


@pytest.mark.req("gateway/C1")
@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("plain", "plain"),
        ("${HOST}", "tools"),
        ("http://${HOST}:8080/${KOREAN}", "http://tools:8080/보험"),
        ("${NOPE:default}", "default"),
        ("${NOPE:/claims/{number}}", "/claims/{number}"),
        ("${HOST:/claims/{number}/{row}}", "tools"),
        ("${NOPE:}", ""),
        ("${EMPTY:default}", ""),
        ("${NOPE:http://x:1/a}", "http://x:1/a"),
        ("${NOPE:${HOST}}", "tools"),
        ("${NOPE:${ALSO_NOT:deep}}!", "deep!"),
        ("${HOST:${NOPE}}", "tools"),
        ("${DOLLAR}", "${HOST}"),
        ("$HOST {HOST} }", "$HOST {HOST} }"),
        ("한국 ${KOREAN} 끝", "한국 보험 끝"),
    ],
)
def test_variables_are_replaced_by_their_value_or_default(written: str, text: str) -> None:
    assert substitute(written, ENVIRON) == (text, ())


@pytest.mark.req("gateway/C2")
@pytest.mark.parametrize(
    ("written", "problems"),
    [
        ("${NOPE}", ["${NOPE}, a variable that is not set, without a default"]),
        (
            "${A}-${B}",
            [
                "${A}, a variable that is not set, without a default",
                "${B}, a variable that is not set, without a default",
            ],
        ),
        ("${A:${B}}", ["${B}, a variable that is not set, without a default"]),
        ("${HOST", ["${ without its closing }"]),
        ("${NOPE} ${", ["${NOPE}, a variable that is not set, without a default", "${ without its closing }"]),
        ("${a b}", ["${a b}, which is not a variable's name"]),
        ("${}", ["${}, which is not a variable's name"]),
        ("${1A:x}", ["${1A}, which is not a variable's name"]),
    ],
)
def test_every_variable_that_cannot_be_replaced_is_named(written: str, problems: list[str]) -> None:
    assert list(substitute(written, ENVIRON).problems) == problems


@pytest.mark.req("gateway/C1")
@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("", Shape.NOTHING),
        ("~", Shape.NOTHING),
        ("null", Shape.NOTHING),
        ("true", Shape.BOOLEAN),
        ("FALSE", Shape.BOOLEAN),
        ("yes", Shape.TEXT),
        ("no", Shape.TEXT),
        ("on", Shape.TEXT),
        ("0", Shape.INTEGER),
        ("-12", Shape.INTEGER),
        ("+7", Shape.INTEGER),
        ("012", Shape.TEXT),
        ("00.5", Shape.TEXT),
        ("0x10", Shape.TEXT),
        ("1_000", Shape.TEXT),
        ("1:30", Shape.TEXT),
        ("2026-07-30", Shape.TEXT),
        ("1.5", Shape.DECIMAL),
        (".5", Shape.DECIMAL),
        ("1e3", Shape.DECIMAL),
        (".inf", Shape.DECIMAL),
        (".NaN", Shape.DECIMAL),
        ("١٢", Shape.TEXT),
        ("보험", Shape.TEXT),
    ],
)
def test_plain_values_are_typed_without_the_surprises_of_old_yaml(text: str, shape: Shape) -> None:
    assert shape_of(text) is shape


@pytest.mark.req("gateway/C1")
def test_a_plain_value_is_typed_after_substitution_and_a_quoted_one_stays_text() -> None:
    assert typed(Scalar("${N}", HERE), "3000").shape is Shape.INTEGER
    assert typed(Scalar("${N}", HERE, Style.QUOTED), "3000").shape is Shape.TEXT


@pytest.mark.req("gateway/C1")
def test_what_came_from_the_environment_may_be_read_as_text() -> None:
    assert not typed(Scalar("1234", HERE), "1234").any_text
    assert typed(Scalar("${N}", HERE), "1234").any_text
    assert typed(Scalar("1234", HERE, Style.VARIABLE), "1234").any_text


@pytest.mark.req("gateway/C1")
@pytest.mark.parametrize(
    ("scalar", "text", "described"),
    [
        (Scalar("", HERE), "", "nothing"),
        (Scalar("true", HERE), "true", "true"),
        (Scalar("1.5", HERE), "1.5", "1.5"),
        (Scalar("보험", HERE), "보험", '"보험"'),
        (Scalar("3000", HERE, Style.QUOTED), "3000", '"3000" (text, since it stands in quotes)'),
        (Scalar("", HERE, Style.QUOTED), "", '""'),
        (Scalar("${N:abc}", HERE), "abc", '"abc" (written ${N:abc})'),
        (Scalar("http://u:p@h/", HERE), "http://u:p@h/", '"http://***@h/"'),
    ],
)
def test_what_was_found_is_said_in_the_operators_words(scalar: Scalar, text: str, described: str) -> None:
    assert describe(typed(scalar, text)) == described
