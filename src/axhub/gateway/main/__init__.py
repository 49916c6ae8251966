"""The gateway put together (`wire`) and run (`process`): the only place that builds adapters (0-architecture)."""

from axhub.gateway.main.process import new_event_loop, serve
from axhub.gateway.main.wire import Gateway, wire

__all__ = ["Gateway", "new_event_loop", "serve", "wire"]
