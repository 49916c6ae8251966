"""What connects the gateway to the world: HTTP fronts, upstream client, files, caches, logs."""
