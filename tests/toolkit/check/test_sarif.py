"""A report as SARIF: valid, with what code scanners need, and with ids that stay while files are edited."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from axhub import __version__
from axhub.toolkit.check import Language, Report, find_project
from axhub.toolkit.check.collect.gather import gather
from axhub.toolkit.check.engine import judge
from axhub.toolkit.check.report import RuleFault
from axhub.toolkit.check.sarif import FINGERPRINT, sarif_text
from axhub.toolkit.rules.all import ALL
from support.sarif import faults
from support.service_projects import PYPROJECT, write_files

RULES = [rule for rule in ALL if rule.id in {"TK003", "TK004", "TK612"}]
CONFIG = "mcp:\n  bundleId: my-tools\n"
BARE = "# axhub: allow TK612\n"
CODE = '''\
"""한글 설명."""
A = "http://a.example.com"
B = "x"; C = "http://a.example.com"
'''
UNUSED = "# axhub: allow TK612 -- it was here\nD = 1\n"


def project(
    root: Path, code: str, *, folder: str = "service", file: str = "app.py", pyproject: str = PYPROJECT
) -> Path:
    files = {
        "pyproject.toml": pyproject,
        "src/my_tools/__init__.py": "",
        "src/my_tools/config/service.yaml": CONFIG,
        f"src/my_tools/{file}": code,
    }
    return write_files(root / folder, files)


def report(root: Path) -> Report:
    """Check what the source alone tells; nothing is imported."""
    found = find_project(root)
    judged = judge(gather(found), RULES)
    return Report(found, judged.results, judged.allowed)


def run(found: Report, language: Language = "en", base: Path | None = None) -> dict[str, Any]:
    document = json.loads(sarif_text(found, language, base=base))
    assert faults(document) == []
    (only,) = document["runs"]
    assert isinstance(only, dict)
    return only


def ids(found: Report) -> list[str]:
    return [result["partialFingerprints"][FINGERPRINT] for result in run(found)["results"]]


def by_text(root: Path) -> dict[tuple[str, str], str]:
    """Return the ids by rule and text of the line, whatever its number."""
    found = {}
    for result in run(report(root))["results"]:
        (location,) = result["locations"]
        lines = (root / location["physicalLocation"]["artifactLocation"]["uri"]).read_text("utf-8").splitlines()
        line = lines[location["physicalLocation"]["region"]["startLine"] - 1]
        found[result["ruleId"], line.partition("#")[0].strip()] = result["partialFingerprints"][FINGERPRINT]
    return found


def test_a_clean_service_is_a_run_without_results(tmp_path: Path) -> None:
    root = project(tmp_path, "")
    found = run(report(root))
    assert found == {
        "tool": {"driver": {"name": "axhub check", "version": __version__, "rules": []}},
        "language": "en",
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"%SRCROOT%": {"uri": f"{root.as_uri()}/"}},
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": []}],
        "results": [],
    }


SAID: dict[Language, str] = {
    "en": 'This comment allows TK612 without a reason. fix: Say why after "--": "# axhub: allow TK612 -- …". Until '
    "then the finding counts.",
    "ko": '이 주석은 TK612를 이유 없이 허용합니다. 고침: "--" 뒤에 이유를 적으십시오: "# axhub: allow TK612 -- …". '
    "그 전까지는 결과가 그대로 집계됩니다.",
}


@pytest.mark.parametrize("language", SAID)
def test_a_finding_is_a_result_with_its_rule(tmp_path: Path, language: Language) -> None:
    found = run(report(project(tmp_path, f"if True:\n    {BARE}    x = 1\n")), language)
    (result,), (rule,) = found["results"], found["tool"]["driver"]["rules"]
    assert len(result.pop("partialFingerprints")[FINGERPRINT]) == 32
    assert result == {
        "ruleId": "TK003",
        "ruleIndex": 0,
        "level": "error",
        "message": {"text": SAID[language]},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": "src/my_tools/app.py", "uriBaseId": "%SRCROOT%"},
                    "region": {"startLine": 2, "startColumn": 5, "endColumn": 25},
                }
            }
        ],
        "suppressions": [],
        "properties": {"tool": None, "draft": False},
    }
    assert rule["id"] == "TK003"
    assert rule["defaultConfiguration"] == {"level": "error"}
    assert rule["properties"] == {"precision": "very-high", "problem.severity": "error"}
    assert (rule["shortDescription"]["text"] in rule["help"]["text"], found["language"]) == (True, language)


def test_columns_count_characters(tmp_path: Path) -> None:
    found = run(report(project(tmp_path, 'A = "한국어"; B = "http://a.example.com"\n')))
    regions = [one["locations"][0]["physicalLocation"]["region"] for one in found["results"]]
    assert regions == [{"startLine": 1, "startColumn": 16, "endColumn": 38}]


def test_what_has_no_line_is_shown_at_the_first(tmp_path: Path) -> None:
    found = report(project(tmp_path, BARE))
    (result,) = found.results
    moved = replace(result, breach=replace(result.breach, place=result.breach.place._replace(line=0, column=0)))
    (shown,) = run(replace(found, results=(moved,)))["results"]
    assert shown["locations"][0]["physicalLocation"]["region"] == {"startLine": 1, "startColumn": 1}


def test_an_allowed_finding_is_suppressed_with_its_reason(tmp_path: Path) -> None:
    found = run(
        report(project(tmp_path, 'A = "http://a.example.com"  # axhub: allow TK612 -- a sample, \x1b[1m"ok"\n'))
    )
    (result,) = found["results"]
    assert result["ruleId"] == "TK612"
    assert result["suppressions"] == [{"kind": "inSource", "justification": 'a sample, \\x1b[1m"ok"'}]


def test_paths_count_from_the_folder_that_is_asked_for_and_are_encoded(tmp_path: Path) -> None:
    found = report(project(tmp_path, BARE, folder="대출 tools", file="a b%.py"))
    below, alone = run(found, base=tmp_path), run(found)
    uris = [one["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for one in (below, alone)]
    assert uris == ["%EB%8C%80%EC%B6%9C%20tools/src/my_tools/a%20b%25.py", "src/my_tools/a%20b%25.py"]
    assert below["originalUriBaseIds"] == {"%SRCROOT%": {"uri": f"{tmp_path.as_uri()}/"}}
    assert [one["results"][0]["partialFingerprints"] for one in (below, alone)] == [
        alone["results"][0]["partialFingerprints"]
    ] * 2


def test_ids_stay_while_lines_above_come_and_findings_change_places(tmp_path: Path) -> None:
    before = by_text(project(tmp_path, CODE + UNUSED))
    moved = (
        '"""한글 설명."""\n\nX = 1\n' + UNUSED + 'B = "x"; C = "http://a.example.com"\n\nA = "http://a.example.com"\n'
    )
    assert len(before) == 3
    assert by_text(project(tmp_path, moved)) == before


def test_an_id_stays_when_its_finding_is_indented_or_allowed(tmp_path: Path) -> None:
    (before,) = ids(report(project(tmp_path, 'A = "http://a.example.com"\n')))
    inside = 'if True:\n    A = "http://a.example.com"  # axhub: allow TK612 -- a sample\n'
    assert ids(report(project(tmp_path, inside))) == [before]


def test_equal_findings_in_one_file_have_ids_of_their_own(tmp_path: Path) -> None:
    first = ids(report(project(tmp_path, 'A = "http://a.example.com"\n')))
    both = ids(report(project(tmp_path, 'A = "http://a.example.com"\n' * 2)))
    assert (len(set(both)), both[0]) == (2, first[0])


def test_findings_on_one_line_are_told_apart_by_what_they_say(tmp_path: Path) -> None:
    before = ids(report(project(tmp_path, "# axhub: allow TK612, TK616 -- it was here\nD = 1\n")))
    again = ids(report(project(tmp_path, "# axhub: allow TK612, TK613, TK616 -- it was here\nD = 1\n")))
    assert (len(set(before)), set(before) < set(again)) == (2, True)


def test_ids_differ_by_file_and_rule(tmp_path: Path) -> None:
    code = 'A = "http://a.example.com"\n'
    one, other = (ids(report(project(tmp_path / file, code, file=file))) for file in ("app.py", "more.py"))
    assert one != other


def test_a_rule_that_could_not_be_decided_is_a_run_that_failed(tmp_path: Path) -> None:
    found = replace(report(project(tmp_path, "")), faults=(RuleFault("TK105", "KeyError: '{0}'"),))
    assert run(found)["invocations"] == [
        {
            "executionSuccessful": False,
            "toolExecutionNotifications": [
                {
                    "level": "error",
                    "message": {"text": "rule TK105 could not be decided: KeyError: '{{0}}'"},
                    "associatedRule": {"id": "TK105"},
                }
            ],
        }
    ]


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ({"version": "2.0.0", "runs": [{}]}, True),
        ({"version": "2.1.0", "runs": []}, True),
        ({"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x", "rules": []}}, "results": []}]}, False),
        ({"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x", "rules": []}}, "results": [], "x": 1}]}, True),
    ],
)
def test_the_schema_of_these_tests_refuses_what_is_no_sarif(document: Any, said: bool) -> None:
    assert (faults(document) != []) is said
