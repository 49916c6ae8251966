"""Mocks of MCI systems over HTTP: what they answer at their path, and what they refuse (toolkit/B4)."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import pytest

from axhub.toolkit.config.settings import LengthField, MciSystemSettings
from axhub.toolkit.connectors.mci.mock_bodies import MciBodies
from axhub.toolkit.connectors.mci.parts import Parts, parts_of
from axhub.toolkit.connectors.mock_systems import Asked, MockAnswer, MockSystems
from axhub.toolkit.mci import MciCall
from support.http_apis import api
from support.mci_hosts import with_digits
from support.mci_package import mci_package
from support.tool_packages import ToolPackage

pytestmark = pytest.mark.req("toolkit/B4")

PATH: Final = "/api/mock/mci/cfpa"
NOON: Final = datetime(2026, 11, 30, 12, tzinfo=UTC)


def system(**more: Any) -> MciSystemSettings:
    said = {"name": "cfpa", "url": PATH, "length": LengthField(kind="ascii", size=4), **more}
    return MciSystemSettings(transport="http", domain="http://localhost", **said)


def asked(body: bytes, path: str = PATH, method: str = "POST") -> Asked:
    return Asked(method, path, body=body, content_type="application/octet-stream")


def telegram(parts: Parts) -> bytes:
    call = MciCall(interface_id="CLCNNB00001", correlation_id="1" * 32, trace_id="", request_id="", sent_at=NOON)
    return with_digits(parts.envelope.request(call, parts.requests["CLCNNB00001"](claim_no="1")).raw[4:])


def said(answer: MockAnswer) -> tuple[int, str]:
    return answer.status, json.loads(answer.body)["mock"]


@pytest.fixture
def package(tmp_path: Path) -> ToolPackage:
    return mci_package(tmp_path)


def test_a_telegram_is_answered_with_one(package: ToolPackage) -> None:
    with package:
        parts = parts_of(package.name)
        answer = MciBodies([system()], parts, package.folder).answer(asked(telegram(parts["cfpa"])))
    sample = "samples/cmm_claim_search/mci-CLCNNB00001.json"
    assert (answer.status, answer.content_type, answer.api, answer.sample) == (
        200,
        "application/octet-stream",
        "cfpa",
        sample,
    )
    assert answer.body[:4] == f"{len(answer.body):04d}".encode()


def test_what_is_no_telegram_is_refused_with_the_reason(package: ToolPackage) -> None:
    with package:
        parts = parts_of(package.name)
        good = telegram(parts["cfpa"])
        bodies = MciBodies([system(), system(name="other", url="/other")], parts, package.folder)
        length = (400, "the telegram has another length than its length field says")
        assert said(bodies.answer(asked(good, method="GET"))) == (405, "telegrams are sent with POST")
        assert said(bodies.answer(asked(good[:-1]))) == length
        assert said(bodies.answer(asked(b"00"))) == length
        assert said(bodies.answer(asked(b"geheim"))) == (400, "the length field of the answer holds no number (ascii)")
        assert said(bodies.answer(asked(good, "/other"))) == (502, "the package has no ENVELOPE for the system other")
        assert said(bodies.answer(asked(with_digits(b"x")))) == (
            502,
            "the request is no telegram: Header: 5 bytes came, and 60 are laid down",
        )
        assert said(bodies.answer(asked(good, "/nowhere"))) == (
            404,
            f"no MCI system has the path /nowhere; there are: {PATH}, /other",
        )


def test_other_paths_are_asked_of_the_others(package: ToolPackage) -> None:
    package.write("samples/cmm_claim_search/http-claim.json", '{"clmNo": "1"}')
    others = MockSystems([api("http://localhost", "/claims")], package.folder)
    answer = MciBodies([], {}, package.folder, others).answer(asked(b"{}", "/claims"))
    assert (answer.status, json.loads(answer.body)) == (200, {"clmNo": "1"})


@pytest.mark.parametrize("name", ["no_such_package", "json"])
def test_a_package_without_systems_has_no_parts(name: str) -> None:
    assert parts_of(name) == {}


def test_a_folder_is_called_like_its_system_where_no_client_says_otherwise(package: ToolPackage) -> None:
    (package.folder / "infra/mci/cfpa/client.py").unlink()
    with package:
        assert list(parts_of(package.name)) == ["cfpa"]
