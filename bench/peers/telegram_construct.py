"""construct with the layout of the bench, as somebody who needs it fast would write it.

Runs in an environment of its own (bench/requirements/). Its own padded strings know neither cp949 nor spaces, so each
field is bytes with two functions; what can be compiled is.
"""

import sys
from decimal import Decimal
from importlib import import_module
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from bench.peers.telegram_desk import serve

construct: Any = import_module("construct")


def text(size: int) -> Any:
    """Return a text field."""
    return construct.ExprAdapter(
        construct.Bytes(size),
        lambda raw, _: raw.decode("cp949").rstrip(" "),
        lambda value, _: value.encode("cp949").ljust(size),
    )


def number(size: int, form: str) -> Any:
    """Return a number field; a blank one is None."""
    return construct.ExprAdapter(
        construct.Bytes(size),
        lambda raw, _: int(raw) if raw.strip() else None,
        lambda value, _: b" " * size if value is None else (form % value).encode(),
    )


def rate() -> Any:
    """Return a number field with four decimal places."""
    return construct.ExprAdapter(
        construct.Bytes(7), lambda raw, _: Decimal(int(raw)).scaleb(-4), lambda value, _: b"%07d" % int(value.scaleb(4))
    )


ROW = construct.Struct("claim_no" / text(16), "state" / text(2), "amount" / number(13, "%+013d"))
CLAIMS = construct.Struct(
    "name" / text(10),
    "rate" / rate(),
    "row_count" / number(3, "%03d"),
    "rows" / construct.Array(construct.this.row_count, ROW),
    construct.Padding((5 - construct.this.row_count) * 31),
).compile()


def plain(value: Any) -> Any:
    """Return the values without what construct keeps beside them."""
    rows = [{name: row[name] for name in ("claim_no", "state", "amount")} for row in value.rows]
    return {"name": value.name, "rate": str(value.rate), "row_count": value.row_count, "rows": rows}


if __name__ == "__main__":
    serve(CLAIMS.parse, CLAIMS.build, plain)
