"""The command line as a whole: help for a newcomer, exit codes, and no stack trace for anybody."""

import io
import os
import signal
import socket
import subprocess
import sys
from importlib.metadata import version

import pytest

from axhub.cli.main import main

COMMANDS = [
    ["run"],
    ["tools", "list"],
    ["tools", "call"],
    ["tools", "watch"],
    ["gateway"],
    ["gateway", "check"],
    ["manifest", "check"],
    ["check"],
    ["explain"],
    ["mock"],
    ["new", "service"],
    ["new", "tool"],
]


def axhub(*words: str, **options: object) -> "subprocess.Popen[str]":
    # A test run in the background of a shell inherits that Ctrl-C is ignored; a person's terminal does not ignore it.
    listens = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    code = f"{listens}; import sys; from axhub.cli.main import main; sys.exit(main())"
    command = [sys.executable, "-c", code, *words]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
    return subprocess.Popen(command, text=True, **pipes)  # type: ignore[call-overload,no-any-return] # options vary


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"axhub {version('axhub')}\n"


def test_without_a_command_the_help_is_shown_and_the_exit_code_says_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    shown = capsys.readouterr().out
    assert all(f"  {command} " in shown for command in ("run", "tools", "gateway", "manifest"))


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_has_an_example_and_its_exit_codes_in_its_help(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*command, "--help"]) == 0
    shown = capsys.readouterr().out
    assert f"axhub {' '.join(command)}" in shown.split("\n\n", 1)[1]
    assert "exit codes:" in shown


@pytest.mark.parametrize("words", [["nope"], ["--nope"], ["tools"], ["manifest"], ["run", "--nope"], ["--vers"]])
def test_a_mistake_is_exit_code_2_with_the_usage(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert capsys.readouterr().err.startswith("usage: axhub")


def test_help_and_mistakes_load_nothing_heavy() -> None:
    code = "import sys; from axhub.cli.main import main; main(['tools', 'list', '--help']); print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {"mcp", "pydantic", "httpx2", "uvicorn", "uvloop", "axhub.gateway.main"}
    assert heavy.isdisjoint(ran.stdout.splitlines()[-1].split())


def test_ctrl_c_ends_with_130_and_one_word() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        process = axhub("tools", "list", f"http://127.0.0.1:{silent.getsockname()[1]}/mcp")
        silent.settimeout(30)
        with silent.accept()[0] as waiting:
            waiting.recv(1)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (130, "", "interrupted\n")


def test_ctrl_c_while_standard_input_is_awaited_is_the_same(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Keyboard(io.RawIOBase):
        def readall(self) -> bytes:
            raise KeyboardInterrupt

        def readable(self) -> bool:
            return True

    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(Keyboard())))
    assert main(["tools", "call", "http://127.0.0.1:1/mcp", "x", "--args", "-"]) == 130
    assert capsys.readouterr() == ("", "interrupted\n")


def test_a_reader_that_has_enough_is_no_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as closed:
        buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
        process = axhub("--help", stdout=closed, env=buffered)
        _, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (0, "")


def test_a_terminal_that_lacks_characters_is_no_error() -> None:
    environ = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    process = axhub("tools", "call", "--help", env=environ)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (0, "")
    assert '{"tool": \\u2026,' in out


def test_a_fault_of_ours_is_a_sentence_and_the_place_only_on_request() -> None:
    code = (
        "import sys, tempfile; tempfile.tempdir = '/no/such'; from axhub.cli import main; sys.exit(main.main(['run']))"
    )

    def ran(**environ: str) -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, "-c", code]
        return subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **environ})

    quiet = ran()
    assert quiet.returncode == 1
    assert quiet.stderr.startswith("axhub: FileNotFoundError: ")
    assert "Traceback" not in quiet.stderr
    assert "Traceback" in ran(AXHUB_TRACE="1").stderr
