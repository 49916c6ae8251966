"""All rules, one family a file; each is a pure function over facts."""
