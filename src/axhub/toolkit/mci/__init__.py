"""Telegrams: layouts of fixed-length byte records, and how one system puts its telegrams together (toolkit/B1, B3).

```python
class ClaimRow(Layout):
    claim_no: Annotated[str, Text(16)]
    amount: Annotated[int | None, Num(13, sign="leading")]


class CLCNNB00001_O(Layout, id="CLCNNB00001", charset="euc-kr"):
    name: Annotated[str, Text(10, overflow="cut")]
    row_count: Annotated[int, Num(3)] = 0
    rows: Annotated[list[ClaimRow], Rows(max=5, count="row_count")]


value = CLCNNB00001_O.decode(raw)
print(CLCNNB00001_O.table(raw))
```

Nothing here reads from or writes to a network: connectors do.
"""

from axhub.toolkit.mci.charsets import Charset
from axhub.toolkit.mci.envelope import Envelope, MciCall, SentTelegram
from axhub.toolkit.mci.errors import CorrelationError, TelegramError
from axhub.toolkit.mci.fields import Date, Filler, Num, Packed, Rows, Text
from axhub.toolkit.mci.layout import Layout, LayoutField
from axhub.toolkit.mci.plain import from_plain, to_plain

__all__ = [
    "Charset",
    "CorrelationError",
    "Date",
    "Envelope",
    "Filler",
    "Layout",
    "LayoutField",
    "MciCall",
    "Num",
    "Packed",
    "Rows",
    "SentTelegram",
    "TelegramError",
    "Text",
    "from_plain",
    "to_plain",
]
