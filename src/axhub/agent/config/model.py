"""Which model an agent asks, through which framework, and how patiently (agent/A10).

```python
ModelSettings(model="openai:gpt-5-mini")
ModelSettings(model="openai:qwen3-4b", base_url="http://127.0.0.1:8000/v1", framework=Framework.LANGCHAIN)
```

A key stands in none of it: it comes from the variable that the provider's own tools read, or from `key_variable`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from axhub.contract.endpoints import EndpointError, parse_url

__all__ = ["ANTHROPIC", "OPENAI", "Framework", "ModelConfigError", "ModelSettings", "settings_from"]

OPENAI: Final = "openai"
"""OpenAI, and every server that speaks its chat completions."""
ANTHROPIC: Final = "anthropic"

_KEY_VARIABLES: Final[Mapping[str, str]] = {OPENAI: "OPENAI_API_KEY", ANTHROPIC: "ANTHROPIC_API_KEY"}
_NO_KEY: Final = "no-key"
"""What a server at an own address is sent without a key: it wants none, but the client libraries insist on one."""
_HOST: Final = re.compile(r"[A-Za-z0-9._-]+|[0-9A-Fa-f:.]+")
_PROXIES: Final = ("http", "https", "socks5", "socks5h")
_PREFIX: Final = "AXHUB_MODEL"
_OWN: Final = ("base_url", "key_variable", "proxy", "ca_file")


class ModelConfigError(ValueError):
    """The configuration of the model cannot be used; the text says what to change and shows no key."""


class Framework(StrEnum):
    """Through which framework models are asked; each is an extra of this package."""

    PYDANTIC_AI = "pydantic-ai"
    LANGCHAIN = "langchain"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings:
    """One model."""

    model: str
    """`provider:name`, such as `openai:gpt-5-mini` or `anthropic:claude-sonnet-4-5`; with pydantic-ai also the names of
    its other providers, which are then set up by the framework's own variables and by nothing of this."""
    framework: Framework = Framework.PYDANTIC_AI
    base_url: str | None = None
    """Where the provider's interface is; None: the provider's own address."""
    key_variable: str | None = None
    """Variable of the environment with the key; None: the provider's usual one, whose key does not go over `http://` to
    another machine."""
    proxy: str | None = field(default=None, repr=False)
    """Proxy to go through, with name and password where it wants them; HTTPS_PROXY and the like are not looked at."""
    ca_file: str | None = None
    """File in PEM with certificates that are believed besides the system's own."""
    connect_seconds: float = 5.0
    read_seconds: float = 60.0
    """How long to wait for the next bytes; the bound of the whole is the loop's (agent/L2)."""
    tries: int = 3
    """How often a turn is tried, the first time included (agent/I5)."""
    max_wait_seconds: float = 20.0
    """The longest pause before another try; a provider that asks for a longer one counts as unavailable."""
    max_output_tokens: int | None = None
    """None: what the framework takes for the model."""

    def __post_init__(self) -> None:
        """Look at what can be looked at without the framework.

        Raises:
            ModelConfigError: something cannot be used.
        """
        problems = [
            problem for problem in (_model(self), *_numbers(self), _address(self), _way(self), _others(self)) if problem
        ]
        if problems:
            raise ModelConfigError("; ".join(problems))

    @property
    def provider(self) -> str:
        """What stands before the colon."""
        return self.model.partition(":")[0]

    @property
    def name(self) -> str:
        """What stands after it."""
        return self.model.partition(":")[2]

    def key(self, environ: Mapping[str, str]) -> str:
        """Return the key.

        Raises:
            ModelConfigError: the provider wants one, and the variable is not set.
        """
        variable = self.key_variable or _KEY_VARIABLES.get(self.provider, "")
        key = environ.get(variable, "").strip()
        if key and (self.key_variable is not None or not self._is_in_clear):
            return key
        if self.base_url is not None and self.key_variable is None:
            return _NO_KEY
        raise ModelConfigError(f"{self.model}: set the variable {variable} to the provider's key")

    @property
    def _is_in_clear(self) -> bool:
        """Whether others on the way could read a key."""
        if self.base_url is None:
            return False
        origin = parse_url(self.base_url).origin
        return origin.scheme == "http" and not _is_this_machine(origin.host)


def settings_from(environ: Mapping[str, str]) -> ModelSettings | None:
    """Read `AXHUB_MODEL` and, beginning like it, `_FRAMEWORK`, `_BASE_URL`, `_KEY_VARIABLE`, `_PROXY`, `_CA_FILE`.

    Returns:
        None without `AXHUB_MODEL`.

    Raises:
        ModelConfigError: they cannot be used.
    """
    model = environ.get(_PREFIX, "").strip()
    if not model:
        return None
    base_url, key_variable, proxy, ca_file = (
        environ.get(f"{_PREFIX}_{name.upper()}", "").strip() or None for name in _OWN
    )
    framework = environ.get(f"{_PREFIX}_FRAMEWORK", "").strip() or Framework.PYDANTIC_AI.value
    allowed = [one.value for one in Framework]
    if framework not in allowed:
        raise ModelConfigError(f"{_PREFIX}_FRAMEWORK is {framework!r}; one of {', '.join(allowed)} is needed")
    return ModelSettings(
        model=model,
        framework=Framework(framework),
        base_url=base_url,
        key_variable=key_variable,
        proxy=proxy,
        ca_file=ca_file,
    )


def _model(settings: ModelSettings) -> str | None:
    if not settings.provider or not settings.name or settings.model != settings.model.strip():
        return f"model is {settings.model!r}; provider:name is needed, such as openai:gpt-5-mini"
    if settings.framework is Framework.LANGCHAIN and settings.provider not in _KEY_VARIABLES:
        return (
            f"model is {settings.model!r}; langchain is asked for openai: and anthropic: only -- "
            "for another provider give your own chat model to LangChainTurns"
        )
    return None


def _numbers(settings: ModelSettings) -> list[str]:
    problems = [
        f"{name} is {value!r}; a number above 0 is needed"
        for name, value in (("connect_seconds", settings.connect_seconds), ("read_seconds", settings.read_seconds))
        if not value > 0
    ]
    if settings.tries < 1:
        problems.append(f"tries is {settings.tries!r}; at least 1 is needed")
    if not settings.max_wait_seconds >= 0:
        problems.append(f"max_wait_seconds is {settings.max_wait_seconds!r}; 0 or more is needed")
    if settings.max_output_tokens is not None and settings.max_output_tokens < 1:
        problems.append(f"max_output_tokens is {settings.max_output_tokens!r}; at least 1 is needed")
    return problems


def _address(settings: ModelSettings) -> str | None:
    if settings.base_url is None:
        return None
    try:
        parse_url(settings.base_url)
    except EndpointError as error:
        return f"base_url cannot be used: {error}"
    return None


def _way(settings: ModelSettings) -> str | None:
    """Say why the proxy cannot be used, without its text: a password may stand in it."""
    if settings.proxy is None:
        return None
    try:
        parts = urlsplit(settings.proxy)
        is_usable = parts.scheme in _PROXIES and _HOST.fullmatch(parts.hostname or "") is not None and parts.port != 0
    except ValueError:
        is_usable = False
    return None if is_usable else f"proxy cannot be used; SCHEME://HOST:PORT with {', '.join(_PROXIES)} is needed"


def _is_this_machine(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _others(settings: ModelSettings) -> str | None:
    said = [name for name in _OWN if getattr(settings, name) is not None]
    if settings.provider in _KEY_VARIABLES or not said:
        return None
    return f"{', '.join(said)}: only for openai: and anthropic:, since {settings.provider}: is set up by pydantic-ai"
