"""Where events go that the service has announced."""
