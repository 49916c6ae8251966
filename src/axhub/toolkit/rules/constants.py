"""What belongs into the configuration and not into code: rules TK612 and TK616 (seed 003 §1.4 and §10)."""

import re
from collections.abc import Iterator
from typing import Final

from axhub.configuration.faults import excerpt
from axhub.toolkit.facts.following import text_in
from axhub.toolkit.facts.service import Call, Facts, Layer, Literal, Module
from axhub.toolkit.facts.wording import words
from axhub.toolkit.layout import CONFIGURATION
from axhub.toolkit.rules.model import Breach, Message, Rule, Severity, Stage, Text

__all__ = ["RULES", "addresses_in"]

_URL: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://(?P<rest>\S*)")
_HOST: Final = re.compile(
    r"(?:localhost|(?:[0-9]{1,3}\.){3}[0-9]{1,3}|(?:[a-z0-9-]+\.)+(?:com|net|org|kr|jp|local|internal|intra|corp|lan))"
    r"(?::[0-9]{1,5})?",
    re.IGNORECASE,
)
_PORT: Final = re.compile(r":[0-9]{2,5}")
_PATH: Final = re.compile(r"(?:/[A-Za-z0-9._~{}%:-]+)+/?(?:\?\S*)?")
_OF_FILES: Final = re.compile(r"/(?:bin|dev|etc|home|mnt|opt|proc|root|run|srv|sys|tmp|usr|var)/")
_IDENTIFIERS: Final = ("www.w3.org/", "json-schema.org/", "schemas.xmlsoap.org/", "spec.openapis.org/")
"""What looks like an address and is the name of a standard."""
_TEXTS: Final = frozenset(
    {
        *("$id", "$schema", "description", "detail", "example", "examples", "help", "message", "pattern", "title"),
        *("input_schema_resource", "output_schema_resource", "version", "xmlns", "x_version"),
    }
)
"""Names of what people or models read, or of files."""
_HOST_NAMES: Final = frozenset({"host", "hostname"})
_PATH_NAMES: Final = frozenset({"endpoint", "path", "uri", "url"})
_MAX_PORT: Final = 65_535
_OF_SYSTEMS: Final = frozenset({Layer.CLIENT, Layer.ENVELOPE, Layer.IO})
_EXAMPLE: Final = re.compile(r"(?:^|[._])(?:Desc|Field)$")


# --- TK612 -----------------------------------------------------------------------------------------------------------


def _addresses(facts: Facts) -> Iterator[Breach]:
    config = facts.settings.path if facts.settings is not None else f"{facts.project.folder}/{CONFIGURATION}"
    for module in facts.modules:
        for literal, part in addresses_in(module):
            api = module.part if module.layer in _OF_SYSTEMS else _only_api(facts)
            own = module.layer is Layer.OTHER and part in {"host", "port"}
            variant = f"{part}-own" if own else f"{part}-mci" if module.is_mci else part
            yield Breach(literal.place, variant, {"found": _shown(literal), "config": config, "api": api})


def addresses_in(module: Module) -> Iterator[tuple[Literal, str]]:
    """Yield the literals of a module that are an address, each with the part of one that it is, as `host`."""
    seen = set()
    prose = set(_prose(module))
    for literal in module.literals:
        part = _address(literal, module.layer)
        if part and literal.place not in seen and literal.value not in prose:
            seen.add(literal.place)  # several parts of one f-string are one finding
            yield literal, part


def _only_api(facts: Facts) -> str:
    """Return the name of the service's API, if it has one only."""
    names = {api.name.value for api in facts.settings.apis} if facts.settings is not None else set()
    return next(iter(names)) if len(names) == 1 else "…"


def _prose(module: Module) -> Iterator[str]:
    """Yield the texts that are given to descriptions of fields: people and models read them."""
    for call in module.calls:
        if _EXAMPLE.search(call.callee):
            yield from (text for argument in call.arguments if (text := text_in(argument)) is not None)


def _shown(literal: Literal) -> str:
    return excerpt(literal.value) if isinstance(literal.value, str) else str(literal.value)


def _address(literal: Literal, layer: Layer) -> str:
    """Return which part of an address a literal is; empty if it is none."""
    name = words(literal.name)
    if literal.name.lower() in _TEXTS:
        return ""
    if _is_port(literal, name) or (isinstance(literal.value, str) and _PORT.fullmatch(literal.value.strip())):
        return "port"
    text = literal.value.strip() if isinstance(literal.value, str) else ""
    if (url := _URL.fullmatch(text)) is not None:
        return "" if url["rest"].startswith(_IDENTIFIERS) else "url"
    if _HOST.fullmatch(text) or (name[-1:] and name[-1] in _HOST_NAMES and re.fullmatch(r"[A-Za-z0-9.:-]+", text)):
        return "host"
    return "path" if _is_path(text, name, layer) else ""


def _is_port(literal: Literal, name: tuple[str, ...]) -> bool:
    value = literal.value
    number = (
        int(value) if isinstance(value, int) or (isinstance(value, str) and value.isascii() and value.isdigit()) else 0
    )
    return name[-1:] == ("port",) and 0 < number <= _MAX_PORT


def _is_path(text: str, name: tuple[str, ...], layer: Layer) -> bool:
    if _PATH.fullmatch(text) is None or _OF_FILES.match(text):
        return False
    several = text.rstrip("/").count("/") > 1
    return several or layer is Layer.CLIENT or bool(_PATH_NAMES.intersection(name))


_INTO_CONFIG: Final = Text(
    "Write it into {config}, as {key} of an entry of glow.communication.http.api-list, and name only that entry in the "
    'client: `API_NAME = "{api}"`.',
    "{config} 파일의 glow.communication.http.api-list 항목에 {key} 값으로 쓰고, 클라이언트에는 항목 이름만 남기십시오: "
    '`API_NAME = "{api}"`.',
)


_INTO_SYSTEM: Final = Text(
    "Write it into {config}, as {key} of an entry of glow.communication.mci.system-list, and name only that entry in "
    'the client: `SYSTEM = "{api}"`.',
    "{config} 파일의 glow.communication.mci.system-list 항목에 {key} 값으로 쓰고, 클라이언트에는 항목 이름만 "
    '남기십시오: `SYSTEM = "{api}"`.',
)


_OWN: Final = Text(
    "Write it into {config}: `server: {{host: …, port: …}}` for the service itself, or as domain of an entry of "
    "glow.communication.http.api-list for a system behind it.",
    "{config} 파일에 쓰십시오: 서비스 자신의 주소는 `server: {{host: …, port: …}}`, 뒤에 있는 시스템의 주소는 "
    "glow.communication.http.api-list 항목의 domain 값.",
)
_HOST_PROBLEM: Final = Text('The host "{found}" stands in the code.', '코드에 호스트 "{found}" 값이 있습니다.')
_PORT_PROBLEM: Final = Text("The port {found} stands in the code.", "코드에 포트 {found} 값이 있습니다.")


_URL_PROBLEM: Final = Text('The address "{found}" stands in the code.', '코드에 주소 "{found}" 값이 있습니다.')
_PATH_PROBLEM: Final = Text('The path "{found}" stands in the code.', '코드에 경로 "{found}" 값이 있습니다.')


def _into(key: str, key_ko: str = "", *, of: Text = _INTO_CONFIG) -> Text:
    return Text(of.en.replace("{key}", key), of.ko.replace("{key}", key_ko or key))


TK612: Final = Rule(
    id="TK612",
    severity=Severity.ERROR,
    stage=Stage.SOURCE,
    title=Text(
        "No scheme, host, port or path of a system stands in the code.",
        "코드에 시스템의 스킴, 호스트, 포트, 경로를 쓰지 않아야 합니다.",
    ),
    why=Text(
        "Addresses differ from one environment to the next, and a wheel is the same in all of them. Texts that people "
        "or models read (descriptions, examples, messages, docstrings) and names of standards do not count. Source: "
        "seed 003 §1.4 and §10.",
        "주소는 환경마다 다르지만 wheel은 모든 환경에서 같습니다. 사람이나 모델이 읽는 글(설명, 예시, 메시지, "
        "docstring)과 표준의 "
        "이름은 해당하지 않습니다. 출처: 설계 가이드 003 §1.4, §10.",
    ),
    messages={
        "url": Message(
            _URL_PROBLEM,
            _into("domain and url", "domain과 url"),
        ),
        "url-mci": Message(_URL_PROBLEM, _into("domain and url", "domain과 url", of=_INTO_SYSTEM)),
        "host-mci": Message(_HOST_PROBLEM, _into("host", of=_INTO_SYSTEM)),
        "port-mci": Message(_PORT_PROBLEM, _into("port", of=_INTO_SYSTEM)),
        "path-mci": Message(_PATH_PROBLEM, _into("url", of=_INTO_SYSTEM)),
        "host": Message(
            _HOST_PROBLEM,
            _into("domain"),
        ),
        "port": Message(
            _PORT_PROBLEM,
            _into("part of domain", "domain의 일부"),
        ),
        "host-own": Message(_HOST_PROBLEM, _OWN),
        "port-own": Message(_PORT_PROBLEM, _OWN),
        "path": Message(
            _PATH_PROBLEM,
            _into("url"),
        ),
    },
    check=_addresses,
    bad='URL = "https://claims.example.com:8443/claims/search"',
    good='API_NAME = "claim"      # domain and url stand in config/service.yaml',
)


# --- TK616 -----------------------------------------------------------------------------------------------------------

_SECRET_WORDS: Final = frozenset(
    {"apikey", "authorization", "credential", "credentials", "passwd", "password", "pwd", "secret", "token"}
)
_KEY_WORDS: Final = frozenset({"access", "api", "encryption", "private", "secret", "signing"})
_PAGES: Final = frozenset({"cancel", "continuation", "cursor", "next", "page", "sync"})
"""A token of these is no credential."""
_SECRET_FORMS: Final = re.compile(
    r"(?:Bearer|Basic) [A-Za-z0-9._~+/=-]{6,}|-----BEGIN [A-Z ]*PRIVATE KEY-----.*|eyJ[\w-]+\.eyJ[\w-]+\.[\w-]*",
    re.DOTALL,
)
_SECRET_VALUE: Final = re.compile(r"[!-~]{4,}")
_NAMES: Final = re.compile(r"[A-Z]+(?:_[A-Z]+)*|[A-Z][a-z]*(?:-[A-Z][a-z]*)+")
_SCHEMES: Final = frozenset({"basic", "bearer", "digest"})
_UNITS: Final = frozenset({"s", "sec", "secs", "second", "seconds", "ms", "millis", "milliseconds", "minutes"})
_WAITING: Final = {"asyncio.wait_for": 1, "asyncio.timeout": 0}
"""What bounds a wait, with the place of the bound among the arguments."""
_DATA: Final = frozenset({Layer.DTO, Layer.CONVERTER, Layer.IO})
"""Where a field that is called like a timeout is data."""


def _configured(facts: Facts) -> Iterator[Breach]:
    config = facts.settings.path if facts.settings is not None else f"{facts.project.folder}/{CONFIGURATION}"
    for module in facts.modules:
        for literal in module.literals:
            if _is_secret(literal):
                yield Breach(literal.place, _secret_variant(literal), _secret_values(module, literal, config))
            elif module.layer not in _DATA and _is_timeout(literal):
                values = {"found": f"{literal.name} = {literal.value}", "config": config}
                yield Breach(literal.place, "timeout", values)
        for call in module.calls if module.layer not in _DATA else ():
            if (bound := _bound(call)) is not None:
                yield Breach(call.place, "timeout", {"found": f"{call.callee}: {bound}", "config": config})


def _secret_variant(literal: Literal) -> str:
    return "private" if "PRIVATE KEY" in str(literal.value) else "secret"


def _secret_values(module: Module, literal: Literal, config: str) -> dict[str, str | int]:
    name = literal.name or "Authorization"
    api = words(module.part) if module.layer is Layer.CLIENT else ()
    variable = "_".join((*api, *words(name))).upper()
    return {"name": name, "variable": variable, "config": config}


def _is_secret(literal: Literal) -> bool:
    """Say whether a literal is a credential, by its form or by what it is given to."""
    text = literal.value.strip() if isinstance(literal.value, str) else ""
    if _SECRET_FORMS.fullmatch(text):
        return True
    name = words(literal.name)
    if not _SECRET_VALUE.fullmatch(text) or text.lower() in _SCHEMES or _URL.match(text):
        return False
    if words(text) == name or (_NAMES.fullmatch(text) and set(name) <= {*words(text)}):
        return False  # the name of a header or variable, or a code
    last, before = name[-1:], frozenset(name[-2:-1])
    named = last and last[0] in _SECRET_WORDS and not (last[0] == "token" and before & _PAGES)
    return bool(named) or (last == ("key",) and bool(before & _KEY_WORDS))


def _is_timeout(literal: Literal) -> bool:
    name = words(literal.name)
    while name and name[-1] in _UNITS:
        name = name[:-1]
    return name[-1:] == ("timeout",) and _is_positive(literal.value)


def _is_positive(value: str | float) -> bool:
    try:
        return float(value) > 0
    except ValueError:
        return False


def _bound(call: Call) -> str | None:
    at = _WAITING.get(call.resolved)
    written = call.arguments[at] if at is not None and len(call.arguments) > at else ""
    return written if re.fullmatch(r"[0-9][0-9._]*", written) and _is_positive(written.replace("_", "")) else None


TK616: Final = Rule(
    id="TK616",
    severity=Severity.ERROR,
    stage=Stage.SOURCE,
    title=Text(
        "No credential and no timeout stands in the code.",
        "코드에 인증 값이나 timeout을 쓰지 않아야 합니다.",
    ),
    why=Text(
        "A credential in the code is known to everybody who has the wheel, and cannot be changed without a release; a "
        "timeout in the code is one that the budget of a call (TK615) does not know. Tokens of pages, names of "
        "headers, "
        "and fields of models are none of these. Source: seed 003 §1.4.",
        "코드에 쓴 인증 값은 wheel을 가진 모두가 알게 되고 배포 없이 바꿀 수 없습니다. 코드에 쓴 timeout은 호출 시간 "
        "합계(TK615)에 "
        "들어가지 않습니다. 페이지 토큰, 헤더 이름, 모델의 필드는 해당하지 않습니다. 출처: 설계 가이드 003 §1.4.",
    ),
    messages={
        "secret": Message(
            Text(
                "A credential stands in the code ({name}).",
                "코드에 인증 값이 있습니다({name}).",
            ),
            Text(
                "Take it out of the code, and give it a new value, since it is known now. Write `headers: "
                "{{Authorization: ${{{variable}}}}}`, with the name of the header, into the entry of the API in "
                "{config}, and set the variable {variable}.",
                "코드에서 지우고, 이미 알려진 값이므로 새 값으로 바꾸십시오. {config} 파일의 API 항목에 헤더 이름과 "
                "함께 "
                "`headers: {{Authorization: ${{{variable}}}}}` 값을 쓰고 환경 변수 {variable} 값을 설정하십시오.",
            ),
        ),
        "private": Message(
            Text(
                "A private key stands in the code.",
                "코드에 개인 키가 있습니다.",
            ),
            Text(
                "Take it out of the code, and replace it, since it is known now. Keep the new one where the "
                "organisation keeps its keys, and let the service provide what signs with it: `ToolService(…, "
                "provide=…)`.",
                "코드에서 지우고, 이미 알려진 키이므로 새 키로 바꾸십시오. 새 키는 조직의 키 저장소에 두고, 그 키로 "
                "서명하는 객체를 `ToolService(…, provide=…)`로 제공하십시오.",
            ),
        ),
        "timeout": Message(
            Text(
                "A timeout stands in the code ({found}).",
                "코드에 timeout이 있습니다({found}).",
            ),
            Text(
                "Take it out, and write the bound into {config}: totalTimeoutMillis of the API's entry, or "
                "`tools: {{NAME: {{timeoutMillis: …}}}}` for the whole tool.",
                "코드에서 지우고 {config} 파일에 쓰십시오: API 항목의 totalTimeoutMillis 값, 또는 도구 전체의 "
                "`tools: {{이름: {{timeoutMillis: …}}}}` 값.",
            ),
        ),
    },
    check=_configured,
    bad='API_KEY = "k-51fa09"\nasyncio.wait_for(self._http.call(…), 5)',
    good="# config/service.yaml\nheaders: {Authorization: ${CLAIM_TOKEN}}\ntotalTimeoutMillis: 5000",
)

RULES: Final = (TK612, TK616)
