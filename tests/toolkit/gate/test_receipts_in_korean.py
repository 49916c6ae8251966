"""A receipt that does not fit is told in Korean too, as a whole sentence."""

import sys
from collections.abc import Callable
from dataclasses import replace
from importlib.util import MAGIC_NUMBER, cache_from_source
from pathlib import Path

import msgspec
import pytest

from axhub.toolkit.gate.files import RECEIPT, files_of
from axhub.toolkit.gate.receipt import ReceiptError, check_receipt, render_receipt
from support.receipts import receipt_of
from support.service_projects import write_files

TAG = sys.implementation.cache_tag
AGAIN = ". wheel을 다시 빌드해 설치하십시오"


def removed(folder: Path) -> None:
    (folder / RECEIPT).unlink()


def damaged(folder: Path) -> None:
    (folder / RECEIPT).write_bytes(b"{}")


def later(folder: Path) -> None:
    (folder / RECEIPT).write_bytes(render_receipt(replace(receipt_of(folder, "claim_tools"), receipt=2)))


def closed(folder: Path) -> None:
    (folder / RECEIPT).unlink()
    (folder / RECEIPT).mkdir()


def of_another(folder: Path) -> None:
    (folder / RECEIPT).write_bytes(render_receipt(receipt_of(folder, "loan_tools")))


def with_errors(folder: Path) -> None:
    (folder / RECEIPT).write_bytes(render_receipt(replace(receipt_of(folder, "claim_tools"), errors=2)))


def linked(folder: Path) -> None:
    (folder / "more").symlink_to(folder.parent)


def altered(folder: Path) -> None:
    (folder / "app.py").write_text("app = 2\n", encoding="utf-8")
    (folder / "gone.py").unlink()
    write_files(folder, {f"more/{number}.py": "" for number in range(7)})


def resealed(folder: Path) -> None:
    altered(folder)
    document = msgspec.json.decode((folder / RECEIPT).read_bytes()) | {"files": files_of(folder)}
    (folder / RECEIPT).write_bytes(msgspec.json.encode(document))


def forged(folder: Path) -> None:
    made = Path(cache_from_source(str(folder / "app.py")))
    made.parent.mkdir()
    made.write_bytes(MAGIC_NUMBER + b"x" * 4)


@pytest.mark.parametrize(
    ("alter", "said"),
    [
        (
            removed,
            (
                "패키지 'claim_tools'에 빌드 검사의 확인서(FOLDER/_axhub/receipt.json)가 없습니다. 소스에서 바로 "
                "실행했거나 검사를 거치지 않고 wheel을 빌드한 경우입니다. 검사를 거쳐 빌드한 wheel을 설치하거나, "
                "자신의 "
                "컴퓨터에서는 --profile local 옵션으로 시작하십시오"
            ),
        ),
        (
            damaged,
            (
                '확인서 FOLDER/_axhub/receipt.json 파일이 손상되었습니다("Object missing required field '
                '`receipt`"). wheel을 다시 빌드해 설치하십시오'
            ),
        ),
        (
            later,
            (
                "확인서 FOLDER/_axhub/receipt.json 파일의 형식은 2인데 이 axhub는 형식 1만 읽습니다. 빌드와 실행에 "
                "같은 "
                "버전의 axhub를 쓰고 wheel을 다시 빌드해 설치하십시오"
            ),
        ),
        (closed, "확인서 FOLDER/_axhub/receipt.json 파일을 읽을 수 없습니다(파일이 아니라 폴더임)" + AGAIN),
        (of_another, "'claim_tools'에 있는 확인서는 패키지 'loan_tools'의 것입니다" + AGAIN),
        (with_errors, "'claim_tools'의 확인서에 오류 2건이 적혀 있습니다. 고친 뒤 wheel을 다시 빌드해 설치하십시오"),
        (
            linked,
            (
                "패키지 'claim_tools'에 다른 곳을 가리키는 링크가 있어 검사한 뒤에도 내용이 바뀔 수 있습니다: more. "
                "링크 "
                "대신 파일의 사본으로 설치하십시오"
            ),
        ),
        (
            altered,
            (
                "'claim_tools'의 파일이 빌드 검사를 거친 파일과 다릅니다(바뀐 파일: app.py; 없는 파일: gone.py; "
                "검사하지 "
                "않은 파일: more/0.py, more/1.py, more/2.py, more/3.py, more/4.py 외 2개)"
            )
            + AGAIN,
        ),
        (resealed, "'claim_tools'의 확인서가 바뀌었습니다. 적힌 digest가 파일과 맞지 않습니다" + AGAIN),
        (
            forged,
            (
                f"Python이 'claim_tools'에서 소스와 다른 코드를 실행하게 됩니다: __pycache__/app.{TAG}.pyc. 이 파일을 "
                "지우거나 wheel을 다시 빌드해 설치하십시오"
            ),
        ),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_told(tmp_path: Path, alter: Callable[[Path], None], said: str) -> None:
    folder = write_files(tmp_path / "claim_tools", {"__init__.py": "", "app.py": "app = 1\n", "gone.py": ""})
    (folder / RECEIPT).parent.mkdir()
    (folder / RECEIPT).write_bytes(render_receipt(receipt_of(folder, "claim_tools")))
    alter(folder)
    with pytest.raises(ReceiptError) as caught:
        check_receipt(folder, "claim_tools")
    assert caught.value.text.ko.replace(str(folder), "FOLDER") == said
