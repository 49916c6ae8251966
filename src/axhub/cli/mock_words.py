"""What `axhub mock` says, in Korean: its parts speak English, and what is a name or a path stays as it is."""

import re
from typing import Final

from axhub.configuration.languages import Language

__all__ = ["in_language", "told"]

_KOREAN: Final[tuple[tuple[re.Pattern[str], str], ...]] = tuple(
    (re.compile(pattern), korean)
    for pattern, korean in (
        (r"mock systems on (\S+); Ctrl-C ends them", r"\1 주소에서 모의 시스템을 실행합니다. Ctrl-C로 끝냅니다"),
        (r"to call them, start the service with:", "호출하려면 다음 환경 변수와 함께 서비스를 시작하십시오:"),
        (
            r"    never answered, since one before is for the same requests: (.*)",
            r"    앞의 샘플이 같은 요청에 답하므로 쓰이지 않음: \1",
        ),
        (
            r"    to tell them apart write (.+) into them, with members of the request",
            r"    구분하려면 요청의 멤버를 넣어 \1 형식으로 쓰십시오",
        ),
        (r"(.*)no sample: write (samples/\S+)(.*)", r"\1샘플 없음: \2 파일을 작성하십시오\3"),
        (
            r"there is no package (.+) and no such folder; name a Tool Service's folder",
            r"\1라는 패키지도 폴더도 없습니다. 도구 서비스의 폴더를 지정하십시오",
        ),
        (
            r"the package (\S+) cannot be imported \((.+)\); axhub check says where",
            r"패키지 \1을(를) 가져올(import) 수 없습니다(\2). 위치는 axhub check가 알려 줍니다",
        ),
        (
            r"the MCI system (\S+) cannot be mocked: no folder of infra/mci has its ENVELOPE; write (\S+)",
            r"MCI 시스템 \1을(를) 실행할 수 없습니다. infra/mci에 ENVELOPE가 없습니다. \2 파일을 작성하십시오",
        ),
        (
            r"(.+) names no API in glow\S+\.api-list, and no system in glow\S+\.system-list",
            r"\1 파일의 glow.communication.http.api-list와 glow.communication.mci.system-list에 항목이 없습니다",
        ),
        (
            r'"(.*)" names no API; there are: (.+)\. Allowed: (.+)',
            r'"\1"에 적힌 API가 없습니다. 있는 이름: \2. 쓸 수 있는 형식: \3',
        ),
        (
            r'"(.*)" is nothing that a mock can do\. Allowed: (.+)',
            r'"\1"은(는) 할 수 없는 동작입니다. 쓸 수 있는 형식: \2',
        ),
    )
)


def in_language(line: str, language: Language) -> str:
    """Return a line in a language; what has no words stays as it is."""
    if language == "ko":
        for pattern, korean in _KOREAN:
            if (match := pattern.fullmatch(line)) is not None:
                return match.expand(korean)
    return line


def told(error: Exception, language: Language) -> str:
    """Return why a mock cannot start, in a language."""
    from axhub.configuration.faults import ConfigError
    from axhub.toolkit.check.project import CannotCheckError
    from axhub.toolkit.rules.telling.setting_faults import fault_text

    if isinstance(error, CannotCheckError):
        return error.said(language)
    if isinstance(error, ConfigError) and language == "ko":
        lines = [f"  {fault_text(fault).ko}" for fault in error.faults]
        return "\n".join([f"설정에 오류가 {len(lines)}건 있습니다:", *lines])
    return in_language(str(error), language)
