"""The notice board."""
