"""Rules about personal data in requests, answers and samples (seed 003 §8.6)."""
