"""What the gateway is about, without I/O: bundles, the catalogue, routes."""
