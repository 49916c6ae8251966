"""The pricing system."""
