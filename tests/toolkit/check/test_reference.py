"""The reference of the rules is current, complete, and shows everything as it is."""

from dataclasses import replace
from pathlib import Path

import pytest

from axhub.toolkit.check import LANGUAGES, Language
from axhub.toolkit.check.reference import FILES, main, reference_markdown
from axhub.toolkit.rules.all import ALL
from axhub.toolkit.rules.model import Text
from support import tree


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_reference_is_current(language: Language) -> None:
    written = (tree.ROOT / "docs" / "reference" / FILES[language]).read_text(encoding="utf-8")
    assert written == reference_markdown(language), "write it anew: make docs"


def test_both_pages_are_written_at_once(tmp_path: Path) -> None:
    main(tmp_path)
    pages = {file.name: file.read_text(encoding="utf-8") for file in tmp_path.iterdir()}
    assert pages == {FILES[language]: reference_markdown(language) for language in LANGUAGES}


def test_signs_of_markdown_mean_themselves_outside_code() -> None:
    title = Text("A *b* `c*` <d> 3~4 [e] snake_case _f|", "제목")
    page = reference_markdown("en", [replace(ALL[0], title=title)])
    assert (
        f"| [{ALL[0].id}](#{ALL[0].id.lower()}) | error | A \\*b\\* `c*` \\<d\\> 3\\~4 \\[e\\] snake_case \\_f\\| |"
        in page
    )


def test_each_rule_has_all_its_texts_in_both_languages() -> None:
    texts = {
        f"{rule.id} {name}": text
        for rule in ALL
        for name, text in [
            ("title", rule.title),
            ("why", rule.why),
            *[(f"problem {key}", message.problem) for key, message in rule.messages.items()],
            *[(f"mend {key}", message.mend) for key, message in rule.messages.items()],
        ]
    }
    assert [name for name, text in texts.items() if not text.en.strip() or not text.ko.strip()] == []
    assert [name for name, text in texts.items() if not any("가" <= letter <= "힣" for letter in text.ko)] == []
    assert [rule.id for rule in ALL if not rule.bad or not rule.good] == []
