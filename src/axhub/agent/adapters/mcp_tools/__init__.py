"""Tools of an MCP server, an axhub gateway or any other, as tools of an agent (agent/A9). Needs `axhub[mcp-tools]`.

Read `source.py` first: the `ToolSource`. `catalogue.py` keeps the server's list fresh beside the turns; `judging.py`
decides which of its tools may be offered; `remote_tool.py` is one tool; `calling.py` makes one call, once.
`link.py`, `wire.py` and `calling.py` are the only modules that know the official client library.
"""
