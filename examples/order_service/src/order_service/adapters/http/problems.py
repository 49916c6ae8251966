"""Everything that can go wrong over HTTP, once: status, type and words (RFC 9457); nothing internal stands there."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from starlette.responses import JSONResponse, Response

from order_service.adapters.http.words import Language, Text
from order_service.domain.errors import ConflictError, NotAllowedError, OrderNotFoundError, WrongStateError
from order_service.ports.agent import ConversationBusyError, ConversationNotFoundError, PendingApprovalError
from order_service.ports.approvals import ApprovalRefusal, ApprovalRefusedError
from order_service.ports.faults import UnavailableError
from order_service.ports.runs import ResultNotFoundError, RunNotFoundError, RunNotWaitingError
from order_service.ports.tokens import InvalidTokenError

__all__ = ["PROBLEM_JSON", "Problem", "ProblemError", "kind_of", "problem_of", "problem_response"]

PROBLEM_JSON: Final = "application/problem+json"
_TYPE: Final = "urn:order-service:problem:"


@dataclass(frozen=True, slots=True)
class Problem:
    """One kind of problem."""

    code: str
    """Stands in `type`, after `urn:order-service:problem:`; stable."""
    status: int
    title: Text


BAD_REQUEST: Final = Problem("bad_request", 400, Text("The request cannot be read.", "요청을 읽을 수 없습니다."))
NO_KEY: Final = Problem(
    "idempotency_key_missing",
    400,
    Text(
        "One header Idempotency-Key with 1 to 255 visible ASCII characters is needed.",
        "Idempotency-Key 헤더가 하나 필요합니다(공백 없는 ASCII 1~255자).",
    ),
)
NOT_AUTHENTICATED: Final = Problem(
    "not_authenticated", 401, Text("A valid bearer token is needed.", "유효한 Bearer 토큰이 필요합니다.")
)
NOT_ALLOWED: Final = Problem("not_allowed", 403, Text("You may not do this.", "이 작업을 할 권한이 없습니다."))
NOT_APPROVER: Final = Problem(
    "not_approver", 403, Text("Only approvers see and decide requests.", "승인자만 요청을 보고 결정할 수 있습니다.")
)
OWN_REQUEST: Final = Problem(
    "own_request",
    403,
    Text("Somebody else has to decide on your own request.", "자신의 요청은 다른 승인자가 결정해야 합니다."),
)
FORGED_FORM: Final = Problem(
    "forged_form",
    403,
    Text(
        "The form is not from this page; load the page again.",
        "이 화면에서 보낸 양식이 아닙니다. 화면을 새로 여십시오.",
    ),
)
NOT_FOUND: Final = Problem("not_found", 404, Text("There is no such thing here.", "해당하는 항목이 없습니다."))
NO_METHOD: Final = Problem(
    "method_not_allowed", 405, Text("This cannot be done with it.", "지원하지 않는 메서드입니다.")
)
WRONG_STATE: Final = Problem(
    "wrong_state",
    409,
    Text("The order is in no state in which this can be done.", "현재 주문 상태에서는 처리할 수 없습니다."),
)
CONFLICT: Final = Problem(
    "conflict",
    409,
    Text(
        "Somebody else changed it at the same moment; try again.",
        "다른 요청이 동시에 변경했습니다. 다시 시도하십시오.",
    ),
)
IN_PROGRESS: Final = Problem(
    "request_in_progress",
    409,
    Text(
        "The same request is being worked on; try again soon.",
        "같은 요청을 처리하고 있습니다. 잠시 후 다시 시도하십시오.",
    ),
)
APPROVAL_PENDING: Final = Problem(
    "approval_pending",
    409,
    Text(
        "The conversation waits for an approval; a message is no decision.",
        "대화가 승인을 기다리고 있습니다. 메시지는 승인으로 취급되지 않습니다.",
    ),
)
CONVERSATION_BUSY: Final = Problem(
    "conversation_busy",
    409,
    Text("The conversation is answering another message.", "대화가 다른 메시지에 답하고 있습니다."),
)
NOT_WAITING: Final = Problem(
    "run_not_waiting", 409, Text("The run does not wait for a decision.", "승인을 기다리는 실행이 아닙니다.")
)
ALREADY_DECIDED: Final = Problem(
    "already_decided",
    409,
    Text("The other decision has been taken already.", "이미 다르게 결정되었습니다."),
)
EXPIRED: Final = Problem(
    "approval_expired", 409, Text("The time to decide is over.", "결정할 수 있는 시간이 지났습니다.")
)
WITHDRAWN: Final = Problem(
    "approval_withdrawn", 409, Text("The requester took it back.", "요청자가 요청을 거둬들였습니다.")
)
TOO_LARGE: Final = Problem(
    "body_too_large", 413, Text("A body has at most 65536 bytes.", "본문은 65536바이트를 넘을 수 없습니다.")
)
WRONG_MEDIA: Final = Problem(
    "media_type", 415, Text("A body of application/json is needed.", "application/json 본문이 필요합니다.")
)
KEY_REUSED: Final = Problem(
    "idempotency_key_reused",
    422,
    Text("Another request has used this Idempotency-Key.", "이 Idempotency-Key는 다른 요청에 이미 쓰였습니다."),
)
FAULT: Final = Problem("fault", 500, Text("Something is wrong on our side.", "서비스에 문제가 있습니다."))
UNAVAILABLE: Final = Problem(
    "unavailable",
    503,
    Text(
        "The service cannot do this right now; try again later.", "지금은 처리할 수 없습니다. 나중에 다시 시도하십시오."
    ),
)

_REFUSALS: Final[Mapping[ApprovalRefusal, Problem]] = {
    ApprovalRefusal.NOT_FOUND: NOT_FOUND,
    ApprovalRefusal.NOT_APPROVER: NOT_APPROVER,
    ApprovalRefusal.OWN_REQUEST: OWN_REQUEST,
    ApprovalRefusal.ALREADY_DECIDED: ALREADY_DECIDED,
    ApprovalRefusal.EXPIRED: EXPIRED,
    ApprovalRefusal.WITHDRAWN: WITHDRAWN,
}
_KINDS: Final[Mapping[type[Exception], Problem]] = {
    InvalidTokenError: NOT_AUTHENTICATED,
    OrderNotFoundError: NOT_FOUND,
    NotAllowedError: NOT_ALLOWED,
    WrongStateError: WRONG_STATE,
    ConflictError: CONFLICT,
    ConversationNotFoundError: NOT_FOUND,
    ConversationBusyError: CONVERSATION_BUSY,
    PendingApprovalError: APPROVAL_PENDING,
    RunNotFoundError: NOT_FOUND,
    ResultNotFoundError: NOT_FOUND,
    RunNotWaitingError: NOT_WAITING,
    UnavailableError: UNAVAILABLE,
}
_HEADERS: Final[Mapping[Problem, Mapping[str, str]]] = {
    NOT_AUTHENTICATED: {"www-authenticate": 'Bearer realm="orders"'},
    IN_PROGRESS: {"retry-after": "1"},
    UNAVAILABLE: {"retry-after": "2"},
}


class ProblemError(Exception):
    """A problem that the HTTP adapter found by itself."""

    def __init__(self, kind: Problem, detail: Text | None = None, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(kind.code)
        self.kind = kind
        self.detail = detail
        self.headers = headers or {}


def kind_of(error: Exception) -> Problem | None:
    """Return which problem an exception is; None: a fault of ours."""
    if isinstance(error, ProblemError):
        return error.kind
    if isinstance(error, ApprovalRefusedError):
        return _REFUSALS[error.reason]
    return next((kind for known, kind in _KINDS.items() if isinstance(error, known)), None)


def problem_of(kind: Problem, language: Language, detail: Text | None = None, reference: str = "") -> dict[str, object]:
    """Return the body: type, title, status, detail, and where the log has more, its reference as `instance`."""
    body: dict[str, object] = {
        "type": f"{_TYPE}{kind.code}",
        "title": kind.title.said(language),
        "status": kind.status,
        "detail": (detail or kind.title).said(language),
    }
    return {**body, "instance": f"urn:order-service:fault:{reference}"} if reference else body


def problem_response(error: Exception, language: Language, reference: str = "") -> Response:
    """Return an exception as an answer; one that no table knows tells a reference and nothing else."""
    kind = kind_of(error) or FAULT
    own = error if isinstance(error, ProblemError) else ProblemError(kind)
    body = problem_of(kind, language, own.detail, reference)
    headers = {"cache-control": "no-store", "content-language": language, **_HEADERS.get(kind, {}), **own.headers}
    return JSONResponse(body, kind.status, headers, media_type=PROBLEM_JSON)
