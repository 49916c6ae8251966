"""What holds for every manifest: order and white space do not matter, steps stay short."""

import gc
import json
import random
import sys
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from axhub.contract.endpoints import EndpointPolicy, parse_url
from axhub.contract.manifest import Manifest, ManifestLimits, ManifestPolicy, Rejected, check_manifest, run

DOMAIN = parse_url("http://tools:8080/base")
POLICY = ManifestPolicy(
    "orders",
    "",
    EndpointPolicy(DOMAIN, None, frozenset({DOMAIN.origin}), any_origin=False),
    ManifestLimits(max_tools=200),
)
NAMES = st.text(alphabet="abcXYZ019_./-", min_size=1, max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(alphabet='aé주\\"/', max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(alphabet="ab주", max_size=2), inner, max_size=3)
    ),
    max_leaves=6,
)


@st.composite
def tools(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Tools that pass every check."""
    names = draw(st.lists(NAMES, max_size=5, unique_by=str.lower))
    return [
        {
            "name": name,
            "description": draw(st.text(alphabet="a 주\n", max_size=5)) + "x",
            "inputSchema": {"type": "object", "default": draw(VALUES), "title": "t"},
            "_meta": {"version": "1", "timeoutMillis": draw(st.integers(1, 10**6)), "enabled": draw(st.booleans())},
            "endpoint": draw(st.sampled_from(["/a", "b/c?d=1", "http://tools:8080/x"])),
            "annotations": {"readOnlyHint": draw(st.booleans())},
            "unknown": draw(VALUES),
        }
        for name in names
    ]


def document(listed: list[dict[str, Any]], **members: Any) -> dict[str, Any]:
    return {"bundleId": "orders", "tools": listed, **members}


def adopted(body: bytes) -> Manifest:
    result = run(check_manifest(body, POLICY))
    assert isinstance(result, Manifest), result
    return result


@pytest.mark.req("gateway/K5", "gateway/G6")
@given(tools(), st.randoms(use_true_random=False), st.sampled_from([None, 1, "\t", "\r\n  "]))
def test_white_space_and_the_order_of_tools_and_members_do_not_matter(
    listed: list[dict[str, Any]], chance: random.Random, indent: int | str | None
) -> None:
    def shuffled(members: dict[str, Any]) -> dict[str, Any]:
        return dict(chance.sample(list(members.items()), len(members)))

    one = adopted(json.dumps(document(listed), separators=(",", ":")).encode())
    other_tools = [shuffled({**tool, "_meta": shuffled(tool["_meta"])}) for tool in chance.sample(listed, len(listed))]
    other = adopted(json.dumps(shuffled(document(other_tools, revision="9")), indent=indent).encode())
    assert other.tools == one.tools
    assert [list(tool.members) for tool in other.tools] == [list(tool.members) for tool in one.tools]
    assert other.content_digest == one.content_digest
    assert (one.revision, other.revision) == (None, "9")


@pytest.mark.req("gateway/K4")
@given(tools())
def test_public_members_are_the_compact_text_of_what_was_written(listed: list[dict[str, Any]]) -> None:
    manifest = adopted(json.dumps(document(listed), indent=2, ensure_ascii=False).encode())
    assert [tool.name for tool in manifest.tools] == sorted(tool["name"] for tool in listed)
    by_name = {tool["name"]: tool for tool in listed}
    for tool in manifest.tools:
        for member, text in tool.members.items():
            plain = json.dumps(by_name[tool.name][member], separators=(",", ":"), ensure_ascii=False)
            assert text.decode() == plain


@given(st.binary(max_size=200) | st.text().map(str.encode) | VALUES.map(lambda value: json.dumps(value).encode()))
def test_any_body_is_judged_without_an_exception(body: bytes) -> None:
    result = run(check_manifest(body, POLICY))
    assert isinstance(result, Rejected)
    assert result.findings


@given(
    st.dictionaries(
        st.sampled_from(
            ["name", "title", "description", "inputSchema", "outputSchema", "annotations", "_meta", "endpoint"]
        ),
        VALUES
        | st.dictionaries(st.sampled_from(["version", "title", "type", "$ref", "properties", "endpoint"]), VALUES),
    )
)
def test_any_tool_is_judged_without_an_exception(tool: dict[str, Any]) -> None:
    result = run(check_manifest(json.dumps(document([tool])).encode(), POLICY))
    assert isinstance(result, Manifest | Rejected)


def ordinary(at: int) -> dict[str, Any]:
    properties = {
        f"p{number}": {"type": "string", "description": "증권 번호를 넣는다.", "minLength": 1} for number in range(10)
    }
    return {
        "name": f"search_{at}",
        "description": "증권 번호로 계약을 찾는다.\n고객이 자기 계약을 물을 때 쓴다.",
        "inputSchema": {"type": "object", "properties": properties, "required": ["p1"], "additionalProperties": False},
        "annotations": {"readOnlyHint": True},
        "_meta": {"version": "1.0.0", "timeoutMillis": 3000},
        "endpoint": f"/tools/{at}",
    }


# A tracer (coverage) makes Python several times as slow, so then only the shape is checked.
SLOWER = 1 if sys.gettrace() is None else 10


def steps_of(body: bytes, most: float) -> list[float]:
    """Processor seconds of each step of a check, with a heap like that of a new process.

    Other work shares the processor's caches, so a run in which a step takes longer than `most` is repeated.
    """
    gc.collect()
    gc.freeze()
    try:
        seconds = seconds_of(body)
        for _ in range(4):
            seconds = seconds if max(seconds) < most else seconds_of(body)
        return seconds
    finally:
        gc.unfreeze()


def seconds_of(body: bytes) -> list[float]:
    steps = check_manifest(body, POLICY)
    seconds = []
    ended = False
    while not ended:
        began = time.thread_time()
        ended = next(steps, True) is not None
        seconds.append(time.thread_time() - began)
    return seconds


MEBIBYTE = 1024 * 1024


def filled(text: bytes) -> bytes:
    """A manifest of one mebibyte in which an unknown member holds `text` again and again."""
    count = (MEBIBYTE - 100) // (len(text) + 1)
    return b'{"bundleId":"orders","tools":[],"x":[' + b",".join([text] * count) + b"]}"


def large(**members: Any) -> bytes:
    return json.dumps(document([{**ordinary(0), **members}]), ensure_ascii=False).encode()


@pytest.mark.req("fault/F14", "gateway/G6")
def test_200_ordinary_tools_are_checked_in_many_short_steps() -> None:
    body = json.dumps(document([ordinary(at) for at in range(200)]), ensure_ascii=False).encode()
    most = 0.05 * SLOWER
    seconds = steps_of(body, most)
    assert len(seconds) > 400
    assert max(seconds) < most


@pytest.mark.req("fault/F14", "gateway/G6", "input/B30", "threat/T04")
@pytest.mark.parametrize(
    "body",
    [
        json.dumps(
            document([{**ordinary(at), "description": "가" * 1700} for at in range(160)]), ensure_ascii=False
        ).encode(),
        filled(b"{}"),
        filled(b'{"a":{}}'),
        filled(b'{"a":1,"a":2}'),
        filled(b"[" * 60 + b"]" * 60),
        filled(b'"' + b"x" * 1000 + b'"'),
        b'{"bundleId":"orders","tools":[' + b",".join([b"{}"] * 300_000) + b"]}",
        json.dumps(document([], x={f"가{at}": at for at in range(50_000)})).encode(),
        large(description="\n" * 500_000),
        large(description="❤\ufe0f" * 160_000),
        large(inputSchema={"type": "object", "properties": {f"p{at}": {"type": "string"} for at in range(1990)}}),
        large(inputSchema={"type": "object", "properties": {f"p{at}": {"type": "text"} for at in range(1990)}}),
        large(inputSchema={"type": "object", "$defs": {"a": {}}, "allOf": [{"$ref": "#/$defs/a"}] * 1900}),
        large(inputSchema={"type": "object", "enum": [{"a": at} for at in range(5000)]}),
        large(inputSchema={"type": "object", "properties": {f"p{at}": {} for at in range(60_000)}}),
    ],
    ids=[
        "many tools",
        "empty objects",
        "small objects",
        "duplicates",
        "nests",
        "texts",
        "empty tools",
        "wide object",
        "line feeds",
        "selectors",
        "properties",
        "bad types",
        "references",
        "enum",
        "oversize schema",
    ],
)
def test_no_step_of_a_manifest_of_a_mebibyte_takes_long(body: bytes) -> None:
    most = 0.05 * SLOWER
    assert max(steps_of(body, most)) < most
