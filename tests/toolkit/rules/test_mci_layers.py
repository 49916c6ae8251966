"""Layers, telegrams and clients of tools that call MCI systems."""

from pathlib import Path

import pytest

from support.telling import Told
from support.written_mci import CONVERTER, DTO, ENVELOPE, IO, USECASE, mci_changed, mci_client, mci_told
from support.written_service import Written

SYSTEM = 'SYSTEM = "cfpa"'
FIRST = "from typing import Annotated\n"
IMPORT = "from my_tools.infra.mci.cfpa.io.clcnnb00001 import CLCNNB00001_O\n"
TELEGRAMS = "from my_tools.infra.mci.cfpa.io.clcnnb00001 import CLCNNB00001_I, CLCNNB00001_O\n"
SIGNATURE = "(self, request: Layout, response_type: type[L]) -> L:"
RETURN = "        return to_response("
CALLED = "to_mci_request(request), CLCNNB00001_O)"
BUILT = "CLCNNB00001_I(claim_no=request.claim_no)"
TO_REQUEST = f"def to_mci_request(request: ClaimRequest) -> CLCNNB00001_I:\n    return {BUILT}\n"
TO_RESPONSE = (
    "def to_response(telegram: CLCNNB00001_O) -> ClaimResponse:\n    return ClaimResponse(name=telegram.name)\n"
)


@pytest.mark.req("rule/TK201")
@pytest.mark.parametrize(
    "case",
    [
        Written(
            "telegrams that import an envelope",
            mci_changed(IO, FIRST, f"{FIRST}from my_tools.infra.mci.cfpa.envelope import head\n"),
            (
                Told(
                    "infra/mci/cfpa/io/clcnnb00001.py:3:46 error",
                    "my_tools.infra.mci.cfpa.envelope.head is an envelope of telegrams (envelope), and a telegram "
                    "or HTTP body (io) may not import it. Remove the import. Declare the fields as the legacy "
                    "system has them; a converter in biz does the rest.",
                    "my_tools.infra.mci.cfpa.envelope.head 항목은 전문 봉투(envelope)입니다. 전문·HTTP "
                    "본문(io)에서는 가져올(import) 수 없습니다. import를 지우십시오. 필드는 레거시 시스템 그대로 "
                    "선언하고, 나머지는 biz의 컨버터에 두십시오.",
                ),
            ),
        ),
        Written(
            "an envelope that imports a client",
            mci_changed(
                ENVELOPE, "from my_tools", "from my_tools.infra.mci.cfpa.client import CfpaClient\nfrom my_tools"
            ),
            (
                Told(
                    "infra/mci/cfpa/envelope.py:2:44 error",
                    "my_tools.infra.mci.cfpa.client.CfpaClient is a client, and an envelope of telegrams (envelope) "
                    "may not import it. Remove the import. An envelope fills headers from the MciCall that it is "
                    "given, and knows no data.",
                    "my_tools.infra.mci.cfpa.client.CfpaClient 항목은 클라이언트(client)입니다. 전문 "
                    "봉투(envelope)에서는 가져올(import) 수 없습니다. import를 지우십시오. 봉투는 받은 MciCall로 "
                    "헤더만 채우고 데이터부는 모릅니다.",
                ),
            ),
        ),
        Written(
            "an envelope with the context of a call",
            mci_changed(ENVELOPE, "from my_tools", "from axhub.toolkit import ToolContext\nfrom my_tools"),
            (
                Told(
                    "infra/mci/cfpa/envelope.py:2:27 error",
                    "ToolContext belongs to the use case, and here it is used in an envelope of telegrams "
                    "(envelope). Trace id, request id and encrypted employee number are in the MciCall that the "
                    "envelope's `head` is given; for anything else take a plain value, and let the use case pass it.",
                    "ToolContext 값은 유스케이스까지만 전달할 수 있는데 전문 봉투(envelope)에서 쓰고 있습니다. "
                    "trace-id, request-id, 암호화 사번은 봉투의 `head` 함수가 받는 MciCall에 있습니다. 그 밖의 값은 "
                    "일반 값으로 받고 유스케이스가 넘기게 하십시오.",
                ),
            ),
        ),
        Written(
            "a converter that imports an envelope",
            mci_changed(
                CONVERTER, "def to_response", "from my_tools.infra.mci.cfpa.envelope import ENVELOPE\ndef to_response"
            ),
            (
                Told(
                    "biz/cmm/converter.py:5:46 error",
                    "my_tools.infra.mci.cfpa.envelope.ENVELOPE is an envelope of telegrams (envelope), and a "
                    "converter may not import it. Remove the import. Let the use case do the call, and give the "
                    "converter what was answered.",
                    "my_tools.infra.mci.cfpa.envelope.ENVELOPE 항목은 전문 봉투(envelope)입니다. "
                    "컨버터(converter)에서는 가져올(import) 수 없습니다. import를 지우십시오. 호출은 유스케이스가 "
                    "하고 컨버터에는 응답을 넘기십시오.",
                ),
            ),
        ),
        Written(
            "a model that imports a telegram",
            mci_changed(DTO, "class ClaimRequest", f"{IMPORT}class ClaimRequest"),
            (
                Told(
                    "biz/cmm/dto.py:2:52 error",
                    "my_tools.infra.mci.cfpa.io.clcnnb00001.CLCNNB00001_O is a telegram or HTTP body (io), and a "
                    "model of what agents see (dto) may not import it. Remove the import. Declare what an agent "
                    "sees in plain fields, and convert in biz/cmm/converter.",
                    "my_tools.infra.mci.cfpa.io.clcnnb00001.CLCNNB00001_O 항목은 전문·HTTP 본문(io)입니다. "
                    "에이전트용 모델(dto)에서는 가져올(import) 수 없습니다. import를 지우십시오. 에이전트가 보는 "
                    "값은 일반 필드로 선언하고 변환은 biz/cmm/converter에 두십시오.",
                ),
            ),
        ),
    ],
    ids=str,
)
def test_a_direction_between_the_layers_of_mci_that_is_not_allowed_is_pointed_out(
    case: Written, tmp_path: Path
) -> None:
    assert mci_told("TK201", tmp_path, case.files) == case.told


@pytest.mark.req("rule/TK601")
@pytest.mark.parametrize(
    "case",
    [
        Written(
            "a telegram in a use case",
            {USECASE: mci_changed(USECASE, CALLED, f"{BUILT}, CLCNNB00001_O)")[USECASE].replace(IMPORT, TELEGRAMS)},
            (
                Told(
                    "biz/cmm/usecase.py:17:50 error",
                    "The telegram CLCNNB00001_I is put together here, outside a converter. Move it into a function "
                    "of biz/cmm/converter, `def to_mci_request(request: …) -> CLCNNB00001_I`, and call that.",
                    "컨버터 밖에서 CLCNNB00001_I 전문을 조립하고 있습니다. biz/cmm/converter의 함수 `def "
                    "to_mci_request(request: …) -> CLCNNB00001_I`로 옮기고 그 함수를 호출하십시오.",
                ),
            ),
        ),
        Written(
            "a telegram in a client",
            mci_client("ENVELOPE, request,", "ENVELOPE, CLCNNB00001_I(claim_no=request),", TELEGRAMS),
            (
                Told(
                    "infra/mci/cfpa/client.py:12:60 error",
                    "The telegram CLCNNB00001_I is put together in a client. Take it as a parameter, `request: "
                    "CLCNNB00001_I`, and make it in a converter of biz.",
                    "클라이언트에서 CLCNNB00001_I 전문을 조립하고 있습니다. `request: CLCNNB00001_I` 매개변수로 "
                    "받고, 전문은 biz의 컨버터에서 만드십시오.",
                ),
            ),
        ),
    ],
    ids=str,
)
def test_a_telegram_made_outside_a_converter_is_pointed_out(case: Written, tmp_path: Path) -> None:
    assert mci_told("TK601", tmp_path, case.files) == case.told


@pytest.mark.req("rule/TK602")
@pytest.mark.parametrize(
    "case",
    [
        Written(
            "requests alone",
            mci_changed(CONVERTER, TO_RESPONSE, ""),
            (
                Told(
                    "biz/cmm/converter.py:3:1 warning",
                    "This converter makes requests for the legacy system (to_mci_request), and nothing converts its "
                    "answers. Add `def to_response(telegram: …_O) -> …`, which makes the model that agents see, and "
                    "call it in the use case.",
                    "이 컨버터는 레거시 요청만 만들고(to_mci_request) 응답은 변환하지 않습니다. 에이전트용 모델을 "
                    "만드는 `def to_response(telegram: …_O) -> …` 함수를 더하고 유스케이스에서 호출하십시오.",
                ),
            ),
        ),
        Written(
            "answers alone",
            mci_changed(CONVERTER, TO_REQUEST, ""),
            (
                Told(
                    "biz/cmm/converter.py:3:1 warning",
                    "This converter converts answers of the legacy system (to_response), and nothing makes its "
                    "requests. Add `def to_mci_request(request: …) -> …_I`, which makes the telegram, and call it "
                    "in the use case.",
                    "이 컨버터는 레거시 응답만 변환하고(to_response) 요청은 만들지 않습니다. 전문을 만드는 `def "
                    "to_mci_request(request: …) -> …_I` 함수를 더하고 유스케이스에서 호출하십시오.",
                ),
            ),
        ),
    ],
    ids=str,
)
def test_a_converter_of_one_direction_is_pointed_out(case: Written, tmp_path: Path) -> None:
    assert mci_told("TK602", tmp_path, case.files) == case.told


@pytest.mark.req("rule/TK603")
@pytest.mark.parametrize(
    "case",
    [
        Written(
            "bytes",
            mci_client(SIGNATURE, "(self, request: bytes, response_type: type[L]) -> L:"),
            (
                Told(
                    "infra/mci/cfpa/client.py:10:26 error",
                    "call takes bytes as request, which is no type of io. Take a class of this client's io instead, "
                    "and make it in a converter of biz.",
                    "call 메서드가 매개변수 request(으)로 io 타입이 아닌 bytes 타입을 받습니다. 이 클라이언트의 io "
                    "클래스를 받고, 그 본문은 biz의 컨버터에서 만드십시오.",
                ),
            ),
        ),
        Written(
            "a model",
            mci_client(SIGNATURE, "(self, request: Layout) -> BaseModel:", "from pydantic import BaseModel\n"),
            (
                Told(
                    "infra/mci/cfpa/client.py:11:46 error",
                    "call returns BaseModel, which is no type of io. Return a class of this client's io, and "
                    "convert it in a converter of biz.",
                    "call 메서드가 io 타입이 아닌 BaseModel 타입을 돌려줍니다. 이 클라이언트의 io 클래스를 돌려주고 "
                    "변환은 biz의 컨버터에서 하십시오.",
                ),
            ),
        ),
        Written(
            "a body of HTTP",
            mci_client(
                SIGNATURE,
                "(self, request: HttpBody, response_type: type[L]) -> L:",
                "from axhub.toolkit import HttpBody\n",
            ),
            (
                Told(
                    "infra/mci/cfpa/client.py:11:26 error",
                    "call takes HttpBody as request, which is no type of io. Take a class of this client's io "
                    "instead, and make it in a converter of biz.",
                    "call 메서드가 매개변수 request(으)로 io 타입이 아닌 HttpBody 타입을 받습니다. 이 클라이언트의 "
                    "io 클래스를 받고, 그 본문은 biz의 컨버터에서 만드십시오.",
                ),
            ),
        ),
        Written(
            "nothing said",
            mci_client(SIGNATURE, "(self, request: Layout, response_type: type[L]):"),
            (
                Told(
                    "infra/mci/cfpa/client.py:10:5 error",
                    "call does not say what it returns. Write the layout of this client's io after `->`, as in `-> "
                    "CLCNNB00001_O`.",
                    "call 메서드에 반환 타입이 없습니다. `-> CLCNNB00001_O`처럼 이 클라이언트의 io 레이아웃을 `->` "
                    "뒤에 쓰십시오.",
                ),
            ),
        ),
        Written(
            "a mapping",
            mci_client(SIGNATURE, "(self, request: dict[str, str], response_type: type[L]) -> L:"),
            (
                Told(
                    "infra/mci/cfpa/client.py:10:26 error",
                    "call takes dict as request, which is no type of io. Take a class of this client's io instead, "
                    "and make it in a converter of biz.",
                    "call 메서드가 매개변수 request(으)로 io 타입이 아닌 dict 타입을 받습니다. 이 클라이언트의 io "
                    "클래스를 받고, 그 본문은 biz의 컨버터에서 만드십시오.",
                ),
            ),
        ),
    ],
    ids=str,
)
def test_a_client_that_does_not_speak_telegrams_is_pointed_out(case: Written, tmp_path: Path) -> None:
    assert mci_told("TK603", tmp_path, case.files) == case.told


@pytest.mark.req("rule/TK702")
@pytest.mark.parametrize(
    "case",
    [
        Written(
            "a module that connects",
            mci_client("from typing", "import socket\nfrom typing"),
            (
                Told(
                    "infra/mci/cfpa/client.py:1:8 error",
                    "socket is imported, with which a tool would open connections of its own. Remove it. Let a "
                    "class in infra/mci/cfpa/client.py take `mci: MciClient` (from axhub.toolkit) in its "
                    "constructor, and call `await self._mci.call(self.SYSTEM, ENVELOPE, request, response_type)`.",
                    "socket 모듈을 가져왔습니다. 도구가 직접 연결을 열게 됩니다. 지우십시오. "
                    "infra/mci/cfpa/client.py의 클래스가 생성자에서 `mci: MciClient`(axhub.toolkit)를 받고 `await "
                    "self._mci.call(self.SYSTEM, ENVELOPE, request, response_type)`를 호출하게 하십시오.",
                ),
            ),
        ),
        Written(
            "a call that connects",
            mci_changed(
                ENVELOPE, "def head", "import asyncio\nasync def ask():\n    await asyncio.open_connection()\ndef head"
            ),
            (
                Told(
                    "infra/mci/cfpa/envelope.py:5:11 error",
                    "asyncio.open_connection opens a connection of the tool's own. Remove it. Let a class in "
                    "infra/mci/cfpa/client.py take `mci: MciClient` (from axhub.toolkit) in its constructor, and "
                    "call `await self._mci.call(self.SYSTEM, ENVELOPE, request, response_type)`.",
                    "asyncio.open_connection 호출로 도구가 직접 연결을 엽니다. 지우십시오. "
                    "infra/mci/cfpa/client.py의 클래스가 생성자에서 `mci: MciClient`(axhub.toolkit)를 받고 `await "
                    "self._mci.call(self.SYSTEM, ENVELOPE, request, response_type)`를 호출하게 하십시오.",
                ),
            ),
        ),
    ],
    ids=str,
)
def test_a_connection_of_its_own_is_pointed_out_with_the_client_for_mci(case: Written, tmp_path: Path) -> None:
    assert mci_told("TK702", tmp_path, case.files) == case.told


@pytest.mark.req("rule/TK703")
@pytest.mark.parametrize(
    "case",
    [
        Written(
            "a whole telegram",
            mci_client("        return await", "        print(request)\n        return await"),
            (
                Told(
                    "infra/mci/cfpa/client.py:11:9 error",
                    "print writes out request, a whole telegram or HTTP body. Log what happened in fixed words, "
                    'with a code or a count at most, as in `logger.info("claims found: %d", len(response.items))`.',
                    "print 호출이 전문·HTTP 본문 전체(request)를 남깁니다. 일어난 일을 고정된 말로 남기고, 값은 "
                    '코드나 건수까지만 쓰십시오: `logger.info("claims found: %d", len(response.items))`.',
                ),
            ),
        ),
        Written(
            "what a system answered",
            mci_changed(
                USECASE, RETURN, f"        answer = await self._cfpa.call({CALLED}\n        print(answer)\n{RETURN}"
            ),
            (
                Told(
                    "biz/cmm/usecase.py:18:9 error",
                    "print writes out answer, a whole telegram or HTTP body. Log what happened in fixed words, with "
                    'a code or a count at most, as in `logger.info("claims found: %d", len(response.items))`.',
                    "print 호출이 전문·HTTP 본문 전체(answer)를 남깁니다. 일어난 일을 고정된 말로 남기고, 값은 "
                    '코드나 건수까지만 쓰십시오: `logger.info("claims found: %d", len(response.items))`.',
                ),
            ),
        ),
    ],
    ids=str,
)
def test_a_telegram_that_is_logged_is_pointed_out(case: Written, tmp_path: Path) -> None:
    assert mci_told("TK703", tmp_path, case.files) == case.told


@pytest.mark.parametrize("id_", ["TK201", "TK601", "TK602", "TK603", "TK702", "TK703"])
def test_the_good_service_is_left_alone(id_: str, tmp_path: Path) -> None:
    assert mci_told(id_, tmp_path, {}) == ()


@pytest.mark.parametrize(
    ("id_", "files"),
    [
        ("TK201", mci_changed(ENVELOPE, "def head", "class Part(CfpaHeader): ...\ndef head")),
        ("TK601", mci_changed(ENVELOPE, "def head", "EMPTY = CfpaHeader(interface_id='', guid='')\ndef head")),
        ("TK603", mci_client(SIGNATURE, "(self, request: CLCNNB00001_I, page: int) -> CLCNNB00001_O:", TELEGRAMS)),
        ("TK703", mci_client("        return await", "        print(len(request.encode()))\n        return await")),
    ],
)
def test_what_is_in_order_is_left_alone(id_: str, files: dict[str, str | None], tmp_path: Path) -> None:
    assert mci_told(id_, tmp_path, files) == ()
