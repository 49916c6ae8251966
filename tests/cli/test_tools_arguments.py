"""What may be typed after `axhub tools`, and what is sent for it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from axhub.cli.arguments import UsageError, for_headers, read_arguments, read_header

pytestmark = pytest.mark.req("gateway/C5")


def stdin(data: bytes = b"") -> Callable[[], bytes]:
    return lambda: data


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1.0, "b":1e400, "c": 123456789012345678901234567890}',
        '{"a":1,"a":2}',
        '{"글": "\\ud55c글"}',
        "{}",
    ],
)
def test_arguments_stay_the_bytes_that_were_written(text: str) -> None:
    assert read_arguments(text, stdin()) == text.encode()


def test_arguments_come_from_standard_input_for_a_dash() -> None:
    assert read_arguments("-", stdin(b'\n{"a": 1}\n')) == b'{"a": 1}'


def test_arguments_come_from_a_file_for_an_at_sign_and_a_byte_order_mark_is_no_part_of_them(tmp_path: Path) -> None:
    file = tmp_path / "인자.json"
    file.write_bytes(b'\xef\xbb\xbf{"a": 1}\r\n')
    assert read_arguments(f"@{file}", stdin()) == b'{"a": 1}'


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{a: 1}", "--args is not JSON: "),
        ("", "--args is not JSON: "),
        ('{"a": NaN}', "--args is not JSON: "),
        ('{"a": 1} x', "--args is not JSON: "),
        ("[1]", "--args is not a JSON object; "),
        ("null", "--args is not a JSON object; "),
        ('"{}"', "--args is not a JSON object; "),
        ('{"a": ' + "[" * 80 + "]" * 80 + "}", "--args is not JSON: nested deeper than 64 levels"),
        ("@/no/such/file", "cannot read the file '/no/such/file': No such file or directory"),
        ("@", "cannot read the file '': "),
        ('{"a": "\udcff"}', "--args is not JSON: not valid UTF-8 at byte 7"),
    ],
)
def test_what_cannot_be_arguments_is_said_with_its_place_and_the_mend(text: str, problem: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_arguments(text, stdin())
    assert str(caught.value).startswith(problem)


def test_standard_input_and_files_are_named_when_they_are_wrong(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("nothing")
    with pytest.raises(UsageError, match=r"^standard input is not JSON"):
        read_arguments("-", stdin(b"{"))
    with pytest.raises(UsageError, match=r"x\.json is not JSON"):
        read_arguments(f"@{tmp_path / 'x.json'}", stdin())


@pytest.mark.parametrize(
    ("text", "header"),
    [
        ("guid=G-1", ("guid", "G-1")),
        ("authorization=Bearer a=b", ("authorization", "Bearer a=b")),
        ("x-empty=", ("x-empty", "")),
        ("x-name= 김하늘 ", ("x-name", "김하늘")),
    ],
)
def test_a_header_is_split_at_the_first_equals_sign(text: str, header: tuple[str, str]) -> None:
    assert read_header(text) == header


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("guid", "--header takes NAME=VALUE"),
        ("guid: 1", "--header takes NAME=VALUE"),
        ("=x", "--header takes NAME=VALUE"),
        ("a b=x", "--header takes NAME=VALUE"),
        ("한글=x", "--header takes NAME=VALUE"),
        ("x=a\r\nevil: 1", "--header x: the value has a control character"),
        ("Content-Length=1", "--header Content-Length: the client sets this header itself"),
        ("Mcp-Param-Region=x", "--header Mcp-Param-Region: the client sets this header itself"),
    ],
)
def test_a_header_that_http_or_the_client_cannot_take_is_refused(text: str, problem: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_header(text)
    assert str(caught.value).startswith(problem)


def test_values_for_headers_never_fail_on_numbers_that_python_cannot_hold() -> None:
    huge = b'{"i": 12345678901234567890123, "f": 1e400, "n": ' + b"9" * 5000 + b', "t": "x", "r": 1.5}'
    assert for_headers(huge) == {"i": 12345678901234567890123, "f": 0.0, "n": 0, "t": "x", "r": 1.5}
