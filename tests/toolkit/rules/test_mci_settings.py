"""Systems in the configuration, and how long their calls may take."""

from pathlib import Path
from textwrap import dedent

import pytest

from support import written_service
from support.telling import Told
from support.written_mci import CONFIG, GOOD, USECASE, mci_changed, mci_client, mci_told
from support.written_service import Written

HOST = "          host: ${CFPA_HOST}\n"
SYSTEM = 'SYSTEM = "cfpa"'
PORT = "          port: ${CFPA_PORT:0}\n"
LENGTH = "          lengthField: {kind: ascii, size: 8}\n"


def config(old: str, new: str) -> dict[str, str]:
    """Return the good configuration with a text in it replaced."""
    return mci_changed(CONFIG, old, new)


def within(millis: int) -> dict[str, str]:
    """Return the good configuration with a timeout of the tool."""
    return {CONFIG: f"{dedent(GOOD[CONFIG])}tools: {{cmm_claim_search: {{timeoutMillis: {millis}}}}}\n"}


@pytest.mark.req("rule/TK613")
@pytest.mark.parametrize(
    "case",
    [
        Written(
            "no host beside a port",
            {CONFIG: config(HOST, "")[CONFIG].replace("${CFPA_PORT:0}", "9010")},
            (
                Told(
                    "config/service.yaml:6:11 error",
                    "The key glow.communication.mci.system-list[0].host is missing. Write `host: "
                    "${AXHUB_CFPA_MCI_HOST}` here; allowed is an IP address or a host name (required).",
                    "설정 glow.communication.mci.system-list[0].host 값이 없습니다. 여기에 `host: "
                    "${AXHUB_CFPA_MCI_HOST}`처럼 쓰십시오. 허용: IP 주소 또는 호스트 이름(필수).",
                ),
            ),
        ),
        Written(
            "no port",
            config(PORT, ""),
            (
                Told(
                    "config/service.yaml:6:11 error",
                    "The key glow.communication.mci.system-list[0].port is missing. Write `port: "
                    "${AXHUB_CFPA_MCI_PORT:0}` here; allowed is a whole number from 0 to 65535 (required).",
                    "설정 glow.communication.mci.system-list[0].port 값이 없습니다. 여기에 `port: "
                    "${AXHUB_CFPA_MCI_PORT:0}`처럼 쓰십시오. 허용: 0에서 65535까지의 정수.",
                ),
            ),
        ),
        Written(
            "no length field",
            config(LENGTH, ""),
            (
                Told(
                    "config/service.yaml:6:11 error",
                    "The key glow.communication.mci.system-list[0].lengthField.kind is missing. Write `lengthField: "
                    "{kind: ascii, size: 8}` here; allowed is ascii, big, little, bcd or none (required).",
                    "설정 glow.communication.mci.system-list[0].lengthField.kind 값이 없습니다. 여기에 "
                    "`lengthField: {kind: ascii, size: 8}`처럼 쓰십시오. 허용: ascii, big, little, bcd 또는 "
                    "none(필수).",
                ),
            ),
        ),
        Written(
            "a misspelt section",
            config("lengthField", "lengthFeild"),
            (
                Told(
                    "config/service.yaml:9:11 error",
                    'There is no key glow.communication.mci.system-list[0].lengthFeild. Write "lengthField", if '
                    "that is meant.",
                    '설정에 glow.communication.mci.system-list[0].lengthFeild 키는 없습니다. "lengthField" 키를 '
                    "뜻했다면 그렇게 쓰십시오.",
                ),
            ),
        ),
        Written(
            "a kind that does not exist",
            config("kind: ascii", "kind: text"),
            (
                Told(
                    "config/service.yaml:9:31 error",
                    "The value of glow.communication.mci.system-list[0].lengthField.kind cannot be used; here "
                    'stands "text". Write ascii, big, little, bcd or none.',
                    "설정 glow.communication.mci.system-list[0].lengthField.kind 값을 쓸 수 없습니다. 지금 값: "
                    '"text". 허용되는 값으로 고치십시오: ascii, big, little, bcd 또는 none.',
                ),
            ),
        ),
        Written(
            "a size that the kind cannot have",
            config("kind: ascii, size: 8", "kind: bcd, size: 12"),
            (
                Told(
                    "config/service.yaml:9:42 error",
                    "The value of glow.communication.mci.system-list[0].lengthField.size cannot be used; here "
                    "stands 12 with the kind bcd. Write a whole number from 1 to 9.",
                    "설정 glow.communication.mci.system-list[0].lengthField.size 값을 쓸 수 없습니다. 지금 값: 12 "
                    "(종류 bcd). 허용되는 값으로 고치십시오: 1에서 9까지의 정수.",
                ),
            ),
        ),
        Written(
            "an offset of a prefix",
            config("size: 8", "size: 8, place: prefix, offset: 2"),
            (
                Told(
                    "config/service.yaml:9:70 error",
                    "The value of glow.communication.mci.system-list[0].lengthField.offset cannot be used; here "
                    "stands 2 in a prefix. Write 0: a prefix is the length field and nothing else.",
                    "설정 glow.communication.mci.system-list[0].lengthField.offset 값을 쓸 수 없습니다. 지금 값: "
                    "prefix에서 2. 허용되는 값으로 고치십시오: 0 (prefix에는 길이 필드만 있음).",
                ),
            ),
        ),
        Written(
            "a key of the other transport",
            config(HOST, HOST + "          domain: http://a.example\n"),
            (
                Told(
                    "config/service.yaml:8:19 error",
                    "The value of glow.communication.mci.system-list[0].domain cannot be used; here stands a key of "
                    "the transport http. Write the keys of tcp alone.",
                    "설정 glow.communication.mci.system-list[0].domain 값을 쓸 수 없습니다. 지금 값: transport가 "
                    "http일 때의 키. 허용되는 값으로 고치십시오: transport가 tcp일 때의 키만.",
                ),
            ),
        ),
        Written(
            "an entry over HTTP without its keys",
            config(HOST + PORT, "          transport: http\n"),
            (
                Told(
                    "config/service.yaml:6:11 error",
                    "The key glow.communication.mci.system-list[0].domain is missing. Write `domain: "
                    "${AXHUB_CFPA_MCI_DOMAIN}` here; allowed is scheme, host and port, such as "
                    "https://claims.example.com:8443 (required).",
                    "설정 glow.communication.mci.system-list[0].domain 값이 없습니다. 여기에 `domain: "
                    "${AXHUB_CFPA_MCI_DOMAIN}`처럼 쓰십시오. 허용: 스킴, 호스트, 포트(예: "
                    "https://claims.example.com:8443).",
                ),
                Told(
                    "config/service.yaml:6:11 error",
                    "The key glow.communication.mci.system-list[0].url is missing. Write `url: /mci/telegrams` "
                    "here; allowed is a path that begins with /, such as /mci/telegrams (required).",
                    "설정 glow.communication.mci.system-list[0].url 값이 없습니다. 여기에 `url: /mci/telegrams`처럼 "
                    "쓰십시오. 허용: /로 시작하는 경로(예: /claims/search).",
                ),
            ),
        ),
        Written(
            "a correction that is no number",
            config("size: 8", "size: 8, correction: x"),
            (
                Told(
                    "config/service.yaml:9:59 error",
                    "The value of glow.communication.mci.system-list[0].lengthField.correction cannot be used; here "
                    'stands "x". Write a whole number from -65536 to 65536.',
                    "설정 glow.communication.mci.system-list[0].lengthField.correction 값을 쓸 수 없습니다. 지금 "
                    '값: "x". 허용되는 값으로 고치십시오: -65536에서 65536까지의 정수.',
                ),
            ),
        ),
    ],
    ids=str,
)
def test_a_system_that_cannot_be_used_is_pointed_out(case: Written, tmp_path: Path) -> None:
    assert mci_told("TK613", tmp_path, case.files) == case.told


@pytest.mark.req("rule/TK615")
@pytest.mark.parametrize(
    "case",
    [
        Written(
            "a system that may take as long as the tool",
            within(5000),
            (
                Told(
                    "config/service.yaml:10:43 error",
                    "The calls of cmm_claim_search may take 5000 ms (cfpa 5000), which is not less than its own "
                    "timeout of 5000 ms. Write `timeoutMillis: 6000` here, or let totalTimeoutMillis of cfpa add up "
                    "to 4999 at most.",
                    "cmm_claim_search 도구의 호출 시간 합계 5000ms(cfpa 5000)가 도구 자신의 timeout 5000ms보다 작지 "
                    "않습니다. 여기에 `timeoutMillis: 6000` 값을 쓰거나, cfpa 항목의 totalTimeoutMillis 합계를 4999 "
                    "이하로 낮추십시오.",
                ),
            ),
        ),
        Written(
            "the default",
            config(HOST, HOST + "          totalTimeoutMillis: 10000\n"),
            (
                Told(
                    "config/service.yaml:8:31 error",
                    "The calls of cmm_claim_search may take 10000 ms (cfpa 10000), which is not less than its own "
                    "timeout of 10000 ms (the default). Add `cmm_claim_search: {timeoutMillis: 11000}` below "
                    "`tools:` of src/my_tools/config/service.yaml, or let totalTimeoutMillis of cfpa add up to 9999 "
                    "at most.",
                    "cmm_claim_search 도구의 호출 시간 합계 10000ms(cfpa 10000)가 도구 자신의 timeout "
                    "10000ms(기본값)보다 작지 않습니다. src/my_tools/config/service.yaml 파일의 `tools:` 아래에 "
                    "`cmm_claim_search: {timeoutMillis: 11000}` 값을 더하거나, cfpa 항목의 totalTimeoutMillis "
                    "합계를 9999 이하로 낮추십시오.",
                ),
            ),
        ),
    ],
    ids=str,
)
def test_calls_of_systems_count_into_the_time_of_a_tool(case: Written, tmp_path: Path) -> None:
    assert mci_told("TK615", tmp_path, case.files) == case.told


BOTH = """\
from axhub.toolkit import tool
from my_tools.infra.http.claim.client import ClaimClient
from my_tools.infra.mci.cfpa.client import CfpaClient
@tool(name="cmm_claim_search", title="청구 조회", description="청구를 조회합니다.", category_key="cmm")
async def search(claims: ClaimClient, cfpa: CfpaClient) -> None:
    await claims.search(await cfpa.call(1, 2))
"""
API = "    http: {api-list: [{name: claim, domain: '${CLAIM_DOMAIN}', url: /claims, method: POST}]}\n"


@pytest.mark.req("rule/TK615")
def test_apis_and_systems_are_added_up(tmp_path: Path) -> None:
    written = {name: written_service.GOOD[name] for name in (written_service.CLIENT, written_service.BODIES)}
    both = config("    mci:\n", f"{API}    mci:\n")
    (one,) = mci_told("TK615", tmp_path, {**written, **both, USECASE: BOTH})
    assert one == Told(
        "config/service.yaml:4:30 error",
        "The calls of cmm_claim_search may take 10000 ms (claim 5000 + cfpa 5000), which is not less than its own "
        "timeout of 10000 ms (the default). Add `cmm_claim_search: {timeoutMillis: 11000}` below `tools:` of "
        "src/my_tools/config/service.yaml, or let totalTimeoutMillis of claim, cfpa add up to 9999 at most.",
        "cmm_claim_search 도구의 호출 시간 합계 10000ms(claim 5000 + cfpa 5000)가 도구 자신의 timeout "
        "10000ms(기본값)보다 작지 않습니다. src/my_tools/config/service.yaml 파일의 `tools:` 아래에 "
        "`cmm_claim_search: {timeoutMillis: 11000}` 값을 더하거나, claim, cfpa 항목의 totalTimeoutMillis 합계를 9999 "
        "이하로 낮추십시오.",
    )


@pytest.mark.req("rule/TK612")
@pytest.mark.parametrize(
    "case",
    [
        Written(
            "a host",
            mci_client(SYSTEM, f'{SYSTEM}\n    HOST = "core.example.com"'),
            (
                Told(
                    "infra/mci/cfpa/client.py:8:12 error",
                    'The host "core.example.com" stands in the code. Write it into '
                    "src/my_tools/config/service.yaml, as host of an entry of glow.communication.mci.system-list, "
                    'and name only that entry in the client: `SYSTEM = "cfpa"`.',
                    '코드에 호스트 "core.example.com" 값이 있습니다. src/my_tools/config/service.yaml 파일의 '
                    "glow.communication.mci.system-list 항목에 host 값으로 쓰고, 클라이언트에는 항목 이름만 "
                    '남기십시오: `SYSTEM = "cfpa"`.',
                ),
            ),
        ),
        Written(
            "a port",
            mci_client(SYSTEM, f"{SYSTEM}\n    PORT = 9010"),
            (
                Told(
                    "infra/mci/cfpa/client.py:8:12 error",
                    "The port 9010 stands in the code. Write it into src/my_tools/config/service.yaml, as port of "
                    "an entry of glow.communication.mci.system-list, and name only that entry in the client: "
                    '`SYSTEM = "cfpa"`.',
                    "코드에 포트 9010 값이 있습니다. src/my_tools/config/service.yaml 파일의 "
                    "glow.communication.mci.system-list 항목에 port 값으로 쓰고, 클라이언트에는 항목 이름만 "
                    '남기십시오: `SYSTEM = "cfpa"`.',
                ),
            ),
        ),
        Written(
            "an address",
            mci_client(SYSTEM, f'{SYSTEM}\n    BASE = "https://core.example.com/mci"'),
            (
                Told(
                    "infra/mci/cfpa/client.py:8:12 error",
                    'The address "https://core.example.com/mci" stands in the code. Write it into '
                    "src/my_tools/config/service.yaml, as domain and url of an entry of "
                    'glow.communication.mci.system-list, and name only that entry in the client: `SYSTEM = "cfpa"`.',
                    '코드에 주소 "https://core.example.com/mci" 값이 있습니다. src/my_tools/config/service.yaml '
                    "파일의 glow.communication.mci.system-list 항목에 domain과 url 값으로 쓰고, 클라이언트에는 항목 "
                    '이름만 남기십시오: `SYSTEM = "cfpa"`.',
                ),
            ),
        ),
        Written(
            "a path",
            mci_client(SYSTEM, f'{SYSTEM}\n    URL = "/mci/telegrams"'),
            (
                Told(
                    "infra/mci/cfpa/client.py:8:11 error",
                    'The path "/mci/telegrams" stands in the code. Write it into src/my_tools/config/service.yaml, '
                    "as url of an entry of glow.communication.mci.system-list, and name only that entry in the "
                    'client: `SYSTEM = "cfpa"`.',
                    '코드에 경로 "/mci/telegrams" 값이 있습니다. src/my_tools/config/service.yaml 파일의 '
                    "glow.communication.mci.system-list 항목에 url 값으로 쓰고, 클라이언트에는 항목 이름만 "
                    '남기십시오: `SYSTEM = "cfpa"`.',
                ),
            ),
        ),
    ],
    ids=str,
)
def test_an_address_in_the_code_belongs_to_the_systems_entry(case: Written, tmp_path: Path) -> None:
    assert mci_told("TK612", tmp_path, case.files) == case.told


@pytest.mark.parametrize("id_", ["TK612", "TK613", "TK615"])
def test_the_good_service_is_left_alone(id_: str, tmp_path: Path) -> None:
    assert mci_told(id_, tmp_path, {}) == ()


@pytest.mark.parametrize(
    ("id_", "files"),
    [
        ("TK613", config(PORT, "          port: ${CFPA_PORT}\n")),
        ("TK615", within(5001)),
        ("TK615", config(PORT, PORT + "          totalTimeoutMillis: ${CFPA_MILLIS}\n")),
    ],
)
def test_what_is_in_order_is_left_alone(id_: str, files: dict[str, str | None], tmp_path: Path) -> None:
    assert mci_told(id_, tmp_path, files) == ()
