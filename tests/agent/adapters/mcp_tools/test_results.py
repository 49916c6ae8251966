"""Results of servers as text for a model: nothing twice, what is no text is named (agent/A9, agent/L7)."""

from typing import Any

import pytest
from mcp_types import CallToolResult, InputRequiredResult

from axhub.agent.adapters.mcp_tools.results import Answer, read_result

pytestmark = pytest.mark.req("agent/A9")

TEXT = {"type": "text", "text": "found"}


def read(*blocks: dict[str, Any], **members: Any) -> Answer:
    return read_result(CallToolResult.model_validate({"content": list(blocks), **members}))


def test_texts_come_as_they_are_each_on_its_lines() -> None:
    assert read(TEXT, {"type": "text", "text": '{"a": 1.50}'}) == Answer('found\n{"a": 1.50}')
    assert read() == Answer("")


@pytest.mark.parametrize(
    ("block", "shown"),
    [
        ({"type": "image", "data": "aGk=", "mimeType": "image/png"}, "[left out: an image]"),
        ({"type": "audio", "data": "aGk=", "mimeType": "audio/wav"}, "[left out: a sound]"),
        ({"type": "resource", "resource": {"uri": "x://1", "blob": "aGk="}}, "[left out: a file]"),
        ({"type": "resource", "resource": {"uri": "x://1", "text": "inside"}}, "inside"),
        ({"type": "resource_link", "uri": "http://evil/", "name": "n"}, "[left out: a link]"),
    ],
)
def test_what_is_no_text_is_named_and_left_out(block: dict[str, Any], shown: str) -> None:
    assert read(TEXT, block) == Answer(f"found\n{shown}")


@pytest.mark.parametrize(
    ("texts", "structured", "shown"),
    [
        ([], {"b": 1, "a": [2.0]}, '{"a":[2],"b":1}'),
        (['{ "a": [2], "b": 1.0 }'], {"b": 1, "a": [2]}, '{ "a": [2], "b": 1.0 }'),
        (["Two items."], {"items": 2}, 'Two items.\n{"items":2}'),
        (["3"], {"result": 3}, "3"),
        (["three"], {"result": "three"}, "three"),
        (["three"], {"result": "four"}, 'three\n{"result":"four"}'),
        (["[1"], [1], "[1\n[1]"),
        (["x"], None, "x"),
    ],
)
def test_structured_content_is_added_where_no_text_says_it(texts: list[str], structured: Any, shown: str) -> None:
    blocks = [{"type": "text", "text": text} for text in texts]
    assert read(*blocks, structuredContent=structured).text == shown


def test_an_error_and_a_wish_for_input_are_told_apart_from_results() -> None:
    assert read(TEXT, isError=True) == Answer("found", is_error=True)
    wanting = InputRequiredResult.model_validate({"requestState": "s", "resultType": "input_required"})
    assert read_result(wanting) == Answer("", wants_input=True)


def test_a_structure_that_is_no_json_is_named() -> None:
    assert read(TEXT, structuredContent={"a": float("inf")}).text == "found\n[left out: a structure that is no JSON]"
