"""What the service is configured with: variables `ORDER_SERVICE_…`, read once, all faults told at once.

Only the profile `local` has defaults for development: an embedded database with orders in it, an issuer that gives a
token to anybody, a model that goes by rules. Every other profile names its own, or does not start.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

from axhub.agent.config.model import ANTHROPIC, OPENAI, ModelConfigError, ModelSettings, settings_from
from axhub.configuration.languages import Language

__all__ = ["DEMO_MODEL", "LOCAL", "ConfigError", "Problem", "Settings", "read_settings"]

LOCAL: Final = "local"
DEMO_MODEL: Final = "demo"

_PREFIX: Final = "ORDER_SERVICE_"
_AXHUB: Final = "AXHUB_"
"""The prefix of the variables that axhub's own reader of models knows."""
_EMBEDDED: Final = "sqlite:///order-service.sqlite3"
_AUDIENCE: Final = "orders"
_ADDRESSES: Final = ("https://", "http://127.0.0.1:", "http://localhost:")
_DATABASES: Final = ("sqlite:///", "postgresql://")
_MODEL_NAMES: Final = tuple(
    "MODEL" + name for name in ("", "_FRAMEWORK", "_BASE_URL", "_KEY_VARIABLE", "_PROXY", "_CA_FILE")
)
_NAMES: Final = (
    *("PROFILE", "DATABASE_URL", "ISSUER", "AUDIENCE", "JWKS", "HOST", "PORT", "PAYMENTS_URL", "PAYMENTS_KEY"),
    *_MODEL_NAMES,
)
_HIGHEST_PORT: Final = 65_535


class Problem(NamedTuple):
    """One thing that is wrong, in both languages; it shows no value that may be secret."""

    en: str
    ko: str

    def said(self, language: Language) -> str:
        """Return it in a language."""
        return self.ko if language == "ko" else self.en


class ConfigError(ValueError):
    """The service cannot start so; as text it is in English."""

    def __init__(self, profile: str, problems: tuple[Problem, ...]) -> None:
        self.profile = profile
        self.problems = problems
        super().__init__(self.said("en"))

    def said(self, language: Language) -> str:
        """Return everything that is wrong, a line each."""
        head = Problem(
            f"order_service cannot start in the profile {self.profile!r}:",
            f"order_service를 프로필 {self.profile!r}(으)로 시작할 수 없습니다:",
        )
        return "\n".join([head.said(language), *(f"  {problem.said(language)}" for problem in self.problems)])


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
    payments_url: str | None = None
    """Of the provider that pays refunds back; None: the demonstration's, in the process."""
    payments_key: str = field(default="", repr=False)
    """What it knows the service by; nothing: it asks for none."""

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
        told = str(error).replace(_AXHUB, _PREFIX)
        problems.append(Problem(f"{_PREFIX}MODEL: {told}", f"{_PREFIX}MODEL: 사용할 수 없습니다: {told}"))
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
        payments_url=said["PAYMENTS_URL"] or None,
        payments_key=said["PAYMENTS_KEY"],
    )


def _unknown(environ: Mapping[str, str]) -> Iterator[Problem]:
    known = {_PREFIX + name for name in _NAMES}
    listed = ", ".join(f"…{one}" for one in _NAMES)
    for name in sorted(environ):
        if name.startswith(_PREFIX) and name not in known:
            yield Problem(
                f"{name}: nobody reads this; known are {listed}",
                f"{name}: 읽지 않는 변수입니다. 사용할 수 있는 변수: {listed}",
            )


def _wrong(said: Mapping[str, str]) -> Iterator[Problem]:
    """Yield what is wrong in every profile."""
    if said["DATABASE_URL"] and not said["DATABASE_URL"].startswith(_DATABASES):
        forms = "sqlite:///FILE, postgresql://USER:PASSWORD@HOST/NAME"
        yield _of("DATABASE_URL", f"use {forms.replace(', ', ' or ')}", f"다음 형식 중 하나를 사용하십시오: {forms}")
    if bool(said["ISSUER"]) != bool(said["JWKS"]):
        yield _of(
            ("ISSUER", "JWKS"),
            f"set both, or neither in the profile {LOCAL!r}",
            f"둘 다 지정하십시오. 프로필 {LOCAL!r}에서만 둘 다 생략할 수 있습니다",
        )
    if said["JWKS"] and not said["JWKS"].startswith(_ADDRESSES) and not Path(said["JWKS"]).is_file():
        yield _of(
            "JWKS",
            "there is no such file; name one, or an address that begins with https://",
            "파일이 없습니다. 있는 파일이나 https://로 시작하는 주소를 지정하십시오",
        )
    if said["PORT"] and not (said["PORT"].isdecimal() and int(said["PORT"]) <= _HIGHEST_PORT):
        yield _of(
            "PORT", f"a number from 0 to {_HIGHEST_PORT} is needed", f"0부터 {_HIGHEST_PORT}까지의 숫자가 필요합니다"
        )
    if said["MODEL_CA_FILE"] and not Path(said["MODEL_CA_FILE"]).is_file():
        yield _of(
            "MODEL_CA_FILE",
            "there is no such file; name one in PEM with the certificates of your authority",
            "파일이 없습니다. 사내 인증 기관의 인증서가 든 PEM 파일을 지정하십시오",
        )
    yield from _wrong_payments(said["PAYMENTS_URL"], said["PAYMENTS_KEY"])


def _wrong_payments(url: str, key: str) -> Iterator[Problem]:
    if url and not url.startswith(_ADDRESSES):
        yield _of(
            "PAYMENTS_URL",
            "an address that begins with https:// is needed",
            "https://로 시작하는 주소가 필요합니다",
        )
    if key and not url:
        yield _of("PAYMENTS_KEY", "is set, but there is no address to use it for", "주소 없이 키만 지정되어 있습니다")


def _left_to_development(said: Mapping[str, str]) -> Iterator[Problem]:
    """Yield what only a developer's machine may leave as it is."""
    only, korean_only = f"for the profile {LOCAL!r} only", f"프로필 {LOCAL!r}에서만 사용할 수 있습니다"
    if not said["DATABASE_URL"]:
        yield _of(
            "DATABASE_URL",
            f"is not set; the embedded database is {only}",
            f"지정되지 않았습니다. 내장 데이터베이스는 {korean_only}",
        )
    if not said["ISSUER"] and not said["JWKS"]:
        yield _of(
            ("ISSUER", "JWKS"),
            f"are not set; the development issuer gives a token to anybody and is {only}",
            f"지정되지 않았습니다. 개발용 발급자는 누구에게나 토큰을 주므로 {korean_only}",
        )
    if not said["AUDIENCE"]:
        yield _of(
            "AUDIENCE",
            "is not set; name what tokens for this service are for",
            "지정되지 않았습니다. 이 서비스용 토큰의 대상을 지정하십시오",
        )
    if not said["PAYMENTS_URL"]:
        yield _of(
            "PAYMENTS_URL",
            f"is not set; the demonstration's provider pays nobody and is {only}",
            f"지정되지 않았습니다. 데모용 결제사는 실제로 지급하지 않으므로 {korean_only}",
        )
    if said["MODEL"] in {"", DEMO_MODEL}:
        yield _of(
            "MODEL",
            f"name one, such as openai:gpt-5-mini; the model {DEMO_MODEL!r} is a demonstration",
            f"openai:gpt-5-mini와 같은 모델을 지정하십시오. {DEMO_MODEL!r}은(는) 데모용 모델입니다",
        )


def _of(names: str | tuple[str, ...], english: str, korean: str) -> Problem:
    """Return a problem of one variable, or of some together."""
    named = [_PREFIX + name for name in ([names] if isinstance(names, str) else names)]
    return Problem(f"{' and '.join(named)}: {english}", f"{', '.join(named)}: {korean}")


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
