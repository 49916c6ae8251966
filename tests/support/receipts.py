"""Receipts of the build gate for packages that were never built, so that tests can start them outside `local`."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import axhub
from axhub.toolkit.gate.files import RECEIPT, digest_of_all, files_of
from axhub.toolkit.gate.receipt import FORM, Receipt, render_receipt


def receipt_of(folder: Path, package: str, version: str = axhub.__version__) -> Receipt:
    """Return the receipt that a package would have if it had passed the gate without findings."""
    files = files_of(folder)
    return Receipt(FORM, version, package, package, digest_of_all(files), 0, {}, (), (), files)


@contextmanager
def sealed(folder: Path, package: str, version: str = axhub.__version__) -> Iterator[None]:
    """Put a receipt into a package's folder; at the end of the block it is gone."""
    path = folder / RECEIPT
    path.parent.mkdir()
    path.write_bytes(render_receipt(receipt_of(folder, package, version)))
    try:
        yield
    finally:
        path.unlink()
        path.parent.rmdir()
