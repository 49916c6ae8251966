"""Where a serving command listens: hosts of all kinds, ports as typed, and what is said when it cannot."""

import argparse
import socket

import pytest

from axhub.cli.listening import CannotListenError, bound, origin, port

pytestmark = pytest.mark.req("toolkit/S6")


@pytest.mark.parametrize(("text", "number"), [("0", 0), ("8081", 8081), ("65535", 65535), ("00080", 80)])
def test_a_port_is_read(text: str, number: int) -> None:
    assert port(text) == number


@pytest.mark.parametrize("text", ["", "-1", "65536", "x", "80 ", "8_0", "٨٠", "²", "9" * 5000])
def test_what_is_no_port_is_refused_with_what_is_allowed(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError) as refused:
        port(text)
    assert str(refused.value) == f"a number from 0 to 65535, found {text!r}"


@pytest.mark.parametrize(
    ("host", "family"),
    [
        ("127.0.0.1", socket.AF_INET),
        ("::1", socket.AF_INET6),
        ("[::1]", socket.AF_INET6),
    ],
)
def test_names_and_addresses_of_both_kinds_are_bound(host: str, family: socket.AddressFamily) -> None:
    with bound(host, 0) as listening:
        assert (listening.family, listening.getsockname()[1] > 0) == (family, True)


@pytest.mark.parametrize(
    ("host", "shown"),
    [("127.0.0.1", "http://127.0.0.1:80"), ("::1", "http://[::1]:80"), ("[::1]", "http://[::1]:80")],
)
def test_an_address_is_shown_so_that_it_can_be_called(host: str, shown: str) -> None:
    assert origin(host, 80) == shown


@pytest.mark.parametrize(("host", "shown"), [("127.0.0.1", "127.0.0.1"), ("::1", "[::1]")])
def test_a_port_that_is_taken_is_told_with_the_setting_that_moves_it(host: str, shown: str) -> None:
    with bound(host, 0) as taken:
        taken.listen()
        number = taken.getsockname()[1]
        with pytest.raises(CannotListenError) as refused:
            bound(host, number, "--port or server.port")
    assert str(refused.value) == (
        f"cannot listen on {shown}:{number} (Address already in use); set --port or server.port to a free one"
    )


@pytest.mark.parametrize(
    ("host", "said"),
    [
        ("192.0.2.1", "cannot listen on 192.0.2.1:0 (Cannot assign requested address)"),
        ("2001:db8::1", "cannot listen on [2001:db8::1]:0 (Cannot assign requested address)"),
        ("a host", "cannot listen on a host:0 (unknown host: "),
        ("x" * 64 + ".example", f"cannot listen on {'x' * 64}.example:0 (unknown host: "),
    ],
)
def test_a_host_that_is_unknown_or_of_another_machine_is_told_as_such(host: str, said: str) -> None:
    with pytest.raises(CannotListenError) as refused:
        bound(host, 0)
    assert str(refused.value).startswith(said)
    assert str(refused.value).endswith("; set --host to an address of this machine")


def test_it_is_told_in_korean_too() -> None:
    with bound("127.0.0.1", 0) as taken:
        taken.listen()
        number = taken.getsockname()[1]
        with pytest.raises(CannotListenError) as busy:
            bound("127.0.0.1", number, "--port or server.port")
    with pytest.raises(CannotListenError) as elsewhere:
        bound("192.0.2.1", 0)
    with pytest.raises(CannotListenError) as unknown:
        bound("a host", 0)
    assert [caught.value.said("ko") for caught in (busy, elsewhere, unknown)] == [
        (
            f"127.0.0.1:{number} 주소에서 연결을 받을 수 없습니다(이미 사용 중인 포트). --port 또는 server.port 값을 "
            f"비어 "
            "있는 포트로 바꾸십시오"
        ),
        (
            "192.0.2.1:0 주소에서 연결을 받을 수 없습니다(이 컴퓨터의 주소가 아님). --host 값을 이 컴퓨터의 주소로 "
            "바꾸십시오"
        ),
        "a host:0 주소에서 연결을 받을 수 없습니다(알 수 없는 호스트). --host 값을 이 컴퓨터의 주소로 바꾸십시오",
    ]
