"""The service as a process: REST and chat over real HTTP, and the refusal to start with development's defaults."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

PATIENCE_SECONDS = 30.0


class Served(NamedTuple):
    address: str
    tokens: dict[str, str]

    def ask(self, who: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        """Return status and body of a POST, or of a GET without a body."""
        data = None if body is None else json.dumps(body).encode()
        sent = {"Authorization": f"Bearer {self.tokens[who]}", "Content-Type": "application/json", **headers}
        request = urllib.request.Request(f"{self.address}{path}", data, sent)  # noqa: S310 -- the service's own address
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS) as answer:  # noqa: S310 -- as above
                return answer.status, json.loads(answer.read())
        except urllib.error.HTTPError as refused:
            with refused:
                return refused.code, json.loads(refused.read())

    def refund(self, who: str, order_id: str, key: str) -> tuple[int, Any]:
        return self.ask(who, f"/api/v1/orders/{order_id}/refund", {}, **{"Idempotency-Key": key})

    def chat(self, who: str, message: str) -> str:
        """Return what the assistant says once everything that it wants to do is approved."""
        status, held = self.ask(who, "/api/v1/chat", {"message": message})
        assert (status, held["status"]) == (202, "waiting_for_approval")
        for one in held["approvals"]:
            decided, _ = self.ask("boram", f"/api/v1/approvals/{one['id']}/decision", {"decision": "approve"})
            assert decided == 200
        until = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < until:
            _, run = self.ask(who, f"/api/v1/runs/{held['runId']}?wait=5")
            if run["status"] == "answered":
                return str(run["content"])
        raise AssertionError("the run did not end in time")


def started(folder: Path, *words: str, **environ: str) -> "subprocess.Popen[str]":
    ours = {name: value for name, value in os.environ.items() if not name.startswith(("ORDER_SERVICE_", "LANG"))}
    return subprocess.Popen(  # noqa: S603 -- the words are these tests' own
        [sys.executable, "-u", "-m", "order_service", *words],
        cwd=folder,
        env={**ours, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **environ},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = started(tmp_path, ORDER_SERVICE_PROFILE="local", ORDER_SERVICE_PORT=str(port))
    try:
        assert process.stdout is not None
        said = [process.stdout.readline() for _ in range(6)]
        tokens = {line.partition(" ")[0]: line.rpartition(" ")[2].strip() for line in said}
        address = f"http://127.0.0.1:{port}"
        wait_for(f"{address}/health/ready", process)
        yield Served(address, tokens)
    finally:
        process.send_signal(signal.SIGTERM)
        out, error = process.communicate(timeout=PATIENCE_SECONDS)
    assert (process.returncode, "Traceback" in out + error) == (-signal.SIGTERM, False), error
    assert "type=order.refunded aggregate=order/hanbit/ORD-100" in error


def wait_for(url: str, process: "subprocess.Popen[str]") -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    while process.poll() is None and time.monotonic() < until:
        try:
            with urllib.request.urlopen(url, timeout=PATIENCE_SECONDS):  # noqa: S310 -- as above
                return
        except OSError:
            time.sleep(0.05)
    raise AssertionError(f"the service does not serve; it ended with {process.poll()}")


@pytest.mark.req("agent/A2", "agent/I1")
def test_rest_and_chat_meet_the_same_wall_over_http(served: Served) -> None:
    status, first = served.refund("minji", "ORD-100", "key-1")
    assert (status, first["status"]) == (200, "REFUNDED")
    assert served.chat("minji", "ORD-100 환불해줘") == "ORD-100 (무선 키보드) 주문을 환불했어요."
    assert served.chat("minji", "ORD-101 환불해줘") == "ORD-101 (27인치 모니터) 주문을 환불했어요."
    status, second = served.refund("minji", "ORD-101", "key-2")
    assert (status, second["status"]) == (200, "REFUNDED")
    assert served.refund("minji", "ORD-101", "key-3") == (200, second)
    status, refused = served.refund("junho", "ORD-100", "key-4")
    assert (status, refused["type"].rpartition(":")[2].upper()) == (404, "NOT_FOUND")


@pytest.mark.parametrize(
    ("words", "environ", "first"),
    [
        ((), {}, "order_service cannot start in the profile 'production':"),
        ((), {"LANG": "ko_KR.UTF-8"}, "order_service를 프로필 'production'(으)로 시작할 수 없습니다:"),
        (("--lang", "en"), {"LANG": "ko_KR.UTF-8"}, "order_service cannot start in the profile 'production':"),
    ],
)
def test_a_profile_that_is_left_to_development_ends_at_once_with_one_message(
    tmp_path: Path, words: tuple[str, ...], environ: dict[str, str], first: str
) -> None:
    process = started(tmp_path, *words, PYTHONIOENCODING="utf-8", **environ)
    out, error = process.communicate(timeout=PATIENCE_SECONDS)
    lines = error.splitlines()
    assert (process.returncode, out, len(lines)) == (2, "", 6)
    assert lines[0] == first
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("url", ["sqlite:///nowhere/orders.sqlite3", "postgresql://someone:secret@127.0.0.1:1/orders"])
def test_a_database_that_does_not_answer_ends_at_once_with_one_message(url: str, tmp_path: Path) -> None:
    process = started(tmp_path, ORDER_SERVICE_PROFILE="local", ORDER_SERVICE_DATABASE_URL=url)
    said = process.communicate(timeout=PATIENCE_SECONDS)
    message = "  ORDER_SERVICE_DATABASE_URL: this database does not answer\n"
    assert said == ("", f"order_service cannot start in the profile 'local':\n{message}")
    assert process.returncode == 2


@pytest.mark.parametrize("words", [("--lang", "en"), ("--lang", "ko")], ids=["en", "ko"])
@pytest.mark.parametrize("url", ["postgresql://someone:secret@db:port/orders", "sqlite://orders.sqlite3"])
def test_an_address_that_is_none_ends_at_once_with_its_mend(url: str, words: tuple[str, ...], tmp_path: Path) -> None:
    environ = {"ORDER_SERVICE_PROFILE": "local", "ORDER_SERVICE_DATABASE_URL": url, "PYTHONIOENCODING": "utf-8"}
    process = started(tmp_path, *words, **environ)
    out, error = process.communicate(timeout=PATIENCE_SECONDS)
    assert (process.returncode, out, len(error.splitlines())) == (2, "", 2)
    assert "  ORDER_SERVICE_DATABASE_URL: " in error
    assert "sqlite:///FILE" in error
    assert "secret" not in error
