"""Every protocol test runs on both fronts: our own HTTP/1.1 server and the ASGI app under uvicorn."""

from collections.abc import AsyncIterator

import pytest

from support.gateway import FRONTS, Front, RunningGateway, bundle, manifest, running, settings, tool
from support.tool_service import ToolService, reply


@pytest.fixture(params=FRONTS)
def front(request: pytest.FixtureRequest) -> Front:
    found: Front = request.param
    return found


@pytest.fixture
async def service() -> AsyncIterator[ToolService]:
    async with ToolService() as started:
        tools = [
            tool("claim_search", title="청구 조회", annotations={"readOnlyHint": True, "other": 1}),
            tool("claim_off", _meta={"version": "1", "enabled": False}),
            tool("claim_slow", _meta={"version": "1", "timeoutMillis": 1_500}),
        ]
        started.on("/tool-manifest", reply(body=manifest("ins", tools)))
        started.on("/tools/claim_search", reply(body='{"이름": "홍길동",  "n": 1.0}'.encode()))
        yield started


@pytest.fixture
async def gateway(service: ToolService, front: Front) -> AsyncIterator[RunningGateway]:
    async with running(settings(bundle(service.url())), front) as started:
        yield started
