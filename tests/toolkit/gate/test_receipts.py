"""The receipt of the build gate: what it covers, and what is said when it does not fit."""

import os
import py_compile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from axhub.toolkit.gate.files import RECEIPT, digest_of, digest_of_all, files_of
from axhub.toolkit.gate.receipt import Receipt, ReceiptError, check_receipt, read_receipt, render_receipt
from support.receipts import receipt_of
from support.service_projects import write_files

EMPTY = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
AGAIN = "; build the wheel anew and install it"
DIFFERENT = "the files of 'claim_tools' are not those that the build gate checked: "


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An installed package with its receipt."""
    files = {"__init__.py": "", "app.py": "app = 1\n", "tool_definitions/cmm/청구.yml": "name: x\n"}
    folder = write_files(tmp_path / "claim_tools", files)
    write(folder, receipt_of(folder, "claim_tools"))
    return folder


def write(folder: Path, receipt: Receipt) -> None:
    (folder / RECEIPT).parent.mkdir(exist_ok=True)
    (folder / RECEIPT).write_bytes(render_receipt(receipt))


def told(folder: Path, package: str = "claim_tools") -> str:
    with pytest.raises(ReceiptError) as caught:
        check_receipt(folder, package)
    return str(caught.value).replace(str(folder), "FOLDER")


def test_all_files_count_but_the_receipt_and_what_python_caches(folder: Path) -> None:
    write_files(
        folder,
        {
            "__pycache__/app.cpython-311.pyc": "compiled",
            "biz/__pycache__/tool.cpython-311.pyc": "compiled",
            "__pycache__/hidden.py": "",
            "_axhub/more.py": "",
            "old.pyc": "",
        },
    )
    assert list(files_of(folder)) == [
        "__init__.py",
        "__pycache__/hidden.py",
        "_axhub/more.py",
        "app.py",
        "old.pyc",
        "tool_definitions/cmm/청구.yml",
    ]
    assert files_of(folder)["__init__.py"] == EMPTY


def test_the_digest_of_all_depends_on_paths_and_contents_and_not_on_the_order() -> None:
    one, other = digest_of(b"1"), digest_of(b"2")
    same = {digest_of_all({"a": one, "b": other}), digest_of_all({"b": other, "a": one})}
    assert len(same) == 1
    assert len(same | {digest_of_all({"a": other, "b": one}), digest_of_all({"a": one, "c": other})}) == 3


def test_a_receipt_that_fits_is_returned_also_if_another_axhub_wrote_it(folder: Path) -> None:
    assert check_receipt(folder, "claim_tools") == receipt_of(folder, "claim_tools")
    write(folder, receipt_of(folder, "claim_tools", "0.0.9"))
    assert check_receipt(folder, "claim_tools").axhub == "0.0.9"


def test_a_receipt_is_read_as_it_was_written_and_members_that_are_not_known_do_no_harm(folder: Path) -> None:
    receipt = receipt_of(folder, "claim_tools")
    assert read_receipt(folder, "claim_tools") == receipt
    document = msgspec.json.decode(render_receipt(receipt)) | {"later": True}
    (folder / RECEIPT).write_bytes(msgspec.json.encode(document))
    assert check_receipt(folder, "claim_tools") == receipt


def test_a_missing_receipt_is_told_with_both_ways_out(folder: Path) -> None:
    (folder / RECEIPT).unlink()
    assert told(folder) == (
        "the package 'claim_tools' has no receipt of the build gate (FOLDER/_axhub/receipt.json): it runs from its "
        "source, or its wheel was built around the gate; install a wheel that was built with it, or start on your own "
        "machine with --profile local"
    )


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"{", "the receipt FOLDER/_axhub/receipt.json is damaged (Input data was truncated)" + AGAIN),
        (b'{"receipt": 1, "axhub": "\xff"}', "the receipt FOLDER/_axhub/receipt.json is damaged (Invalid UTF-8"),
        (b"[]", "the receipt FOLDER/_axhub/receipt.json is damaged (Expected `object`, got `array`)" + AGAIN),
        (b"{}", "the receipt FOLDER/_axhub/receipt.json is damaged (Object missing required field `receipt`)" + AGAIN),
    ],
)
def test_a_damaged_receipt_is_told(folder: Path, content: bytes, said: str) -> None:
    (folder / RECEIPT).write_bytes(content)
    assert told(folder).startswith(said)


def test_a_receipt_of_a_later_form_is_told(folder: Path) -> None:
    write(folder, replace(receipt_of(folder, "claim_tools"), receipt=2))
    assert told(folder) == (
        "the receipt FOLDER/_axhub/receipt.json has form 2, and this axhub knows form 1; build the wheel anew and "
        "install it, both with the same version of axhub"
    )


def test_a_receipt_that_is_a_folder_is_told(folder: Path) -> None:
    (folder / RECEIPT).unlink()
    (folder / RECEIPT).mkdir()
    assert told(folder) == "the receipt FOLDER/_axhub/receipt.json cannot be read (Is a directory)" + AGAIN


def test_the_receipt_of_another_package_is_told(folder: Path) -> None:
    assert told(folder, "loan_tools") == "the receipt in 'loan_tools' is that of the package 'claim_tools'" + AGAIN


def changed(folder: Path) -> None:
    (folder / "app.py").write_text("app = 2\n", encoding="utf-8")


def missing(folder: Path) -> None:
    (folder / "tool_definitions/cmm/청구.yml").unlink()


def added(folder: Path) -> None:
    write_files(folder, {f"more/{number}.py": "" for number in range(7)})


@pytest.mark.parametrize(
    ("alter", "said"),
    [
        ((changed,), "changed: app.py"),
        ((missing,), "missing: tool_definitions/cmm/청구.yml"),
        ((added,), "not checked: more/0.py, more/1.py, more/2.py, more/3.py, more/4.py and 2 more"),
        ((changed, missing), "changed: app.py; missing: tool_definitions/cmm/청구.yml"),
    ],
)
def test_what_differs_is_named(folder: Path, alter: tuple[Callable[[Path], None], ...], said: str) -> None:
    for change in alter:
        change(folder)
    assert told(folder) == DIFFERENT + said + AGAIN


def test_a_receipt_whose_list_was_changed_along_with_a_file_is_told(folder: Path) -> None:
    receipt = receipt_of(folder, "claim_tools")
    changed(folder)
    document = msgspec.json.decode(render_receipt(receipt)) | {"files": files_of(folder)}
    (folder / RECEIPT).write_bytes(msgspec.json.encode(document))
    assert told(folder) == "the receipt of 'claim_tools' was changed: its digest is not that of its files" + AGAIN


@pytest.mark.parametrize("opening", [b"[", b'{"files":', b'{"x":'])
def test_a_receipt_that_nests_without_end_is_damaged(folder: Path, opening: bytes) -> None:
    (folder / RECEIPT).write_bytes(opening * 100_000)
    assert told(folder).startswith("the receipt FOLDER/_axhub/receipt.json is damaged (")


def test_a_receipt_with_errors_is_refused(folder: Path) -> None:
    write(folder, replace(receipt_of(folder, "claim_tools"), errors=2))
    assert told(folder) == "the receipt in 'claim_tools' says that the check found errors (2); mend them, " + AGAIN[2:]


@pytest.mark.parametrize("target", ["elsewhere", "elsewhere/tool.py", "nowhere"])
def test_links_inside_a_package_are_refused_wherever_they_lead(folder: Path, target: str) -> None:
    write_files(folder.parent / "elsewhere", {"tool.py": "x = 1\n"})
    (folder / "biz").mkdir()
    (folder / "biz" / "more").symlink_to(folder.parent / target)
    write(folder, receipt_of(folder, "claim_tools"))
    assert told(folder) == (
        "the package 'claim_tools' has links to other places, whose files may change after the check: biz/more; "
        "install it with copies of its files"
    )


def test_a_package_whose_folder_is_reached_over_a_link_counts(folder: Path) -> None:
    linked = folder.parent / "linked"
    linked.symlink_to(folder)
    assert check_receipt(linked, "claim_tools").package == "claim_tools"


def compiled(folder: Path, text: str, mode: py_compile.PycInvalidationMode) -> Path:
    """Compile another text in the place of `app.py`, as if that were its source."""
    source = folder / "app.py"
    content, times = source.read_bytes(), source.stat()
    source.write_text(text.ljust(len(content)), encoding="utf-8")
    os.utime(source, ns=(times.st_atime_ns, times.st_mtime_ns))
    made = Path(py_compile.compile(str(source), doraise=True, invalidation_mode=mode) or "")
    source.write_bytes(content)
    os.utime(source, ns=(times.st_atime_ns, times.st_mtime_ns))
    return made


@pytest.mark.parametrize("mode", list(py_compile.PycInvalidationMode))
def test_compiled_code_that_is_not_that_of_its_source_is_refused(
    folder: Path, mode: py_compile.PycInvalidationMode
) -> None:
    compiled(folder, "app = 1\n", mode)
    assert check_receipt(folder, "claim_tools").package == "claim_tools"
    made = compiled(folder, "app = 9", mode)
    assert told(folder) == (
        "Python would run code in 'claim_tools' that is not that of its source: "
        f"{made.relative_to(folder)}; delete these files, or build the wheel anew and install it"
    )


def test_compiled_code_that_cannot_be_read_is_refused_and_that_of_another_python_does_no_harm(folder: Path) -> None:
    made = compiled(folder, "app = 1", py_compile.PycInvalidationMode.TIMESTAMP)
    content = made.read_bytes()
    made.write_bytes(content[:20])
    assert told(folder).startswith("Python would run code in 'claim_tools' that is not that of its source: __pycache__")
    made.write_bytes(b"\0\0\0\0" + content[4:])
    assert check_receipt(folder, "claim_tools").package == "claim_tools"
