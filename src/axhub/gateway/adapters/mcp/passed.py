"""What an MCP server answered, in the shape of the caller's revision (gateway/P8, gateway/P11, gateway/X5)."""

from typing import Final

import msgspec

from axhub.contract.jsontext import split_object
from axhub.gateway.domain.revision import TRAITS, Revision
from axhub.gateway.usecases.interpret_mcp import PassedResult

_LINK: Final = b'"resource_link"'
_as_json: Final = msgspec.json.Encoder().encode


def passed_body(
    request_id: bytes, result: PassedResult, milliseconds: int, revision: Revision, stateless_members: bytes
) -> bytes:
    """Return the response to a `tools/call`; `stateless_members` are what revision 2026-07-28 adds, comma first."""
    content = b"" if result.input_required else b',"content":[%b]' % _content(result, milliseconds, revision)
    members = content + result.rest
    if result.structured is not None and revision in result.structured_on:
        members += b',"structuredContent":%b' % result.structured
    own = stateless_members
    if result.input_required:
        own = own.replace(b'"resultType":"complete"', b'"resultType":"input_required"', 1)
    return b'{"jsonrpc":"2.0","id":%b,"result":{%b}}' % (request_id, (members + _with_meta(own, result.meta))[1:])


def _with_meta(stateless_members: bytes, meta: bytes) -> bytes:
    """Put the server's `_meta` behind the gateway's own, which is the last of the stateless members."""
    if not meta:
        return stateless_members
    if not stateless_members:
        return b',"_meta":{%b}' % meta
    return b"%b,%b}" % (stateless_members[:-1], meta)


def _content(result: PassedResult, milliseconds: int, revision: Revision) -> bytes:
    blocks = result.blocks
    if not TRAITS[revision].resource_links:
        blocks = tuple(map(_without_link, blocks))
    if not blocks:
        return b""
    return b",".join((_timed(blocks[0], milliseconds), *blocks[1:]))


def _timed(block: bytes, milliseconds: int) -> bytes:
    """Return a block with `_meta.searchTime`, everything else as it was (gateway/X5)."""
    members = split_object(block) or {}
    meta = split_object(members.get("_meta", msgspec.Raw(b"{}"))) or {}
    timed = [_member(name, value) for name, value in meta.items() if name != "searchTime"]
    timed.append(b'"searchTime":%d' % milliseconds)
    kept = [_member(name, value) for name, value in members.items() if name != "_meta"]
    return b'{%b,"_meta":{%b}}' % (b",".join(kept), b",".join(timed))


def _member(name: str, value: msgspec.Raw) -> bytes:
    return b"%b:%b" % (_as_json(name), value)


def _without_link(block: bytes) -> bytes:
    """Return a link as text, for a revision that has no links."""
    members = split_object(block) or {}
    if bytes(members.get("type", b"")) != _LINK or "uri" not in members:
        return block
    return b'{"type":"text","text":%b}' % members["uri"]
