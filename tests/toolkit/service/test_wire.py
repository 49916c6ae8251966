"""The service on a real socket: addresses, bounds, callers that leave (toolkit/S1, S2, S5, S6, T6)."""

import asyncio

import pytest

from axhub.contract.endpoints import EndpointPolicy, parse_url
from axhub.contract.manifest import Manifest, ManifestLimits, ManifestPolicy, check_manifest, run
from support.desk import bounded_server, desk, eventually, served
from support.http import read_response, render

BODY = b'{"ticketNo":"TCK0001"}'
ANSWER = b'{"items":[{"ticketNo":"TCK0001","closedOn":"2026-01-31"}],"hasMore":false}'


@pytest.mark.req("toolkit/S2")
@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/tools/desk_ticket_search", ()),
        ("/tools/desk_ticket_search?x=1", ()),
        ("/tools/desk%5Fticket_search", ()),
        ("/mcp", ((b"Mcp-Name", b"desk_ticket_search"),)),
        ("/mcp/", ((b"Mcp-Name", b"desk_ticket_search"), (b"Mcp-Method", b"tools/call"))),
    ],
)
async def test_a_tool_is_called_by_its_path_or_by_its_name_in_a_header(
    path: str, headers: tuple[tuple[bytes, bytes], ...]
) -> None:
    async with served() as running:
        answer = await running.send(path, BODY, headers)
        assert (answer.status, answer.headers[b"content-type"], answer.body) == (200, b"application/json", ANSWER)


@pytest.mark.req("toolkit/T6")
async def test_a_slash_in_the_namespace_is_encoded_in_the_path_and_nowhere_else() -> None:
    async with served(namespace="team/") as running:
        manifest = (await running.send("/tool-manifest", b"", method="GET")).json
        tool = next(tool for tool in manifest["tools"] if tool["name"].endswith("ticket_search"))
        assert (tool["name"], tool["endpoint"]) == ("team/desk_ticket_search", "/tools/team%2Fdesk_ticket_search")
        assert (await running.send(tool["endpoint"], BODY)).body == ANSWER
        assert (await running.send("/tools/team%2fdesk_ticket_search", BODY)).body == ANSWER
        assert (await running.send("/mcp", BODY, ((b"Mcp-Name", b"team/desk_ticket_search"),))).body == ANSWER
        assert (await running.send("/tools/team/desk_ticket_search", BODY)).status == 404
        assert (await running.send("/tools/desk_ticket_search", BODY)).status == 404


@pytest.mark.req("toolkit/S1", "decision/D9")
async def test_the_manifest_has_an_etag_and_is_not_sent_again() -> None:
    async with served() as running:
        first = await running.send("/tool-manifest", b"", method="GET")
        tag = first.headers[b"etag"]
        assert (first.status, first.headers[b"content-type"]) == (200, b"application/json")
        assert tag.decode() == f'"{first.json["revision"]}"'
        for known in (tag, b'"other", W/' + tag, b"*"):
            again = await running.send("/tool-manifest", b"", ((b"If-None-Match", known),), method="GET")
            assert (again.status, again.headers[b"etag"], again.body) == (304, tag, b"")
        other = await running.send("/tool-manifest", b"", ((b"If-None-Match", b'"other"'),), method="GET")
        assert (other.status, other.body) == (200, first.body)


@pytest.mark.req("toolkit/S1", "toolkit/T8", "decision/D7", "rule/TK805")
async def test_the_manifest_is_one_that_a_gateway_adopts_and_leaves_drafts_out() -> None:
    async with served(disabled_tools=frozenset({"desk_end"})) as running:
        body = (await running.send("/tool-manifest", b"", method="GET")).body
        origin = parse_url("http://tools:8081/")
        policy = ManifestPolicy(
            bundle_id="desk",
            name_prefix="",
            endpoints=EndpointPolicy(
                service_domain=origin, base_endpoint=None, declared=frozenset({origin.origin}), any_origin=False
            ),
            limits=ManifestLimits(max_tools=100, max_tool_timeout_millis=30_000),
        )
        adopted = run(check_manifest(body, policy))
        assert isinstance(adopted, Manifest), adopted
        assert {tool.name: tool.enabled for tool in adopted.tools} == {
            "desk_caller_show": True,
            "desk_end": False,
            "desk_narrow": True,
            "desk_note_write": True,
            "desk_score_read": True,
            "desk_sleep": True,
            "desk_staff_only": True,
            "desk_stubborn": True,
            "desk_ticket_search": True,
        }


@pytest.mark.req("toolkit/S1", "decision/D6")
async def test_output_schemas_are_published_only_where_the_service_says_so() -> None:
    async with desk() as quiet, desk(publish_output_schema=True) as telling:
        assert b"outputSchema" not in quiet.app.prepare().manifest.body
        assert telling.app.prepare().manifest.body.count(b"outputSchema") == 1


@pytest.mark.req("toolkit/S3")
@pytest.mark.parametrize(
    ("method", "path", "headers", "status", "code", "allow"),
    [
        ("GET", "/tools/desk_end", (), 405, "METHOD_NOT_ALLOWED", b"POST"),
        ("GET", "/mcp", (), 405, "METHOD_NOT_ALLOWED", b"POST"),
        ("POST", "/tool-manifest", (), 405, "METHOD_NOT_ALLOWED", b"GET, HEAD"),
        ("GET", "/", (), 404, "NOT_FOUND", None),
        ("GET", "/docs", (), 404, "NOT_FOUND", None),
        ("POST", "/tools/", (), 404, "UNKNOWN_TOOL", None),
        ("POST", "/tools/none", (), 404, "UNKNOWN_TOOL", None),
        ("POST", "/tools/%00%ff", (), 404, "UNKNOWN_TOOL", None),
        ("POST", "/mcp", (), 400, "TOOL_NAME_MISSING", None),
        ("POST", "/mcp", ((b"Mcp-Name", b"x"), (b"Mcp-Method", b"tools/list")), 400, "NOT_A_TOOL_CALL", None),
        ("POST", "/mcp", ((b"Mcp-Name", b"\xea\xb0\x80"),), 404, "UNKNOWN_TOOL", None),
        ("POST", "/tools/desk_end", ((b"Content-Type", b"text/plain"),), 415, "UNSUPPORTED_MEDIA_TYPE", None),
        ("POST", "/tools/desk_end", ((b"Content-Encoding", b"gzip"),), 415, "UNSUPPORTED_MEDIA_TYPE", None),
        ("POST", "/tools/desk_end", ((b"guid", b"1"), (b"guid", b"2")), 400, "AMBIGUOUS_HEADER", None),
        ("POST", "/tools/desk_end", tuple((b"x-%d" % n, b"1") for n in range(70)), 431, "HEADERS_TOO_LARGE", None),
    ],
)  # fmt: skip
async def test_whatever_else_is_asked_gets_a_plain_refusal(
    method: str, path: str, headers: tuple[tuple[bytes, bytes], ...], status: int, code: str, allow: bytes | None
) -> None:
    async with served() as running:
        answer = await running.send(path, b"{}" if method == "POST" else b"", headers, method=method)
        assert (answer.status, answer.json["error"]["code"]) == (status, code)
        assert sorted(answer.json["error"]) == ["code", "message"]
        assert answer.headers.get(b"allow") == allow


@pytest.mark.req("toolkit/S6", "threat/T17")
async def test_a_body_over_the_bound_is_refused_with_or_without_a_length() -> None:
    async with served(server=bounded_server(max_request_bytes=64)) as running:
        refusal = {"code": "TOO_LARGE", "message": "The arguments are larger than 64 bytes. Send less."}
        declared = await running.send("/tools/desk_end", b"x" * 65)
        assert (declared.status, declared.json["error"]) == (413, refusal)
        chunks = b"29\r\n" + b"x" * 41 + b"\r\n" + b"29\r\n" + b"x" * 41 + b"\r\n0\r\n\r\n"
        streamed = await running.send("/tools/desk_end", chunks, ((b"Transfer-Encoding", b"chunked"),))
        assert (streamed.status, streamed.json["error"]) == (413, refusal)
        whole = await running.send(
            "/tools/desk_ticket_search", b"16\r\n" + BODY + b"\r\n0\r\n\r\n", ((b"Transfer-Encoding", b"chunked"),)
        )
        assert whole.body == ANSWER


@pytest.mark.req("toolkit/S5")
async def test_a_caller_that_leaves_cancels_its_call() -> None:
    async with served(timeouts_millis={"desk_sleep": 20_000}) as running:
        _, writer = await asyncio.open_connection("127.0.0.1", running.port)
        writer.write(render(b'{"seconds": 20}', path=b"/tools/desk_sleep"))
        await eventually(lambda: running.ledger.started)
        await asyncio.sleep(0.05)
        writer.close()
        await eventually(lambda: running.ledger.cancelled)
        await eventually(lambda: running.logged("tool_call"))
        assert [line["outcome"] for line in running.logged("tool_call")] == ["cancelled"]
        assert running.app.prepare().endpoint.in_flight == 0


@pytest.mark.req("toolkit/S6")
async def test_a_caller_that_leaves_before_its_body_is_whole_leaves_nothing_behind() -> None:
    async with served() as running:
        _, writer = await asyncio.open_connection("127.0.0.1", running.port)
        writer.write(render(b"{", ((b"Content-Length", b"50"),), path=b"/tools/desk_end"))
        await eventually(lambda: running.app.prepare().endpoint.in_flight == 1)
        writer.close()
        await eventually(lambda: running.app.prepare().endpoint.in_flight == 0)
        assert [line["outcome"] for line in running.logged("tool_call")] == ["cancelled"]


async def test_calls_of_one_connection_are_answered_one_after_the_other() -> None:
    async with served() as running:
        reader, writer = await asyncio.open_connection("127.0.0.1", running.port)
        one = render(BODY, ((b"Content-Type", b"application/json"),), path=b"/tools/desk_ticket_search")
        writer.write(one * 3)
        assert [(await read_response(reader)).body for _ in range(3)] == [ANSWER] * 3
        writer.close()


@pytest.mark.req("toolkit/S6")
async def test_health_tells_ready_while_it_is_and_not_once_it_drains() -> None:
    async with served() as running:
        paths = ("/actuator/health/liveness", "/actuator/health/readiness", "/actuator/health")
        found = [await running.send(path, b"", method="GET") for path in paths]
        components = {
            "liveness": {"status": "UP"},
            "readiness": {"status": "UP"},
            "tools": {"status": "UP", "details": {"count": 10}},
        }
        assert [(one.status, one.json) for one in found] == [
            (200, {"status": "UP"}),
            (200, {"status": "UP"}),
            (200, {"status": "UP", "components": components}),
        ]
        running.app.drain()
        found = [await running.send(path, b"", method="GET") for path in paths]
        assert [(one.status, one.json["status"]) for one in found] == [(200, "UP"), (503, "DOWN"), (503, "DOWN")]
        assert (await running.send("/tools/desk_ticket_search", BODY)).status == 200


@pytest.mark.req("toolkit/S6")
async def test_metrics_are_text_that_the_official_parser_reads() -> None:
    from prometheus_client.parser import text_string_to_metric_families  # noqa: PLC0415 - only here

    async with served() as running:
        await running.send("/tools/desk_ticket_search", BODY)
        answer = await running.send("/actuator/prometheus", b"", method="GET")
        assert answer.headers[b"content-type"] == b"text/plain; version=0.0.4; charset=utf-8"
        families = [family.name for family in text_string_to_metric_families(answer.body.decode())]
        assert sorted(name for name in families if not name.endswith("_created")) == [
            "axhub_service_calls_abandoned",
            "axhub_service_calls_in_flight",
            "axhub_service_header_conflicts",
            "axhub_service_tool_call_duration_seconds",
            "axhub_service_tool_calls",
        ]


async def test_a_service_that_has_not_started_says_so() -> None:
    from axhub.toolkit import ToolService  # noqa: PLC0415 - only here
    from support.asgi_server import on_loopback  # noqa: PLC0415 - only here
    from support.http import exchange  # noqa: PLC0415 - only here

    async with on_loopback(ToolService("support.desk_tools"), lifespan="off") as port:
        answer = await exchange(port, render(BODY, path=b"/tools/desk_end"))
        assert (answer.status, answer.json["error"]["code"]) == (503, "NOT_STARTED")
