"""The code system."""
