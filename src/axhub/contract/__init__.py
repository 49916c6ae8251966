"""The wire contract between gateway, Tool Services and agents: pure functions and frozen data, no I/O."""
