"""The toolkit: what tool authors import. It comes with its own issue."""
