"""What the service is configured with: variables `ORDER_SERVICE_…`, read once, all faults told at once.

Only the profile `local` has defaults for development: an embedded database with orders in it, an issuer that gives a
token to anybody, a model that goes by rules. Every other profile names its own, or does not start.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from axhub.agent.config.model import ANTHROPIC, OPENAI, ModelConfigError, ModelSettings, settings_from

__all__ = ["DEMO_MODEL", "LOCAL", "ConfigError", "Settings", "read_settings"]

LOCAL: Final = "local"
DEMO_MODEL: Final = "demo"

_PREFIX: Final = "ORDER_SERVICE_"
_AXHUB: Final = "AXHUB_"
"""The prefix of the variables that axhub's own reader of models knows."""
_EMBEDDED: Final = "sqlite:///order-service.sqlite3"
_AUDIENCE: Final = "orders"
_ADDRESSES: Final = ("https://", "http://127.0.0.1:", "http://localhost:")
_DATABASES: Final = ("sqlite:///", "postgresql://")
_MODEL_NAMES: Final = ("MODEL", "MODEL_FRAMEWORK", "MODEL_BASE_URL", "MODEL_KEY_VARIABLE", "MODEL_PROXY")
_NAMES: Final = ("PROFILE", "DATABASE_URL", "ISSUER", "AUDIENCE", "JWKS", "HOST", "PORT", *_MODEL_NAMES)
_HIGHEST_PORT: Final = 65_535


class ConfigError(ValueError):
    """The service cannot start so; the text lists everything that is wrong and shows no value that may be secret."""

    def __init__(self, profile: str, problems: tuple[str, ...]) -> None:
        lines = "\n".join(f"  {problem}" for problem in problems)
        super().__init__(f"order_service cannot start in the profile {profile!r}:\n{lines}")
        self.problems = problems


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What was read; None where the profile `local` has something of its own."""

    profile: str
    database_url: str = field(repr=False)
    """May hold a password."""
    issuer: str | None
    """Who signs tokens; None: the development issuer."""
    audience: str
    jwks: str | None
    """Where the issuer's keys are: an address, or a file."""
    model: ModelSettings | None
    """None: the demonstration's."""
    host: str
    port: int

    @property
    def is_jwks_address(self) -> bool:
        """Whether the issuer's keys are fetched."""
        return self.jwks is not None and self.jwks.startswith(_ADDRESSES)

    @property
    def is_local(self) -> bool:
        """Whether this is a developer's machine."""
        return self.profile == LOCAL


def read_settings(environ: Mapping[str, str], profile: str | None = None) -> Settings:
    """Read the configuration.

    Args:
        environ: as a rule `os.environ`.
        profile: instead of `ORDER_SERVICE_PROFILE`; without either it is `production`: nothing is relaxed unasked.

    Raises:
        ConfigError: with everything that is wrong.
    """
    said = {name: environ.get(_PREFIX + name, "").strip() for name in _NAMES}
    named = profile or said["PROFILE"] or "production"
    problems = [*_unknown(environ), *_wrong(said)]
    problems += () if named == LOCAL else _left_to_development(said)
    model = None
    try:
        model = _model(said, environ)
    except ModelConfigError as error:
        problems.append(f"{_PREFIX}MODEL: {error}".replace(_AXHUB, _PREFIX))
    if problems:
        raise ConfigError(named, tuple(problems))
    return Settings(
        profile=named,
        database_url=said["DATABASE_URL"] or _EMBEDDED,
        issuer=said["ISSUER"] or None,
        audience=said["AUDIENCE"] or _AUDIENCE,
        jwks=said["JWKS"] or None,
        model=model,
        host=said["HOST"] or "127.0.0.1",
        port=int(said["PORT"] or 8090),
    )


def _unknown(environ: Mapping[str, str]) -> Iterator[str]:
    known = {_PREFIX + name for name in _NAMES}
    for name in sorted(environ):
        if name.startswith(_PREFIX) and name not in known:
            yield f"{name}: nobody reads this; known are {', '.join(f'…{one}' for one in _NAMES)}"


def _wrong(said: Mapping[str, str]) -> Iterator[str]:
    """Yield what is wrong in every profile."""
    if said["DATABASE_URL"] and not said["DATABASE_URL"].startswith(_DATABASES):
        yield f"{_PREFIX}DATABASE_URL: use sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME"
    if bool(said["ISSUER"]) != bool(said["JWKS"]):
        yield f"{_PREFIX}ISSUER and {_PREFIX}JWKS: set both, or neither in the profile {LOCAL!r}"
    if said["JWKS"] and not said["JWKS"].startswith(_ADDRESSES) and not Path(said["JWKS"]).is_file():
        yield f"{_PREFIX}JWKS: there is no such file; name one, or an address that begins with https://"
    if said["PORT"] and not (said["PORT"].isdecimal() and int(said["PORT"]) <= _HIGHEST_PORT):
        yield f"{_PREFIX}PORT: a number from 0 to {_HIGHEST_PORT} is needed"


def _left_to_development(said: Mapping[str, str]) -> Iterator[str]:
    """Yield what only a developer's machine may leave as it is."""
    if not said["DATABASE_URL"]:
        yield f"{_PREFIX}DATABASE_URL: is not set; the embedded database is for the profile {LOCAL!r} only"
    if not said["ISSUER"] and not said["JWKS"]:
        yield (
            f"{_PREFIX}ISSUER and {_PREFIX}JWKS: are not set; the development issuer gives a token to anybody "
            f"and is for the profile {LOCAL!r} only"
        )
    if not said["AUDIENCE"]:
        yield f"{_PREFIX}AUDIENCE: is not set; name what tokens for this service are for"
    if said["MODEL"] in {"", DEMO_MODEL}:
        yield f"{_PREFIX}MODEL: name one, such as openai:gpt-5-mini; the model {DEMO_MODEL!r} is a demonstration"


def _model(said: Mapping[str, str], environ: Mapping[str, str]) -> ModelSettings | None:
    """Return the model; None for the demonstration's.

    Raises:
        ModelConfigError: the settings cannot be used, or its key is missing.
    """
    if said["MODEL"] in {"", DEMO_MODEL}:
        return None
    found = settings_from({_AXHUB + name: said[name] for name in _MODEL_NAMES})
    if found is not None and found.provider in {OPENAI, ANTHROPIC}:
        found.key(environ)
    return found
