"""What validators say about a value, in words of our own and in both languages: kinds of faults, JSON, YAML.

The inspection passes on kinds (`/buy float_parsing`, `months: less_than_equal 60`), since a fault's own text may quote
what stands there, and is in one language only.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from axhub.toolkit.rules.model import Text
from axhub.toolkit.rules.telling.telegram_words import SENTENCES

__all__ = ["fault_in_words", "in_words", "of_json", "of_yaml"]

_KINDS: Final[Mapping[str, Text]] = {
    kind: Text(en, ko)
    for kinds, en, ko in (
        ("missing", "it is missing", "값이 없음"),
        ("required", "{limit} is missing", "{limit} 값이 없음"),
        ("extra_forbidden", "there is no such member", "그런 멤버는 없음"),
        ("additionalProperties unevaluatedProperties", "there is no such member: {limit}", "없는 멤버: {limit}"),
        ("string_type", "a text is needed", "문자열이 필요함"),
        ("int_type float_type", "a number is needed", "숫자가 필요함"),
        (
            "int_parsing float_parsing decimal_parsing",
            "a number is needed, and there is a text",
            "숫자가 필요한데 문자열이 있음",
        ),
        ("int_from_float", "a whole number is needed", "정수가 필요함"),
        ("bool_type bool_parsing", "true or false is needed", "true 또는 false가 필요함"),
        ("finite_number", "a finite number is needed", "유한한 숫자가 필요함"),
        ("int_parsing_size", "the number is too large", "숫자가 너무 큼"),
        ("decimal_max_digits", "the number has too many digits", "숫자의 자릿수가 너무 많음"),
        ("decimal_max_places", "the number has too many decimal places", "소수점 아래 자릿수가 너무 많음"),
        ("decimal_whole_digits", "the number has too many digits before the point", "소수점 앞 자릿수가 너무 많음"),
        ("decimal_type is_instance_of", "it has another type", "타입이 다름"),
        ("bytes_type", "bytes are needed", "바이트 값이 필요함"),
        ("string_sub_type string_unicode", "a plain text is needed", "일반 문자열이 필요함"),
        ("time_type time_parsing", "a time is needed", "시각이 필요함"),
        ("time_delta_type time_delta_parsing", "a duration is needed", "기간이 필요함"),
        ("date_past datetime_past", "it has to lie in the past", "과거여야 함"),
        ("date_future datetime_future", "it has to lie in the future", "미래여야 함"),
        ("timezone_aware", "a time with its offset is needed", "시간대가 있는 시각이어야 함"),
        ("timezone_naive", "a time without an offset is needed", "시간대가 없는 시각이어야 함"),
        ("datetime_object_invalid", "there is no such date", "없는 일시임"),
        ("uuid_type uuid_parsing uuid_version", "a UUID is needed", "UUID가 필요함"),
        ("url_type url_parsing url_scheme url_syntax_violation url_too_long", "a URL is needed", "URL이 필요함"),
        ("union_tag_invalid", "its kind is none of those allowed", "허용된 종류가 아님"),
        ("union_tag_not_found", "what tells its kind is missing", "종류를 알려 주는 값이 없음"),
        ("missing_argument missing_keyword_only_argument", "it is missing", "값이 없음"),
        ("unexpected_keyword_argument", "there is no such member", "그런 멤버는 없음"),
        ("set_item_not_hashable", "an item cannot stand in a set", "집합에 넣을 수 없는 요소가 있음"),
        ("list_type tuple_type set_type frozen_set_type iterable_type", "a list is needed", "목록이 필요함"),
        (
            "dict_type mapping_type model_type model_attributes_type dataclass_type",
            "an object is needed",
            "object가 필요함",
        ),
        ("null", "it is null, which the field does not allow", "null인데 필드가 null을 허용하지 않음"),
        ("none_required", "null is needed", "null이 필요함"),
        ("date_type date_parsing date_from_datetime_parsing", "a date is needed", "날짜가 필요함"),
        ("datetime_type datetime_parsing datetime_from_date_parsing", "a date with a time is needed", "일시가 필요함"),
        ("literal_error enum", "one of {limit} is needed", "{limit} 가운데 하나여야 함"),
        ("const", "{limit} is needed", "{limit} 값이어야 함"),
        ("type", "the type {limit} is needed", "타입이 {limit}이어야 함"),
        ("string_pattern_mismatch pattern", "a text of the form {limit} is needed", "{limit} 형식이어야 함"),
        ("greater_than_equal minimum", "at least {limit} is needed", "{limit} 이상이어야 함"),
        ("greater_than exclusiveMinimum", "more than {limit} is needed", "{limit}보다 커야 함"),
        ("less_than_equal maximum", "at most {limit} is allowed", "{limit} 이하여야 함"),
        ("less_than exclusiveMaximum", "less than {limit} is needed", "{limit}보다 작아야 함"),
        ("multiple_of multipleOf", "a multiple of {limit} is needed", "{limit}의 배수여야 함"),
        ("string_too_short minLength", "at least {limit} characters are needed", "{limit}자 이상이어야 함"),
        ("string_too_long maxLength", "at most {limit} characters are allowed", "{limit}자 이하여야 함"),
        ("too_short minItems", "at least {limit} items are needed", "{limit}개 이상이어야 함"),
        ("too_long maxItems", "at most {limit} items are allowed", "{limit}개 이하여야 함"),
        ("uniqueItems", "each item may stand once only", "같은 요소가 두 번 있음"),
        ("json json_invalid", "it is no JSON", "JSON이 아님"),
        ("value_error assertion_error", "{limit}", "{limit}"),
    )
    for kind in kinds.split()
}
_LIMITLESS: Final = {
    "literal_error": Text("it is none of the allowed values", "허용된 값이 아님"),
    "enum": Text("it is none of the allowed values", "허용된 값이 아님"),
    "type": Text("it has another type", "타입이 다름"),
    "value_error": Text("the model refuses it", "모델이 거절함"),
    "assertion_error": Text("the model refuses it", "모델이 거절함"),
}
_OUT_OF_BOUNDS: Final = Text("it is beyond its bounds", "허용 범위를 벗어남")
_FAULT: Final = re.compile(r"(?P<place>/?[^\s:]*):? (?P<kind>[A-Za-z_]+)(?: (?P<limit>.+))?", re.DOTALL)
_AT: Final = re.compile(r"(?P<said>.*?)(?P<at> at \S+:[0-9]+)", re.DOTALL)
_SENTENCES: Final[tuple[tuple[re.Pattern[str], Text], ...]] = tuple(
    (re.compile(pattern, re.DOTALL), Text(en, ko))
    for pattern, en, ko in (
        (r"the answer is no (\w+): (.*)", r"\1 cannot be made of it (\2)", r"\1 모델로 읽을 수 없음(\2)"),
        (r"(\w+) cannot be made: (.*)", r"\1 cannot be made (\2)", r"\1 모델을 만들 수 없음(\2)"),
        (
            r"what the tool returned is no answer of it: (.*)()",
            r"what the tool returns is no answer of it (\1)",
            r"도구가 돌려준 값이 응답 스키마에 맞지 않음(\1)",
        ),
        (r"(\w+) instead of (\w+)", r"\1 instead of \2", r"\2 대신 \1"),
        (
            r"a field holds another kind of value than it declares",
            "a field holds another kind of value than it declares",
            "필드의 값이 선언한 타입과 다름",
        ),
        (
            r'the tool asked the (\w+) "(.*)" more than ([0-9]+) times',
            r'the tool asked the \1 "\2" more than \3 times',
            r'도구가 \1 "\2"을(를) \3번 넘게 호출함',
        ),
        (
            r'the tool also asks the (\w+) "(.*)", of which it has no sample \((.*)\)',
            r'the tool also asks the \1 "\2", of which it has no sample (\3)',
            r'도구가 \1 "\2"도 호출하는데 그 샘플(\3)이 없음',
        ),
        (
            r'the tool asks the (\w+) "(.*)" for what none of its samples is the answer to',
            r'the tool asks the \1 "\2" for what none of its samples is the answer to',
            r'도구가 \1 "\2"에 보낸 요청에 맞는 샘플이 없음',
        ),
        (
            r"the API's url has \{(\w+)\}, and the request has no usable \w+",
            r"the url has {\1}, and the request has no usable member \1",
            r"url에 {\1}이(가) 있는데 요청에 쓸 수 있는 \1 값이 없음",
        ),
        (
            r"(\w+) is an object or a list of lists, which no query holds",
            r"\1 is an object or a list of lists, which no query holds; POST would send it as a body",
            r"\1 값이 object이거나 목록의 목록이어서 쿼리에 넣을 수 없음. POST는 본문으로 보냄",
        ),
        (
            r"the request has a character that (\S+) lacks",
            r"the request has a character that \1 lacks",
            r"요청에 \1에 없는 문자가 있음",
        ),
        (
            r"the coroutine (\S+) was never awaited",
            r"`await` is missing before the call of \1",
            r"\1 호출 앞에 `await`가 없음",
        ),
        (r'KeyError "(.*)"', r'there is no entry "\1" (KeyError)', r'"\1" 항목이 없음(KeyError)'),
        (
            r"the environment variable (\S+) is not set",
            r"while samples are tried, nothing sets the environment variable \1",
            r"샘플을 시험할 때 환경 변수 \1 값이 없음",
        ),
        (
            r"the tool took longer than (\S+) seconds",
            r"the tool took longer than \1 seconds",
            r"도구의 실행이 \1초를 넘음",
        ),
        (
            r"all samples together took longer than (\S+) seconds, and this one has not ended",
            r"all samples together took longer than \1 seconds, and this one has not ended",
            r"모든 샘플의 실행이 \1초를 넘었고 이 샘플이 끝나지 않음",
        ),
        (
            r"request has to be an object with the members that a request must have",
            "request has to be an object with the members that a request must have",
            "request 값은 요청에 있어야 할 멤버를 적은 object여야 함",
        ),
        (
            r"status has to be a number from 200 to 599",
            "status has to be a number from 200 to 599",
            "status 값은 200에서 599까지의 숫자여야 함",
        ),
        *SENTENCES,
    )
)
_JSON: Final[tuple[tuple[re.Pattern[str], Text], ...]] = tuple(
    (re.compile(pattern), Text(en, ko))
    for pattern, en, ko in (
        (r"(?i)expecting value", "a value is needed here", "여기에 값이 있어야 합니다"),
        (
            r"(?i)expecting property name.*|illegal trailing comma.*|trailing comma.*",
            "a name in double quotes is needed here; no comma stands after the last member",
            "여기에 큰따옴표로 묶은 이름이 있어야 합니다. 마지막 멤버 뒤에는 쉼표를 쓰지 않습니다",
        ),
        (r"(?i)expecting '(.)' delimiter|expected '(.)'", "a {0} is needed here", "여기에 {0} 기호가 있어야 합니다"),
        (
            r"expected '(.)' or '(.)'",
            "a {0} or a {1} is needed here",
            "여기에 {0} 또는 {1} 기호가 있어야 합니다",
        ),
        (r"(?i)extra data|trailing characters", "the document has ended before this", "문서가 이 앞에서 끝났습니다"),
        (
            r"(?i)unterminated string.*|.*end of data|.*truncated",
            "the end of a text or an object is missing",
            "문자열이나 object의 끝이 없습니다",
        ),
        (
            r"(?i)invalid control character.*",
            "a text has a line end or a tab in it",
            "문자열 안에 줄바꿈이나 탭이 있습니다",
        ),
        (r"(?i)invalid \\?escape.*|invalid escape.*", "there is no such escape", "그런 이스케이프는 없습니다"),
        (r"object keys must be strings", "names stand in double quotes", "이름은 큰따옴표로 묶어야 합니다"),
        (r"(?i)malformed.*|invalid number.*", "there is no such value", "그런 값은 없습니다"),
        (r"too deep|nested deeper than .*", "it is too deep", "너무 깊습니다"),
        (r"(?i)invalid character.*", "no value begins with this character", "이 문자로 시작하는 값은 없습니다"),
        (r"(?i)not utf-8.*|.*invalid utf-8.*", "it is no UTF-8", "UTF-8이 아닙니다"),
    )
)
_YAML: Final[tuple[tuple[re.Pattern[str], Text], ...]] = tuple(
    (re.compile(pattern), Text(en, ko))
    for pattern, en, ko in (
        (
            r"mapping values are not allowed (?:here|in this context)",
            'a value that contains ": " needs quotes',
            '": "이 있는 값은 따옴표로 묶어야 함. 값에 없다면 들여쓰기가 앞뒤 줄과 다름',
        ),
        (
            r"could not find expected ':'|expected ':'.*|.*expected ':'",
            "a line has no `: ` after its key",
            "키 뒤에 `: `가 없는 줄이 있음",
        ),
        (
            r"expected <block end>, but found '?<?(.+?)>?'?|did not find expected (?:key|'-' indicator)",
            "a line is indented otherwise than those around it",
            "줄의 들여쓰기가 앞뒤 줄과 다름",
        ),
        (
            r"expected ',' or '([\]}])', but got .*|did not find expected ',' or '([\]}])'",
            "a bracket is not closed, or a comma is missing",
            "괄호가 닫히지 않았거나 쉼표가 없음",
        ),
        (
            r"found unexpected end of stream|.*unexpected end of.*",
            "a quote or a bracket is not closed",
            "따옴표나 괄호가 닫히지 않음",
        ),
        (
            r"found character '(.+)' that cannot start any token",
            "a value that begins with {0} needs quotes",
            "{0} 문자로 시작하는 값은 따옴표로 묶어야 함",
        ),
        (
            r"found undefined alias '(.+)'",
            "*{0} names nothing that stands before it",
            "*{0} 이름의 앵커가 앞에 없음",
        ),
        (
            r"expected the node content, but found.*|did not find expected node content",
            "a value is missing, or a bracket is not closed",
            "값이 없거나 괄호가 닫히지 않음",
        ),
        (r"found unknown escape character.*", "there is no such escape", "그런 이스케이프는 없음"),
        (r"the file is empty; needed: (.*)", "the file is empty", "파일이 비어 있음"),
        (
            r"no keys at the top; needed: (.*)",
            "there are no keys at the top; needed: {0}",
            "맨 위 단계에 키가 없음. `name: …` 같은 줄이 필요함",
        ),
        (
            r"the tag (.+); needed: a plain value, without '!'",
            "there is the tag {0}; needed: a plain value, without '!'",
            "태그 {0}이(가) 있음. '!' 없이 값만 써야 함",
        ),
        (
            r"more than ([0-9]+) values; needed: (.*)",
            "there are more than {0} values; needed: {1}",
            "값이 {0}개를 넘음. 값이나 별칭(*name)을 줄여야 함",
        ),
        (
            r"a second document \(---\); needed: one YAML document",
            "there is a second document (---); needed: one YAML document",
            "두 번째 문서(---)가 있음. YAML 문서는 하나여야 함",
        ),
        (
            r"bytes that are not UTF-8 \(byte ([0-9]+)\); needed: a file saved as UTF-8",
            "byte {0} is not UTF-8; needed: a file saved as UTF-8",
            "{0}번째 바이트가 UTF-8이 아님. UTF-8로 저장해야 함",
        ),
        (
            r"\*(.+), which names nothing; needed: (.*)",
            "*{0} names nothing; needed: {1}",
            "*{0} 이름의 앵커가 앞에 없음. `&{0}`을(를) 먼저 적어야 함",
        ),
    )
)


def in_words(said: str) -> Text:
    """Return what an inspection says about a value, in words; what is unknown stays as it is."""
    found = _AT.fullmatch(said.strip())
    text, at = (found["said"], found["at"]) if found is not None else (said.strip().rstrip("."), "")
    worded = _sentence(text)
    return Text(worded.en + at, f"{worded.ko}({at.removeprefix(' at ')})" if at else worded.ko)


def fault_in_words(kind: str, limit: str | None) -> Text:
    """Return one kind of fault in words; what is unknown stays as it is."""
    text = _KINDS.get(kind, Text(kind, kind))
    if limit is None and "{limit}" in text.en:
        text = _LIMITLESS.get(kind, _OUT_OF_BOUNDS)
    english = text.en.replace("characters are", "character is").replace("items are", "item is")
    return Text((english if limit == "1" else text.en).format(limit=limit), text.ko.format(limit=limit))


def of_json(said: str) -> Text:
    """Return what a JSON reader says, in words; where it is, is told by the place."""
    return _looked_up(re.sub(r" \((?:byte|char) [0-9]+\)$", "", said.strip().rstrip(".")), _JSON)


def of_yaml(said: str) -> Text:
    """Return why a definition cannot be read, in words."""
    return _looked_up(said.strip().rstrip("."), _YAML)


def _looked_up(said: str, table: Iterable[tuple[re.Pattern[str], Text]]) -> Text:
    for pattern, text in table:
        if (match := pattern.fullmatch(said)) is not None:
            parts = [part for part in match.groups() if part is not None]
            return Text(text.en.format(*parts), text.ko.format(*parts))
    return Text(said, said)


def _sentence(said: str) -> Text:
    for pattern, text in _SENTENCES:
        if (match := pattern.fullmatch(said)) is not None:
            texts = [_faults(part) for part in match.groups()]
            return Text(_filled(text.en, [one.en for one in texts]), _filled(text.ko, [one.ko for one in texts]))
    return _fault(said)


def _filled(template: str, parts: list[str]) -> str:
    return re.sub(r"\\([0-9])", lambda match: parts[int(match[1]) - 1], template)


def _faults(said: str) -> Text:
    """Return faults that stand one after the other, each in words."""
    texts = [_sentence(part) for part in re.split(r", (?=/|…|: )", said)]
    return Text("; ".join(text.en for text in texts), "; ".join(text.ko for text in texts))


def _fault(said: str) -> Text:
    match = _FAULT.fullmatch(said)
    kind = "" if match is None else match["kind"]
    if match is None or kind not in _KINDS:
        return Text(said, said)
    text, place = fault_in_words(kind, match["limit"]), match["place"] or "/"
    return Text(f"{place}: {text.en}", f"{place}: {text.ko}")
