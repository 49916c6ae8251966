"""Interfaces, systems and variables that tools name which call MCI systems."""

from pathlib import Path

import pytest

from support.telling import Told
from support.tool_packages import definition_text
from support.written_mci import CONFIG, IO, USECASE, YAML, mci_changed, mci_client, mci_told
from support.written_service import Written

ENTRY = "        - name: cfpa\n"
OTHER = "        - {name: other, host: other.example, port: 9, lengthField: {kind: none}}\n"
SYSTEM = 'SYSTEM = "cfpa"'
MAPPING = 'mapping_id="CLCNNB00001"'
FIRST = "from typing import Annotated\n"
COMPUTED = "from axhub.toolkit.mci import Layout\nclass X(Layout, id='X' * 9): ...\n"
UNKNOWN = 'mapping_id="ZZZZZZ99999"'
NOWHERE = {YAML: definition_text(legacy_interface_id="ZZZZZZ99999")}
WITHOUT_SYSTEM = """\
from axhub.toolkit import tool
@tool(name="cmm_x", title="X", description="x.", category_key="cmm", mapping_id="XXXXXX00001")
async def x() -> None: ...
"""


def config(old: str, new: str) -> dict[str, str]:
    """Return the good configuration with a text in it replaced."""
    return mci_changed(CONFIG, old, new)


def definition(**changes: object) -> dict[str, str]:
    """Return the good definition with other values."""
    return {YAML: definition_text(**{"required_env_keys": ["CFPA_HOST"], **changes})}


@pytest.mark.req("rule/TK215")
@pytest.mark.parametrize(
    "case",
    [
        Written(
            "a mapping without layouts",
            mci_changed(USECASE, MAPPING, 'mapping_id="ZZZZZZ99999"') | definition(legacy_interface_id="ZZZZZZ99999"),
            (
                Told(
                    "biz/cmm/usecase.py:14:20 error",
                    "The tool calls an MCI system, and no layout of its infra/mci has the id ZZZZZZ99999. Declare "
                    "ZZZZZZ99999_I and ZZZZZZ99999_O in infra/mci/{system}/io, or let `axhub new layout "
                    "ZZZZZZ99999 --from-sheet FILE` write them.",
                    "MCI 시스템을 호출하는 도구인데 infra/mci에 ID가 ZZZZZZ99999인 레이아웃이 없습니다. "
                    "infra/mci/{system}/io에 ZZZZZZ99999_I와 ZZZZZZ99999_O 클래스를 선언하거나 `axhub new layout "
                    "ZZZZZZ99999 --from-sheet FILE` 명령으로 만드십시오.",
                ),
            ),
        ),
        Written(
            "a mapping that is misspelt",
            mci_changed(USECASE, MAPPING, 'mapping_id="CLCNNB00002"') | definition(legacy_interface_id="CLCNNB00002"),
            (
                Told(
                    "biz/cmm/usecase.py:14:20 error",
                    "The tool calls an MCI system, and no layout of its infra/mci has the id CLCNNB00002. Did you "
                    "mean CLCNNB00001? Write it here, or declare CLCNNB00002_I and CLCNNB00002_O in "
                    "infra/mci/{system}/io.",
                    "MCI 시스템을 호출하는 도구인데 infra/mci에 ID가 CLCNNB00002인 레이아웃이 없습니다. CLCNNB00001 "
                    "인터페이스를 뜻했다면 여기에 쓰고, 아니면 infra/mci/{system}/io에 CLCNNB00002_I와 "
                    "CLCNNB00002_O 클래스를 선언하십시오.",
                ),
            ),
        ),
        Written(
            "no mapping, and a definition without layouts",
            mci_changed(USECASE, f"        {MAPPING},\n", "") | definition(legacy_interface_id="ZZZZZZ99999"),
            (
                Told(
                    "biz/cmm/usecase.py:9:6 warning",
                    'The decorators have no mapping_id, and the definition says legacy_interface_id "ZZZZZZ99999". '
                    'Add `mapping_id="ZZZZZZ99999"`.',
                    '데코레이터에 mapping_id가 없는데 정의 파일의 legacy_interface_id 값은 "ZZZZZZ99999"입니다. '
                    '`mapping_id="ZZZZZZ99999"` 인자를 더하십시오.',
                ),
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:29:26 error",
                    "The tool calls an MCI system, and no layout of its infra/mci has the id ZZZZZZ99999. Declare "
                    "ZZZZZZ99999_I and ZZZZZZ99999_O in infra/mci/{system}/io, or let `axhub new layout "
                    "ZZZZZZ99999 --from-sheet FILE` write them.",
                    "MCI 시스템을 호출하는 도구인데 infra/mci에 ID가 ZZZZZZ99999인 레이아웃이 없습니다. "
                    "infra/mci/{system}/io에 ZZZZZZ99999_I와 ZZZZZZ99999_O 클래스를 선언하거나 `axhub new layout "
                    "ZZZZZZ99999 --from-sheet FILE` 명령으로 만드십시오.",
                ),
            ),
        ),
    ],
    ids=str,
)
def test_an_interface_without_layouts_is_an_error_of_the_tool_that_calls_it(case: Written, tmp_path: Path) -> None:
    assert mci_told("TK215", tmp_path, case.files) == case.told


@pytest.mark.req("rule/TK312")
@pytest.mark.parametrize(
    "case",
    [
        Written(
            "a variable of the system that is not listed",
            definition(required_env_keys=[]),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:30:24 error",
                    "The tool needs the environment variable CFPA_HOST, read at "
                    "src/my_tools/config/service.yaml:7:17, and required_env_keys does not list it. Write "
                    "`required_env_keys: [CFPA_HOST]`.",
                    "도구가 환경 변수 CFPA_HOST 값을 쓰는데(읽는 곳: src/my_tools/config/service.yaml:7:17) "
                    "required_env_keys에 없습니다. `required_env_keys: [CFPA_HOST]` 값을 쓰십시오.",
                ),
            ),
        ),
        Written(
            "a variable that nothing reads",
            definition(required_env_keys=["CFPA_HOST", "CFPA_KEY"]),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:32:5 error",
                    "required_env_keys lists CFPA_KEY, which nothing in this service reads. Remove it, or correct "
                    "its spelling.",
                    "required_env_keys에 적은 CFPA_KEY 변수는 이 서비스의 어디에서도 읽지 않습니다. 지우거나 철자를 "
                    "고치십시오.",
                ),
            ),
        ),
    ],
    ids=str,
)
def test_variables_of_the_systems_that_a_tool_calls_are_compared(case: Written, tmp_path: Path) -> None:
    assert mci_told("TK312", tmp_path, case.files) == case.told


@pytest.mark.req("rule/TK611")
@pytest.mark.parametrize(
    "case",
    [
        Written(
            "a misspelt name",
            mci_client(SYSTEM, 'SYSTEM = "cfpb"'),
            (
                Told(
                    "infra/mci/cfpa/client.py:7:14 error",
                    'The client names the system "cfpb", which no entry of the system-list in '
                    'src/my_tools/config/service.yaml has. Write "cfpa", if that is meant; the entries are: cfpa.',
                    '클라이언트의 시스템 이름 "cfpb" 값이 src/my_tools/config/service.yaml 파일의 system-list '
                    '항목에 없습니다. "cfpa" 항목을 뜻했다면 그렇게 쓰십시오. 있는 항목: cfpa.',
                ),
            ),
        ),
        Written(
            "a name that is put together",
            mci_client(SYSTEM, 'SYSTEM = "cf" + "pa"'),
            (
                Told(
                    "infra/mci/cfpa/client.py:7:14 error",
                    "The SYSTEM of CfpaClient is computed, so it cannot be compared with the configuration. Write "
                    'the name of the entry itself: `SYSTEM = "…"`.',
                    "CfpaClient의 SYSTEM 값이 계산식이어서 설정과 비교할 수 없습니다. 항목의 이름을 그대로 "
                    '쓰십시오: `SYSTEM = "…"`.',
                ),
            ),
        ),
        Written(
            "a name without an entry",
            mci_client(SYSTEM, 'SYSTEM = "bank"')
            | config(ENTRY, OTHER + ENTRY)
            | {USECASE: "NAMES = ['other', 'cfpa']"},
            (
                Told(
                    "infra/mci/cfpa/client.py:7:14 error",
                    'The client names the system "bank", which no entry of the system-list in '
                    "src/my_tools/config/service.yaml has. Name one of the entries (other, cfpa), or add one: `- "
                    "{name: bank, host: …, port: …, lengthField: …}`.",
                    '클라이언트의 시스템 이름 "bank" 값이 src/my_tools/config/service.yaml 파일의 system-list '
                    "항목에 없습니다. 있는 항목(other, cfpa) 가운데 하나를 쓰거나 항목을 더하십시오: `- {name: "
                    "bank, host: …, port: …, lengthField: …}`.",
                ),
            ),
        ),
        Written(
            "no entry at all",
            {CONFIG: "mcp: {bundleId: my-tools}\n"},
            (
                Told(
                    "infra/mci/cfpa/client.py:7:14 error",
                    'The client names the system "cfpa", which no entry of the system-list in '
                    "src/my_tools/config/service.yaml has. Add it there below glow.communication.mci.system-list: "
                    "`- {name: cfpa, host: …, port: …, lengthField: …}`.",
                    '클라이언트의 시스템 이름 "cfpa" 값이 src/my_tools/config/service.yaml 파일의 system-list '
                    "항목에 없습니다. 그 파일의 glow.communication.mci.system-list 아래에 더하십시오: `- {name: "
                    "cfpa, host: …, port: …, lengthField: …}`.",
                ),
            ),
        ),
        Written(
            "an entry that no client names",
            config(ENTRY, OTHER + ENTRY),
            (
                Told(
                    "config/service.yaml:6:18 warning",
                    'No client names the system "other". Remove the entry, or let a client name it: `SYSTEM = '
                    '"other"`.',
                    '시스템 "other" 항목을 쓰는 클라이언트가 없습니다. 항목을 지우거나 클라이언트에서 쓰십시오: '
                    '`SYSTEM = "other"`.',
                ),
            ),
        ),
        Written(
            "a name that stands twice",
            config(ENTRY, OTHER.replace("other,", "cfpa,") + ENTRY),
            (
                Told(
                    "config/service.yaml:7:17 error",
                    'The system name "cfpa" stands in line 6 already. Give this entry a name of its own, and let '
                    "its client name it, or remove it.",
                    '시스템 이름 "cfpa" 값은 이미 6번째 줄에 있습니다. 이 항목에 다른 이름을 주고 클라이언트의 '
                    "SYSTEM도 맞추거나, 항목을 지우십시오.",
                ),
            ),
        ),
    ],
    ids=str,
)
def test_names_of_systems_that_do_not_fit_are_pointed_out(case: Written, tmp_path: Path) -> None:
    assert mci_told("TK611", tmp_path, case.files) == case.told


@pytest.mark.parametrize("id_", ["TK215", "TK312", "TK611"])
def test_the_good_service_is_left_alone(id_: str, tmp_path: Path) -> None:
    assert mci_told(id_, tmp_path, {}) == ()


@pytest.mark.parametrize(
    ("id_", "files"),
    [
        ("TK215", mci_changed(USECASE, f"        {MAPPING},\n", "") | definition(legacy_interface_id=None)),
        ("TK215", mci_changed(USECASE, MAPPING, UNKNOWN) | NOWHERE | mci_changed(IO, FIRST, f"{FIRST}{COMPUTED}")),
        ("TK215", {USECASE: WITHOUT_SYSTEM}),
        ("TK312", definition(required_env_keys=["CFPA_HOST", "CFPA_PORT"])),
        ("TK611", mci_client("self.SYSTEM, ENVELOPE", "system='cfpa', envelope=ENVELOPE")),
        ("TK611", mci_client("self.SYSTEM, ENVELOPE", "name_of(request), ENVELOPE") | config(ENTRY, OTHER + ENTRY)),
    ],
)
def test_what_is_in_order_is_left_alone(id_: str, files: dict[str, str | None], tmp_path: Path) -> None:
    assert mci_told(id_, tmp_path, files) == ()
