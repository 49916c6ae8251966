"""What Prometheus reads: the families of the gateway (`render`), from their `sources`, in its `text` format."""
