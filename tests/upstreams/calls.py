"""What both clients call: arguments that are easily changed on the way, and every kind of answer."""

from typing import Any

CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    "Korean, emoji and what JSON escapes": ("echo", {"텍스트": '홍길동 😀 "따옴표" \\ \n\t\u2028 é'}),
    "the largest integer that all keep": ("echo", {"integer": 2**53 - 1}),
    "an integer of 71 bits": ("echo", {"integer": 2**70}),
    "a fraction": ("echo", {"number": 0.1}),
    "a large number": ("echo", {"number": 1e300}),
    "a list of all kinds": ("echo", {"items": [1, None, True, 1.5, "a", [], {}]}),
    "a nested object": ("echo", {"nested": {"b": {"a": [{"c": None}]}, "가": ""}}),
    "nothing": ("echo", {}),
    "more than its schema allows": ("echo", {"텍스트": "가" * 101}),
    "every kind of content": ("contents", {}),
    "structured content": ("structured", {"n": 7}),
    "an error result": ("refuse", {}),
    "a protocol error with data": ("protocol_error", {}),
    "an argument of another type": ("slow_state", {"key": ["x"]}),
}
