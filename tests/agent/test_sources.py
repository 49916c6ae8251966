"""Sources of tools that other systems stand behind are made without loading a client library before it is needed."""

import subprocess
import sys

import pytest

from axhub.agent import McpServer, RegistrationError, mcp_tools, reads

ALONE = """
import sys

import axhub.agent
from axhub.agent import McpServer, by_hint, reads, writes
McpServer(id="claims", url="http://127.0.0.1:1/mcp"), reads("a_tool"), by_hint("a_tool")
loaded = [one for one in sys.modules if one.split(".")[0] in ("mcp", "mcp_types", "httpx2")]
print(loaded)
"""


@pytest.mark.req("agent/A9")
def test_who_imports_the_library_loads_no_client_of_mcp() -> None:
    ran = subprocess.run([sys.executable, "-c", ALONE], capture_output=True, text=True, check=False, timeout=50)
    assert (ran.stdout.strip(), ran.stderr) == ("[]", "")


@pytest.mark.req("agent/A9")
def test_without_the_client_library_the_mend_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)
    with pytest.raises(RegistrationError) as refused:
        mcp_tools(McpServer(id="claims", url="http://127.0.0.1:1/mcp"), {"find": [reads("claim_find")]})
    assert str(refused.value) == 'tools of an MCP server need: pip install "axhub[mcp-tools]"'
