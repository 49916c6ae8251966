"""nginx and haproxy as deployments put them in front of a gateway: many callers share few connections to it.

    async with proxy("nginx", gateway.port) as front:
        reader, writer = await asyncio.open_unix_connection(front)

Callers reach them over a socket in a folder, so no port can be taken by somebody else. The kinds with "as sent" check
as little as these programs can be told to, and hand on while they still read: what is odd then reaches the gateway.
"""

import asyncio
import signal
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from support import needs

PATIENCE_SECONDS: Final = 20.0
CALLER_SECONDS: Final = 1
"""How long they wait for the rest of a request."""
STAMP: Final = "x-front"
"""The header in which they give each request that they hand on a value of its own."""

_NGINX: Final = """
daemon off; master_process off; pid {folder}/pid; error_log {folder}/log;
events {{ worker_connections 256; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    client_header_timeout {seconds}s; client_body_timeout {seconds}s; lingering_timeout {seconds}s;
    {more}
    upstream gateway {{ server 127.0.0.1:{port}; keepalive 32; }}
    server {{
        listen unix:{folder}/front;
        location / {{
            proxy_pass http://gateway; proxy_http_version 1.1;
            proxy_set_header Connection ""; proxy_set_header Host $http_host;
            proxy_set_header {stamp} $request_id;
        }}
    }}
}}
"""
_NGINX_AS_SENT: Final = "proxy_request_buffering off; ignore_invalid_headers off; underscores_in_headers on;"
_HAPROXY: Final = """
global
    nbthread 1
defaults
    mode http
    http-reuse always
    timeout connect 10s
    timeout client {seconds}s
    timeout server 20s
    {more}
frontend front
    bind unix@{folder}/front
    http-request set-header {stamp} %[uuid()]
    default_backend gateway
backend gateway
    server gateway 127.0.0.1:{port}
"""
_HAPROXY_AS_SENT: Final = "option accept-invalid-http-request"

PROXIES: Final = {
    "nginx": ("nginx", _NGINX, ""),
    "nginx as sent": ("nginx", _NGINX, _NGINX_AS_SENT),
    "haproxy": ("haproxy", _HAPROXY, ""),
    "haproxy as sent": ("haproxy", _HAPROXY, _HAPROXY_AS_SENT),
}
"""Name to program, configuration, and what is added to its section for callers."""


@asynccontextmanager
async def proxy(kind: str, port: int) -> AsyncIterator[str]:
    """Run a proxy in front of a port of the loopback address; yield the path of the socket for its callers."""
    program, configuration, more = PROXIES[kind]
    with tempfile.TemporaryDirectory(prefix="axhub-proxy-") as name:
        folder = Path(name)
        config = folder / "config"
        config.write_text(
            configuration.format(folder=folder, port=port, seconds=CALLER_SECONDS, stamp=STAMP, more=more),
            encoding="ascii",
        )
        with (folder / "output").open("wb") as output:
            process = await asyncio.create_subprocess_exec(
                *_command(program, folder), stdin=asyncio.subprocess.DEVNULL, stdout=output, stderr=output
            )
        try:
            await _listening(process, folder)
            yield str(folder / "front")
        finally:
            await _end(process)


def _command(program: str, folder: Path) -> list[str]:
    path = needs.find_program(program)
    assert path is not None, "a test that uses a proxy says so with the mark `needs`"
    if program == "nginx":
        return [path, "-e", f"{folder}/log", "-p", str(folder), "-c", f"{folder}/config"]
    return [path, "-db", "-f", f"{folder}/config"]


async def _listening(process: asyncio.subprocess.Process, folder: Path) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            try:
                _, writer = await asyncio.open_unix_connection(folder / "front")
            except (FileNotFoundError, ConnectionRefusedError):
                said = (folder / "output").read_text(encoding="utf-8", errors="replace")
                assert process.returncode is None, said
                await asyncio.sleep(0.01)
            else:
                writer.close()
                return


async def _end(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        process.send_signal(signal.SIGTERM)
        await process.wait()
