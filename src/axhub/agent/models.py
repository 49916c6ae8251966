"""Makes the model of an agent from its settings: the place that knows which framework a word stands for (agent/A10).

Importing this module loads no framework; only `turns_of` does, and only the one that is asked for.

```python
turns = turns_of("openai:gpt-5-mini", os.environ)
turns = turns_of(ModelSettings(model="anthropic:claude-sonnet-4-5", framework=Framework.LANGCHAIN), os.environ)
turns = RetryingTurns(PydanticAiTurns(my_own_model), SystemClock())  # any other model object of a framework
```
"""

from collections.abc import Mapping
from importlib.util import find_spec
from typing import Final

from axhub.agent.adapters.system import SystemClock
from axhub.agent.adapters.turns.tries import OneTry, Patience, RetryingTurns
from axhub.agent.config.model import ANTHROPIC, OPENAI, Framework, ModelConfigError, ModelSettings
from axhub.agent.ports.effects import Clock

__all__ = ["turns_of"]

_NEEDS: Final[Mapping[Framework, tuple[str, ...]]] = {
    Framework.PYDANTIC_AI: ("pydantic_ai", "openai", "anthropic"),
    Framework.LANGCHAIN: ("langchain_core", "langchain_openai", "langchain_anthropic"),
}


def turns_of(
    settings: ModelSettings | str | None,
    environ: Mapping[str, str],
    *,
    clock: Clock | None = None,
    patience: Patience | None = None,
) -> RetryingTurns:
    """Return the model, ready to be asked; no connection is made before the first turn.

    Args:
        settings: or the model's name alone, such as `openai:gpt-5-mini`; None, which `settings_from` gives where no
            model is set, is refused.
        environ: where the key is; as a rule `os.environ`.
        clock: for pauses; None: the process's own.
        patience: instead of what the settings say, for tests.

    Raises:
        ModelConfigError: the settings cannot be used, the key is missing, or the framework is not installed.
    """
    if settings is None:
        raise ModelConfigError("no model is set; set AXHUB_MODEL, such as AXHUB_MODEL=openai:gpt-5-mini")
    said = ModelSettings(model=settings) if isinstance(settings, str) else settings
    missing = [name for name in _NEEDS[said.framework] if find_spec(name) is None]
    if missing:
        extra = said.framework.value
        raise ModelConfigError(f'{said.model} through {extra} needs: pip install "axhub[{extra}]"')
    patience = patience or Patience(said.tries, said.max_wait_seconds)
    try:
        once = _once(said, environ)
    except ModelConfigError:
        raise
    except OSError as error:
        raise ModelConfigError(f"ca_file {said.ca_file!r} cannot be used: {error}") from error
    except (ValueError, ImportError) as error:
        # The text of the client libraries may hold the proxy's password.
        kind = type(error).__name__
        raise ModelConfigError(f"{said.model}: its client does not take base_url or proxy ({kind})") from None
    return RetryingTurns(once, clock or SystemClock(), patience)


def _once(said: ModelSettings, environ: Mapping[str, str]) -> OneTry:
    # What these import are the frameworks: each is loaded only when it is the one that is asked for.
    if said.provider not in {OPENAI, ANTHROPIC}:
        return _through_names(said)
    key = said.key(environ)
    from axhub.agent.adapters.turns.clients import Reach  # noqa: PLC0415 -- loads the providers' clients

    reach = Reach(
        provider=said.provider,
        key=key,
        base_url=said.base_url,
        proxy=said.proxy,
        ca_file=said.ca_file,
        connect_seconds=said.connect_seconds,
        read_seconds=said.read_seconds,
    )
    if said.framework is Framework.LANGCHAIN:
        from axhub.agent.adapters.turns.langchain_models import (  # noqa: PLC0415 -- loads a framework
            turns_through_langchain,
        )

        return turns_through_langchain(said.name, reach, said.max_output_tokens)
    from axhub.agent.adapters.turns.pydantic_ai import PydanticAiTurns  # noqa: PLC0415 -- loads a framework
    from axhub.agent.adapters.turns.pydantic_ai_models import model_of  # noqa: PLC0415 -- as above

    return PydanticAiTurns(model_of(said.name, reach), max_output_tokens=said.max_output_tokens)


def _through_names(said: ModelSettings) -> OneTry:
    """Return a model of one of pydantic-ai's other providers."""
    from axhub.agent.adapters.turns.pydantic_ai import PydanticAiTurns  # noqa: PLC0415 -- loads a framework
    from axhub.agent.adapters.turns.pydantic_ai_models import model_named  # noqa: PLC0415 -- as above

    try:
        model = model_named(said.model)
    except (ValueError, RuntimeError, ImportError) as error:
        raise ModelConfigError(f"pydantic-ai cannot set up {said.model}: {error}") from error
    return PydanticAiTurns(model, max_output_tokens=said.max_output_tokens)
