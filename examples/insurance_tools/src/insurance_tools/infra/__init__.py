"""The systems behind the tools."""
