"""What the demonstration's model says, in Korean and English."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from axhub.agent.domain.messages import CallResult, ResultKind
from order_service.domain.order import LABELS, OrderStatus

__all__ = ["ENGLISH", "KOREAN", "Words", "words_for"]

_HANGUL: Final = re.compile("[가-힣ㄱ-ㅣ]")
_MARKS: Final = re.compile(r"\A<data-[^>]*>\n|\n</data-[^>]*>\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The sentences of one language."""

    help: str
    which: str
    """Asks for the number of an order."""
    none: str
    order: str
    """One order of a list, with `id`, `item`, `total` and `status`."""
    declined: str
    """After an order whose refund was taken back, with `why`."""
    found: str
    done: Mapping[str, str]
    """By tool, with `id` and `item`."""
    refused: Mapping[str, str]
    """By the code of a refusal."""
    cut: str
    """Of a result that succeeded and was too long to be read."""
    failed: str
    denied: str
    unknown: str
    states: Mapping[str, str] = field(default_factory=dict)

    def of(self, result: CallResult) -> str:
        """Say what became of one call."""
        if result.kind is ResultKind.DENIED:
            return self.denied
        if result.kind is ResultKind.UNKNOWN:
            return self.unknown
        data = _data(result.text)
        if result.kind is ResultKind.ERROR:
            error = data.get("error") or {}
            return self.refused.get(error.get("code", ""), self.failed)
        if "orders" in data:
            return self._list(data["orders"])
        if not data:
            return self.cut
        return self.done[result.name].format(id=data["order_id"], item=data["item"])

    def _list(self, orders: list[dict[str, Any]]) -> str:
        if not orders:
            return self.none
        return "\n".join([self.found.format(count=len(orders)), *map(self._line, orders)])

    def _line(self, one: dict[str, Any]) -> str:
        declined = one.get("refund_declined")
        line = self.order.format(
            id=one["order_id"],
            item=one["item"],
            total=f"{one['total_won']:,}",
            status=self.states.get(one["status"], one["status"]),
        )
        return line + (self.declined.format(why=declined) if declined else "")


KOREAN: Final = Words(
    help="주문 조회, 환불, 취소를 도와드릴 수 있어요. 예: '내 주문 보여줘', 'ORD-100 환불해줘', 'ORD-100 취소해줘'",
    which="어느 주문인지 번호를 알려 주세요. 예: ORD-100",
    none="주문이 없어요.",
    order="- {id} {item}, {total}원, {status}",
    declined=" (환불하지 못했어요: {why})",
    found="주문이 {count}건 있어요.",
    done=MappingProxyType(
        {"refund_order": "{id} ({item}) 주문을 환불했어요.", "cancel_order": "{id} ({item}) 주문을 취소했어요."}
    ),
    refused=MappingProxyType(
        {
            "NOT_FOUND": "그런 주문을 찾지 못했어요.",
            "NOT_ALLOWED": "이 주문은 주문하신 분만 바꿀 수 있어요.",
            "WRONG_STATE": "지금 상태에서는 할 수 없는 주문이에요.",
            "CONFLICT": "같은 순간에 주문이 바뀌었어요. 다시 말씀해 주세요.",
        }
    ),
    cut="처리했지만 결과가 길어서 보여 드리지 못해요.",
    failed="지금은 처리하지 못했어요. 잠시 뒤에 다시 말씀해 주세요.",
    denied="담당자가 승인하지 않아서 처리하지 않았어요.",
    unknown="처리되었는지 아직 알 수 없어요. 확인하고 있으니 다시 요청하지 말아 주세요.",
    states=MappingProxyType({status.value: label for status, label in LABELS.items()}),
)
ENGLISH: Final = Words(
    help="I can show, refund and cancel orders: try 'show my orders', 'refund ORD-100' or 'cancel ORD-100'.",
    which="Which order is it? Tell me its number, such as ORD-100.",
    none="There are no orders.",
    order="- {id} {item}, {total} won, {status}",
    declined=" (could not be refunded: {why})",
    found="Orders found: {count}.",
    done=MappingProxyType(
        {"refund_order": "Order {id} ({item}) was refunded.", "cancel_order": "Order {id} ({item}) was cancelled."}
    ),
    refused=MappingProxyType(
        {
            "NOT_FOUND": "I could not find that order.",
            "NOT_ALLOWED": "Only the customer of this order can change it.",
            "WRONG_STATE": "The order is in a state in which that cannot be done.",
            "CONFLICT": "The order was changed at the same moment. Please ask again.",
        }
    ),
    cut="That was done, but the result is too long to be shown.",
    failed="I could not do that now. Please ask again a little later.",
    denied="It was not approved, so it was not done.",
    unknown="It is not known yet whether that was done. It is being looked into; please do not ask for it again.",
    states=MappingProxyType({status.value: status.value.lower() for status in OrderStatus}),
)


def words_for(text: str) -> Words:
    """Return the language of what a person wrote."""
    return KOREAN if _HANGUL.search(text) else ENGLISH


def _data(text: str) -> dict[str, Any]:
    """Return the JSON of a result, without the marks around it; nothing where it is a sentence, or was cut."""
    try:
        data = json.loads(_MARKS.sub("", text))
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}
