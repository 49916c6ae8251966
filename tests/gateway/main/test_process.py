"""The bounds of the MCP port that follow from other settings."""

import pytest

from axhub.gateway.adapters.clock import SystemClock
from axhub.gateway.adapters.log import JsonLog
from axhub.gateway.config.settings import DiscoverySettings, Settings
from axhub.gateway.main.process import _limits


@pytest.mark.req("gateway/X8", "gateway/X11")
@pytest.mark.parametrize("seconds", [1, 30, 60, 600])
def test_a_caller_that_ended_its_stream_is_kept_as_long_as_a_legal_call_may_take(seconds: int) -> None:
    discovery = DiscoverySettings(
        max_tool_timeout_millis=seconds * 1000, connect_timeout_millis=2000, read_timeout_millis=5000
    )
    limits = _limits(Settings(identity="a", discovery=discovery), JsonLog(lambda _: None, SystemClock()))
    slowest = seconds + 2 + 5
    assert slowest < limits.half_closed_seconds <= slowest + 5
