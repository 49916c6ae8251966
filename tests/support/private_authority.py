"""A company's own authority, made for one test, and a server on loopback with a certificate of it."""

import asyncio
import ipaddress
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

__all__ = ["answering_over_tls", "authority"]

_FROM: Final = datetime(2026, 1, 1, tzinfo=UTC)
_UNTIL: Final = datetime(2099, 1, 1, tzinfo=UTC)
_PEM: Final = serialization.Encoding.PEM


def authority(folder: Path) -> tuple[Path, Path]:
    """Write the certificate of an authority, and a certificate for 127.0.0.1 with its key; return both paths."""
    root_key, root_name = ec.generate_private_key(ec.SECP256R1()), _named("a company's own authority")
    root = (
        _begun(root_name, root_name, root_key.public_key())
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(root_key, hashes.SHA256())
    )
    key = ec.generate_private_key(ec.SECP256R1())
    host = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    leaf = (
        _begun(_named("a model"), root_name, key.public_key())
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(host, critical=False)
        .sign(root_key, hashes.SHA256())
    )
    plain = key.private_bytes(_PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    believed, served = folder / "authority.pem", folder / "model.pem"
    believed.write_bytes(root.public_bytes(_PEM))
    served.write_bytes(leaf.public_bytes(_PEM) + plain)
    return believed, served


@asynccontextmanager
async def answering_over_tls(pem: Path, answer: Callable[[bytes], bytes]) -> AsyncIterator[str]:
    """Answer each request over TLS with the stream of events that `answer` makes of its body; yield the origin."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        lines = (line.partition(b":") for line in head.lower().split(b"\r\n"))
        length = next(int(value) for name, _, value in lines if name == b"content-length")
        body = answer(await reader.readexactly(length))
        said = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\nContent-Length: %d\r\n\r\n"
        writer.write(said % len(body) + body)
        await writer.drain()
        writer.close()

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem)
    async with await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context) as server:
        yield f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}"


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _begun(subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey) -> x509.CertificateBuilder:
    made = x509.CertificateBuilder(issuer, subject, key, x509.random_serial_number())
    return made.not_valid_before(_FROM).not_valid_after(_UNTIL)
