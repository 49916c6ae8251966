"""`axhub sync` as typed: definitions, releases, what is refused, and in which words (decision/D12)."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from axhub.cli.main import main
from support.author import environ
from support.released_service import CONFIG, DEFINITION, DTO, FIELD, TOOL, USECASE, change, length_service

pytestmark = pytest.mark.req("decision/D12")

LOCK = "axhub.lock.json"
TEXT_FIELD = '    metres: Annotated[str, Desc("The length in metres")]\n'
OTHER_FIELD = FIELD + '    note: Annotated[str | None, Desc("What is measured; null if unknown")] = None\n'


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a service, which is the current one; messages are English."""
    monkeypatch.delenv("LANG", raising=False)
    root = length_service(tmp_path)
    monkeypatch.chdir(root)
    return root


def sync(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, list[str], list[str]]:
    """Return the exit code and the lines of both streams."""
    code = main(["sync", *words])
    printed = capsys.readouterr()
    return code, printed.out.splitlines(), printed.err.splitlines()


@pytest.fixture
def released(service: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """Return the same after its first release."""
    assert sync(capsys, "--release") == (
        0,
        [
            "parameters_schema: 0 changed, 1 as they were",
            "first release: 1 tool",
            "written: axhub.lock.json; commit it with the change",
        ],
        [],
    )
    return service


def test_a_definition_follows_the_model_and_keeps_its_comments(
    service: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change(service, DTO, FIELD, OTHER_FIELD)
    before = (service / DEFINITION).read_text(encoding="utf-8")
    code, shown, _ = sync(capsys, "--dry-run")
    assert (code, shown[-1]) == (
        0,
        "parameters_schema: 1 would be changed, 0 are as they should be; nothing was written",
    )
    assert [line for line in shown if line.startswith("+ ")] == [
        "+    note:",
        '+      type: [string, "null"]',
        '+      description: "What is measured; null if unknown"',
    ]
    assert (service / DEFINITION).read_text(encoding="utf-8") == before
    assert sync(capsys) == (
        0,
        [f"written: {DEFINITION}", "parameters_schema: 1 changed, 0 as they were"],
        [],
    )
    added = '    note:\n      type: [string, "null"]\n      description: "What is measured; null if unknown"\n'
    assert (service / DEFINITION).read_text(encoding="utf-8") == before.replace("  required:", f"{added}  required:")
    assert sync(capsys) == (0, ["parameters_schema: 0 changed, 1 as they were"], [])


def test_a_definition_that_cannot_be_changed_safely_is_named_and_stays(
    service: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change(service, DEFINITION, "    metres:\n", "    metres: &length\n")
    change(service, DTO, FIELD, OTHER_FIELD)
    before = (service / DEFINITION).read_bytes()
    code, shown, said = sync(capsys, "--release")
    assert (code, shown) == (2, ["parameters_schema: 0 changed, 0 as they were"])
    assert said == [
        (
            f"{DEFINITION}:21:13: an anchor (&) or alias (*) of YAML stands in it, which may be used elsewhere; "
            "write out what "
            "it stands for"
        ),
        "axhub sync: nothing was released: mend the definitions above first",
    ]
    assert ((service / DEFINITION).read_bytes(), (service / LOCK).exists()) == (before, False)


def test_a_release_is_written_once_and_says_what_callers_notice(
    released: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert sync(capsys, "--release")[1][-1] == "as it was: axhub.lock.json"
    change(released, DTO, FIELD, OTHER_FIELD)
    before = (released / LOCK).read_bytes()
    code, shown, _ = sync(capsys, "--release", "--dry-run")
    assert (code, (released / LOCK).read_bytes()) == (0, before)
    assert '+          "note": {' in shown
    assert sync(capsys, "--release")[1][2:] == [
        f"safe: {TOOL} /inputSchema/note: `note` (string | null) is new.",
        "written: axhub.lock.json; commit it with the change",
    ]
    properties = json.loads((released / LOCK).read_text("utf-8"))["tools"][TOOL]["inputSchema"]["properties"]
    assert list(properties) == ["metres", "note"]


def test_a_breaking_change_without_a_major_version_is_refused_and_with_one_released(
    released: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change(released, DTO, FIELD, TEXT_FIELD)
    change(released, USECASE, "request.metres", "float(request.metres)")
    before = (released / LOCK).read_bytes()
    code, _, said = sync(capsys, "--release")
    assert (code, (released / LOCK).read_bytes()) == (1, before)
    assert said == [
        f"breaking: {TOOL} /inputSchema/metres: the type was number and is string.",
        (
            f"axhub sync: nothing was released: {TOOL} breaks its callers and its version is still 1.0.0; write "
            f'`version: "2.0.0"` in {DEFINITION}, or take the change back'
        ),
    ]
    assert sync(capsys, "--release", "--lang", "ko")[2] == [
        f"호환되지 않음: {TOOL} /inputSchema/metres: 타입이 바뀌었습니다: number → string.",
        (
            f"axhub sync: 배포하지 않았습니다. {TOOL}: 호환되지 않는 변경인데 버전이 1.0.0에서 오르지 않았습니다. "
            f"{DEFINITION} "
            '파일에 `version: "2.0.0"` 값을 쓰거나 변경을 되돌리십시오'
        ),
    ]
    change(released, DEFINITION, "version: 1.0.0", 'version: "2.0.0"')
    assert sync(capsys, "--release")[1][1:] == [
        f"breaking: {TOOL} /inputSchema/metres: the type was number and is string.",
        f"safe: {TOOL} /version: the version was 1.0.0 and is 2.0.0.",
        "written: axhub.lock.json; commit it with the change",
    ]


def test_nothing_is_released_while_an_error_stands(service: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(service, DEFINITION, "version: 1.0.0", "version: 1.0")
    code, _, said = sync(capsys, "--release")
    assert (code, (service / LOCK).exists()) == (1, False)
    assert [line.partition(": ")[2][:13] for line in said if " error " in line] == ["error TK304: "]
    assert said[-1] == "axhub sync: nothing was released: errors stand (1); `axhub check` shows all that is found"


@pytest.mark.req("rule/TK106")
def test_a_released_tool_that_is_gone_is_retired_with_a_reason(
    released: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    retire = ("--retire", TOOL, "--reason", "nobody measures in feet")
    assert sync(capsys, *retire)[2] == [
        f"axhub sync: {TOOL} is still there, at {USECASE}:6:2; remove it first, or write `register=False`"
    ]
    (released / USECASE).write_text("", encoding="utf-8")
    (released / DEFINITION).unlink()
    code, _, said = sync(capsys, "--release")
    assert (code, said[0]) == (
        1,
        (
            f'axhub.lock.json:6:5: error TK106: The tool "{TOOL}" was released with version 1.0.0, and there is none '
            "of that name."
        ),
    )
    assert sync(capsys, *retire, "--dry-run")[0] == 0
    assert json.loads((released / LOCK).read_text("utf-8"))["retired"] == {}
    assert sync(capsys, *retire) == (
        0,
        [f"retired: {TOOL}", "written: axhub.lock.json; commit it with the change"],
        [],
    )
    document = json.loads((released / LOCK).read_text("utf-8"))
    assert document["tools"] == {}
    assert document["retired"] == {TOOL: {"version": "1.0.0", "reason": "nobody measures in feet"}}
    assert main(["check"]) == 0
    capsys.readouterr()
    assert sync(capsys, *retire)[1] == [
        f"{TOOL} is retired already: nobody measures in feet",
        "as it was: axhub.lock.json",
    ]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--retire", TOOL), 'a tool is retired with --retire NAME and --reason "why", both of them'),
        (("--reason", "x"), 'a tool is retired with --retire NAME and --reason "why", both of them'),
        (("--retire", TOOL, "--reason", " "), 'a tool is retired with --retire NAME and --reason "why", both of them'),
        (
            ("--retire", "smp_lengths_convert", "--reason", "x"),
            f"smp_lengths_convert was never released; did you mean {TOOL}?",
        ),
        (("--retire", "abc", "--reason", "x"), "abc was never released"),
    ],
)
def test_what_cannot_be_retired_is_said(
    released: Path, words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert sync(capsys, *words) == (2, [], [f"axhub sync: {said}"])


def test_without_a_lock_there_is_nothing_to_retire(service: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert sync(capsys, "--retire", TOOL, "--reason", "x")[2] == [
        "axhub sync: there is no axhub.lock.json, so nothing was released that could be retired"
    ]


def test_a_package_that_cannot_be_imported_is_2(service: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(service, DTO, "from typing import Annotated", "from typing import Annotate")
    assert sync(capsys) == (
        2,
        [],
        [
            (
                "axhub sync: the package cannot be read or imported, so what its tools accept is not known; "
                "`axhub check` says why"
            )
        ],
    )


def test_a_place_without_a_project_is_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, shown, said = sync(capsys, str(tmp_path))
    assert (code, shown) == (2, [])
    assert said[0].startswith(f"axhub sync: {tmp_path}: no Tool Service project is here")


def test_a_file_that_cannot_be_written_stays_as_it_was(service: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(service, DTO, FIELD, OTHER_FIELD)
    before = (service / DEFINITION).read_bytes()
    (service / f"{DEFINITION}.unfinished").mkdir()
    code, _, said = sync(capsys)
    assert (code, len(said), (service / DEFINITION).read_bytes()) == (2, 1, before)


def test_a_tool_that_is_switched_off_breaks_its_callers(released: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(released, CONFIG, "mcp:\n", f"disabledTools: [{TOOL}]\nmcp:\n")
    code, _, said = sync(capsys, "--release")
    assert (code, said[0]) == (
        1,
        (
            f"breaking: {TOOL} /enabled: the tool is switched off: it is not listed, and calls are answered as if "
            "there were none."
        ),
    )


def test_help_has_examples_and_exit_codes(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "axhub.cli.main", "sync", "--help"],
        cwd=tmp_path,
        env=environ(),
        check=True,
        capture_output=True,
        text=True,
    )
    assert "axhub sync --release " in ran.stdout
    assert "exit codes: 0 done, or nothing to do; 1 the release is refused; 2 it cannot be done" in ran.stdout
