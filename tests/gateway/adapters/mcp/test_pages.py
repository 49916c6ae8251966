"""Pages of `tools/list` and their cursors: ready bytes, and walks while the catalogue changes (gateway/P10)."""

import base64
import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from axhub.gateway.adapters.mcp.cursors import Cursors
from axhub.gateway.adapters.mcp.projection import Projection, ServerFacts
from axhub.gateway.domain.catalogue import CatalogueTool, Snapshot
from axhub.gateway.domain.revision import TRAITS, Revision
from axhub.gateway.usecases.list_tools import tools_array
from support.tools import snapshot_of, tool

pytestmark = pytest.mark.req("gateway/P10")

NEW = Revision.V2026_07_28
Key = tuple[str, str]
CURSORS = Cursors("mcp-시험")


def catalogue(keys: Sequence[Key]) -> Snapshot:
    return snapshot_of([CatalogueTool(bundle_id, tool(name)) for bundle_id, name in sorted(keys)])


def projection(of: Snapshot, page_size: int | None = None) -> Projection:
    return Projection(of, ServerFacts("mcp-시험", "0.1", 1000, page_size), CURSORS)


def result(tail: bytes) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(b'{"id":1' + tail)["result"]
    return found


def page(of: Projection, cursor: str | None, revision: Revision = NEW) -> dict[str, Any]:
    if cursor is None:
        return result(of.lists[revision])
    after = CURSORS.read(cursor)
    assert after is not None
    return result(of.after(revision, after))


def names(of: dict[str, Any]) -> list[str]:
    return [entry["name"] for entry in of["tools"]]


SEVEN = [("b", "t1"), ("b", "t2"), ("a", "t9"), ("a", "t8"), ("c", "t0"), ("d", "t3"), ("d", "t4")]
IN_ORDER = ["t8", "t9", "t1", "t2", "t0", "t3", "t4"]


@pytest.mark.parametrize("size", [1, 2, 3, 6, 7, 8, 1000])
@pytest.mark.parametrize("revision", Revision)
def test_a_walk_brings_every_tool_once_in_order_in_pages_of_the_size_asked_for(size: int, revision: Revision) -> None:
    shown = projection(catalogue(SEVEN), size)
    pages = [page(shown, None, revision)]
    while "nextCursor" in pages[-1]:
        pages.append(page(shown, pages[-1]["nextCursor"], revision))
    assert [name for one in pages for name in names(one)] == IN_ORDER
    assert [len(one["tools"]) for one in pages[:-1]] == [size] * (len(pages) - 1)
    assert 1 <= len(pages[-1]["tools"]) <= size


@pytest.mark.parametrize("revision", Revision)
def test_every_page_has_the_members_of_its_revision_and_only_the_last_has_no_cursor(revision: Revision) -> None:
    shown = projection(catalogue(SEVEN), 3)
    first = page(shown, None, revision)
    middle = page(shown, first["nextCursor"], revision)
    last = page(shown, middle["nextCursor"], revision)
    cached = ["resultType", "_meta", "ttlMs", "cacheScope"] if TRAITS[revision].stateless else []
    assert list(first) == list(middle) == ["tools", "nextCursor", *cached]
    assert list(last) == ["tools", *cached]
    if cached:
        assert {(one["resultType"], one["ttlMs"], one["cacheScope"]) for one in (first, middle, last)} == {
            ("complete", 1000, "public")
        }


def test_without_a_page_size_the_list_is_whole_and_its_bytes_are_those_of_the_array() -> None:
    of = catalogue(SEVEN)
    for revision in Revision:
        tail = projection(of).lists[revision]
        assert tail.startswith(b',"result":{"tools":' + tools_array(of.tools, revision))
        assert "nextCursor" not in result(tail)


def test_without_a_page_size_a_cursor_is_answered_with_the_rest() -> None:
    shown = projection(catalogue(SEVEN))
    for at, key in enumerate(sorted(SEVEN)):
        rest = page(shown, CURSORS.after(*key))
        assert names(rest) == IN_ORDER[at + 1 :]
        assert list(rest) == ["tools", "resultType", "_meta", "ttlMs", "cacheScope"]


def test_pages_are_made_once_and_shared_by_revisions_that_show_the_same() -> None:
    shown = projection(catalogue(SEVEN), 2)
    cursor = result(shown.lists[NEW])["nextCursor"]
    after = CURSORS.read(cursor)
    assert after is not None
    assert shown.after(NEW, after) is shown.after(NEW, after)
    old = [revision for revision in Revision if not TRAITS[revision].stateless]
    assert len({id(shown.after(revision, after)) for revision in old}) == 1


def test_disabled_tools_take_no_place_on_a_page() -> None:
    of = snapshot_of([CatalogueTool("a", tool(f"t{number}", enabled=number % 2 == 0)) for number in range(6)])
    shown = projection(of, 2)
    first = page(shown, None)
    assert names(first) == ["t0", "t2"]
    assert names(page(shown, first["nextCursor"])) == ["t4"]


def test_no_tools_are_one_empty_page_and_so_is_what_follows_the_last() -> None:
    for size in (None, 2):
        assert page(projection(catalogue([]), size), None)["tools"] == []
        rest = page(projection(catalogue(SEVEN), size), CURSORS.after("z", "z"))
        assert (rest["tools"], "nextCursor" in rest, rest["ttlMs"]) == ([], False, 1000)


KEYS = st.tuples(
    st.sampled_from(["a", "b", "가", "\U0001f600"]), st.sampled_from([f"t{number}" for number in range(8)])
)
CATALOGUES = st.lists(st.frozensets(KEYS, max_size=20), min_size=1, max_size=12)
SIZES = st.one_of(st.none(), st.integers(1, 5))


@given(CATALOGUES, st.lists(SIZES, min_size=1, max_size=12))
def test_a_walk_while_the_catalogue_changes_repeats_no_tool_and_misses_none_that_stays(
    catalogues: list[frozenset[Key]], sizes: list[int | None]
) -> None:
    """Each page comes from another snapshot, and from a replica with another page size."""
    seen: list[Key] = []
    cursor, used = None, []
    for step in range(100):
        now = catalogues[min(step, len(catalogues) - 1)]
        used.append(now)
        by_name = {f"{bundle_id}.{name}": (bundle_id, name) for bundle_id, name in now}
        of = snapshot_of([CatalogueTool(key[0], tool(f"{key[0]}.{key[1]}")) for key in sorted(now)])
        found = page(projection(of, sizes[step % len(sizes)]), cursor)
        seen += [by_name[name] for name in names(found)]
        cursor = found.get("nextCursor")
        if cursor is None:
            break
    assert cursor is None
    assert len(seen) == len(set(seen))
    assert seen == sorted(seen)
    assert frozenset.intersection(*used) <= set(seen)


@given(st.text(), st.text())
def test_a_cursor_is_plain_text_that_reads_back(bundle_id: str, name: str) -> None:
    try:
        (bundle_id + name).encode()
    except UnicodeEncodeError:
        return
    cursor = CURSORS.after(bundle_id, name)
    assert cursor.isascii()
    assert set(cursor) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    assert Cursors("mcp-시험").read(cursor) == (bundle_id, name), "another replica reads it"
    assert Cursors("other").read(cursor) is None


@given(st.text(max_size=60))
def test_text_that_is_no_cursor_is_not_read(text: str) -> None:
    assert CURSORS.read(text) is None


@given(st.integers(0, 200), st.sampled_from("Ab-_=\n0 +/가"))
def test_a_cursor_that_was_changed_anywhere_is_not_read(at: int, character: str) -> None:
    cursor = CURSORS.after("ins", "claim_search")
    at %= len(cursor)
    for changed in (
        cursor[:at] + character + cursor[at + 1 :],
        cursor[:at] + character + cursor[at:],
        cursor[:at] + cursor[at + 1 :],
    ):
        assert changed == cursor or CURSORS.read(changed) is None


@pytest.mark.parametrize(
    "payload", [b"", b"null", b"[]", b'["a"]', b'["a","b","c"]', b'["a",1]', b'["a" ,"b"]', b"\xff", b'{"a":"b"}']
)
def test_white_box_a_cursor_of_another_shape_is_not_read_even_with_a_right_mark(payload: bytes) -> None:
    for mark in (b"", CURSORS._mark(payload), CURSORS._mark(payload)[:4]):
        assert CURSORS.read(base64.urlsafe_b64encode(mark + payload).decode().rstrip("=")) is None


def test_what_is_no_text_is_not_read() -> None:
    assert CURSORS.read(None) is None
