"""The assistant: tools that call the use cases, and axhub's agent behind the application's own ports (agent/A3).

Everything of axhub's stays in here; another library would need another package like this one, and nothing else.
"""
