"""The reference of a Tool Service's configuration, written from the table of keys, so that it cannot drift.

`python -m axhub.toolkit.config.reference FOLDER` writes `service-configuration.md`; `make docs` runs it.
"""

import sys
from pathlib import Path
from typing import Final

from axhub.configuration.reference import rows
from axhub.toolkit.config.keys import KEYS, TABLE

__all__ = ["FILE", "main", "reference_markdown"]

FILE: Final = "service-configuration.md"
_ABOUT: Final = """\
# Configuration of a Tool Service

Written from the table of keys by `make docs`. A service reads config/service.yaml of its package (another file with
`axhub service PACKAGE --config FILE`). All faults are listed at once, each with its place; unknown keys are faults.

What counts is, in this order: `--host` and `--port`, the environment, the file, the default.
"""
_ENVIRONMENT: Final = """\
## In the environment

A variable stands over one key: `{prefix}` and the key's path in capitals, with `__` between the parts and
before an index, and `_` for a dash. `{example}` is `{variable}`.

In the file `${{NAME}}` is a variable, `${{NAME:default}}` has a default, which may hold another of both kinds, and
`${{server.port}}` is another key of the file. `AXHUB_PROFILE` names the profile; only `local` relaxes anything.

## Where the parts stand

A key with `[]` stands in each item of a list, one with `{{}}` below any name:

```yaml
mcp:
  bundleId: claim-tools
tools:
  cmm_claim_search:
    timeoutMillis: 5000
glow:
  communication:
    http:
      api-list:
        - name: claim
          domain: ${{CLAIM_DOMAIN:http://localhost:${{server.port}}}}
          url: ${{CLAIM_URL:/api/mock/http/claim}}
          method: POST
          headers:
            X-Api-Key: ${{CLAIM_API_KEY}}
    mci:
      system-list:
        - name: cfpa
          host: ${{CFPA_HOST:localhost}}
          port: ${{CFPA_PORT:0}}
          lengthField: {{kind: ascii, size: 8}}
```

## How long a telegram is

Over TCP a telegram says its own length in one of these ways. The field says: all bytes that go over the wire, without
its own bytes if `includesItself` is false, plus `correction`. It is written into each request, over whatever the header
has there, and read from each answer, which is not read any further if it is longer than `maxTelegramBytes`.

```yaml
# the telegram begins with 8 digits: all its bytes
lengthField: {{kind: ascii, size: 8}}
# the telegram begins with 4 digits: the bytes after them
lengthField: {{kind: ascii, size: 4, includesItself: false}}
# 9 bytes of the header, then 5 digits: the bytes after them
lengthField: {{kind: ascii, offset: 9, size: 5, includesItself: false, correction: -9}}
# 4 bytes before the telegram, the highest first: the bytes of the telegram
lengthField: {{kind: big, place: prefix, size: 4, includesItself: false}}
# 2 bytes before the telegram, the lowest first, counted too
lengthField: {{kind: little, place: prefix, size: 2}}
# 3 bytes of packed digits before the telegram
lengthField: {{kind: bcd, place: prefix, size: 3, includesItself: false}}
# none: each side ends its stream after its telegram
lengthField: {{kind: none}}
```

With `none` each call has a connection of its own. With the transport `http` a body has a length anyway; a length field
in the header is written and compared all the same, if there is one.
"""


def reference_markdown() -> str:
    """Return the whole page."""
    if TABLE.environment is None:  # pragma: no cover - the table says which prefix its variables have
        raise AssertionError
    variable = TABLE.variable(TABLE.environment.example)
    said = {"prefix": TABLE.environment.prefix, "example": TABLE.environment.example, "variable": variable}
    return "\n".join((_ABOUT, *rows(KEYS), "", _ENVIRONMENT.format(**said)))


def main(folder: Path) -> None:
    """Write the page into a folder."""
    (folder / FILE).write_text(reference_markdown(), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
