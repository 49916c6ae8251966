"""What the page about CI shows does what it says."""

import json
import re
import subprocess

import pytest
import yaml

from support import tree

PAGE = (tree.ROOT / "docs" / "howto" / "ci.md").read_text(encoding="utf-8")
WORKFLOWS = [yaml.safe_load(block) for block in re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)]


def steps(workflow: int) -> list[str]:
    return [step["run"] for step in WORKFLOWS[workflow]["jobs"]["check"]["steps"] if "run" in step]


def test_the_commands_are_those_of_the_check() -> None:
    assert [command for at in (0, 1) for command in steps(at) if command.startswith("axhub")] == [
        "axhub check --format github --strict",
        "axhub check --format sarif > all.sarif",
    ]


@pytest.mark.needs("jq")
def test_the_filter_takes_out_what_is_allowed() -> None:
    program = re.fullmatch(r"jq '(.*)' all\.sarif > axhub\.sarif", steps(1)[-1])
    assert program is not None
    results = [{"ruleId": "TK1", "suppressions": []}, {"ruleId": "TK2", "suppressions": [{"kind": "inSource"}]}]
    log = json.dumps({"runs": [{"results": results}]})
    done = subprocess.run(["jq", program[1]], input=log, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == {"runs": [{"results": results[:1]}]}
