"""An API is added to a configuration as text: comments, order and everything else stay."""

import pytest
import yaml

from axhub.toolkit.scaffold.configuration import add_api, api_in, language_in

pytestmark = pytest.mark.req("toolkit/T5")

ENTRY = "- name: claim\n  domain: ${CLAIM:http://localhost:${server.port}}\n"


def added(text: str) -> str | None:
    found = add_api(text, ENTRY)
    return None if found is None else found[0]


def test_the_section_is_made_where_there_is_none() -> None:
    text = "# ours\nmcp:\n  bundleId: x  # the bundle\n"
    assert added(text) == text + (
        "\nglow:\n  communication:\n    http:\n      api-list:\n"
        "        - name: claim\n          domain: ${CLAIM:http://localhost:${server.port}}\n"
    )


def test_it_goes_to_the_end_of_the_list_whatever_follows_it() -> None:
    before = "glow:\n    communication:\n        http:\n            api-list:\n            -   name: first  # 1\n"
    after = "            # the end\n\nmcp: {bundleId: x}\n"
    entry = "            - name: claim\n              domain: ${CLAIM:http://localhost:${server.port}}\n"
    assert add_api(before + after, ENTRY) == (f"{before}\n{entry}{after}", 7)


def test_a_section_that_is_there_in_part_is_completed() -> None:
    text = "glow:\n  communication:\n    retry: |\n      two\n      lines\nmcp: {bundleId: x}\n"
    assert added(text) == (
        "glow:\n  communication:\n    retry: |\n      two\n      lines\n"
        "\n    http:\n      api-list:\n        - name: claim\n          domain: ${CLAIM:http://localhost:${server.port}}\n"
        "mcp: {bundleId: x}\n"
    )


@pytest.mark.parametrize("text", ["", "# nothing yet\n", "mcp:\n  bundleId: x"])
def test_an_empty_file_and_one_without_a_line_end_are_as_good(text: str) -> None:
    changed = added(text)
    assert changed is not None
    assert changed.startswith(text)
    assert [api["name"] for api in yaml.safe_load(changed)["glow"]["communication"]["http"]["api-list"]] == ["claim"]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    "text",
    [
        "# ours\nmcp:\n  bundleId: x\n",
        "mcp:\n  bundleId: x",
        "glow:\n  communication:\n    http:\n      api-list:\n        - name: first\n# the end\n",
    ],
)
def test_line_ends_stay_those_of_the_file(text: str, end: str) -> None:
    plain, changed = added(text), added(text.replace("\n", end))
    assert plain is not None
    assert changed == plain.replace("\n", end if "\n" in text else "\n")


@pytest.mark.parametrize(
    "text",
    [
        "glow: [",
        "- a list\n",
        "{mcp: {bundleId: x}}\n",
        "glow: {communication: {}}\n",
        "glow:\n  communication:\n    http:\n      api-list: []\n",
        "glow:\n  communication:\n    http:\n      api-list:\n",
        "glow: text\n",
    ],
)
def test_where_it_cannot_be_added_safely_nothing_is_changed(text: str) -> None:
    assert add_api(text, ENTRY) is None


@pytest.mark.parametrize(
    ("text", "there"),
    [
        ("glow: {communication: {http: {api-list: [{name: claim}]}}}", True),
        ("glow: {communication: {http: {api-list: [{name: other}, text]}}}", False),
        ("glow: {communication: {http: {api-list: {name: claim}}}}", False),
        ("glow: [", False),
        ("", False),
    ],
)
def test_an_api_that_is_there_is_seen_however_it_is_written(text: str, there: bool) -> None:
    assert (api_in(text, "claim") is not None) is there


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("language: ko\n", "ko"),
        ('language: "en"  # of models\n', "en"),
        ("language: de\n", None),
        ("mcp: {}\n", None),
        ("- ko\n", None),
        ("language: [\n", None),
    ],
)
def test_the_language_of_a_service_is_known_where_it_is_said(text: str, language: str | None) -> None:
    assert language_in(text) == language
