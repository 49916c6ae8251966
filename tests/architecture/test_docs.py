"""Documents stay true: what they cite exists, what they tell people to type works, and decisions have one form."""

import re
from pathlib import Path

import pytest

from support import documents, tree
from support.make import make

DECISIONS = sorted((tree.ROOT / "docs" / "decisions").glob("[0-9][0-9][0-9][0-9]-*.md"))
SECTIONS = ["Context", "Decision", "Consequences", "Held by"]


@pytest.mark.parametrize("document", documents.documents(), ids=tree.shown)
def test_every_path_that_a_document_cites_exists(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    assert [cited for cited in documents.cited_paths(text) if not documents.find(cited, document)] == []


def test_every_make_command_that_a_document_names_is_one() -> None:
    shown = make(tree.ROOT, "help")
    offered = set(re.findall(r"^make ([\w-]+)", shown, re.MULTILINE))
    named = {target for path in documents.documents() for target in documents.make_targets(path.read_text("utf-8"))}
    assert {"run", "test", "check", "fix", "bench", "conformance", "docs", "lock", "help"} <= offered
    assert named <= offered


@pytest.mark.parametrize("record", DECISIONS, ids=tree.shown)
def test_a_decision_record_has_a_numbered_title_a_status_and_the_four_sections(record: Path) -> None:
    text = record.read_text(encoding="utf-8")
    assert re.match(rf"# {record.name[:4]} · \S.*\n\n(Accepted|Superseded by \d{{4}}) \d{{4}}-\d\d-\d\d\.", text)
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == SECTIONS


def test_decisions_are_numbered_without_gaps_and_all_stand_in_the_index() -> None:
    index = (tree.ROOT / "docs" / "decisions" / "README.md").read_text(encoding="utf-8")
    assert [int(record.name[:4]) for record in DECISIONS] == list(range(1, len(DECISIONS) + 1))
    assert [record.name for record in DECISIONS if f"]({record.name})" not in index] == []


def test_the_index_of_the_documents_names_each_of_them() -> None:
    index = (tree.ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    pages = [page.relative_to(tree.ROOT / "docs").as_posix() for page in (tree.ROOT / "docs").glob("**/*.md")]
    missing = [page for page in pages if f"]({page})" not in index and page != "README.md"]
    assert [page for page in missing if not page.startswith("decisions/")] == []


SAMPLE = """
See [the flows](docs/flows.md#one) and [a site](https://example.org/a.md), `src/axhub/cli/`, `gateway/ports.py`,
`tools/list`, `application/json`, `gateway/G6`, `/actuator/health`.

```sh
axhub gateway --config my/gateway.yaml
make run
```
"""


def test_links_and_code_spans_that_look_like_paths_are_cited_and_blocks_and_ids_are_not() -> None:
    assert list(documents.cited_paths(SAMPLE)) == ["docs/flows.md", "src/axhub/cli/", "gateway/ports.py"]
    assert documents.make_targets(SAMPLE) == {"run"}


def test_a_cited_path_is_found_from_the_root_from_src_and_by_a_pattern_and_a_wrong_one_is_not() -> None:
    here = tree.ROOT / "docs" / "flows.md"
    assert documents.find("gateway/ports.py", here)
    assert documents.find("src/axhub/contract/*.py", here)
    assert documents.find("../pyproject.toml", here)
    assert not documents.find("src/axhub/contract/nothing.py", here)
