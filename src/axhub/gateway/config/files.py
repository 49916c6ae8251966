"""The files that a configuration names: can they be read, and do the PEM files hold what they should."""

import ssl
from pathlib import Path
from typing import Final, NamedTuple

from axhub.gateway.config.settings import TlsSettings

_PROBLEMS: Final = {
    FileNotFoundError: "there is no such file",
    NotADirectoryError: "there is no such file",
    IsADirectoryError: "it is a folder",
    PermissionError: "the permission to read it is missing",
}


class FileProblem(NamedTuple):
    """A key under `tls` and what is wrong with its file."""

    key: str
    problem: str


def read_bounded(path: Path, limit: int) -> bytes | str:
    """Return a file's bytes, at most one more than `limit`; or, as a text, why it cannot be read."""
    try:
        if path.exists() and not path.is_file():
            return "it is a folder" if path.is_dir() else "it is not a regular file"
        with path.open("rb") as file:
            return file.read(limit + 1)
    except OSError as error:
        return _PROBLEMS.get(type(error), f"it cannot be read ({type(error).__name__})")


def unreadable(path: Path) -> str | None:
    """Say why a file cannot be read, or None."""
    found = read_bounded(path, 0)
    return found if isinstance(found, str) else None


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
