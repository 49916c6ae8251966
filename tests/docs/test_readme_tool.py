"""The tool in the README is written by a reader who types what it says, and then it answers a call."""

import json
import re
from pathlib import Path

import pytest

from support import tree
from support.author import run
from support.walkthrough import Walk

_CALL = """
import asyncio, json
from axhub.toolkit.testing import call_tool
from loan_tools.app import app
app.configure(profile="local")
answer = asyncio.run(call_tool(app, "lon_payment_quote", {"principal": 12_000_000, "months": 24}))
print(json.dumps([answer.status, answer.value]))
"""


@pytest.mark.req("toolkit/T5")
def test_the_tool_of_the_readme_is_checked_as_it_says_and_answers(tmp_path: Path) -> None:
    readme = (tree.ROOT / "README.md").read_text(encoding="utf-8")
    section = re.search(r"<!-- tool:start[^>]*-->\n(.*?)<!-- tool:end -->", readme, re.DOTALL)
    assert section
    walk = Walk(tmp_path, {"$ axhub new service loan-tools": "$ axhub new service loan-tools --lang en"})
    walk.follow(section[1])
    assert walk.typed == ["axhub new service loan-tools --lang en", "cd loan-tools", "axhub check"]
    source = tmp_path / "loan-tools" / "src"
    (source / "call_it.py").write_text(_CALL, encoding="utf-8")
    called = run(source, "call_it")
    assert json.loads(called.stdout.splitlines()[-1]) == [200, {"monthlyPayment": 500_000}]
