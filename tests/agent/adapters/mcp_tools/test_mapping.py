"""What an application says of a catalogue's tools, and what is refused when it starts (agent/A9, agent/I1)."""

from typing import Any

import pytest

from axhub.agent import McpServer, RegistrationError, by_hint, mcp_tools, reads, writes
from axhub.agent.adapters.mcp_tools.mapping import named
from axhub.agent.adapters.mcp_tools.server import AUTO, HANDSHAKE, STATELESS
from axhub.agent.domain.definition import Effect
from axhub.agent.domain.names import model_name
from support.remote import Can, context

DIGEST = "sha256:" + "0" * 64
SERVER = McpServer(id="claims", url="http://127.0.0.1:1/mcp")

pytestmark = pytest.mark.req("agent/A9")


def refused(*tools: Any, trusts_hints: bool = False) -> str:
    with pytest.raises(RegistrationError) as error:
        named("claims", {Can.READ: tools}, trusts_hints=trusts_hints)
    return str(error.value)


@pytest.mark.req("agent/I1")
def test_a_write_without_a_key_or_without_an_approved_definition_fails_at_registration() -> None:
    assert refused(writes("claim.add", digest=DIGEST, key=())) == (
        "tool 'claim.add' of claims: it writes and has no key; name the arguments that make the request the same "
        "request"
    )
    assert "the digest is not sha256: with 64 hexadecimal digits" in refused(writes("a_b", digest="", key=["no"]))
    assert "the digest is not sha256:" in refused(writes("a_b", digest="0" * 64, key=["no"]))
    assert "the digest is not sha256:" in refused(reads("a_b", digest="sha256:x"))


def test_hints_are_for_servers_that_are_trusted() -> None:
    assert "by_hint() is for a server with trusts_hints=True; say reads() or writes()" in refused(by_hint("a_b"))
    assert named("claims", {Can.READ: [by_hint("a_b")]}, trusts_hints=True)["a_b"].effect is None


def test_two_tools_with_one_name_fail_at_registration_and_one_may_stand_under_two_capabilities() -> None:
    clash = "two entries have the name 'find_claim'"
    assert clash in refused(reads("find_claim"), reads("claim.find", name="find_claim"))
    assert clash in refused(reads("find_claim"), writes("find_claim", digest=DIGEST, key=["no"]))
    both = named("claims", {Can.READ: [reads("find_claim")], Can.WRITE: [reads("find_claim")]}, trusts_hints=False)
    assert list(both) == ["find_claim"]


def test_a_name_of_ones_own_must_be_one_that_providers_take() -> None:
    assert "the name 'claim.find' is not 3 to 64 of a-z, 0-9 and _" in refused(reads("x", name="claim.find"))


@pytest.mark.req("agent/I1")
def test_the_key_is_made_of_the_named_arguments_in_their_order_or_by_a_function() -> None:
    by_names = writes("a_b", digest=DIGEST, key=["no", "day"])
    assert by_names.effect is Effect.WRITE
    assert by_names.key is not None
    assert by_names.key({"day": "2026-01-01", "no": 1.0, "note": "x"}, context()) == '[1,"2026-01-01"]'
    own = writes("a_b", digest=DIGEST, key=lambda given, it: f"{it.actor.user_id}/{given['no']}")
    assert own.key is not None
    assert own.key({"no": "7"}, context()) == "user-1/7"


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ({"id": "Claims"}, "the id is not up to 63 of a-z, 0-9, _ and -"),
        ({"url": "file:///etc/passwd"}, "url 'file:///etc/passwd': "),
        ({"url": "http://user:pw@host/mcp"}, "it carries user information"),
        ({"protocol": "2025-06-18"}, f"protocol is one of {AUTO}, {HANDSHAKE}, {STATELESS}"),
        ({"headers": {"employee-no": "1"}}, "the header employee-no is set for each call, from who acts"),
        ({"headers": {"Guid": "1"}}, "the header Guid is set for each call, from who acts"),
        ({"headers": {"Mcp-Session-Id": "1"}}, "the header Mcp-Session-Id is set for each call"),
        ({"headers": {"MCP-Protocol-Version": "1"}}, "belongs to the protocol"),
        ({"headers": {"x": "a\r\nb: c"}}, "has a name or a value that HTTP does not take"),
        ({"headers": {"x y": "a"}}, "has a name or a value that HTTP does not take"),
        ({"refresh_seconds": 0}, "refresh_seconds must be above 0"),
        ({"connect_seconds": float("inf")}, "connect_seconds must be above 0"),
        ({"max_answer_bytes": -1}, "max_answer_bytes must be above 0"),
    ],
)
def test_a_server_that_cannot_be_used_is_refused_with_all_that_is_wrong(said: dict[str, Any], problem: str) -> None:
    with pytest.raises(RegistrationError) as error:
        McpServer(**{"id": "claims", "url": "http://127.0.0.1:1/mcp", **said})
    assert problem in str(error.value)


def test_secrets_of_a_server_are_in_no_representation() -> None:
    server = McpServer(id="claims", url="http://127.0.0.1:1/mcp", headers={"Authorization": "Bearer canary"})
    assert "canary" not in repr(server)


def test_nothing_is_connected_and_nothing_known_before_it_runs() -> None:
    source = mcp_tools(SERVER, {Can.READ: [reads("claim.find")]})
    assert (source.is_ready, source.capabilities) == (False, {Can.READ})
    assert source.names == {model_name("claims", "claim.find")}
    (one,) = source.status().tools
    assert (one.tool, one.reason and one.reason.value, one.digest) == ("claim.find", "unknown", "")
