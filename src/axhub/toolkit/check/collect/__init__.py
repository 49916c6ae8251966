"""Collects facts about a Tool Service from its files, reading each file once and importing nothing of it.

`gather` puts them together; `files` finds what belongs to the service, `parsing` and `names` read its Python, and
`source`, `declared` and `allowances` note what stands there.
"""
