"""The harness itself: what it takes for equal, what it keeps, and what it does without the servers."""

import re
import socket
import threading
from pathlib import Path
from typing import Any

import pytest
from mcp_types import CallToolResult, TextContent, Tool

from support import needs
from upstreams import compare, prepare
from upstreams.kinds import KINDS, NEW, OLD, REFERENCE, Kind, require
from upstreams.recording import recording

ABSENT = Kind("absent", "absent", "nothing.py")


def result(**more: Any) -> dict[str, Any]:
    block = TextContent.model_validate({"type": "text", "text": "답", **more})
    return compare.result(CallToolResult(content=[block]))


def test_what_a_hop_says_of_itself_is_no_difference_and_what_the_server_says_is_one() -> None:
    assert result(_meta={"searchTime": 7}) == result()
    assert result(_meta={"searchTime": 7, "else": 1}) == result(_meta={"else": 1})
    assert result(_meta={"else": 1}) != result()
    plain = {"content": [], "structuredContent": {"isError": False, "resultType": "complete"}}
    said = {**plain, "isError": False, "resultType": "complete", "_meta": {"io.modelcontextprotocol/serverInfo": {}}}
    assert compare.result_document(said) == compare.result_document(plain) == plain
    assert compare.result_document({**plain, "isError": True}) != plain
    assert compare.result_document({**plain, "resultType": "input_required"}) != plain


def test_only_the_members_that_a_gateway_shows_are_compared() -> None:
    schema = {"type": "object"}
    shown = Tool.model_validate({"name": "a", "description": "b", "inputSchema": schema, "_meta": {"x": 1}})
    assert compare.tools([shown]) == {"a": {"name": "a", "description": "b", "inputSchema": schema}}


def test_the_recorder_passes_on_both_ways_keeps_what_was_sent_and_shows_the_end_of_a_caller() -> None:
    ended = threading.Event()

    def answer(listening: socket.socket) -> None:
        connection, _ = listening.accept()
        with connection:
            connection.sendall(connection.recv(100).upper())
            if connection.recv(100) == b"":
                ended.set()

    with socket.create_server(("127.0.0.1", 0)) as listening, recording(listening.getsockname()[1]) as recorder:
        thread = threading.Thread(target=answer, args=(listening,))
        thread.start()
        with socket.create_connection(("127.0.0.1", recorder.port), timeout=10) as caller:
            caller.sendall(b"\x00asked")
            assert caller.recv(100) == b"\x00ASKED"
            assert recorder.sent == b"\x00asked"
        thread.join(10)
    assert ended.is_set()


def test_the_recorder_ends_a_connection_to_a_server_that_is_not_there() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with recording(port) as recorder, socket.create_connection(("127.0.0.1", recorder.port), timeout=10) as caller:
        assert caller.recv(100) == b""


def test_without_its_server_a_test_is_skipped_or_fails_where_all_must_be_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    gone = {"absent": lambda: False}
    monkeypatch.delenv(needs.REQUIRE, raising=False)
    with pytest.raises(pytest.skip.Exception, match="make upstreams"):
        require(ABSENT, gone)
    monkeypatch.setenv(needs.REQUIRE, "1")
    with pytest.raises(pytest.fail.Exception, match="make upstreams"):
        require(ABSENT, gone)
    require(ABSENT, {"absent": lambda: True})


def test_each_kind_has_its_own_name_and_both_eras_are_met_by_each_program() -> None:
    kinds = [*KINDS, REFERENCE]
    assert len({kind.name for kind in kinds}) == len(kinds)
    spoken = {(kind.program, kind.spoken) for kind in KINDS}
    assert spoken == {(program, era) for program in ("python", "fastmcp", "node") for era in (OLD, NEW)}


def test_fastmcp_is_pinned_by_hash_in_an_environment_of_its_own() -> None:
    lock = prepare.REQUIREMENTS.read_text(encoding="utf-8")
    pins = re.findall(r"^[a-z0-9][a-z0-9._-]*==\S+.*(?=\\$)", lock, re.MULTILINE)
    assert any(pin.startswith("fastmcp==4.") for pin in pins)
    assert len(pins) == len(re.findall(r"^\S+==.* \\\n    --hash=sha256:", lock, re.MULTILINE))
    assert prepare.PYTHON.parent.name == ".venv"
