"""Reads layout sheets: what a team keeps of a telegram in a spreadsheet, saved as CSV (toolkit/B1, toolkit/T5)."""
