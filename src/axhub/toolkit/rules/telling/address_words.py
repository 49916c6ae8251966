"""Why an address or a path of a configuration is refused, in Korean; patterns for `loader_words` (toolkit/H1)."""

from typing import Final

__all__ = ["ADDRESS_WORDS"]

ADDRESS_WORDS: Final = (
    (r"it is not an absolute URL such as (\S+)", r"\1 같은 전체 URL이 아님"),
    (r"it is not an origin such as (\S+)", r"\1 같은 주소가 아님"),
    (r"it is not an origin: nothing may stand after host and port", "호스트와 포트 뒤에는 아무것도 쓸 수 없음"),
    (r"its scheme (\S+) is not http or https", r"스킴 \1은(는) http나 https가 아님"),
    (r"it is longer than ([0-9]+) characters", r"\1자를 넘음"),
    (r"it contains a blank", "공백이 있음"),
    (r"it contains a control character", "제어 문자가 있음"),
    (r"it contains the non-ASCII character (\S+)", r"ASCII가 아닌 문자 \1이(가) 있음"),
    (r"it contains a backslash", "역슬래시가 있음"),
    (r"it has a fragment \('#'\)", "'#' 뒤의 부분이 있음"),
    (r"it carries user information \('@' before the host\)", "호스트 앞에 '@'와 사용자 정보가 있음"),
    (r"it has no host", "호스트가 없음"),
    (r"its host is malformed", "호스트를 읽을 수 없음"),
    (r"its host ends with a dot", "호스트가 점으로 끝남"),
    (
        r"its host is not a host name of ASCII letters, digits, '-', '_' and '\.'",
        "호스트에는 ASCII 문자, 숫자, '-', '_', '.'만 쓸 수 있음",
    ),
    (r"its host is a number that is not a plain IPv4 address \(a\.b\.c\.d\)", "호스트가 IPv4 주소(a.b.c.d)가 아님"),
    (r"its host 0\.0\.0\.0 is not an address that can be called", "호스트 0.0.0.0은 호출할 수 없는 주소임"),
    (r"its host is not an IPv6 address", "호스트가 IPv6 주소가 아님"),
    (r"its host is an IPv6 address with a zone, .*", "호스트가 호출할 수 있는 IPv6 주소가 아님"),
    (r"its port is not a number from 1 to 65535", "포트가 1에서 65535까지의 숫자가 아님"),
    (
        r"it contains a character that has to be percent-encoded, or a '%' without two hex digits",
        "퍼센트 인코딩이 필요한 문자나, 뒤에 16진수 두 자리가 없는 '%'가 있음",
    ),
    (r"it contains a percent-encoded control character", "퍼센트 인코딩된 제어 문자가 있음"),
    (r"its path has a '\.' or '\.\.' segment", "경로에 '.'나 '..' 부분이 있음"),
    (r"its path has an empty segment", "경로에 빈 부분이 있음"),
    (r"a relative endpoint may not contain '@' \(write %40\)", "경로에 '@'를 쓸 수 없음(%40으로 써야 함)"),
    (r"a relative endpoint may not contain '//'", "경로에 '//'를 쓸 수 없음"),
    (r"scheme and host stand in domain", "스킴과 호스트는 domain에 써야 함"),
    (
        r"braces only in the path, around the name of a member of the request: (\S+)",
        r"중괄호는 경로에서 요청 멤버의 이름을 감쌀 때만 쓸 수 있음(예: \1)",
    ),
    (r"a telegram fills no path: no braces", "전문을 보내는 경로에는 중괄호를 쓸 수 없음"),
    (r"at most one parameter, a known charset", "매개변수는 알려진 charset 하나만 쓸 수 있음"),
)
"""Pattern, Korean; what stands in a group is looked up too."""
