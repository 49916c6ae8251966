"""A model is configured in few words, and what is wrong with them is said at once."""

from typing import Any

import pytest

from axhub.agent.config.model import Framework, ModelConfigError, ModelSettings, settings_from

pytestmark = [pytest.mark.req("agent/A10")]


def test_a_name_is_enough() -> None:
    settings = ModelSettings(model="openai:gpt-5-mini")
    assert (settings.provider, settings.name) == ("openai", "gpt-5-mini")
    assert settings.framework is Framework.PYDANTIC_AI


def test_only_the_first_colon_counts() -> None:
    assert ModelSettings(model="openai:qwen3:4b").name == "qwen3:4b"


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (
            {"model": "gpt-5-mini"},
            "model is 'gpt-5-mini'; provider:name is needed, such as openai:gpt-5-mini",
        ),
        ({"model": "openai:"}, "model is 'openai:'; provider:name is needed, such as openai:gpt-5-mini"),
        ({"model": " openai:a"}, "model is ' openai:a'; provider:name is needed, such as openai:gpt-5-mini"),
        (
            {"model": "groq:a", "framework": Framework.LANGCHAIN},
            (
                "model is 'groq:a'; langchain is asked for openai: and anthropic: only -- "
                "for another provider give your own chat model to LangChainTurns"
            ),
        ),
        (
            {"model": "groq:a", "base_url": "http://127.0.0.1:1", "proxy": "http://127.0.0.1:2"},
            "base_url, proxy: only for openai: and anthropic:, since groq: is set up by pydantic-ai",
        ),
        (
            {"model": "openai:a", "connect_seconds": 0, "read_seconds": float("nan"), "tries": 0},
            (
                "connect_seconds is 0; a number above 0 is needed; read_seconds is nan; a number above 0 is needed; "
                "tries is 0; at least 1 is needed"
            ),
        ),
        (
            {"model": "openai:a", "max_wait_seconds": -1, "max_output_tokens": 0},
            "max_wait_seconds is -1; 0 or more is needed; max_output_tokens is 0; at least 1 is needed",
        ),
    ],
)
def test_what_cannot_be_used_is_listed_at_once(said: dict[str, Any], message: str) -> None:
    with pytest.raises(ModelConfigError) as caught:
        ModelSettings(**said)
    assert str(caught.value) == message


def test_an_address_that_is_none() -> None:
    with pytest.raises(ModelConfigError, match=r"^base_url cannot be used: "):
        ModelSettings(model="openai:a", base_url="127.0.0.1:8000")


@pytest.mark.parametrize(
    ("settings", "environ", "expected"),
    [
        (ModelSettings(model="openai:a"), {"OPENAI_API_KEY": "k1"}, "k1"),
        (ModelSettings(model="anthropic:a"), {"ANTHROPIC_API_KEY": " k2\n", "OPENAI_API_KEY": "k1"}, "k2"),
        (ModelSettings(model="openai:a", key_variable="LLM_KEY"), {"LLM_KEY": "k3", "OPENAI_API_KEY": "k1"}, "k3"),
        (ModelSettings(model="openai:a", base_url="http://127.0.0.1:1/v1"), {}, "no-key"),
        (ModelSettings(model="openai:a", base_url="http://[::1]:1/v1"), {"OPENAI_API_KEY": "k1"}, "k1"),
        (ModelSettings(model="openai:a", base_url="http://localhost:1/v1"), {"OPENAI_API_KEY": "k1"}, "k1"),
        (ModelSettings(model="openai:a", base_url="https://models.example.com"), {"OPENAI_API_KEY": "k1"}, "k1"),
    ],
)
def test_the_key_comes_from_the_environment(settings: ModelSettings, environ: dict[str, str], expected: str) -> None:
    assert settings.key(environ) == expected


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
@pytest.mark.parametrize("host", ["models.example.com", "10.0.0.7", "localhost.example.com", "127.0.0.1.example.com"])
def test_the_usual_key_does_not_go_over_the_network_in_the_clear(provider: str, host: str) -> None:
    said: dict[str, Any] = {"model": f"{provider}:a", "base_url": f"http://{host}/v1"}
    environ = {"OPENAI_API_KEY": "k1", "ANTHROPIC_API_KEY": "k2", "LLM_KEY": "k3"}
    assert ModelSettings(**said).key(environ) == "no-key"
    assert ModelSettings(**said, key_variable="LLM_KEY").key(environ) == "k3"


@pytest.mark.parametrize(
    "proxy",
    [
        "socks9://u:hidden@p:1",
        "no address hidden",
        "http://u:hidden@:1",
        "http://u:hidden@h:x",
        "http://u:hidden@h h:1",
    ],
)
def test_a_proxy_is_never_shown(proxy: str) -> None:
    with pytest.raises(ModelConfigError, match=r"^proxy cannot be used; SCHEME://HOST:PORT with http, https, ") as told:
        ModelSettings(model="openai:a", proxy=proxy)
    assert "hidden" not in str(told.value)
    assert "hidden" not in repr(ModelSettings(model="openai:a", proxy="http://u:hidden@p:1"))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (ModelSettings(model="openai:a"), "openai:a: set the variable OPENAI_API_KEY to the provider's key"),
        (ModelSettings(model="anthropic:a"), "anthropic:a: set the variable ANTHROPIC_API_KEY to the provider's key"),
        (
            ModelSettings(model="openai:a", base_url="http://127.0.0.1:1", key_variable="LLM_KEY"),
            "openai:a: set the variable LLM_KEY to the provider's key",
        ),
    ],
)
def test_a_missing_key_is_named_by_its_variable(settings: ModelSettings, message: str) -> None:
    with pytest.raises(ModelConfigError) as caught:
        settings.key({"LLM_KEY": " "})
    assert str(caught.value) == message


def test_settings_come_from_variables() -> None:
    assert settings_from({}) is None
    assert settings_from({"AXHUB_MODEL": " "}) is None
    assert settings_from(
        {
            "AXHUB_MODEL": "openai:qwen3",
            "AXHUB_MODEL_FRAMEWORK": "langchain",
            "AXHUB_MODEL_BASE_URL": "http://127.0.0.1:8000/v1",
            "AXHUB_MODEL_KEY_VARIABLE": "LLM_KEY",
            "AXHUB_MODEL_PROXY": "http://127.0.0.1:3128",
            "AXHUB_MODEL_CA_FILE": "ca.pem",
        }
    ) == ModelSettings(
        model="openai:qwen3",
        framework=Framework.LANGCHAIN,
        base_url="http://127.0.0.1:8000/v1",
        key_variable="LLM_KEY",
        proxy="http://127.0.0.1:3128",
        ca_file="ca.pem",
    )


def test_an_unknown_framework() -> None:
    with pytest.raises(ModelConfigError) as caught:
        settings_from({"AXHUB_MODEL": "openai:a", "AXHUB_MODEL_FRAMEWORK": "other"})
    assert str(caught.value) == "AXHUB_MODEL_FRAMEWORK is 'other'; one of pydantic-ai, langchain is needed"
