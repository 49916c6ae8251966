"""The service starts with what is named, and in no other profile than `local` with what is not (agent/A10)."""

from pathlib import Path

import pytest

from axhub.agent.config.model import Framework, ModelSettings
from axhub.configuration.languages import LANGUAGES
from order_service.config import ConfigError, Settings, read_settings

PRODUCTION = {
    "ORDER_SERVICE_DATABASE_URL": "postgresql://orders@db.internal/orders",
    "ORDER_SERVICE_ISSUER": "https://login.example.com/",
    "ORDER_SERVICE_AUDIENCE": "orders",
    "ORDER_SERVICE_JWKS": "https://login.example.com/keys",
    "ORDER_SERVICE_MODEL": "openai:gpt-5-mini",
    "ORDER_SERVICE_PAYMENTS_URL": "https://pay.example.com/v1",
    "ORDER_SERVICE_PAYMENTS_KEY": "another secret",
    "OPENAI_API_KEY": "a secret",
}


def test_the_profile_local_needs_nothing() -> None:
    assert read_settings({}, "local") == Settings(
        profile="local",
        database_url="sqlite:///order-service.sqlite3",
        issuer=None,
        audience="orders",
        jwks=None,
        model=None,
        host="127.0.0.1",
        port=8090,
    )


def test_any_other_profile_names_everything() -> None:
    settings = read_settings({**PRODUCTION, "ORDER_SERVICE_PROFILE": "stage", "ORDER_SERVICE_PORT": "80"})
    assert settings == Settings(
        profile="stage",
        database_url="postgresql://orders@db.internal/orders",
        issuer="https://login.example.com/",
        audience="orders",
        jwks="https://login.example.com/keys",
        model=ModelSettings(model="openai:gpt-5-mini"),
        host="127.0.0.1",
        port=80,
        payments_url="https://pay.example.com/v1",
        payments_key="another secret",
    )
    assert (settings.is_local, settings.is_jwks_address) == (False, True)
    assert ("db.internal" in repr(settings), "another secret" in repr(settings)) == (False, False)


@pytest.mark.req("threat/T32")
@pytest.mark.parametrize("environ", [{}, {"ORDER_SERVICE_MODEL": "demo", "ORDER_SERVICE_PROFILE": "production"}])
def test_what_is_left_to_development_stops_every_other_profile_and_is_told_at_once(environ: dict[str, str]) -> None:
    with pytest.raises(ConfigError) as refused:
        read_settings(environ)
    assert str(refused.value) == (
        "order_service cannot start in the profile 'production':\n"
        "  ORDER_SERVICE_DATABASE_URL: is not set; the embedded database is for the profile 'local' only\n"
        "  ORDER_SERVICE_ISSUER and ORDER_SERVICE_JWKS: are not set; the development issuer gives a token to anybody "
        "and is for the profile 'local' only\n"
        "  ORDER_SERVICE_AUDIENCE: is not set; name what tokens for this service are for\n"
        "  ORDER_SERVICE_PAYMENTS_URL: is not set; the demonstration's provider pays nobody and is for the profile "
        "'local' only\n"
        "  ORDER_SERVICE_MODEL: name one, such as openai:gpt-5-mini; the model 'demo' is a demonstration"
    )


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (
            {"ORDER_SERVICE_DATABASE_URL": "mysql://x"},
            "ORDER_SERVICE_DATABASE_URL: use sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME",
        ),
        (
            {"ORDER_SERVICE_ISSUER": ""},
            "ORDER_SERVICE_ISSUER and ORDER_SERVICE_JWKS: set both, or neither in the profile 'local'",
        ),
        (
            {"ORDER_SERVICE_JWKS": "http://login.example.com/keys"},
            "ORDER_SERVICE_JWKS: there is no such file; name one, or an address that begins with https://",
        ),
        ({"ORDER_SERVICE_PORT": "80a"}, "ORDER_SERVICE_PORT: a number from 0 to 65535 is needed"),
        ({"ORDER_SERVICE_PORT": "65536"}, "ORDER_SERVICE_PORT: a number from 0 to 65535 is needed"),
        (
            {"ORDER_SERVICE_PAYMENTS_URL": "http://pay.example.com"},
            "ORDER_SERVICE_PAYMENTS_URL: an address that begins with https:// is needed",
        ),
        (
            {"ORDER_SERVICE_DATABASE": "x"},
            (
                "ORDER_SERVICE_DATABASE: nobody reads this; known are …PROFILE, …DATABASE_URL, …ISSUER, …AUDIENCE, "
                "…JWKS, …HOST, …PORT, …PAYMENTS_URL, …PAYMENTS_KEY, …MODEL, …MODEL_FRAMEWORK, …MODEL_BASE_URL, "
                "…MODEL_KEY_VARIABLE, …MODEL_PROXY, …MODEL_CA_FILE"
            ),
        ),
        (
            {"OPENAI_API_KEY": ""},
            "ORDER_SERVICE_MODEL: openai:gpt-5-mini: set the variable OPENAI_API_KEY to the provider's key",
        ),
        (
            {"ORDER_SERVICE_MODEL_CA_FILE": "/nowhere/ca.pem"},
            (
                "ORDER_SERVICE_MODEL_CA_FILE: there is no such file; "
                "name one in PEM with the certificates of your authority"
            ),
        ),
        (
            {"ORDER_SERVICE_MODEL_FRAMEWORK": "none"},
            "ORDER_SERVICE_MODEL: ORDER_SERVICE_MODEL_FRAMEWORK is 'none'; one of pydantic-ai, langchain is needed",
        ),
    ],
)
def test_each_fault_is_named_with_its_mend(change: dict[str, str], problem: str) -> None:
    with pytest.raises(ConfigError) as refused:
        read_settings({**PRODUCTION, **change})
    assert [one.said("en") for one in refused.value.problems] == [problem]


def test_a_key_without_an_address_is_told() -> None:
    with pytest.raises(ConfigError) as refused:
        read_settings({"ORDER_SERVICE_PAYMENTS_KEY": "another secret"}, "local")
    assert str(refused.value).endswith("  ORDER_SERVICE_PAYMENTS_KEY: is set, but there is no address to use it for")


@pytest.mark.parametrize("environ", [{}, dict.fromkeys(PRODUCTION, "x"), {"ORDER_SERVICE_PORTS": "1"}])
def test_all_of_it_is_told_in_korean_too(environ: dict[str, str]) -> None:
    with pytest.raises(ConfigError) as refused:
        read_settings(environ)
    english, korean = (refused.value.said(language).splitlines() for language in LANGUAGES)
    assert korean[0] == "order_service를 프로필 'production'(으)로 시작할 수 없습니다:"
    assert len(english) == len(korean) > 1
    assert [one for one in korean if not any("가" <= letter <= "힣" for letter in one)] == []
    assert [one for one in english if any("가" <= letter <= "힣" for letter in one)] == []


@pytest.mark.req("agent/A10")
def test_a_model_is_chosen_by_configuration_alone(tmp_path: Path) -> None:
    keys = tmp_path / "keys.json"
    keys.write_text("{}", encoding="utf-8")
    authority = tmp_path / "ca.pem"
    authority.touch()
    change = {
        "ORDER_SERVICE_MODEL": "openai:qwen3-4b",
        "ORDER_SERVICE_MODEL_FRAMEWORK": "langchain",
        "ORDER_SERVICE_MODEL_BASE_URL": "http://127.0.0.1:8000/v1",
        "ORDER_SERVICE_MODEL_CA_FILE": str(authority),
        "ORDER_SERVICE_JWKS": str(keys),
        "OPENAI_API_KEY": "",
    }
    settings = read_settings({**PRODUCTION, **change})
    wanted = ModelSettings(
        model="openai:qwen3-4b",
        framework=Framework.LANGCHAIN,
        base_url="http://127.0.0.1:8000/v1",
        ca_file=str(authority),
    )
    assert (settings.model, settings.is_jwks_address) == (wanted, False)
