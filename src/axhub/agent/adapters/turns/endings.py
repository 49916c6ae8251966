"""Why an answer ended, in the words of providers (agent/A8).

A word that is not known here counts as an end of the model's own: new ones come, and most of them mean that.
"""

from typing import Final

from axhub.agent.adapters.turns.tries import FailedTryError
from axhub.agent.domain.messages import FinishReason

__all__ = ["finish_of"]

_REFUSED: Final = frozenset({"content_filter", "refusal"})
_FAILED: Final = frozenset({"error"})
_CUT: Final = frozenset({"length", "max_tokens", "max_output_tokens", "model_length", "model_context_window_exceeded"})


def finish_of(ending: str) -> FinishReason:
    """Return what a provider's word stands for.

    Raises:
        FailedTryError: an error ended the answer, or the provider's filter did.
    """
    word = ending.lower()
    if word in _REFUSED:
        raise FailedTryError("content that the provider does not give", passing=False)
    if word in _FAILED:
        raise FailedTryError("an error inside the answer", passing=True)
    return FinishReason.LENGTH if word in _CUT else FinishReason.STOP
