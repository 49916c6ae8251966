"""How the providers' clients are set up, and what their errors stand for."""

import asyncio
import ipaddress
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import openai
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from axhub.agent.adapters.turns.clients import Reach, anthropic_client, failure_of, openai_client

pytestmark = [pytest.mark.req("agent/A10")]

MODELS = b'{"object": "list", "data": []}'


def reach(provider: str = "openai", **said: Any) -> Reach:
    whole = {"key": "sk-secret", "base_url": None, "proxy": None, "ca_file": None}
    return Reach(provider=provider, connect_seconds=1, read_seconds=2, **whole | said)


def certificate(folder: Path) -> Path:
    """Write a certificate for 127.0.0.1 that signs itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "a company's own")])
    now = datetime(2026, 1, 1, tzinfo=UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now)
        .not_valid_after(now.replace(year=2099))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    plain = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    path = folder / "own.pem"
    path.write_bytes(made.public_bytes(pem) + plain)
    return path


@asynccontextmanager
async def over_tls(pem: Path) -> AsyncIterator[str]:
    """Answer requests over TLS with an empty list of models."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: %d\r\n\r\n"
        writer.write(head % len(MODELS) + MODELS)
        await writer.drain()
        writer.close()

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem)
    async with await asyncio.start_server(answer, "127.0.0.1", 0, ssl=context) as server:
        yield f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"


def test_no_key_is_shown() -> None:
    assert repr(reach()) == "Reach(openai at https://api.openai.com/v1)"
    assert repr(reach("anthropic", base_url="http://127.0.0.1:1")) == "Reach(anthropic at http://127.0.0.1:1)"


@pytest.mark.parametrize(("provider", "make"), [("openai", openai_client), ("anthropic", anthropic_client)])
async def test_a_client_tries_once_and_waits_as_it_is_told(provider: str, make: Any) -> None:
    client = make(reach(provider, base_url="http://127.0.0.1:1/v1"))
    assert client.max_retries == 0
    assert (client.timeout.connect, client.timeout.read) == (1, 2)
    assert str(client.base_url).rstrip("/") == "http://127.0.0.1:1/v1"
    await client.close()


async def test_a_company_may_have_certificates_of_its_own(tmp_path: Path) -> None:
    pem = certificate(tmp_path)
    async with over_tls(pem) as address:
        client = openai_client(reach(base_url=address, ca_file=str(pem)))
        assert (await client.models.list()).data == []
        await client.close()


@pytest.mark.loud_event_loop
async def test_other_certificates_are_not_believed(tmp_path: Path) -> None:
    async with over_tls(certificate(tmp_path)) as address:
        client = openai_client(reach(base_url=address))
        with pytest.raises(openai.APIConnectionError) as caught:
            await client.models.list()
        failure = failure_of(caught.value)
        assert str(failure) == "no connection, or one that broke"
        await client.close()


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (TimeoutError(), "a timeout"),
        (ConnectionResetError(), "no connection, or one that broke"),
        (ValueError("of ours"), "None"),
    ],
)
def test_errors_of_nobody_in_particular(error: Exception, said: str) -> None:
    assert str(failure_of(error)) == said
