"""The order service as the process that a deployment runs, with its embedded database, and people who talk to it."""

import http.client
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from support import tree
from support.order_shop import Answer

SECONDS: Final = 150.0
"""How long an answer may take: a run has 120."""
_PEOPLE: Final = 6
_PATH: Final = os.pathsep.join(str(one) for one in tree.SOURCES)
_SSE: Final = "text/event-stream"


@dataclass
class OrderProcess:
    """A served order service."""

    process: "subprocess.Popen[str]"
    database_url: str
    port: int = 0
    tokens: dict[str, str] = field(default_factory=dict)
    """Of each person of the demonstration."""
    log: list[str] = field(default_factory=list)

    def call(self, method: str, path: str, who: str, body: object = None, **headers: str) -> Answer:
        """Send one request."""
        sent = {"Authorization": f"Bearer {self.tokens[who]}", "Content-Type": "application/json", **headers}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)
        try:
            connection.request(method, path, None if body is None else json.dumps(body), sent)
            response = connection.getresponse()
            return Answer(response.status, response.headers, response.read())
        finally:
            connection.close()

    def chat(self, who: str, message: str, conversation: str | None, *, is_streamed: bool) -> Any:
        """Say something; return what came of it, which may come as the last event of a stream."""
        body = {"message": message} | ({} if conversation is None else {"conversationId": conversation})
        headers = {"Accept": _SSE} if is_streamed else {}
        answer = self.call("POST", "/api/v1/chat", who, body, **headers)
        assert answer.status in {200, 202}, answer.text
        if not is_streamed:
            return answer.json
        *texts, (name, outcome) = answer.events
        assert name == "outcome", answer.text
        assert {name for name, _ in texts} <= {"text"}
        if outcome["status"] == "answered":
            assert "".join(one["text"] for _, one in texts).endswith(outcome["content"])
        return outcome

    def decide(self, approval: str, decision: str, approver: str) -> Answer:
        """Decide on an approval."""
        return self.call("POST", f"/api/v1/approvals/{approval}/decision", approver, {"decision": decision})

    def run(self, who: str, run_id: str) -> Any:
        """Return a run once it is not running."""
        found: Any = {"status": "running"}
        while found["status"] == "running":
            found = self.call("GET", f"/api/v1/runs/{run_id}?wait=5", who).json
        return found

    def _follow(self, ready: threading.Event) -> None:
        """Keep the log; at the line that says where it serves, or at the end, `ready` is set."""
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.log.append(line)
            if found := re.search(r"running on http://127\.0\.0\.1:(\d+)", line):
                self.port = int(found[1])
                ready.set()
        ready.set()


@contextmanager
def order_process(folder: Path, settings: Mapping[str, str]) -> Iterator[OrderProcess]:
    """Serve it with these variables; at the end of the block it has ended by itself, and nothing went wrong in it."""
    url = f"sqlite:///{folder / 'orders.sqlite3'}"
    own = {"ORDER_SERVICE_PROFILE": "local", "ORDER_SERVICE_PORT": "0", "ORDER_SERVICE_DATABASE_URL": url, **settings}
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("ORDER_SERVICE_")}
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "order_service"],
        cwd=folder,
        env={**inherited, "PYTHONPATH": _PATH, **own},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    served, ready = OrderProcess(process, url), threading.Event()
    following = threading.Thread(target=served._follow, args=(ready,))
    following.start()
    assert process.stdout is not None
    assert process.stderr is not None
    try:
        said = [process.stdout.readline() for _ in range(_PEOPLE)]
        served.tokens = {line.partition(" ")[0]: line.rpartition(" ")[2].strip() for line in said}
        assert ready.wait(SECONDS)
        assert served.port, "".join(served.log)
        yield served
    finally:
        process.terminate()
        process.wait(SECONDS)
        following.join()
        process.stdout.close()
        process.stderr.close()
    assert "Traceback" not in "".join(served.log), "".join(served.log)
