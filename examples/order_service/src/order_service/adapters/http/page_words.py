"""What stands on the page for people."""

from collections.abc import Mapping
from typing import Final

from order_service.adapters.http.words import Text

__all__ = ["NOTICES", "STYLE"]

TITLE: Final = Text("Approvals", "승인")
SIGN_IN: Final = Text("Sign in", "로그인")
SIGN_OUT: Final = Text("Sign out", "로그아웃")
TOKEN: Final = Text("Token", "토큰")
TOKEN_REFUSED: Final = Text("The token is not valid.", "유효하지 않은 토큰입니다.")
NOTHING: Final = Text("Nothing waits for a decision.", "결정을 기다리는 요청이 없습니다.")
TOOL: Final = Text("Action", "작업")
REQUESTER: Final = Text("Asked for by", "요청자")
CALL: Final = Text("Call", "호출 번호")
EXPIRES: Final = Text("To be decided before", "결정 기한")
ARGUMENTS: Final = Text("With exactly these values", "실행할 값(그대로 실행됩니다)")
UNSEEN: Final = Text(
    "Marked characters would be invisible, or would change the order of what you read.",
    "표시된 문자는 보이지 않거나 읽는 순서를 바꾸는 문자입니다.",
)
COMMENT: Final = Text("Comment", "의견")
APPROVE: Final = Text("Approve", "승인")
DENY: Final = Text("Deny", "거절")
OWN: Final = Text("Your own request: somebody else decides.", "자신의 요청은 다른 승인자가 결정합니다.")
DOUBTS: Final = Text("What has perhaps happened", "실행되었는지 알 수 없는 작업")
DOUBT: Final = Text(
    "It is not known whether these were done. Look in the system that was to do it, then say what is there, once.",
    "실행 여부를 알 수 없습니다. 작업을 실행하는 시스템에서 직접 확인한 뒤 결과를 기록하십시오(한 번만 기록됩니다).",
)
VALUES: Final = Text("With these values", "전달된 값")
HAPPENED: Final = Text("It was done", "실행되었음")
DID_NOT_HAPPEN: Final = Text("It was not done", "실행되지 않았음")
OWN_DOUBT: Final = Text("Your own request: somebody else says it.", "자신의 요청은 다른 승인자가 기록합니다.")
BACK: Final = Text("Back to the list", "목록으로")
SIGNED_IN_AS: Final = Text("Signed in as", "로그인한 사용자")

NOTICES: Final[Mapping[str, Text]] = {
    "approved": Text("Approved.", "승인했습니다."),
    "denied": Text("Denied.", "거절했습니다."),
    "happened": Text("Recorded: it was done.", "실행된 것으로 기록했습니다."),
    "did-not-happen": Text("Recorded: it was not done.", "실행되지 않은 것으로 기록했습니다."),
    "signed-out": Text("Signed out.", "로그아웃했습니다."),
}

STYLE: Final = """\
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 48rem; padding: 0 1rem; color: #1a1a1a; }
header { display: flex; justify-content: space-between; align-items: center; gap: 1rem; }
article { border: 1px solid #8a8a8a; border-radius: .4rem; padding: 1rem; margin: 1rem 0; overflow: hidden; }
pre { background: #f2f2f2; padding: .6rem; white-space: pre-wrap; overflow-wrap: anywhere; }
pre, .value { direction: ltr; unicode-bidi: bidi-override; }
mark { background: #ffd166; }
label { display: block; margin: .6rem 0; }
textarea, input[type=text] { width: 100%; box-sizing: border-box; font: inherit; }
button { font: inherit; padding: .4rem 1rem; margin-right: .6rem; }
[role=status], [role=alert] { border-left: .3rem solid #1a1a1a; padding: .4rem .8rem; background: #f2f2f2; }
"""
