"""The receipt of the build gate: what was checked, by which axhub, with which outcome; compared at the start.

It tells a wheel that passed the gate from one that went around it, and files that were changed afterwards. It is no
signature: whoever can write into an installation can write a receipt too.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from axhub.toolkit.gate.compiled import forged_in
from axhub.toolkit.gate.files import RECEIPT, digest_of_all, files_of, links_in
from axhub.toolkit.rules.model import SaidError, Text
from axhub.toolkit.rules.telling.python_errors import of_python

__all__ = ["FORM", "Allowed", "Receipt", "ReceiptError", "check_receipt", "read_receipt", "render_receipt"]

FORM: Final = 1
"""Of the document; another one is not understood."""
_MOST_NAMED: Final = 5
_AGAIN: Final = "build the wheel anew and install it"
_AGAIN_KO: Final = "wheel을 다시 빌드해 설치하십시오"
_KINDS_KO: Final = {"changed": "바뀐 파일", "missing": "없는 파일", "not checked": "검사하지 않은 파일"}


class ReceiptError(SaidError):
    """A receipt is missing or does not fit; the message says what differs, and what to do."""


@dataclass(frozen=True, slots=True)
class Allowed:
    """A finding that a comment allows."""

    rule: str
    file: str
    """From the project's root."""
    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class Receipt:
    """What the gate says about one package."""

    receipt: int
    """The form of this document."""
    axhub: str
    """The version whose rules were decided."""
    project: str
    package: str
    digest: str
    """Over `files`."""
    errors: int
    """Always 0, and a receipt with another number is refused: a gate with errors writes none."""
    warnings: Mapping[str, int]
    """How many of each rule."""
    drafts: tuple[str, ...]
    """Tools under development."""
    allowed: tuple[Allowed, ...]
    files: Mapping[str, str]
    """Digests by path from the package's folder."""


def render_receipt(receipt: Receipt) -> bytes:
    """Return a receipt as it stands in a wheel: equal receipts give equal bytes."""
    return msgspec.json.format(msgspec.json.encode(receipt), indent=2) + b"\n"


def read_receipt(folder: Path, package: str) -> Receipt:
    """Return the receipt in a package's folder.

    Raises:
        ReceiptError: there is none, or it is not one that this version understands.
    """
    content = _content(folder, package)
    try:
        found = msgspec.json.decode(content, type=Receipt)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ReceiptError(
            Text(
                f"the receipt {folder / RECEIPT} is damaged ({error}); {_AGAIN}",
                f'확인서 {folder / RECEIPT} 파일이 손상되었습니다("{error}"). {_AGAIN_KO}',
            )
        ) from None
    if found.receipt != FORM:
        raise ReceiptError(
            Text(
                f"the receipt {folder / RECEIPT} has form {found.receipt}, and this axhub knows form {FORM}; "
                f"{_AGAIN}, both with the same version of axhub",
                f"확인서 {folder / RECEIPT} 파일의 형식은 {found.receipt}인데 이 axhub는 형식 {FORM}만 읽습니다. "
                f"빌드와 실행에 같은 버전의 axhub를 쓰고 {_AGAIN_KO}",
            )
        )
    return found


def _content(folder: Path, package: str) -> bytes:
    try:
        return (folder / RECEIPT).read_bytes()
    except FileNotFoundError:
        raise ReceiptError(
            Text(
                f"the package {package!r} has no receipt of the build gate ({folder / RECEIPT}): it runs from its "
                "source, or its wheel was built around the gate; install a wheel that was built with it, or start on "
                "your own machine with --profile local",
                f"패키지 {package!r}에 빌드 검사의 확인서({folder / RECEIPT})가 없습니다. 소스에서 바로 실행했거나 "
                "검사를 거치지 않고 wheel을 빌드한 경우입니다. 검사를 거쳐 빌드한 wheel을 설치하거나, 자신의 "
                "컴퓨터에서는 "
                "--profile local 옵션으로 시작하십시오",
            )
        ) from None
    except OSError as error:
        raise ReceiptError(
            Text(
                f"the receipt {folder / RECEIPT} cannot be read ({error.strerror}); {_AGAIN}",
                f"확인서 {folder / RECEIPT} 파일을 읽을 수 없습니다({of_python(error.strerror or '').ko}). {_AGAIN_KO}",
            )
        ) from None


def check_receipt(folder: Path, package: str) -> Receipt:
    """Compare the receipt of an installed package with its files, and return it.

    A receipt of another version of axhub counts: the rules may be others now, but the files are those that were
    checked. Whoever starts the service is told by a line of the log.

    Raises:
        ReceiptError: it is missing, or something differs; the message names it.
    """
    receipt = read_receipt(folder, package)
    if receipt.package != package:
        raise ReceiptError(
            Text(
                f"the receipt in {package!r} is that of the package {receipt.package!r}; {_AGAIN}",
                f"{package!r}에 있는 확인서는 패키지 {receipt.package!r}의 것입니다. {_AGAIN_KO}",
            )
        )
    if receipt.errors:
        raise ReceiptError(
            Text(
                f"the receipt in {package!r} says that the check found errors ({receipt.errors}); mend them, {_AGAIN}",
                f"{package!r}의 확인서에 오류 {receipt.errors}건이 적혀 있습니다. 고친 뒤 {_AGAIN_KO}",
            )
        )
    try:
        links, files = links_in(folder), files_of(folder)
    except OSError as error:
        raise ReceiptError(
            Text(
                f"{error.filename} cannot be read ({error.strerror}); {_AGAIN}",
                f"{error.filename} 파일을 읽을 수 없습니다({of_python(error.strerror or '').ko}). {_AGAIN_KO}",
            )
        ) from None
    _compare(receipt, folder, package, links, files)
    return receipt


def _compare(receipt: Receipt, folder: Path, package: str, links: Sequence[str], files: Mapping[str, str]) -> None:
    """Compare a receipt with the files that are there.

    Raises:
        ReceiptError: they are not those that were checked.
    """
    if links:
        raise ReceiptError(
            Text(
                f"the package {package!r} has links to other places, whose files may change after the check: "
                f"{_named(links).en}; install it with copies of its files",
                f"패키지 {package!r}에 다른 곳을 가리키는 링크가 있어 검사한 뒤에도 내용이 바뀔 수 있습니다: "
                f"{_named(links).ko}. 링크 대신 파일의 사본으로 설치하십시오",
            )
        )
    differing = list(_differences(receipt.files, files))
    if differing:
        raise ReceiptError(
            Text(
                f"the files of {package!r} are not those that the build gate checked: "
                f"{'; '.join(one.en for one in differing)}; {_AGAIN}",
                f"{package!r}의 파일이 빌드 검사를 거친 파일과 다릅니다({'; '.join(one.ko for one in differing)}). "
                f"{_AGAIN_KO}",
            )
        )
    if receipt.digest != digest_of_all(files):
        raise ReceiptError(
            Text(
                f"the receipt of {package!r} was changed: its digest is not that of its files; {_AGAIN}",
                f"{package!r}의 확인서가 바뀌었습니다. 적힌 digest가 파일과 맞지 않습니다. {_AGAIN_KO}",
            )
        )
    forged = forged_in(folder, files)
    if forged:
        raise ReceiptError(
            Text(
                f"Python would run code in {package!r} that is not that of its source: {_named(forged).en}; delete "
                f"these files, or {_AGAIN}",
                f"Python이 {package!r}에서 소스와 다른 코드를 실행하게 됩니다: {_named(forged).ko}. 이 파일을 지우거나 "
                f"{_AGAIN_KO}",
            )
        )


def _differences(checked: Mapping[str, str], found: Mapping[str, str]) -> Iterator[Text]:
    kinds = {
        "changed": [path for path in checked if found.get(path, checked[path]) != checked[path]],
        "missing": [path for path in checked if path not in found],
        "not checked": [path for path in found if path not in checked],
    }
    for kind, paths in kinds.items():
        if paths:
            named = _named(paths)
            yield Text(f"{kind}: {named.en}", f"{_KINDS_KO[kind]}: {named.ko}")


def _named(paths: Iterable[str]) -> Text:
    """Return the first few paths, and how many more there are."""
    ascending = sorted(paths)
    rest = len(ascending) - _MOST_NAMED
    first = ", ".join(ascending[:_MOST_NAMED])
    return Text(f"{first} and {rest} more", f"{first} 외 {rest}개") if rest > 0 else Text(first, first)
