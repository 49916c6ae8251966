"""What agents send and get."""
