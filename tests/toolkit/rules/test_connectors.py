"""Converters and clients."""

from pathlib import Path

import pytest

from axhub.toolkit.rules import connectors
from support.telling import Told
from support.written_service import BODIES, CLIENT, CONVERTER, USECASE, Written, changed, told_of

RULES = {rule.id: rule for rule in connectors.RULES}
IMPORT = "from my_tools.infra.http.claim.io import ClaimAnswer, ClaimBody\n"
MODELS = "from my_tools.biz.cmm.dto import ClaimRequest, ClaimResponse\n"
SIGNATURE = "(self, request: ClaimBody) -> ClaimAnswer:"
BOTH = """\
def to_claim_body(request: ClaimRequest) -> ClaimBody:
    return ClaimBody(clmNo=request.claim_no)
def to_claim_response(answer: ClaimAnswer) -> ClaimResponse:
    return ClaimResponse(status=answer.stCd)
"""


def using(code: str) -> dict[str, str]:
    """Return the use case with a function before its class."""
    return changed(USECASE, "class ClaimUseCase", f"{IMPORT}{code}\nclass ClaimUseCase")


def client(signature: str, imports: str = "") -> dict[str, str]:
    """Return the client with another signature."""
    text = changed(CLIENT, SIGNATURE, signature)[CLIENT]
    return {CLIENT: text.replace("class ClaimClient", f"{imports}class ClaimClient")}


def converter(code: str) -> dict[str, str]:
    """Return another converter."""
    return {CONVERTER: f"{MODELS}{IMPORT}{code}"}


@pytest.mark.req("rule/TK601")
@pytest.mark.parametrize(
    "case",
    [
        Written(
            "in a use case",
            using("def make(n): return ClaimBody(clmNo=n)"),
            (
                Told(
                    "biz/cmm/usecase.py:6:21 error",
                    "ClaimBody is put together here, outside a converter. Move it into a function of "
                    "biz/cmm/converter, `def to_http_request(request: …) -> ClaimBody`, and call that.",
                    "컨버터 밖에서 ClaimBody 본문을 조립하고 있습니다. biz/cmm/converter의 함수 `def "
                    "to_http_request(request: …) -> ClaimBody`로 옮기고 그 함수를 호출하십시오.",
                ),
            ),
        ),
        Written(
            "in a use case, from a mapping",
            using("def make(n): return ClaimBody.model_validate(n)"),
            (
                Told(
                    "biz/cmm/usecase.py:6:21 error",
                    "ClaimBody is put together here, outside a converter. Move it into a function of "
                    "biz/cmm/converter, `def to_http_request(request: …) -> ClaimBody`, and call that.",
                    "컨버터 밖에서 ClaimBody 본문을 조립하고 있습니다. biz/cmm/converter의 함수 `def "
                    "to_http_request(request: …) -> ClaimBody`로 옮기고 그 함수를 호출하십시오.",
                ),
            ),
        ),
        Written(
            "in a client",
            changed(CLIENT, "self.API_NAME, request,", "self.API_NAME, ClaimBody(clmNo=request),"),
            (
                Told(
                    "infra/http/claim/client.py:8:53 error",
                    "ClaimBody is put together in a client. Take it as a parameter, `request: ClaimBody`, and "
                    "make it in a converter of biz.",
                    "클라이언트에서 ClaimBody 본문을 조립하고 있습니다. `request: ClaimBody` 매개변수로 받고, "
                    "본문은 biz의 컨버터에서 만드십시오.",
                ),
            ),
        ),
        Written(
            "in a client, out of an answer",
            changed(
                CLIENT,
                "return await self._http.call(self.API_NAME, request, ClaimAnswer)",
                "return ClaimAnswer.model_validate(request)",
            ),
            (
                Told(
                    "infra/http/claim/client.py:8:16 error",
                    "ClaimAnswer is read out of an answer by hand. Leave that to the `HttpClient`: `return await "
                    "self._http.call(self.API_NAME, request, ClaimAnswer)`.",
                    "응답을 직접 읽어 ClaimAnswer 모델을 만들고 있습니다. `HttpClient`에 맡기십시오: `return await "
                    "self._http.call(self.API_NAME, request, ClaimAnswer)`.",
                ),
            ),
        ),
        Written(
            "elsewhere",
            {"helpers.py": "from my_tools.infra.http.claim import io\nBODY = io.ClaimBody(clmNo=1)\n"},
            (
                Told(
                    "helpers.py:2:8 error",
                    "ClaimBody is put together here, outside a converter. Move it into a function of "
                    "biz/{category}/converter, `def to_http_request(request: …) -> ClaimBody`, and call that.",
                    "컨버터 밖에서 ClaimBody 본문을 조립하고 있습니다. biz/{category}/converter의 함수 `def "
                    "to_http_request(request: …) -> ClaimBody`로 옮기고 그 함수를 호출하십시오.",
                ),
            ),
        ),
    ],
    ids=str,
)
def test_a_body_made_outside_a_converter_is_pointed_out(case: Written, tmp_path: Path) -> None:
    assert told_of(RULES["TK601"], tmp_path, case.files) == case.told


@pytest.mark.req("rule/TK601")
@pytest.mark.parametrize(
    "case",
    [
        Written("the good service", {}),
        Written("a body's type", using("def answer(): return client.call(1, ClaimBody)")),
        Written(
            "an error and a code that stand in io",
            using("from my_tools.infra.http.claim.io import Code, WrongError\ndef answer(): raise WrongError(Code(1))")
            | {BODIES: "import enum\nclass WrongError(Exception): ...\nclass Code(enum.Enum):\n    A = 1\n"},
        ),
        Written("a model of an agent", using("def answer(): return ClaimResponse(status=1)")),
    ],
    ids=str,
)
def test_tk601_has_nothing_to_say_about(case: Written, tmp_path: Path) -> None:
    assert told_of(RULES["TK601"], tmp_path, case.files) == ()


@pytest.mark.req("rule/TK602")
@pytest.mark.parametrize(
    "case",
    [
        Written(
            "requests only",
            converter("def to_claim_body(request: ClaimRequest) -> ClaimBody: ...\n"),
            (
                Told(
                    "biz/cmm/converter.py:3:1 warning",
                    "This converter makes requests for the legacy system (to_claim_body), and nothing converts "
                    "its answers. Add `def to_response(body: …) -> …`, which makes the model that agents see, and "
                    "call it in the use case.",
                    "이 컨버터는 레거시 요청만 만들고(to_claim_body) 응답은 변환하지 않습니다. 에이전트용 모델을 "
                    "만드는 `def to_response(body: …) -> …` 함수를 더하고 유스케이스에서 호출하십시오.",
                ),
            ),
        ),
        Written(
            "answers only",
            converter("def to_claim_response(answer: ClaimAnswer) -> ClaimResponse: ...\n"),
            (
                Told(
                    "biz/cmm/converter.py:3:1 warning",
                    "This converter converts answers of the legacy system (to_claim_response), and nothing makes "
                    "its requests. Add `def to_http_request(request: …) -> …`, which makes the body, and call it "
                    "in the use case.",
                    "이 컨버터는 레거시 응답만 변환하고(to_claim_response) 요청은 만들지 않습니다. 본문을 만드는 "
                    "`def to_http_request(request: …) -> …` 함수를 더하고 유스케이스에서 호출하십시오.",
                ),
            ),
        ),
        Written(
            "a vague name",
            converter(BOTH.replace("to_claim_response", "convert")),
            (
                Told(
                    "biz/cmm/converter.py:5:1 warning",
                    "The name convert does not say which way it converts. Call it to_claim_response.",
                    "함수 이름 convert에서 변환 방향을 알 수 없습니다. 이름을 to_claim_response(으)로 바꾸십시오.",
                ),
            ),
        ),
        Written(
            "a list",
            converter(
                "def to_claim_body(request: ClaimRequest) -> ClaimBody: ...\ndef items(answer: ClaimAnswer) -> "
                "list[ClaimResponse]: ...\n"
            ),
            (
                Told(
                    "biz/cmm/converter.py:4:1 warning",
                    "The name items does not say which way it converts. Call it to_claim_response.",
                    "함수 이름 items에서 변환 방향을 알 수 없습니다. 이름을 to_claim_response(으)로 바꾸십시오.",
                ),
            ),
        ),
    ],
    ids=str,
)
def test_a_converter_of_one_direction_or_with_a_vague_name_is_pointed_out(case: Written, tmp_path: Path) -> None:
    assert told_of(RULES["TK602"], tmp_path, case.files) == case.told


@pytest.mark.req("rule/TK602")
@pytest.mark.parametrize(
    "case",
    [
        Written("the good service", {}),
        Written(
            "two modules that share the work",
            {
                CONVERTER: "",
                "biz/cmm/converter/requests.py": f"{MODELS}{IMPORT}def to_body(request: ClaimRequest) -> "
                f"ClaimBody: ...\n",
                "biz/cmm/converter/answers.py": f"{MODELS}{IMPORT}def to_response(answer: ClaimAnswer) -> "
                f"ClaimResponse: ...\n",
            },
        ),
        Written(
            "methods, and helpers with names of their own",
            converter(
                "class Converter:\n    def toHttpRequest(self, request: ClaimRequest) -> ClaimBody: ...\n    "
                "def from_answer(self, answer: ClaimAnswer) -> ClaimResponse: ...\ndef _item(answer: "
                "ClaimAnswer) -> ClaimResponse: ...\ndef day(text: str) -> str: ...\n"
            ),
        ),
        Written("functions without annotations", converter("def convert(request): ...\n")),
    ],
    ids=str,
)
def test_tk602_has_nothing_to_say_about(case: Written, tmp_path: Path) -> None:
    assert told_of(RULES["TK602"], tmp_path, case.files) == ()


@pytest.mark.req("rule/TK603")
@pytest.mark.parametrize(
    "case",
    [
        Written(
            "a model of an agent",
            client("(self, request: ClaimRequest) -> ClaimResponse:", MODELS),
            (
                Told(
                    "infra/http/claim/client.py:8:28 error",
                    "search takes ClaimRequest as request, which is no type of io. Take a class of this client's "
                    "io instead, and make it in a converter of biz.",
                    "search 메서드가 매개변수 request(으)로 io 타입이 아닌 ClaimRequest 타입을 받습니다. 이 "
                    "클라이언트의 io 클래스를 받고, 그 본문은 biz의 컨버터에서 만드십시오.",
                ),
                Told(
                    "infra/http/claim/client.py:8:54 error",
                    "search returns ClaimResponse, which is no type of io. Return a class of this client's io, "
                    "and convert it in a converter of biz.",
                    "search 메서드가 io 타입이 아닌 ClaimResponse 타입을 돌려줍니다. 이 클라이언트의 io 클래스를 "
                    "돌려주고 변환은 biz의 컨버터에서 하십시오.",
                ),
            ),
        ),
        Written(
            "any model of an agent",
            client("(self, request: Input) -> ClaimAnswer:", "from axhub.toolkit import Input\n"),
            (
                Told(
                    "infra/http/claim/client.py:8:28 error",
                    "search takes Input as request, which is no type of io. Take a class of this client's io "
                    "instead, and make it in a converter of biz.",
                    "search 메서드가 매개변수 request(으)로 io 타입이 아닌 Input 타입을 받습니다. 이 클라이언트의 "
                    "io 클래스를 받고, 그 본문은 biz의 컨버터에서 만드십시오.",
                ),
            ),
        ),
        Written(
            "anything",
            client("(self, request: ClaimBody, more: dict[str, object]) -> Any:", "from typing import Any\n"),
            (
                Told(
                    "infra/http/claim/client.py:8:48 error",
                    "search takes dict as more, which is no type of io. Take a class of this client's io instead, "
                    "and make it in a converter of biz.",
                    "search 메서드가 매개변수 more(으)로 io 타입이 아닌 dict 타입을 받습니다. 이 클라이언트의 io "
                    "클래스를 받고, 그 본문은 biz의 컨버터에서 만드십시오.",
                ),
                Told(
                    "infra/http/claim/client.py:8:76 error",
                    "search returns Any, which is no type of io. Return a class of this client's io, and convert "
                    "it in a converter of biz.",
                    "search 메서드가 io 타입이 아닌 Any 타입을 돌려줍니다. 이 클라이언트의 io 클래스를 돌려주고 "
                    "변환은 biz의 컨버터에서 하십시오.",
                ),
            ),
        ),
        Written(
            "a plain value as answer",
            client("(self, request: ClaimBody) -> list[str]:"),
            (
                Told(
                    "infra/http/claim/client.py:7:51 error",
                    "search returns list[str], which is no type of io. Return a class of this client's io, and "
                    "convert it in a converter of biz.",
                    "search 메서드가 io 타입이 아닌 list[str] 타입을 돌려줍니다. 이 클라이언트의 io 클래스를 "
                    "돌려주고 변환은 biz의 컨버터에서 하십시오.",
                ),
            ),
        ),
        Written(
            "nothing said",
            client("(self, request: ClaimBody):"),
            (
                Told(
                    "infra/http/claim/client.py:7:5 error",
                    "search does not say what it returns. Write the class of this client's io after `->`, as in "
                    "`-> ClaimListBody`.",
                    "search 메서드에 반환 타입이 없습니다. `-> ClaimListBody`처럼 이 클라이언트의 io 클래스를 "
                    "`->` 뒤에 쓰십시오.",
                ),
            ),
        ),
    ],
    ids=str,
)
def test_a_client_that_takes_or_returns_something_else_is_pointed_out(case: Written, tmp_path: Path) -> None:
    assert told_of(RULES["TK603"], tmp_path, case.files) == case.told


@pytest.mark.req("rule/TK603")
@pytest.mark.parametrize(
    "case",
    [
        Written("the good service", {}),
        Written(
            "a generic client",
            client(
                "(self, request: HttpBody, response_type: type[A]) -> A:",
                "from typing import TypeVar\nfrom axhub.toolkit import HttpBody\nA = TypeVar('A', bound=HttpBody)\n",
            ),
        ),
        Written(
            "plain values beside the body, a list of bodies, nothing",
            client("(self, request: ClaimBody, branch: str | None = None) -> list[ClaimAnswer] | None:"),
        ),
        Written("no answer", client("(self, request: ClaimBody) -> None:")),
        Written(
            "helpers that nobody else calls",
            changed(
                CLIENT,
                "    async def search",
                "    async def _log(self, what: dict) -> str: ...\n    def name(self) -> str: ...\n    async "
                "def search",
            ),
        ),
    ],
    ids=str,
)
def test_tk603_has_nothing_to_say_about(case: Written, tmp_path: Path) -> None:
    assert told_of(RULES["TK603"], tmp_path, case.files) == ()
