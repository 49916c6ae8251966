"""Which layer may know which."""

from pathlib import Path

import pytest

from axhub.toolkit.rules import layers
from support.telling import Told
from support.written_service import BODIES, CLIENT, CONVERTER, DTO, USECASE, Written, changed, told_of

RULES = {rule.id: rule for rule in layers.RULES}


@pytest.mark.req("rule/TK201")
@pytest.mark.parametrize(
    "case",
    [
        Written(
            "a model that imports a body",
            changed(DTO, "Output\n", "Output\nfrom my_tools.infra.http.claim.io import ClaimBody\n"),
            (
                Told(
                    "biz/cmm/dto.py:2:42 error",
                    "my_tools.infra.http.claim.io.ClaimBody is a telegram or HTTP body (io), and a model of what "
                    "agents see (dto) may not import it. Remove the import. Declare what an agent sees in plain "
                    "fields, and convert in biz/cmm/converter.",
                    "my_tools.infra.http.claim.io.ClaimBody 항목은 전문·HTTP 본문(io)입니다. 에이전트용 "
                    "모델(dto)에서는 가져올(import) 수 없습니다. import를 지우십시오. 에이전트가 보는 값은 일반 "
                    "필드로 선언하고 변환은 biz/cmm/converter에 두십시오.",
                ),
            ),
        ),
        Written(
            "a model that imports a converter, relatively",
            changed(DTO, "Output\n", "Output\nfrom .converter import to_claim_body\n"),
            (
                Told(
                    "biz/cmm/dto.py:2:24 error",
                    "my_tools.biz.cmm.converter.to_claim_body is a converter, and a model of what agents see "
                    "(dto) may not import it. Remove the import. Declare what an agent sees in plain fields, and "
                    "convert in biz/cmm/converter.",
                    "my_tools.biz.cmm.converter.to_claim_body 항목은 컨버터(converter)입니다. 에이전트용 "
                    "모델(dto)에서는 가져올(import) 수 없습니다. import를 지우십시오. 에이전트가 보는 값은 일반 "
                    "필드로 선언하고 변환은 biz/cmm/converter에 두십시오.",
                ),
            ),
        ),
        Written(
            "a converter that imports a use case",
            changed(CONVERTER, "def to_claim_body", "from my_tools.biz.cmm import usecase\ndef to_claim_body"),
            (
                Told(
                    "biz/cmm/converter.py:3:30 error",
                    "my_tools.biz.cmm.usecase is a use case, and a converter may not import it. Remove the "
                    "import. Let the use case do the call, and give the converter what was answered.",
                    "my_tools.biz.cmm.usecase 항목은 유스케이스(usecase)입니다. 컨버터(converter)에서는 "
                    "가져올(import) 수 없습니다. import를 지우십시오. 호출은 유스케이스가 하고 컨버터에는 응답을 "
                    "넘기십시오.",
                ),
            ),
        ),
        Written(
            "a client that imports a model, passed on by a package",
            {
                **changed(CLIENT, "class Claim", "from my_tools.biz.cmm import ClaimRequest\nclass Claim"),
                "biz/cmm/__init__.py": "from my_tools.biz.cmm.dto import ClaimRequest\n",
            },
            (
                Told(
                    "infra/http/claim/client.py:3:30 error",
                    "my_tools.biz.cmm.dto.ClaimRequest is a model of what agents see (dto), and a client may not "
                    "import it. Remove the import. A client takes and returns bodies of its io; a converter in "
                    "biz makes them.",
                    "my_tools.biz.cmm.dto.ClaimRequest 항목은 에이전트용 모델(dto)입니다. "
                    "클라이언트(client)에서는 가져올(import) 수 없습니다. import를 지우십시오. 클라이언트는 io의 "
                    "본문만 주고받고, 본문은 biz의 컨버터가 만듭니다.",
                ),
            ),
        ),
        Written(
            "a body that imports all of a model's module",
            changed(
                BODIES, "HttpBody\nclass ClaimBody", "HttpBody\nfrom my_tools.biz.cmm.dto import *\nclass ClaimBody"
            ),
            (
                Told(
                    "infra/http/claim/io.py:2:34 error",
                    "my_tools.biz.cmm.dto is a model of what agents see (dto), and a telegram or HTTP body (io) "
                    "may not import it. Remove the import. Declare the fields as the legacy system has them; a "
                    "converter in biz does the rest.",
                    "my_tools.biz.cmm.dto 항목은 에이전트용 모델(dto)입니다. 전문·HTTP 본문(io)에서는 "
                    "가져올(import) 수 없습니다. import를 지우십시오. 필드는 레거시 시스템 그대로 선언하고, "
                    "나머지는 biz의 컨버터에 두십시오.",
                ),
            ),
        ),
        Written(
            "the context in a converter",
            changed(
                CONVERTER,
                "def to_claim_body(request: ClaimRequest",
                "from axhub.toolkit import ToolContext\ndef to_claim_body(request: ClaimRequest, context: ToolContext",
            ),
            (
                Told(
                    "biz/cmm/converter.py:3:27 error",
                    "ToolContext belongs to the use case, and here it is used in a converter. Take a plain value "
                    "instead, such as `trace_id: str`, and let the use case pass it. The headers of a call are "
                    "sent along by the HttpClient.",
                    "ToolContext 값은 유스케이스까지만 전달할 수 있는데 컨버터(converter)에서 쓰고 있습니다. 대신 "
                    "`trace_id: str` 같은 값을 받고 유스케이스가 넘기게 하십시오. 호출 헤더는 HttpClient가 함께 "
                    "보냅니다.",
                ),
            ),
        ),
        Written(
            "the running context in a client",
            changed(CLIENT, "class Claim", "from axhub.toolkit.context import current_context\nclass Claim"),
            (
                Told(
                    "infra/http/claim/client.py:3:35 error",
                    "current_context belongs to the use case, and here it is used in a client. Take a plain value "
                    "instead, such as `trace_id: str`, and let the use case pass it. The headers of a call are "
                    "sent along by the HttpClient.",
                    "current_context 값은 유스케이스까지만 전달할 수 있는데 클라이언트(client)에서 쓰고 있습니다. "
                    "대신 `trace_id: str` 같은 값을 받고 유스케이스가 넘기게 하십시오. 호출 헤더는 HttpClient가 "
                    "함께 보냅니다.",
                ),
            ),
        ),
        Written(
            "the context in a client by another way",
            changed(CLIENT, "import HttpClient\n", "import HttpClient\nimport axhub.toolkit as kit\n")
            | {
                CLIENT: changed(CLIENT, "import HttpClient\n", "import HttpClient\nimport axhub.toolkit as kit\n")[
                    CLIENT
                ].replace("request: ClaimBody)", "request: ClaimBody, context: kit.ToolContext)")
            },
            (
                Told(
                    "infra/http/claim/client.py:8:48 error",
                    "ToolContext belongs to the use case, and here it is used in a client. Take a plain value "
                    "instead, such as `trace_id: str`, and let the use case pass it. The headers of a call are "
                    "sent along by the HttpClient.",
                    "ToolContext 값은 유스케이스까지만 전달할 수 있는데 클라이언트(client)에서 쓰고 있습니다. "
                    "대신 `trace_id: str` 같은 값을 받고 유스케이스가 넘기게 하십시오. 호출 헤더는 HttpClient가 "
                    "함께 보냅니다.",
                ),
            ),
        ),
        Written(
            "the context in an application port",
            {
                "biz/ports.py": "from typing import Protocol\nfrom axhub.toolkit import ToolContext\nclass "
                "Notes(Protocol):\n    async def add(self, context: ToolContext) -> None: ...\n"
            },
            (
                Told(
                    "biz/ports.py:4:25 error",
                    "The port Notes takes ToolContext in its method add; it belongs to the use case. Take the "
                    "plain values that it needs, such as `trace_id: str`, and let the use case pass them.",
                    "포트 Notes의 메서드 add에서 ToolContext를 받고 있습니다. ToolContext는 유스케이스까지만 "
                    "전달할 수 있습니다. 필요한 값만 `trace_id: str`처럼 받고 유스케이스가 넘기게 하십시오.",
                ),
            ),
        ),
    ],
    ids=str,
)
def test_an_import_against_the_direction_is_pointed_out(case: Written, tmp_path: Path) -> None:
    assert told_of(RULES["TK201"], tmp_path, case.files) == case.told


@pytest.mark.req("rule/TK201")
@pytest.mark.parametrize(
    "case",
    [
        Written("the good service", {}),
        Written(
            "a use case with the context and a body's type",
            changed(
                USECASE,
                "class ClaimUseCase",
                "from axhub.toolkit import ToolContext\nfrom my_tools.infra.http.claim.io import ClaimAnswer\n"
                "async def other(request: ClaimRequest, context: ToolContext) -> None: ...\nclass ClaimUseCase",
            ),
        ),
        Written(
            "a client that imports another client and the standard library",
            changed(CLIENT, "class Claim", "import json\nfrom my_tools.infra.http import base\nclass Claim")
            | {"infra/http/base.py": ""},
        ),
        Written(
            "a model with words of its own",
            changed(DTO, "class ClaimRequest", "from my_tools.biz.cmm import words\nclass ClaimRequest")
            | {"biz/cmm/words.py": ""},
        ),
        Written(
            "a client's signature, which TK603 speaks of",
            changed(CLIENT, "class Claim", "from my_tools.biz.cmm.dto import ClaimRequest\nclass Claim")
            | {
                CLIENT: changed(CLIENT, "class Claim", "from my_tools.biz.cmm.dto import ClaimRequest\nclass Claim")[
                    CLIENT
                ].replace("request: ClaimBody", "request: ClaimRequest")
            },
        ),
        Written(
            "a protocol that declares a tool with the context",
            changed(
                USECASE,
                "class ClaimUseCase:",
                "from typing import Protocol\nfrom axhub.toolkit import ToolContext\nclass "
                "ClaimUseCase(Protocol):\n    def with_context(self, context: ToolContext) -> None: ...",
            ),
        ),
        Written(
            "names that are passed on in a circle",
            {
                "biz/cmm/__init__.py": "from my_tools.biz import Thing\n",
                "biz/__init__.py": "from my_tools.biz.cmm import Thing\n",
                **changed(DTO, "class ClaimRequest", "from my_tools.biz import Thing\nclass ClaimRequest"),
            },
        ),
    ],
    ids=str,
)
def test_tk201_has_nothing_to_say_about(case: Written, tmp_path: Path) -> None:
    assert told_of(RULES["TK201"], tmp_path, case.files) == ()
