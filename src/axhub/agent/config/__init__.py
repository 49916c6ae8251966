"""What an agent is configured with: frozen settings, and how they are read (agent/A10)."""
