"""What a terminal says of itself: its width, and whether it shows colours."""

import io
import os
import pty

import pytest

from axhub.cli.tables import bold, terminal_width, wants_colour

pytestmark = pytest.mark.req("gateway/C5")


@pytest.mark.parametrize(
    ("environ", "wanted"),
    [
        ({"TERM": "xterm"}, True),
        ({}, True),
        ({"NO_COLOR": "1"}, False),
        ({"NO_COLOR": ""}, True),
        ({"TERM": "dumb"}, False),
    ],
)
def test_colours_need_a_terminal_and_a_user_who_wants_them(environ: dict[str, str], wanted: bool) -> None:
    leader, follower = pty.openpty()
    with os.fdopen(leader, "w") as _, os.fdopen(follower, "w") as terminal:
        assert wants_colour(terminal, environ) is wanted
    assert wants_colour(io.StringIO(), environ) is False


def test_only_a_terminal_has_a_width_to_fit_into() -> None:
    leader, follower = pty.openpty()
    with os.fdopen(leader, "w") as _, os.fdopen(follower, "w") as terminal:
        assert isinstance(terminal_width(terminal), int)
    assert terminal_width(io.StringIO()) is None


def test_emphasis_is_a_matter_of_colour() -> None:
    assert (bold("x", True), bold("x", False)) == ("\x1b[1mx\x1b[0m", "x")
