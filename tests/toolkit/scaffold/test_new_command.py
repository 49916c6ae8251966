"""`axhub new`: what it makes, what it says, and what it never touches."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from axhub.cli.main import main
from support.author import contents

pytestmark = pytest.mark.req("toolkit/T5")

SERVICE = ("new", "service", "claim-tools", "--lang", "en")
TOOL = ("new", "tool", "cmm_claim_search", "--http", "claim", "--lang", "en")
PACKAGE = "src/claim_tools"
DEFINITION = f"{PACKAGE}/tool_definitions/cmm/cmm_claim_search.yml"
SERVICE_FILES = {
    ".gitignore",
    "README.md",
    "pyproject.toml",
    f"{PACKAGE}/__init__.py",
    f"{PACKAGE}/app.py",
    f"{PACKAGE}/biz/__init__.py",
    f"{PACKAGE}/config/service.yaml",
    f"{PACKAGE}/infra/__init__.py",
    f"{PACKAGE}/infra/http/__init__.py",
}
TOOL_FILES = {
    f"{PACKAGE}/biz/cmm/__init__.py",
    f"{PACKAGE}/biz/cmm/converter/__init__.py",
    f"{PACKAGE}/biz/cmm/converter/claim_search.py",
    f"{PACKAGE}/biz/cmm/dto/__init__.py",
    f"{PACKAGE}/biz/cmm/dto/claim_search.py",
    f"{PACKAGE}/biz/cmm/usecase/__init__.py",
    f"{PACKAGE}/biz/cmm/usecase/claim_search.py",
    f"{PACKAGE}/infra/http/claim/__init__.py",
    f"{PACKAGE}/infra/http/claim/client.py",
    f"{PACKAGE}/infra/http/claim/io/__init__.py",
    f"{PACKAGE}/infra/http/claim/io/claim_search.py",
    f"{PACKAGE}/samples/cmm_claim_search/http-claim.json",
    DEFINITION,
    "tests/test_cmm_claim_search.py",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def project(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    assert main(SERVICE) == 0
    monkeypatch.chdir(folder / "claim-tools")
    capsys.readouterr()
    return folder / "claim-tools"


def marked(root: Path) -> Iterator[str]:
    for path, text in contents(root).items():
        yield from (f"{path}:{at}" for at, line in enumerate(text.splitlines(), 1) if "TODO" in line)


def test_a_new_service_has_these_files_and_says_what_comes_next(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(SERVICE) == 0
    assert set(contents(folder / "claim-tools")) == SERVICE_FILES
    assert capsys.readouterr().out.splitlines() == [
        *(f"  made         claim-tools/{path}" for path in sorted(SERVICE_FILES)),
        "Left to write, each marked TODO (1):",
        "  claim-tools/README.md:3: TODO what this service offers, in one sentence",
        "Then:",
        "  cd claim-tools",
        "  axhub new tool cmm_claim_search --http claim",
    ]


def test_a_new_tool_has_these_files_and_an_entry_in_the_configuration(project: Path) -> None:
    before = contents(project)
    assert main(TOOL) == 0
    after = contents(project)
    assert set(after) - set(before) == TOOL_FILES
    configuration = f"{PACKAGE}/config/service.yaml"
    assert {path for path in before if before[path] != after[path]} == {configuration}
    assert after[configuration].startswith(before[configuration])
    assert yaml.safe_load(after[configuration])["glow"]["communication"]["http"]["api-list"] == [
        {
            "name": "claim",
            "domain": "${AXHUB_CLAIM_HTTP_DOMAIN:http://localhost:${server.port}}",
            "url": "${AXHUB_CLAIM_HTTP_URL:/api/mock/http/cmm_claim_search}",
            "method": "POST",
            "content-type": "application/json;charset=UTF-8",
        }
    ]


def test_every_place_that_a_person_must_write_is_listed_with_its_line(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = set(marked(project))
    assert main(TOOL) == 0
    said = capsys.readouterr().out.partition("Left to write")[2].partition("Then:")[0].splitlines()[1:]
    assert {":".join(line.strip().split(":")[:2]) for line in said} == set(marked(project)) - before
    assert f"  {DEFINITION}:2: display_name: TODO short name of the task" in said


@pytest.mark.parametrize("command", [SERVICE, TOOL], ids=["service", "tool"])
def test_a_dry_run_lists_the_same_files_and_makes_none(
    command: tuple[str, ...], folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if command is TOOL:
        assert main(SERVICE) == 0
        monkeypatch.chdir(folder / "claim-tools")
        capsys.readouterr()
    before = contents(folder)
    assert main([*command, "--dry-run"]) == 0
    dry = capsys.readouterr().out.splitlines()
    assert contents(folder) == before
    assert main(command) == 0
    said = capsys.readouterr().out.partition("Then:")[0].splitlines()
    assert dry == ["This would be made; nothing was written:", *said]


@pytest.mark.parametrize("edited", [False, True], ids=["as-made", "edited"])
def test_running_it_twice_changes_nothing_and_says_so(
    edited: bool, project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(TOOL) == 0
    if edited:
        for path in (DEFINITION, "README.md", "pyproject.toml", f"{PACKAGE}/biz/cmm/dto/claim_search.py"):
            place = project / path
            place.write_text(place.read_text(encoding="utf-8") + "\n# ours\n", encoding="utf-8")
    before = contents(project)
    capsys.readouterr()
    assert main(TOOL) == 0
    assert capsys.readouterr().out.startswith("Everything is there already; nothing was changed.\n")
    monkeypatch.chdir(project.parent)
    assert main(SERVICE) == 0
    assert capsys.readouterr().out.startswith("Everything is there already; nothing was changed.\n")
    assert contents(project) == before


def test_a_second_tool_shares_the_client_and_the_configuration_of_its_api(project: Path) -> None:
    assert main(TOOL) == 0
    before = contents(project)
    assert main(["new", "tool", "cmm_claim_count", "--http", "claim"]) == 0
    after = contents(project)
    assert {path: after[path] for path in before} == before
    assert f"{PACKAGE}/infra/http/claim/io/claim_count.py" in after


def test_of_an_api_that_is_there_already_its_one_address_is_told_but_not_to_its_own_tool(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = (
        "The API claim is in the configuration already, and its one address is POST "
        "${AXHUB_CLAIM_HTTP_DOMAIN:http://localhost:${server.port}} "
        "${AXHUB_CLAIM_HTTP_URL:/api/mock/http/cmm_claim_search}. "
        "Another address needs another API name after --http."
    )
    assert main(TOOL) == 0
    assert main(TOOL) == 0
    assert said not in capsys.readouterr().out.splitlines()
    assert main(["new", "tool", "cmm_claim_count", "--http", "claim", "--lang", "en"]) == 0
    assert said in capsys.readouterr().out.splitlines()


def test_the_words_of_a_tool_are_in_the_language_of_its_service(project: Path) -> None:
    configuration = project / PACKAGE / "config/service.yaml"
    configuration.write_text(
        configuration.read_text(encoding="utf-8").replace("language: en", "language: ko"), encoding="utf-8"
    )
    assert main(["new", "tool", "cmm_claim_search", "--http", "claim"]) == 0
    assert "display_name: TODO 짧은 업무명" in (project / DEFINITION).read_text(encoding="utf-8")
    assert main(["new", "tool", "cmm_claim_count", "--http", "claim", "--lang", "en"]) == 0
    other = DEFINITION.replace("cmm_claim_search.yml", "cmm_claim_count.yml")
    assert "display_name: TODO short name of the task" in (project / other).read_text(encoding="utf-8")


def test_a_file_of_something_else_is_never_overwritten_and_is_named(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = project / PACKAGE / "biz/cmm/dto/claim_search.py"
    place.parent.mkdir(parents=True)
    place.write_text("ours\n", encoding="utf-8")
    before = contents(project)
    assert main(TOOL) == 2
    assert contents(project) == before
    assert capsys.readouterr().err == (
        "axhub new: Nothing was made: these files are there already and belong to something else: "
        f"{PACKAGE}/biz/cmm/dto/claim_search.py. Move or rename them, or give the tool another name than "
        "cmm_claim_search.\n"
    )


@pytest.mark.parametrize("module", [f"{PACKAGE}/biz/cmm/dto.py", f"{PACKAGE}/infra/http/claim/io.py"])
def test_a_module_that_a_new_folder_would_hide_is_in_the_way(
    module: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / module).parent.mkdir(parents=True)
    (project / module).write_text("ours\n", encoding="utf-8")
    before = contents(project)
    assert main(TOOL) == 2
    assert contents(project) == before
    assert f"belong to something else: {module}. Move or rename" in capsys.readouterr().err


def test_a_client_of_the_api_that_cannot_be_used_is_named_with_what_it_lacks(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = project / PACKAGE / "infra/http/claim/client.py"
    place.parent.mkdir(parents=True)
    place.write_text('class Claims:\n    API_NAME = "claim"\n', encoding="utf-8")
    assert main(TOOL) == 2
    assert capsys.readouterr().err == (
        f"axhub new: Nothing was made: {PACKAGE}/infra/http/claim/client.py has no class with API_NAME = 'claim' and a "
        "method `async def call(self, request: HttpBody, response_type: type[A]) -> A`. Add it, or write another name "
        "after --http.\n"
    )


def test_a_client_of_another_class_name_is_used_as_it_is(project: Path) -> None:
    place = project / PACKAGE / "infra/http/claim/client.py"
    place.parent.mkdir(parents=True)
    client = 'class Claims:\n    API_NAME: str = "claim"\n\n    async def call(self, request, response_type): ...\n'
    place.write_text(client, encoding="utf-8")
    assert main(TOOL) == 0
    assert place.read_text(encoding="utf-8") == client
    usecase = (project / PACKAGE / "biz/cmm/usecase/claim_search.py").read_text(encoding="utf-8")
    assert "async def claim_search(request: ClaimSearchRequest, client: Claims) -> ClaimSearchResponse:" in usecase


def test_a_configuration_that_cannot_be_added_to_is_left_and_the_entry_is_shown(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    configuration = project / PACKAGE / "config/service.yaml"
    text = "mcp: {bundleId: claim-tools}\nglow: {}\n"
    configuration.write_text(text, encoding="utf-8")
    assert main(TOOL) == 0
    assert configuration.read_text(encoding="utf-8") == text
    assert f"  add this to  {PACKAGE}/config/service.yaml: glow.communication.http.api-list:\n- name: claim\n" in (
        capsys.readouterr().out
    )


@pytest.mark.parametrize("name", ["pyproject.toml", "README.md"])
def test_a_folder_that_holds_something_else_gets_no_service(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "claim-tools").mkdir()
    (folder / "claim-tools" / name).write_text("ours\n", encoding="utf-8")
    before = contents(folder)
    assert main(SERVICE) == 2
    assert contents(folder) == before
    assert capsys.readouterr().err == (
        f"axhub new: Nothing was made: these files are there already: claim-tools/{name}. Move them, or write another "
        "folder after --folder.\n"
    )


def test_a_service_is_made_where_folder_says(folder: Path) -> None:
    assert main([*SERVICE, "--folder", "services/claims"]) == 0
    assert set(contents(folder / "services/claims")) == SERVICE_FILES


def test_a_tool_is_made_in_the_project_that_is_named(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project.parent)
    assert main([*TOOL, "--project", "claim-tools/src/claim_tools/biz"]) == 0
    assert set(contents(project)) == SERVICE_FILES | TOOL_FILES


def test_without_a_project_a_tool_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(TOOL) == 2
    assert "no Tool Service project is here" in capsys.readouterr().err


def test_a_name_is_checked_before_anything_else(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "tool", "cmm.claim", "--http", "claim", "--lang", "ko"]) == 2
    assert capsys.readouterr().err == (
        'axhub new: 도구 이름 "cmm.claim"의 4번째 문자 ".": 이름에는 a-z, 0-9, _만 쓸 수 있습니다. '
        '"cmm_claim" 값을 쓰십시오. '
        "데코레이터, 정의 파일의 name, 정의 파일 이름이 모두 같아야 합니다.\n"
    )


@pytest.mark.parametrize(
    ("environ", "word"),
    [
        ({"LANG": "ko_KR.UTF-8"}, "만듦"),
        ({"LANG": "de_DE.UTF-8"}, "made"),
    ],
    ids=["korean", "other"],
)
def test_the_language_is_that_of_the_environment(
    environ: dict[str, str],
    word: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    assert main(["new", "service", "claim-tools"]) == 0
    assert capsys.readouterr().out.split()[0] == word


def test_a_folder_that_cannot_be_written_is_a_sentence(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "file").write_text("", encoding="utf-8")
    assert main([*SERVICE, "--folder", "file/claims"]) == 2
    assert capsys.readouterr().err.startswith("axhub new: ")


def test_the_configuration_keeps_its_line_ends_its_permissions_and_its_link(project: Path) -> None:
    place, real = project / PACKAGE / "config" / "service.yaml", project / "shared.yaml"
    real.write_bytes(place.read_bytes().replace(b"\n", b"\r\n"))
    real.chmod(0o640)
    place.unlink()
    place.symlink_to(real)
    before = real.read_bytes()
    assert main(TOOL) == 0
    after = real.read_bytes()
    assert after.startswith(before)
    assert after.count(b"\n") == after.count(b"\r\n") > before.count(b"\r\n")
    assert (place.is_symlink(), real.stat().st_mode & 0o777) == (True, 0o640)
    assert [file.name for file in project.glob("*.unfinished")] == []


def test_a_configuration_that_is_no_text_is_left_to_a_person(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = project / PACKAGE / "config" / "service.yaml"
    place.write_bytes(b"mcp: \xff\n")
    assert main(TOOL) == 0
    assert "add this to" in capsys.readouterr().out
    assert place.read_bytes() == b"mcp: \xff\n"
