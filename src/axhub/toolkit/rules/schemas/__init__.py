"""Rules about the schemas of arguments and answers (seed 003 §5 to §7)."""
