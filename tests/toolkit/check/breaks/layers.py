"""Rules about layers, converters and clients, and about what code says that the configuration should."""

from support.breaks import Break, Edit

_PACKAGE = "src/insurance_tools"
_DTO = f"{_PACKAGE}/biz/cmm/dto/comcode.py"
_CONVERTER = f"{_PACKAGE}/biz/cmm/converter/comcode.py"
_USECASE = f"{_PACKAGE}/biz/cmm/usecase/comcode.py"
_YAML = f"{_PACKAGE}/tool_definitions/cmm/cmm_comcode_lookup.yml"
_CLIENT = f"{_PACKAGE}/infra/http/comcode/client.py"
_IO = f"{_PACKAGE}/infra/http/comcode/io.py"
_IMPORT = "from axhub.toolkit import HttpClient\n"
_SIGNATURE = "(self, request: ComcodeQuery) -> ComcodeGroupBody:"
_CALL = "        return await self._http.call(self.API_NAME, request, ComcodeGroupBody)"
_RETURN = "    return to_response(await client.lookup(to_http_request(request)))"
_BODIES = "from insurance_tools.infra.http.comcode.io import ComcodeGroupBody, ComcodeQuery\n"
_MODELS = "from insurance_tools.biz.cmm.dto.comcode import"
_TOOLKIT = "from axhub.toolkit import Desc, Input, Output, output_schema\n"

BREAKS = [
    Break(
        "TK201",
        _DTO,
        _TOOLKIT,
        f"{_TOOLKIT}from insurance_tools.infra.http.comcode.io import ComcodeRow\n",
        at="ComcodeRow",
        note="dto",
    ),
    Break(
        "TK201",
        _CONVERTER,
        _BODIES,
        f"{_BODIES}from insurance_tools.infra.http.comcode import client\n",
        at="client\n",
        note="converter",
    ),
    Break(
        "TK201",
        _CLIENT,
        _IMPORT,
        f"{_IMPORT}from insurance_tools.biz.cmm.converter.comcode import to_response\n",
        at="to_response",
        note="client",
    ),
    Break(
        "TK201",
        _IO,
        "import HttpBody\n",
        "import HttpBody\nfrom insurance_tools.biz.cmm.dto.comcode import ComcodeItem\n",
        at="ComcodeItem",
        note="io",
    ),
    Break(
        "TK201", _CLIENT, "import HttpClient\n", "import HttpClient, ToolContext\n", at="ToolContext", note="context"
    ),
    Break(
        "TK601",
        _USECASE,
        _RETURN,
        "    return to_response(await client.lookup(ComcodeQuery(grpCd=request.group_code)))",
        at="ComcodeQuery",
        more=(Edit(_USECASE, "import ComcodeClient\n", f"import ComcodeClient\n{_BODIES}"),),
    ),
    Break(
        "TK602",
        _CONVERTER,
        "def to_response(",
        "def make_response(",
        at="def make",
        more=(
            Edit(
                _USECASE, "import to_http_request, to_response", "import to_http_request, make_response as to_response"
            ),
        ),
    ),
    Break(
        "TK603",
        _CLIENT,
        _SIGNATURE,
        "(self, request: ComcodeLookupRequest) -> ComcodeGroupBody:",
        at="request",
        more=(
            Edit(_CLIENT, _IMPORT, f"{_IMPORT}{_MODELS} ComcodeLookupRequest\n"),
            Edit(_CLIENT, "import ComcodeGroupBody, ComcodeQuery", "import ComcodeGroupBody"),
        ),
        note="takes",
    ),
    Break("TK603", _CLIENT, _SIGNATURE, "(self, request: ComcodeQuery) -> dict:", at="dict", note="returns"),
    Break(
        "TK612",
        _CLIENT,
        'API_NAME = "comcode"',
        'API_NAME = "comcode"\n    BASE = "https://code.example.com"',
        at='"https',
        note="url",
    ),
    Break(
        "TK612", _CLIENT, 'API_NAME = "comcode"', 'API_NAME = "comcode"\n    URL = "/codes"', at='"/codes', note="path"
    ),
    Break("TK612", _CLIENT, '"comcode"', '"https://code.example.com"', at='"https', note="name"),
    Break(
        "TK616",
        _CLIENT,
        'API_NAME = "comcode"',
        'API_NAME = "comcode"\n    KEY = TOKEN = "k-51fa09"',
        at='"k',
        note="key",
    ),
    Break(
        "TK616",
        _CLIENT,
        'API_NAME = "comcode"',
        'API_NAME = "comcode"\n    CODE = os.getenv("COMCODE_TOKEN", "k-51fa09")',
        at='"k',
        more=(
            Edit(_CLIENT, "from axhub.toolkit import", "import os\n\nfrom axhub.toolkit import"),
            Edit(_YAML, "required_env_keys: []", "required_env_keys: [COMCODE_TOKEN]"),
        ),
        note="default",
    ),
    Break(
        "TK616",
        _USECASE,
        _RETURN,
        "    async with asyncio.timeout(5):\n    " + _RETURN,
        at="asyncio.timeout",
        more=(Edit(_USECASE, "from axhub.toolkit import tool,", "import asyncio\n\nfrom axhub.toolkit import tool,"),),
        note="timeout",
    ),
    Break("TK702", _CLIENT, _IMPORT, f"import urllib.request\n\n{_IMPORT}", at="urllib"),
    Break("TK703", _CLIENT, _CALL, f'        print("asked", request)\n{_CALL}', at="print", note="body"),
    Break(
        "TK703",
        _USECASE,
        _RETURN,
        f'    logging.getLogger(__name__).info(f"asked {{request}}")\n{_RETURN}',
        at="logging.getLogger(__name__).info",
        more=(Edit(_USECASE, "from axhub.toolkit import tool,", "import logging\n\nfrom axhub.toolkit import tool,"),),
        note="dto",
    ),
]
