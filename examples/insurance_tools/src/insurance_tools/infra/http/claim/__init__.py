"""The claim system: search."""
