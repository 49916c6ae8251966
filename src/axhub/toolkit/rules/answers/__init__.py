"""Rules about what an answer is made of and tells its reader (seed 003 §7 and §8)."""
