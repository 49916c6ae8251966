"""Every way in which what is said about tools can change, and what it means for callers (decision/D12)."""

from dataclasses import replace
from typing import Any

import pytest

from axhub.toolkit.promises.changes import Change, changes, is_major_step, unstepped
from axhub.toolkit.promises.lock import Lock, Retired
from axhub.toolkit.promises.words import TOOL_WORDS, Severity
from axhub.toolkit.rules.model import Text
from support.promises import HINTS, NAME, TEXT, changed, closed, lock, tool

pytestmark = pytest.mark.req("decision/D12")

BREAKING, BEHAVIOURAL, SAFE = Severity.BREAKING, Severity.BEHAVIOURAL, Severity.SAFE

OF_A_TOOL: list[tuple[dict[str, Any], Severity, str, str, str, str]] = [
    (
        {"enabled": False},
        BREAKING,
        "disabled",
        "/enabled",
        "the tool is switched off: it is not listed, and calls are answered as if there were none.",
        "도구를 껐습니다. 목록에 나오지 않으며, 호출하면 없는 도구로 응답합니다.",
    ),
    (
        {"version": "1.4.1"},
        SAFE,
        "version",
        "/version",
        "the version was 1.4.0 and is 1.4.1.",
        "버전이 1.4.0에서 1.4.1(으)로 올랐습니다.",
    ),
    (
        {"version": "1.3.9"},
        BEHAVIOURAL,
        "version-back",
        "/version",
        "the version was 1.4.0 and is 1.3.9, which is no step up.",
        "버전이 1.4.0에서 1.3.9(으)로 바뀌었으며, 올라간 값이 아닙니다.",
    ),
    (
        {"version": "newest"},
        BEHAVIOURAL,
        "version-back",
        "/version",
        "the version was 1.4.0 and is newest, which is no step up.",
        "버전이 1.4.0에서 newest(으)로 바뀌었으며, 올라간 값이 아닙니다.",
    ),
    (
        {"title": "청구 상태 조회"},
        BEHAVIOURAL,
        "title",
        "/title",
        'the title was "청구 조회" and is "청구 상태 조회".',
        '제목이 "청구 조회"에서 "청구 상태 조회"(으)로 바뀌었습니다.',
    ),
    (
        {"description": "청구를\n찾는다."},
        BEHAVIOURAL,
        "description",
        "/description",
        "models read another description: 청구를 찾는다.",
        "모델이 읽는 설명이 바뀌었습니다. 지금: 청구를 찾는다.",
    ),
    (
        {"timeout_millis": 5_000},
        BEHAVIOURAL,
        "less-time",
        "/timeoutMillis",
        "a call may take 5000 ms; it could take 10000 ms.",
        "호출 제한 시간이 10000ms에서 5000ms로 줄었습니다.",
    ),
    (
        {"timeout_millis": 20_000},
        SAFE,
        "more-time",
        "/timeoutMillis",
        "a call may take 20000 ms; it could take 10000 ms.",
        "호출 제한 시간이 10000ms에서 20000ms로 늘었습니다.",
    ),
    (
        {"output_published": False},
        BREAKING,
        "output-unpublished",
        "/outputPublished",
        "the manifest no longer has its output schema, so callers get no structured results.",
        "매니페스트에 출력 스키마가 더 이상 없어, 호출하는 쪽이 구조화된 결과를 받지 못합니다.",
    ),
    (
        {"output_schema": None},
        BREAKING,
        "output-unknown",
        "/outputSchema",
        "nothing is said any more about what it answers.",
        "무엇을 응답하는지 더 이상 정해져 있지 않습니다.",
    ),
    (
        {"input_schema": closed(("claimNo",), claimNo=TEXT, memo=TEXT)},
        SAFE,
        "new",
        "/inputSchema/memo",
        "`memo` (string) is new.",
        "`memo`(string) 속성이 새로 생겼습니다.",
    ),
    (
        {"output_schema": closed(status=TEXT)},
        BREAKING,
        "optional",
        "/outputSchema/status",
        "`status` was required and is optional.",
        "`status` 속성이 필수에서 선택으로 바뀌었습니다.",
    ),
]


@pytest.mark.parametrize(("other", "severity", "kind", "pointer", "english", "korean"), OF_A_TOOL)
def test_a_change_of_a_tool_is_told_with_its_place_and_both_texts(
    other: dict[str, Any], severity: Severity, kind: str, pointer: str, english: str, korean: str
) -> None:
    (found,) = changed(**other)
    assert (found.severity, found.kind, found.tool, found.pointer) == (severity, kind, NAME, pointer)
    assert found.text == Text(english, korean)


@pytest.mark.parametrize(
    ("hint", "before", "severity", "kind"),
    [
        ("readOnly", True, BREAKING, "hint-less-safe"),
        ("readOnly", False, BEHAVIOURAL, "hint-safer"),
        ("destructive", False, BREAKING, "hint-less-safe"),
        ("destructive", True, BEHAVIOURAL, "hint-safer"),
        ("idempotent", True, BREAKING, "hint-less-safe"),
        ("idempotent", False, BEHAVIOURAL, "hint-safer"),
        ("openWorld", False, BREAKING, "hint-less-safe"),
        ("openWorld", True, BEHAVIOURAL, "hint-safer"),
    ],
)
def test_a_hint_that_lets_an_agent_do_less_breaks_and_one_that_lets_it_do_more_is_told(
    hint: str, before: bool, severity: Severity, kind: str
) -> None:
    old, new = (lock(cmm_claim_search=tool(hints={**HINTS, hint: value})) for value in (before, not before))
    (found,) = changes(old, new)
    was, now = str(before).lower(), str(not before).lower()
    assert (found.severity, found.kind, found.pointer) == (severity, kind, f"/hints/{hint}")
    assert (found.before, found.after) == (was, now)
    ending = {
        "hint-less-safe": Text(
            "an agent that was let do this may no longer do so unasked.",
            "그대로 허용하던 에이전트도 이제 확인이 필요할 수 있습니다.",
        ),
        "hint-safer": Text("an agent may now do this unasked.", "에이전트가 이제 확인 없이 호출할 수 있습니다."),
    }[kind]
    assert found.text == Text(
        f"the hint {hint} was {was} and is {now}: {ending.en}",
        f"{hint} 힌트가 {was}에서 {now}(으)로 바뀌었습니다. {ending.ko}",
    )


OTHER = tool(input_schema=closed(branchNo=TEXT), title="지점 조회")

OF_ALL: list[tuple[Lock, Lock, Severity, str, str, str, str]] = [
    (
        lock(),
        lock(bundle_id="claims"),
        BREAKING,
        "bundle-id",
        "",
        'mcp.bundleId was "claim-tools" and is "claims": a gateway refuses all tools until its `id` is the same.',
        (
            'mcp.bundleId 값이 "claim-tools"에서 "claims"(으)로 바뀌었습니다. 게이트웨이의 `id` 값이 같아질 때까지 '
            "모든 도구가 거부됩니다."
        ),
    ),
    (
        lock(),
        lock(namespace="processing_"),
        BREAKING,
        "namespace",
        "",
        'mcp.namespace was "" and is "processing_": every tool has another name for its callers.',
        'mcp.namespace 값이 ""에서 "processing_"(으)로 바뀌어, 호출하는 쪽에서 보는 모든 도구 이름이 바뀝니다.',
    ),
    (
        lock(cmm_claim_search=tool(), smp_branch_search=OTHER),
        lock(),
        BREAKING,
        "tool-gone",
        "smp_branch_search",
        "the tool is gone; its last version was 1.4.0.",
        "도구가 없어졌습니다. 마지막 버전은 1.4.0입니다.",
    ),
    (
        lock(),
        lock(cmm_claim_search=tool(), smp_branch_search=OTHER),
        SAFE,
        "tool-new",
        "smp_branch_search",
        "the tool is new, with version 1.4.0.",
        "새 도구입니다. 버전은 1.4.0입니다.",
    ),
    (
        lock(cmm_claim_search=tool(), smp_branch_search=OTHER),
        replace(lock(), retired={"smp_branch_search": Retired("1.4.0", "지점이 없어졌다")}),
        BREAKING,
        "tool-retired",
        "smp_branch_search",
        "the tool was retired: 지점이 없어졌다",
        "도구를 폐기했습니다. 이유: 지점이 없어졌다",
    ),
    (
        lock(cmm_claim_search=tool(enabled=False)),
        lock(),
        SAFE,
        "enabled",
        NAME,
        "the tool is switched on.",
        "도구를 켰습니다.",
    ),
    (
        lock(cmm_claim_search=tool(output_published=False)),
        lock(),
        SAFE,
        "output-published",
        NAME,
        "the manifest now has its output schema, so callers get structured results.",
        "매니페스트에 출력 스키마가 들어가, 호출하는 쪽이 구조화된 결과를 받습니다.",
    ),
]


@pytest.mark.parametrize(("old", "new", "severity", "kind", "name", "english", "korean"), OF_ALL)
def test_a_change_of_the_tools_that_there_are_is_told_with_both_texts(
    old: Lock, new: Lock, severity: Severity, kind: str, name: str, english: str, korean: str
) -> None:
    (found,) = changes(old, new)
    assert (found.severity, found.kind, found.tool) == (severity, kind, name)
    assert found.text == Text(english, korean)


def test_a_renamed_tool_is_gone_and_its_likely_new_name_is_told() -> None:
    gone, new = changes(lock(), lock(cmm_claims_search=tool()))
    assert (gone.severity, gone.kind, gone.tool, gone.after) == (BREAKING, "tool-renamed", NAME, "cmm_claims_search")
    assert gone.text == Text(
        "the tool is gone; its last version was 1.4.0, and cmm_claims_search looks like its new name.",
        "도구가 없어졌습니다. 마지막 버전은 1.4.0이며, 새 이름은 cmm_claims_search인 것으로 보입니다.",
    )
    assert (new.severity, new.kind) == (SAFE, "tool-new")


def test_every_kind_of_change_of_a_tool_has_a_row_here() -> None:
    rows = {kind for _, _, kind, *_ in OF_A_TOOL} | {kind for _, _, _, kind, *_ in OF_ALL}
    assert TOOL_WORDS.keys() - rows == {"hint-less-safe", "hint-safer", "tool-renamed"}


def test_equal_locks_have_no_change() -> None:
    assert changes(lock(), lock()) == ()


def test_what_a_manifest_does_not_say_is_not_compared() -> None:
    old = lock(cmm_claim_search=tool(output_schema=None, output_published=False, timeout_millis=None, hints={}))
    new = lock(cmm_claim_search=tool(output_published=False))
    assert changes(old, new) == ()


def test_what_breaks_comes_first_then_tools_by_name() -> None:
    old = lock(a_tool=tool(), b_tool=tool())
    new = lock(a_tool=tool(title="t", timeout_millis=20_000), b_tool=tool(title="t", enabled=False))
    assert [(found.severity.value, found.tool, found.kind) for found in changes(old, new)] == [
        ("breaking", "b_tool", "disabled"),
        ("behavioural", "a_tool", "title"),
        ("behavioural", "b_tool", "title"),
        ("safe", "a_tool", "more-time"),
    ]


@pytest.mark.parametrize(
    ("before", "after", "steps"),
    [
        ("1.4.0", "2.0.0", True),
        ("1.4.0", "3.1.0-rc.1", True),
        ("0.9.0", "1.0.0", True),
        ("1.4.0", "1.5.0", False),
        ("0.1.0", "0.2.0", False),
        ("2.0.0", "1.0.0", False),
        ("1.4.0", "2", False),
        ("one", "2.0.0", False),
        ("9.0.0", "10.0.0", True),
    ],
)
def test_a_major_step_is_a_greater_first_number(before: str, after: str, steps: bool) -> None:
    assert is_major_step(before, after) is steps


def test_only_tools_whose_callers_break_need_a_major_step() -> None:
    old = lock(a_tool=tool(), b_tool=tool(), c_tool=tool(), gone_tool=tool())
    broken = {"input_schema": closed(("claimNo", "memo"), claimNo=TEXT, memo=TEXT)}
    new = lock(a_tool=tool(**broken), b_tool=tool(**broken, version="2.0.0"), c_tool=tool(title="t"))
    assert unstepped(changes(old, new), old, new) == ("a_tool",)


def test_another_namespace_is_a_step_of_every_tool_and_another_bundle_of_none() -> None:
    old = lock(a_tool=tool(), b_tool=tool(), gone_tool=tool())
    new = lock(namespace="x_", a_tool=tool(), b_tool=tool(version="2.0.0"), new_tool=tool())
    assert unstepped(changes(old, new), old, new) == ("a_tool",)
    moved = lock(bundle_id="other-tools", a_tool=tool(), b_tool=tool(), gone_tool=tool())
    assert unstepped(changes(old, moved), old, moved) == ()


def test_a_change_has_what_was_and_what_is() -> None:
    (found,) = changed(input_schema=closed(("claimNo",), claimNo={"type": ["string", "null"]}))
    assert found == Change(
        SAFE,
        "nullable",
        NAME,
        "/inputSchema/claimNo",
        "string",
        "string | null",
        Text("null is possible: it was string and is string | null.", "null이 생겼습니다: string → string | null."),
    )
