"""What leaves a tool beside its answer: rules TK702 and TK703 (seed 003 §11)."""

import ast
from collections.abc import Iterator
from typing import Final

from axhub.toolkit.facts.following import HTTP, MCI, Package, names_in
from axhub.toolkit.facts.service import Call, Facts, Function, Import, Layer
from axhub.toolkit.facts.wording import words
from axhub.toolkit.rules.connectors import side_of
from axhub.toolkit.rules.model import Breach, Message, Rule, Severity, Stage, Text

__all__ = ["RULES"]

_RAW: Final = frozenset(
    {
        *("aiohttp", "ftplib", "grpc", "httplib2", "http.client", "httpx", "httpx2", "paramiko", "pycurl", "requests"),
        *("smtplib", "socket", "socketserver", "telnetlib", "urllib.request", "urllib3", "websocket", "websockets"),
        *("xmlrpc.client", "zeep"),
    }
)
_OPENERS: Final = frozenset({"asyncio.open_connection", "asyncio.open_unix_connection"})


# --- TK702 -----------------------------------------------------------------------------------------------------------


def _raw(facts: Facts) -> Iterator[Breach]:
    for module in facts.modules:
        api = module.part if module.layer in {Layer.CLIENT, Layer.IO, Layer.ENVELOPE} else "{api}"
        of = "-mci" if module.is_mci else ""
        for one in module.imports:
            if (found := _connecting(one)) is not None:
                yield Breach(one.place, f"import{of}", {"found": found, "api": api})
        for call in module.calls:
            if call.resolved in _OPENERS:
                yield Breach(call.place, f"call{of}", {"found": call.resolved, "api": api})


def _connecting(one: Import) -> str | None:
    """Return what is imported to talk over a network with; `urllib.parse` and `http.HTTPStatus` are not."""
    full = f"{one.module}.{one.name}" if one.name else one.module
    parts = full.split(".")
    return next((name for at in range(1, len(parts) + 1) if (name := ".".join(parts[:at])) in _RAW), None)


_USE_CLIENT: Final = Text(
    "Remove it. Let a class in infra/http/{api}/client.py take `http: HttpClient` (from axhub.toolkit) in its "
    "constructor, and call `await self._http.call(self.API_NAME, request, ResponseBody)`.",
    "지우십시오. infra/http/{api}/client.py의 클래스가 생성자에서 `http: HttpClient`(axhub.toolkit)를 받고 "
    "`await self._http.call(self.API_NAME, request, ResponseBody)`를 호출하게 하십시오.",
)
_USE_MCI: Final = Text(
    "Remove it. Let a class in infra/mci/{api}/client.py take `mci: MciClient` (from axhub.toolkit) in its "
    "constructor, and call `await self._mci.call(self.SYSTEM, ENVELOPE, request, response_type)`.",
    "지우십시오. infra/mci/{api}/client.py의 클래스가 생성자에서 `mci: MciClient`(axhub.toolkit)를 받고 "
    "`await self._mci.call(self.SYSTEM, ENVELOPE, request, response_type)`를 호출하게 하십시오.",
)
_IMPORTED: Final = Text(
    "{found} is imported, with which a tool would open connections of its own.",
    "{found} 모듈을 가져왔습니다. 도구가 직접 연결을 열게 됩니다.",
)
_OPENED: Final = Text("{found} opens a connection of the tool's own.", "{found} 호출로 도구가 직접 연결을 엽니다.")

TK702: Final = Rule(
    id="TK702",
    severity=Severity.ERROR,
    stage=Stage.SOURCE,
    title=Text(
        "A tool talks to other systems through the HttpClient or MciClient that the service gives it.",
        "도구는 서비스가 제공하는 HttpClient나 MciClient로만 다른 시스템을 호출해야 합니다.",
    ),
    why=Text(
        "The clients send trace id, request id and the encrypted employee number along, know address, credentials and "
        "timeouts from the configuration, follow no redirects, and never give an answer that comes late to the next "
        "caller. A connection of one's own does none of it. "
        "Which headers a tool receives is decided by one table of the service (TK701): there is nothing to write. An "
        "adapter of a port that is neither an HTTP API nor MCI may be allowed with a reason. Source: seed 003 §11, "
        "toolkit/H2, toolkit/B3.",
        "두 클라이언트는 trace-id, request-id, 암호화 사번을 함께 보내고, 주소·인증·timeout을 설정에서 읽으며, "
        "리다이렉트를 따르지 않고, 늦게 온 응답을 다음 호출에 넘기지 않습니다. 직접 연 연결은 그렇지 않습니다. 도구가 "
        "받는 헤더는 서비스의 표 하나로 정해지므로(TK701) 작성할 것이 없습니다. HTTP API도 MCI도 아닌 포트의 어댑터는 "
        "이유를 적고 허용할 수 있습니다. 출처: 설계 가이드 003 §11, toolkit/H2, toolkit/B3.",
    ),
    messages={
        "import": Message(_IMPORTED, _USE_CLIENT),
        "import-mci": Message(_IMPORTED, _USE_MCI),
        "call": Message(_OPENED, _USE_CLIENT),
        "call-mci": Message(_OPENED, _USE_MCI),
    },
    check=_raw,
    bad="import httpx",
    good="from axhub.toolkit import HttpClient",
)


# --- TK703 -----------------------------------------------------------------------------------------------------------

_LEVELS: Final = frozenset({"critical", "debug", "error", "exception", "info", "log", "warn", "warning"})
_LOGGERS: Final = frozenset({"log", "logger", "logging"})
_PRINTERS: Final = frozenset({"print", "pprint.pprint", "pprint.pp", "sys.stdout.write", "sys.stderr.write"})
_WHOLE: Final = frozenset({"str", "repr", "vars", "dict", "list", "tuple", "format", "json.dumps", "pprint.pformat"})
"""What gives all of a value on."""
_DUMPS: Final = frozenset({"model_dump", "model_dump_json", "dict", "json", "copy", "model_copy", "__dict__"})
_EMPLOYEE: Final = frozenset({"employee-no", "employee-id", "virtual-employee-no"})
_NUMBERS: Final = frozenset({"no", "id", "number", "num"})
_QUESTIONS: Final = frozenset({"has", "is", "no", "without"})
_PLAIN_EMPLOYEE: Final = frozenset({"reveal_cipher_text", "decrypt"})


def _logged(facts: Facts) -> Iterator[Breach]:
    package = Package(facts)
    for module in facts.modules:
        for call in module.calls:
            if _writes(call):
                function = package.functions.get(call.function)
                looking = _Looking(package, function[0] if function is not None else None)
                if (found := looking.first(call)) is not None:
                    variant, written = found
                    yield Breach(call.place, variant, {"found": written, "call": call.callee})


def _writes(call: Call) -> bool:
    """Say whether a call writes into a log or to the console."""
    receiver, _, level = call.callee.rpartition(".")
    named = words(receiver.rpartition(".")[2])
    return call.resolved in _PRINTERS or (
        level in _LEVELS and (not _LOGGERS.isdisjoint(named[-1:]) or call.resolved.startswith("logging."))
    )


class _Looking:
    """Looks for values that must not be logged in the arguments of one call."""

    def __init__(self, package: Package, function: Function | None) -> None:
        self._package = package
        self._function = function

    def first(self, call: Call) -> tuple[str, str] | None:
        """Return the first such value as it is written, with the message about it."""
        for argument in (*call.arguments, *call.keywords.values()):
            try:
                tree = ast.parse(argument.lstrip("*"), mode="eval").body
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                continue
            if (found := self._find(tree)) is not None:
                return found
        return None

    def _find(self, node: ast.AST) -> tuple[str, str] | None:
        """Look at what an expression gives on: of `a.b` the whole of `a` is not shown, of `str(a)` it is."""
        if isinstance(node, ast.Constant):
            return ("employee", str(node.value)) if str(node.value).lower() in _EMPLOYEE else None
        if isinstance(node, ast.Name | ast.Attribute):
            return self._named(node)
        if isinstance(node, ast.Call):
            return self._called(node)
        return next((found for child in ast.iter_child_nodes(node) if (found := self._find(child)) is not None), None)

    def _named(self, node: ast.Name | ast.Attribute) -> tuple[str, str] | None:
        written = ast.unparse(node)
        last = words(written.rpartition(".")[2])
        if "employee" in last and last[-1] in _NUMBERS and last[0] not in _QUESTIONS:
            return "employee", written
        kind = self._kind(written)
        if kind is None and isinstance(node, ast.Attribute) and node.attr in _DUMPS:
            return self._find(node.value)
        return None if kind is None else (kind, written)

    def _called(self, node: ast.Call) -> tuple[str, str] | None:
        written = ast.unparse(node.func)
        if written.rpartition(".")[2] in _PLAIN_EMPLOYEE:
            return "employee", ast.unparse(node)
        if isinstance(node.func, ast.Attribute) and node.func.attr in _DUMPS:
            return self._find(node.func.value)
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        whole = written in _WHOLE or written.endswith(".format")
        inner = given if whole else []
        return next((found for one in inner if (found := self._find(one)) is not None), None)

    def _kind(self, dotted: str) -> str | None:
        """Return `dto` or `body` for a name of such a value."""
        if self._function is None:
            return None
        sides = {side_of(name, self._package) for name in names_in(self._package.type_of(dotted, self._function))}
        if Layer.DTO in sides:
            return "dto"
        if Layer.IO in sides or self._is_answer(dotted):
            return "body"
        return None

    def _is_answer(self, name: str) -> bool:
        """Say whether a variable holds what a client or a port of the toolkit answered, of whatever type."""
        called = self._function.made.get(name) if self._function is not None else None
        if self._function is None or called is None:
            return False
        if any(self._package.is_call(called, self._function, wire) for wire in (HTTP, MCI)):
            return True
        return any(module.layer is Layer.CLIENT for _, module in self._package.reached(called, self._function))


_NOT_WHOLE: Final = Text(
    "Log what happened in fixed words, with a code or a count at most, as in "
    '`logger.info("claims found: %d", len(response.items))`.',
    "일어난 일을 고정된 말로 남기고, 값은 코드나 건수까지만 쓰십시오: "
    '`logger.info("claims found: %d", len(response.items))`.',
)

TK703: Final = Rule(
    id="TK703",
    severity=Severity.ERROR,
    stage=Stage.SOURCE,
    title=Text(
        "No request, answer, telegram or employee number is logged or printed.",
        "요청, 응답, 전문, 사번을 로그나 화면에 남기지 않아야 합니다.",
    ),
    why=Text(
        "They hold personal data, and logs are kept longer and read by more people than the data itself. What a "
        "variable is follows from annotations, so a single field, a count or a fixed text is not reported. The "
        "service's own log has trace id, tool and time already. Source: seed 003 §11.",
        "여기에는 개인정보가 들어 있고, 로그는 데이터보다 오래 보관되며 더 많은 사람이 봅니다. 변수의 종류는 타입 "
        "표시로 "
        "판단하므로 "
        "필드 하나, 건수, 고정된 글은 보고하지 않습니다. trace id, 도구, 시간은 서비스 로그에 이미 있습니다. "
        "출처: 설계 가이드 003 §11.",
    ),
    messages={
        "dto": Message(
            Text(
                "{call} writes out {found}, a whole request or answer of the tool.",
                "{call} 호출이 도구의 요청·응답 전체({found})를 남깁니다.",
            ),
            _NOT_WHOLE,
        ),
        "body": Message(
            Text(
                "{call} writes out {found}, a whole telegram or HTTP body.",
                "{call} 호출이 전문·HTTP 본문 전체({found})를 남깁니다.",
            ),
            _NOT_WHOLE,
        ),
        "employee": Message(
            Text(
                "{call} writes out an employee number ({found}).",
                "{call} 호출이 사번({found})을 남깁니다.",
            ),
            Text(
                "Leave it out. The trace id in the service's log leads to the caller.",
                "지우십시오. 서비스 로그의 trace id로 호출자를 찾을 수 있습니다.",
            ),
        ),
    },
    check=_logged,
    bad='logger.info("answer %s", response)',
    good='logger.info("claims found: %d", len(response.items))',
)

RULES: Final = (TK702, TK703)
