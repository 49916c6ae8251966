"""How well tools are told apart by what their descriptions say: ranks of queries, and tools that read alike; pure.

A lexical proxy, not a model's choice: a tool is found by its query as far as the two share characters. That is enough
to see which descriptions lack the words that people use, and it gives the same answer on every machine.
"""

from axhub.toolkit.selection.measure import ENOUGH, Measurement, Ranked, measured
from axhub.toolkit.selection.queries import Asked, Described

__all__ = ["ENOUGH", "Asked", "Described", "Measurement", "Ranked", "measured"]
