import json
from typing import Any

import pytest

from axhub.gateway.adapters.mcp.envelope import Message, parse
from axhub.gateway.adapters.mcp.ladder import LadderError, allows_batch, check_notification, revision_of

NEW = "2026-07-28"
KEY = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
HEADER = b"mcp-protocol-version"


def message(method: str = "tools/list", meta: dict[str, Any] | None = None, **params: Any) -> Message:
    if meta is not None:
        params["_meta"] = meta
    parsed = parse(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode())
    assert isinstance(parsed, Message)
    return parsed


def modern(version: object = NEW, capabilities: object = None) -> dict[str, Any]:
    return {KEY: version, CAPABILITIES: {} if capabilities is None else capabilities}


def headers(version: str | None, method: str = "tools/list", **more: bytes) -> dict[bytes, bytes]:
    found = {b"mcp-method": method.encode(), **{name.replace("_", "-").encode(): value for name, value in more.items()}}
    return found if version is None else {HEADER: version.encode(), **found}


def refusal(sent: Message, received: dict[bytes, bytes], repeated: frozenset[bytes] = frozenset()) -> LadderError:
    with pytest.raises(LadderError) as caught:
        revision_of(sent, received, repeated)
    return caught.value


ROWS = [
    pytest.param(headers(NEW), message(meta=modern()), NEW, id="1 new header, new key"),
    pytest.param(headers(NEW, "ping"), message("ping", modern()), NEW, id="1 any method"),
    pytest.param({}, message("initialize"), "2025-11-25", id="8 initialize without header"),
    pytest.param(headers(NEW), message("initialize"), "2025-11-25", id="8 initialize with the new header"),
    pytest.param(headers("1999-01-01"), message("initialize"), "2025-11-25", id="8 initialize with an unknown one"),
    pytest.param(headers("2025-03-26"), message(), "2025-03-26", id="9 old header"),
    pytest.param(headers("2025-06-18"), message(), "2025-06-18", id="9 old header, 06-18"),
    pytest.param(headers("2025-11-25"), message(meta={}), "2025-11-25", id="9 old header, empty _meta"),
    pytest.param(headers("2025-11-25"), message(meta={"progressToken": 1}), "2025-11-25", id="9 progress token"),
    pytest.param({}, message(), "2025-03-26", id="10 nothing"),
]


@pytest.mark.req("gateway/P1")
@pytest.mark.parametrize(("received", "sent", "revision"), ROWS)
def test_each_row_of_the_decision_table_that_is_served(
    received: dict[bytes, bytes], sent: Message, revision: str
) -> None:
    assert revision_of(sent, received, frozenset()) == revision


REFUSED_ROWS = [
    pytest.param(headers(NEW), message(), -32602, id="2 new header, no key"),
    pytest.param(headers(NEW), message(meta=modern("2025-11-25")), -32020, id="3 header and key differ"),
    pytest.param(headers(NEW), message(meta=modern("1999-01-01")), -32020, id="3 header and unknown key differ"),
    pytest.param(headers("2099-01-01"), message(meta=modern("2099-01-01")), -32022, id="4 both unknown"),
    pytest.param(headers("2099-01-01"), message(), -32022, id="5 unknown header"),
    pytest.param(headers(None), message(meta=modern()), -32020, id="6 key without header"),
    pytest.param(headers("2025-11-25"), message(meta=modern()), -32020, id="7 old header, new key"),
    pytest.param(headers("2025-11-25"), message(meta=modern("2025-11-25")), -32020, id="7 old header, old key"),
    pytest.param(headers(NEW), message(meta=modern(7)), -32602, id="key is no string"),
    pytest.param(headers(NEW), message(meta={KEY: NEW}), -32602, id="no client capabilities"),
    pytest.param(headers(NEW), message(meta=modern(NEW, [])), -32602, id="client capabilities are no object"),
    pytest.param({HEADER: NEW.encode()}, message(meta=modern()), -32020, id="no Mcp-Method"),
    pytest.param(headers(NEW, "tools/LIST"), message(meta=modern()), -32020, id="Mcp-Method differs in case"),
    pytest.param(headers(NEW, "tools/call"), message("tools/call", modern(), name="a"), -32020, id="no Mcp-Name"),
]


@pytest.mark.req("gateway/P1", "gateway/P4", "input/B52")
@pytest.mark.parametrize(("received", "sent", "code"), REFUSED_ROWS)
def test_each_row_of_the_decision_table_that_is_refused(received: dict[bytes, bytes], sent: Message, code: int) -> None:
    assert refusal(sent, received).code == code


@pytest.mark.req("gateway/P4")
def test_an_unsupported_revision_names_what_is_supported() -> None:
    assert refusal(message(), headers("2099-01-01")).data == {"supported": [NEW], "requested": "2099-01-01"}


@pytest.mark.req("gateway/P4", "input/B52")
@pytest.mark.parametrize(
    ("value", "served"),
    [
        (b"tool_a", True),
        (b"=?base64?dG9vbF9h?=", True),
        (b"=?base64?dG9vbF9i?=", False),
        (b"=?base64?dG9vbF9h=?=", False),
        (b"=?base64?dG9v bF9h?=", False),
        (b"=?BASE64?dG9vbF9h?=", False),
        (b"=?base64?", False),
        (b"=?base64?_w==?=", False),
        ("도구".encode(), False),
        (b"tool_\xe9", False),
        (b"Tool_A", False),
    ],
)
def test_the_name_header_is_decoded_before_it_is_compared(value: bytes, served: bool) -> None:
    sent = message("tools/call", modern(), name="tool_a")
    received = headers(NEW, "tools/call", mcp_name=value)
    if served:
        assert revision_of(sent, received, frozenset()) == NEW
    else:
        assert refusal(sent, received).code == -32020


@pytest.mark.req("gateway/P4")
def test_a_korean_name_is_matched_through_its_encoded_header() -> None:
    sent = message("tools/call", modern(), name="도구")
    assert revision_of(sent, headers(NEW, "tools/call", mcp_name=b"=?base64?64+E6rWs?="), frozenset()) == NEW


@pytest.mark.req("gateway/P4")
@pytest.mark.parametrize("name", [HEADER, b"mcp-method", b"mcp-name"])
def test_a_routing_header_that_came_twice_is_refused(name: bytes) -> None:
    assert refusal(message(meta=modern()), headers(NEW), frozenset({name})).code == -32020


@pytest.mark.req("gateway/P3")
def test_a_notification_is_only_refused_for_an_unknown_revision() -> None:
    check_notification({})
    check_notification(headers(NEW))
    with pytest.raises(LadderError):
        check_notification(headers("2099-01-01"))


@pytest.mark.req("gateway/P6")
@pytest.mark.parametrize(
    ("version", "allowed"), [(None, True), ("2025-03-26", True), ("2025-06-18", False), (NEW, False), ("x", False)]
)
def test_batches_stand_only_where_2025_03_26_is_spoken(version: str | None, allowed: bool) -> None:
    assert allows_batch(headers(version)) is allowed
