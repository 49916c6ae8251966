"""The flows of the gateway, each readable top to bottom: refresh, list, call, report."""
