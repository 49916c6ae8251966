"""The claim system: registration."""
