"""The agent library. It comes with its own issue."""
