"""The tool of the bench on bare Starlette and Pydantic: what a team would write that has no toolkit, written well.

It does what `axhub service` is measured on: the arguments validated, the same JSON line in the log, the same counter
and histogram. It has none of the rest: no bounds, no deadline, no words for a model. Environment: PORT.
"""

import logging
import os
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
import uvicorn
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bench.peers.claims import NAME, ClaimSearchRequest, search_claims

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
OUTCOMES = {200: "ok", 400: "invalid_arguments", 500: "error"}
registry = CollectorRegistry()
calls = Counter("axhub_service_tool_calls", "Calls by how they ended.", ["tool", "outcome"], registry=registry)
seconds = Histogram(
    "axhub_service_tool_call_duration_seconds", "Seconds.", ["tool"], buckets=BUCKETS, registry=registry
)
count = {status: calls.labels(NAME, outcome).inc for status, outcome in OUTCOMES.items()}
observe = seconds.labels(NAME).observe
log = logging.getLogger("bare")
encode = msgspec.json.Encoder().encode


class Line(logging.Formatter):
    """A record as one line of JSON; the second is written once and kept."""

    second, stamp = -1, ""

    def format(self, record: logging.LogRecord) -> str:
        if int(record.created) != self.second:
            self.second = int(record.created)
            self.stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(self.second))
        line: dict[str, Any] = {
            "ts": f"{self.stamp}.{int(record.msecs):03}Z",
            "level": record.levelname.lower(),
            "event": record.msg,
            **record.__dict__["fields"],
        }
        return encode(line).decode()


async def call(request: Request) -> Response:
    """Answer a call of the tool."""
    started = time.perf_counter()
    try:
        answer = await search_claims(ClaimSearchRequest.model_validate_json(await request.body()))
        response = Response(answer.model_dump_json(by_alias=True), media_type="application/json")
    except ValidationError as error:
        response = JSONResponse({"errors": error.errors(include_url=False, include_input=False)}, 400)
    except Exception:  # noqa: BLE001 - the edge of the service
        response = JSONResponse({"error": "internal"}, 500)
    elapsed = time.perf_counter() - started
    count[response.status_code]()
    observe(elapsed)
    headers = request.headers
    guid = headers.get("guid", "")
    fields = {
        "tool": NAME,
        "outcome": OUTCOMES[response.status_code],
        "status": response.status_code,
        "durationMs": round(elapsed * 1000, 3),
        "guid": guid,
        "xRequestId": headers.get("x-request-id", ""),
        "traceId": headers.get("traceparent") or headers.get("trace-id") or guid,
    }
    log.info("tool_call", extra={"fields": fields})
    return response


async def metrics(_: Request) -> Response:
    """Answer with the metrics; it also serves as the probe."""
    return Response(generate_latest(registry), media_type="text/plain; version=0.0.4")


if __name__ == "__main__":
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Line())
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    routes = [Route(f"/tools/{NAME}", call, methods=["POST"]), Route("/actuator/prometheus", metrics)]
    uvicorn.run(
        Starlette(routes=routes),
        host="127.0.0.1",
        port=int(os.environ["PORT"]),
        log_level="warning",
        access_log=False,
        loop="uvloop",
        http="httptools",
    )
