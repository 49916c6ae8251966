"""The sample service has released its tools: its lock is what it publishes, so that it shows the whole workflow."""

import pytest

from support import tree
from support.author import run

PROJECT = tree.ROOT / "examples" / "insurance_tools"


@pytest.mark.req("decision/D12")
def test_the_lock_of_the_sample_is_what_the_sample_publishes() -> None:
    ran = run(PROJECT, "axhub.cli.main", "diff", "--lang", "en")
    assert (ran.returncode, ran.stdout) == (0, "no change against axhub.lock.json\n")
