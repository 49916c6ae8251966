"""pydantic-fixedwidth with the layout of the bench; it has no rows, so those are cut out and joined by hand.

Runs in an environment of its own (bench/requirements/).
"""

import sys
from decimal import Decimal
from importlib import import_module
from pathlib import Path
from typing import Any

from pydantic import create_model

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from bench.peers.telegram_desk import serve

fixedwidth: Any = import_module("pydantic_fixedwidth")


def text(size: int) -> Any:
    """Return a text field."""
    return str, fixedwidth.OrderedField(length=size, encoding="cp949", from_str=lambda read: read.rstrip(" "))


def number(size: int, form: str) -> Any:
    """Return a number field; a blank one is None."""
    return int | None, fixedwidth.OrderedField(
        length=size,
        from_str=lambda read: int(read) if read.strip() else None,
        to_str=lambda value: "" if value is None else form % value,
    )


def rate() -> Any:
    """Return a number field with four decimal places."""
    return Decimal, fixedwidth.OrderedField(
        length=7,
        from_str=lambda read: Decimal(int(read)).scaleb(-4),
        to_str=lambda value: f"{int(value.scaleb(4)):07d}",
    )


Row: Any = create_model(
    "Row", __base__=fixedwidth.Fixedwidth, claim_no=text(16), state=text(2), amount=number(13, "%+013d")
)
Head: Any = create_model(
    "Head", __base__=fixedwidth.Fixedwidth, name=text(10), rate=rate(), row_count=number(3, "%03d")
)


def decode(raw: bytes) -> tuple[Any, list[Any]]:
    """Return what stands before the rows, and the rows."""
    head = Head.parse_bytes(raw[:20])
    return head, [Row.parse_bytes(raw[at : at + 31]) for at in range(20, 20 + 31 * head.row_count, 31)]


def encode(value: tuple[Any, list[Any]]) -> bytes:
    """Return the bytes."""
    head, rows = value
    written: bytes = head.format_bytes() + b"".join([row.format_bytes() for row in rows])
    return written.ljust(175)


def plain(value: tuple[Any, list[Any]]) -> Any:
    """Return the values by their names."""
    head, rows = value
    return {**head.model_dump(), "rate": str(head.rate), "rows": [row.model_dump() for row in rows]}


if __name__ == "__main__":
    serve(decode, encode, plain)
