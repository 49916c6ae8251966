"""The table of the article about tools and layers names code and tests that are there."""

import re

from support import tree

PAGE = (tree.ROOT / "docs" / "reference" / "seed-000.md").read_text(encoding="utf-8")
CODE = (tree.ROOT / "src" / "axhub", tree.ROOT / "examples" / "order_service" / "src")
ROWS = [
    line.strip("| ").split(" | ")
    for line in PAGE.splitlines()
    if line.startswith("| ") and not line.startswith(("| line ", "| situation "))
]


def test_each_line_has_code_and_what_holds_it() -> None:
    assert len(ROWS) > 25
    assert [row for row in ROWS if len(row) != 3 or not all(row)] == []


def test_the_code_that_is_named_exists() -> None:
    named = {path for row in ROWS for path in re.findall(r"`((?:agent|cli|order_service)/[\w/.]+)`", row[1])}
    assert len(named) > 20
    assert {path for path in named if not any((root / path).exists() for root in CODE)} == set()


def test_the_tests_that_are_named_exist() -> None:
    missing, count = [], 0
    for _, _, held in ROWS:
        file = None
        for word in re.findall(r"`([^`]+)`", held):
            if word.endswith(".py"):
                file = tree.ROOT / word
                count += 1
                if not file.is_file():
                    missing.append(word)
            elif word.startswith("test_") and (file is None or f"def {word}(" not in file.read_text("utf-8")):
                missing.append(word)
    assert (missing, count > 25) == ([], True)
