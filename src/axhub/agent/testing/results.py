"""What a model was told of a tool's result, for tests: the data without its marks (agent/L7)."""

import re
from typing import Final

__all__ = ["unmarked"]

_MARKED: Final = re.compile(r"<data-(?P<id>[^>\s]+)>\n(?P<data>.*)\n</data-(?P=id)>", re.DOTALL)


def unmarked(text: str) -> str:
    """Return the data of a result as the model was told it; a sentence of the library's stays as it is.

    ```python
    told = turns.requests[1].messages[-1].results[0].text
    assert json.loads(unmarked(told)) == {"order_id": "ORD-1"}
    ```
    """
    found = _MARKED.fullmatch(text)
    return text if found is None else found["data"]
