"""docs/flows.md is true: each flow is at most six files long, they exist, and each is tied to the next by imports."""

import pytest

from support import flows, tree

FLOWS = flows.read(flows.PAGE.read_text(encoding="utf-8"))
MAX_FILES = 6


def test_the_page_has_the_three_flows_of_the_architecture() -> None:
    assert [flow.title for flow in FLOWS] == [
        "1. Manifest in → `tools/list`",
        "2. Call in → Tool Service → result",
        "3. Chat in → policy → model → approval → tool → use case",
    ]


@pytest.mark.parametrize("flow", FLOWS, ids=lambda flow: flow.title)
def test_a_flow_is_at_most_six_files_long_and_they_exist(flow: flows.Flow) -> None:
    assert 2 <= len(flow.files) <= MAX_FILES
    assert [path for path in flow.files if not (tree.ROOT / path).is_file()] == []


@pytest.mark.parametrize("flow", FLOWS, ids=lambda flow: flow.title)
def test_each_file_of_a_flow_is_tied_to_the_next(flow: flows.Flow) -> None:
    pairs = zip(flow.files, flow.files[1:], strict=False)
    assert [pair for pair in pairs if flows.link(*pair) is None] == []


def test_files_are_tied_by_an_import_or_by_what_both_import_and_not_by_chance() -> None:
    ports, listing = "src/axhub/gateway/ports.py", "src/axhub/gateway/usecases/list_tools.py"
    assert flows.link(listing, "src/axhub/gateway/domain/catalogue.py") is not None
    assert flows.link("src/axhub/gateway/domain/catalogue.py", listing) is not None
    assert flows.link(ports, "src/axhub/cli/tables.py") is None
