"""Rules about schemas of arguments: TK309 to TK311, TK401 to TK409."""

from support.breaks import Break, Edit

_PACKAGE = "src/insurance_tools"
_DTO = f"{_PACKAGE}/biz/cmm/dto/claim.py"
_YAML = f"{_PACKAGE}/tool_definitions/cmm/cmm_claim_search.yml"
_EXCHANGE_DTO = f"{_PACKAGE}/biz/smp/dto/exchange.py"
_EXCHANGE_USECASE = f"{_PACKAGE}/biz/smp/usecase/exchange.py"
_RESOURCE = f"{_PACKAGE}/tool_schemas/smp/exchange-inquiry-input-schema.json"
_OUTPUT = _RESOURCE.replace("-input-", "-output-")
_LABEL_TYPE = '"currencyLabel": {\n      "type": "string"'
_CLAIM_NO = 'claim_no: Annotated[str, Desc("보험금 청구번호")]'
_CONTRACT_TEXT = "      description: 계약번호. 청구번호가 없을 때 사용하며 모르면 null\n"
_CLOSED = "  additionalProperties: false\n"
_CURRENCY = 'Annotated[str, Desc("통화 코드(ISO 4217 영문 세 글자)", example="USD", pattern="^[A-Z]{3}$")]'
_LOWER = _CURRENCY.replace("USD", "usd")
_THREE = 'Annotated[Literal["USD", "JPY", "EUR"], Desc("통화 코드(ISO 4217 영문 세 글자)", example="USD")]'
_NAMED = '"tool_schemas/smp/exchange-inquir'
_DAY = (
    'base_date: Annotated[date | None, Desc("기준일(YYYY-MM-DD). 생략하거나 null이면 오늘", '
    'example="2026-08-10")] = None'
)
_VALIDATOR = '    @model_validator(mode="after")'
_PHOTOS = '    photos: Annotated[list[object] | None, Desc("사진. 없으면 null")] = None\n\n'
_PHOTOS_TEXT = '    photos:\n      type: [array, "null"]\n      items: {}\n      description: 사진. 없으면 null\n'

_REQUEST = "class ClaimSearchRequest(Input):\n"
_ALLOWED = "  # axhub: allow TK404 -- conditions nest"
_UNION = f"""class AllOf(Input):
    \"\"\"All of these.\"\"\"

    parts: Annotated[list["AllOf | AnyOf | str"] | None, Desc("조건. 없으면 null")] = None{_ALLOWED}


class AnyOf(Input):
    \"\"\"Any of these.\"\"\"

    parts: Annotated[list["AllOf | AnyOf | str"] | None, Desc("조건. 없으면 null")] = None


"""
_WHERE = '    where: Annotated[AllOf | None, Desc("추가 조건. 없으면 null")] = None\n\n'
_BELOW = "  properties:\n    claimNo:"
_WITHOUT_WHERE = (Edit(_YAML, _BELOW, f"{_BELOW}  # axhub: allow TK401 -- conditions nest"),)

BREAKS = [
    Break("TK309", _YAML, "  type: object", "  type: array", at="array", note="array"),
    Break("TK309", _YAML, "  type: object\n", "", at="properties:", note="missing"),
    Break("TK310", _DTO, _CLAIM_NO, "claim_no: str", at="claim_no: str", note="field"),
    Break("TK310", _YAML, _CONTRACT_TEXT, "", at="contractNo", at_file=_YAML, note="definition"),
    Break(
        "TK310",
        _RESOURCE,
        ',\n      "description": "기준일(YYYY-MM-DD). 생략하거나 null이면 오늘"',
        "",
        note="resource",
    ),
    Break("TK311", _YAML, _CLOSED, "", note="definition"),
    Break(
        "TK311", _RESOURCE, '"additionalProperties": false', '"additionalProperties": true', at="true", note="resource"
    ),
    Break("TK401", _YAML, "    contractNo:\n", "    contract_no:\n", at="contract_no", severity="warning", note="name"),
    Break(
        "TK401",
        _YAML,
        "    contractNo:\n",
        "    contract_no:\n",
        at="contract_no",
        more=(Edit("axhub.lock.json", None, '{"lockVersion": 1, "bundleId": "insurance-tools"}\n'),),
        note="locked",
    ),
    Break(
        "TK401",
        _YAML,
        'pattern: "^CLM[0-9]{12}$"',
        'pattern: "^CLM[0-9]{13}$"',
        at='"^CLM',
        severity="warning",
        note="pattern",
    ),
    Break(
        "TK401",
        _YAML,
        _CONTRACT_TEXT,
        f"      required: false\n{_CONTRACT_TEXT}",
        at="false",
        severity="warning",
        note="flag",
    ),
    Break(
        "TK401",
        _YAML,
        _CONTRACT_TEXT,
        _CONTRACT_TEXT.replace("모르면", "없으면"),
        at="계약번호. 청구번호가",
        severity="warning",
        note="description",
    ),
    Break("TK401", _OUTPUT, _LABEL_TYPE, _LABEL_TYPE.replace("string", "integer"), at='"integer"', note="answer"),
    Break("TK401", _EXCHANGE_DTO, _CURRENCY, _THREE, at='["USD"', at_file=_RESOURCE, note="wider"),
    Break(
        "TK403",
        _EXCHANGE_USECASE,
        f"{_NAMED}y-input",
        f"{_NAMED}i-input",
        at='"tool_schemas',
        note="absent",
    ),
    Break("TK403", _RESOURCE, '"required": ["currency"]', '"required": "currency"', at='"currency"', note="invalid"),
    Break("TK403", _RESOURCE, '["currency"],', '["currency"]', note="unreadable"),
    Break(
        "TK404",
        _DTO,
        _VALIDATOR,
        _PHOTOS + _VALIDATOR,
        at="photos",
        more=(Edit(_YAML, _CLOSED, _PHOTOS_TEXT + _CLOSED),),
    ),
    Break("TK405", _YAML, "    - {}", "    - claimNo: CLM202608100002", at="claimNo", note="accepted"),
    Break(
        "TK405",
        _YAML,
        "    - contractNo: 2023-0001234",
        "    - contractNo: 20230001234",
        at="contractNo",
        note="refused",
    ),
    Break("TK406", _EXCHANGE_DTO, _DAY, _DAY.replace("= None", "= date(2026, 1, 1)"), at="base_date"),
    Break(
        "TK407",
        _YAML,
        '"^CLM[0-9]{12}$"',
        '"^CLM\\\\d{12}$"',
        at="claim_no",
        at_file=_DTO,
        more=(Edit(_DTO, 'pattern="^CLM[0-9]{12}$"', 'pattern=r"^CLM\\d{12}$"'),),
    ),
    Break("TK408", _EXCHANGE_DTO, f"currency: {_CURRENCY}", f"currency: {_LOWER}", at="currency: Annotated"),
    Break(
        "TK409",
        _DTO,
        _REQUEST,
        _UNION + _REQUEST,
        at="parts",
        more=(Edit(_DTO, _VALIDATOR, _WHERE + _VALIDATOR), *_WITHOUT_WHERE),
    ),
]
