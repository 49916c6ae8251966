"""What the HTTP adapter sends, byte by byte, and what it never sends (toolkit/H1, toolkit/H2)."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from axhub.toolkit.connectors.http_client import PooledHttpClient
from axhub.toolkit.context import Encrypted, ToolContext, current_context, current_tool
from axhub.toolkit.errors import LegacyError
from axhub.toolkit.models import HttpBody
from support.http_apis import QUESTION, Answer, Question, api, client
from support.tool_service import Close, Received, ToolService, reply

OK = reply(body=b'{"clmNo": "1"}')


@pytest.fixture
async def legacy() -> AsyncIterator[ToolService]:
    async with ToolService() as service:
        service.on("/claims", OK)
        yield service


async def sent(legacy: ToolService, target: str = "/claims", body: HttpBody = QUESTION, **more: Any) -> Received:
    """Return the request as it came."""
    legacy.on(target, OK)
    async with client(api(legacy.origin, **more)) as http:
        assert await http.call("claim", body, Answer) == Answer(clmNo="1")
    return legacy.requests[-1]


@pytest.mark.req("toolkit/H1", "toolkit/H2")
async def test_a_call_sends_these_headers_and_no_others(legacy: ToolService) -> None:
    context = ToolContext("trace-1", "request-1", guid="guid-1", session_id="s", employee=Encrypted("cipher=="))
    current_context.set(context)
    seen = await sent(legacy, headers=(("X-Api-Key", "k-1"),))
    assert sorted(seen.lines) == [
        (b"Accept", b"application/json"),
        (b"Accept-Encoding", b"identity"),
        (b"Content-Length", b"32"),
        (b"Content-Type", b"application/json;charset=UTF-8"),
        (b"Host", legacy.origin.removeprefix("http://").encode()),
        (b"X-Api-Key", b"k-1"),
        (b"employee-id", b"cipher=="),
        (b"request-id", b"request-1"),
        (b"trace-id", b"trace-1"),
    ]
    assert (seen.method, seen.body) == (b"POST", '{"clmNo":"청구-1","rows":null}'.encode())


class Row(HttpBody):
    """What is asked, with members that may stand in a path."""

    no: str | None = "청구/1 ?"
    row: int | list[int] = 2
    rest: str = "r"


@pytest.mark.req("toolkit/H1")
@pytest.mark.parametrize(
    ("method", "url", "target", "body"),
    [
        ("POST", "/c/{no}/{row}?all=1", "/c/%EC%B2%AD%EA%B5%AC%2F1%20%3F/2?all=1", b'{"rest":"r"}'),
        ("GET", "/c/{row}.json", "/c/2.json?no=A+1&rest=r", b""),
        ("DELETE", "/c/{row}/{row}?all=1", "/c/2/2?all=1&no=A+1&rest=r", b""),
    ],
)
async def test_a_path_is_filled_with_members_which_then_stand_nowhere_else(
    method: str, url: str, target: str, body: bytes, legacy: ToolService
) -> None:
    legacy.on(target, OK)
    async with client(api(legacy.origin, url, method=method)) as http:
        await http.call("claim", Row(no="청구/1 ?" if body else "A 1"), Answer)
    assert (legacy.requests[-1].target, legacy.requests[-1].body) == (target.encode(), body)


@pytest.mark.req("toolkit/H1")
@pytest.mark.parametrize("value", ["", ".", "..", None])
async def test_a_path_that_a_value_would_lead_astray_is_not_sent(value: str | None, legacy: ToolService) -> None:
    async with client(api(legacy.origin, "/c/{no}")) as http:
        with pytest.raises(LegacyError) as caught:
            await http.call("claim", Row(no=value), Answer)
        assert (caught.value.code, caught.value.message) == (
            "invalid_request",
            "the API's url has {no}, and the request has no usable no",
        )
    assert legacy.requests == []


@pytest.mark.req("toolkit/H1")
@pytest.mark.parametrize("url", ["/c/{row}", "/c/{none}"])
async def test_a_list_or_a_missing_member_fills_no_path(url: str, legacy: ToolService) -> None:
    async with client(api(legacy.origin, url)) as http:
        with pytest.raises(LegacyError) as caught:
            await http.call("claim", Row(row=[1]), Answer)
    assert "has no usable" in caught.value.message


@pytest.mark.req("toolkit/H1")
async def test_a_path_has_the_characters_of_the_apis_charset_only(legacy: ToolService) -> None:
    async with client(api(legacy.origin, "/c/{no}", content_type="application/json;charset=EUC-KR")) as http:
        with pytest.raises(LegacyError) as caught:
            await http.call("claim", Row(no="🙂"), Answer)
    assert caught.value.message == "the request has a character that euc_kr lacks"


@pytest.mark.req("toolkit/B4", "toolkit/H2")
async def test_only_a_mock_is_told_which_tool_asks(legacy: ToolService) -> None:
    token = current_tool.set("cmm_claim_search")
    try:
        real = await sent(legacy)
        legacy.on("/api/mock/http/x", OK)
        async with client(api(legacy.origin, "/api/mock/http/x")) as http:
            await http.call("claim", QUESTION, Answer)
    finally:
        current_tool.reset(token)
    told = legacy.requests[-1].headers
    assert (real.headers.get(b"x-axhub-tool"), told[b"x-axhub-tool"]) == (None, b"cmm_claim_search")


@pytest.mark.req("toolkit/H2")
async def test_outside_of_a_call_the_ids_are_new_ones(legacy: ToolService) -> None:
    headers = (await sent(legacy)).headers
    assert re.fullmatch(b"[0-9a-f]{32}", headers[b"trace-id"])
    assert re.fullmatch(b"[0-9a-f]{32}", headers[b"request-id"])
    assert b"employee-id" not in headers


@pytest.mark.req("toolkit/H2")
async def test_with_new_request_id_each_call_has_its_own(legacy: ToolService) -> None:
    current_context.set(ToolContext("trace-1", "request-1"))
    async with client(api(legacy.origin, new_request_id=True)) as http:
        for _ in range(2):
            await http.call("claim", QUESTION, Answer)
    ids = [seen.headers[b"request-id"] for seen in legacy.requests]
    assert all(re.fullmatch(b"[0-9a-f]{32}", one) for one in ids)
    assert len({*ids, b"request-1"}) == 3
    assert [seen.headers[b"trace-id"] for seen in legacy.requests] == [b"trace-1"] * 2


@pytest.mark.req("toolkit/H2", "threat/T10")
async def test_ids_cannot_bring_headers_of_their_own(legacy: ToolService) -> None:
    current_context.set(ToolContext("a\r\nx-evil: 1", "요청\t-1\u2028", employee=None))
    headers = (await sent(legacy)).headers
    assert (headers[b"trace-id"], headers[b"request-id"]) == (b"ax-evil: 1", b"-1")
    assert b"x-evil" not in headers


@pytest.mark.req("toolkit/H2", "threat/T10")
@pytest.mark.parametrize("cipher_text", ["a\r\nx: 1", "사번", "\udcff"])
async def test_an_employee_number_that_no_header_holds_is_not_sent(cipher_text: str, legacy: ToolService) -> None:
    current_context.set(ToolContext("t", "r", employee=Encrypted(cipher_text)))
    async with client(api(legacy.origin)) as http:
        with pytest.raises(LegacyError) as caught:
            await http.call("claim", QUESTION, Answer)
    assert (caught.value.code, legacy.requests) == ("invalid_request", [])


class Query(HttpBody):
    """What a query can hold."""

    word: str
    rows: int
    exact: bool
    kinds: list[str]
    none: str | None = None


@pytest.mark.req("toolkit/H1")
@pytest.mark.parametrize("method", ["GET", "DELETE"])
async def test_get_and_delete_put_the_members_into_the_query(method: str, legacy: ToolService) -> None:
    question = Query(word="보험 a&b=c+%41", rows=3, exact=True, kinds=["x", "y"])
    target = "/claims?word=%EB%B3%B4%ED%97%98+a%26b%3Dc%2B%2541&rows=3&exact=true&kinds=x&kinds=y"
    seen = await sent(legacy, target, question, method=method)
    assert (seen.method.decode(), seen.target.decode(), seen.body) == (method, target, b"")
    assert {b"content-type", b"transfer-encoding"}.isdisjoint(seen.headers)


@pytest.mark.req("toolkit/H1")
async def test_a_query_follows_the_one_of_the_address(legacy: ToolService) -> None:
    seen = await sent(
        legacy, "/claims?system=%BA%B8&clmNo=1", Question(clmNo="1"), url="/claims?system=%BA%B8", method="GET"
    )
    assert seen.target == b"/claims?system=%BA%B8&clmNo=1"


class Nested(HttpBody):
    """What no query can hold."""

    inner: Query | None = None
    lists: list[list[str]] | None = None


@pytest.mark.req("toolkit/H1")
@pytest.mark.parametrize(
    ("body", "name"),
    [
        (Nested(inner=Query(word="a", rows=1, exact=True, kinds=[])), "inner"),
        (Nested(lists=[["a"]]), "lists"),
    ],
)
async def test_what_has_no_place_in_a_query_is_refused(body: Nested, name: str, legacy: ToolService) -> None:
    async with client(api(legacy.origin, method="GET")) as http:
        with pytest.raises(LegacyError) as caught:
            await http.call("claim", body, Answer)
    found = caught.value
    assert (found.code, found.message) == (
        "invalid_request",
        f"{name} is an object or a list of lists, which no query holds",
    )


EUC_KR = "application/json;charset=EUC-KR"


@pytest.mark.req("toolkit/H1")
async def test_a_request_is_written_in_the_charset_of_the_api(legacy: ToolService) -> None:
    seen = await sent(legacy, content_type=EUC_KR)
    assert seen.body == '{"clmNo":"청구-1","rows":null}'.encode("euc-kr")
    seen = await sent(legacy, "/claims?clmNo=%C3%BB%B1%B8-1", content_type=EUC_KR, method="GET")
    assert seen.target == b"/claims?clmNo=%C3%BB%B1%B8-1"


@pytest.mark.req("toolkit/H1")
async def test_a_character_that_the_charset_lacks_is_escaped_in_json_and_refused_in_a_query(
    legacy: ToolService,
) -> None:
    question = Question(clmNo="똠€😀")
    seen = await sent(legacy, body=question, content_type=EUC_KR)
    assert seen.body.isascii()
    assert json.loads(seen.body) == {"clmNo": "똠€😀", "rows": None}
    async with client(api(legacy.origin, content_type=EUC_KR, method="GET")) as http:
        with pytest.raises(LegacyError) as caught:
            await http.call("claim", question, Answer)
    assert (caught.value.code, caught.value.message) == (
        "invalid_request",
        "the request has a character that euc_kr lacks",
    )
    assert "똠" not in f"{caught.value.__context__!r} {caught.value.__cause__!r}"


@pytest.mark.req("toolkit/H2", "threat/T02")
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_is_an_error_and_is_not_followed(status: int, legacy: ToolService) -> None:
    legacy.on("/claims?clmNo=1", reply(status, headers=[(b"Location", b"/elsewhere")]))
    async with client(api(legacy.origin, method="GET", max_retries=3)) as http:
        with pytest.raises(LegacyError) as caught:
            await http.call("claim", Question(clmNo="1"), Answer)
    assert caught.value.code == str(status)
    assert [seen.target for seen in legacy.requests] == [b"/claims?clmNo=1"]


@pytest.mark.req("toolkit/H2")
async def test_cookies_are_not_kept(legacy: ToolService) -> None:
    legacy.on("/claims", reply(body=b'{"clmNo": "1"}', headers=[(b"Set-Cookie", b"session=1; Path=/")]))
    async with client(api(legacy.origin)) as http:
        for _ in range(2):
            await http.call("claim", QUESTION, Answer)
    assert [b"cookie" in seen.headers for seen in legacy.requests] == [False, False]


@pytest.mark.req("toolkit/H2")
async def test_proxies_and_credentials_of_the_environment_are_not_used(
    legacy: ToolService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login someone password geheim\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("no_proxy", "")
    seen = await sent(legacy)
    assert (seen.target, b"authorization" in seen.headers) == (b"/claims", False)


@pytest.mark.req("toolkit/H2")
async def test_a_connection_is_used_again_and_each_api_has_a_pool_of_its_own(legacy: ToolService) -> None:
    legacy.on("/others", OK)
    apis = [api(legacy.origin), api(legacy.origin, "/others", name="other")]
    async with client(*apis) as http:
        for name in ("claim", "claim", "other", "claim", "other"):
            await http.call(name, QUESTION, Answer)
        assert [seen.connection for seen in legacy.requests] == [1, 1, 2, 1, 2]


@pytest.mark.req("toolkit/H2")
async def test_a_pool_has_as_many_connections_as_it_may(legacy: ToolService) -> None:
    async with client(api(legacy.origin, max_connections=2)) as http:
        await asyncio.gather(*(http.call("claim", QUESTION, Answer) for _ in range(20)))
    assert (legacy.connections, len(legacy.requests)) == (2, 20)


@pytest.mark.req("toolkit/H2")
async def test_closing_closes_every_connection_and_a_closed_client_refuses(legacy: ToolService) -> None:
    http = PooledHttpClient([api(legacy.origin)])
    with pytest.raises(RuntimeError, match="not open"):
        await http.call("claim", QUESTION, Answer)
    async with http:
        await http.call("claim", QUESTION, Answer)
    await legacy.ended(1)
    with pytest.raises(RuntimeError, match="not open"):
        await http.call("claim", QUESTION, Answer)
    async with http:
        assert await http.call("claim", QUESTION, Answer) == Answer(clmNo="1")


@pytest.mark.req("toolkit/H2")
async def test_a_kept_connection_that_the_other_side_closed_costs_no_call(legacy: ToolService) -> None:
    legacy.on("/claims", (*OK, Close()), OK)
    async with client(api(legacy.origin)) as http:
        await http.call("claim", QUESTION, Answer)
        await legacy.ended(1)
        await asyncio.sleep(0.05)  # until our end has noticed, too
        assert await http.call("claim", QUESTION, Answer) == Answer(clmNo="1")
