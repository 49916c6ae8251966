"""The category `odd`."""
