"""What may be typed after `axhub tools`, and what is sent for it."""

import asyncio
import logging
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from axhub.cli.arguments import UsageError, for_headers, read_arguments, read_header
from axhub.cli.main import main
from axhub.contract.headers import HeaderParam
from axhub.gateway.domain.call import ToolCall
from axhub.gateway.domain.header_params import mismatch
from support.gateway import NEW, bundle, manifest, running, settings, tool
from support.tool_service import ToolService, reply

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


NUMBERS = {
    "0": "0",
    "-7": "-7",
    "12345678901234567890123": "12345678901234567890123",
    "9" * 5000: "9" * 5000,
    "1.0": "1.0",
    "12345678901234567890.0": "12345678901234567890.0",
    "1.5": "1.5",
    "1e3": "1000",
    "-1.25E+2": "-125",
    "1.5e0": "1.5e0",
    "10e-1": "1",
    "0e9": "0",
    "12345678901234567890123456789012e1": "123456789012345678901234567890120",
    "1e400": "1e400",
    "1e-400": "1e-400",
    "1e9999999999999999999": "1e9999999999999999999",
    "0." + "3" * 5000 + "e1": "0." + "3" * 5000 + "e1",
}


@pytest.mark.req("gateway/P4")
@pytest.mark.parametrize(("written", "shown"), NUMBERS.items(), ids=[text[:30] for text in NUMBERS])
def test_a_number_in_a_header_says_what_the_body_says_however_long_it_is(written: str, shown: str) -> None:
    arguments = b'{"n": ' + written.encode() + b', "t": "x", "b": true, "o": {"n": 2}}'
    assert for_headers(arguments) == {"n": shown, "t": "x", "b": True, "o": {"n": "2"}}


@pytest.mark.req("gateway/P4")
@pytest.mark.parametrize("written", [text for text in NUMBERS if "e" not in text.lower() or len(NUMBERS[text]) < 400])
def test_our_own_gateway_finds_that_header_equal_to_the_argument(written: str) -> None:
    arguments = b'{"n": ' + written.encode() + b"}"
    header = for_headers(arguments)["n"].encode()
    call = ToolCall("a", arguments, {b"mcp-param-n": header})
    assert mismatch((HeaderParam(b"mcp-param-n", ("n",), "integer"),), call) is None


@pytest.fixture
def loud_client() -> Iterator[None]:
    """Undo what the command does to the log of its client library."""
    yield
    logging.getLogger("mcp").setLevel(logging.NOTSET)


@pytest.mark.usefixtures("loud_client")
@pytest.mark.req("gateway/P4")
@pytest.mark.parametrize("written", ["9" * 4200, "12345678901234567890.0", "1e400", "1e3"], ids=lambda text: text[:22])
async def test_a_call_with_any_number_passes_our_own_gateway(written: str) -> None:
    schema = {"type": "object", "properties": {"n": {"type": "integer", "x-mcp-header": "N"}}}
    async with ToolService() as service:
        service.on("/tool-manifest", reply(body=manifest("ins", [tool("count", inputSchema=schema)])))
        service.on("/tools/count", reply(body=b'{"ok":true}'))
        async with running(settings(bundle(service.url()))) as gateway:
            url = f"http://127.0.0.1:{gateway.port}/mcp"
            words = ("tools", "call", url, "count", "--protocol", NEW, "--args", f'{{"n": {written}}}')
            assert await asyncio.to_thread(main, words) == 0
        assert service.requests[-1].body == f'{{"n": {written}}}'.encode()
