"""`axhub mock` speaks the language that was asked for, by `--lang` or by LANG (toolkit/B4)."""

import asyncio
import os
import re
import signal
import sys
from pathlib import Path

import pytest

from axhub.cli.main import main
from axhub.cli.mock_words import in_language
from support.service_projects import PYPROJECT, write_files

pytestmark = pytest.mark.req("toolkit/B4")

CONFIG = """\
mcp: {bundleId: mine}
glow:
  communication:
    http:
      api-list:
        - {name: claim, domain: "${CLAIM_DOMAIN}", url: /claims, method: POST}
        - {name: code, domain: "http://codes.example", url: /codes, method: GET}
"""
ALLOWED = "API=delay:MILLISECONDS, API=fail:STATUS, API=cut, API=garble or API=reset (* is every API)"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    files = {
        "pyproject.toml": PYPROJECT,
        "src/my_tools/__init__.py": "",
        "src/my_tools/config/service.yaml": CONFIG,
        "src/my_tools/samples/cmm_claim_search/http-claim.json": "{}",
        "src/my_tools/samples/cmm_claim_search/http-claim-2.json": "{}",
    }
    monkeypatch.chdir(write_files(tmp_path, files))
    return tmp_path


@pytest.mark.parametrize(
    ("words", "config", "said"),
    [
        (
            ("nowhere",),
            CONFIG,
            "'nowhere'라는 패키지도 폴더도 없습니다. 도구 서비스의 폴더를 지정하십시오",
        ),
        (("nowhere/else",), CONFIG, "FOLDER/nowhere/else: 그런 파일이나 폴더가 없습니다"),
        (
            (".", "--fault", "clam=cut"),
            CONFIG,
            f'"clam=cut"에 적힌 API가 없습니다. 있는 이름: claim, code. 쓸 수 있는 형식: {ALLOWED}',
        ),
        (
            (".", "--fault", "claim=dance"),
            CONFIG,
            f'"claim=dance"은(는) 할 수 없는 동작입니다. 쓸 수 있는 형식: {ALLOWED}',
        ),
        (
            (".",),
            "mcp: {bundleId: mine}\n",
            (
                "FOLDER/src/my_tools/config/service.yaml 파일의 glow.communication.http.api-list와 "
                "glow.communication.mci.system-list에 항목이 없습니다"
            ),
        ),
        (
            (".",),
            CONFIG.replace("url: /codes", "url: codes"),
            (
                "설정에 오류가 1건 있습니다:\n  FOLDER/src/my_tools/config/service.yaml:7  "
                'glow.communication.http.api-list[1].url: 지금 값은 "codes", 쓸 수 있는 값은 /로 시작하는 경로(예: '
                "/claims/search)"
            ),
        ),
    ],
)
@pytest.mark.parametrize("by_flag", [True, False])
def test_why_there_is_nothing_to_serve(
    project: Path,
    words: tuple[str, ...],
    config: str,
    said: str,
    by_flag: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (project / "src/my_tools/config/service.yaml").write_text(config, encoding="utf-8")
    monkeypatch.setenv("LANG", "C" if by_flag else "ko_KR.UTF-8")
    assert main(["mock", *words, *(("--lang", "ko") if by_flag else ())]) == 2
    assert capsys.readouterr().err.replace(str(project.resolve()), "FOLDER") == f"axhub mock: {said}\n"


async def test_what_it_serves(project: Path) -> None:
    command = [sys.executable, "-m", "axhub.cli.main", "mock", ".", "--port", "0", "--lang", "ko"]
    environ = {**os.environ, "PYTHONUTF8": "1"}
    process = await asyncio.create_subprocess_exec(
        *command, cwd=project, env=environ, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    assert process.stdout is not None
    lines = [(await process.stdout.readline()).decode().rstrip("\n") for _ in range(7)]
    process.send_signal(signal.SIGTERM)
    await process.wait()
    assert [re.sub(r":\d{4,5}", ":PORT", line) for line in lines] == [
        "http://127.0.0.1:PORT 주소에서 모의 시스템을 실행합니다. Ctrl-C로 끝냅니다",
        "  claim  POST /claims  samples/cmm_claim_search/http-claim.json, samples/cmm_claim_search/http-claim-2.json",
        "    앞의 샘플이 같은 요청에 답하므로 쓰이지 않음: samples/cmm_claim_search/http-claim-2.json",
        '    구분하려면 요청의 멤버를 넣어 {"request": {…}, "answer": …} 형식으로 쓰십시오',
        "  code  GET /codes  샘플 없음: samples/TOOL/http-code.json 파일을 작성하십시오",
        "호출하려면 다음 환경 변수와 함께 서비스를 시작하십시오:",
        "  CLAIM_DOMAIN=http://127.0.0.1:PORT",
    ]


@pytest.mark.parametrize(
    ("line", "korean"),
    [
        (
            "the package my_tools cannot be imported (KeyError); axhub check says where",
            "패키지 my_tools을(를) 가져올(import) 수 없습니다(KeyError). 위치는 axhub check가 알려 줍니다",
        ),
        (
            (
                "the MCI system cfpa cannot be mocked: no folder of infra/mci has its ENVELOPE; write "
                "infra/mci/cfpa/envelope.py"
            ),
            (
                "MCI 시스템 cfpa을(를) 실행할 수 없습니다. infra/mci에 ENVELOPE가 없습니다. "
                "infra/mci/cfpa/envelope.py 파일을 작성하십시오"
            ),
        ),
        (
            "    CLCNNB00001  no sample: write samples/TOOL/mci-CLCNNB00001.json",
            "    CLCNNB00001  샘플 없음: samples/TOOL/mci-CLCNNB00001.json 파일을 작성하십시오",
        ),
        ("  cfpa  TCP 127.0.0.1:8091  (delay 5 ms)", "  cfpa  TCP 127.0.0.1:8091  (delay 5 ms)"),
    ],
)
def test_lines_about_mci_systems(line: str, korean: str) -> None:
    assert (in_language(line, "ko"), in_language(line, "en")) == (korean, line)
