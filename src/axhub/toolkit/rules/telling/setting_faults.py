"""What the loader says about a configuration, taken apart for rules and in both languages."""

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from axhub.toolkit.facts.service import Place, Settings
from axhub.toolkit.rules.model import Text
from axhub.toolkit.rules.telling.saying import of_yaml

__all__ = ["BUNDLE_ID", "MISSING", "STRANGE", "SettingsFault", "follows_from_a_key", "settings_faults"]

BUNDLE_ID: Final = "mcp.bundleId"
"""Faults of this key are told by TK801."""
_KEY: Final = re.compile(r"(?P<key>[A-Za-z][^\s:]*): (?P<found>.*)", re.DOTALL)
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
        (r"a list", "목록"),
        (r"a section", "키 묶음"),
        (r"one of (.*)", r"\1 가운데 하나"),
        (r"a set variable, the path of a setting, or \$\{NAME:default\}", "환경 변수, 설정의 경로, ${NAME:기본값}"),
        (r"0: it is not sent twice", "0 (데이터를 바꾸는 호출은 두 번 보내지 않음)"),
        (r"(.*) with the method (\w+)", r"\1 (메서드 \2)"),
        (r"the name of another header", "다른 헤더 이름"),
        (r"(.*), which is set for each call", r"호출마다 설정되는 헤더 \1"),
        (r"a name such as Authorization or X-Api-Key", "Authorization, X-Api-Key 같은 이름"),
        (r"what is no name of a header", "헤더 이름이 아닌 값"),
        (r"each header once", "헤더마다 한 번"),
        (r"the header a second time \(also as (.*)\)", r"두 번째로 나온 헤더(\1)"),
        (r"valid YAML(.*)", r"올바른 YAML\1"),
        (r"a readable YAML file", "읽을 수 있는 YAML 파일"),
        (r"no configuration: there is no such file", "파일 없음"),
        (r"no configuration: (.*)", r"\1"),
    )
)
"""Words of the loader, in Korean."""


_NO_YAML: Final = "text that is not YAML: "
MISSING: Final = "nothing: the key is missing"
STRANGE: Final = "an unknown key"


class SettingsFault(NamedTuple):
    """One fault of the configuration, taken apart."""

    place: Place
    key: str
    """Whole path; empty where the file as a whole is concerned."""
    found: str
    allowed: str

    @property
    def name(self) -> str:
        """The last part of the key."""
        return self.key.rpartition(".")[2].partition("[")[0]

    @property
    def found_text(self) -> Text:
        """What was found, in both languages as far as it has words."""
        if self.found.startswith(_NO_YAML):
            return Text(self.found, f"YAML이 아닌 내용({of_yaml(self.found.removeprefix(_NO_YAML)).ko})")
        return Text(self.found, _in_korean(self.found) or self.found)

    @property
    def allowed_text(self) -> Text:
        """What is allowed, in both languages."""
        return Text(self.allowed, _in_korean(self.allowed) or _ALLOWED.get(self.name, self.allowed))


def settings_faults(settings: Settings) -> Iterator[SettingsFault]:
    """Yield what the loader says about a configuration."""
    for place, said, allowed in settings.faults:
        match = _KEY.fullmatch(said)
        yield SettingsFault(place, match["key"] if match else "", match["found"] if match else said, allowed)


def follows_from_a_key(fault: SettingsFault, settings: Settings) -> bool:
    """Say whether a missing key stands there under a misspelt name, or with all that is around it (rule/TK613)."""
    if fault.found != MISSING:
        return False
    section, _, name = fault.key.rpartition(".")
    for other in settings_faults(settings):
        meant = other.allowed.partition(" ")[0]
        if other.found == STRANGE and (meant == name or section.startswith(meant)) and other.key != fault.key:
            return other.key.rpartition(".")[0] in {section, meant.rpartition(".")[0]}
    return False


def _in_korean(said: str) -> str | None:
    """Return words of the loader in Korean; None for those that are values or have none."""
    for pattern, korean in _KOREAN:
        if (match := pattern.fullmatch(said)) is not None:
            return match.expand(korean)
    return None
