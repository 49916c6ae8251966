"""What the use cases offer and need; both sides are adapters."""
