"""HTTP/1.1 over llhttp, both sides: the server that fronts MCP and management, the client that calls Tool Services."""
