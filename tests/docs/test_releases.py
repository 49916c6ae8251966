"""The page about releases is walked through by a reader who types what it says and looks at what comes back."""

from pathlib import Path

import pytest

from support import tree
from support.released_service import length_service
from support.walkthrough import Walk

PAGE = (tree.ROOT / "docs" / "howto" / "releases.md").read_text(encoding="utf-8")
PERSON = ("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL")


@pytest.mark.req("decision/D12", "rule/TK106")
@pytest.mark.timeout(180)
def test_a_release_and_a_breaking_change_go_as_the_page_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in PERSON:
        monkeypatch.setenv(name, "author@example.com")
    length_service(tmp_path)
    walk = Walk(tmp_path)
    walk.follow(PAGE)
    assert len(walk.typed) == 16
