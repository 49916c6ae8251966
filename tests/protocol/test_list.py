"""tools/list: members, projection per revision, caching fields, cursors (gateway/K4, K5, P4, P8, K7)."""

import pytest

from axhub.gateway.config.settings import RegistrySettings
from support.gateway import HANDSHAKE, NEW, REVISIONS, Front, RunningGateway, bundle, manifest, running, settings, tool
from support.tool_service import ToolService, reply

SCALAR = {"type": "integer"}
OBJECT = {"type": "object", "properties": {"n": {"type": "number"}}}


@pytest.mark.req("gateway/K4", "decision/D7")
@pytest.mark.parametrize("revision", REVISIONS)
async def test_only_public_members_of_enabled_tools_are_shown_in_the_fixed_order(
    gateway: RunningGateway, revision: str
) -> None:
    answer = await gateway.rpc("tools/list", revision=revision)
    shown = answer.json["result"]["tools"]
    assert [entry["name"] for entry in shown] == ["claim_search", "claim_slow"]
    members = ["name", "title", "description", "inputSchema", "annotations"]
    assert list(shown[0]) == [member for member in members if member != "title" or revision != "2025-03-26"]
    assert shown[0]["annotations"] == {"readOnlyHint": True}
    assert b"endpoint" not in answer.body
    assert "청구를 조회합니다".encode() in answer.body


@pytest.mark.req("gateway/P4")
async def test_the_new_revision_gets_its_result_type_stamp_and_cache_fields_and_no_old_one_does(
    gateway: RunningGateway,
) -> None:
    new = (await gateway.rpc("tools/list", revision=NEW)).json["result"]
    assert list(new) == ["tools", "resultType", "_meta", "ttlMs", "cacheScope"]
    assert (new["resultType"], new["ttlMs"], new["cacheScope"]) == ("complete", 3_600_000, "public")
    for revision in HANDSHAKE:
        assert list((await gateway.rpc("tools/list", revision=revision)).json["result"]) == ["tools"]


@pytest.mark.req("gateway/P8")
@pytest.mark.parametrize(
    ("revision", "shown"),
    [
        ("2025-03-26", []),
        ("2025-06-18", ["with_object"]),
        ("2025-11-25", ["with_object"]),
        (NEW, ["with_any", "with_object", "with_scalar"]),
    ],
)
async def test_an_output_schema_is_shown_only_where_the_revision_allows_its_kind(
    service: ToolService, front: Front, revision: str, shown: list[str]
) -> None:
    tools = [
        tool("with_object", outputSchema=OBJECT),
        tool("with_scalar", outputSchema=SCALAR),
        tool("with_any", outputSchema=True),
        tool("without"),
    ]
    service.on("/tool-manifest", reply(body=manifest("ins", tools)))
    async with running(settings(bundle(service.url())), front) as gateway:
        listed = (await gateway.rpc("tools/list", revision=revision)).json["result"]["tools"]
    assert [entry["name"] for entry in listed] == ["with_any", "with_object", "with_scalar", "without"]
    assert [entry["name"] for entry in listed if "outputSchema" in entry] == shown


@pytest.mark.req("gateway/K4", "gateway/K5")
async def test_the_text_of_numbers_and_the_order_of_keys_inside_a_member_are_kept(
    service: ToolService, front: Front
) -> None:
    schema = b'{ "type" : "object" , "properties" : { "z" : { "maximum" : 1.50, "const" : 1e2 } , "a" : {} } }'
    document = manifest("ins", [tool("t", inputSchema="@")]).replace(b'"@"', schema)
    service.on("/tool-manifest", reply(body=document))
    async with running(settings(bundle(service.url())), front) as gateway:
        answer = await gateway.rpc("tools/list")
    compact = b'{"type":"object","properties":{"z":{"maximum":1.50,"const":1e2},"a":{}}}'
    assert b'"inputSchema":%b}' % compact in answer.body


@pytest.mark.req("gateway/P10")
@pytest.mark.parametrize("cursor", ["x", "", 7])
@pytest.mark.parametrize("revision", REVISIONS)
async def test_a_cursor_that_was_never_given_out_is_invalid_params(
    gateway: RunningGateway, cursor: object, revision: str
) -> None:
    answer = await gateway.rpc("tools/list", {"cursor": cursor}, revision=revision)
    assert answer.json["error"]["code"] == -32602
    assert answer.status == (400 if revision == NEW else 200)


def claims(first: int, last: int) -> bytes:
    return manifest("ins", [tool(f"claim_{number}") for number in range(first, last + 1)])


@pytest.mark.req("gateway/P10")
@pytest.mark.parametrize("revision", REVISIONS)
async def test_pages_bring_every_tool_once_and_their_cursors_hold_on_another_replica(
    service: ToolService, front: Front, revision: str
) -> None:
    service.on("/tool-manifest", reply(body=claims(1, 7)))
    configured = settings(bundle(service.url()), page_size=3)
    async with running(configured, front) as one, running(configured, front) as other:
        listed: list[str] = []
        cursor: dict[str, str] = {}
        for gateway, size in ((one, 3), (other, 3), (one, 1)):
            result = (await gateway.rpc("tools/list", cursor, revision=revision)).json["result"]
            cached = ["resultType", "_meta", "ttlMs", "cacheScope"] if revision == NEW else []
            assert list(result) == ["tools", *(["nextCursor"] if size == 3 else []), *cached]
            listed += [entry["name"] for entry in result["tools"]]
            assert len(result["tools"]) == size
            if size == 3:
                cursor = {"cursor": result["nextCursor"]}
    assert listed == [f"claim_{number}" for number in range(1, 8)]


@pytest.mark.req("gateway/P10")
async def test_a_cursor_holds_when_the_tools_before_and_behind_it_change(service: ToolService, front: Front) -> None:
    service.on("/tool-manifest", reply(body=claims(3, 8)), reply(body=claims(1, 6)))
    at_once = RegistrySettings(refresh_interval_seconds=3600, recheck_min_interval_millis=0)
    async with running(settings(bundle(service.url()), page_size=2, registry=at_once), front) as gateway:
        first = (await gateway.rpc("tools/list", revision=NEW)).json["result"]
        assert [entry["name"] for entry in first["tools"]] == ["claim_3", "claim_4"]
        assert "error" in (await gateway.call("no_such_tool")).json
        rest = (await gateway.rpc("tools/list", {"cursor": first["nextCursor"]}, revision=NEW)).json["result"]
        assert [entry["name"] for entry in rest["tools"]] == ["claim_5", "claim_6"]
        assert "nextCursor" not in rest


@pytest.mark.req("gateway/P10")
@pytest.mark.parametrize("revision", REVISIONS)
async def test_a_cursor_of_another_gateway_is_invalid_params(service: ToolService, front: Front, revision: str) -> None:
    service.on("/tool-manifest", reply(body=claims(1, 2)))
    foreign = settings(bundle(service.url()), page_size=1, identity="another")
    async with running(foreign, front) as other, running(settings(bundle(service.url())), front) as gateway:
        cursor = (await other.rpc("tools/list")).json["result"]["nextCursor"]
        answer = await gateway.rpc("tools/list", {"cursor": cursor}, revision=revision)
    assert (answer.status, answer.json["error"]["code"]) == (400 if revision == NEW else 200, -32602)


@pytest.mark.req("gateway/K7", "fault/F01")
@pytest.mark.parametrize("revision", REVISIONS)
async def test_without_a_snapshot_list_and_call_are_503_and_the_rest_still_works(
    service: ToolService, front: Front, revision: str
) -> None:
    service.on("/tool-manifest", reply(500))
    async with running(settings(bundle(service.url())), front) as gateway:
        errors = []
        for method, params in (("tools/list", {}), ("tools/call", {"name": "claim_search"})):
            answer = await gateway.rpc(method, params, revision=revision)
            assert (answer.status, answer.headers[b"retry-after"]) == (503, b"1")
            assert (answer.json["id"], answer.json["error"]["code"]) == (7, -32603)
            assert answer.json["error"]["data"] == {"reason": "registry_unavailable"}
            errors.append(answer.json["error"])
        assert errors[0] == errors[1]
        alive = await gateway.rpc("server/discover" if revision == NEW else "ping", revision=revision)
        assert alive.status == 200
    assert [seen.target for seen in service.requests] == [b"/tool-manifest"]


@pytest.mark.req("gateway/K7", "gateway/G5")
async def test_an_empty_manifest_is_a_usable_list(service: ToolService, front: Front) -> None:
    service.on("/tool-manifest", reply(body=manifest("ins", [])))
    async with running(settings(bundle(service.url())), front) as gateway:
        answer = await gateway.rpc("tools/list")
    assert (answer.status, answer.json["result"]) == (200, {"tools": []})
