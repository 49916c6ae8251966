"""The pull over the wire: exactly one request (gateway/G4), and a name for whatever comes back (gateway/G5)."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from axhub.contract.endpoints import Origin, parse_url
from axhub.gateway.adapters.clock import SystemClock
from axhub.gateway.adapters.manifest_http import HttpManifestSource
from axhub.gateway.domain.bundle import Moment
from axhub.gateway.ports import Failure, Pulled, PullFailure, UpstreamAnswer
from axhub.gateway.usecases.pull_bundle import Accepted, LastGood, ManifestChecker, NotAdopted, PulledBundle, Unchanged
from support.fetching import fetch
from support.manifests import manifest
from support.misbehaviour import misbehaviours
from support.refreshing import policy
from support.tool_service import Answer, Close, Hang, Send, ToolService, reply, response

MAX_BYTES = 20_000
GOOD = manifest("a", ["claim_find"], revision="sha256:9f2c")
MISBEHAVIOURS = misbehaviours(GOOD, MAX_BYTES)
PATH = "/tool-manifest"
CLOCK = SystemClock()


@pytest.fixture
async def service() -> AsyncIterator[ToolService]:
    async with ToolService() as running:
        yield running


def source_of(service: ToolService, target: str = PATH, *, seconds: float = 10.0) -> HttpManifestSource:
    return HttpManifestSource(
        fetch,
        {"a": parse_url(service.url(target))},
        connect_timeout=seconds,
        read_timeout=seconds,
        max_bytes=MAX_BYTES,
    )


def last_good(source: HttpManifestSource, *, conditional: bool = False) -> LastGood:
    return LastGood(
        PulledBundle("a", enabled=True, policy=policy("a")),
        source=source,
        checker=ManifestChecker(CLOCK),
        clock=CLOCK,
        conditional=conditional,
    )


def now() -> Moment:
    return Moment(CLOCK.now(), CLOCK.monotonic())


@pytest.mark.req("gateway/G4", "decision/D9")
async def test_the_request_has_these_headers_and_no_others(service: ToolService) -> None:
    service.on(PATH + "?v=1", reply(200, GOOD))
    source = source_of(service, PATH + "?v=1")
    assert await source.pull("a", None) == Pulled(body=GOOD)
    assert await source.pull("a", "sha256:9f2c") == Pulled(body=GOOD)
    first, second = service.requests
    fixed = [
        (b"Host", b"127.0.0.1:%d" % service.port),
        (b"Accept", b"application/json"),
        (b"Accept-Encoding", b"identity"),
        (b"Connection", b"close"),
    ]
    assert (first.method, first.target, first.body) == (b"GET", b"/tool-manifest?v=1", b"")
    assert sorted(first.lines) == sorted(fixed)
    assert sorted(second.lines) == sorted([*fixed, (b"If-None-Match", b'"sha256:9f2c"')])


@pytest.mark.req("gateway/P11", "gateway/G5")
@pytest.mark.parametrize("status", [406, 415])
async def test_what_an_mcp_server_says_to_a_plain_get_names_the_key_that_it_needs(
    service: ToolService, status: int
) -> None:
    service.on(PATH, reply(status, b""))
    pulled = await source_of(service).pull("a", None)
    assert pulled.failure is PullFailure.HTTP_STATUS
    assert pulled.detail.endswith("(an MCP server needs protocol: mcp)")


@pytest.mark.req("gateway/G4")
async def test_every_pull_has_a_connection_of_its_own_without_cookies(service: ToolService) -> None:
    service.on(PATH, reply(200, GOOD, headers=[(b"Set-Cookie", b"session=1")]))
    source = source_of(service)
    for _ in range(3):
        assert await source.pull("a", None) == Pulled(body=GOOD)
    await service.ended(3)
    assert [request.connection for request in service.requests] == [1, 2, 3]
    assert all(b"cookie" not in request.headers for request in service.requests)


@pytest.mark.req("gateway/G4")
async def test_no_proxy_of_the_environment_is_used(service: ToolService, monkeypatch: pytest.MonkeyPatch) -> None:
    async with ToolService() as proxy:
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.origin)
        service.on(PATH, reply(200, GOOD))
        assert await source_of(service).pull("a", None) == Pulled(body=GOOD)
        assert proxy.connections == 0


@pytest.mark.req(
    "gateway/G4", "gateway/G5", "gateway/G6", "fault/F03", "fault/F04", "input/B01", "input/B02", "input/B03",
    "input/B04", "input/B06", "input/B07", "input/B08", "input/B09", "input/B14", "input/B15", "input/B16",
    "input/B36", "input/B37", "input/B38", "threat/T02", "threat/T04",
)  # fmt: skip
@pytest.mark.parametrize("name", MISBEHAVIOURS)
async def test_a_service_that_misbehaves_has_a_named_failure_and_keeps_its_last_good(
    service: ToolService, name: str
) -> None:
    answer, reason = MISBEHAVIOURS[name]
    service.on(PATH, reply(200, GOOD), answer, reply(200, GOOD))
    kept = last_good(source_of(service, seconds=0.75 if reason is PullFailure.TIMED_OUT else 10.0))
    assert isinstance(await kept.pull(now()), Accepted)
    refused = await kept.pull(now())
    assert isinstance(refused, NotAdopted)
    assert refused.reason is reason
    assert kept.state.revision == "sha256:9f2c"
    assert (kept.state.status, kept.state.last_failure_reason) == ("degraded", reason)
    assert isinstance(await kept.pull(now()), Accepted)
    assert [request.target for request in service.requests] == [PATH.encode()] * 3
    await service.ended(3)


@pytest.mark.req("gateway/G4", "fault/F03", "fault/F04")
@pytest.mark.parametrize("name", ["silence", "dripping head", "dripping body"])
async def test_one_deadline_bounds_the_whole_pull(service: ToolService, name: str) -> None:
    service.on(PATH, MISBEHAVIOURS[name][0])
    start = CLOCK.monotonic()
    pulled = await source_of(service, seconds=0.05).pull("a", None)
    assert pulled.failure is PullFailure.TIMED_OUT
    assert 0.3 <= CLOCK.monotonic() - start < 3  # the drips would take longer
    await service.ended(1)


@pytest.mark.req("gateway/G5", "input/B16")
@pytest.mark.parametrize(
    "kind",
    [
        b"application/json",
        b"APPLICATION/Json",
        b"application/json;charset=utf-8",
        b'application/json ; Charset="UTF-8"',
        b"application/json; profile=x; charset=UTF-8",
        b"application/json;",
    ],
)
async def test_json_in_any_case_without_a_charset_or_with_utf_8_is_taken(service: ToolService, kind: bytes) -> None:
    service.on(PATH, reply(200, GOOD, content_type=kind))
    assert await source_of(service).pull("a", None) == Pulled(body=GOOD)


@pytest.mark.req("gateway/G5")
@pytest.mark.parametrize("coding", [b"identity", b"Identity", b""])
async def test_identity_is_no_encoding(service: ToolService, coding: bytes) -> None:
    service.on(PATH, reply(200, GOOD, headers=[(b"Content-Encoding", coding)]))
    assert await source_of(service).pull("a", None) == Pulled(body=GOOD)


@pytest.mark.req("gateway/G4", "input/B37")
@pytest.mark.parametrize(
    "answer",
    [
        reply(200, GOOD, chunked=True),
        reply(200, GOOD, length=None, then=(Close(),)),
        (Send(b"HTTP/1.1 100 Continue\r\n\r\n" * 3 + response(200, GOOD)),),
        (Send(b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" + response(200, GOOD)), Hang()),
    ],
    ids=["chunks", "without length", "100", "103"],
)
async def test_every_proper_framing_is_read(service: ToolService, answer: Answer) -> None:
    service.on(PATH, answer)
    assert await source_of(service).pull("a", None) == Pulled(body=GOOD)


@pytest.mark.req("gateway/G4", "input/B39")
@pytest.mark.parametrize("surplus", [b"x", response(200, b"{}"), b"\r\n" * 5], ids=["a byte", "an answer", "line ends"])
async def test_bytes_after_the_answer_reach_no_other_pull(service: ToolService, surplus: bytes) -> None:
    service.on(PATH, (Send(response(200, GOOD) + surplus),), reply(200, b"next"))
    source = source_of(service)
    assert (await source.pull("a", None)).body in {GOOD, None}
    assert await source.pull("a", None) == Pulled(body=b"next")


@pytest.mark.req("decision/D9")
async def test_a_304_that_was_asked_for_keeps_the_last_good(service: ToolService) -> None:
    service.on(PATH, reply(200, GOOD), reply(304, b"", length=None))
    kept = last_good(source_of(service), conditional=True)
    assert isinstance(await kept.pull(now()), Accepted)
    assert await kept.pull(now()) == Unchanged()
    assert service.requests[1].headers[b"if-none-match"] == b'"sha256:9f2c"'
    assert kept.state.status == "healthy"


@pytest.mark.req("decision/D9")
@pytest.mark.parametrize("revision", ['a"b', "보험", "a b", "a\r\nX-Evil: 1", "", "\x7f"])
async def test_a_revision_that_cannot_be_an_entity_tag_is_not_asked_for(service: ToolService, revision: str) -> None:
    service.on(PATH, reply(304, b"", length=None))
    pulled = await source_of(service).pull("a", revision)
    assert pulled.failure is PullFailure.UNEXPECTED_NOT_MODIFIED
    assert b"if-none-match" not in service.requests[0].headers
    assert b"x-evil" not in service.requests[0].headers


@pytest.mark.req("gateway/G4")
async def test_a_client_that_does_not_keep_the_deadline_is_given_up() -> None:
    async def hang(_origin: Origin, _head: bytes, _timeout: float, _max_bytes: int) -> UpstreamAnswer:
        await asyncio.Event().wait()
        raise AssertionError

    endpoints = {"a": parse_url("http://127.0.0.1:9/")}
    source = HttpManifestSource(hang, endpoints, connect_timeout=0.01, read_timeout=0.01, max_bytes=1)
    assert (await source.pull("a", None)).failure is PullFailure.TIMED_OUT


@pytest.mark.req("gateway/G5", "gateway/M2")
@pytest.mark.parametrize(
    ("detail", "told"),
    [("connection refused", "connection refused at http://a:80/m?…"), ("", "unreachable at http://a:80/m?…")],
)
async def test_why_no_connection_could_be_made_is_told_to_the_operator(detail: str, told: str) -> None:
    async def unconnected(_origin: Origin, _head: bytes, _seconds: float, _max_bytes: int) -> UpstreamAnswer:
        return UpstreamAnswer(0, {}, b"", Failure.UNREACHABLE, sent=False, detail=detail)

    endpoints = {"a": parse_url("http://a/m?key=1")}
    source = HttpManifestSource(unconnected, endpoints, connect_timeout=1.0, read_timeout=1.0, max_bytes=MAX_BYTES)
    assert await source.pull("a", None) == Pulled(failure=PullFailure.CONNECT_FAILED, detail=told)
