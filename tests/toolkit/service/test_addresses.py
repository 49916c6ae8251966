"""One spelling of each address, and what the caller has of the manifest (toolkit/S1, toolkit/S3)."""

import pytest

from support.desk import served


@pytest.mark.req("toolkit/S3")
@pytest.mark.parametrize(
    "path", ["/tool-manifest/", "/actuator/health/", "/actuator/health/liveness/", "/actuator/prometheus/", "/actuator"]
)
async def test_an_address_with_a_slash_too_many_is_not_found_and_leads_nowhere(path: str) -> None:
    async with served() as running:
        answer = await running.send(path, b"", method="GET")
        assert (answer.status, answer.json["error"]["code"]) == (404, "NOT_FOUND")
        assert b"location" not in answer.headers


@pytest.mark.req("toolkit/S1", "decision/D9")
async def test_tags_are_read_by_the_rules_of_http() -> None:
    async with served() as running:
        tag = (await running.send("/tool-manifest", b"", method="GET")).headers[b"etag"]
        known = [
            (tag,),
            (b'"other"', tag),
            (b'"a,b", W/' + tag,),
            (b' , "other" ,' + tag + b" ,",),
            (b" * ",),
        ]
        unknown = [
            (b'"other"',),
            (tag.strip(b'"'),),
            (b'"x ' + tag,),
            (tag + b" x",),
            (b"*, " + tag,),
            (b'"*"',),
            (b'"a, ' + tag.strip(b'"') + b'"',),
            (b"w/" + tag,),
            (b"",),
        ]
        for lines, status in [*((lines, 304) for lines in known), *((lines, 200) for lines in unknown)]:
            headers = tuple((b"If-None-Match", line) for line in lines)
            answer = await running.send("/tool-manifest", b"", headers, method="GET")
            assert (lines, answer.status) == (lines, status)


@pytest.mark.req("toolkit/S2")
async def test_blanks_around_the_name_of_a_tool_are_none_of_it() -> None:
    async with served() as running:
        answer = await running.call("desk_nothing")
        assert answer.status == 404
        for name in (b"\t desk_end \t", b"desk_end"):
            call = await running.send("/mcp", b'{"end":"refuse"}', ((b"Mcp-Name", name),))
            assert call.status == 409
        assert (await running.send("/mcp", b"{}", ((b"Mcp-Name", b" \t"),))).json["error"][
            "code"
        ] == "TOOL_NAME_MISSING"
