"""Rules about the configuration, and about what a gateway adopts."""

from support.breaks import Break

_PACKAGE = "src/insurance_tools"
_CONFIG = f"{_PACKAGE}/config/service.yaml"
_CLIENT = f"{_PACKAGE}/infra/http/comcode/client.py"
_YAML = f"{_PACKAGE}/tool_definitions/cmm/cmm_comcode_lookup.yml"
_RETRIES = "          maxRetries: 1  # reading twice harms nobody\n"
_CLAIM = "        - name: claim\n          domain: https://claims.example\n          url: /c\n          method: POST\n"
_PREMIUM = "        - name: premium\n"
_BANK = "        - name: bank\n          domain: ${BANK_DOMAIN}\n          url: /bank\n          method: POST\n"
_URL = "${AXHUB_COMCODE_HTTP_URL:/api/mock/http/cmm_comcode_lookup}"
_LIMITS = "io_limits: 그룹 하나씩만 조회하며"

BREAKS = [
    Break("TK611", _CLIENT, '"comcode"', '"comcodes"', at='"comcodes"', note="unknown"),
    Break("TK611", _CLIENT, '"comcode"', '"com" + "code"', at='"com"', note="computed"),
    Break("TK611", _CONFIG, _PREMIUM, f"{_BANK}{_PREMIUM}", at="bank", severity="warning", note="unused"),
    Break("TK611", _CONFIG, _PREMIUM, f"{_CLAIM}{_PREMIUM}", at="claim", note="twice"),
    Break("TK613", _CONFIG, _RETRIES, f"{_RETRIES}          maxRetry: 1\n", at="maxRetry:", note="unknown"),
    Break("TK613", _CONFIG, f"url: {_URL}", "url: codes", at="codes", note="url"),
    Break("TK613", _CONFIG, f"url: {_URL}", "url: ${CODE_URL", at="${CODE_URL", note="open"),
    Break("TK613", _CONFIG, f"          url: {_URL}\n", "", at="name: comcode", note="missing"),
    Break("TK613", _CONFIG, "  cmm_claim_search:\n", "  cmm_claim_serach:\n", at="cmm_claim_serach", note="tool"),
    Break("TK613", _CONFIG, "language: ko", "language: kr", at="kr", note="value"),
    Break("TK615", _CONFIG, "timeoutMillis: 8000", "timeoutMillis: 5000", at="5000", note="small"),
    Break("TK615", _CONFIG, "timeoutMillis: 15000", "timeoutMillis: 60000", at="60000", note="cap"),
    Break("TK801", _CONFIG, "  bundleId: insurance-tools\n", "", at="mcp:"),
    Break("TK805", _YAML, _LIMITS, 'io_limits: "그룹\\u202e 하나씩만" #', at='"그룹'),
]
