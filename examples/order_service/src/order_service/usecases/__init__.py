"""What the service does. Only command use cases open transactions, and none is open while a model is waited for."""
