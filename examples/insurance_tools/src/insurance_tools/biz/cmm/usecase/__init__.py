"""The tools: convert, call, interpret."""
