"""How well a service's tools are told apart, from its definitions alone: figures, what is left out, JSON."""

import json
from pathlib import Path
from typing import Final

from axhub.toolkit.check import ToolProject, find_project
from axhub.toolkit.check.selection import METHOD, select, selection_json
from support import tree
from support.service_projects import project_with

_DEFINITION: Final = """\
name: {name}
display_name: {title}
description:
  function: {purpose}
  when_to_use: {title}에 사용한다.
example_queries: [{queries}]
"""


def definition(name: str, title: str, purpose: str, *queries: str) -> dict[str, str]:
    """Return one file of a package, by its path."""
    text = _DEFINITION.format(name=name, title=title, purpose=purpose, queries=", ".join(queries))
    return {f"tool_definitions/smp/{name}.yml": text}


RATE = definition("smp_rate_inquiry", "환율 조회", "고시 환율을 조회한다.", "오늘 환율이 얼마야", "가까운 지점")
BRANCH = definition("smp_branch_search", "지점 찾기", "지역의 지점을 찾는다.", "지점 알려줘", "영업 환율")
DRAFT = definition("smp_new_search", "TODO", "TODO", "TODO")
BROKEN = {"tool_definitions/smp/smp_broken.yml": "name: [\n"}


def service(root: Path, *definitions: dict[str, str]) -> ToolProject:
    return project_with(root, {path: text for one in definitions for path, text in one.items()})


def test_nothing_of_the_package_is_imported(tmp_path: Path) -> None:
    project = project_with(tmp_path, {**RATE, **BRANCH, "__init__.py": "raise SystemExit"})
    assert select(project).measurement.tools == ("smp_branch_search", "smp_rate_inquiry")


def test_the_queries_that_lead_away_come_with_the_worst_first(tmp_path: Path) -> None:
    one = definition("smp_a_lookup", "환율 조회", "고시 환율을 조회한다.", "환율", "고시 지점을 찾기")
    more = definition("smp_x_lookup", "공고", "공고를 본다.", "환율 지점")
    report = select(service(tmp_path, one, BRANCH, more))
    assert [(found.asked.query, found.rank) for found in report.missed] == [
        ("영업 환율", 3),
        ("환율 지점", 3),
        ("고시 지점을 찾기", 2),
    ]


FOLDER: Final = "src/my_tools/tool_definitions/smp"


def test_json_has_one_stable_shape(tmp_path: Path) -> None:
    project = service(tmp_path, RATE, BRANCH, DRAFT, BROKEN)
    found = json.loads(selection_json(select(project)))
    lists = {name: found.pop(name) for name in ("tools", "ranked", "confusion")}
    assert [len(one) for one in lists.values()] == [2, 4, 4]
    assert found == {
        "project": "my-tools",
        "root": str(project.root),
        "method": METHOD,
        "source": None,
        "queries": 4,
        "repeated": 0,
        "r1": 0.5,
        "r3": 1.0,
        "confused": [["smp_branch_search", "smp_rate_inquiry"]],
        "unmeasured": [f"{FOLDER}/smp_broken.yml", f"{FOLDER}/smp_new_search.yml"],
    }


def test_json_has_each_tool_each_query_and_the_matrix(tmp_path: Path) -> None:
    report = select(service(tmp_path, RATE, BRANCH))
    found = json.loads(selection_json(report))
    assert found["tools"][0] == {
        "tool": "smp_branch_search",
        "title": "지점 찾기",
        "r1": 0.5,
        "r3": 1.0,
        "ranks": [1, 2],
        "nearest": {
            "tool": "smp_rate_inquiry",
            "share": round(report.measurement.nearest["smp_branch_search"].share, 3),
        },
    }
    assert found["ranked"][1] == {
        "tool": "smp_branch_search",
        "query": "영업 환율",
        "file": f"{FOLDER}/smp_branch_search.yml",
        "line": 6,
        "rank": 2,
        "first": "smp_rate_inquiry",
        "missing": ["영업", "환율"],
    }
    assert [tuple(one.values()) for one in found["confusion"]] == [
        ("smp_branch_search", "smp_branch_search", 1),
        ("smp_branch_search", "smp_rate_inquiry", 1),
        ("smp_rate_inquiry", "smp_branch_search", 1),
        ("smp_rate_inquiry", "smp_rate_inquiry", 1),
    ]


def test_queries_of_a_file_are_ranked_instead_and_those_that_are_no_secret_counted(tmp_path: Path) -> None:
    project = service(tmp_path, RATE, BRANCH)
    file = tmp_path / "held.csv"
    file.write_text("query,tool\n오늘  환율이 얼마야?,smp_rate_inquiry\n달러 환율,smp_rate_inquiry\n", encoding="utf-8")
    report = select(project, file)
    assert (report.repeated, report.queries, report.measurement.ranks()) == (1, file, (1, 1))
    found = json.loads(selection_json(report))
    assert (found["source"], found["repeated"], found["queries"]) == (str(file), 1, 2)
    assert found["ranked"][1]["line"] == 3


def test_the_sample_service_is_told_apart_by_its_own_queries() -> None:
    found = select(find_project(tree.ROOT / "examples" / "insurance_tools"))
    first, three = found.measurement.recall(1), found.measurement.recall(3)
    assert first is not None
    assert first >= 0.9, [(one.asked.query, one.first) for one in found.missed]
    assert three == 1.0
