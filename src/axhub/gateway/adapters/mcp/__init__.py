"""MCP on the wire: JSON-RPC envelope, revisions, projection of tools per revision."""
