"""Adapters that reach legacy systems, and mocks of those systems (toolkit/H1, toolkit/H2, toolkit/B4).

`http_client` calls HTTP APIs; `mock_systems` answers as they would, from a package's samples. `sqlite_repeats` keeps
which writes were made. `serving` is what a service takes from here.
"""
