"""The systems under test: our gateway, nginx, the official Python SDK with two clients; and the upstream behind."""

import hashlib
import os
import pwd
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bench import inputs
from bench.inputs import LEGACY, MODERN, Request
from bench.servers import NotRunning, Server, free_port, program

HERE = Path(__file__).resolve().parent
PEERS = HERE / ".peers"
OURS, OURS_MODERN = "axhub gateway", f"axhub gateway, {MODERN} wire"
OURS_FRESH = "axhub gateway, another guid each time"
"""Whose caller never repeats a head, so that each is parsed."""
NGINX, SDK_HTTPX, SDK_AIOHTTP = "nginx", "mcp SDK + httpx", "mcp SDK + aiohttp"

NGINX_HEAD = """{user}worker_processes 1; daemon off; pid {folder}/{name}.pid; error_log {folder}/{name}.err;
events {{ worker_connections 4096; }}
http {{ access_log off; keepalive_requests 100000000; keepalive_timeout 3600; client_body_buffer_size 64k;
 client_body_temp_path {folder}/{name}.body; proxy_temp_path {folder}/{name}.proxy;
 fastcgi_temp_path {folder}/{name}.f; uwsgi_temp_path {folder}/{name}.u; scgi_temp_path {folder}/{name}.s;
"""
UPSTREAM = """ server {{ listen 127.0.0.1:{port} backlog=4096; default_type application/json;
  location /manifest_ {{ root {folder}; types {{ }} }}
  location / {{ return 200 '{answer}'; }} }} }}
"""
PROXY = """ upstream up {{ server 127.0.0.1:{upstream}; keepalive 256; keepalive_requests 100000000; }}
 server {{ listen 127.0.0.1:{port} backlog=4096; default_type application/json;
  location /mcp {{ proxy_http_version 1.1; proxy_set_header Connection ""; proxy_pass http://up/t/00007; }}
  location /list_ {{ root {folder}; types {{ }} }} }} }}
"""
GATEWAY = """mcp:
  identity: bench
  discovery:
    maxToolsPerBundle: 200
    maxToolsTotal: 200
  bundles:
    - id: {bundle}
      namePrefix: {prefix}
      manifestUrl: http://127.0.0.1:{upstream}/manifest_{tools}.json
"""


@dataclass(frozen=True, slots=True)
class Contestant:
    """One line of a table: a server, and what it is asked for a call and for a list."""

    name: str
    server: Server
    call: Request
    listing: Request
    plain: bool = False
    """Whether it answers a call with the tool's own body, and not with an MCP result around it."""


class Field:
    """Makes the contestants of one run; all their files lie in one folder, all ports are free ones."""

    def __init__(self, folder: Path, counts: tuple[int, ...]) -> None:
        self._folder = folder
        self._upstream_port = free_port()
        inputs.write_inputs(folder, counts, f"http://127.0.0.1:{self._upstream_port}")

    def upstream(self) -> Server:
        """Return the Tool Service behind all: nginx with one fixed answer, and the manifests as files."""
        text = UPSTREAM.replace("{answer}", inputs.answer().replace("{", "{{").replace("}", "}}"))
        return self._nginx("upstream", text, self._upstream_port, Request("/t/00007"))

    def contestants(self, tools: int) -> list[tuple[str, Callable[[], Contestant]]]:
        """Return name and maker of each contestant for a catalogue of that size; a maker may raise NotRunning."""
        return [
            (NGINX, lambda: self._proxy(tools)),
            (OURS, lambda: self._ours(tools, OURS, LEGACY)),
            (OURS_MODERN, lambda: self._ours(tools, OURS_MODERN, MODERN)),
            (OURS_FRESH, lambda: self._ours(tools, OURS_FRESH, LEGACY, fresh="guid")),
            (SDK_HTTPX, lambda: self._sdk(tools, SDK_HTTPX, "httpx")),
            (SDK_AIOHTTP, lambda: self._sdk(tools, SDK_AIOHTTP, "aiohttp")),
        ]

    def gateway(self, tools: int) -> Server:
        """Return our gateway as an operator would run it: production profile, log lines as JSON, metrics on."""
        config = self._folder / f"gateway_{tools}.yaml"
        text = GATEWAY.format(bundle=inputs.BUNDLE, prefix=inputs.PREFIX, upstream=self._upstream_port, tools=tools)
        config.write_text(text, encoding="utf-8")
        port, management = free_port(), free_port()
        flags = ("--port", str(port), "--management-port", str(management), "--log-format", "json")
        command = (axhub_program(), "gateway", "--config", str(config), *flags)
        return Server(f"axhub_{tools}", command, port, inputs.list_request(LEGACY), management_port=management)

    def _ours(self, tools: int, name: str, wire: str, fresh: str = "") -> Contestant:
        call = inputs.call_request(wire)._replace(fresh=fresh)
        return Contestant(name, self.gateway(tools), call, inputs.list_request(wire))

    def _proxy(self, tools: int) -> Contestant:
        server = self._nginx("proxy", PROXY, free_port(), inputs.call_request(LEGACY))
        return Contestant(NGINX, server, inputs.call_request(LEGACY), Request(f"/list_{tools}.json"), plain=True)

    def _sdk(self, tools: int, name: str, client: str) -> Contestant:
        python = peer_python(f"mcp-sdk-{client}")
        port = free_port()
        environment = {
            "MANIFEST": str(self._folder / f"manifest_{tools}.json"),
            "PORT": str(port),
            "CLIENT": client,
        }
        command = (str(python), str(HERE / "peers" / "mcp_sdk.py"))
        server = Server(f"sdk_{client}_{tools}", command, port, inputs.list_request(LEGACY), environment)
        return Contestant(name, server, inputs.call_request(LEGACY), inputs.list_request(LEGACY))

    def _nginx(self, name: str, text: str, port: int, probe: Request) -> Server:
        binary = program("nginx", "nginx-light")
        # Started by root, nginx would hand its workers to an account that cannot read a private folder.
        user = f"user {pwd.getpwuid(os.geteuid()).pw_name}; " if os.geteuid() == 0 else ""
        values = {"folder": self._folder, "name": name, "port": port, "upstream": self._upstream_port, "user": user}
        config = self._folder / f"nginx_{name}.conf"
        config.write_text((NGINX_HEAD + text).format(**values), encoding="utf-8")
        return Server(f"nginx_{name}", (binary, "-e", f"{self._folder}/{name}.err", "-c", str(config)), port, probe)


def axhub_program() -> str:
    """Return where our program is.

    Raises:
        NotRunning: it is not there.
    """
    axhub = Path(sys.executable).parent / "axhub"
    if not axhub.exists():
        raise NotRunning(f"{axhub} does not exist: run through `make bench`, or with the Python of .venv")
    return str(axhub)


def requirements(peer: str) -> Path:
    """Return the hash-pinned requirements of a peer."""
    return HERE / "requirements" / f"{peer}.txt"


def stamp_text(peer: str) -> str:
    """Return what a peer's stamp file holds once exactly these requirements are installed."""
    return hashlib.sha256(requirements(peer).read_bytes()).hexdigest()


def peer_python(peer: str) -> Path:
    """Return the Python of a peer's own environment.

    Raises:
        NotRunning: `bench/prepare.py` has not installed what the requirements ask for now.
    """
    stamp = PEERS / peer / "installed"
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != stamp_text(peer):
        raise NotRunning("its environment is not installed: run `make bench`, or bench/prepare.py")
    return PEERS / peer / "bin" / "python"
