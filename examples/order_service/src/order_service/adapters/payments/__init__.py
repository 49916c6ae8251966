"""Providers that pay money back: one outside, over HTTP, and one in the process for the demonstration and for tests."""
