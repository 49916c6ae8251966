"""Words of providers for why an answer ended (agent/A8, agent/L2)."""

import pytest

from axhub.agent.adapters.turns.endings import finish_of
from axhub.agent.adapters.turns.tries import FailedTryError
from axhub.agent.domain.messages import FinishReason

pytestmark = pytest.mark.req("agent/A8")


@pytest.mark.parametrize("word", ["stop", "tool_calls", "tool_use", "end_turn", "", "a word of next year"])
def test_an_end_of_the_models_own(word: str) -> None:
    assert finish_of(word) is FinishReason.STOP


@pytest.mark.req("agent/L2")
@pytest.mark.parametrize(
    "word", ["length", "max_tokens", "MAX_TOKENS", "model_length", "model_context_window_exceeded"]
)
def test_a_bound_of_the_providers(word: str) -> None:
    assert finish_of(word) is FinishReason.LENGTH


@pytest.mark.parametrize(("word", "is_passing"), [("content_filter", False), ("refusal", False), ("error", True)])
def test_no_answer_at_all(word: str, is_passing: bool) -> None:
    with pytest.raises(FailedTryError) as caught:
        finish_of(word)
    assert caught.value.passing is is_passing
