"""What the library does, each use case one file that reads from top to bottom."""
