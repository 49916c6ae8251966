"""`axhub diff` as typed: against a file, a commit, and what it says where there is nothing to compare with."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from axhub.cli.main import main
from support.released_service import DEFINITION, DTO, FIELD, TOOL, change, length_service

pytestmark = pytest.mark.req("decision/D12")

LOCK = "axhub.lock.json"
NEW_REQUIRED = FIELD + '    note: Annotated[str, Desc("What is measured")]\n'


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    """Return a released service in a folder of a repository; the current folder is inside it."""
    monkeypatch.delenv("LANG", raising=False)
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    root = length_service(tmp_path)
    monkeypatch.chdir(root / "src")
    assert main(["sync", "--release"]) == 0
    capsys.readouterr()
    return root


def git(root: Path, *words: str) -> None:
    author = ("-c", "user.name=a", "-c", "user.email=a@example.com")
    subprocess.run(["git", *author, *words], cwd=root, check=True, capture_output=True)


def committed(root: Path) -> None:
    """Make the folder around a service a repository with one commit, called `released`."""
    git(root.parent, "init", "--quiet", "--initial-branch", "main")
    git(root.parent, "add", "--all")
    git(root.parent, "commit", "--quiet", "--message", "first")
    git(root.parent, "tag", "released")


def diff(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, list[str], list[str]]:
    code = main(["diff", *words])
    printed = capsys.readouterr()
    return code, printed.out.splitlines(), printed.err.splitlines()


def test_what_changed_is_told_with_what_breaks_first(service: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert diff(capsys) == (0, ["no change against axhub.lock.json"], [])
    change(service, DEFINITION, "display_name: Length in feet", "display_name: Feet")
    change(service, "src/length_tools/biz/smp/usecase.py", '"Length in feet"', '"Feet"')
    title = [
        "behavioural:",
        f'  {TOOL} /title: the title was "Length in feet" and is "Feet".',
    ]
    assert diff(capsys) == (0, [*title, "0 breaking, 1 behavioural, 0 safe against axhub.lock.json"], [])
    change(service, DTO, FIELD, NEW_REQUIRED)
    assert diff(capsys) == (
        1,
        [
            "breaking:",
            f"  {TOOL} /inputSchema/note: `note` (string) is new and required.",
            *title,
            "1 breaking, 1 behavioural, 0 safe against axhub.lock.json",
            f"a new major version is needed before a release: {TOOL}",
        ],
        [],
    )
    assert diff(capsys, "--lang", "ko")[1] == [
        "호환되지 않음:",
        f"  {TOOL} /inputSchema/note: `note`(string) 속성이 새로 생겼으며 필수입니다.",
        "동작 변경:",
        f'  {TOOL} /title: 제목이 "Length in feet"에서 "Feet"(으)로 바뀌었습니다.',
        "axhub.lock.json 대비 호환되지 않는 변경 1건, 동작 변경 1건, 안전한 변경 0건",
        f"배포하려면 주 버전을 올려야 합니다: {TOOL}",
    ]


def test_a_commit_is_compared_with_from_anywhere_in_the_repository(
    service: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    committed(service)
    change(service, DTO, FIELD, NEW_REQUIRED)
    (service / LOCK).write_text("no longer what it was", encoding="utf-8")
    for ref in ("released", "main", "HEAD"):
        code, shown, said = diff(capsys, "--against", ref)
        assert (code, shown[-2], said) == (1, f"1 breaking, 0 behavioural, 0 safe against {ref}", [])


def test_programs_get_all_of_it(service: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(service, DTO, FIELD, NEW_REQUIRED)
    code, shown, _ = diff(capsys, "--format", "json")
    assert (code, json.loads("\n".join(shown))) == (
        1,
        {
            "project": "length-tools",
            "against": "axhub.lock.json",
            "breaking": 1,
            "behavioural": 0,
            "safe": 0,
            "changes": [
                {
                    "severity": "breaking",
                    "kind": "new-required",
                    "tool": TOOL,
                    "pointer": "/inputSchema/note",
                    "before": "",
                    "after": "string",
                    "text": "`note` (string) is new and required.",
                }
            ],
            "needMajorVersion": [TOOL],
        },
    )


def test_a_manifest_that_a_gateway_has_is_compared_with(service: Path, capsys: pytest.CaptureFixture[str]) -> None:
    entry = json.loads((service / LOCK).read_text("utf-8"))["tools"][TOOL]
    tool = {"name": TOOL, "title": entry["title"], "description": entry["description"], "_meta": {"version": "1.0.0"}}
    hints = {f"{name}Hint": value for name, value in entry["hints"].items()}
    tool |= {"inputSchema": entry["inputSchema"], "annotations": hints, "endpoint": "/tools/x"}
    manifest = service / "manifest.json"
    manifest.write_text(json.dumps({"bundleId": "length-tools", "tools": [tool]}), encoding="utf-8")
    assert diff(capsys, "--against", "../manifest.json") == (0, ["no change against ../manifest.json"], [])


@pytest.mark.parametrize(
    ("against", "english", "korean"),
    [
        (
            "nowhere",
            (
                '"nowhere" is neither a file nor a branch, tag or commit of this repository; after a shallow clone, '
                "fetch it first"
            ),
            '"nowhere": 그런 파일도, 이 저장소의 브랜치, 태그, 커밋도 없습니다. 얕은 복제라면 먼저 가져오십시오',
        ),
        (
            "--output=x",
            (
                '"--output=x" is neither a file nor a branch, tag or commit of this repository; after a shallow clone, '
                "fetch it first"
            ),
            '"--output=x": 그런 파일도, 이 저장소의 브랜치, 태그, 커밋도 없습니다. 얕은 복제라면 먼저 가져오십시오',
        ),
        (
            "empty",
            "empty has no axhub.lock.json in {root}: nothing was released there",
            "empty: {root} 폴더에 axhub.lock.json 파일이 없습니다. 배포한 것이 없습니다",
        ),
        ("..", "..: it is a folder", "..: it is a folder"),
        (
            "../pyproject.toml",
            "../pyproject.toml: it is not valid JSON (invalid character (byte 1))",
            "../pyproject.toml: 올바른 JSON이 아닙니다(invalid character (byte 1))",
        ),
    ],
)
def test_what_there_is_nothing_to_compare_with_is_2_and_said_plainly(
    service: Path, against: str, english: str, korean: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (service / LOCK).rename(service.parent / "kept.json")
    committed(service)
    git(service, "tag", "empty")
    (service.parent / "kept.json").rename(service / LOCK)
    words = (f"--against={against}",)
    assert diff(capsys, *words) == (2, [], [f"axhub diff: {english.format(root=service)}"])
    assert diff(capsys, *words, "--lang", "ko") == (2, [], [f"axhub diff: {korean.format(root=service)}"])


def test_without_a_repository_or_git_only_files_can_be_compared_with(
    service: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    assert diff(capsys, "--against", "main")[2] == [
        f'axhub diff: "main" is no file, and {service} is not in a git repository'
    ]
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    assert diff(capsys, "--against", "main") == (
        2,
        [],
        ["axhub diff: git is not installed, and without it only a file can be compared with"],
    )


def test_a_service_that_was_never_released_says_how_to(service: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (service / LOCK).unlink()
    assert diff(capsys) == (
        2,
        [],
        [
            (
                f"axhub diff: {service} has no axhub.lock.json: nothing was released yet. `axhub sync --release` "
                "writes it; --against compares with another file or a commit"
            )
        ],
    )


def test_a_service_that_cannot_be_imported_is_2(service: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(service, DEFINITION, "version: 1.0.0", "version: 1.0")
    assert diff(capsys)[2] == [
        (
            "axhub diff: what a tool promises cannot be told: its declaration or its definition cannot be used; "
            "`axhub check` says why"
        )
    ]
    change(service, DTO, "from typing import Annotated", "from typing import Annotate")
    assert diff(capsys)[2] == [
        (
            "axhub diff: the package cannot be read or imported, so what its tools accept is not known; "
            "`axhub check` says why"
        )
    ]
