"""How rules say things: what an author wrote, what validators and loaders found, in both languages."""
