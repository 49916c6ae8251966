"""The sample Tool Service on an author's machine: real process, real connections, its systems from samples."""

import json
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from axhub.contract.endpoints import EndpointPolicy, parse_url
from axhub.contract.manifest import Manifest, ManifestPolicy, check_manifest
from axhub.contract.manifest import run as run_check
from support import tree
from support.author import environ

PROJECT = tree.ROOT / "examples" / "insurance_tools"
DEFINITIONS = sorted(PROJECT.glob("src/insurance_tools/tool_definitions/*/*.yml"))
PATIENCE_SECONDS = 30


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    repeats = tmp_path_factory.mktemp("repeats") / "repeats.sqlite3"
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-m", "axhub.cli.main", "service", "insurance_tools", "--profile", "local"],
        cwd=PROJECT,
        env={**environ(), "AXHUB_SERVICE__SERVER__PORT": str(port), "INSURANCE_TOOLS_REPEATS": str(repeats)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_for(f"http://127.0.0.1:{port}/actuator/health/readiness", process)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE_SECONDS)


def wait_for(url: str, process: "subprocess.Popen[bytes]") -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    while process.poll() is None and time.monotonic() < until:
        try:
            if ask(url)[0] == 200:
                return
        except OSError:
            time.sleep(0.05)
    raise AssertionError(f"the service does not serve; it ended with {process.poll()}")


def ask(url: str, arguments: Any = None) -> tuple[int, Any]:
    body = None if arguments is None else json.dumps(arguments).encode()
    request = urllib.request.Request(url, body, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS) as answer:
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, json.loads(refused.read())


@pytest.mark.parametrize("definition", DEFINITIONS, ids=lambda path: path.stem)
def test_each_tool_answers_its_first_valid_example_from_a_sample(definition: Any, address: str) -> None:
    example = yaml.safe_load(definition.read_text(encoding="utf-8"))["examples"]["valid"][0]
    status, value = ask(f"{address}/tools/{definition.stem}", example)
    assert (status, isinstance(value, dict)) == (200, True), value


def test_a_gateway_adopts_what_it_publishes_without_the_tool_under_development(address: str) -> None:
    with urllib.request.urlopen(f"{address}/tool-manifest", timeout=PATIENCE_SECONDS) as answer:
        body = answer.read()
    policy = EndpointPolicy(
        service_domain=parse_url(address), base_endpoint=None, declared=frozenset(), any_origin=False
    )
    checked = run_check(check_manifest(body, ManifestPolicy("insurance-tools", endpoints=policy)))
    assert isinstance(checked, Manifest), checked
    assert [tool.name for tool in checked.tools] == [
        path.stem for path in sorted(DEFINITIONS, key=lambda path: path.stem) if path.stem != "ins_premium_estimate"
    ]
