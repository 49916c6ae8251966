"""A model is made of its settings; a framework is loaded when asked for, and its absence is told with the mend."""

import subprocess
import sys
from pathlib import Path

import pytest

from axhub.agent.config.model import Framework, ModelConfigError, ModelSettings, settings_from
from axhub.agent.domain.messages import TurnRequest, UserMessage
from axhub.agent.models import turns_of
from support.model_server import OpenAIWire, Text, whole
from support.tool_service import ToolService

pytestmark = [pytest.mark.req("agent/A10")]

HELLO = TurnRequest("You help.", (UserMessage("Hello"),))
HEAVY = ("pydantic_ai", "langchain_core", "openai", "anthropic", "langsmith")


@pytest.mark.parametrize(
    ("framework", "module"),
    [
        (Framework.PYDANTIC_AI, "pydantic_ai"),
        (Framework.PYDANTIC_AI, "openai"),
        (Framework.LANGCHAIN, "langchain_core"),
        (Framework.LANGCHAIN, "langchain_anthropic"),
    ],
)
def test_a_framework_that_is_not_installed(monkeypatch: pytest.MonkeyPatch, framework: Framework, module: str) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ModelConfigError) as caught:
        turns_of(ModelSettings(model="openai:a", framework=framework), {"OPENAI_API_KEY": "k"})
    extra = framework.value
    assert str(caught.value) == f'openai:a through {extra} needs: pip install "axhub[{extra}]"'


def test_a_missing_key_is_told_before_anything_is_asked() -> None:
    with pytest.raises(ModelConfigError, match="set the variable OPENAI_API_KEY"):
        turns_of("openai:gpt-5-mini", {})


def test_no_model_is_told_with_the_variable_to_set() -> None:
    with pytest.raises(ModelConfigError, match=r"^no model is set; set AXHUB_MODEL, such as AXHUB_MODEL=openai:gpt"):
        turns_of(settings_from({}), {})


@pytest.mark.parametrize("framework", Framework)
def test_what_a_client_does_not_take_is_told_without_its_text(
    monkeypatch: pytest.MonkeyPatch, framework: Framework
) -> None:
    monkeypatch.setitem(sys.modules, "socksio", None)
    proxy = "socks5://u:hidden@h:1"
    settings = ModelSettings(model="openai:a", framework=framework, proxy=proxy)
    with pytest.raises(ModelConfigError, match=r"^openai:a: its client does not take base_url or proxy \(") as told:
        turns_of(settings, {"OPENAI_API_KEY": "k"})
    assert "hidden" not in str(told.value)


async def test_no_key_is_shown_by_what_is_made() -> None:
    turns = turns_of("openai:gpt-5-mini", {"OPENAI_API_KEY": "sk-secret"})
    assert "sk-secret" not in repr(turns) + repr(vars(turns))
    await turns.aclose()


async def test_other_providers_are_set_up_by_the_framework(monkeypatch: pytest.MonkeyPatch) -> None:
    async with ToolService() as service:
        OpenAIWire().on(service, whole(OpenAIWire(), Text("Hello")))
        monkeypatch.setenv("OLLAMA_BASE_URL", service.origin + "/v1")
        turns = turns_of("ollama:qwen3", {})
        assert (await turns.take(HELLO)).message.text == "Hello"
        await turns.aclose()


def test_a_file_of_certificates_that_is_none(tmp_path: Path) -> None:
    empty = tmp_path / "ca.pem"
    empty.write_text("")
    for path in (empty, tmp_path / "missing.pem"):
        with pytest.raises(ModelConfigError, match=r"^ca_file '.*' cannot be used: "):
            turns_of(ModelSettings(model="openai:a", ca_file=str(path)), {"OPENAI_API_KEY": "k"})


def test_a_provider_that_nobody_knows() -> None:
    with pytest.raises(ModelConfigError, match=r"^pydantic-ai cannot set up nobody:model: "):
        turns_of("nobody:model", {})


@pytest.mark.parametrize(
    "module", ["axhub.agent", "axhub.agent.main", "axhub.agent.models", "axhub.agent.config.model"]
)
def test_importing_the_library_loads_no_framework(module: str) -> None:
    code = f"import sys, {module}; print([name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
