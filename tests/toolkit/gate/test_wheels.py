"""A file is put into a wheel so that it stays a wheel, and looking into one finds the package's files only."""

import base64
import hashlib
import zipfile
from pathlib import Path

import pytest

from axhub.toolkit.gate.files import digest_of
from axhub.toolkit.gate.wheels import add_to_wheel, code_outside, files_in_wheel

RECORD = "claims-1.dist-info/RECORD"
NAME = "claims/_axhub/receipt.json"
LINES = 'claims/app.py,sha256=abc,3\n"claims/a,b.txt",sha256=def,1\nclaims-1.dist-info/RECORD,,\n'


def wheel_with(folder: Path, files: dict[str, bytes]) -> Path:
    path = folder / "claims-1-py3-none-any.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            info = zipfile.ZipInfo(name, (2020, 2, 2, 0, 0, 0))
            info.external_attr, info.compress_type = 0o100644 << 16, zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    return path


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    return wheel_with(
        tmp_path,
        {
            "claims/app.py": b"app",
            "claims/": b"",
            "claims/a,b.txt": b"x",
            "other/app.py": b"other",
            RECORD: LINES.encode(),
        },
    )


def listed(content: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{NAME},sha256={digest},{len(content)}\n"


def test_the_files_of_the_package_are_found_and_no_others(wheel: Path) -> None:
    assert files_in_wheel(wheel, "claims") == {"a,b.txt": digest_of(b"x"), "app.py": digest_of(b"app")}


def test_code_beside_the_package_is_found_by_what_to_move_and_data_and_notes_are_not(tmp_path: Path) -> None:
    names = (
        "claims/app.py",
        "claims/biz/helpers.py",
        "helpers/",
        "helpers/__init__.py",
        "helpers/deep/more.py",
        "extra.py",
        "fast.abi3.so",
        "start.pth",
        "notes.txt",
        "words/ko.json",
        "claims-1.data/purelib/claims/app.py",
        "claims-1.data/scripts/claims-tool",
        "claims-1.data/data/share/notes.txt",
        "claims-1.dist-info/METADATA",
        "claims-1.dist-info/licenses/example.py",
        RECORD,
    )
    wheel = wheel_with(tmp_path, dict.fromkeys(names, b""))
    assert code_outside(wheel, "claims") == [
        "claims-1.data/purelib/claims/app.py",
        "claims-1.data/scripts/claims-tool",
        "extra.py",
        "fast.abi3.so",
        "helpers/",
        "start.pth",
    ]


def test_the_new_file_is_listed_before_the_list_itself_and_all_else_is_as_before(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        before = {info.filename: (archive.read(info), info.date_time) for info in archive.infolist()}
    add_to_wheel(wheel, NAME, b"{}")
    with zipfile.ZipFile(wheel) as archive:
        assert archive.testzip() is None
        after = {info.filename: (archive.read(info), info.date_time) for info in archive.infolist()}
        assert archive.getinfo(NAME).external_attr == 0o100644 << 16
        assert archive.namelist()[-1] == RECORD
    lines = LINES.splitlines(keepends=True)
    added = {
        NAME: (b"{}", (2020, 2, 2, 0, 0, 0)),
        RECORD: ("".join([*lines[:2], listed(b"{}"), lines[2]]).encode(), (2020, 2, 2, 0, 0, 0)),
    }
    assert after == before | added
    assert [path.name for path in wheel.parent.iterdir()] == [wheel.name]


def test_a_file_of_that_name_is_replaced_and_equal_input_gives_equal_bytes(wheel: Path) -> None:
    add_to_wheel(wheel, NAME, b"{}")
    once = wheel.read_bytes()
    add_to_wheel(wheel, NAME, b'{"stale": true}')
    add_to_wheel(wheel, NAME, b"{}")
    assert wheel.read_bytes() == once


def test_a_wheel_without_its_list_is_left_alone(tmp_path: Path) -> None:
    wheel = wheel_with(tmp_path, {"claims/app.py": b"app"})
    before = wheel.read_bytes()
    with pytest.raises(ValueError, match="RECORD"):
        add_to_wheel(wheel, NAME, b"{}")
    assert wheel.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == [wheel.name]
