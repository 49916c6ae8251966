"""axhub: a gateway, a toolkit and an agent library that let AI agents use existing systems, under control."""
