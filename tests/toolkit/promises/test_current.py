"""What a service would promise now, from the facts about it (decision/D12)."""

import pytest

from axhub.toolkit.facts.service import Kind, Place, Unusable
from axhub.toolkit.promises.current import current_lock
from axhub.toolkit.promises.lock import Retired
from support.toolkit_facts import (
    INPUT_SCHEMA,
    OUTPUT_SCHEMA,
    TOOL,
    declared,
    definition,
    facts,
    imported,
    located,
    settings,
)

pytestmark = pytest.mark.req("decision/D12")


def test_a_tool_is_promised_as_callers_know_it() -> None:
    found = current_lock(facts(settings=settings(namespace="claims_")), {})
    assert found is not None
    assert (found.bundle_id, found.namespace, list(found.tools)) == ("insurance-tools", "claims_", [TOOL])
    tool = found.tools[TOOL]
    assert (tool.version, tool.title, tool.timeout_millis, tool.enabled) == (
        "1.0.0",
        "보험금 청구 상태 조회",
        10_000,
        True,
    )
    assert (tool.input_schema, tool.hints["readOnly"], tool.hints["openWorld"]) == (INPUT_SCHEMA, True, False)


def test_the_configuration_decides_on_time_being_off_and_the_output_schema() -> None:
    tools = {TOOL: imported(output_schema=OUTPUT_SCHEMA, output_kind=Kind.MODEL)}
    configured = settings(timeouts={TOOL: located(3000)}, disabled=(located(TOOL),), publish_output_schema=True)
    found = current_lock(facts(settings=configured, imported=tools), {})
    assert found is not None
    tool = found.tools[TOOL]
    assert (tool.timeout_millis, tool.enabled, tool.output_published) == (3000, False, True)
    assert tool.output_schema == OUTPUT_SCHEMA


def test_what_is_answered_is_promised_though_no_schema_of_it_is_declared() -> None:
    tools = {TOOL: imported(output_schema=None, output_kind=Kind.NONE, answer_schema=OUTPUT_SCHEMA)}
    found = current_lock(facts(settings=settings(publish_output_schema=True), imported=tools), {})
    assert found is not None
    assert (found.tools[TOOL].output_schema, found.tools[TOOL].output_published) == (OUTPUT_SCHEMA, False)


def test_a_tool_under_development_is_not_promised_and_what_is_wrong_with_it_is_no_matter() -> None:
    broken = Unusable("no-schema", Place("a.py"), {}, TOOL)
    found = current_lock(facts(declared(register=False), unusable=(broken,)), {"gone": Retired("1.0.0", "r")})
    assert found is not None
    assert (found.tools, list(found.retired)) == ({}, ["gone"])


def test_a_retired_tool_that_is_back_is_no_longer_retired() -> None:
    found = current_lock(facts(), {TOOL: Retired("1.0.0", "r")})
    assert found is not None
    assert found.retired == {}


def test_nothing_is_told_about_what_cannot_be_read() -> None:
    broken = Unusable("no-schema", Place("a.py"), {}, TOOL)
    assert current_lock(facts(imported=None), {}) is None
    assert current_lock(facts(unusable=(broken,)), {}) is None
    assert current_lock(facts(problems=(located("syntax"),)), {}) is None
    assert current_lock(facts(definition(without=["/version"])), {}) is None
    assert current_lock(facts(definition("other")), {}) is None
