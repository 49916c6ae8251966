"""The PEM files that a configuration names: do they hold what they should."""

import ssl
from typing import NamedTuple

from axhub.gateway.config.settings import TlsSettings


class FileProblem(NamedTuple):
    """A key under `tls` and what is wrong with its file."""

    key: str
    problem: str


def tls_context(tls: TlsSettings) -> ssl.SSLContext:
    """Return the TLS context for connections to manifests and tools.

    Host names and certificates are always verified, against `ca_file` if there is one, else the system's authorities.

    Raises:
        OSError: a file is not what it should be (`tls_problems` says which).
    """
    context = ssl.create_default_context(cafile=tls.ca_file)
    if tls.cert_file and tls.key_file:
        context.load_cert_chain(tls.cert_file, tls.key_file, password=_no_password)
    return context


def tls_problems(tls: TlsSettings) -> list[FileProblem]:
    """Return what is wrong with the PEM files, readable ones assumed."""
    problems = []
    if tls.ca_file and not _usable(TlsSettings(ca_file=tls.ca_file)):
        problems.append(FileProblem("tls.caFile", "it holds no certificate in PEM form"))
    if tls.cert_file and tls.key_file and not _usable(TlsSettings(cert_file=tls.cert_file, key_file=tls.key_file)):
        text = "it and tls.keyFile are not a certificate and its key in PEM form, not encrypted"
        problems.append(FileProblem("tls.certFile", text))
    return problems


def _usable(tls: TlsSettings) -> bool:
    try:
        tls_context(tls)
    except (OSError, ValueError):
        return False
    return True


def _no_password() -> str:
    # Without this, OpenSSL would ask on the terminal for the password of an encrypted key.
    raise ValueError("encrypted keys are not supported")
