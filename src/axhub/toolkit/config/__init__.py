"""What a Tool Service is configured with: frozen settings, and how they are loaded (toolkit/S0)."""
