"""Rules about what a model chooses tools by."""

from support.breaks import Break, Edit

_DEFINITIONS = "src/insurance_tools/tool_definitions"
_NOTICE = f"{_DEFINITIONS}/smp/smp_notice_lookup.yml"
_CODES = f"{_DEFINITIONS}/cmm/cmm_comcode_lookup.yml"
_QUERY = "오늘 올라온 공지가 있는지 보여줘"
_MEANING = "코드 값 20이 무슨 뜻인지 찾아줘"
_TEXTS_OF_NOTICES = """\
  function: 현재 게시 중인 업무 공지의 제목과 게시 기간을 최근 것부터 조회한다.
  when_to_use: 직원이 오늘의 공지나 시스템 점검 안내를 물을 때 사용한다.
  when_not_to_use: 고객의 계약이나 청구에 관한 안내를 찾는 데에는 사용하지 않는다.
  io_limits: 입력은 없다. 최대 20건을 돌려주며 지난 공지는 나오지 않는다.
"""
_TEXTS_OF_CODES = """\
  function: 공통코드 그룹에 속한 모든 코드와 한글명, 사용 여부를 조회한다.
  when_to_use: 코드 값의 뜻을 확인하거나 그룹에서 쓸 수 있는 코드를 찾을 때 사용한다.
  when_not_to_use: 게시된 글은 업무 공지 조회 도구를 사용한다.
  io_limits: 그룹 하나씩만 조회하며 그룹의 코드를 모두 돌려준다.
"""

BREAKS = [
    Break("TK921", _NOTICE, _QUERY, "고객이 청구한 보험금의 지급 상태가 궁금해", at="고객이 청구한"),
    Break(
        "TK922",
        _CODES,
        _MEANING,
        "게시 중인 업무 공지의 코드를 알려줘",
        at="게시 중인",
        more=(Edit(_NOTICE, _QUERY, "공통코드 그룹의 코드를 보여줘"),),
    ),
    Break(
        "TK923",
        _CODES,
        """  function: 공통코드 그룹에 속한 모든 코드와 한글명, 사용 여부를 조회한다.
  when_to_use: 코드 값의 뜻을 확인하거나 그룹에서 쓸 수 있는 코드를 찾을 때 사용한다.
  when_not_to_use: 보험 계약이나 청구의 내용을 찾는 데에는 사용하지 않는다.
  io_limits: 그룹 하나씩만 조회하며 그룹의 코드를 모두 돌려준다.
""",
        _TEXTS_OF_CODES,
        at="공통코드 그룹에",
        more=(Edit(_NOTICE, _TEXTS_OF_NOTICES, _TEXTS_OF_CODES.replace("업무 공지 조회", "공통코드 조회")),),
    ),
]
