"""Connections of a tool's own, and what it logs."""

from pathlib import Path

import pytest

from axhub.toolkit.rules import outside
from support.telling import Told
from support.written_service import CLIENT, USECASE, Written, changed, told_of

RULES = {rule.id: rule for rule in outside.RULES}
CALL = "        return await self._http.call(self.API_NAME, request, ClaimAnswer)"
RUN = "            return to_claim_response(await self._claims.search(to_claim_body(request)))"
LOGGER = "import logging\nfrom my_tools.infra.http.claim.io import ClaimAnswer\nlogger = logging.getLogger(__name__)\n"


def client(line: str) -> dict[str, str]:
    """Return the client with one more line at its top."""
    return changed(CLIENT, "class ClaimClient", f"{line}\nclass ClaimClient")


def calling(*lines: str) -> dict[str, str]:
    """Return the client with lines before its call."""
    return changed(CLIENT, CALL, "\n".join([*(f"        {line}" for line in lines), CALL]))


def usecase(*lines: str, parameters: str = "request: ClaimRequest") -> dict[str, str]:
    """Return the use case with one more function of some lines."""
    body = "\n".join(f"    {line}" for line in lines)
    return changed(USECASE, "class ClaimUseCase", f"{LOGGER}async def run({parameters}):\n{body}\nclass ClaimUseCase")


@pytest.mark.req("rule/TK702")
@pytest.mark.parametrize(
    "case",
    [
        Written(
            "a library",
            client("import httpx"),
            (
                Told(
                    "infra/http/claim/client.py:3:8 error",
                    "httpx is imported, with which a tool would open connections of its own. Remove it. Let a "
                    "class in infra/http/claim/client.py take `http: HttpClient` (from axhub.toolkit) in its "
                    "constructor, and call `await self._http.call(self.API_NAME, request, ResponseBody)`.",
                    "httpx 모듈을 가져왔습니다. 도구가 직접 연결을 열게 됩니다. 지우십시오. "
                    "infra/http/claim/client.py의 클래스가 생성자에서 `http: HttpClient`(axhub.toolkit)를 받고 "
                    "`await self._http.call(self.API_NAME, request, ResponseBody)`를 호출하게 하십시오.",
                ),
            ),
        ),
        Written(
            "a part of one",
            usecase("from urllib.request import urlopen"),
            (
                Told(
                    "biz/cmm/usecase.py:9:32 error",
                    "urllib.request is imported, with which a tool would open connections of its own. Remove it. "
                    "Let a class in infra/http/{api}/client.py take `http: HttpClient` (from axhub.toolkit) in "
                    "its constructor, and call `await self._http.call(self.API_NAME, request, ResponseBody)`.",
                    "urllib.request 모듈을 가져왔습니다. 도구가 직접 연결을 열게 됩니다. 지우십시오. "
                    "infra/http/{api}/client.py의 클래스가 생성자에서 `http: HttpClient`(axhub.toolkit)를 받고 "
                    "`await self._http.call(self.API_NAME, request, ResponseBody)`를 호출하게 하십시오.",
                ),
            ),
        ),
        Written(
            "a module of the standard library, by a name of its package",
            client("from http import client as c"),
            (
                Told(
                    "infra/http/claim/client.py:3:18 error",
                    "http.client is imported, with which a tool would open connections of its own. Remove it. Let "
                    "a class in infra/http/claim/client.py take `http: HttpClient` (from axhub.toolkit) in its "
                    "constructor, and call `await self._http.call(self.API_NAME, request, ResponseBody)`.",
                    "http.client 모듈을 가져왔습니다. 도구가 직접 연결을 열게 됩니다. 지우십시오. "
                    "infra/http/claim/client.py의 클래스가 생성자에서 `http: HttpClient`(axhub.toolkit)를 받고 "
                    "`await self._http.call(self.API_NAME, request, ResponseBody)`를 호출하게 하십시오.",
                ),
            ),
        ),
        Written(
            "a submodule",
            client("from requests.adapters import HTTPAdapter"),
            (
                Told(
                    "infra/http/claim/client.py:3:31 error",
                    "requests is imported, with which a tool would open connections of its own. Remove it. Let a "
                    "class in infra/http/claim/client.py take `http: HttpClient` (from axhub.toolkit) in its "
                    "constructor, and call `await self._http.call(self.API_NAME, request, ResponseBody)`.",
                    "requests 모듈을 가져왔습니다. 도구가 직접 연결을 열게 됩니다. 지우십시오. "
                    "infra/http/claim/client.py의 클래스가 생성자에서 `http: HttpClient`(axhub.toolkit)를 받고 "
                    "`await self._http.call(self.API_NAME, request, ResponseBody)`를 호출하게 하십시오.",
                ),
            ),
        ),
        Written(
            "a stream",
            client("import asyncio\nconnection = asyncio.open_connection(1, 2)"),
            (
                Told(
                    "infra/http/claim/client.py:4:14 error",
                    "asyncio.open_connection opens a connection of the tool's own. Remove it. Let a class in "
                    "infra/http/claim/client.py take `http: HttpClient` (from axhub.toolkit) in its constructor, "
                    "and call `await self._http.call(self.API_NAME, request, ResponseBody)`.",
                    "asyncio.open_connection 호출로 도구가 직접 연결을 엽니다. 지우십시오. "
                    "infra/http/claim/client.py의 클래스가 생성자에서 `http: HttpClient`(axhub.toolkit)를 받고 "
                    "`await self._http.call(self.API_NAME, request, ResponseBody)`를 호출하게 하십시오.",
                ),
            ),
        ),
    ],
    ids=str,
)
def test_a_connection_of_ones_own_is_pointed_out(case: Written, tmp_path: Path) -> None:
    assert told_of(RULES["TK702"], tmp_path, case.files) == case.told


@pytest.mark.req("rule/TK702")
@pytest.mark.parametrize(
    "case",
    [
        Written("the good service", {}),
        Written(
            "what only has to do with addresses and codes",
            client("from http import HTTPStatus\nfrom urllib.parse import quote\nimport urllib.error\nimport ssl"),
        ),
        Written(
            "a module of the package of that name",
            client("from my_tools import requests\nfrom my_tools.requests import get") | {"requests.py": ""},
        ),
        Written("names that begin alike", client("import requestsx\nimport socketpool")),
    ],
    ids=str,
)
def test_tk702_has_nothing_to_say_about(case: Written, tmp_path: Path) -> None:
    assert told_of(RULES["TK702"], tmp_path, case.files) == ()


@pytest.mark.req("rule/TK703")
@pytest.mark.parametrize(
    "case",
    [
        Written(
            "a request",
            usecase("logger.info('%s', request)"),
            (
                Told(
                    "biz/cmm/usecase.py:9:5 error",
                    "logger.info writes out request, a whole request or answer of the tool. Log what happened in "
                    'fixed words, with a code or a count at most, as in `logger.info("claims found: %d", '
                    "len(response.items))`.",
                    "logger.info 호출이 도구의 요청·응답 전체(request)를 남깁니다. 일어난 일을 고정된 말로 "
                    '남기고, 값은 코드나 건수까지만 쓰십시오: `logger.info("claims found: %d", '
                    "len(response.items))`.",
                ),
            ),
        ),
        Written(
            "a request in a formatted text",
            usecase("logging.warning(f'asked {request!r}')"),
            (
                Told(
                    "biz/cmm/usecase.py:9:5 error",
                    "logging.warning writes out request, a whole request or answer of the tool. Log what happened "
                    'in fixed words, with a code or a count at most, as in `logger.info("claims found: %d", '
                    "len(response.items))`.",
                    "logging.warning 호출이 도구의 요청·응답 전체(request)를 남깁니다. 일어난 일을 고정된 말로 "
                    '남기고, 값은 코드나 건수까지만 쓰십시오: `logger.info("claims found: %d", '
                    "len(response.items))`.",
                ),
            ),
        ),
        Written(
            "a request, dumped",
            usecase("print(request.model_dump_json())"),
            (
                Told(
                    "biz/cmm/usecase.py:9:5 error",
                    "print writes out request, a whole request or answer of the tool. Log what happened in fixed "
                    'words, with a code or a count at most, as in `logger.info("claims found: %d", '
                    "len(response.items))`.",
                    "print 호출이 도구의 요청·응답 전체(request)를 남깁니다. 일어난 일을 고정된 말로 남기고, 값은 "
                    '코드나 건수까지만 쓰십시오: `logger.info("claims found: %d", len(response.items))`.',
                ),
            ),
        ),
        Written(
            "a request, as a mapping",
            usecase("print(request.__dict__)"),
            (
                Told(
                    "biz/cmm/usecase.py:9:5 error",
                    "print writes out request, a whole request or answer of the tool. Log what happened in fixed "
                    'words, with a code or a count at most, as in `logger.info("claims found: %d", '
                    "len(response.items))`.",
                    "print 호출이 도구의 요청·응답 전체(request)를 남깁니다. 일어난 일을 고정된 말로 남기고, 값은 "
                    '코드나 건수까지만 쓰십시오: `logger.info("claims found: %d", len(response.items))`.',
                ),
            ),
        ),
        Written(
            "a request inside something else",
            usecase("logger.info('x', extra={'request': str(request)})"),
            (
                Told(
                    "biz/cmm/usecase.py:9:5 error",
                    "logger.info writes out request, a whole request or answer of the tool. Log what happened in "
                    'fixed words, with a code or a count at most, as in `logger.info("claims found: %d", '
                    "len(response.items))`.",
                    "logger.info 호출이 도구의 요청·응답 전체(request)를 남깁니다. 일어난 일을 고정된 말로 "
                    '남기고, 값은 코드나 건수까지만 쓰십시오: `logger.info("claims found: %d", '
                    "len(response.items))`.",
                ),
            ),
        ),
        Written(
            "a body that was made",
            usecase("body = to_claim_body(request)", "logger.debug(body)"),
            (
                Told(
                    "biz/cmm/usecase.py:10:5 error",
                    "logger.debug writes out body, a whole telegram or HTTP body. Log what happened in fixed "
                    'words, with a code or a count at most, as in `logger.info("claims found: %d", '
                    "len(response.items))`.",
                    "logger.debug 호출이 전문·HTTP 본문 전체(body)를 남깁니다. 일어난 일을 고정된 말로 남기고, "
                    '값은 코드나 건수까지만 쓰십시오: `logger.info("claims found: %d", len(response.items))`.',
                ),
            ),
        ),
        Written(
            "an answer",
            usecase("answer = await claims.search(1)", "logger.error('%s' % answer)", parameters="claims: ClaimClient"),
            (
                Told(
                    "biz/cmm/usecase.py:10:5 error",
                    "logger.error writes out answer, a whole telegram or HTTP body. Log what happened in fixed "
                    'words, with a code or a count at most, as in `logger.info("claims found: %d", '
                    "len(response.items))`.",
                    "logger.error 호출이 전문·HTTP 본문 전체(answer)를 남깁니다. 일어난 일을 고정된 말로 남기고, "
                    '값은 코드나 건수까지만 쓰십시오: `logger.info("claims found: %d", len(response.items))`.',
                ),
            ),
        ),
        Written(
            "a part that holds models",
            usecase("logger.info(answers)", parameters="answers: list[ClaimAnswer]"),
            (
                Told(
                    "biz/cmm/usecase.py:9:5 error",
                    "logger.info writes out answers, a whole telegram or HTTP body. Log what happened in fixed "
                    'words, with a code or a count at most, as in `logger.info("claims found: %d", '
                    "len(response.items))`.",
                    "logger.info 호출이 전문·HTTP 본문 전체(answers)를 남깁니다. 일어난 일을 고정된 말로 남기고, "
                    '값은 코드나 건수까지만 쓰십시오: `logger.info("claims found: %d", len(response.items))`.',
                ),
            ),
        ),
        Written(
            "a body in a client, printed",
            calling("print(request)"),
            (
                Told(
                    "infra/http/claim/client.py:8:9 error",
                    "print writes out request, a whole telegram or HTTP body. Log what happened in fixed words, "
                    'with a code or a count at most, as in `logger.info("claims found: %d", len(response.items))`.',
                    "print 호출이 전문·HTTP 본문 전체(request)를 남깁니다. 일어난 일을 고정된 말로 남기고, 값은 "
                    '코드나 건수까지만 쓰십시오: `logger.info("claims found: %d", len(response.items))`.',
                ),
            ),
        ),
        Written(
            "what the HttpClient answers",
            calling("x = await self._http.call(self.API_NAME, request, T)", "self.logger.info(x)"),
            (
                Told(
                    "infra/http/claim/client.py:9:9 error",
                    "self.logger.info writes out x, a whole telegram or HTTP body. Log what happened in fixed "
                    'words, with a code or a count at most, as in `logger.info("claims found: %d", '
                    "len(response.items))`.",
                    "self.logger.info 호출이 전문·HTTP 본문 전체(x)를 남깁니다. 일어난 일을 고정된 말로 남기고, "
                    '값은 코드나 건수까지만 쓰십시오: `logger.info("claims found: %d", len(response.items))`.',
                ),
            ),
        ),
        Written(
            "an employee number",
            usecase("employee_no = await cipher.decrypt(1)", "logger.info('by %s', employee_no)"),
            (
                Told(
                    "biz/cmm/usecase.py:10:5 error",
                    "logger.info writes out an employee number (employee_no). Leave it out. The trace id in the "
                    "service's log leads to the caller.",
                    "logger.info 호출이 사번(employee_no)을 남깁니다. 지우십시오. 서비스 로그의 trace id로 "
                    "호출자를 찾을 수 있습니다.",
                ),
            ),
        ),
        Written(
            "an employee number, decrypted or revealed",
            usecase("print(await cipher.decrypt(x))", "print(context.employee.reveal_cipher_text())"),
            (
                Told(
                    "biz/cmm/usecase.py:9:5 error",
                    "print writes out an employee number (cipher.decrypt(x)). Leave it out. The trace id in the "
                    "service's log leads to the caller.",
                    "print 호출이 사번(cipher.decrypt(x))을 남깁니다. 지우십시오. 서비스 로그의 trace id로 "
                    "호출자를 찾을 수 있습니다.",
                ),
                Told(
                    "biz/cmm/usecase.py:10:5 error",
                    "print writes out an employee number (context.employee.reveal_cipher_text()). Leave it out. "
                    "The trace id in the service's log leads to the caller.",
                    "print 호출이 사번(context.employee.reveal_cipher_text())을 남깁니다. 지우십시오. 서비스 "
                    "로그의 trace id로 호출자를 찾을 수 있습니다.",
                ),
            ),
        ),
        Written(
            "a header with one",
            usecase("logger.info(headers['employee-id'])"),
            (
                Told(
                    "biz/cmm/usecase.py:9:5 error",
                    "logger.info writes out an employee number (employee-id). Leave it out. The trace id in the "
                    "service's log leads to the caller.",
                    "logger.info 호출이 사번(employee-id)을 남깁니다. 지우십시오. 서비스 로그의 trace id로 "
                    "호출자를 찾을 수 있습니다.",
                ),
            ),
        ),
    ],
    ids=str,
)
def test_what_must_not_be_logged_is_pointed_out(case: Written, tmp_path: Path) -> None:
    assert told_of(RULES["TK703"], tmp_path, case.files) == case.told


@pytest.mark.req("rule/TK703")
@pytest.mark.parametrize(
    "case",
    [
        Written("the good service", {}),
        Written(
            "fixed words",
            usecase("logger.info('request, answer and body were fine')", "print('employee number missing')"),
        ),
        Written(
            "counts, codes and single fields",
            usecase(
                "response = to_claim_response(1)",
                "logger.info('%d %s', len(response.items), response.status)",
                "logger.info(request.claim_no)",
                "logger.info(type(request).__name__)",
                "logger.info(has_employee_no)",
            ),
        ),
        Written(
            "the context, whose employee prints as stars",
            usecase("logger.info('%s %s', context.trace_id, context.employee)", parameters="context: ToolContext"),
        ),
        Written(
            "errors and what nobody knows",
            usecase("logger.exception(error)", "logger.info(value)", "x = f(1)", "print(x)"),
        ),
        Written("what is no log", usecase("catalog.info(request)", "dialog.error(request)", "math.log(request)")),
        Written("at the top of a module", usecase("pass") | client("print(request)")),
        Written("a variable made of itself", usecase("x = x.next()", "logger.info(x)")),
    ],
    ids=str,
)
def test_tk703_has_nothing_to_say_about(case: Written, tmp_path: Path) -> None:
    assert told_of(RULES["TK703"], tmp_path, case.files) == ()
