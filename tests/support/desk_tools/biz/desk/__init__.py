"""The category `desk`."""
