"""By business category."""
