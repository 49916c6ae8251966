"""A tool that remembers its calls, and a service that provides nothing to remember them in."""

from dataclasses import replace

import pytest

from axhub.toolkit.rules import behaviour
from support.telling import Told, told
from support.toolkit_facts import definition, facts

RULES = {rule.id: rule for rule in behaviour.RULES}
_KEYED = definition(read_only=False, repeat={"key": ["claimNo"]})


@pytest.mark.req("rule/TK804")
@pytest.mark.parametrize(
    "provided", [frozenset(), frozenset({"axhub.toolkit.EmployeeCipher"})], ids=["nothing", "other"]
)
def test_a_key_without_a_store_that_remembers_it_is_a_warning(provided: frozenset[str]) -> None:
    assert told(RULES["TK804"], replace(facts(_KEYED), provided=provided)) == (
        Told(
            "tool_definitions/cmm/cmm_claim_search.yml:40:5 warning",
            "The tool has a repeat.key, and the ToolService provides no RepeatStore: outside the profile local the "
            "service does not start. Write in app.py `provide={RepeatStore: SqliteRepeatStore(path)}`, or a store of "
            "your own that all replicas share.",
            "도구에 repeat.key가 있는데 ToolService가 RepeatStore를 제공하지 않습니다. 프로필 local 외에서는 서비스가 "
            "시작되지 않습니다. app.py에 `provide={RepeatStore: SqliteRepeatStore(path)}` 또는 모든 복제본이 공유하는 "
            "자체 저장소를 적으십시오.",
        ),
    )


@pytest.mark.req("rule/TK804")
@pytest.mark.parametrize("provided", [None, frozenset({"axhub.toolkit.RepeatStore"})], ids=["unknown", "store"])
def test_a_key_is_not_spoken_of_where_a_store_is_provided_or_nobody_knows(provided: frozenset[str] | None) -> None:
    assert told(RULES["TK804"], replace(facts(_KEYED), provided=provided)) == ()
