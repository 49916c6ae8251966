"""The Tool Service of the bench: one tool that asks no other system, so that what is measured is the toolkit."""
