"""Names that callers know: TK106."""

from collections.abc import Mapping

import pytest

from axhub.toolkit.facts.released import Released, Unreadable
from axhub.toolkit.facts.service import Declared, Facts, Located, Place
from axhub.toolkit.rules.released_names import RULES
from support.telling import Case, Told, told
from support.toolkit_facts import TOOL, declared, facts

pytestmark = pytest.mark.req("rule/TK106")

(TK106,) = RULES
LOCK = "axhub.lock.json"


def released(*names: str, retired: Mapping[str, str] | None = None) -> Released:
    places = {name: Place(LOCK, 6 + 30 * at, 5) for at, name in enumerate(names)}
    return Released(LOCK, dict.fromkeys(names, "1.4.0"), retired or {}, places)


def with_lock(*parts: Declared, lock: Released | None, problems: tuple[Located[str], ...] = ()) -> Facts:
    return facts(*parts, released=lock, has_lock=lock is not None, problems=problems)


RETIRE = 'axhub sync --retire cmm_policy_search --reason "…".'
CASES = (
    Case("without a lock nothing was promised", with_lock(lock=None)),
    Case("the released tool is there", with_lock(lock=released(TOOL))),
    Case("a tool that was never released may come and go", with_lock(lock=released())),
    Case("a retired one is gone on purpose", with_lock(lock=released(TOOL, retired={"cmm_policy_search": "없어짐"}))),
    Case(
        "which tools there are is not known while a file cannot be read",
        with_lock(lock=released("cmm_policy_search"), problems=(Located("syntax", Place("a.py", 1, 1)),)),
    ),
    Case(
        "nor while a name is computed",
        with_lock(declared(without=["name"], computed=["name"]), lock=released("cmm_policy_search")),
    ),
    Case(
        "a released tool is gone",
        with_lock(lock=released(TOOL, "cmm_policy_search")),
        (
            Told(
                f"{LOCK}:36:5 error",
                'The tool "cmm_policy_search" was released with version 1.4.0, and there is none of that name. '
                f"Restore it, or say that it is gone: {RETIRE}",
                '버전 1.4.0(으)로 배포한 도구 "cmm_policy_search" 이름의 도구가 없습니다. '
                f"되살리거나, 폐기했음을 적으십시오: {RETIRE}",
            ),
        ),
    ),
    Case(
        "a released tool has another name",
        with_lock(declared("cmm_policies_search"), lock=released("cmm_policy_search")),
        (
            Told(
                "biz/cmm/usecase.py:11:10 error",
                'The tool "cmm_policy_search" was released with version 1.4.0, and is now called '
                '"cmm_policies_search". Write "cmm_policy_search" again; or keep both for a while, and say later that '
                f"the old one is gone: {RETIRE}",
                '버전 1.4.0(으)로 배포한 도구 "cmm_policy_search" 이름이 "cmm_policies_search"(으)로 바뀌었습니다. '
                '"cmm_policy_search" 이름으로 되돌리십시오. 또는 한동안 둘 다 두고 나중에 이전 이름을 폐기하십시오: '
                f"{RETIRE}",
            ),
        ),
    ),
    Case(
        "a released tool is under development again, which is an error all the same",
        with_lock(declared("cmm_policy_search", register=False), lock=released("cmm_policy_search")),
        (
            Told(
                "biz/cmm/usecase.py:14:10 error",
                'The tool "cmm_policy_search" was released with version 1.4.0, and `register=False` takes it away. '
                f"Remove `register=False`, or say that it is gone: {RETIRE}",
                '버전 1.4.0(으)로 배포한 도구 "cmm_policy_search" 이름의 도구가 `register=False` 때문에 게시되지 '
                "않습니다. "
                f"`register=False` 값을 지우거나, 폐기했음을 적으십시오: {RETIRE}",
            ),
        ),
    ),
    Case(
        "the lock cannot be read",
        with_lock(lock=Released(LOCK, problem=Unreadable("it is a folder", "폴더입니다"))),
        (
            Told(
                f"{LOCK}:1:1 error",
                "axhub.lock.json cannot be used: it is a folder. Until then nobody knows which tools callers rely on, "
                "so mend it first.",
                "axhub.lock.json 파일을 쓸 수 없습니다: 폴더입니다. 그전에는 호출하는 쪽이 어떤 도구를 쓰는지 알 수 "
                "없으므로 먼저 고치십시오.",
            ),
        ),
    ),
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_released_name_stays_until_it_is_retired(case: Case) -> None:
    assert told(TK106, case.facts) == case.told


def test_what_is_gone_is_no_draft_of_a_tool() -> None:
    """An error about a draft is shown as a warning; that a released tool became one is none."""
    found = with_lock(declared("cmm_policy_search", register=False), lock=released("cmm_policy_search"))
    assert [breach.tool for breach in TK106.check(found)] == [None]
