"""Everything that belongs to a service is found and read: sources, definitions, schemas, samples, siblings."""

from pathlib import Path

import pytest

from axhub.toolkit.check import check, find_project
from axhub.toolkit.check.collect.gather import gather
from axhub.toolkit.check.imports import with_import
from axhub.toolkit.check.inspection import InspectionResult
from axhub.toolkit.facts.service import Allowance, Definition, Located, Place, Resource, Sibling
from support.breaks import copy_sample
from support.service_projects import PYPROJECT, facts_of, project_with, write_files

TOOL = "from axhub.toolkit import tool\n@tool(name='{name}')\nasync def run(): ...\n"


@pytest.mark.req("toolkit/T4")
def test_the_files_of_the_layout_are_read_in_order_and_hidden_ones_and_caches_are_not(tmp_path: Path) -> None:
    facts = facts_of(
        tmp_path,
        {
            "b.py": "",
            "a.py": "",
            ".hidden/c.py": "",
            "__pycache__/d.py": "",
            "tool_definitions/cmm/cmm_b.yml": "name: cmm_b\n",
            "tool_definitions/cmm/cmm_a.yml": "name: [\n",
            "tool_definitions/cmm/notes.txt": "",
            "tool_schemas/cmm/x-input-schema.json": '{"type": "object"}',
            "samples/cmm_a/http-claim.json": "{}",
            "samples/cmm_a/http-claim-2.json": "{}",
            "config/service.yaml": "mcp:\n  bundleId: my-tools\n  namespace: x_\n",
        },
    )
    assert [module.path for module in facts.modules] == [f"src/my_tools/{name}.py" for name in ("__init__", "a", "b")]
    assert [module.name for module in facts.modules] == ["my_tools", "my_tools.a", "my_tools.b"]
    assert [(one.category, one.stem, one.values) for one in facts.definitions] == [
        ("cmm", "cmm_a", {}),
        ("cmm", "cmm_b", {"name": "cmm_b"}),
    ]
    assert facts.definitions[0].problem is not None
    assert [(one.path, one.schema) for one in facts.resources] == [
        ("src/my_tools/tool_schemas/cmm/x-input-schema.json", {"type": "object"})
    ]
    sample = "src/my_tools/samples/cmm_a/http-claim"
    assert facts.samples == {"cmm_a": (f"{sample}-2.json", f"{sample}.json")}
    assert facts.settings is not None
    assert (facts.settings.path, facts.settings.bundle_id, facts.settings.namespace) == (
        "src/my_tools/config/service.yaml",
        "my-tools",
        "x_",
    )


@pytest.mark.req("rule/TK003")
def test_comments_are_read_in_every_kind_of_file(tmp_path: Path) -> None:
    comment = "# axhub: allow TK105 -- why"
    files = {"app.py": comment, "tool_definitions/cmm/a.yml": comment, "config/service.yaml": comment}
    found = gather(project_with(tmp_path, files, f"{PYPROJECT}{comment}\n")).allowances
    names = [f"src/my_tools/{name}" for name in files]
    assert found == tuple(
        Allowance(Place(name, line, 1), ("TK105",), "why", line, line)
        for name, line in [*zip(names, (1, 1, 1), strict=True), ("pyproject.toml", 6)]
    )


@pytest.mark.req("rule/TK107", "rule/TK005")
def test_names_of_other_services_are_published_ones_with_places_seen_from_here(tmp_path: Path) -> None:
    other = {
        "pyproject.toml": PYPROJECT.replace("my-tools", "loans"),
        "loans/biz/cmm/usecase.py": TOOL.format(name="cmm_loan_search"),
        "loans/config/service.yaml": "mcp:\n  bundleId: loans\n  namespace: loan.\n",
        "loans/broken.py": "def (tool:\n",
    }
    write_files(tmp_path / "loans", other)
    write_files(tmp_path / "bad", {"pyproject.toml": f"{PYPROJECT}colour = 1\n"})
    workspace = 'workspace = ["../loans", ".", "../none", "../bad"]\n'
    facts = gather(project_with(tmp_path / "claims", {}, PYPROJECT + workspace))
    place = Place("../loans/loans/biz/cmm/usecase.py", 2, 12)
    assert facts.siblings == (Sibling("loans", {"loan.cmm_loan_search": place}),)
    at = Place("pyproject.toml", 6, 1)
    assert facts.unread_siblings[0] == Located("../none: there is no pyproject.toml with a table [tool.axhub]", at)
    assert facts.unread_siblings[1].value.startswith("../bad: ")
    assert 'unknown key "colour"' in facts.unread_siblings[1].value


def test_a_check_names_the_tools_and_those_under_development(tmp_path: Path) -> None:
    report = check(find_project(copy_sample(tmp_path)))
    assert "cmm_claim_search" in report.tools
    assert report.drafts == ("ins_premium_estimate",)


def test_an_expression_that_is_nested_too_deeply_is_a_problem_of_its_file(tmp_path: Path) -> None:
    deep = "x = " + " + ".join(["1"] * 900) + "\n"
    facts = facts_of(tmp_path, {"deep.py": deep, "app.py": "y = 1\n"})
    place = Place("src/my_tools/deep.py", 1, 1)
    assert facts.problems == (Located("an expression is nested too deeply to be checked", place),)
    assert [module.path for module in facts.modules] == ["src/my_tools/__init__.py", "src/my_tools/app.py"]


def closed(root: Path, name: str, *, how: str = "loop") -> Path:
    """Make something at a path that nobody can read, whoever asks."""
    path = root / "src/my_tools" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if how == "loop":
        path.symlink_to(path.name)
    elif how == "dangling":
        path.symlink_to("nowhere")
    elif how == "folder":
        path.mkdir()
    else:
        path.write_text("")
    return path


@pytest.mark.req("rule/TK001")
@pytest.mark.parametrize(
    ("how", "why"),
    [
        ("loop", "Too many levels of symbolic links"),
        ("dangling", "No such file or directory"),
        ("folder", "Is a directory"),
    ],
)
def test_a_definition_or_resource_that_cannot_be_read_says_why(tmp_path: Path, how: str, why: str) -> None:
    closed(tmp_path, "tool_definitions/cmm/cmm_claim_search.yml", how=how)
    closed(tmp_path, "tool_schemas/cmm/a.json", how=how)
    facts = facts_of(tmp_path, {})
    path, schema = (
        f"src/my_tools/{name}" for name in ("tool_definitions/cmm/cmm_claim_search.yml", "tool_schemas/cmm/a.json")
    )
    said = f"cannot be read: {why}"
    assert facts.definitions == (Definition(path, "cmm", "cmm_claim_search", Located(said, Place(path, 1, 1))),)
    assert facts.resources == (Resource(schema, None, Located(said, Place(schema, 1, 1))),)
    assert facts.unreadable == ()


@pytest.mark.req("rule/TK001")
@pytest.mark.parametrize("name", ["biz/cmm/usecase.py", "samples/cmm_claim_search/http-claim.json"])
def test_a_source_or_sample_that_cannot_be_read_is_told(tmp_path: Path, name: str) -> None:
    closed(tmp_path, name)
    facts = facts_of(tmp_path, {})
    assert facts.unreadable == (Located("Too many levels of symbolic links", Place(f"src/my_tools/{name}", 1, 1)),)
    assert facts.problems == ()


@pytest.mark.req("rule/TK001")
@pytest.mark.parametrize("name", ["tool_definitions", "tool_schemas", "samples"])
@pytest.mark.parametrize("how", ["loop", "file"])
def test_what_stands_where_a_folder_belongs_is_told(tmp_path: Path, name: str, how: str) -> None:
    closed(tmp_path, name, how=how)
    assert facts_of(tmp_path, {}).unreadable == (Located("it is no folder", Place(f"src/my_tools/{name}")),)


@pytest.mark.req("rule/TK001")
def test_what_nobody_may_read_lets_the_import_go_unheard(tmp_path: Path) -> None:
    closed(tmp_path, "biz/cmm/usecase.py")
    facts = facts_of(tmp_path, {})
    found = InspectionResult(None, problem=Located("PermissionError", Place("a.py")))
    assert with_import(facts, found) is facts


@pytest.mark.req("rule/TK613")
def test_a_configuration_that_cannot_be_read_is_a_fault_of_it(tmp_path: Path) -> None:
    closed(tmp_path, "config/service.yaml", how="folder")
    settings = facts_of(tmp_path, {}).settings
    assert settings is not None
    place = Place("src/my_tools/config/service.yaml")
    assert settings.faults == ((place, "no configuration: it is a folder", "a readable YAML file"),)


@pytest.mark.req("rule/TK301")
def test_definitions_that_end_in_yaml_are_noted(tmp_path: Path) -> None:
    facts = facts_of(tmp_path, {"tool_definitions/cmm/cmm_a.yaml": "name: cmm_a\n"})
    assert facts.misspelt_definitions == ("src/my_tools/tool_definitions/cmm/cmm_a.yaml",)
    assert facts.definitions == ()


_APP = "from axhub import toolkit\nfrom axhub.toolkit import RepeatStore as Store, ToolService as Service\n"


@pytest.mark.req("rule/TK804")
@pytest.mark.parametrize(
    ("app", "provided"),
    [
        ('app = Service("my_tools")\n', frozenset()),
        ('app = toolkit.ToolService("my_tools", provide=[])\n', frozenset()),
        ('app = Service("my_tools", provide={Store: 1})\n', frozenset({"axhub.toolkit.RepeatStore"})),
        ('ours = {Store: 1}\napp = Service("my_tools", provide=ours)\n', frozenset({"axhub.toolkit.RepeatStore"})),
        ('ours: dict = {toolkit.X: 1}\napp = Service("a", provide=ours)\n', frozenset({"axhub.toolkit.X"})),
        ('ours = {}\nours = {Store: 1}\napp = Service("a", provide=ours)\n', None),
        ('app = Service("my_tools", provide=[Store()])\n', None),
        ('app = Service("my_tools", provide={**{}, Store: 1})\n', None),
        ('app = Service("my_tools", **{})\n', None),
        ('app = Service(*("my_tools",))\n', None),
        ('app = Service("my_tools", provide=made())\n', None),
        ('one, two = Service("a"), Service("b")\n', None),
        ("", None),
    ],
)
def test_what_the_app_provides_is_known_where_its_source_says_it(
    tmp_path: Path, app: str, provided: frozenset[str] | None
) -> None:
    assert facts_of(tmp_path, {"app.py": _APP + app}).provided == provided
