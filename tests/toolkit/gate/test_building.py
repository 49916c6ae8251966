"""The gate itself: what it says and lets pass, and how a wheel is compared with what was checked."""

import zipfile
from pathlib import Path

import msgspec
import pytest

import axhub
from axhub.configuration.languages import language_of
from axhub.toolkit.check import Language
from axhub.toolkit.gate.building import GateClosedError, Passed, pass_gate, seal
from axhub.toolkit.gate.files import RECEIPT, digest_of_all
from support.service_projects import PYPROJECT, write_files

CONFIG = "mcp:\n  bundleId: my-tools\n"
ADDRESS = 'URL = "https://code.example.com"'
FILES = {"__init__.py": "", "app.py": "", "config/service.yaml": CONFIG}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project without a tool, which has nothing wrong either."""
    package = {f"src/my_tools/{name}": text for name, text in FILES.items()}
    return write_files(tmp_path / "my-tools", {"pyproject.toml": PYPROJECT, **package})


def passed(root: Path, language: Language = "en") -> tuple[Passed, list[str]]:
    lines: list[str] = []
    return pass_gate(root, language, lines.append), lines


def closed(root: Path, language: Language = "en") -> tuple[str, list[str]]:
    lines: list[str] = []
    with pytest.raises(GateClosedError) as caught:
        pass_gate(root, language, lines.append)
    return str(caught.value), lines


def wheel_of(root: Path, **changes: str | None) -> Path:
    """Return a wheel of the package as a backend might build it; `changes` by path, None: left out."""
    folder = root / "src"
    inside = {
        file.relative_to(folder).as_posix(): file.read_text(encoding="utf-8")
        for file in sorted(folder.rglob("*"))
        if file.is_file() and file.suffix != ".pyc"
    }
    inside |= {"my_tools-1.dist-info/RECORD": "my_tools-1.dist-info/RECORD,,\n"}
    wheel = root / "my_tools-1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, text in {**inside, **changes}.items():
            if text is not None:
                archive.writestr(name, text)
    return wheel


def refused(root: Path, changes: dict[str, str | None], language: Language = "en") -> str:
    gone = wheel_of(root, **changes)
    with pytest.raises(GateClosedError) as caught:
        seal(gone, passed(root)[0], language)
    assert not gone.exists()
    return str(caught.value)


def test_a_project_without_findings_passes_and_its_wheel_gets_the_receipt(root: Path) -> None:
    gate, lines = passed(root)
    assert lines == ["nothing found in 0 tools"]
    wheel = wheel_of(root)
    seal(wheel, gate, "en")
    with zipfile.ZipFile(wheel) as archive:
        receipt = msgspec.json.decode(archive.read(f"my_tools/{RECEIPT}"))
    assert receipt == {
        "receipt": 1,
        "axhub": axhub.__version__,
        "project": "my-tools",
        "package": "my_tools",
        "digest": digest_of_all(gate.files),
        "errors": 0,
        "warnings": {},
        "drafts": [],
        "allowed": [],
        "files": dict(gate.files),
    }
    assert list(gate.files) == sorted(FILES)


def test_warnings_and_what_comments_allow_pass_and_stand_in_the_receipt(root: Path) -> None:
    write_files(
        root,
        {
            "src/my_tools/app.py": "# axhub: allow TK612 -- it was here\n",
            "src/my_tools/infra/http/code/client.py": f"{ADDRESS}  # axhub: allow TK612 -- a public list\n",
        },
    )
    gate, lines = passed(root)
    assert lines[0].startswith("src/my_tools/app.py:1:1: warning TK004: ")
    assert lines[-1] == "1 warning in 0 tools; 1 finding allowed by comments"
    wheel = wheel_of(root)
    seal(wheel, gate, "en")
    with zipfile.ZipFile(wheel) as archive:
        receipt = msgspec.json.decode(archive.read(f"my_tools/{RECEIPT}"))
    assert (receipt["errors"], receipt["warnings"]) == (0, {"TK004": 1})
    file = "src/my_tools/infra/http/code/client.py"
    assert receipt["allowed"] == [{"rule": "TK612", "file": file, "line": 1, "reason": "a public list"}]


@pytest.mark.parametrize(
    ("language", "count", "said"),
    [
        (
            "en",
            1,
            "axhub: my-tools is not built: 1 error stands. Mend it and build again; `axhub check` shows it too.",
        ),
        (
            "en",
            2,
            "axhub: my-tools is not built: 2 errors stand. Mend them and build again; `axhub check` shows them too.",
        ),
        (
            "ko",
            2,
            (
                "axhub: my-tools: 빌드하지 않았습니다. 오류가 2건 있습니다. 고친 뒤 다시 빌드하십시오. "
                "`axhub check`로도 볼 수 있습니다."
            ),
        ),
    ],
)
def test_an_error_closes_the_gate_after_the_findings(root: Path, language: Language, count: int, said: str) -> None:
    write_files(root, {"src/my_tools/app.py": "# axhub: allow TK612\n" * count})
    message, lines = closed(root, language)
    assert message == said
    word = {"en": "error", "ko": "오류"}[language]
    places = [line.partition(f" {word}")[0] for line in lines if not line.startswith(" ")]
    assert places[:-1] == [f"src/my_tools/app.py:{number}:1:" for number in range(1, count + 1)]


def test_a_project_without_our_table_is_told_what_to_add_whatever_stands_above_it(root: Path) -> None:
    write_files(root, {"inner/pyproject.toml": '[project]\nname = "inner"\n'})
    assert closed(root / "inner") == (
        (
            "axhub: inner is not built: its pyproject.toml has no table [tool.axhub]; "
            "add that line, an empty table will do."
        ),
        [],
    )


def test_a_project_that_cannot_be_checked_is_not_built(root: Path) -> None:
    write_files(root, {"pyproject.toml": f"{PYPROJECT}colour = 1\n"})
    message, lines = closed(root)
    assert message == "axhub: my-tools is not built: it cannot be checked, see above."
    assert [line.partition(": ")[2] for line in lines] == [
        'unknown key "colour" in [tool.axhub]; known are categories, owners, package, workspace'
    ]


def test_neighbours_that_are_not_here_as_where_an_sdist_was_unpacked_are_a_warning(root: Path) -> None:
    write_files(root, {"pyproject.toml": f'{PYPROJECT}workspace = ["../other-tools"]\n'})
    gate, lines = passed(root)
    assert "warning TK005" in lines[0]
    assert gate.report.warnings == 1


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"my_tools/app.py": "other"}, "other"),
        ({"my_tools/config/service.yaml": None}, "lacking"),
        ({"my_tools/app.py": None, "my_tools/config/more.yaml": ""}, "both"),
    ],
)
def test_a_wheel_that_does_not_hold_what_was_checked_is_deleted(
    root: Path, changes: dict[str, str | None], said: str
) -> None:
    other = (
        "the wheel has files that are not those that were checked: {}. Let the hook axhub be the last one in "
        "pyproject.toml, put nothing into the package from elsewhere, and delete old output of builds."
    )
    lacking = "the wheel lacks files that were checked: {}. Include them in the wheel, or delete them."
    expected = {
        "other": other.format("app.py"),
        "lacking": lacking.format("config/service.yaml"),
        "both": f"{other.format('config/more.yaml')} {lacking.format('app.py')}",
    }[said]
    assert refused(root, changes) == f"axhub: my-tools is not built: {expected}"


def test_a_wheel_that_lacks_files_is_told_in_korean_too(root: Path) -> None:
    assert refused(root, {"my_tools/app.py": None, "my_tools/more.py": ""}, "ko") == (
        "axhub: my-tools: 빌드하지 않았습니다. wheel에 검사하지 않은 내용의 파일이 있습니다: more.py. "
        "pyproject.toml에서 axhub 훅을 맨 뒤에 두고, 다른 곳의 파일을 패키지에 넣지 말고, 이전 빌드의 산출물을 "
        "지우십시오. 검사한 파일이 wheel에 없습니다: app.py. wheel에 포함하거나 지우십시오."
    )


def test_samples_tests_notes_and_hidden_files_may_stay_behind(root: Path) -> None:
    stay = ("samples/cmm_x/http-x.json", "tests/test_x.py", "biz/tests/test_y.py", "README.md", ".hidden/x.py")
    write_files(root, {f"src/my_tools/{name}": "{}" if name.endswith("json") else "" for name in stay})
    gate, _ = passed(root)
    wheel = wheel_of(root, **{f"my_tools/{name}": None for name in stay})
    seal(wheel, gate, "en")
    with zipfile.ZipFile(wheel) as archive:
        receipt = msgspec.json.decode(archive.read(f"my_tools/{RECEIPT}"))
    assert sorted(receipt["files"]) == sorted(FILES)


def test_a_stale_receipt_in_the_source_is_neither_compared_nor_kept(root: Path) -> None:
    write_files(root, {f"src/my_tools/{RECEIPT}": "{}"})
    gate, _ = passed(root)
    wheel = wheel_of(root)
    seal(wheel, gate, "en")
    with zipfile.ZipFile(wheel) as archive:
        assert archive.namelist().count(f"my_tools/{RECEIPT}") == 1
        assert msgspec.json.decode(archive.read(f"my_tools/{RECEIPT}"))["project"] == "my-tools"
    assert (root / "src" / "my_tools" / RECEIPT).read_text(encoding="utf-8") == "{}"


@pytest.mark.parametrize(("lang", "language"), [("ko_KR.UTF-8", "ko"), ("en_US.UTF-8", "en"), ("", "en")])
def test_the_language_is_that_of_the_environment(lang: str, language: str) -> None:
    assert language_of({"LANG": lang}) == language
