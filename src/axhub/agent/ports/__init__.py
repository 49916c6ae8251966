"""What the agent reaches the world through. Adapters: `adapters`; every fake passes the suite of its port."""
