"""The systems under test of the toolkit: our Tool Service, the same tool on bare Starlette, and on the official SDK."""

import sys
from collections.abc import Callable

from bench import inputs
from bench.inputs import LEGACY, Request, compact
from bench.servers import Server, free_port
from bench.suts import HERE, Contestant, axhub_program, peer_python

TOOLKIT, BARE, SDK_TOOL = "axhub Tool Service", "Starlette + Pydantic", "mcp SDK, same tool"
TOOL = "clm_claim_search"
ARGUMENTS = {"contractNo": "2023-0001234", "statuses": ["REVIEW", "PAID"], "limit": 20}
ANSWER = compact(
    {
        "items": [
            {
                "claimNo": "CLM202608100001",
                "status": "REVIEW",
                "statusLabel": "심사 중",
                "receivedOn": "2026-08-10",
                "paidAmount": None,
            },
            {
                "claimNo": "CLM202607220007",
                "status": "PAID",
                "statusLabel": "지급 완료",
                "receivedOn": "2026-07-22",
                "paidAmount": 350_000,
            },
        ],
        "hasMore": False,
    }
)
METRICS = Request("/actuator/prometheus")


def contestants() -> list[tuple[str, Callable[[], Contestant]]]:
    """Return name and maker of each contestant; a maker may raise NotRunning."""
    return [(TOOLKIT, _ours), (BARE, _bare), (SDK_TOOL, _sdk)]


def tool_request() -> Request:
    """Return a call as a gateway sends it, with the five caller headers."""
    headers = {"content-type": "application/json", **inputs.CALLER_HEADERS}
    return Request(f"/tools/{TOOL}", headers, compact(ARGUMENTS).encode())


def _ours() -> Contestant:
    """Return our service, its log as JSON, metrics on; the profile spares it the build and changes no call."""
    port = free_port()
    command = (axhub_program(), "service", "bench.service", "--profile", "local", "--port", str(port))
    environment = {"PYTHONPATH": str(HERE.parent)}
    return _plain(TOOLKIT, Server("toolkit", command, port, METRICS, environment, management_port=port))


def _bare() -> Contestant:
    port = free_port()
    command = (sys.executable, str(HERE / "peers" / "bare_starlette.py"))
    return _plain(BARE, Server("bare", command, port, METRICS, {"PORT": str(port)}, management_port=port))


def _sdk() -> Contestant:
    port = free_port()
    command = (str(peer_python("mcp-sdk-aiohttp")), str(HERE / "peers" / "mcp_tool.py"))
    call = inputs.call_request(LEGACY, tool=TOOL, arguments=ARGUMENTS)
    server = Server("sdk_tool", command, port, inputs.list_request(LEGACY), {"PORT": str(port)})
    return Contestant(SDK_TOOL, server, call, inputs.list_request(LEGACY))


def _plain(name: str, server: Server) -> Contestant:
    return Contestant(name, server, tool_request(), METRICS, plain=True)
