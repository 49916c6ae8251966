"""What the rules are told of a configuration: values as written, places, variables, faults; nothing needs to be set."""

from pathlib import Path
from typing import Final

import pytest

from axhub.toolkit.config.facts import settings_facts
from axhub.toolkit.facts.service import Api, Located, Place, Settings

SHOWN: Final = "src/my_tools/config/service.yaml"
TEXT: Final = """\
mcp:
  bundleId: 보험-도구
  namespace: ins_
disabledTools: [cmm_code_lookup]
tools:
  cmm_claim_search:
    timeoutMillis: 8000
  cmm_code_lookup:
    timeoutMillis: ${CODE_TIMEOUT}
glow:
  communication:
    http:
      api-list:
        - name: claim
          domain: ${CLAIM_DOMAIN}
          url: ${CLAIM_URL:/claims/${CLAIM_VERSION:v1}}
          method: POST
          biz-pod: false
          readTimeoutMillis: ${CLAIM_READ}
          totalTimeoutMillis: 900
          headers:
            Authorization: ${CLAIM_TOKEN}
"""


def at(line: int, column: int) -> Place:
    return Place(SHOWN, line, column)


def facts(folder: Path, text: str) -> Settings:
    file = folder / "service.yaml"
    file.write_text(text, encoding="utf-8")
    return settings_facts(file, SHOWN)


@pytest.mark.req("toolkit/H1", "toolkit/T4")
def test_a_configuration_is_told_with_places_whatever_is_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAIM_DOMAIN", "https://claims.example")
    monkeypatch.setenv("AXHUB_SERVICE__MCP__BUNDLEID", "another")
    claim = Api(
        name=Located("claim", at(14, 17)),
        values={
            "domain": Located("${CLAIM_DOMAIN}", at(15, 19)),
            "url": Located("${CLAIM_URL:/claims/${CLAIM_VERSION:v1}}", at(16, 16)),
            "method": Located("POST", at(17, 19)),
            "biz-pod": Located(False, at(18, 20)),
            "readTimeoutMillis": Located("${CLAIM_READ}", at(19, 30)),
            "totalTimeoutMillis": Located(900, at(20, 31)),
            "headers": Located({"Authorization": "${CLAIM_TOKEN}"}, at(21, 11)),
        },
        environment={
            "CLAIM_DOMAIN": at(15, 19),
            "CLAIM_URL": at(16, 16),
            "CLAIM_VERSION": at(16, 16),
            "CLAIM_READ": at(19, 30),
            "CLAIM_TOKEN": at(22, 28),
        },
        secrets=frozenset({"CLAIM_TOKEN"}),
        connect_millis=1000,
        read_millis=3000,
        total_millis=900,
        method="POST",
        url="/claims/v1",
        content_type="application/json;charset=UTF-8",
    )
    assert facts(tmp_path, TEXT) == Settings(
        path=SHOWN,
        bundle_id="보험-도구",
        namespace="ins_",
        timeouts={"cmm_claim_search": Located(8000, at(7, 20))},
        apis=(claim,),
        disabled=(Located("cmm_code_lookup", at(4, 17)),),
        namespace_place=at(3, 14),
        tool_places={"cmm_claim_search": at(6, 3), "cmm_code_lookup": at(8, 3)},
    )


@pytest.mark.req("toolkit/H1")
def test_faults_are_told_with_line_and_column_and_without_names_that_stand_twice(tmp_path: Path) -> None:
    text = (
        "mcp: {bundleId: a, x: 1}\nglow:\n  communication:\n    http:\n      api-list:\n"
        '        - {name: a, domain: "${A", url: b, method: GET}\n'
        "        - {name: a, domain: http://localhost:1, url: /b, method: POST, maxRetries: 1}\n"
        "        - {name: c, domain: 'https://c', url: /c, method: GET, headers: {Host: '${C}', X-K: geheim}}\n"
    )
    path = "glow.communication.http.api-list"
    assert facts(tmp_path, text).faults == (
        (at(1, 20), "mcp.x: an unknown key", "one of bundleId, namespace"),
        (
            at(6, 29),
            f"{path}[0].domain: ${{ without its closing }}",
            "a set variable, the path of a setting, or ${NAME:default}",
        ),
        (at(6, 41), f'{path}[0].url: "b"', "a path that begins with /, such as /claims/search"),
        (at(7, 84), f"{path}[1].maxRetries: 1 with the method POST", "0: it is not sent twice"),
        (
            at(8, 74),
            f"{path}[2].headers.Host: Host, which is set for each call",
            "the name of another header",
        ),
        (
            at(8, 93),
            f"{path}[2].headers.X-K: a value: which does not come from one variable",
            "${NAME} alone, without a default: a secret comes from a variable of the environment",
        ),
    )


@pytest.mark.req("toolkit/H1", "threat/T32")
@pytest.mark.parametrize("written", ["geheim", "Bearer ${KEY}", "${geheim", "[geheim]"])
def test_what_may_be_a_secret_is_not_told(written: str, tmp_path: Path) -> None:
    text = f"{TEXT.rpartition('$')[0]}{written!r}\n" if written[0] != "[" else f"{TEXT.rpartition('$')[0]}{written}\n"
    found = facts(tmp_path, text)
    assert found.apis[0].values["headers"].value == {"Authorization": "***"}
    assert "geheim" not in repr((found.apis[0].values, found.faults))


@pytest.mark.req("toolkit/H1")
def test_a_value_that_an_unset_variable_decides_is_unknown_and_no_fault(tmp_path: Path) -> None:
    text = TEXT.replace("namespace: ins_", "namespace: ${NAMESPACE}").replace("bundleId: 보험-도구", "bundleId: ${ID}")
    found = facts(tmp_path, text.replace("POST", "${METHOD}"))
    assert found.faults == ()


@pytest.mark.req("toolkit/H1")
def test_entries_without_a_name_are_told_by_their_fault_alone(tmp_path: Path) -> None:
    found = facts(tmp_path, TEXT.replace("- name: claim", "- maxRetries: 0"))
    assert found.apis == ()
    assert [said for _, said, _ in found.faults] == [
        "glow.communication.http.api-list[0].name: nothing: the key is missing"
    ]


@pytest.mark.req("toolkit/S0")
def test_a_missing_or_broken_file_is_told_as_a_fault(tmp_path: Path) -> None:
    missing = settings_facts(tmp_path / "none.yaml", SHOWN)
    assert missing.faults == ((Place(SHOWN), "no configuration: there is no such file", "a readable YAML file"),)
    assert facts(tmp_path, "a: [").faults[0][0] == at(1, 5)
