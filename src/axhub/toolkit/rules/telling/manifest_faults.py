"""What a gateway's checks say about a manifest, in both languages (rule/TK805, gateway/G6).

The checks belong to the gateway and speak English; a toolkit's messages are for authors. What is not known here stands
in quotes in the Korean message.
"""

import re
from typing import Final

from axhub.toolkit.rules.model import Text

__all__ = ["of_manifest"]

_NAMED: Final = re.compile(r"('[^']*'): (it contains .*)")
_KNOWN: Final[tuple[tuple[re.Pattern[str], str], ...]] = tuple(
    (re.compile(pattern), korean)
    for pattern, korean in (
        # names
        (r"the name is blank", "이름이 비어 있습니다"),
        (r"the name has ([0-9]+) characters, more than ([0-9]+)", r"이름이 \1자로 \2자를 넘습니다"),
        (
            r"the name has characters other than ASCII letters, digits, '_', '\.', '/' and '-'",
            "이름에 영문자, 숫자, '_', '.', '/', '-' 밖의 문자가 있습니다",
        ),
        (r"the name does not begin with the bundle's prefix (.+)", r"이름이 번들의 접두어 \1로 시작하지 않습니다"),
        (r"the tool has the same name as tool ([0-9]+), (.+)", r"\1번 도구 \2와 이름이 같습니다"),
        (
            r"the tool has a name that differs only in case from that of tool ([0-9]+), (.+)",
            r"\1번 도구 \2와 대소문자만 다릅니다",
        ),
        (
            r"give the tool a name such as '(.+?)': a letter, then letters, digits and '_', 64 at most",
            r"'\1'처럼 영문자로 시작해 영문자, 숫자, '_'로 64자까지 쓰십시오",
        ),
        (r"let the name begin with (.+)", r"이름을 \1로 시작하십시오"),
        (r"give each tool a name of its own", "도구마다 고유한 이름을 주십시오"),
        # texts
        (
            r"it contains the control character (U\+\S+) at character ([0-9]+).*",
            r"\2번째에 제어 문자 \1이(가) 있습니다",
        ),
        (
            r"it contains the (?:[a-z ]+) (U\+\S+) at character ([0-9]+).*",
            r"\2번째에 보이지 않거나 쓸 수 없는 문자 \1이(가) 있습니다",
        ),
        (r"it contains more than ([0-9]+) invisible characters", r"보이지 않는 문자가 \1개를 넘습니다"),
        (
            r"remove the character; inside a pattern write it as an escape, such as (.+)",
            r"그 문자를 지우십시오. 정규식 안에서는 \1처럼 이스케이프로 쓰십시오",
        ),
        (r"'(.+)' is missing or null|'(.+)' is missing", "필요한 값이 없습니다"),
        (r"'(.+)' is blank", r"\1 값이 비어 있습니다"),
        (
            r"say in a sentence or two what the tool does and when to use it",
            "도구가 하는 일과 쓸 때를 한두 문장으로 쓰십시오",
        ),
        (
            r"'bundleId' is (.+), but the gateway knows this bundle as (.+)",
            r"번들 ID가 \1인데 게이트웨이는 \2로 알고 있습니다",
        ),
        # schemas
        (
            r"the schema has ([0-9]+) bytes without white space, more than ([0-9]+)",
            r"스키마가 공백을 빼고 \1바이트로 \2바이트를 넘습니다",
        ),
        (r"shorten it, or split the tool", "줄이거나 도구를 나누십시오"),
        (r"the schema nests deeper than ([0-9]+) levels", r"스키마가 \1단계보다 깊습니다"),
        (
            r"move inner schemas to '\$defs' at the root and refer to them",
            "안쪽 스키마를 맨 위의 '$defs'로 옮기고 참조하십시오",
        ),
        (r"the schema has more than ([0-9]+) schemas inside it", r"스키마 안의 스키마가 \1개를 넘습니다"),
        (r"describe less of the data, or split the tool", "데이터를 덜 자세히 적거나 도구를 나누십시오"),
        (r"the root of an input schema is not an object schema", "입력 스키마의 최상위가 object가 아닙니다"),
        (
            r"write (\{\"type\": \"object\", \"properties\": .*\}); arguments are named",
            r"\1 형식으로 쓰십시오. 인자에는 이름이 있어야 합니다",
        ),
        (r"it is not a schema", "스키마가 아닙니다"),
        (r"write an object, or true or false", "object, true, false 가운데 하나를 쓰십시오"),
        (
            r"'\$schema' names another dialect than JSON Schema 2020-12",
            "'$schema' 값이 JSON Schema 2020-12가 아닙니다",
        ),
        (
            r"leave it out or write (.+), and adapt the keywords that changed",
            r"빼거나 \1 값으로 쓰고, 달라진 키워드를 고치십시오",
        ),
        (r"references lead in a circle", "참조가 돌고 돕니다"),
        (
            r"put the reference inside 'properties' or 'items', so that each step goes to a smaller value",
            "단계마다 더 작은 값으로 가도록 참조를 'properties'나 'items' 안에 두십시오",
        ),
        (
            r"copy what it refers to into '\$defs' and refer to that: '#/\$defs/<name>'; nothing is fetched",
            "참조하는 스키마를 '$defs'에 복사하고 '#/$defs/<name>'으로 참조하십시오. 밖에서 가져오지 않습니다",
        ),
        (
            r"refer to a schema of this document: .*",
            "이 문서 안의 스키마를 '#', '#/$defs/<name>', '#<anchor>' 형식으로 참조하십시오",
        ),
        (r"'(.+)' is not (.+)", r"\1 값이 \2이(가) 아닙니다"),
        (r"write (.+) without quotes", r"\1 값을 따옴표 없이 쓰십시오"),
        (r"see JSON Schema 2020-12", "JSON Schema 2020-12를 보십시오"),
        # headers
        (r"(x-\S+) is not a header name: (.+)", r"\1 값 \2은(는) 헤더 이름이 아닙니다"),
        (r"use ASCII letters, digits and dashes, such as \"(.+)\"", r'"\1"처럼 영문자, 숫자, -만 쓰십시오'),
        (r"(x-\S+) (.+) stands on (.+) already", r"\1 \2이(가) 이미 \3에 있습니다"),
        (
            r"give each property a header name of its own; upper and lower case count as the same",
            "속성마다 고유한 헤더 이름을 쓰십시오. 대소문자는 구분하지 않습니다",
        ),
        (r"(x-\S+) stands where a client cannot reach it", r"\1이(가) 클라이언트가 읽을 수 없는 곳에 있습니다"),
        (
            r"put it on a property below 'properties' alone, .*",
            "items, 조합, $defs가 아니라 'properties' 아래의 속성에 두십시오",
        ),
        (
            r"(x-\S+) stands on something that is not exactly a string, an integer or a boolean",
            r"\1이(가) string, integer, boolean이 아닌 값에 있습니다",
        ),
        (
            r"give the property \"type\": \"string\", \"integer\" or \"boolean\".*",
            '속성의 "type"을 "string", "integer", "boolean" 가운데 하나로 쓰십시오',
        ),
    )
)


def of_manifest(said: str) -> Text:
    """Return a problem or a mend of a gateway's finding, in both languages; the English is left as it is."""
    text = said.rstrip(".")
    if (named := _NAMED.fullmatch(text)) is not None:
        return Text(said, f"{named[1]}: {of_manifest(named[2]).ko}")
    for pattern, korean in _KNOWN:
        if (match := pattern.fullmatch(text)) is not None:
            return Text(said, match.expand(korean))
    return Text(said, f'"{text}"')
