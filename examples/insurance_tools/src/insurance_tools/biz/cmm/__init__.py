"""Business shared by all: claims and common codes."""
