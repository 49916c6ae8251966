"""Keys from the issuer's address, over real connections: kept, renewed, and never fetched as often as callers like."""

import asyncio
import json
import ssl
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from axhub.agent.adapters.tokens import UrlKeys
from axhub.agent.ports.tokens import KeysUnavailableError
from axhub.contract.endpoints import EndpointError
from support.token_keys import ec_key, key_set, public_jwk

FIRST = key_set(public_jwk(ec_key("a"), "first"))
BOTH = key_set(public_jwk(ec_key("a"), "first"), public_jwk(ec_key("b"), "second"))


@dataclass
class Issuer:
    """Answers what it is told to, and counts."""

    body: bytes = b""
    head: bytes = b"HTTP/1.1 200 OK"
    port: int = 0
    asked: list[bytes] = field(default_factory=list)

    def says(self, keys: dict[str, Any]) -> None:
        self.head, self.body = b"HTTP/1.1 200 OK", json.dumps(keys).encode()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/keys"

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.asked.append((await reader.readuntil(b"\r\n\r\n")).partition(b"\r\n")[0])
        writer.write(
            b"%b\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%b" % (self.head, len(self.body), self.body)
        )
        await writer.drain()
        writer.close()


@pytest.fixture
async def issuer() -> AsyncIterator[Issuer]:
    made = Issuer()
    made.says(FIRST)
    server = await asyncio.start_server(made.answer, "127.0.0.1", 0)
    made.port = server.sockets[0].getsockname()[1]
    async with server:
        yield made


async def test_keys_are_fetched_once_for_many(issuer: Issuer) -> None:
    keys = UrlKeys(issuer.url)
    found = await asyncio.gather(*(keys.find("first") for _ in range(20)))
    assert None not in found
    assert issuer.asked == [b"GET /keys HTTP/1.1"]


async def test_an_unknown_key_makes_one_look_in_each_cool_down(issuer: Issuer) -> None:
    keys = UrlKeys(issuer.url, cool_down_seconds=60)
    assert await keys.find("first") is not None
    assert [await keys.find(f"made-up-{number}") for number in range(50)] == [None] * 50
    assert len(issuer.asked) == 1


async def test_a_new_key_is_found_when_the_cool_down_is_over(issuer: Issuer) -> None:
    keys = UrlKeys(issuer.url, cool_down_seconds=0)
    assert await keys.find("second") is None
    issuer.says(BOTH)
    assert await keys.find("second") is not None
    assert len(issuer.asked) == 2


async def test_a_key_that_the_issuer_took_back_is_gone_after_the_renewal(issuer: Issuer) -> None:
    issuer.says(BOTH)
    keys = UrlKeys(issuer.url, refresh_seconds=0, cool_down_seconds=0)
    assert await keys.find("second") is not None
    issuer.says(FIRST)
    assert await keys.find("second") is None


@pytest.mark.parametrize(
    ("head", "body"),
    [
        (b"HTTP/1.1 500 Internal Server Error", b"{}"),
        (b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/", b""),
        (b"HTTP/1.1 200 OK", b"<html>"),
        (b"HTTP/1.1 200 OK", b'{"keys":[]}'),
        (b"HTTP/1.1 200 OK", b'{"keys":[{"kty":"oct","k":"c2hhcmVk","kid":"first"}]}'),
        (b"HTTP/1.1 200 OK", b" " * (256 * 1024 + 1)),
        (b"nonsense", b""),
    ],
)
async def test_the_old_keys_stay_when_a_look_fails(issuer: Issuer, head: bytes, body: bytes) -> None:
    keys = UrlKeys(issuer.url, refresh_seconds=0, cool_down_seconds=0)
    before = await keys.find("first")
    issuer.head, issuer.body = head, body
    assert await keys.find("first") is before
    assert len(issuer.asked) == 2


async def test_without_any_keys_nobody_can_tell(issuer: Issuer) -> None:
    issuer.head = b"HTTP/1.1 503 Service Unavailable"
    keys = UrlKeys(issuer.url, cool_down_seconds=60)
    for _ in range(3):
        with pytest.raises(KeysUnavailableError) as caught:
            await keys.find("first")
        assert str(caught.value) == "the issuer's keys could not be fetched yet"
    assert len(issuer.asked) == 1


async def test_an_issuer_that_is_not_there_is_no_crash(issuer: Issuer) -> None:
    keys = UrlKeys("http://127.0.0.1:1/keys")
    with pytest.raises(KeysUnavailableError):
        await keys.find("first")


@pytest.mark.parametrize(
    "url", ["file:///etc/hosts", "ftp://127.0.0.1/keys", "/keys", "", "https://u:p@login.example/"]
)
def test_only_http_addresses_are_fetched(url: str) -> None:
    with pytest.raises(EndpointError):
        UrlKeys(url)


def test_keys_are_not_fetched_in_the_clear_from_elsewhere() -> None:
    with pytest.raises(ValueError, match=r"^the issuer's keys are fetched over https, or from this machine$"):
        UrlKeys("http://login.example/keys")


@pytest.mark.parametrize("is_trusted", [True, False])
async def test_an_issuer_over_https_is_believed_with_its_certificate_only(tmp_path: Path, is_trusted: bool) -> None:
    made = Issuer()
    made.says(FIRST)
    server = await asyncio.start_server(made.answer, "127.0.0.1", 0, ssl=certified(tmp_path))
    async with server:
        port = server.sockets[0].getsockname()[1]
        keys = UrlKeys(f"https://127.0.0.1:{port}/keys", trust=str(tmp_path / "chain.pem") if is_trusted else None)
        if is_trusted:
            assert await keys.find("first") is not None
        else:
            with pytest.raises(KeysUnavailableError):
                await keys.find("first")
    assert len(made.asked) == int(is_trusted)


async def test_an_issuer_that_never_answers_is_waited_for_once(tmp_path: Path) -> None:
    connected: list[asyncio.StreamWriter] = []

    async def never(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connected.append(writer)

    server = await asyncio.start_server(never, "127.0.0.1", 0)
    async with server:
        keys = UrlKeys(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/keys", timeout_seconds=0.1)
        for _ in range(3):
            with pytest.raises(KeysUnavailableError):
                await keys.find("first")
        assert len(connected) == 1
        connected[0].close()


def certified(folder: Path) -> ssl.SSLContext:
    """Return a server's context with a certificate for 127.0.0.1, which is left in the folder."""
    key, name = ec_key("tls"), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "issuer")])
    today = datetime(2026, 1, 1, tzinfo=UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(today)
        .not_valid_after(today + timedelta(days=36_500))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, SHA256())
    )
    chain, secret = folder / "chain.pem", folder / "key.pem"
    chain.write_bytes(certificate.public_bytes(Encoding.PEM))
    secret.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain, secret)
    return context
