"""What `axhub service bench.service` serves."""

from axhub.toolkit import ToolService

app = ToolService("bench.service")
