"""`axhub check` and `axhub explain` as typed: exit codes, formats, languages, and where paths start."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from axhub.cli.main import main
from axhub.configuration.languages import Language
from axhub.toolkit.check.held import HELD
from axhub.toolkit.rules.all import ALL
from support.service_projects import PYPROJECT, write_files

BARE = "# axhub: allow TK612\n"
UNUSED = "# axhub: allow TK612 -- it was here\nx = 1\n"


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a service without tools and without faults; messages are English."""
    monkeypatch.delenv("LANG", raising=False)
    files = {
        "pyproject.toml": PYPROJECT,
        "src/my_tools/__init__.py": "",
        "src/my_tools/config/service.yaml": "mcp:\n  bundleId: my-tools\n",
    }
    return write_files(tmp_path / "service", files)


def with_app(service: Path, text: str) -> Path:
    return write_files(service, {"src/my_tools/app.py": text})


def shown(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, list[str]]:
    code = main(["check", *words])
    printed = capsys.readouterr()
    assert printed.err == ""
    return code, printed.out.splitlines()


def test_a_good_service_is_0_and_one_line(service: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(capsys, str(service)) == (0, ["nothing found in 0 tools"])


@pytest.mark.req("rule/TK003")
def test_an_error_is_1_with_a_path_from_the_current_folder(
    service: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with_app(service, BARE)
    expected = [
        "src/my_tools/app.py:1:1: error TK003: This comment allows TK612 without a reason.",
        (
            '    fix: Say why after "--": "# axhub: allow TK612 -- …". Until then the finding counts.'
            "      (axhub explain TK003)"
        ),
        "1 error in 0 tools",
    ]
    monkeypatch.chdir(service)
    assert shown(capsys) == (1, expected)
    monkeypatch.chdir(service.parent)
    assert shown(capsys, "service/src") == (1, [f"service/{expected[0]}", *expected[1:]])
    monkeypatch.chdir(service / "src")
    assert shown(capsys) == (1, [f"../{expected[0]}", *expected[1:]])


def test_warnings_are_0_and_with_strict_1(service: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with_app(service, UNUSED)
    assert (shown(capsys, str(service))[0], shown(capsys, str(service), "--strict")[0]) == (0, 1)


@pytest.mark.parametrize(
    ("lang", "words", "expected"),
    [
        ("ko_KR.UTF-8", [], "도구 0개: 발견된 문제 없음"),
        ("en_US.UTF-8", [], "nothing found in 0 tools"),
        ("C", [], "nothing found in 0 tools"),
        ("ko_KR.UTF-8", ["--lang", "en"], "nothing found in 0 tools"),
        ("C", ["--lang", "ko"], "도구 0개: 발견된 문제 없음"),
    ],
)
def test_the_language_is_that_of_the_environment_unless_said_otherwise(
    service: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    lang: str,
    words: list[str],
    expected: str,
) -> None:
    monkeypatch.setenv("LANG", lang)
    assert shown(capsys, str(service), *words) == (0, [expected])


def test_json_is_one_object_and_github_names_files_from_the_current_folder(
    service: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with_app(service, BARE)
    monkeypatch.chdir(service.parent)
    code, lines = shown(capsys, "service", "--format", "json")
    document = json.loads("\n".join(lines))
    assert (code, document["errors"], document["findings"][0]["file"]) == (1, 1, "src/my_tools/app.py")
    code, lines = shown(capsys, "service", "--format", "github")
    assert code == 1
    assert lines[0].startswith("::error file=service/src/my_tools/app.py,line=1,col=1,title=TK003::This comment")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nothing"], "axhub check: nothing: there is no such file or folder"),
        (["nothing", "--lang", "ko"], "axhub check: nothing: 그런 파일이나 폴더가 없습니다"),
        (["."], "axhub check: .: no Tool Service project is here: neither this folder nor one above it has a"),
    ],
)
def test_what_cannot_be_checked_is_2_and_one_sentence(
    words: list[str],
    message: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["check", *words]) == 2
    printed = capsys.readouterr()
    assert (printed.out, printed.err[: len(message)], printed.err.count("\n")) == ("", message, 1)


def test_sarif_has_paths_from_the_current_folder_if_the_project_is_in_it(
    service: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with_app(service, BARE)
    uris = {}
    for folder in (service.parent, service / "src"):
        monkeypatch.chdir(folder)
        code, lines = shown(capsys, str(service), "--format", "sarif", "--lang", "ko")
        (run,) = json.loads("\n".join(lines))["runs"]
        (result,) = run["results"]
        assert (code, run["language"], result["ruleId"]) == (1, "ko", "TK003")
        uris[folder.name] = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uris == {service.parent.name: "service/src/my_tools/app.py", "src": "src/my_tools/app.py"}


def test_a_format_that_there_is_not_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--format", "xml"]) == 2
    assert "argument --format: invalid choice: 'xml' (choose from" in capsys.readouterr().err


def test_nothing_heavy_is_loaded_for_the_help() -> None:
    code = "import sys; from axhub.cli.main import main; main(['check', '--help']); print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert {"pydantic", "yaml", "axhub.toolkit"}.isdisjoint(ran.stdout.splitlines()[-1].split())


def test_without_the_toolkits_libraries_the_command_says_what_to_install(service: Path) -> None:
    hides = "import importlib.util as u; real = u.find_spec"
    code = (
        f"{hides}; u.find_spec = lambda name, *rest: None if name == 'pydantic' else real(name, *rest)\n"
        "import sys; from axhub.cli.main import main; sys.exit(main(['check', sys.argv[1]]))"
    )
    command = [sys.executable, "-c", code, str(service)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "LANG": "C"})
    assert (ran.returncode, ran.stdout, ran.stderr) == (
        2,
        "",
        "axhub check: the toolkit is not installed; this brings it: pip install 'axhub[toolkit]'\n",
    )


def test_every_rule_can_be_explained_in_both_languages(capsys: pytest.CaptureFixture[str]) -> None:
    for rule in ALL:
        for language in ("en", "ko"):
            assert main(["explain", rule.id.lower(), "--lang", language]) == 0
            assert capsys.readouterr().out.startswith(f"{rule.id} (")


@pytest.mark.parametrize("language", ["en", "ko"])
def test_what_no_rule_decides_is_told_in_one_sentence_with_what_holds_it(
    capsys: pytest.CaptureFixture[str], language: Language
) -> None:
    assert sorted(HELD) == ["TK216", "TK402", "TK501", "TK502", "TK614", "TK701", "TK802", "TK803"]
    assert not HELD.keys() & {rule.id for rule in ALL}
    for id_, text in HELD.items():
        assert main(["explain", id_.lower(), "--lang", language]) == 0
        assert capsys.readouterr().out == f"{id_}: {text.said(language)}\n"


@pytest.mark.parametrize("language", ["en", "ko"])
def test_no_rule_says_the_same_problem_twice(capsys: pytest.CaptureFixture[str], language: str) -> None:
    for rule in ALL:
        main(["explain", rule.id, "--lang", language])
        problems = [line for line in capsys.readouterr().out.splitlines() if re.match(r"  \S", line)]
        assert len(problems) == len(set(problems)), rule.id


def test_explain_alone_lists_all_rules(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "--lang", "en"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == [rule.id for rule in ALL]


def test_an_unknown_rule_is_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "TK33"]) == 2
    message = "axhub explain: there is no rule TK33; without an ID, `axhub explain` lists all\n"
    assert capsys.readouterr() == ("", message)
