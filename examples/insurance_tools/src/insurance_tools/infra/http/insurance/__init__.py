"""The contract system."""
