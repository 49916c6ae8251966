"""What the loader of configurations says, in Korean (toolkit/S0)."""

import re
from collections.abc import Mapping
from typing import Final

from axhub.toolkit.rules.telling.address_words import ADDRESS_WORDS

__all__ = ["allowed_in_korean", "in_korean"]

_ALLOWED: Final[Mapping[str, str]] = {
    "name": "클라이언트가 쓰는 이름",
    "domain": "스킴, 호스트, 포트(예: https://claims.example.com:8443)",
    "url": "/로 시작하는 경로(예: /claims/search)",
    "method": "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS 가운데 하나",
    "content-type": "JSON 타입(예: application/json, application/json;charset=EUC-KR)",
    "biz-pod": "true 또는 false",
    "connectTimeoutMillis": "1 이상의 정수(밀리초)",
    "readTimeoutMillis": "1 이상의 정수(밀리초)",
    "totalTimeoutMillis": "1 이상의 정수(밀리초)",
    "maxRetries": "0에서 10까지의 정수",
    "maxConnections": "1 이상의 정수",
    "newRequestId": "true 또는 false",
    "namespace": "A-Z a-z 0-9 _ . / - 문자 63개까지, 또는 빈 값",
    "publishOutputSchema": "true 또는 false",
    "language": "en 또는 ko",
    "timeoutMillis": "1 이상의 정수(밀리초)",
    "port": "0에서 65535까지의 정수",
    "maxRequestBytes": "1 이상의 정수(바이트)",
    "maxInFlightCalls": "1 이상의 정수",
    "drainSeconds": "초 단위 숫자",
}
"""What a key allows, in Korean; of the others the loader's words are shown."""
_KOREAN: Final[tuple[tuple[re.Pattern[str], str], ...]] = tuple(
    (re.compile(pattern, re.DOTALL), korean)
    for pattern, korean in (
        # names and keys
        (r"an unknown key", "없는 키"),
        (r"an unknown variable", "없는 변수"),
        (r"the key a second time \(first on line ([0-9]+)\)", r"두 번째로 나온 키(처음은 \1행)"),
        (r"the key a second time \(also as (.*)\)", r"두 번째로 나온 키(\1)"),
        (r"each key once", "키마다 한 번"),
        (r"(.+) \(the nearest key(?:, not available yet)?\)", r"\1(가장 가까운 키)"),
        (r"(.+) \(the nearest variable\)", r"\1(가장 가까운 변수)"),
        (r"(.+) at the top level, in no section \(the key of this name\)", r"\1(맨 위 단계의 키)"),
        (r"(.+) \(the key of this name\)", r"\1(이 이름의 키)"),
        (r"a name that cannot stand here", "여기에 쓸 수 없는 이름"),
        (r"a merge key", "병합 키"),
        (r"keys written out", "풀어 쓴 키"),
        (r"the YAML tag (.+)", r"YAML 태그 \1"),
        (r"values without tags", "태그 없는 값"),
        (r"index ([0-9]+) of a list of ([0-9]+) items?", r"\2개인 목록의 \1번"),
        (r"the next index, ([0-9]+)", r"다음 번호 \1"),
        # references
        (r"(\$\{.+?\}), which is not set", r"\1: 값이 없는 환경 변수"),
        (r"(\$\{.+?\}), which is not a variable's name", r"\1: 환경 변수의 이름이 아님"),
        (
            r"(\$\{.+?\}), which is not the path of a setting(?: \(the nearest setting: (.+)\))?",
            r"\1: 설정의 경로가 아님(가장 가까운 설정: \2)",
        ),
        (r"(\$\{.+?\}), which is this setting itself", r"\1: 이 설정 자신"),
        (r"\$\{ without its closing \}", "닫히지 않은 ${"),
        (r"a set variable, or \$\{NAME:default\}", "환경 변수, ${NAME:기본값}"),
        (
            r"a set variable, the path of a setting, or \$\{NAME:default\}",
            "환경 변수, 설정의 경로, ${NAME:기본값}",
        ),
        # rules over several keys
        (r"0: it is not sent twice", "0 (데이터를 바꾸는 호출은 두 번 보내지 않음)"),
        (r"(.*) with the method (\w+)", r"\1 (메서드 \2)"),
        (r"a key of the transport (\w+)", r"transport가 \1일 때의 키"),
        (r"the keys of (\w+) alone", r"transport가 \1일 때의 키만"),
        (r"([0-9]+) with the kind (\w+)", r"\1 (종류 \2)"),
        (r"([0-9]+) in a prefix", r"prefix에서 \1"),
        (r"0: a prefix is the length field and nothing else", "0 (prefix에는 길이 필드만 있음)"),
        (r"the name of another header", "다른 헤더 이름"),
        (r"a name of its own", "고유한 이름"),
        (r"(.*), which is set for each call", r"호출마다 설정되는 헤더 \1"),
        (r"a name such as Authorization or X-Api-Key", "Authorization, X-Api-Key 같은 이름"),
        (r"what is no name of a header", "헤더 이름이 아닌 값"),
        (r"each header once", "헤더마다 한 번"),
        (r"the header a second time \(also as (.*)\)", r"두 번째로 나온 헤더(\1)"),
        (r"an address from (\S+), or --profile local", r"환경 변수 \1의 주소, 또는 --profile local"),
        (r"a (?:path|port|host) from (\S+), or --profile local", r"환경 변수 \1의 값, 또는 --profile local"),
        *ADDRESS_WORDS,
        # the file
        (r"valid YAML(.*)", r"올바른 YAML\1"),
        (r"a readable YAML file", "읽을 수 있는 YAML 파일"),
        (r"no configuration: there is no such file", "파일 없음"),
        (r"no configuration: (.*)", r"\1"),
    )
)
"""Its words; what stands in a group is looked up too."""
_VALUES: Final[tuple[tuple[re.Pattern[str], str], ...]] = tuple(
    (re.compile(pattern, re.DOTALL), korean)
    for pattern, korean in (
        (r"a list, each item (.*)", r"목록, 항목마다 \1"),
        (r"a list", "목록"),
        (r"a section", "키 묶음"),
        (r"a section with (.*)", r"키 묶음(\1)"),
        (r"a section of names.*", "이름이 키인 묶음"),
        (r"nothing", "빈 값"),
        (r"nothing: the key is missing", "키가 빠짐"),
        (r"an empty file", "빈 파일"),
        (r"one of (.*)", r"\1 가운데 하나"),
        (r"a whole number from (-?[0-9]+) to ([0-9]+)", r"\1에서 \2까지의 정수"),
        (r"a number of seconds from ([0-9]+) to ([0-9]+)", r"\1에서 \2까지의 초"),
        (r"true or false", "true 또는 false"),
        (r"(\S+(?:, \S+)*) or (\S+)", r"\1 또는 \2"),
        (r"a value of this spelling is text only in quotes", "이런 값은 따옴표가 있어야 문자열"),
        (r"an empty text", "빈 문자열"),
        (r"with blanks around it", "앞뒤에 공백이 있음"),
        (r"with blanks or a line break around it", "앞뒤에 공백이나 줄바꿈이 있음"),
        (r"with characters that cannot be shown", "보이지 않는 문자가 있음"),
        (r"longer than ([0-9]+) characters", r"\1자를 넘음"),
        (r"the name of the bundle", "번들 이름"),
        (r"the name of a tool", "도구 이름"),
        (r"an IP address or a host name", "IP 주소 또는 호스트 이름"),
        (
            r"at most 63 of A-Z a-z 0-9 _ \. / - \(what tool names are made of\), or nothing",
            "A-Z a-z 0-9 _ . / - 문자 63개까지, 또는 빈 값",
        ),
        (
            r"\$\{NAME\} alone, without a default: a secret comes from a variable of the environment",
            "기본값 없는 ${NAME} 하나(비밀 값은 환경 변수에서 옴)",
        ),
        (r"which does not come from one variable", "환경 변수 하나에서 온 값이 아님"),
        (r"of a variable that is set to nothing", "빈 값인 환경 변수"),
        (r"a value", "값"),
        (r"(.+) \(required\)", r"\1(필수)"),
    )
)
"""Its words for kinds of values, which a key may have better ones for."""
_WITH_REASON: Final = re.compile(r"(?P<value>.+?): (?P<reason>[^:]+)", re.DOTALL)
_TEXT_WITH_REASON: Final = re.compile(r'(?P<value>".*"): (?P<reason>[^"]+)', re.DOTALL)


def in_korean(said: str) -> str | None:
    """Return words of the loader in Korean; None for those that are values or have none."""
    found = _looked_up(said, _KOREAN) or _looked_up(said, _VALUES)
    if found is not None:
        return found
    reason = _TEXT_WITH_REASON.fullmatch(said) or _WITH_REASON.fullmatch(said)
    if reason is not None and (korean := in_korean(reason["reason"])) is not None:
        return f"{reason['value']}({korean})"
    return None


def allowed_in_korean(said: str, key: str) -> str:
    """Return what a key allows, in Korean where there are words for it.

    Args:
        said: the loader's words.
        key: the last part of its path.
    """
    return _looked_up(said, _KOREAN) or _ALLOWED.get(key) or in_korean(said) or said


def _looked_up(said: str, table: tuple[tuple[re.Pattern[str], str], ...]) -> str | None:
    for pattern, korean in table:
        if (match := pattern.fullmatch(said)) is not None:
            return _filled(korean, match)
    return None


def _filled(template: str, match: re.Match[str]) -> str:
    def part(number: re.Match[str]) -> str:
        text = match[int(number[1])] or ""
        return in_korean(text) or text

    return re.sub(r"\\([0-9])", part, template).replace("(가장 가까운 설정: )", "")
