"""The words of generated files, in both languages; those that a person must replace begin with the mark `TODO`."""

from collections.abc import Mapping
from typing import Final

from axhub.toolkit.check.report import Language
from axhub.toolkit.rules.model import Text

__all__ = ["MARK", "words"]


MARK: Final = "TODO"
"""What rule/TK303 finds in a definition, and the list of what is left to do in every file."""

_WORDS: Final[Mapping[str, Text]] = {
    "todo_service": Text(
        "TODO what this service offers, in one sentence", "TODO 이 서비스가 제공하는 업무를 한 문장으로 적는다"
    ),
    "about": Text("Tools for AI agents.", "AI 에이전트가 사용하는 도구 모음"),
    "todo_title": Text("TODO short name of the task", "TODO 짧은 업무명"),
    "todo_description": Text(
        "TODO what it does, for whom, under which condition, with which result, in one or two sentences",
        "TODO 대상, 조건, 결과를 포함해 한두 문장으로 적는다",
    ),
    "todo_function": Text("TODO what the tool does, in one sentence", "TODO 도구가 하는 일을 한 문장으로 적는다"),
    "todo_when_to_use": Text("TODO when a model should choose it", "TODO 언제 이 도구를 사용하는지 적는다"),
    "todo_when_not_to_use": Text(
        "TODO when not, and which tool to use instead", "TODO 언제 사용하지 않는지, 대신 쓸 도구와 함께 적는다"
    ),
    "todo_io_limits": Text(
        "TODO what it needs, and the limits of what it gives", "TODO 필요한 입력과 결과의 한계를 적는다"
    ),
    "todo_display_description": Text(
        "TODO what people read on the portal", "TODO 포털에서 사용자가 읽을 설명을 적는다"
    ),
    "todo_query": Text(
        "TODO a sentence as a user would say it, without the tool's name",
        "TODO 사용자가 실제로 할 말을 도구 이름 없이 적는다",
    ),
    "todo_number": Text("TODO the number to look up", "TODO 조회할 번호"),
    "todo_number_answer": Text("TODO the number that was looked up", "TODO 조회한 번호"),
    "todo_status": Text("TODO state, as a code", "TODO 상태 코드"),
    "todo_status_label": Text("TODO state, in words", "TODO 상태 한글명"),
    "todo_closed_on": Text(
        "TODO day it ended (YYYY-MM-DD); null while it is open", "TODO 종료일(YYYY-MM-DD). 진행 중이면 null이다"
    ),
    "todo_header": Text(
        "TODO header and message as the documents of the system have them",
        "TODO 이 시스템의 문서에 있는 대로 헤더부와 메시지부를 적는다",
    ),
    "todo_field": Text("TODO what {name} is", "TODO {name} 항목의 뜻"),
    "todo_nullable": Text(
        "TODO what {name} is; null where there is none", "TODO {name} 항목의 뜻. 값이 없으면 null이다"
    ),
    "todo_rows": Text("TODO what {name} has, and in which order", "TODO {name} 목록의 뜻과 정렬 순서"),
    "todo_field_noted": Text("TODO {note}", "TODO {note}"),
    "todo_nullable_noted": Text("TODO {note}; null where there is none", "TODO {note}. 값이 없으면 null이다"),
    "todo_rows_noted": Text("TODO {note}, and in which order", "TODO {note}. 정렬 순서"),
    "open": Text("open", "진행 중"),
    "closed": Text("closed", "종료"),
}


def words(language: Language) -> dict[str, str]:
    """Return what the templates' names for texts stand for."""
    return {name: text.said(language) for name, text in _WORDS.items()}
