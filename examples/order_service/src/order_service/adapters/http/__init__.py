"""The service over HTTP: an API for programs, and a page for people who decide.

It knows the use cases and ports of the order service and nothing behind them; no rule about orders stands here.
"""
