"""Our codec with the layout of the bench: 175 bytes, five rows."""

import sys
from decimal import Decimal
from pathlib import Path
from typing import Annotated

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from axhub.toolkit.mci import Layout, Num, Rows, Text, to_plain
from bench.peers.telegram_desk import serve


class ClaimRow(Layout):
    claim_no: Annotated[str, Text(16)]
    state: Annotated[str, Text(2)]
    amount: Annotated[int | None, Num(13, sign="leading")]


class Claims(Layout, id="CLCNNB00001", charset="euc-kr", size=175):
    name: Annotated[str, Text(10)]
    rate: Annotated[Decimal, Num(7, scale=4)]
    row_count: Annotated[int, Num(3)] = 0
    rows: Annotated[list[ClaimRow], Rows(max=5, count="row_count")]


if __name__ == "__main__":
    serve(Claims.decode, Claims.encode, to_plain)
