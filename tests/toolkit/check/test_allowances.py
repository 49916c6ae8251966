"""Comments that switch a rule off are read in Python, YAML and TOML, and only comments."""

import pytest

from axhub.toolkit.check.collect.allowances import allowances_in
from axhub.toolkit.facts.service import Allowance, Place


def allowance(
    line: int, column: int, *rules: str, reason: str = "released", last: int = 0, file: str = "a.py"
) -> Allowance:
    return Allowance(Place(file, line, column), rules, reason, line, last or line)


def test_a_comment_behind_code_stands_for_its_line_and_one_alone_for_the_next() -> None:
    text = """\
x = 1  # axhub: allow TK105 -- released
# axhub: allow TK101, tk103 -- released
# something else

# axhub: allow TK612 -- released
y = 2
"""
    assert allowances_in("a.py", text) == (
        allowance(1, 8, "TK105"),
        allowance(2, 1, "TK101", "TK103", last=6),
        allowance(5, 1, "TK612", last=6),
    )


@pytest.mark.req("rule/TK003")
@pytest.mark.parametrize(
    ("comment", "rules", "reason"),
    [
        ("# axhub: allow TK105 -- because of the name", ("TK105",), "because of the name"),
        ("#axhub:allow TK105 --이름이 배포됨", ("TK105",), "이름이 배포됨"),
        ("# noqa: X100  # axhub: allow TK105 -- why", ("TK105",), "why"),
        ("# axhub: allow TK105", ("TK105",), ""),
        ("# axhub: allow TK105 --", ("TK105",), ""),
        ("# axhub: allow TK105 -- …", ("TK105",), ""),
        ("# axhub: allow TK105 because of the name", (), ""),
        ("# axhub: allow -- why", (), ""),
        ("# axhub: allow TK1 -- why", (), ""),
        ("# axhub: ignore TK105 -- why", (), ""),
        ("# axhub:", (), ""),
    ],
)
def test_the_form_is_the_id_two_dashes_and_a_reason(comment: str, rules: tuple[str, ...], reason: str) -> None:
    (found,) = allowances_in("a.py", f"x = 1  {comment}\n")
    assert (found.rules, found.reason) == (rules, reason)


def test_in_texts_it_is_no_comment() -> None:
    python = 'x = "# axhub: allow TK105 -- no"\n"""\n# axhub: allow TK105 -- no\n"""\n'
    yaml = 'a: "# axhub: allow TK105 -- no"\nb: |\n  # axhub: allow TK105 -- no\nc: d#axhub: allow TK105 -- no\n'
    assert (allowances_in("a.py", python), allowances_in("a.yml", yaml)) == ((), ())


def test_yaml_and_toml_comments_count_also_where_the_rest_cannot_be_read() -> None:
    yaml = "# 보험\n# axhub: allow TK301 -- released\nname: x  # axhub: allow TK101 -- released\n"
    expected = (
        allowance(2, 1, "TK301", last=3, file="a.yml"),
        allowance(3, 10, "TK101", file="a.yml"),
    )
    assert allowances_in("a.yml", yaml) == expected
    assert allowances_in("a.yml", f"{yaml}'\n") == expected
    toml = 'workspace = ["a"]  # axhub: allow TK101 -- released\n'
    assert allowances_in("a.toml", toml) == (allowance(1, 20, "TK101", file="a.toml"),)


def test_the_last_line_may_be_the_comment() -> None:
    assert allowances_in("a.py", "# axhub: allow TK105 -- released") == (allowance(1, 1, "TK105"),)


def test_lines_are_counted_as_python_counts_them() -> None:
    text = "x = 1\x0c\n# axhub: allow TK105 -- released\ny = '\u2028'\n"
    assert allowances_in("a.py", text) == (allowance(2, 1, "TK105", last=3),)


def test_a_file_that_is_no_python_is_read_as_far_as_it_goes() -> None:
    assert allowances_in("a.py", "# axhub: allow TK105 -- released\nx = (\n") == (allowance(1, 1, "TK105", last=2),)
