"""Who may decide what, and when a decision counts (agent/R0, agent/R2, agent/R3, agent/R4)."""

from dataclasses import replace

import pytest

from axhub.agent.domain.approval import (
    Decider,
    Decision,
    DecisionFault,
    EveryWriteNeedsApproval,
    PendingCall,
    check_decision,
)
from axhub.agent.domain.calls import CallState
from axhub.agent.domain.definition import Effect, ToolDefinition
from axhub.agent.testing import FakeActor

PENDING = PendingCall("a", "t", "anna", CallState.WAITING, is_expired=False)
BOSS = Decider("boss", "t", frozenset({"approver"}))
F = DecisionFault


@pytest.mark.req("agent/R2", "agent/R3", "threat/T26")
@pytest.mark.parametrize(
    ("pending", "decision", "decider", "fault"),
    [
        (PENDING, Decision.APPROVE, BOSS, None),
        (PENDING, Decision.DENY, BOSS, None),
        (None, Decision.APPROVE, BOSS, F.NOT_FOUND),
        (PENDING, Decision.APPROVE, replace(BOSS, tenant_id="other"), F.NOT_FOUND),
        (PENDING, Decision.APPROVE, replace(BOSS, tenant_id="other", roles=frozenset()), F.NOT_FOUND),
        (PENDING, Decision.APPROVE, replace(BOSS, roles=frozenset({"admin"})), F.NOT_APPROVER),
        (PENDING, Decision.DENY, replace(BOSS, roles=frozenset()), F.NOT_APPROVER),
        (PENDING, Decision.APPROVE, replace(BOSS, user_id="anna"), F.OWN_REQUEST),
        (PENDING, Decision.DENY, replace(BOSS, user_id="anna"), F.OWN_REQUEST),
        (replace(PENDING, is_expired=True), Decision.APPROVE, BOSS, F.EXPIRED),
        (replace(PENDING, state=CallState.EXPIRED), Decision.APPROVE, BOSS, F.EXPIRED),
        (replace(PENDING, state=CallState.WITHDRAWN), Decision.DENY, BOSS, F.WITHDRAWN),
        (replace(PENDING, state=CallState.WITHDRAWN, is_expired=True), Decision.DENY, BOSS, F.WITHDRAWN),
        (replace(PENDING, state=CallState.APPROVED, decided=Decision.APPROVE), Decision.APPROVE, BOSS, None),
        (replace(PENDING, state=CallState.APPROVED, decided=Decision.APPROVE), Decision.DENY, BOSS, F.ALREADY_DECIDED),
        (replace(PENDING, state=CallState.DONE, decided=Decision.APPROVE), Decision.APPROVE, BOSS, None),
        (replace(PENDING, is_expired=True, decided=Decision.DENY), Decision.DENY, BOSS, None),
        (replace(PENDING, state=CallState.DENIED, decided=Decision.DENY), Decision.APPROVE, BOSS, F.ALREADY_DECIDED),
    ],
)
def test_when_a_decision_counts(
    pending: PendingCall | None, decision: Decision, decider: Decider, fault: DecisionFault | None
) -> None:
    assert check_decision(pending, decision, decider) is fault


@pytest.mark.req("agent/R2")
def test_own_requests_and_another_role_are_for_the_application_to_allow() -> None:
    anna = replace(BOSS, user_id="anna", roles=frozenset({"team-lead"}))
    assert check_decision(PENDING, Decision.APPROVE, anna, role="team-lead", may_decide_own=True) is None


@pytest.mark.req("agent/R0")
@pytest.mark.parametrize(("effect", "needs"), [(Effect.READ, False), (Effect.WRITE, True)])
def test_by_default_whatever_is_not_read_only_needs_an_approval(effect: Effect, needs: bool) -> None:
    policy = EveryWriteNeedsApproval()
    assert policy.version
    assert policy.needs_approval(ToolDefinition("a_tool", "Does.", {}, effect), {}, FakeActor()) is needs
