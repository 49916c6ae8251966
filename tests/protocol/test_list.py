"""tools/list: members, projection per revision, caching fields, cursors (gateway/K4, K5, P4, P8, K7)."""

import pytest

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
