"""Layouts and tools in front of MCI interfaces: found, shown and made (toolkit/B1, toolkit/T5)."""
