"""The pieces of the gateway that `bench/micro.py` times, put together without a socket."""

from collections.abc import Callable

from axhub.contract.endpoints import EndpointPolicy, parse_url
from axhub.contract.manifest import Manifest, ManifestLimits, ManifestPolicy, check_manifest, run
from axhub.gateway.adapters.clock import SystemClock
from axhub.gateway.adapters.http1.limits import ServerLimits
from axhub.gateway.adapters.http1.request_reader import RequestReader
from axhub.gateway.adapters.log import JsonLog
from axhub.gateway.adapters.mcp.door import Door
from axhub.gateway.adapters.mcp.endpoint import McpEndpoint
from axhub.gateway.adapters.mcp.projection import ServerFacts
from axhub.gateway.adapters.mcp.subscriptions import Subscriptions
from axhub.gateway.adapters.mcp_upstream_scripted import ScriptedMcpUpstream
from axhub.gateway.adapters.upstream_scripted import ok
from axhub.gateway.domain.call import ForwardedHeaders
from axhub.gateway.domain.catalogue import Snapshot, build_snapshot, merge
from axhub.gateway.domain.revision import Revision
from axhub.gateway.domain.route import CallRules
from axhub.gateway.ports import CallObserver, Cancel, HttpRequest, UpstreamAnswer, UpstreamRequest
from axhub.gateway.usecases.call_tool import CallTool
from axhub.gateway.usecases.list_tools import tools_array
from bench import inputs

UPSTREAM = "http://127.0.0.1:9"
ANSWER = inputs.answer().encode()


class AtOnce:
    """An upstream that answers at once, and keeps nothing."""

    def send(
        self,
        request: UpstreamRequest,  # noqa: ARG002 - the port
        on_done: Callable[[UpstreamAnswer], None],
        on_event: Callable[[bytes], bool] | None = None,  # noqa: ARG002 - the port
    ) -> Cancel:
        """Answer."""
        on_done(ok(ANSWER))
        return ignore


def snapshot(count: int) -> Snapshot:
    """Return the catalogue of the bench, made through the real checks."""
    manifest = inputs.compact(inputs.manifest(count, UPSTREAM)).encode()
    base = parse_url(UPSTREAM)
    endpoints = EndpointPolicy(base, None, frozenset({base.origin}), any_origin=False)
    policy = ManifestPolicy(inputs.BUNDLE, inputs.PREFIX, endpoints, ManifestLimits(max_tools=count))
    checked = run(check_manifest(manifest, policy))
    if not isinstance(checked, Manifest):
        raise SystemExit(f"the manifest of the bench was refused: {checked}")
    tools = merge({inputs.BUNDLE: checked}, max_total=count)
    if not isinstance(tools, tuple):
        raise SystemExit(f"the catalogue of the bench was refused: {tools}")
    return build_snapshot(tools, tools_array(tools, Revision.V2025_11_25), SystemClock().now())


def raw_request(request: inputs.Request) -> bytes:
    """Return a request as a caller's connection brings it."""
    lines = [f"POST {request.path} HTTP/1.1", "Host: 127.0.0.1:8080"]
    lines += [f"{name}: {value}" for name, value in request.headers.items()]
    lines += [f"Content-Length: {len(request.body)}", "", ""]
    return "\r\n".join(lines).encode() + request.body


def ignore(*_: object, more: bool = False) -> None:
    """Take a reply or a line and do nothing with it."""


def endpoint(of: Snapshot, count: CallObserver, log_call: CallObserver) -> McpEndpoint:
    """Return the whole core over an upstream that answers at once."""

    async def recheck() -> None:
        """Bring nothing new: every name that is called is known."""

    call_tool = CallTool(
        upstream=AtOnce(),
        mcp_upstream=ScriptedMcpUpstream(lambda _call: None),
        rules={inputs.BUNDLE: CallRules()},
        forwarded_headers=ForwardedHeaders(),
        recheck=recheck,
        count=count,
        log_call=log_call,
        log=JsonLog(ignore, SystemClock()),
        clock=SystemClock(),
        new_error_id=str,
        max_in_flight=512,
    )
    door = Door(allowed_origins=None, allowed_hosts=())
    facts = ServerFacts("bench", "1", 30_000)
    subscriptions = Subscriptions(facts.stateless_members, SystemClock())
    core = McpEndpoint(call_tool=call_tool, door=door, facts=facts, not_found_code=-32001, subscriptions=subscriptions)
    core.publish(of)
    return core


def read(raw: bytes) -> HttpRequest:
    """Return the request that the front's reader makes of these bytes."""
    reader = RequestReader(ServerLimits())
    reader.feed(raw)
    request = reader.queue.popleft()[0]
    if not isinstance(request, HttpRequest):
        raise SystemExit(f"the request of the bench was refused: {request}")
    return request
