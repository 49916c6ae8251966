"""Configuration that every part reads in one way: YAML with places, a table of keys, one message about every fault.

A part has a `Table` of its keys (`table`) and what holds between them; the way from text to typed values is here:
`source` (YAML with lines and columns), `flatten` (one entry a key), `overlay` (environment over file), `document`
(`${ENV:default}` and types). It stands between the parts and the contract: docs/decisions/0006-shared-configuration.md.
"""
