"""The project is found from anywhere in it, and what its pyproject.toml says is read strictly."""

from pathlib import Path

import pytest

from axhub.toolkit.check import CannotCheckError, find_project
from axhub.toolkit.facts.service import Located, Place, Project
from support.service_projects import write_files

FULL = """\
[project]
name = "my-tools"
version = "1.2.0"

[tool.axhub]
categories = ["cmm", "ins"]
owners = ["MCP_TOOL"]
workspace = ["../other"]
"""


def project_in(root: Path, pyproject: str, package: str = "src/my_tools") -> Path:
    return write_files(root / "a", {"pyproject.toml": pyproject, f"{package}/__init__.py": "", "tests/test_a.py": ""})


@pytest.mark.parametrize("start", [".", "src", "src/my_tools/__init__.py", "tests/test_a.py"])
def test_the_project_is_found_from_any_file_or_folder_in_it(tmp_path: Path, start: str) -> None:
    root = project_in(tmp_path, FULL)
    found = find_project(root / start)
    assert (found.root, found.name, found.folder) == (root, "my-tools", root / "src/my_tools")
    assert found.facts == Project("my_tools", "src/my_tools", "pyproject.toml", ("cmm", "ins"), ("MCP_TOOL",), "1.2.0")
    assert found.workspace == (Located("../other", Place("pyproject.toml", 8, 1)),)


def test_lists_that_are_left_out_are_none_and_a_flat_package_and_a_dynamic_version_are_fine(tmp_path: Path) -> None:
    root = project_in(tmp_path, '[project]\nname = "my.tools"\ndynamic = ["version"]\n[tool.axhub]\n', "my_tools")
    found = find_project(root)
    assert found.facts == Project("my_tools", "my_tools")
    assert found.workspace == ()


def test_a_package_with_another_name_is_named(tmp_path: Path) -> None:
    root = project_in(tmp_path, f'{FULL}package = "claims"\n', "src/claims")
    assert find_project(root).facts.package == "claims"


def test_a_pyproject_without_our_table_is_passed_on_the_way_up(tmp_path: Path) -> None:
    root = project_in(tmp_path, FULL)
    write_files(root / "tests", {"pyproject.toml": '[project]\nname = "other"\n'})
    assert find_project(root / "tests").root == root


def test_where_there_is_no_project_the_message_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(CannotCheckError) as refused:
        find_project(tmp_path)
    assert str(refused.value) == (
        f"{tmp_path}: no Tool Service project is here: neither this folder nor one above it has a pyproject.toml "
        "with a table [tool.axhub]; name the project's folder, or make one with `axhub new service NAME`"
    )


def test_a_path_that_does_not_exist_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(CannotCheckError, match="there is no such file or folder"):
        find_project(tmp_path / "nothing")


@pytest.mark.parametrize(
    ("pyproject", "message"),
    [
        (
            FULL.replace("owners", "owner"),
            ':7: unknown key "owner" in [tool.axhub]; did you mean "owners"?',
        ),
        (
            f"{FULL}colour = 1\n",
            ':9: unknown key "colour" in [tool.axhub]; known are categories, owners, package, workspace',
        ),
        (
            FULL.replace('["cmm", "ins"]', '"cmm"'),
            ':6: categories takes a list of texts: categories = ["…"]',
        ),
        (f"{FULL}package = 3\n", ':9: package takes the name of a package: package = "my_tools"'),
        (
            FULL.replace('name = "my-tools"', ""),
            ':1: [project] needs a name: name = "my-tools"',
        ),
        (
            FULL.replace("my-tools", "our-tools"),
            (
                ':2: the package "our_tools" is neither in src/our_tools nor in our_tools; make that folder, or name '
                'the package: [tool.axhub] package = "…"'
            ),
        ),
        ('[project]\nname = "my-tools"\n[tool.axhub]\nx ==', ":4:4: it is not valid TOML (Invalid value)"),
        (f'{FULL}package = "../x"\n', ':9: package takes the name of a package: package = "my_tools"'),
        (
            "\ufeff" + FULL,
            ":1: it begins with a byte order mark, which TOML does not allow; save it as UTF-8 without BOM",
        ),
    ],
)
def test_what_cannot_be_used_is_named_with_its_line(tmp_path: Path, pyproject: str, message: str) -> None:
    root = project_in(tmp_path, pyproject)
    with pytest.raises(CannotCheckError) as refused:
        find_project(root)
    assert str(refused.value) == f"{root / 'pyproject.toml'}{message}"


def test_a_file_that_is_no_utf8_or_that_nobody_may_read_is_named_and_not_passed(tmp_path: Path) -> None:
    root = project_in(tmp_path, FULL)
    file = root / "pyproject.toml"
    file.write_bytes(FULL.encode() + b"# caf\xe9\n")
    with pytest.raises(CannotCheckError, match="9: it is not UTF-8; save it as UTF-8"):
        find_project(root)
    file.unlink()
    file.symlink_to(file.name)
    with pytest.raises(CannotCheckError) as refused:
        find_project(root / "src")
    why = "Too many levels of symbolic links"
    assert refused.value.said("en") == f"{file}: it cannot be read: {why}; give read permission"
    assert refused.value.said("ko") == f"{file}: 읽을 수 없습니다: {why}. 읽기 권한을 주십시오"


def test_every_fault_can_be_said_in_korean(tmp_path: Path) -> None:
    root = project_in(tmp_path, f"{FULL}colour = 1\npackage = 3\n".replace("owners", "owner"))
    with pytest.raises(CannotCheckError) as refused:
        find_project(root)
    file = root / "pyproject.toml"
    assert refused.value.said("ko").splitlines() == [
        f'{file}:7: [tool.axhub]에 "owner" 키가 없습니다. "owners" 키를 뜻했다면 그렇게 쓰십시오',
        f'{file}:9: [tool.axhub]에 "colour" 키가 없습니다. 쓸 수 있는 키: categories, owners, package, workspace',
        f'{file}:10: package 값은 패키지 이름입니다: package = "my_tools"',
    ]


def test_all_faults_are_named_at_once(tmp_path: Path) -> None:
    root = project_in(tmp_path, FULL.replace("owners", "owner").replace('["../other"]', "1"))
    with pytest.raises(CannotCheckError) as refused:
        find_project(root)
    assert [line.rpartition("pyproject.toml")[2][:3] for line in str(refused.value).splitlines()] == [":7:", ":8:"]
