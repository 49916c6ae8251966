"""What the HTTP front refuses by itself, as MCP clients read it."""

import json

import pytest

from axhub.gateway.adapters.mcp.wire import refuse
from axhub.gateway.ports import TOO_MANY_CONNECTIONS
from support.callers import calling
from support.gateway import bundle, running, settings

CALLERS_FAULT, OUR_FAULT = (400, 403, 404, 405, 408, 413, 415, 417, 421, 431), (500, 501, 503, 505)


@pytest.mark.req("gateway/P6")
@pytest.mark.parametrize(
    ("status", "code"), [*((status, -32600) for status in CALLERS_FAULT), *((status, -32603) for status in OUR_FAULT)]
)
def test_only_what_is_the_callers_fault_is_an_invalid_request(status: int, code: int) -> None:
    head, body = refuse(status, "No.")
    assert (head.status, head.close) == (status, True)
    assert json.loads(body) == {"jsonrpc": "2.0", "error": {"code": code, "message": "No."}}


@pytest.mark.req("ops/O6")
def test_too_many_connections_are_overload_and_another_503_is_not() -> None:
    head, body = refuse(503, TOO_MANY_CONNECTIONS)
    assert dict(head.headers)[b"Retry-After"] == b"1"
    error = {"code": -32603, "message": TOO_MANY_CONNECTIONS, "data": {"reason": "overloaded"}}
    assert json.loads(body) == {"jsonrpc": "2.0", "error": error}
    assert "data" not in json.loads(refuse(503, "The server could not answer.")[1])["error"]


@pytest.mark.req("ops/O6", "gateway/P6")
async def test_a_caller_above_the_limit_of_connections_hears_that_the_gateway_is_overloaded() -> None:
    limited = settings(bundle("http://127.0.0.1:1/tool-manifest"), max_connections=1)
    async with running(limited) as gateway, calling(gateway.port) as first:
        assert (await first.rpc("ping")).status == 200
        answer = await gateway.rpc("ping")
    assert (answer.status, answer.headers[b"retry-after"], answer.headers[b"connection"]) == (503, b"1", b"close")
    assert (answer.json["error"]["code"], answer.json["error"]["data"]) == (-32603, {"reason": "overloaded"})
