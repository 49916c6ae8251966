"""Which sample files no mock reads, and what is said of them (toolkit/B4, rule/TK503)."""

from pathlib import Path

import pytest

from axhub.toolkit.connectors.unread import told_unread
from support.service_projects import write_files

pytestmark = pytest.mark.req("toolkit/B4")
APIS = ("claim", "code")
IDS = ("CLCNNB00001",)
IN = "samples/cmm_claim_search"


def _told(folder: Path, *paths: str, apis: tuple[str, ...] = APIS, ids: tuple[str, ...] = IDS) -> list[tuple[str, str]]:
    write_files(folder, {"tool_definitions/cmm/cmm_claim_search.yml": "", **dict.fromkeys(paths, "{}")})
    return [(text.en, text.ko) for text in told_unread(folder, apis, ids)]


@pytest.mark.parametrize(
    ("path", "english", "korean"),
    [
        (
            f"{IN}/http-clam.json",
            f'Nothing reads {IN}/http-clam.json: no API is called "clam". Rename it to `http-claim.json`.',
            (
                f'{IN}/http-clam.json 파일을 읽는 곳이 없습니다. "clam" 이름의 API가 없습니다. `http-claim.json`(으)로 '
                "이름을 바꾸십시오."
            ),
        ),
        (
            f"{IN}/mci-CLCNNB0001.hex",
            (
                f'Nothing reads {IN}/mci-CLCNNB0001.hex: no layout has the interface id "CLCNNB0001". Rename it to '
                "`mci-CLCNNB00001.hex`."
            ),
            (
                f'{IN}/mci-CLCNNB0001.hex 파일을 읽는 곳이 없습니다. 인터페이스 ID가 "CLCNNB0001"인 레이아웃이 '
                "없습니다. `mci-CLCNNB00001.hex`(으)로 이름을 바꾸십시오."
            ),
        ),
        (
            f"{IN}/http-zzz.json",
            (
                f'Nothing reads {IN}/http-zzz.json: no API is called "zzz". Rename it to `http-{{api}}.json` with the '
                "name of an API (claim, code), or remove it."
            ),
            (
                f'{IN}/http-zzz.json 파일을 읽는 곳이 없습니다. "zzz" 이름의 API가 없습니다. API 이름(claim, code)을 '
                "넣은 `http-{api}.json`으로 이름을 바꾸거나 파일을 지우십시오."
            ),
        ),
        (
            "samples/http-claim.json",
            (
                "Nothing reads samples/http-claim.json: a sample stands in the folder of its tool. Move it to "
                "samples/{tool}/http-claim.json."
            ),
            (
                "samples/http-claim.json 파일을 읽는 곳이 없습니다. 샘플은 도구의 폴더에 있어야 합니다. "
                "samples/{tool}/http-claim.json 경로로 옮기십시오."
            ),
        ),
        (
            f"{IN}/claim.json",
            (
                f"Nothing reads {IN}/claim.json: it is called like no sample. Rename it to `http-{{api}}.json` with "
                "the name of the API, or to `mci-{INTERFACE}.json` or `.hex`."
            ),
            (
                f"{IN}/claim.json 파일을 읽는 곳이 없습니다. 샘플 이름이 아닙니다. API 이름을 넣은 "
                "`http-{api}.json`, 또는 `mci-{INTERFACE}.json`이나 `.hex`로 이름을 바꾸십시오."
            ),
        ),
    ],
)
def test_a_sample_that_nothing_reads_is_told_with_what_to_do(
    path: str, english: str, korean: str, tmp_path: Path
) -> None:
    assert _told(tmp_path, path) == [(english, korean)]


def test_a_sample_of_a_kind_of_system_that_there_is_none_of_is_told(tmp_path: Path) -> None:
    ((english, _),) = _told(tmp_path, f"{IN}/mci-CLCNNB00001.json", ids=())
    assert english.startswith(f'Nothing reads {IN}/mci-CLCNNB00001.json: no layout has the interface id "CLCNNB')
    assert english.endswith("with the id of a layout (-), or remove it.")


@pytest.mark.parametrize(
    "path",
    [
        f"{IN}/http-claim.json",
        f"{IN}/http-claim-2.json",
        f"{IN}/mci-CLCNNB00001.json",
        f"{IN}/mci-CLCNNB00001-3.hex",
        "samples/shared/http-code.json",
        "samples/shared/notes.json",
        f"{IN}/README.md",
        f"{IN}/http-clam.json~",
        f"{IN}/.http-clam.json",
        "samples/.old/http-clam.json",
    ],
)
def test_what_is_read_and_what_is_no_sample_is_silent(path: str, tmp_path: Path) -> None:
    assert _told(tmp_path, path) == []


def test_a_package_without_samples_is_silent(tmp_path: Path) -> None:
    assert _told(tmp_path) == []
