"""How the service meets the world: `http` and `ai` call its use cases, `persistence` and `events` serve them.

None knows another, so one use case is all that REST and the assistant share (agent/A2).
"""
