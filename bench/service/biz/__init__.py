"""The business of the bench."""
