"""The toolkit: what tool authors import.

A tool is an async function with typed models in and out, declared once; `ToolService` finds the tools of a package and
serves them:

```python
from axhub.toolkit import Desc, Input, Output, ToolService, tool, tool_hint
```
"""

from axhub.toolkit.connectors.sqlite_repeats import SqliteRepeatStore
from axhub.toolkit.context import Encrypted, ToolContext
from axhub.toolkit.declare import output_schema, tool, tool_hint
from axhub.toolkit.errors import LegacyError, ToolError
from axhub.toolkit.models import Desc, HttpBody, Input, Output, masked
from axhub.toolkit.ports import EmployeeCipher, HttpClient, MciClient, RepeatStore
from axhub.toolkit.service.app import ToolService

__all__ = [
    "Desc",
    "EmployeeCipher",
    "Encrypted",
    "HttpBody",
    "HttpClient",
    "Input",
    "LegacyError",
    "MciClient",
    "Output",
    "RepeatStore",
    "SqliteRepeatStore",
    "ToolContext",
    "ToolError",
    "ToolService",
    "masked",
    "output_schema",
    "tool",
    "tool_hint",
]
