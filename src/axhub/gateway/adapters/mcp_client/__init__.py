"""The gateway as a client of MCP servers: sessions of both eras, lists, calls, notices of changes (gateway/P11)."""
