"""`axhub service`: what it says when it cannot start, and how it starts, drains and ends."""

import asyncio
import signal
import socket
from pathlib import Path

import pytest

from support import tree
from support.process import PATIENCE_SECONDS
from support.receipts import sealed
from support.service_process import refused, service_process
from support.service_projects import write_files

DESK_FOLDER = tree.ROOT / "tests/support/desk_tools"
DESK = ("support.desk_tools", "--profile", "local", "--port", "0")


def patient(folder: Path, drain: int) -> str:
    """Write a configuration in which `desk_sleep` has time; return its path."""
    text = f"mcp:\n  bundleId: desk\ndrainSeconds: {drain}\ntools:\n  desk_sleep:\n    timeoutMillis: 30000\n"
    (folder / "service.yaml").write_text(text, encoding="utf-8")
    return str(folder / "service.yaml")


@pytest.mark.req("toolkit/S6")
async def test_it_listens_answers_and_ends_in_order_with_exit_code_0() -> None:
    async with service_process(*DESK) as service:
        await service.ready()
        assert (await service.send("/tools/desk_end", b'{"end": "refuse"}')).status == 409
        service.signal(signal.SIGTERM)
        assert await service.exit_code() == 0
    events = [event["event"] for event in service.log.events]
    assert events == ["started", "listening", "tool_call", "stopped"]
    assert service.log.other_lines == []


@pytest.mark.req("toolkit/S6")
async def test_calls_in_flight_end_and_nothing_new_is_taken_while_it_drains(tmp_path: Path) -> None:
    async with service_process(*DESK, "--config", patient(tmp_path, drain=20)) as service:
        await service.ready()
        call = asyncio.create_task(service.send("/tools/desk_sleep", b'{"seconds": 0.6}'))
        await service.in_flight(1)
        service.signal(signal.SIGTERM)
        answer = await call
        assert (answer.status, answer.json) == (200, {"done": True})
        assert await service.exit_code() == 0
        with pytest.raises(OSError, match=r"refused|Connect"):
            await service.send("/tools/desk_end", b'{"end": "refuse"}')


@pytest.mark.req("toolkit/S6")
async def test_calls_that_outlast_the_drain_are_cut(tmp_path: Path) -> None:
    async with service_process(*DESK, "--config", patient(tmp_path, drain=1)) as service:
        await service.ready()
        call = asyncio.create_task(service.send("/tools/desk_sleep", b'{"seconds": 30}'))
        await service.in_flight(1)
        service.signal(signal.SIGTERM)
        async with asyncio.timeout(PATIENCE_SECONDS):
            answer = await call
        assert await service.exit_code() == 0
        assert service.log.named("tool_call", outcome="stopped", errorId=answer.headers[b"x-error-id"].decode())
        assert (answer.status, answer.json["error"]["code"]) == (503, "STOPPED")


@pytest.mark.req("toolkit/S7", "toolkit/S0")
async def test_reasons_not_to_start_are_a_list_without_a_trace(tmp_path: Path) -> None:
    config = tmp_path / "service.yaml"
    config.write_text("mcp:\n  bundleId: desk\ndisabledTools: [desk_ende]\n", encoding="utf-8")
    with sealed(DESK_FOLDER, "support.desk_tools"):
        code, said = await refused("support.desk_tools", "--profile", "production", "--config", str(config))
    assert code == 2
    assert said.splitlines()[0].startswith("axhub service: the Tool Service cannot start, ")
    assert "  - disabledTools names 'desk_ende', which no tool is called; take it out or correct it" in said
    assert "  - the tool desk_note_write (repeat.key) wants RepeatStore, which nothing provides" in said
    assert "Traceback" not in said


@pytest.mark.parametrize(
    ("files", "words", "said"),
    [
        (
            {},
            ("nowhere",),
            "there is no package 'nowhere'; install the project, or start in its folder (looked in FOLDER)",
        ),
        ({}, ("9lives",), "'9lives' names no package; write it like claim_tools, or claim_tools.app:app"),
        (
            {"my_desk/__init__.py": ""},
            ("my_desk",),
            "my_desk has no ToolService called 'app'; write in my_desk/app.py: app = ToolService(\"my_desk\")",
        ),
        (
            {"src/my_desk/__init__.py": "", "src/my_desk/app.py": "other = 1\n"},
            ("my_desk:service",),
            "my_desk.app has no ToolService called 'service'; write in my_desk/app.py: app = ToolService(\"my_desk\")",
        ),
        (
            {"src/my_desk/__init__.py": "", "src/my_desk/app.py": "import no_such_thing\n"},
            ("my_desk",),
            (
                "my_desk.app cannot be imported: ModuleNotFoundError: No module named 'no_such_thing' "
                "(FOLDER/src/my_desk/app.py:1)"
            ),
        ),
        (
            {"src/my_desk/__init__.py": "", "src/my_desk/app.py": "app = (\n"},
            ("my_desk",),
            (
                "my_desk.app cannot be imported: SyntaxError: '(' was never closed (app.py, line 1) "
                "(FOLDER/src/my_desk/app.py:1)"
            ),
        ),
    ],
)  # fmt: skip
async def test_an_app_that_cannot_be_found_is_told_with_what_to_do(
    tmp_path: Path, files: dict[str, str], words: tuple[str, ...], said: str
) -> None:
    write_files(tmp_path, files)
    code, told = await refused(*words, "--profile", "local", cwd=tmp_path)
    assert (code, told) == (2, f"axhub service: {said.replace('FOLDER', str(tmp_path))}\n")


def written(folder: Path, name: str) -> Path:
    """Write a package that leaves a trace as soon as anything of it is imported."""
    text = f"from pathlib import Path\nPath({str(folder / 'ran')!r}).touch()\n"
    files = {
        "__init__.py": text,
        "app.py": f'{text}from axhub.toolkit import ToolService\napp = ToolService("{name}")\n',
    }
    return write_files(folder / "src" / name, files)


@pytest.mark.parametrize("target", ["our_desk", "our_desk:app", "our_desk.app", "our_desk.app:app"])
@pytest.mark.parametrize("with_receipt", [True, False])
async def test_nothing_of_a_package_runs_before_it_is_known_to_be_as_it_was_checked(
    tmp_path: Path, target: str, with_receipt: bool
) -> None:
    package = written(tmp_path, "our_desk")
    if with_receipt:
        with sealed(package, "our_desk"):
            (package / "app.py").write_text((package / "app.py").read_text(encoding="utf-8") + "x = 1\n", "utf-8")
            code, said = await refused(target, cwd=tmp_path)
        words = (
            "the files of 'our_desk' are not those that the build gate checked: changed: app.py; build the wheel anew"
        )
    else:
        code, said = await refused(target, cwd=tmp_path)
        words = "the package 'our_desk' has no receipt of the build gate"
    assert said.startswith(f"axhub service: the Tool Service cannot start, 1 problem:\n  - {words}")
    assert (code, (tmp_path / "ran").exists()) == (2, False)


async def test_a_module_of_its_own_that_starts_a_package_is_no_package_and_that_one_is_checked(tmp_path: Path) -> None:
    write_files(tmp_path, {"deploy.py": 'from axhub.toolkit import ToolService\napp = ToolService("our_desk")\n'})
    written(tmp_path, "our_desk")
    code, said = await refused("deploy", cwd=tmp_path, PYTHONPATH=str(tmp_path / "src"))
    assert (code, "has no receipt of the build gate" in said, (tmp_path / "ran").exists()) == (2, True, False)


async def test_a_port_that_is_taken_is_told_with_what_to_do() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        code, said = await refused("support.desk_tools", "--profile", "local", "--port", str(port))
    assert (code, said) == (
        1,
        (
            f"axhub service: cannot listen on 127.0.0.1:{port} (Address already in use); "
            "set --port or server.port to a free one\n"
        ),
    )


async def test_an_address_of_another_machine_is_told_with_what_to_do() -> None:
    code, said = await refused("support.desk_tools", "--profile", "local", "--host", "192.0.2.1")
    assert (code, said) == (
        1,
        (
            "axhub service: cannot listen on 192.0.2.1:0 (Cannot assign requested address); "
            "set --host to an address of this machine\n"
        ),
    )


@pytest.mark.req("toolkit/S7")
@pytest.mark.parametrize(
    ("files", "words", "said"),
    [
        (
            {},
            ("nowhere",),
            "패키지 'nowhere'이(가) 없습니다. 프로젝트를 설치하거나 그 폴더에서 시작하십시오(찾은 곳: FOLDER)",
        ),
        ({}, ("9lives",), "'9lives'은(는) 패키지 이름이 아닙니다. claim_tools 또는 claim_tools.app:app처럼 쓰십시오"),
        (
            {"my_desk/__init__.py": ""},
            ("my_desk",),
            "my_desk에 'app'라는 ToolService가 없습니다. my_desk/app.py에 쓰십시오: app = ToolService(\"my_desk\")",
        ),
        (
            {"src/my_desk/__init__.py": "", "src/my_desk/app.py": "app = (\n"},
            ("my_desk",),
            (
                "my_desk.app을(를) 가져올(import) 수 없습니다: SyntaxError: '(' 괄호를 닫지 않음 "
                "(FOLDER/src/my_desk/app.py:1)"
            ),
        ),
        (
            {
                "src/my_desk/__init__.py": "",
                "src/my_desk/app.py": 'from axhub.toolkit import ToolService\napp = ToolService("my_desk")\n',
                "src/my_desk/config/service.yaml": "mcp:\n  bundleId: desk\n",
            },
            ("my_desk",),
            (
                "도구 서비스를 시작할 수 없습니다. 문제 1건:\n"
                "  - 패키지 'my_desk'에 도구가 없습니다. @tool(…)로 선언하십시오"
            ),
        ),
    ],
)  # fmt: skip
@pytest.mark.parametrize("by_flag", [True, False])
async def test_what_stops_it_is_told_in_the_language_asked_for(
    tmp_path: Path, files: dict[str, str], words: tuple[str, ...], said: str, by_flag: bool
) -> None:
    write_files(tmp_path, files)
    flags = ("--lang", "ko") if by_flag else ()
    lang = "C" if by_flag else "ko_KR.UTF-8"
    code, told = await refused(*words, "--profile", "local", *flags, cwd=tmp_path, LANG=lang, PYTHONUTF8="1")
    assert (code, told) == (2, f"axhub service: {said.replace('FOLDER', str(tmp_path))}\n")


async def test_the_profile_comes_from_the_environment_where_no_flag_says_it() -> None:
    async with service_process("support.desk_tools", "--port", "0", AXHUB_PROFILE="local") as service:
        await service.ready()
        assert service.log.named("listening", profile="local")
        assert (await service.send("/tools/desk_draft")).status == 200


async def test_it_also_runs_on_any_other_asgi_server() -> None:
    from axhub.toolkit import EmployeeCipher, ToolService  # noqa: PLC0415 - only here
    from axhub.toolkit.testing import FakeCipher  # noqa: PLC0415 - only here

    app = ToolService("support.desk_tools", provide={EmployeeCipher: FakeCipher}, profile="production")
    app.configure(environ={})
    sent: list[dict[str, object]] = []

    async def receive() -> dict[str, object]:
        return {"type": "lifespan.startup"}

    async def send(message: dict[str, object]) -> None:
        sent.append(message)

    with sealed(DESK_FOLDER, "support.desk_tools"):
        await app({"type": "lifespan"}, receive, send)  # type: ignore[arg-type]  # ASGI's dicts
    assert sent[0]["type"] == "lifespan.startup.failed"
    assert "RepeatStore" in str(sent[0]["message"])
