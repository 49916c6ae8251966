"""The rate system."""
