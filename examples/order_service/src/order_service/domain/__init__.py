"""Orders and their rules; nothing else."""
