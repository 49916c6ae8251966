"""Schema resources: the file that a declaration means, and what is in it (decision/D26)."""

from pathlib import Path

import pytest

from axhub.toolkit.facts.service import Located, Place, Resource
from axhub.toolkit.published.resources import find_resource, read_resource, resource_path, schema_problem

pytestmark = pytest.mark.req("decision/D26")


@pytest.mark.parametrize(
    ("written", "path"),
    [
        ("tool_schemas/cmm/claim-input-schema.json", "tool_schemas/cmm/claim-input-schema.json"),
        ("classpath:tool-schemas/cmm/claim-input-schema.json", "tool_schemas/cmm/claim-input-schema.json"),
        (" classpath:/tool-schemas/cmm/claim-input-schema.json ", "tool_schemas/cmm/claim-input-schema.json"),
        ("src/main/resources/tool-schemas/cmm/청구-input-schema.json", "tool_schemas/cmm/청구-input-schema.json"),
        ("tool_schemas/claim.json", "tool_schemas/claim.json"),
        ("tool_schemas/../config/service.json", None),
        ("tool_schemas/cmm/../../secret.json", None),
        ("tool_schemas//cmm/x.json", None),
        ("tool_schemas/cmm\\x.json", None),
        ("tool_schemas/cmm/x.yaml", None),
        ("cmm/x.json", None),
        ("/etc/passwd", None),
        ("", None),
    ],
)
def test_seed_003s_forms_lead_to_the_folder_and_nothing_leads_out_of_it(written: str, path: str | None) -> None:
    assert resource_path(written) == path


def test_a_resource_is_read_with_its_places(tmp_path: Path) -> None:
    file = tmp_path / "src/my_tools/tool_schemas/cmm/claim-input-schema.json"
    file.parent.mkdir(parents=True)
    file.write_text('{"type": "object",\n "properties": {"a": {"enum": [1, 2.5]}}}', encoding="utf-8")
    found = find_resource(tmp_path / "src/my_tools", tmp_path, "classpath:tool-schemas/cmm/claim-input-schema.json")
    path = "src/my_tools/tool_schemas/cmm/claim-input-schema.json"
    assert found == Resource(
        path,
        {"type": "object", "properties": {"a": {"enum": [1, 2.5]}}},
        places={
            "": Place(path, 1, 1),
            "/type": Place(path, 1, 10),
            "/properties": Place(path, 2, 16),
            "/properties/a": Place(path, 2, 22),
            "/properties/a/enum": Place(path, 2, 31),
            "/properties/a/enum/0": Place(path, 2, 32),
            "/properties/a/enum/1": Place(path, 2, 35),
        },
    )
    assert schema_problem(found) is None


def test_a_resource_that_is_not_there_is_named(tmp_path: Path) -> None:
    found = find_resource(tmp_path, tmp_path, "tool-schemas/x-input-schema.json")
    said = "there is no such file: 'tool-schemas/x-input-schema.json' (looked for tool_schemas/x-input-schema.json)"
    assert found.problem == Located(said, Place("tool_schemas/x-input-schema.json"))
    other = find_resource(tmp_path, tmp_path, "x.json")
    assert other.problem == Located("there is no such file: 'x.json'", Place("tool_schemas/…/….json"))


@pytest.mark.parametrize(
    ("content", "problem", "at"),
    [
        (b"", "the text ends too early, or half of a character is escaped alone", (1, 1)),
        ('{"청": "구",\n "a": 청 }'.encode(), "invalid character (byte 21)", (2, 7)),
        (b'{"type": "object",\n "properties": {"a": {}, "a": {}}}', "the member /properties/a stands twice", (2, 16)),
        (b'{"type":\n "object", "x": "\xff"}', "not valid UTF-8 at byte 26", (2, 18)),
    ],
    ids=["empty", "syntax", "duplicate", "bytes"],
)
def test_a_file_that_cannot_be_read_says_where(content: bytes, problem: str, at: tuple[int, int]) -> None:
    found = read_resource(content, "x.json")
    assert found == Resource("x.json", None, Located(problem, Place("x.json", *at)))
    assert schema_problem(found) == found.problem


def test_a_document_that_is_no_schema_is_refused_at_its_place() -> None:
    found = read_resource(b'{"type": "object",\n "properties": {"a": {"type": "txt"}}}', "x.json")
    assert found.problem is None
    assert schema_problem(found) == Located(
        "/properties/a/type: 'type' is not 'array', 'boolean', 'integer', 'null', 'number', 'object' or 'string', or a "
        "list of these, none twice; write 'array', 'boolean', 'integer', 'null', 'number', 'object' or 'string', or a "
        "list of these, none twice",
        Place("x.json", 2, 31),
    )


def test_tabs_cost_nothing() -> None:
    found = read_resource(b'{\n\t"type": "object"\n}', "x.json")
    assert (found.schema, found.problem) == ({"type": "object"}, None)
    assert found.place("/type") == Place("x.json", 2, 10)
