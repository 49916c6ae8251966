"""`Idempotency-Key`: the same request again gets the first response (agent/I1).

The key is the first of three walls. Where the process dies between the change and `finish`, the key's lease ends and
the request is done again; the use case's own key then gives the first result (agent/A2). A request that is slower than
the lease no longer has the key, and neither frees nor answers what another one is doing with it.
"""

import hashlib
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress

from starlette.responses import Response

from order_service.adapters.http.problems import IN_PROGRESS, KEY_REUSED, ProblemError
from order_service.adapters.http.shapes import OrderBody
from order_service.domain.actor import ActorContext
from order_service.domain.errors import OrderError
from order_service.ports.faults import UnavailableError
from order_service.ports.inbound import OrderResult
from order_service.ports.request_keys import RequestKeys, SeenKey

__all__ = ["once"]


async def once(
    keys: RequestKeys,
    actor: ActorContext,
    key: str,
    operation: tuple[str, str],
    work: Callable[[], Awaitable[OrderResult]],
) -> Response:
    """Do a request, or answer with what it gave when it was done.

    Args:
        keys: where keys are kept.
        actor: whose key it is.
        key: the sender's.
        operation: its name, and the order that it is done with.
        work: does it.

    Raises:
        ProblemError: another request has the key, or the same one is being done.
        OrderError, UnavailableError: it was not done; the key is free again.
    """
    scope = _digest(actor.tenant_id, actor.user_id, operation[0])
    known = await keys.begin(scope, key, _digest(*operation))
    if known.seen is SeenKey.OTHER:
        raise ProblemError(KEY_REUSED)
    if known.seen is SeenKey.IN_PROGRESS:
        raise ProblemError(IN_PROGRESS)
    if known.seen is SeenKey.SAME and known.response is not None:
        return _response(known.response)
    try:
        result = await work()
    except (OrderError, UnavailableError):
        with suppress(UnavailableError):
            await keys.forget(scope, key, known.token)
        raise
    body = OrderBody.of(result).json_text()
    with suppress(UnavailableError):  # it was done: that is what the sender has to learn
        await keys.finish(scope, key, known.token, body)
    return _response(body)


def _response(body: str) -> Response:
    return Response(body, media_type="application/json")


def _digest(*parts: str) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
