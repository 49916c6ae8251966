"""What the ports are made of; each module or package is one adapter, and none knows another."""
