"""Telegrams of the core system, one module for each interface."""
