"""The gateway: pulls the manifests of Tool Services and serves their tools as one MCP server."""
