"""Insurance contracts."""
