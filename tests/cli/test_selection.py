"""`axhub check --selection` as typed: the report in both languages, its options, exit codes."""

import json
from pathlib import Path

import pytest

from axhub.cli.main import main
from axhub.cli.selection_view import selection_lines
from axhub.toolkit.check.project import ToolProject
from axhub.toolkit.check.selection import SelectionReport
from axhub.toolkit.facts.source import Place
from axhub.toolkit.selection import Asked, Described, measured
from support import toolkit_facts
from support.service_projects import PYPROJECT, write_files

FOLDER = "src/my_tools/tool_definitions/smp"
LIMITS = {
    "en": "This compares characters, not meanings, and is no model's choice. Use it to see which words of its users a "
    "description lacks, and which tools read alike.",
    "ko": "뜻이 아니라 글자를 견준 값이며 모델의 선택이 아닙니다. 설명에 사용자의 말이 빠지지 않았는지, 어느 도구가 "
    "비슷하게 읽히는지 보는 데 쓰십시오.",
}
_DEFINITION = """\
name: {name}
display_name: {title}
description:
  function: {purpose}
  when_to_use: {title}에 사용한다.
example_queries:
"""


def _tool(name: str, title: str, purpose: str, *queries: str) -> dict[str, str]:
    text = _DEFINITION.format(name=name, title=title, purpose=purpose) + "".join(f"  - {query}\n" for query in queries)
    return {f"{FOLDER}/{name}.yml": text}


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a service with two tools, which is the current one; messages are English."""
    monkeypatch.delenv("LANG", raising=False)
    files = {
        "pyproject.toml": PYPROJECT,
        "src/my_tools/__init__.py": "",
        **_tool("smp_rate_inquiry", "환율 조회", "고시 환율을 조회한다.", "오늘 환율이 얼마야", "가까운 지점"),
        **_tool("smp_branch_search", "지점 찾기", "지역의 지점을 찾는다.", "지점 알려줘", "강남 지점"),
        **_tool("smp_new_search", "TODO", "TODO", "TODO"),
    }
    root = write_files(tmp_path / "service", files)
    monkeypatch.chdir(root)
    return root


def shown(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, list[str], str]:
    code = main(["check", "--selection", *words])
    printed = capsys.readouterr()
    return code, printed.out.splitlines(), printed.err


def test_the_report_has_figures_tools_misses_and_the_matrix(service: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(capsys) == (
        0,
        [
            "my-tools: 4 example queries of 2 tools",
            "R@1  0.75  the query's own tool is first for 3 of 4",
            "R@3  1.00  it is among the first three for 4 of 4",
            f"not measured, since it cannot be read or its texts are not written: {FOLDER}/smp_new_search.yml",
            "",
            "TOOL               R@1   R@3   RANKS  READS MOST LIKE",
            "smp_branch_search  1.00  1.00  1 1    smp_rate_inquiry (14%)",
            "smp_rate_inquiry   0.50  1.00  1 2    smp_branch_search (14%)",
            "",
            "Queries that lead to another tool first:",
            f'{FOLDER}/smp_rate_inquiry.yml:8:5: rank 2, first is smp_branch_search: "가까운 지점"',
            "    not in the description of smp_rate_inquiry: 가까운, 지점",
            "",
            "Whose queries (a line) lead to which tool first (a column):",
            "                     1  2",
            "1 smp_branch_search  2  .",
            "2 smp_rate_inquiry   1  1",
            "",
            LIMITS["en"],
        ],
        "",
    )


def test_the_report_is_korean_too_and_columns_stay_in_line(service: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, lines, _ = shown(capsys, "--lang", "ko")
    assert (code, lines) == (
        0,
        [
            "my-tools: 도구 2개의 예시 질의 4개",
            "R@1  0.75  질의의 도구가 첫 번째: 4개 중 3개",
            "R@3  1.00  세 번째 안: 4개 중 4개",
            f"읽을 수 없거나 설명이 작성되지 않아 측정하지 않음: {FOLDER}/smp_new_search.yml",
            "",
            "도구               R@1   R@3   순위  가장 비슷한 도구",
            "smp_branch_search  1.00  1.00  1 1   smp_rate_inquiry (14%)",
            "smp_rate_inquiry   0.50  1.00  1 2   smp_branch_search (14%)",
            "",
            "다른 도구가 첫 번째인 질의:",
            f'{FOLDER}/smp_rate_inquiry.yml:8:5: 2번째, 첫 번째는 smp_branch_search: "가까운 지점"',
            "    smp_rate_inquiry 설명에 없는 말: 가까운, 지점",
            "",
            "어느 도구의 질의(행)가 어느 도구(열)로 이어지는가:",
            "                     1  2",
            "1 smp_branch_search  2  .",
            "2 smp_rate_inquiry   1  1",
            "",
            LIMITS["ko"],
        ],
    )


def test_queries_of_a_file_are_ranked_instead(service: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (service / "held.yml").write_text("smp_rate_inquiry:\n  - 오늘 환율이 얼마야\n  - 지점 어디야\n", encoding="utf-8")
    code, lines, _ = shown(capsys, "--queries", "held.yml")
    assert code == 0
    assert lines[:4] == [
        "my-tools: 2 queries of held.yml against 2 tools",
        "R@1  0.50  the query's own tool is first for 1 of 2",
        "R@3  1.00  it is among the first three for 2 of 2",
        "1 of them are example queries too: they were at hand when the descriptions were written",
    ]
    assert 'held.yml:3:5: rank 2, first is smp_branch_search: "지점 어디야"' in lines
    assert "smp_branch_search  -     -            smp_rate_inquiry (14%)" in lines


def test_places_start_in_the_current_folder(
    service: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(service.parent)
    _, lines, _ = shown(capsys, "service")
    assert any(line.startswith(f"service/{FOLDER}/smp_rate_inquiry.yml:8:5: ") for line in lines)


def test_json_is_one_object(service: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, lines, _ = shown(capsys, "--format", "json")
    assert (code, json.loads("\n".join(lines))["r1"]) == (0, 0.75)


@pytest.mark.parametrize(
    ("query", "plain", "strict"), [("환율", 0, 0), ("지점 공지 청구", 0, 1)], ids=["found", "missed"]
)
def test_with_strict_a_query_that_misses_the_first_three_fails(
    query: str, plain: int, strict: int, service: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(
        service, {**_tool("smp_a_lookup", "공지", "공지", "공지"), **_tool("smp_b_lookup", "청구", "청구", "청구")}
    )
    (service / "held.csv").write_text(f"query,tool\n{query},smp_rate_inquiry\n", encoding="utf-8")
    codes = [shown(capsys, "--queries", "held.csv", *more)[0] for more in ((), ("--strict",))]
    assert codes == [plain, strict]


@pytest.mark.parametrize(
    ("words", "en", "ko"),
    [
        (
            ["--selection", "--format", "sarif"],
            "--selection goes with --format text or json",
            "--selection에는 --format text 또는 json만 쓸 수 있습니다",
        ),
        (
            ["--queries", "x.csv"],
            "--queries FILE goes with --selection",
            "--queries FILE은 --selection과 함께 쓰십시오",
        ),
        (
            ["--selection", "--queries", "no.csv"],
            "no.csv: it cannot be read: No such file or directory",
            "no.csv: 읽을 수 없습니다: No such file or directory",
        ),
    ],
)
def test_what_cannot_be_measured_is_2(
    words: list[str], en: str, ko: str, service: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for language, said in (("en", en), ("ko", ko)):
        assert main(["check", *words, "--lang", language]) == 2
        assert capsys.readouterr().err == f"axhub check: {said}\n"


def test_a_service_without_tools_has_nothing_to_measure(service: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for file in service.glob("src/my_tools/tool_definitions/smp/*.yml"):
        file.unlink()
    code, lines, _ = shown(capsys, "--strict")
    assert (code, lines[:2]) == (0, ["my-tools: 0 example queries of 0 tools", "there are no queries to measure with"])


def test_of_many_tools_that_are_confused_the_worst_are_in_the_matrix() -> None:
    names = [f"t{at:02}" for at in range(15)]
    tools = tuple(Described(name, name, f"{name} 환율") for name in names)
    queries = tuple(Asked("환율", name, Place("q.csv", at)) for at, name in enumerate(names, 2))
    project = ToolProject(Path("/srv/a"), "my-tools", toolkit_facts.project())
    found = measured(tools, queries)
    lines = list(selection_lines(SelectionReport(project, found, dict.fromkeys(names, "")), "en"))
    at = lines.index("Whose queries (a line) lead to which tool first (a column):")
    assert lines[at + 1].split() == [str(number) for number in range(1, 13)]
    assert lines[at + 14] == "3 more tools are confused; --format json has all of them"


def test_what_files_say_does_not_move_the_cursor() -> None:
    asked = Asked("환율\x1b[2J\n지점", "a", Place("q\x1b.csv", 2))
    found = measured((Described("a", "a", "공지"), Described("b", "b", "환율")), (asked,))
    project = ToolProject(Path("/srv/a"), "my\x1b-tools", toolkit_facts.project())
    text = "".join(selection_lines(SelectionReport(project, found, {"a": "", "b": ""}), "en"))
    assert "\x1b" not in text
    assert "\n" not in text
