"""axhub: a gateway, a toolkit and an agent library that let AI agents use existing systems, under control."""

__version__ = "0.1.0"
