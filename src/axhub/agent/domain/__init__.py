"""What an agent run is made of, and every decision about it; pure (agent/L1 to L9, agent/R0 to R4, agent/I1)."""
