"""In the profile local a service answers its own calls: its tools work with nothing behind them (toolkit/B4)."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import pytest
import uvicorn

from axhub.toolkit.config.settings import ServiceSettings
from axhub.toolkit.connectors.http_client import PooledHttpClient
from axhub.toolkit.connectors.mock_app import mock_app
from axhub.toolkit.connectors.serving import adapters, local_routes, unknown_apis
from axhub.toolkit.ports import HttpClient
from axhub.toolkit.service.app import ToolService
from support.http import exchange, render
from support.http_apis import Answer, Question, api, client

CLAIMS: Final = "/api/mock/http/cmm_claim_search"


@asynccontextmanager
async def served(app: Any, listening: socket.socket) -> AsyncIterator[int]:
    """Serve an app on a bound socket; yield its port."""
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="auto", ws="none"))
    task = asyncio.create_task(server.serve(sockets=[listening]))
    try:
        async with asyncio.timeout(10):
            while not server.started:
                assert not task.done()
                await asyncio.sleep(0.01)
        yield listening.getsockname()[1]
    finally:
        server.should_exit = True
        await task


@pytest.mark.req("toolkit/B4", "toolkit/H1")
async def test_a_tool_calls_its_api_and_the_service_itself_answers_from_the_samples() -> None:
    listening = socket.create_server(("127.0.0.1", 0))
    app = ToolService("insurance_tools")
    port = str(listening.getsockname()[1])
    app.configure(profile="local", environ={"AXHUB_SERVICE__SERVER__PORT": port})
    async with served(app, listening) as there:
        headers = [(b"Content-Type", b"application/json")]
        request = render(b'{"claimNo": "CLM202607220007"}', headers, path=b"/tools/cmm_claim_search")
        answer = await exchange(there, request)
        assert answer.status == 200
        numbers = [item["claimNo"] for item in answer.json["items"]]
        assert numbers == ["CLM202608100001", "CLM202607220007"]
        mock = await exchange(there, render(b"{}", path=CLAIMS.encode()))
        assert (mock.status, mock.json["nextKey"]) == (200, "")


@pytest.mark.req("toolkit/B4")
async def test_a_mock_takes_no_more_than_it_may(tmp_path: Path) -> None:
    (tmp_path / "samples/t").mkdir(parents=True)
    (tmp_path / "samples/t/http-claim.json").write_text('{"clmNo": "1"}')
    settings = ServiceSettings(bundle_id="a", apis=(api("http://localhost", CLAIMS),))
    app = mock_app(settings, tmp_path)
    async with served(app, socket.create_server(("127.0.0.1", 0))) as port:
        async with client(api(f"http://127.0.0.1:{port}", CLAIMS)) as http:
            assert await http.call("claim", Question(clmNo="1"), Answer) == Answer(clmNo="1")
        large = json.dumps({"a": "x" * 1_048_577}).encode()
        assert (await exchange(port, render(large, path=CLAIMS.encode()))).status == 413


@pytest.mark.req("toolkit/B4", "toolkit/H1")
def test_without_apis_there_is_nothing_to_mock(tmp_path: Path) -> None:
    settings = ServiceSettings(bundle_id="a")
    assert local_routes(settings, tmp_path) == []
    assert isinstance(adapters(settings)[HttpClient](), PooledHttpClient)


class Known:
    """A client whose API is configured."""

    API_NAME = "claim"


class Unknown:
    """A client whose API is not."""

    API_NAME = "claims"


@pytest.mark.req("toolkit/H1")
def test_a_client_that_names_no_api_of_the_configuration_is_a_problem() -> None:
    settings = ServiceSettings(bundle_id="a", apis=(api("http://localhost"),))
    assert unknown_apis(settings, [Known(), Unknown(), object()]) == [("Unknown", "claims", "claim")]
