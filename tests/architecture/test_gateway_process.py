"""The gateway's process stays small: what other parts of the product use is never loaded into it."""

import subprocess
import sys

FOREIGN = {
    "aiohttp",
    "fastapi",
    "httpx",
    "httpx2",
    "mcp",
    "mcp_types",
    "prometheus_client",
    "pydantic",
    "starlette",
    "uvicorn",
}


def test_the_gateway_process_loads_no_web_framework_no_pydantic_no_mcp_sdk_and_no_metrics_library() -> None:
    script = "import axhub.cli.main, axhub.cli.gateway, axhub.gateway.main, sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert {name.split(".")[0] for name in done.stdout.split()} & FOREIGN == set()
