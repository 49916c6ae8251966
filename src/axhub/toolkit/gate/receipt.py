"""The receipt of the build gate: what was checked, by which axhub, with which outcome; compared at the start.

It tells a wheel that passed the gate from one that went around it, and files that were changed afterwards. It is no
signature: whoever can write into an installation can write a receipt too.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from axhub.toolkit.gate.compiled import forged_in
from axhub.toolkit.gate.files import RECEIPT, digest_of_all, files_of, links_in

__all__ = ["FORM", "Allowed", "Receipt", "ReceiptError", "check_receipt", "read_receipt", "render_receipt"]

FORM: Final = 1
"""Of the document; another one is not understood."""
_MOST_NAMED: Final = 5
_AGAIN: Final = "build the wheel anew and install it"


class ReceiptError(Exception):
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
    try:
        content = (folder / RECEIPT).read_bytes()
    except FileNotFoundError:
        raise ReceiptError(
            f"the package {package!r} has no receipt of the build gate ({folder / RECEIPT}): it runs from its source, "
            "or its wheel was built around the gate; install a wheel that was built with it, or start on your own "
            "machine with --profile local"
        ) from None
    except OSError as error:
        raise ReceiptError(f"the receipt {folder / RECEIPT} cannot be read ({error.strerror}); {_AGAIN}") from None
    try:
        found = msgspec.json.decode(content, type=Receipt)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ReceiptError(f"the receipt {folder / RECEIPT} is damaged ({error}); {_AGAIN}") from None
    if found.receipt != FORM:
        raise ReceiptError(
            f"the receipt {folder / RECEIPT} has form {found.receipt}, and this axhub knows form {FORM}; "
            f"{_AGAIN}, both with the same version of axhub"
        )
    return found


def check_receipt(folder: Path, package: str) -> Receipt:
    """Compare the receipt of an installed package with its files, and return it.

    A receipt of another version of axhub counts: the rules may be others now, but the files are those that were
    checked. Whoever starts the service is told by a line of the log.

    Raises:
        ReceiptError: it is missing, or something differs; the message names it.
    """
    receipt = read_receipt(folder, package)
    if receipt.package != package:
        raise ReceiptError(f"the receipt in {package!r} is that of the package {receipt.package!r}; {_AGAIN}")
    if receipt.errors:
        raise ReceiptError(
            f"the receipt in {package!r} says that the check found errors ({receipt.errors}); mend them, {_AGAIN}"
        )
    try:
        links, files = links_in(folder), files_of(folder)
    except OSError as error:
        raise ReceiptError(f"{error.filename} cannot be read ({error.strerror}); {_AGAIN}") from None
    if links:
        raise ReceiptError(
            f"the package {package!r} has links to other places, whose files may change after the check: "
            f"{_named(links)}; install it with copies of its files"
        )
    differing = "; ".join(_differences(receipt.files, files))
    if differing:
        raise ReceiptError(f"the files of {package!r} are not those that the build gate checked: {differing}; {_AGAIN}")
    if receipt.digest != digest_of_all(files):
        raise ReceiptError(f"the receipt of {package!r} was changed: its digest is not that of its files; {_AGAIN}")
    forged = forged_in(folder, files)
    if forged:
        raise ReceiptError(
            f"Python would run code in {package!r} that is not that of its source: {_named(forged)}; delete these "
            f"files, or {_AGAIN}"
        )
    return receipt


def _differences(checked: Mapping[str, str], found: Mapping[str, str]) -> Iterator[str]:
    kinds = {
        "changed": [path for path in checked if found.get(path, checked[path]) != checked[path]],
        "missing": [path for path in checked if path not in found],
        "not checked": [path for path in found if path not in checked],
    }
    for kind, paths in kinds.items():
        if paths:
            yield f"{kind}: {_named(paths)}"


def _named(paths: Iterable[str]) -> str:
    """Return the first few paths, and how many more there are."""
    ascending = sorted(paths)
    rest = len(ascending) - _MOST_NAMED
    return ", ".join(ascending[:_MOST_NAMED]) + (f" and {rest} more" if rest > 0 else "")
