"""Whether each sample is called so that something reads it: part of TK503."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from axhub.toolkit.facts.service import Facts, Layer, Located, Place
from axhub.toolkit.rules.answers.answer_types import TK503
from support.telling import expect, said
from support.toolkit_facts import CONFIG, FOLDER, TOOL, api, facts, imported, modules, settings
from support.written_mci import IO, mci_changed, mci_facts

pytestmark = pytest.mark.req("rule/TK503")
HERE = f"{FOLDER}/samples/{TOOL}"
SAMPLE = f"{HERE}/http-insurance.json"
APIS = ("insurance", "claim_register", "branch-2")


def _called(*names: str, folder: str = HERE, **changes: Any) -> Facts:
    paths = tuple(f"{folder}/{name}" for name in names)
    given = {"settings": settings(apis=tuple(map(api, APIS))), "samples": {folder.rpartition("/")[2]: paths}}
    return facts(**{**given, "sample_texts": dict.fromkeys(paths, "{}"), **changes})


def test_a_sample_of_no_api_is_told_with_the_nearest_name() -> None:
    path = f"{HERE}/http-insurrance.json"
    expect(
        TK503,
        _called("http-insurrance.json"),
        f'{path}:1:1: error: Nothing reads {path}: no API is called "insurrance". Rename it to `http-insurance.json`.',
        f'{path}:1:1: error: {path} 파일을 읽는 곳이 없습니다. "insurrance" 이름의 API가 없습니다. '
        "`http-insurance.json`(으)로 이름을 바꾸십시오.",
    )


def test_a_sample_of_no_api_that_is_near_to_none_is_told_with_all() -> None:
    path, known = f"{HERE}/http-고객.json", "branch-2, claim_register, insurance"
    expect(
        TK503,
        _called("http-고객.json"),
        f'{path}:1:1: error: Nothing reads {path}: no API is called "고객". Rename it to `http-{{api}}.json` with the '
        f"name of an API ({known}), or remove it.",
        f'{path}:1:1: error: {path} 파일을 읽는 곳이 없습니다. "고객" 이름의 API가 없습니다. API 이름({known})을 넣은 '
        "`http-{api}.json`으로 이름을 바꾸거나 파일을 지우십시오.",
    )


@pytest.mark.parametrize(
    ("names", "meant"),
    [
        (("http-Insurance.json",), "http-insurance.json"),
        (("http-claim-register.json",), "http-claim_register.json"),
        (("http-insurance.json", "http-insurance-2.json", "http-insurence-2.json"), "http-insurance-3.json"),
        (("http-insurance_2.json",), "http-insurance.json"),
    ],
)
def test_the_new_name_is_one_that_is_free(names: tuple[str, ...], meant: str) -> None:
    (told,) = said(TK503, _called(*names))
    assert told.endswith(f"Rename it to `{meant}`.")


@pytest.mark.parametrize("name", ["http-insurance.json", "http-insurance-12.json", "http-branch-2.json"])
def test_a_sample_of_an_api_is_silent(name: str) -> None:
    assert said(TK503, _called(name)) == []


def test_a_sample_of_what_only_a_client_names_is_told_by_the_rule_about_clients() -> None:
    assert said(TK503, _called("http-insurance.json", settings=settings(apis=(api("insuranse"),)))) == []


@pytest.mark.parametrize(
    "changes",
    [
        {"settings": None},
        {"settings": settings(apis=(), faults=((Place(CONFIG, 1, 1), "", "no YAML"),))},
        {"settings": settings(apis=()), "modules": tuple(one for one in modules() if one.layer is not Layer.CLIENT)},
        {"problems": (Located("invalid syntax", Place("src/x.py", 1, 1)),)},
    ],
)
def test_nothing_is_said_where_it_is_not_known_which_apis_there_are(changes: dict[str, Any]) -> None:
    assert said(TK503, _called("http-other.json", **changes)) == []


@pytest.mark.parametrize("name", ["http-insurance.jsn", "http-insurance.JSON", "http-insurance", "mci-ABC.hx"])
def test_an_ending_that_nothing_reads_is_told(name: str) -> None:
    found = _called("http-insurance.json", sample_texts={f"{HERE}/{name}": "{}"})
    assert [line.partition(". ")[0] for line in said(TK503, found)] == [
        f"{HERE}/{name}:1:1: error: Nothing reads {HERE}/{name}: it is called like no sample"
    ]


@pytest.mark.parametrize("name", ["README.md", "http-insurance.json.bak", "http-insurance.json~", "http.txt"])
def test_notes_and_copies_beside_samples_are_silent(name: str) -> None:
    assert said(TK503, _called("http-insurance.json", sample_texts={f"{HERE}/{name}": "{}"})) == []


@pytest.mark.parametrize("folder", [f"{FOLDER}/samples", f"{HERE}/more"])
def test_a_sample_outside_the_folder_of_a_tool_is_told(folder: str) -> None:
    path = f"{folder}/http-insurance.json"
    expect(
        TK503,
        replace(_called("http-insurance.json", folder=folder), imported={}),
        f"{path}:1:1: error: Nothing reads {path}: a sample stands in the folder of its tool. Move it to "
        f"{FOLDER}/samples/{{tool}}/http-insurance.json.",
        f"{path}:1:1: error: {path} 파일을 읽는 곳이 없습니다. 샘플은 도구의 폴더에 있어야 합니다. "
        f"{FOLDER}/samples/{{tool}}/http-insurance.json 경로로 옮기십시오.",
    )


def test_a_folder_of_no_tool_is_read_by_the_mocks_and_the_names_in_it_count() -> None:
    folder = f"{FOLDER}/samples/shared"
    given = {"samples": {TOOL: (SAMPLE,), "shared": (f"{folder}/http-insurance.json", f"{folder}/http-insurace.json")}}
    assert len(said(TK503, _called(folder=folder, **given))) == 1
    assert said(TK503, _called(samples={TOOL: (SAMPLE,), "shared": (f"{folder}/notes.json",)})) == []


def _mci(tmp_path: Path, name: str, **files: str | None) -> Facts:
    path = f"src/my_tools/samples/{TOOL}/{name}"
    found = replace(mci_facts(tmp_path, files), imported={TOOL: imported()})
    return replace(found, samples={TOOL: (path,)}, sample_texts={path: "{}"})


def test_a_sample_of_no_interface_is_told_with_the_nearest_id(tmp_path: Path) -> None:
    path = f"src/my_tools/samples/{TOOL}/mci-CLCNNB0001-2.hex"
    expect(
        TK503,
        _mci(tmp_path, "mci-CLCNNB0001-2.hex"),
        f'{path}:1:1: error: Nothing reads {path}: no layout has the interface id "CLCNNB0001". Rename it to '
        "`mci-CLCNNB00001.hex`.",
        f'{path}:1:1: error: {path} 파일을 읽는 곳이 없습니다. 인터페이스 ID가 "CLCNNB0001"인 레이아웃이 없습니다. '
        "`mci-CLCNNB00001.hex`(으)로 이름을 바꾸십시오.",
    )


def test_a_sample_of_no_interface_that_is_near_to_none_is_told_with_all(tmp_path: Path) -> None:
    (told,) = said(TK503, _mci(tmp_path, "mci-X.json"))
    assert told.endswith("with the id of a layout (CLCNNB00001), or remove it.")


@pytest.mark.parametrize("name", ["mci-CLCNNB00001.json", "mci-CLCNNB00001-3.hex"])
def test_a_sample_of_an_interface_is_silent(name: str, tmp_path: Path) -> None:
    assert said(TK503, _mci(tmp_path, name)) == []


def test_nothing_is_said_where_an_id_is_computed(tmp_path: Path) -> None:
    files = mci_changed(IO, 'class CLCNNB00001_O(Layout, id="CLCNNB00001"', "class CLCNNB00001_O(Layout, id=ID")
    assert said(TK503, _mci(tmp_path, "mci-X.json", **files)) == []
