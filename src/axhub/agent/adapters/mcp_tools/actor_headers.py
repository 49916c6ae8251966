"""Who acts, as headers of one call: never in arguments, prompts, history or logs (agent/A9, decision/D8)."""

import re
from collections.abc import Iterator
from typing import Any, Final

from axhub.agent.domain.actor import CallContext
from axhub.agent.ports.actor_cipher import ActorCipher, SealedActor
from axhub.contract.headers import MAX_VALUE_BYTES

__all__ = ["SealError", "headers_of"]

_VALUE: Final = re.compile(r"[\x21-\x7e]+")


class SealError(Exception):
    """Who acts could not be encrypted, or not into what a header takes; the text holds nothing of it."""


async def headers_of(context: CallContext[Any], cipher: ActorCipher[Any] | None) -> dict[str, str]:
    """Return the headers of a call.

    `guid` is the run's id: one transaction, as systems behind a gateway understand it. `x-request-id` is the call's.
    Both stand in the audit, so a line of any log leads to its entry. Employee numbers come from the cipher alone.

    Raises:
        SealError: see there.
    """
    headers = {"guid": context.run_id, "x-request-id": context.call_id}
    if cipher is None:
        return headers
    try:
        sealed = await cipher.seal(context.actor)
    except Exception as error:  # noqa: BLE001 -- the application's code; its text may name who acts
        raise SealError(f"the cipher raised {type(error).__name__}") from None
    return headers | dict(_employee(sealed))


def _employee(sealed: SealedActor) -> Iterator[tuple[str, str]]:
    values = {"employee-no": sealed.employee_no, "virtual-employee-no": sealed.virtual_employee_no}
    for name, value in values.items():
        if value is None:
            continue
        if _VALUE.fullmatch(value) is None or len(value) > MAX_VALUE_BYTES:
            raise SealError(f"{name}: not visible ASCII of at most {MAX_VALUE_BYTES} bytes")
        yield name, value
