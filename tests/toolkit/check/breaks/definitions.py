"""Rules about definitions, and about files that cannot be read."""

from support.breaks import Break, Edit

_PACKAGE = "src/insurance_tools"
_USECASE = f"{_PACKAGE}/biz/cmm/usecase/comcode.py"
_YAML = f"{_PACKAGE}/tool_definitions/cmm/cmm_comcode_lookup.yml"
_CODES = f"{_PACKAGE}/biz/cmm/dto/comcode.py"
_LABEL = 'code_label: Annotated[str, Desc("'
_WRITING = f"{_PACKAGE}/tool_definitions/cmm/cmm_claim_register.yml"
_CONFIG = f"{_PACKAGE}/config/service.yaml"
_QUERY = "  - 은행 코드 목록을 보여줘\n"
_LIMITS = "io_limits: 그룹 하나씩만 조회하며 그룹의 코드를 모두 돌려준다."
_KEY = "  key: [contractNo, accidentOn]"
_DOMAIN = "${AXHUB_COMCODE_HTTP_DOMAIN:http://localhost:${server.port}}"
_NOTICE = f"{_PACKAGE}/tool_definitions/smp/smp_notice_lookup.yml"
_PURPOSE = """\
  function: 공통코드 그룹에 속한 모든 코드와 한글명, 사용 여부를 조회한다.
  when_to_use: 코드 값의 뜻을 확인하거나 그룹에서 쓸 수 있는 코드를 찾을 때 사용한다.
"""
_PURPOSE_OF_NOTICES = """\
  function: 현재 게시 중인 업무 공지의 제목과 게시 기간을 최근 것부터 조회한다.
  when_to_use: 직원이 오늘의 공지나 시스템 점검 안내를 물을 때 사용한다.
"""
_QUERIES = """\
  - 청구 유형 코드에는 어떤 것이 있는지 알려줘
  - 코드 값 20이 무슨 뜻인지 찾아줘
"""
_ASKING_FOR_NOTICES = Edit(_YAML, _QUERIES, "  - 올라온 업무 공지를 알려줘\n  - 시스템 점검 안내를 보여줘\n")
_NAMING = Edit(_NOTICE, "when_not_to_use: 고객의", "when_not_to_use: 공통코드 조회나 고객의")

BREAKS = [
    Break("TK001", _YAML, "tags: [공통코드, 코드조회]", "tags: [공통코드, 코드조회", note="yaml"),
    Break("TK001", _USECASE, "return to_response(", "return to_response((", note="python"),
    Break("TK002", _USECASE, "import ComcodeClient", "import ComcodeClients"),
    Break("TK002", f"{_PACKAGE}/biz/cmm/dto/comcode.py", 'pattern="^', 'pattern="(?=A)^', at='"(?=A)', note="pattern"),
    Break("TK002", f"{_PACKAGE}/biz/cmm/dto/claim.py", "from datetime import date\n", "", note="name"),
    Break("TK301", _YAML, None, None, at='"cmm_comcode_lookup"', at_file=_USECASE, note="missing"),
    Break("TK301", _YAML, "name: cmm_comcode_lookup", "name: cmm_comcode_find", at="cmm_comcode_find", note="differ"),
    Break("TK302", _YAML, "version: 1.0.0\n", "", at="name", note="missing"),
    Break("TK302", _YAML, "tags: [", "tag: [", at="tag: [", note="misspelt"),
    Break("TK302", _YAML, "tags: [", "version: 1.0.1\ntags: [", at="version", note="twice"),
    Break("TK302", _YAML, f"  {_LIMITS}", _LIMITS, at="io_limits", note="misplaced"),
    Break("TK302", _YAML, "    groupCode:\n", "    groupCode:\n      <<: {minLength: 1}\n", at="<<", note="merge"),
    Break("TK303", _YAML, _LIMITS, "io_limits: TODO", at="TODO", note="marker"),
    Break("TK303", _YAML, _LIMITS, 'io_limits: " "', at='" "', note="blank"),
    Break("TK303", _YAML, "공통코드 그룹. 영문 대문자와 밑줄 30자 이내", "TODO 그룹", at="TODO", note="property"),
    Break("TK303", _YAML, "tags: [공통코드", "tags: [TODO", at="TODO", note="tag"),
    Break("TK303", _YAML, "legacy_interface_id: CMCDNB00001", "legacy_interface_id: TODO", at="TODO", note="id"),
    Break("TK303", _YAML, "owner_org: SUPPORT_TEAM", "owner_org: TODO", at="TODO", note="owner"),
    Break("TK303", _CODES, f"{_LABEL}공통코드 한글명", f"{_LABEL}TODO 한글명", at="code_label", note="field"),
    Break("TK304", _YAML, "version: 1.0.0", "version: 1.10", at="1.10"),
    Break("TK305", _YAML, _QUERY, "", at="- 청구", note="few"),
    Break(
        "TK305", _YAML, _QUERY, f"{_QUERY}  - 은행 코드 목록을 보여줘!\n", at="은행 코드 목록을 보여줘!", note="same"
    ),
    Break("TK306", _YAML, _QUERY, "  - CMM comcode-lookup 공통코드 조회\n", at="CMM"),
    Break("TK307", _YAML, "read_only: true", "read_only: yes", at="yes"),
    Break("TK308", _YAML, "destructive: false", "destructive: true", at="true"),
    Break("TK312", _CONFIG, _DOMAIN, "${COMCODE_DOMAIN}", at="[]", at_file=_YAML, note="unlisted"),
    Break("TK312", _YAML, "required_env_keys: []", "required_env_keys: [COMCODE_KEY]", at="COMCODE_KEY", note="unused"),
    Break("TK313", _YAML, "owner_org: SUPPORT_TEAM", "owner_org: SUPORT_TEAM", at="SUPORT_TEAM"),
    Break("TK314", _YAML, _PURPOSE, _PURPOSE_OF_NOTICES, at="보험 계약이나", more=(_NAMING, _ASKING_FOR_NOTICES)),
    Break("TK804", _WRITING, f"repeat:\n{_KEY}\n", "", at="false", note="missing"),
    Break("TK804", _WRITING, _KEY, "  key: [contractNo, guid]", at="guid", note="guid"),
    Break(
        "TK804",
        "src/insurance_tools/app.py",
        ", provide={RepeatStore: repeats}",
        "",
        at="[contractNo, accidentOn]",
        at_file=_WRITING,
        severity="warning",
        note="store",
    ),
    Break("TK901", _YAML, "signoff: [texts, schema, answer, privacy]\n", "", at="name"),
]
