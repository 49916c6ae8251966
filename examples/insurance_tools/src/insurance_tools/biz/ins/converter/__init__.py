"""Between what agents see and what the systems behind keep."""
