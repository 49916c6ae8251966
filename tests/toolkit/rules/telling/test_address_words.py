"""Every reason for which an address or a path is refused has Korean words."""

import re
from collections.abc import Callable

import pytest

from axhub.contract.endpoints import EndpointError, check_relative, parse_origin, parse_url
from axhub.toolkit.rules.telling.loader_words import in_korean

pytestmark = pytest.mark.req("rule/TK613")
URLS = (
    "a", "ftp://a", "http://", "http://a b", "http://a\x01", "http://청구", "http://a\\b", "http://a#b",
    "http://u@a", "http://a.", "http://-", "http://1.2.3", "http://0.0.0.0", "http://[1", "http://[1]",
    "http://[::]", "http://a:0", "http://a:b", f"http://{'a' * 9000}",
)  # fmt: skip
PATHS = ("/a@b", "/a//b", "/%", "/%00", "/../a", "/a b", "/\\", "/#")


@pytest.mark.parametrize(
    ("read", "text"),
    [(parse_origin, "http://a/b"), *((parse_origin, url) for url in URLS), *((parse_url, url) for url in URLS),
     *((check_relative, path) for path in PATHS)],
)  # fmt: skip
def test_a_reason_has_korean_words(read: Callable[[str], object], text: str) -> None:
    with pytest.raises(EndpointError) as raised:
        read(text)
    korean = in_korean(f'"x: y": {raised.value}')
    assert korean is not None
    assert korean.startswith('"x: y"(')
    assert re.search("[가-힣]", korean) is not None
