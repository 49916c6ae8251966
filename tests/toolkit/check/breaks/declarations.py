"""Rules about what the decorators say, and about what definitions repeat of it."""

from support.breaks import Break

_PACKAGE = "src/insurance_tools"
_USECASE = f"{_PACKAGE}/biz/cmm/usecase/comcode.py"
_CLAIM = f"{_PACKAGE}/biz/cmm/usecase/claim.py"
_REGISTER = """\
def register_claim(self, request: ClaimRegisterRequest) -> ClaimRegisterResponse:
        \"\"\"Register a claim; the"""
_YAML = f"{_PACKAGE}/tool_definitions/cmm/cmm_comcode_lookup.yml"
_CATEGORY = 'category_key="cmm"'
_MAPPING = 'mapping_id="CMCDNB00001"'
_TITLE = 'title="공통코드 조회"'
_DESCRIPTION = 'description="공통코드 그룹에 속한 모든 코드와 한글명을 조회합니다."'
_LONG = "공통코드 그룹에 속한 모든 코드와 한글명과 사용 여부를 한 번에 모두 찾아보는 조회"

BREAKS = [
    Break("TK202", _USECASE, "async def lookup", "def lookup", at="def lookup"),
    Break(
        "TK202",
        _USECASE,
        "@tool_hint(",
        "@tool_hint(register=False)\n@tool_hint(",
        at="tool_hint(register",
        severity="error",
        note="hints",
    ),
    Break(
        "TK202",
        _CLAIM,
        f"async {_REGISTER}",
        _REGISTER,
        at="def",
        note="implementation",
    ),
    Break(
        "TK203",
        _CLAIM,
        "register: ClaimRegisterClient) -> None:",
        "register: ClaimRegisterClient, clock: str) -> None:",
        note="nothing",
    ),
    Break("TK203", _CLAIM, "register: ClaimRegisterClient) -> None:", "register) -> None:  # noqa", note="annotation"),
    Break("TK211", _USECASE, 'name="cmm_comcode_lookup"', '"cmm_comcode_lookup"', at='"cmm', note="positional"),
    Break("TK211", _USECASE, _DESCRIPTION, 'description=" "', at='" "', note="blank"),
    Break("TK211", _USECASE, _TITLE, 'titel="공통코드 조회", title="공통코드 조회"', at='"공통코드', note="unknown"),
    Break("TK211", _USECASE, _MAPPING, f"{_MAPPING}, register=bool(1)", at="bool(1)", note="computed"),
    Break("TK212", _USECASE, _DESCRIPTION, 'description="공통코드 조회."', at='"공통코드'),
    Break(
        "TK212",
        _USECASE,
        _DESCRIPTION,
        'description="공통코드 조회합니다."',
        at='"공통코드',
        severity="warning",
        note="near",
    ),
    Break(
        "TK213",
        _USECASE,
        _DESCRIPTION,
        'description="코드를 조회합니다. 이름도 줍니다. 모두 줍니다."',
        at='"코드를',
    ),
    Break("TK214", _USECASE, _CATEGORY, 'category_key="ins"', at='"ins"', note="decorator"),
    Break("TK214", _YAML, "category_key: cmm", "category_key: ins", at="ins", note="definition"),
    Break("TK214", _USECASE, f"{_CATEGORY}, ", "", at="tool(", note="missing"),
    Break("TK215", _YAML, "interface_id: CMCDNB00001", "interface_id: CMCDNB00002", at="CMCDNB00002"),
    Break("TK217", _YAML, "display_name: 공통코드 조회", "display_name: 공통 코드 조회", at="공통 코드"),
]
