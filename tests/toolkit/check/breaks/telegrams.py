"""Rules about tools that call an MCI system: layouts, envelopes, clients, samples and the system's configuration."""

from support.breaks import Break, Edit

_PACKAGE = "src/insurance_tools"
_CONFIG = f"{_PACKAGE}/config/service.yaml"
_SYSTEM = f"{_PACKAGE}/infra/mci/cfpa"
_CLIENT = f"{_SYSTEM}/client.py"
_ENVELOPE = f"{_SYSTEM}/envelope.py"
_IO = f"{_SYSTEM}/io/hspinb00001.py"
_NEW_IO = f"{_SYSTEM}/io/aaainb00001.py"
_USECASE = f"{_PACKAGE}/biz/cmm/usecase/hospital.py"
_YAML = f"{_PACKAGE}/tool_definitions/cmm/cmm_hospital_search.yml"
_SAMPLE = f"{_PACKAGE}/samples/cmm_hospital_search/mci-HSPINB00001.json"
_CAPTURED = f"{_PACKAGE}/samples/ins_loan_inquiry/mci-LNINNB00001.hex"
_LOAN = f"{_PACKAGE}/tool_definitions/ins/ins_loan_inquiry.yml"
_SURRENDER = f"{_PACKAGE}/tool_definitions/ins/ins_surrender_inquiry.yml"
_IMPORT = "from axhub.toolkit.mci import Filler, Layout, Num, Rows, Text\n"
_CALL = "to_response(await client.call(to_mci_request(request), HSPINB00001_O))"
_ANSWER = "import HSPINB00001_O\n"
_RETURNS = ") -> HospitalSearchResponse:"
_NO_KEYS = "required_env_keys: []"
_KEYS = "required_env_keys: [CFPA_HOST]"
_LISTED = (Edit(_LOAN, _NO_KEYS, _KEYS), Edit(_SURRENDER, _NO_KEYS, _KEYS))
_ENTRY = "        - name: cfpa\n"
_OTHER = "        - {name: bank, host: bank.example, port: 9010, lengthField: {kind: none}}\n"
_ASKED = """\
\"\"\"Another interface.\"\"\"

from typing import Annotated

from axhub.toolkit.mci import Layout, Text


class AAAINB00001_I(Layout, id="AAAINB00001", size=4):
    \"\"\"The question.\"\"\"

    cd: Annotated[str, Text(4)]
"""

BREAKS = [
    Break(
        "TK201",
        _IO,
        _IMPORT,
        f"{_IMPORT}from insurance_tools.infra.mci.cfpa.envelope import CfpaHeader\n",
        at="CfpaHeader",
        note="telegram",
    ),
    Break(
        "TK201",
        _ENVELOPE,
        "from axhub.toolkit.mci import",
        "from insurance_tools.biz.cmm.dto.hospital import HospitalItem\nfrom axhub.toolkit.mci import",
        at="HospitalItem",
        note="envelope",
    ),
    Break(
        "TK215",
        _USECASE,
        'mapping_id="HSPINB00001"',
        'mapping_id="ZZZZZZ99999"',
        at='"ZZZZZZ99999"',
        more=(Edit(_YAML, "interface_id: HSPINB00001", "interface_id: ZZZZZZ99999"),),
        severity="error",
        note="layout",
    ),
    Break("TK312", _CONFIG, "${AXHUB_CFPA_MCI_HOST:localhost}", "${CFPA_HOST}", "[]", _YAML, _LISTED, note="system"),
    Break("TK503", _SAMPLE, None, None, at="tool(", at_file=_USECASE, note="telegram-absent"),
    Break("TK503", _SAMPLE, '"more_yn": "N"', '"more_yn": "NO"', note="telegram-long"),
    Break("TK503", _SAMPLE, '"more_yn": "N"', '"more": "N"', note="telegram-field"),
    Break("TK503", _CAPTURED, "  # reserve", " 20  # reserve", note="captured"),
    Break("TK516", _SAMPLE, "테헤란로 000", "010-2345-6789", at="010-2345", note="telegram"),
    Break(
        "TK517",
        _USECASE,
        _CALL,
        "await client.call(to_mci_request(request), HSPINB00001_O)",
        more=(Edit(_USECASE, _RETURNS, ") -> HSPINB00001_O:"),),
        at_file=_USECASE,
        note="telegram",
    ),
    Break(
        "TK601",
        _USECASE,
        "to_mci_request(request), ",
        "HSPINB00001_I(rgn_nm=request.region), ",
        at="HSPINB00001_I(",
        more=(Edit(_USECASE, _ANSWER, "import HSPINB00001_I, HSPINB00001_O\n"),),
        note="telegram",
    ),
    Break("TK603", _CLIENT, "request: Layout,", "request: bytes,", at="request", note="bytes"),
    Break("TK604", _IO, "size=999", "size=998", at="998", note="sum"),
    Break("TK604", _IO, 'count="row_cnt"', 'count="row_count"', at='"row_count"', note="count"),
    Break("TK604", _IO, "Text(8)", "Text(0)", at="0)", note="size"),
    Break("TK605", _NEW_IO, None, _ASKED, at="class AAAINB00001_I", note="missing"),
    Break(
        "TK605",
        _IO,
        'class HSPINB00001_I(Layout, id="HSPINB00001", ',
        "class HSPINB00001_I(Layout, ",
        at="class HSPINB00001_I",
        note="id",
    ),
    Break("TK611", _CLIENT, 'SYSTEM = "cfpa"', 'SYSTEM = "cfpb"', at='"cfpb"', note="system"),
    Break("TK611", _CONFIG, _ENTRY, f"{_OTHER}{_ENTRY}", at="bank", severity="warning", note="system-unused"),
    Break(
        "TK612",
        _CLIENT,
        'SYSTEM = "cfpa"',
        'SYSTEM = "cfpa"\n    HOST = "core.example.com"',
        at='"core',
        note="system-host",
    ),
    Break("TK612", _CLIENT, 'SYSTEM = "cfpa"', 'SYSTEM = "core.example.com"', at='"core', note="system-name"),
    Break("TK613", _CONFIG, "kind: ascii", "kind: text", at="text", note="length-field"),
    Break(
        "TK615",
        _CONFIG,
        "  cmm_claim_search:\n",
        "  cmm_hospital_search: {timeoutMillis: 4000}\n  cmm_claim_search:\n",
        at="4000",
        note="system",
    ),
    Break("TK702", _CLIENT, "from typing", "import socket\nfrom typing", at="socket", note="mci"),
    Break(
        "TK703",
        _CLIENT,
        "        return await",
        "        print(request)\n        return await",
        at="print",
        note="telegram",
    ),
]
