"""A small real service with an assistant in it: the reference for applications with `axhub.agent` (seed 000).

`domain`, `ports` and `usecases` know neither axhub nor a web framework nor a database; `adapters` do, and `main` wires.
"""
