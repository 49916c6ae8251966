"""Ids of the design guide's rules that no rule of the check decides, and what holds them instead."""

from collections.abc import Mapping
from typing import Final

from axhub.toolkit.rules.model import Text

__all__ = ["HELD"]

HELD: Final[Mapping[str, Text]] = {
    "TK216": Text(
        "A tool with `register=False` is left out of the manifest when that is rendered; the check looks at it all the "
        "same, shows its errors as warnings, and counts its name as taken (TK107).",
        "`register=False`인 도구는 매니페스트를 만들 때 제외됩니다. 검사는 그대로 하되 오류를 경고로 표시하고, 이름은 "
        "이미 쓰는 것으로 봅니다(TK107).",
    ),
    "TK402": Text(
        "An input schema resource goes before the request model when schemas are published, in every service; TK401 "
        "tells where the two differ.",
        "입력 스키마 리소스가 요청 모델보다 우선하는 것은 스키마를 게시할 때 모든 서비스에 적용됩니다. 둘의 차이는 "
        "TK401이 알려 줍니다.",
    ),
    "TK501": Text(
        "The output schema is that of the resource, else that of the model under `@output_schema`, else none: so it is "
        "whenever schemas are published, and TK403 looks at the resource.",
        "출력 스키마는 리소스, `@output_schema`가 붙은 모델, 없음 순서로 정해집니다. 스키마를 게시할 때 항상 "
        "적용되며, 리소스는 TK403이 검사합니다.",
    ),
    "TK502": Text(
        "The service holds each result against the declared output schema before it is sent; one that does not fit is "
        "answered as an error, and the log has place and keyword.",
        "서비스가 결과를 보내기 전에 선언된 출력 스키마로 검사합니다. 맞지 않으면 오류로 응답하고, 로그에는 위치와 "
        "키워드만 남깁니다.",
    ),
    "TK614": Text(
        "A service does not start outside of the profile local while a default with an address of this machine, or the "
        "port 0 of an MCI system, which is that of a mock, is used; profile and variables are known at the start only.",
        "local 이외의 프로필에서 이 컴퓨터를 가리키는 기본값이나 모의 시스템을 뜻하는 MCI 포트 0을 쓰면 서비스가 "
        "시작되지 않습니다. 프로필과 변수는 시작할 때만 알 수 있습니다.",
    ),
    "TK701": Text(
        "Both families of request headers are read by one table of the service, so that a tool sees one context; "
        "there is nothing to write.",
        "두 종류의 요청 헤더를 서비스의 표 하나로 읽어 도구에는 컨텍스트 하나로 전달합니다. 작성할 것은 없습니다.",
    ),
    "TK802": Text(
        "The manifest is rendered with a relative endpoint for each tool; the check gives it to the gateway's own "
        "checks (TK801).",
        "매니페스트는 도구마다 상대 경로 endpoint를 넣어 만듭니다. 검사는 그것을 게이트웨이의 검사에 그대로 "
        "통과시킵니다(TK801).",
    ),
    "TK803": Text(
        "The manifest is rendered sorted by name, with a revision that is a digest of it: equal tools give equal bytes "
        "on every replica.",
        "매니페스트는 이름 순서로 만들고 revision은 내용의 digest입니다. 같은 도구는 어느 복제본에서나 같은 바이트가 "
        "됩니다.",
    ),
}
