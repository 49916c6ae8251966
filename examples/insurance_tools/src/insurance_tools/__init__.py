"""Tools of an insurer for AI agents, built with axhub's toolkit. Every person and number here is invented."""
