"""Rules about the check itself: comments that switch rules off, and services that cannot be compared with."""

from collections.abc import Iterator
from typing import Final

from axhub.toolkit.facts.service import Allowed, Facts
from axhub.toolkit.rules.model import Breach, Message, Rule, Severity, Stage, Text

__all__ = ["AFTER_ALL", "RULES"]

_FORM: Final = "# axhub: allow TK105 -- …"
_OUTCOMES: Final = {Allowed.UNUSED: "unused", Allowed.UNKNOWN: "unknown", Allowed.REFUSED: "refused"}


def _check_tk003(facts: Facts) -> Iterator[Breach]:
    for one in facts.allowances:
        if not one.rules:
            yield Breach(one.place, "form", {"form": _FORM})
        elif not one.reason:
            ids = ", ".join(one.rules)
            yield Breach(one.place, "reason", {"ids": ids, "form": f"# axhub: allow {ids} -- …"})


def _check_tk004(facts: Facts) -> Iterator[Breach]:
    for one in facts.allowances:
        for id_ in dict.fromkeys(one.rules):
            outcome = (one.outcome or {}).get(id_)
            if outcome in _OUTCOMES and one.reason:
                yield Breach(one.place, _OUTCOMES[outcome], {"id": id_})


def _check_tk005(facts: Facts) -> Iterator[Breach]:
    for problem in facts.unread_siblings:
        folder, _, cause = problem.value.partition(": ")
        yield Breach(problem.place, "", {"folder": folder, "problem": cause})


TK003: Final = Rule(
    id="TK003",
    severity=Severity.ERROR,
    stage=Stage.SOURCE,
    title=Text(
        "A comment that allows a finding names the rule and a reason.",
        "결과를 허용하는 주석에는 규칙 ID와 이유가 있어야 합니다.",
    ),
    why=Text(
        "An exception without a reason cannot be reviewed, and nobody dares to remove it later. "
        "The comment stands on the line of the finding or, on a line of its own, above it.",
        "이유가 없는 예외는 검토할 수 없고, 나중에 아무도 지우지 못합니다. "
        "주석은 결과가 나온 줄에, 또는 그 위의 별도 줄에 적습니다.",
    ),
    messages={
        "form": Message(
            Text("This comment for axhub cannot be read.", "axhub에 대한 이 주석을 읽을 수 없습니다."),
            Text(
                'Write "{form}", with the id of the finding and a reason after "--".',
                '"{form}" 형식으로, 결과의 ID와 "--" 뒤의 이유를 적으십시오.',
            ),
        ),
        "reason": Message(
            Text("This comment allows {ids} without a reason.", "이 주석은 {ids}를 이유 없이 허용합니다."),
            Text(
                'Say why after "--": "{form}". Until then the finding counts.',
                '"--" 뒤에 이유를 적으십시오: "{form}". 그 전까지는 결과가 그대로 집계됩니다.',
            ),
        ),
    },
    check=_check_tk003,
    bad='name="claim_search",  # axhub: allow TK103',
    good='name="claim_search",  # axhub: allow TK103 -- released under this name',
    suppressible=False,
)

TK004: Final = Rule(
    id="TK004",
    severity=Severity.WARNING,
    stage=Stage.SOURCE,
    title=Text(
        "A comment that allows a finding has a finding to allow.",
        "결과를 허용하는 주석에는 허용할 결과가 있어야 합니다.",
    ),
    why=Text(
        "A comment that is left behind would hide the next fault on its line, and one with a wrong id hides nothing. "
        "Some rules hold without exception: those a whole service is refused for, and those about personal data.",
        "남겨진 주석은 같은 줄에서 다음에 생길 오류를 숨기고, ID가 틀린 주석은 아무것도 허용하지 못합니다. "
        "어기면 서비스 전체가 거부되는 규칙과 개인정보 규칙에는 예외가 없습니다.",
    ),
    messages={
        "unused": Message(
            Text(
                "This comment allows {id}, which finds nothing here.",
                "이 주석은 {id}를 허용하지만, 여기에는 {id}의 결과가 없습니다.",
            ),
            Text(
                "Remove {id} from the comment, or move the comment to the line that the finding names.",
                "주석에서 {id}를 지우거나, 결과가 가리키는 줄로 주석을 옮기십시오.",
            ),
        ),
        "unknown": Message(
            Text(
                "This comment allows {id}, but there is no such rule.",
                "이 주석은 {id}를 허용하지만, 그런 규칙은 없습니다.",
            ),
            Text(
                "Write the id that the finding shows; `axhub explain` lists all.",
                "결과에 표시된 ID를 쓰십시오. 전체 목록은 `axhub explain`으로 볼 수 있습니다.",
            ),
        ),
        "refused": Message(
            Text(
                "This comment allows {id}, which holds without exception.",
                "이 주석은 {id}를 허용하지만, {id}에는 예외가 없습니다.",
            ),
            Text(
                "Remove {id} from the comment, and mend what it reports.",
                "주석에서 {id}를 지우고, 보고된 내용을 고치십시오.",
            ),
        ),
    },
    check=_check_tk004,
    bad="# axhub: allow TK999 -- we know",
    good="# axhub: allow TK103 -- released under this name",
    suppressible=False,
)

TK005: Final = Rule(
    id="TK005",
    severity=Severity.WARNING,
    stage=Stage.SOURCE,
    title=Text(
        "Each service named in [tool.axhub] workspace can be read.",
        "[tool.axhub] workspace에 적은 서비스를 모두 읽을 수 있어야 합니다.",
    ),
    why=Text(
        "The names of tools are unique over all services of a workspace (seed 003 §12), which can only be compared "
        "where the others are. It is a warning, because a wheel may be built where only this service is.",
        "도구 이름은 워크스페이스의 모든 서비스에서 유일해야 하며(seed 003 §12), 다른 서비스가 있어야 비교할 수 "
        "있습니다. 이 서비스만 있는 곳에서 wheel을 만들 수도 있으므로 경고입니다.",
    ),
    messages={
        "": Message(
            Text(
                'The service "{folder}" of the workspace cannot be read: {problem}.',
                '워크스페이스의 서비스 "{folder}"를 읽을 수 없습니다: {problem}.',
            ),
            Text(
                "Correct the folder in [tool.axhub] workspace, which counts from this file, or remove it.",
                "[tool.axhub] workspace의 폴더를 이 파일 기준 상대 경로로 고치거나 지우십시오.",
            ),
        )
    },
    check=_check_tk005,
    bad='[tool.axhub]\nworkspace = ["../loan_tool"]',
    good='[tool.axhub]\nworkspace = ["../loan-tools"]',
    suppressible=False,
)

RULES: Final[tuple[Rule, ...]] = (TK003, TK004, TK005)
AFTER_ALL: Final[tuple[Rule, ...]] = (TK003, TK004)
"""They look at what became of the comments once all others have run."""
