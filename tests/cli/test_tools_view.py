"""How tools and answers look to a person."""

import pytest

from axhub.cli import tools_view

pytestmark = pytest.mark.req("gateway/C5")


@pytest.mark.parametrize(
    ("schema", "shown"),
    [
        ({"properties": {"b": {}, "a": {}, "c": {}}, "required": ["c", "a"]}, "a, c, b?"),
        ({"properties": {"a": {}}}, "a?"),
        ({"properties": {"a": {}}, "required": "a"}, "a?"),
        ({"type": "object"}, ""),
        ({"properties": True}, ""),
    ],
)
def test_arguments_are_shown_with_the_required_ones_first(schema: dict[str, object], shown: str) -> None:
    assert tools_view.arguments(schema) == shown


def test_tools_are_a_table_with_a_bold_head_where_colours_are_wanted() -> None:
    tool = {"name": "ins_get", "title": "조회", "description": "한 건을\n찾습니다", "inputSchema": {}}
    assert tools_view.tool_lines([tool], None, colour=True) == [
        "\x1b[1mNAME     TITLE  ARGUMENTS  WHAT IT DOES\x1b[0m",
        "ins_get  조회              한 건을 찾습니다",
    ]


def test_no_tools_are_no_table() -> None:
    assert tools_view.tool_lines([], 80, colour=True) == []


@pytest.mark.parametrize(
    ("count", "server", "line"),
    [
        (0, ("a", "1"), "no tools at a 1, MCP R"),
        (1, ("a\x1b", "1"), "1 tool at a 1, MCP R"),
        (2, None, "2 tools at a server that gives no name, MCP R"),
    ],
)
def test_the_summary_counts_and_names_the_server(count: int, server: tuple[str, str] | None, line: str) -> None:
    assert tools_view.summary(count, server, "R") == line


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('{"a":1.0,"b":[1e400,12345678901234567890]}',
         '{\n  "a": 1.0,\n  "b": [\n    1e400,\n    12345678901234567890\n  ]\n}'),
        ('{"a":"\\ud55c\\uae00 \\ud83d\\udc4d"}', '{\n  "a": "한글 👍"\n}'),
        ('{"a":"\\u0022\\u005c\\n\\\\ud55c\\u001b"}', '{\n  "a": "\\u0022\\u005c\\n\\\\ud55c\\u001b"\n}'),
        ("{not json", "{not json"),
        ("plain 글", "plain 글"),
        ("12", "12"),
        ("{\ud800}", "{\ud800}"),
        ("[" * 100, "[" * 100),
        ("[" * 70 + "]" * 70, "[" * 70 + "]" * 70),
    ],
)  # fmt: skip
def test_json_is_indented_with_its_numbers_untouched_and_its_characters_readable(text: str, shown: str) -> None:
    assert tools_view.readable(text) == shown


def test_an_answer_shows_texts_safely_and_names_the_other_blocks() -> None:
    content = [
        {"type": "text", "text": "red \x1b[31m"},
        {"type": "image", "mimeType": "image/png", "data": "…"},
        {"type": "resource_link", "uri": "file:///x"},
        {"type": "odd"},
    ]
    assert tools_view.answer(content).splitlines() == [
        "red [31m",
        "[image image/png: shown by --json]",
        "[resource_link file:///x: shown by --json]",
        "[odd: shown by --json]",
    ]
    assert tools_view.text_of(content) == "red \x1b[31m"


def test_an_error_of_the_server_has_its_code() -> None:
    assert tools_view.server_error(-32001, "Tool not found") == "the server refused: Tool not found (code -32001)"
    assert tools_view.server_error(None, "odd answer") == "odd answer"
