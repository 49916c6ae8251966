"""The Tool Service as an ASGI app: `axhub service insurance_tools --profile local` serves it."""

import os

from axhub.toolkit import RepeatStore, SqliteRepeatStore, ToolService

# Which claims were registered already, for all processes of this host. Several hosts need one database for all of them.
repeats = SqliteRepeatStore(os.environ.get("INSURANCE_TOOLS_REPEATS", "insurance-tools-repeats.sqlite3"))
app = ToolService("insurance_tools", provide={RepeatStore: repeats})
