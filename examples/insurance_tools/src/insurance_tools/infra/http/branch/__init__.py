"""The branch directory."""
