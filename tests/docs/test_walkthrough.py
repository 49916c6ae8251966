"""The reader of our pages is told the truth about what it compares."""

import pytest

from support.walkthrough import Block, agrees, blocks

PAGE = """
Text, `code`.

<!-- file: a/b.yaml -->
```yaml
x: 1
```

```python
not = "used"
```

```console
$ echo one \\
  two
one two
$ true
```

<!-- stays: http://127.0.0.1:1/ -->
```console
$ serve
```
"""


def test_files_and_consoles_are_found_and_other_blocks_are_not_used() -> None:
    assert blocks(PAGE) == [
        Block("file", "a/b.yaml", "yaml", "x: 1\n"),
        Block("", "", "console", "$ echo one \\\n  two\none two\n$ true\n"),
        Block("stays", "http://127.0.0.1:1/", "console", "$ serve\n"),
    ]
    assert list(blocks(PAGE)[1].commands()) == [("echo one \\\n  two", "one two"), ("true", "")]


@pytest.mark.parametrize(
    ("said", "expected", "same"),
    [
        ("one\ntwo\n", "one\ntwo", True),
        ("one\ntwo\n", "one", False),
        ("one\ntwo\nthree\n", "one\n…\nthree", True),
        ("one\nthree\n", "one\n…\nthree", True),
        ("one\n", "two", False),
        ("3 passed in 0.12s\n", "3 passed in …s", True),
        ("3 passed in\n0.12s\n", "3 passed in …s", False),
        ("a.b\n", "axb", False),
        ("", "", True),
        ("more\n", "", False),
    ],
)
def test_an_ellipsis_stands_for_any_lines_or_any_text_of_a_line(said: str, expected: str, same: bool) -> None:
    assert agrees(said, expected) is same
