"""Rules about answers: TK503, TK511 to TK518."""

from support.breaks import Break, Edit

_PACKAGE = "src/insurance_tools"
_CLAIM = f"{_PACKAGE}/biz/cmm/dto/claim.py"
_INSURANCE = f"{_PACKAGE}/biz/ins/dto/insurance.py"
_NOTICE = f"{_PACKAGE}/biz/smp/dto/notice.py"
_CONFIG = f"{_PACKAGE}/config/service.yaml"
_COMCODE_URL = "url: ${AXHUB_COMCODE_HTTP_URL:/api/mock/http/cmm_comcode_lookup}"
_COMCODE = f"{_PACKAGE}/biz/cmm/usecase/comcode.py"
_SAMPLE = f"{_PACKAGE}/samples/cmm_comcode_lookup/http-comcode.json"
_INSURANCE_SAMPLE = f"{_PACKAGE}/samples/ins_insurance_processor/http-insurance.json"
_COMCODE_YAML = f"{_PACKAGE}/tool_definitions/cmm/cmm_comcode_lookup.yml"
_EXAMPLES = "examples:\n  valid:\n    - groupCode: CLAIM_TYPE\n  invalid:\n    - groupCode: claim type\n"
_NO_EXAMPLE = Edit(f"{_PACKAGE}/biz/cmm/dto/comcode.py", ', example="CLAIM_TYPE"', "")
_LABEL = '    cycle_label: Annotated[str, Desc("납입 주기 한글명")]\n'
_LOOKUP = f"{_PACKAGE}/biz/smp/usecase/notice.py"
_NOTICES = f"{_PACKAGE}/samples/smp_notice_lookup/http-notice.json"
_CALL = "return to_response(await client.list_notices(to_http_request()))"
_STRAY = f"{_PACKAGE}/samples/smp_notice_lookup/http-notise.json"
_NO_INTERFACE = f"{_PACKAGE}/samples/ins_loan_inquiry/mci-LNINNB0001.json"
_CLOSES = 'str | None, Desc("게시 종료일(YYYY-MM-DD). 종료일이 없으면 null이며 계속 게시한다.")]'
_MORE = '    has_more: Annotated[bool, Desc("20건을 넘어 목록이 잘렸으면 true")]\n'
_MASKED = '        masked("고객이 어느 계좌에서 출금되는지 끝자리로 확인한다"),\n'
# The converter goes with the model: else the samples would no longer become an answer either.
_TO_INSURANCE = f"{_PACKAGE}/biz/ins/converter/insurance.py"
_NO_LABEL = Edit(_TO_INSURANCE, "cycle_label=cycle_label, ", "")
_NO_MORE = Edit(f"{_PACKAGE}/biz/smp/converter/notice.py", ", has_more=body.totCnt > len(items)", "")
_OPEN = Edit(_TO_INSURANCE, "premium=_to_premium(body.payInfo)", "premium={}")
_OPEN_ITEMS = Edit(_TO_INSURANCE, "coverages=coverages", "coverages=[{}]")

BREAKS = [
    Break("TK503", _SAMPLE, None, None, at="tool(", at_file=_COMCODE, note="absent"),
    Break("TK503", _SAMPLE, None, '{"list": [}\n', at="}", note="unreadable"),
    Break("TK503", _SAMPLE, '"grpNm"', '"grpName"', note="failed"),
    Break("TK503", _COMCODE_YAML, _EXAMPLES, "", at="name", more=(_NO_EXAMPLE,), severity="warning", note="untried"),
    Break("TK503", _LOOKUP, _CALL, f'{{}}["no"]\n    {_CALL}', at_file=_NOTICES, note="fails-at-once"),
    Break("TK503", _LOOKUP, "(await client.list", "(client.list", at_file=_NOTICES, note="no-await"),
    Break("TK503", _LOOKUP, _CALL, "return to_http_request()", at_file=_NOTICES, note="body"),
    Break("TK503", _NOTICE, _CLOSES, 'str, Desc("게시 종료일(YYYY-MM-DD)")]', at_file=_NOTICES, note="null"),
    Break("TK503", _STRAY, None, '{"totCnt": 0, "ntcList": []}\n', at="{", note="no-api"),
    Break("TK503", _NO_INTERFACE, None, "{}\n", at="{", note="no-interface"),
    Break("TK503", _LOOKUP, _CALL, f'open("notices", "w")\n    {_CALL}', severity="warning", note="reaches"),
    Break("TK503", _CONFIG, _COMCODE_URL, 'url: "/codes/{group}"', at='"/codes', note="unsent"),
    Break("TK511", _INSURANCE, _LABEL, "", at="cycle", at_file=_INSURANCE, more=(_NO_LABEL,)),
    Break("TK512", _CLAIM, "지급액(원). 심사 전이면 null이며 0원으로 해석하지 않는다.", "지급액(원)"),
    Break("TK513", _CLAIM, "status가 REJECTED일 때만 값이 있고 그 밖에는 null이다.", "없는 값도 있다."),
    Break("TK514", _CLAIM, "청구 목록. 접수일 내림차순, 최대 50건", "단순 청구 목록. 최대 50건"),
    Break("TK515", _NOTICE, _MORE, "", at="items", at_file=_NOTICE, more=(_NO_MORE,)),
    Break("TK516", _INSURANCE, _MASKED, "", at="account_no", at_file=_INSURANCE, note="answer"),
    Break("TK516", _CLAIM, 'Desc("사고 내용. 500자 이내"', 'Desc("고객의 휴대폰 번호. 500자 이내"', note="request"),
    Break("TK516", _INSURANCE_SAMPLE, '"000000001234"', '"110-234-567890"', at="110-234", note="sample"),
    Break(
        "TK517", _INSURANCE, "premium: Annotated[Premium", "premium: Annotated[dict[str, str]", "premium", more=(_OPEN,)
    ),
    Break("TK518", _INSURANCE, "Annotated[list[Coverage]", "Annotated[list[dict[str, str]]", more=(_OPEN_ITEMS,)),
]
