"""The reference in the documentation."""

import pytest

from axhub.gateway.config.flags import flag_rows
from axhub.gateway.config.keys import KEYS
from axhub.gateway.config.reference import reference_markdown


@pytest.mark.req("gateway/C1")
def test_the_reference_has_a_row_for_every_key_and_flag() -> None:
    rows = reference_markdown().splitlines()
    for name in (*(key.path for key in KEYS), *(option for option, _, _ in flag_rows())):
        assert sum(row.startswith(f"| `{name}` |") for row in rows) == 1


@pytest.mark.req("gateway/C1")
@pytest.mark.parametrize(
    "row",
    [
        "| `identity` | text | **required** | Name of this gateway, as clients see it. |",
        "| `bundles[].enabled` | true or false | `true` | false: declared, never contacted. |",
        "| `maxConnections` | a whole number from 1 to 1000000 | `4096` | Open connections of clients. |",
        "| `pageSize` | a whole number from 1 to 1000000 | none | Tools a page of `tools/list`; left out: all. |",
        "| `redis.url` | not available yet | none | Cache shared between replicas. |",
        "| `--port` | `AXHUB_PORT` | port that serves MCP (8080; 0: any free one) |",
        "| `--host` |  | address that serves MCP (127.0.0.1) |",
    ],
)
def test_a_row_says_what_is_allowed_the_default_and_the_meaning(row: str) -> None:
    assert row in reference_markdown().splitlines()


@pytest.mark.req("gateway/C1")
def test_no_cell_breaks_the_table() -> None:
    for row in reference_markdown().splitlines():
        assert row == "" or (row.startswith("| ") and row.endswith(" |")) or set(row) == {"|", "-"}


@pytest.mark.req("gateway/P11", "gateway/C1")
def test_a_bundle_that_is_an_mcp_server_can_be_looked_up() -> None:
    rows = reference_markdown()
    server = "What it speaks; `mcp`: `manifestUrl` is an MCP server's endpoint. |"
    assert f"| `bundles[].protocol` | tool-service or mcp | `tool-service` | {server}\n" in rows
    prefix = "Put `namePrefix` before its tools' names; with `protocol: mcp` only. |"
    assert f"| `bundles[].addPrefix` | true or false | `false` | {prefix}\n" in rows
