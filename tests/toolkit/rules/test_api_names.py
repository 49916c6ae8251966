"""Names of APIs in clients and in the configuration."""

from pathlib import Path

import pytest

from axhub.toolkit.rules import api_names, constants
from support.telling import Told
from support.written_service import CLIENT, CONFIG, USECASE, Written, changed, told_of

RULES = {rule.id: rule for rule in (*api_names.RULES, *constants.RULES)}
NAMED = 'API_NAME = "claim"'
ENTRY = "        - name: claim"


def another(name: str) -> str:
    """Return one more entry."""
    return f"        - {{name: {name}, domain: 'https://{name}.example', url: /x, method: GET}}\n"


@pytest.mark.req("rule/TK611")
@pytest.mark.parametrize(
    "case",
    [
        Written(
            "a misspelt name",
            changed(CLIENT, NAMED, 'API_NAME = "claims"'),
            (
                Told(
                    "infra/http/claim/client.py:4:16 error",
                    'The client names the API "claims", which no entry of the api-list in '
                    'src/my_tools/config/service.yaml has. Write "claim", if that is meant; the entries are: claim.',
                    '클라이언트의 API 이름 "claims" 값이 src/my_tools/config/service.yaml 파일의 api-list 항목에 '
                    '없습니다. "claim" 항목을 뜻했다면 그렇게 쓰십시오. 있는 항목: claim.',
                ),
            ),
        ),
        Written(
            "a name that is put together",
            changed(CLIENT, NAMED, 'API_NAME = "cl" + "aim"'),
            (
                Told(
                    "infra/http/claim/client.py:4:16 error",
                    "The API_NAME of ClaimClient is computed, so it cannot be compared with the configuration. Write "
                    'the name of the entry itself: `API_NAME = "…"`.',
                    "ClaimClient의 API_NAME 값이 계산식이어서 설정과 비교할 수 없습니다. 항목의 이름을 그대로 "
                    '쓰십시오: `API_NAME = "…"`.',
                ),
            ),
        ),
        Written(
            "a name without an entry",
            changed(CLIENT, NAMED, 'API_NAME = "bank"')
            | {
                "config/service.yaml": changed(CONFIG, ENTRY, another("zz") + ENTRY)[CONFIG],
                USECASE: "NAMES = ['zz', 'claim']",
            },
            (
                Told(
                    "infra/http/claim/client.py:4:16 error",
                    'The client names the API "bank", which no entry of the api-list in '
                    "src/my_tools/config/service.yaml has. Name one of the entries (zz, claim), or add one: `- "
                    "{name: bank, domain: …, url: …, method: …}`.",
                    '클라이언트의 API 이름 "bank" 값이 src/my_tools/config/service.yaml 파일의 api-list 항목에 '
                    "없습니다. 있는 항목(zz, claim) 가운데 하나를 쓰거나 항목을 더하십시오: `- {name: bank, "
                    "domain: …, url: …, method: …}`.",
                ),
            ),
        ),
        Written(
            "no entry at all",
            {CONFIG: "mcp: {bundleId: my-tools}\n"},
            (
                Told(
                    "infra/http/claim/client.py:4:16 error",
                    'The client names the API "claim", which no entry of the api-list in '
                    "src/my_tools/config/service.yaml has. Add it there below glow.communication.http.api-list: "
                    "`- {name: claim, domain: …, url: …, method: …}`.",
                    '클라이언트의 API 이름 "claim" 값이 src/my_tools/config/service.yaml 파일의 api-list 항목에 '
                    "없습니다. 그 파일의 glow.communication.http.api-list 아래에 더하십시오: `- {name: claim, "
                    "domain: …, url: …, method: …}`.",
                ),
            ),
        ),
        Written(
            "a name in the call",
            changed(CLIENT, "self.API_NAME", '"klaim"')
            | {CLIENT: changed(CLIENT, "self.API_NAME", '"klaim"')[CLIENT].replace(NAMED, "X = 1")},
            (
                Told(
                    "infra/http/claim/client.py:8:22 error",
                    'The client names the API "klaim", which no entry of the api-list in '
                    'src/my_tools/config/service.yaml has. Write "claim", if that is meant; the entries are: claim.',
                    '클라이언트의 API 이름 "klaim" 값이 src/my_tools/config/service.yaml 파일의 api-list 항목에 '
                    '없습니다. "claim" 항목을 뜻했다면 그렇게 쓰십시오. 있는 항목: claim.',
                ),
            ),
        ),
        Written(
            "an entry twice",
            changed(CONFIG, ENTRY, another("claim") + ENTRY),
            (
                Told(
                    "config/service.yaml:7:17 error",
                    'The API name "claim" stands in line 6 already. Give this entry a name of its own, and let '
                    "its client name it, or remove it.",
                    'API 이름 "claim" 값은 이미 6번째 줄에 있습니다. 이 항목에 다른 이름을 주고 클라이언트의 '
                    "API_NAME도 맞추거나, 항목을 지우십시오.",
                ),
            ),
        ),
        Written(
            "an entry that nobody names",
            changed(CONFIG, ENTRY, another("bank") + ENTRY),
            (
                Told(
                    "config/service.yaml:6:18 warning",
                    'No client names the API "bank". Remove the entry, or let a client name it: `API_NAME = "bank"`.',
                    'API "bank" 항목을 쓰는 클라이언트가 없습니다. 항목을 지우거나 클라이언트에서 쓰십시오: '
                    '`API_NAME = "bank"`.',
                ),
            ),
        ),
    ],
    ids=str,
)
def test_a_name_without_its_entry_is_pointed_out(case: Written, tmp_path: Path) -> None:
    assert told_of(RULES["TK611"], tmp_path, case.files) == case.told


@pytest.mark.req("rule/TK611")
@pytest.mark.parametrize(
    "case",
    [
        Written("the good service", {}),
        Written("a name given from outside", changed(CLIENT, NAMED, "API_NAME = os.environ['X']")),
        Written(
            "a name of a module",
            changed(CLIENT, "self.API_NAME", "NAME")
            | {
                CLIENT: changed(CLIENT, "self.API_NAME", "NAME")[CLIENT]
                .replace(f"    {NAMED}", "    X = 1")
                .replace("class", "NAME = 'claim'\nclass", 1)
            },
        ),
        Written(
            "entries that cannot be read",
            {CONFIG: "mcp: {bundleId: my-tools}\nglow:\n  communication: {http: {api-lst: []}}\n"},
        ),
        Written("a file that is no YAML", {CONFIG: "mcp: ["}),
        Written("an entry without its name", changed(CONFIG, ENTRY, "        - domain: x")),
        Written(
            "a misspelt beginning",
            {CONFIG: "mcp: {bundleId: my-tools}\nglo:\n  communication: {http: {api-list: []}}\n"},
        ),
        Written("a fault in an entry that has a name", changed(CONFIG, "method: POST", "method: PST")),
        Written(
            "a system that speaks telegrams", {"infra/mci/cfpa/client.py": "class CfpaClient:\n    API_NAME = 'cfpa'\n"}
        ),
        Written(
            "an entry that is named elsewhere, beside a file that cannot be read",
            changed(CONFIG, ENTRY, another("bank") + ENTRY) | {"x.py": "def ("},
        ),
    ],
    ids=str,
)
def test_tk611_has_nothing_to_say_about(case: Written, tmp_path: Path) -> None:
    assert told_of(RULES["TK611"], tmp_path, case.files) == ()


def _in_call(written: str) -> dict[str, str]:
    """Return a client that names its API in the call."""
    return {CLIENT: changed(CLIENT, "self.API_NAME", written)[CLIENT].replace(NAMED, "X = 1")}


ADDRESSES = [
    Written("an address", changed(CLIENT, NAMED, 'API_NAME = "https://claims.example.com/search"')),
    Written("a host", changed(CLIENT, NAMED, 'API_NAME = "claims.example.com:8443"')),
    Written("a path", changed(CLIENT, NAMED, 'API_NAME = "/claims"')),
    Written("an address with a field", changed(CLIENT, NAMED, 'API_NAME = f"https://{HOST}/claims"')),
    Written("an address in the call", _in_call('"https://claims.example.com/search"')),
    Written("a path in the call", _in_call('"/claims/search"')),
]


@pytest.mark.req("rule/TK611", "rule/TK612")
@pytest.mark.parametrize("case", ADDRESSES, ids=str)
def test_an_address_in_the_place_of_a_name_is_told_once(case: Written, tmp_path: Path) -> None:
    assert told_of(RULES["TK611"], tmp_path / "names", case.files) == ()
    assert len(told_of(RULES["TK612"], tmp_path / "addresses", case.files)) == 1


@pytest.mark.req("rule/TK611")
def test_an_address_that_is_allowed_is_told_as_the_name_that_it_is_not(tmp_path: Path) -> None:
    new = 'API_NAME = "https://claims.example.com/search"  # axhub: allow TK612 -- a public list'
    at = "infra/http/claim/client.py:4:16 error"
    assert next(iter(told_of(RULES["TK611"], tmp_path, changed(CLIENT, NAMED, new)))).at == at


@pytest.mark.req("rule/TK611")
def test_a_misspelt_name_beside_an_address_is_told(tmp_path: Path) -> None:
    files = changed(CLIENT, NAMED, 'API_NAME = "claims"\n    URL = "https://claims.example.com/search"')
    assert [one.at for one in told_of(RULES["TK611"], tmp_path, files)] == ["infra/http/claim/client.py:4:16 error"]
