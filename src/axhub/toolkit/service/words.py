"""Every sentence of ours that a model may read when a call cannot be answered, in both languages (toolkit/S3).

They say what is wrong and what to do about it, and never what is behind the service.
"""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, TypeAlias

from axhub.configuration.languages import Language
from axhub.toolkit.rules.model import Text

__all__ = ["FAULTS", "FIRST_FAULTS", "JSON_FAULTS", "KINDS", "REFUSALS", "Language", "Refusal", "RefusalCode"]

RefusalCode: TypeAlias = Literal[
    "INVALID_ARGUMENTS",
    "INVALID_JSON",
    "TOO_DEEP",
    "TOO_LARGE",
    "TOO_MANY_VALUES",
    "INVALID_HTTP",
    "SLOW_HEAD",
    "SLOW_BODY",
    "UNSUPPORTED_MEDIA_TYPE",
    "AMBIGUOUS_HEADER",
    "HEADERS_TOO_LARGE",
    "TOOL_NAME_MISSING",
    "NOT_A_TOOL_CALL",
    "UNKNOWN_TOOL",
    "NOT_FOUND",
    "METHOD_NOT_ALLOWED",
    "TOOL_DISABLED",
    "EMPLOYEE_REQUIRED",
    "STILL_RUNNING",
    "OUTCOME_UNKNOWN",
    "CONFLICT",
    "BUSY",
    "NOT_STARTED",
    "STOPPED",
    "TIMEOUT",
    "INTERNAL_ERROR",
]


class Refusal(NamedTuple):
    """One way in which a call is not answered."""

    status: int
    text: Text


REFUSALS: Final[Mapping[RefusalCode, Refusal]] = {
    "INVALID_ARGUMENTS": Refusal(
        400,
        Text(
            "The arguments are not valid; faults: {count}{first}. Mend what `fields` names and call again.",
            "인자가 올바르지 않습니다(오류 {count}건{first}). `fields`에 적힌 항목을 고쳐 다시 호출하십시오.",
        ),
    ),
    "INVALID_JSON": Refusal(
        400,
        Text(
            "The body is not valid JSON: {where}. Send the arguments as one JSON object.",
            "본문이 올바른 JSON이 아닙니다: {where}. 인자를 JSON 객체 하나로 보내십시오.",
        ),
    ),
    "TOO_DEEP": Refusal(
        400,
        Text(
            "The arguments nest deeper than {limit} levels. Send them as the tool's input schema describes.",
            "인자의 중첩이 {limit}단계를 넘습니다. 도구의 입력 스키마에 맞게 보내십시오.",
        ),
    ),
    "TOO_LARGE": Refusal(
        413,
        Text(
            "The arguments are larger than {limit} bytes. Send less.",
            "인자가 {limit}바이트를 넘습니다. 줄여서 보내십시오.",
        ),
    ),
    "TOO_MANY_VALUES": Refusal(
        400,
        Text(
            "The arguments have more than {limit} values. Send less at a time.",
            "인자의 값이 {limit}개를 넘습니다. 한 번에 보내는 양을 줄이십시오.",
        ),
    ),
    "INVALID_HTTP": Refusal(
        400,
        Text("This is not a valid HTTP/1.1 request.", "올바른 HTTP/1.1 요청이 아닙니다."),
    ),
    "SLOW_HEAD": Refusal(
        408,
        Text(
            "The headers did not arrive in time. Send them again.", "헤더가 제때 도착하지 않았습니다. 다시 보내십시오."
        ),
    ),
    "SLOW_BODY": Refusal(
        408,
        Text("The body did not arrive in time. Send it again.", "본문이 제때 도착하지 않았습니다. 다시 보내십시오."),
    ),
    "UNSUPPORTED_MEDIA_TYPE": Refusal(
        415,
        Text(
            "Send the arguments as application/json in UTF-8, not compressed.",
            "인자는 압축하지 않은 UTF-8 application/json으로 보내십시오.",
        ),
    ),
    "AMBIGUOUS_HEADER": Refusal(
        400,
        Text(
            "The header {name} comes twice with different values. Send it once.",
            "헤더 {name}의 값이 서로 다르게 두 번 왔습니다. 한 번만 보내십시오.",
        ),
    ),
    "HEADERS_TOO_LARGE": Refusal(
        431,
        Text("The headers are too many or too long. Send less.", "헤더가 너무 많거나 너무 깁니다. 줄여서 보내십시오."),
    ),
    "TOOL_NAME_MISSING": Refusal(
        400,
        Text(
            "The header Mcp-Name is missing: it names the tool that is called.",
            "호출할 도구의 이름을 담는 헤더 Mcp-Name이 없습니다.",
        ),
    ),
    "NOT_A_TOOL_CALL": Refusal(
        400,
        Text(
            "This address takes tools/call only, with the arguments as the body. Clients of MCP talk to the gateway.",
            "이 주소는 인자를 본문으로 하는 tools/call만 받습니다. MCP 클라이언트는 게이트웨이에 연결하십시오.",
        ),
    ),
    "UNKNOWN_TOOL": Refusal(404, Text("There is no tool of this name.", "이런 이름의 도구는 없습니다.")),
    "NOT_FOUND": Refusal(404, Text("There is nothing at this address.", "이 주소에는 아무것도 없습니다.")),
    "METHOD_NOT_ALLOWED": Refusal(
        405, Text("Use the method that the header Allow names.", "헤더 Allow에 적힌 메서드를 사용하십시오.")
    ),
    "TOOL_DISABLED": Refusal(
        403,
        Text(
            "This tool is switched off at the moment. Do not call it again; do the task without it.",
            "이 도구는 현재 꺼져 있습니다. 다시 호출하지 말고 이 도구 없이 진행하십시오.",
        ),
    ),
    "EMPLOYEE_REQUIRED": Refusal(
        403,
        Text(
            "This tool works only for an employee who is signed in; no argument can replace that.",
            "이 도구는 로그인한 직원만 사용할 수 있으며, 인자로 대신할 수 없습니다.",
        ),
    ),
    "STILL_RUNNING": Refusal(
        409,
        Text(
            "The same request is being carried out right now. Do not send another one; wait, then ask for its state.",
            "같은 요청을 지금 처리하고 있습니다. 새로 요청하지 말고 잠시 기다린 뒤 처리 상태를 조회하십시오.",
        ),
    ),
    "OUTCOME_UNKNOWN": Refusal(
        409,
        Text(
            "The same request was made before and may or may not have taken effect. It is not carried out again; "
            "find out its state first, or ask a person.",
            "같은 요청이 이미 있었고 반영되었는지 알 수 없습니다. 다시 실행하지 않습니다. "
            "먼저 처리 상태를 조회하거나 담당자에게 확인하십시오.",
        ),
    ),
    "CONFLICT": Refusal(
        409,
        Text(
            "A request with the same {key} was made before with other arguments, or by somebody else; this one was not "
            "carried out. For a new request use another {key}; to repeat the earlier one send it unchanged.",
            "같은 {key} 값으로 내용이나 요청자가 다른 요청이 이미 있었으므로 이 요청은 실행하지 않았습니다. "
            "새 요청이면 {key} 값을 다르게 하고, 이전 요청을 반복하려면 그대로 보내십시오.",
        ),
    ),
    "BUSY": Refusal(
        503, Text("The service is busy. Call again a little later.", "서비스가 혼잡합니다. 잠시 뒤 다시 호출하십시오.")
    ),
    "NOT_STARTED": Refusal(
        503,
        Text(
            "The service has not started. Call again later.", "서비스가 시작되지 않았습니다. 나중에 다시 호출하십시오."
        ),
    ),
    "STOPPED": Refusal(
        503,
        Text(
            "The service is being stopped, and this call was cut off; it may or may not have taken effect. Call again "
            "a little later if that can do no harm.",
            "서비스가 종료되어 이 호출이 중단되었으며 반영되었는지 알 수 없습니다. "
            "다시 실행해도 문제가 없을 때만 잠시 뒤 다시 호출하십시오.",
        ),
    ),
    "TIMEOUT": Refusal(
        504,
        Text("The tool did not answer in time.", "도구가 제한 시간 안에 응답하지 못했습니다."),
    ),
    "INTERNAL_ERROR": Refusal(
        500,
        Text(
            "The tool failed. Other arguments will not help.",
            "도구에서 오류가 발생했습니다. 인자를 바꾸어도 해결되지 않습니다.",
        ),
    ),
}
"""By code. What a code means stays; a sentence may change."""

FIRST_FAULTS: Final = Text(", of which the first {told} are listed", " 중 처음 {told}건만 적음")
"""Of more faults than are told."""

JSON_FAULTS: Final[Mapping[str, Text]] = {
    "byte": Text("there is an unexpected character at byte {at}", "{at}번째 바이트에 올 수 없는 문자가 있음"),
    "utf8": Text("it is no UTF-8 at byte {at}", "{at}번째 바이트가 UTF-8이 아님"),
    "truncated": Text("it ends too early", "중간에서 끝남"),
    "escape": Text("half of a character is escaped alone", "문자의 절반만 이스케이프됨"),
    "number": Text("a number has too many digits", "숫자의 자릿수가 너무 많음"),
}
"""What is wrong with a body that is no JSON."""

FAULTS: Final[Mapping[str, Text]] = {
    "missing": Text("Required, but missing.", "필수 항목인데 없습니다."),
    "unknown": Text(
        "There is no such member; allowed: {known}.", "이런 이름의 항목은 없습니다. 쓸 수 있는 이름: {known}."
    ),
    "unknown_near": Text(
        "There is no such member; did you mean {near}?", "이런 이름의 항목은 없습니다. 혹시 {near}입니까?"
    ),
    "unknown_none": Text("No members are allowed here.", "여기에는 어떤 항목도 쓸 수 없습니다."),
    "unknown_decomposed": Text(
        "This name is decomposed text (NFD), and no member of that spelling exists; write it composed (NFC): {near}.",
        "이 이름은 자모가 분해된 문자열(NFD)이어서 그런 항목이 없습니다. 조합된 형태(NFC)로 쓰십시오: {near}.",
    ),
    "unknown_invisible": Text(
        "This name has invisible characters in it; write {near} without them.",
        "이 이름에 보이지 않는 문자가 있습니다. 그 문자 없이 {near}(으)로 쓰십시오.",
    ),
    "duplicate": Text(
        "This member stands twice in one object. Send it once.",
        "한 객체 안에 이 항목이 두 번 있습니다. 한 번만 보내십시오.",
    ),
    "too_many": Text(
        "There are too many faults to list them. Read the tool's input schema, and begin with a few values.",
        "오류가 너무 많아 모두 적을 수 없습니다. 도구의 입력 스키마를 읽고 적은 수의 값부터 보내십시오.",
    ),
    "type": Text("Needs {expected}, but got {received}.", "필요한 값: {expected}. 받은 값: {received}."),
    "type_quoted": Text(
        "Needs {expected}, but got text; write it without quotation marks.",
        "필요한 값: {expected}. 받은 값: 문자열. 따옴표 없이 쓰십시오.",
    ),
    "enum": Text("Must be one of: {values}.", "다음 중 하나여야 합니다: {values}."),
    "pattern": Text("Must match the pattern {pattern}", "다음 정규식에 맞아야 합니다: {pattern}"),
    "min_length": Text("Must have at least {limit} characters.", "{limit}자 이상이어야 합니다."),
    "max_length": Text("Must have at most {limit} characters.", "{limit}자 이하여야 합니다."),
    "min_items": Text("Must have at least {limit} items.", "항목이 {limit}개 이상이어야 합니다."),
    "max_items": Text("Must have at most {limit} items.", "항목이 {limit}개 이하여야 합니다."),
    "unique": Text("No item may stand twice.", "같은 항목이 두 번 있으면 안 됩니다."),
    "minimum": Text("Must be at least {limit}.", "{limit} 이상이어야 합니다."),
    "exclusive_minimum": Text("Must be more than {limit}.", "{limit}보다 커야 합니다."),
    "maximum": Text("Must be at most {limit}.", "{limit} 이하여야 합니다."),
    "exclusive_maximum": Text("Must be less than {limit}.", "{limit}보다 작아야 합니다."),
    "multiple_of": Text("Must be a multiple of {limit}.", "{limit}의 배수여야 합니다."),
    "whole": Text("Needs a whole number, without a fraction.", "소수점 없는 정수여야 합니다."),
    "finite": Text("The number is too large.", "숫자가 너무 큽니다."),
    "digits": Text("Has too many digits; allowed: {limit}.", "자릿수가 너무 많습니다. 허용: {limit}자리."),
    "places": Text(
        "Has too many digits after the point; allowed: {limit}.",
        "소수점 아래 자릿수가 너무 많습니다. 허용: {limit}자리.",
    ),
    "date": Text("Needs a date that exists, such as 2026-12-31.", "2026-12-31과 같은 실제 날짜여야 합니다."),
    "time": Text("Needs a time of day, such as 09:30:00.", "09:30:00과 같은 시각이어야 합니다."),
    "datetime": Text(
        "Needs a date with a time, such as 2026-12-31T09:30:00+09:00.",
        "2026-12-31T09:30:00+09:00과 같은 날짜와 시각이어야 합니다.",
    ),
    "zone": Text("Needs a time zone, such as +09:00.", "+09:00과 같은 시간대가 필요합니다."),
    "no_zone": Text("Must have no time zone.", "시간대를 쓰지 않아야 합니다."),
    "past": Text("Must lie in the past.", "과거여야 합니다."),
    "future": Text("Must lie in the future.", "미래여야 합니다."),
    "duration": Text("Needs a duration, such as P1DT2H.", "P1DT2H와 같은 기간이어야 합니다."),
    "uuid": Text("Needs a UUID.", "UUID여야 합니다."),
    "url": Text("Needs a web address.", "웹 주소여야 합니다."),
    "number_text": Text(
        'Needs a decimal number in quotation marks, such as "1234.50".',
        '"1234.50"처럼 따옴표로 묶은 십진수여야 합니다.',
    ),
    "any_of": Text("Fits none of the allowed forms.", "허용된 형태 중 어느 것에도 맞지 않습니다."),
    "one_of": Text("Must fit exactly one of the allowed forms.", "허용된 형태 중 정확히 하나에 맞아야 합니다."),
    "any_required": Text("At least one of these is needed: {names}.", "다음 중 하나 이상이 필요합니다: {names}."),
    "one_required": Text("Exactly one of these is needed: {names}.", "다음 중 정확히 하나가 필요합니다: {names}."),
    "condition": Text(
        "Breaks a condition of the input schema ({keyword}).", "입력 스키마의 조건에 맞지 않습니다({keyword})."
    ),
    "author": Text("{text}", "{text}"),
    "invalid": Text("Is not valid here.", "여기에 올 수 없는 값입니다."),
    "example": Text("Example: {example}", "예: {example}"),
}
"""By kind of fault of one argument."""

KINDS: Final[Mapping[str, Text]] = {
    "string": Text("text", "문자열"),
    "integer": Text("a whole number", "정수"),
    "number": Text("a number", "숫자"),
    "boolean": Text("true or false", "true 또는 false"),
    "object": Text("an object", "객체"),
    "array": Text("a list", "배열"),
    "null": Text("null", "null"),
    "or": Text(" or ", " 또는 "),
}
"""Kinds of JSON values, as people call them."""
