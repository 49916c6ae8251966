"""Real builds of services, good and bad, by the frontends that people use; and the start of what was installed.

Each build is a process of its own and takes seconds, so tests share what was built.
"""

import signal
import tomllib
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec
import pytest
from setuptools import build_meta  # type: ignore[import-untyped]  # it ships no types

import axhub
from axhub.toolkit.gate import setuptools_backend
from axhub.toolkit.gate.files import RECEIPT
from axhub.toolkit.gate.receipt import check_receipt
from support import tree
from support.author import run
from support.breaks import Edit, copy_sample, edit
from support.http import Response, exchange, render
from support.service_process import ServiceProcess, refused, service_process
from support.service_projects import write_files

PACKAGE: Final = "insurance_tools"
CLIENT: Final = f"src/{PACKAGE}/infra/http/comcode/client.py"
NAME: Final = 'API_NAME = "comcode"'
WITH_ADDRESS: Final = Edit(CLIENT, NAME, f'{NAME}\n    BASE = "https://code.example.com"')
OFFLINE: Final = ("--no-build-isolation", "--no-deps", "--no-index", "--disable-pip-version-check")
SETUPTOOLS: Final = """\
[build-system]
requires = ["setuptools>=80", "axhub[toolkit]"]
build-backend = "axhub.toolkit.gate.setuptools_backend"

[project]
name = "insurance-tools"
version = "1.0.0"
dependencies = ["axhub[toolkit]"]

[tool.axhub]

[tool.setuptools.packages.find]
where = ["src"]
"""
PACKAGE_DATA: Final = f"""
[tool.setuptools.package-data]
{PACKAGE} = ["**/*.yml", "**/*.yaml", "**/*.json", "**/*.hex"]
"""
ADDRESSES: Final = {
    f"AXHUB_{name}_HTTP_{part}": value
    for part, value in (("DOMAIN", "https://legacy.example.com"), ("URL", "/any"))
    for name in ("BRANCH", "CLAIM", "CLAIM_REGISTER", "COMCODE", "EXCHANGE", "NOTICE", "INSURANCE", "PREMIUM")
} | {"AXHUB_CFPA_MCI_HOST": "legacy.example.com", "AXHUB_CFPA_MCI_PORT": "9000"}


@dataclass(frozen=True, slots=True)
class Built:
    """What a build said, and what came out."""

    root: Path
    code: int
    said: str
    files: tuple[str, ...]

    @property
    def wheel(self) -> Path:
        return next((self.root / "dist").glob("*.whl"))


def built(root: Path, *words: str, language: str = "C.UTF-8", **more: str) -> Built:
    ran = run(root, *words, language=language, seconds=50, **more)
    return Built(root, ran.returncode, ran.stdout, tuple(sorted(file.name for file in (root / "dist").glob("*"))))


def build(root: Path, *words: str, **more: str) -> Built:
    """Run `python -m build`: the sdist, and the wheel from the sdist."""
    return built(root, "build", "--no-isolation", *words, **more)


def pip_wheel(root: Path, language: str = "C.UTF-8", **more: str) -> Built:
    return built(root, "pip", "wheel", *OFFLINE, "--wheel-dir", "dist", ".", language=language, **more)


def installed(wheel: Path, target: Path) -> Path:
    """Install a wheel as `pip` does; return the folder of the package."""
    ran = run(wheel.parent, "pip", "install", *OFFLINE[1:], "--quiet", "--target", str(target), str(wheel))
    assert ran.returncode == 0, ran.stdout
    return target / PACKAGE


def deployed(site: Path, folder: Path) -> dict[str, str]:
    """Return the environment of the installed sample outside `local`."""
    return {**ADDRESSES, "PYTHONPATH": str(site), "INSURANCE_TOOLS_REPEATS": str(folder / "repeats.sqlite3")}


def names_in(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        assert archive.testzip() is None
        return set(archive.namelist())


def files_of(root: Path) -> set[str]:
    found = {file.relative_to(root).as_posix() for file in root.rglob("*") if file.is_file()}
    return {name for name in found if "__pycache__" not in name}


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The sample service with a warning, an exception and a stale receipt, as sdist and wheel."""
    root = copy_sample(tmp_path_factory.mktemp("good"))
    edit(root, Edit(CLIENT, NAME, f"{NAME}\n    # axhub: allow TK612 -- it was here"))
    write_files(root, {f"src/{PACKAGE}/{RECEIPT}": '{"stale": true}'})
    before = files_of(root)
    done = build(root)
    assert files_of(root) - before == {f"dist/{name}" for name in done.files}, "nothing is left in the source"
    return done


@pytest.fixture(scope="module")
def around(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """A bad service whose wheel was built around the gate."""
    root = copy_sample(tmp_path_factory.mktemp("around"))
    edit(root, WITH_ADDRESS)
    return pip_wheel(root, HATCH_BUILD_NO_HOOKS="true")


@pytest.fixture(scope="module")
def site(good: Built, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The good wheel, installed."""
    folder = tmp_path_factory.mktemp("site")
    installed(good.wheel, folder)
    return folder


def test_a_good_service_is_built_by_way_of_its_sdist_and_its_warnings_are_shown_twice(good: Built) -> None:
    assert good.code == 0, good.said
    assert good.files == ("insurance_tools-1.0.0-py3-none-any.whl", "insurance_tools-1.0.0.tar.gz")
    assert good.said.count("src/insurance_tools/infra/http/comcode/client.py:11:5: warning TK004: ") == 2
    assert (
        good.said.count("1 warning in 11 tools; under development, errors shown as warnings: ins_premium_estimate") == 2
    )


def test_its_wheel_holds_the_receipt_over_exactly_the_files_of_the_package(good: Built) -> None:
    with zipfile.ZipFile(good.wheel) as archive:
        receipt = msgspec.json.decode(archive.read(f"{PACKAGE}/{RECEIPT}"))
        record = archive.read("insurance_tools-1.0.0.dist-info/RECORD").decode()
    assert {key: receipt[key] for key in receipt.keys() - {"digest", "files"}} == {
        "receipt": 1,
        "axhub": axhub.__version__,
        "project": "insurance-tools",
        "package": PACKAGE,
        "errors": 0,
        "warnings": {"TK004": 1},
        "drafts": ["ins_premium_estimate"],
        "allowed": [],
    }
    inside = {name.removeprefix(f"{PACKAGE}/") for name in names_in(good.wheel) if name.startswith(f"{PACKAGE}/")}
    assert set(receipt["files"]) == inside - {RECEIPT}
    assert {"app.py", "config/service.yaml", "samples/cmm_claim_search/http-claim.json"} <= inside
    assert record.count(f"{PACKAGE}/{RECEIPT},sha256=") == 1


def test_what_pip_installs_matches_its_receipt_and_keeps_matching_after_it_was_run(site: Path) -> None:
    assert list((site / PACKAGE).rglob("*.pyc")), "pip compiles"
    assert check_receipt(site / PACKAGE, PACKAGE).warnings == {"TK004": 1}


async def get(service: ServiceProcess, path: str) -> Response:
    return await exchange(service.port, render(b"", method=b"GET", path=path.encode()))


async def test_the_installed_service_starts_outside_local(site: Path, tmp_path: Path) -> None:
    words = (PACKAGE, "--profile", "production", "--port", "0")
    async with service_process(*words, **deployed(site, tmp_path)) as service:
        await service.ready()
        manifest = (await get(service, "/tool-manifest")).json
        assert len(manifest["tools"]) == 10
        service.signal(signal.SIGTERM)
        assert await service.exit_code() == 0
    assert [event["event"] for event in service.log.events] == ["started", "listening", "stopped"]
    assert files_of(tmp_path) == {"repeats.sqlite3"}


async def test_a_receipt_of_another_axhub_is_accepted_and_noted_in_the_log(good: Built, tmp_path: Path) -> None:
    receipt = installed(good.wheel, tmp_path) / RECEIPT
    receipt.write_text(receipt.read_text("utf-8").replace(f'"{axhub.__version__}"', '"0.0.9"'), encoding="utf-8")
    async with service_process(PACKAGE, "--port", "0", **deployed(tmp_path, tmp_path)) as service:
        await service.ready()
    (note,) = service.log.named("checked_by_another_version")
    assert (note["level"], note["checkedBy"], note["axhub"]) == ("warning", "0.0.9", axhub.__version__)


async def test_an_installed_service_that_was_altered_does_not_start(good: Built, tmp_path: Path) -> None:
    folder = installed(good.wheel, tmp_path)
    definition = "tool_definitions/cmm/cmm_claim_search.yml"
    (folder / definition).write_text((folder / definition).read_text("utf-8") + "# more\n", encoding="utf-8")
    (folder / "samples/cmm_claim_search/http-claim.json").unlink()
    write_files(folder, {"biz/cmm/extra.py": ""})
    code, said = await refused(PACKAGE, "--port", "0", cwd=tmp_path, **deployed(tmp_path, tmp_path))
    assert (code, said) == (
        2,
        (
            "axhub service: the Tool Service cannot start, 1 problem:\n"
            "  - the files of 'insurance_tools' are not those that the build gate checked: "
            f"changed: {definition}; missing: samples/cmm_claim_search/http-claim.json; not checked: biz/cmm/extra.py; "
            "build the wheel anew and install it\n"
        ),
    )


def test_around_the_gate_a_bad_service_gets_a_wheel_without_a_receipt(around: Built) -> None:
    assert around.code == 0, around.said
    assert around.files == ("insurance_tools-1.0.0-py3-none-any.whl",)
    assert f"{PACKAGE}/{RECEIPT}" not in names_in(around.wheel)


async def test_what_was_built_around_the_gate_does_not_start_outside_local(around: Built, tmp_path: Path) -> None:
    folder = installed(around.wheel, tmp_path)
    code, said = await refused(PACKAGE, "--port", "0", cwd=tmp_path, **deployed(tmp_path, tmp_path))
    assert (code, said.replace(str(folder), "FOLDER")) == (
        2,
        (
            "axhub service: the Tool Service cannot start, 1 problem:\n"
            "  - the package 'insurance_tools' has no receipt of the build gate (FOLDER/_axhub/receipt.json): it runs "
            "from its source, or its wheel was built around the gate; install a wheel that was built with it, or start "
            "on your own machine with --profile local\n"
        ),
    )
    words = (PACKAGE, "--profile", "local", "--port", "0")
    async with service_process(*words, **deployed(tmp_path, tmp_path)) as service:
        await service.ready()


FOUND: Final = (
    'src/insurance_tools/infra/http/comcode/client.py:11:12: error TK612: The address "https://code.example.com" '
)
CLOSED: Final = (
    "axhub: insurance-tools is not built: 1 error stands. Mend it and build again; `axhub check` shows it too."
)


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    root = copy_sample(tmp_path)
    edit(root, WITH_ADDRESS)
    return root


def is_refused(done: Built, found: str = FOUND, closed: str = CLOSED, fix: str = "    fix: ") -> None:
    lines = done.said.splitlines()
    (number,) = [number for number, line in enumerate(lines) if line.strip().startswith(found.rstrip())]
    assert lines[number + 1].strip().startswith(fix.strip())
    assert [line for line in lines if line.strip() == closed]
    assert "Traceback" not in done.said
    assert (done.code, done.files) == (1, ())


def test_a_bad_service_gets_neither_sdist_nor_wheel(bad: Path) -> None:
    is_refused(build(bad))


def test_a_bad_service_gets_no_wheel_from_its_source_either(bad: Path) -> None:
    is_refused(build(bad, "--wheel"))


def test_pip_shows_the_findings_too_in_the_language_of_the_environment(bad: Path) -> None:
    is_refused(
        pip_wheel(bad, language="ko_KR.UTF-8"),
        "src/insurance_tools/infra/http/comcode/client.py:11:12: 오류 TK612: ",
        (
            "axhub: insurance-tools: 빌드하지 않았습니다. 오류가 1건 있습니다. 고친 뒤 다시 빌드하십시오. "
            "`axhub check`로도 볼 수 있습니다."
        ),
        "고침: ",
    )


def test_an_editable_installation_of_a_bad_service_passes(bad: Path, tmp_path: Path) -> None:
    script = "import hatchling.build, sys; hatchling.build.build_editable(sys.argv[1])"
    (bad / "editable.py").write_text(script, encoding="utf-8")
    ran = run(bad, "editable", str(tmp_path))
    assert ran.returncode == 0, ran.stdout
    (wheel,) = tmp_path.glob("*.whl")
    assert not [name for name in names_in(wheel) if name.endswith(RECEIPT)]


def test_the_hook_is_found_by_hatchling_and_loads_nothing_of_the_toolkit(tmp_path: Path) -> None:
    document = tomllib.loads((tree.ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert document["project"]["entry-points"]["hatch"] == {"axhub": "axhub.cli.hatch_plugin"}
    script = "import sys, axhub.cli.hatch_plugin; print([name for name in sys.modules if 'axhub.toolkit' in name])"
    (tmp_path / "loaded.py").write_text(script, encoding="utf-8")
    assert run(tmp_path, "loaded").stdout == "[]\n"


def test_an_isolated_build_is_told_to_bring_what_the_package_imports(bad: Path) -> None:
    edit(bad, Edit("pyproject.toml", 'dependencies = ["axhub[toolkit]"]', 'dependencies = ["axhub[toolkit]", "attrs"]'))
    script = "import hatchling.build as b; print(b.get_requires_for_build_wheel(), b.get_requires_for_build_sdist())"
    (bad / "requires.py").write_text(script, encoding="utf-8")
    ran = run(bad, "requires")
    assert ran.stdout == "['attrs', 'axhub[toolkit]'] ['attrs', 'axhub[toolkit]']\n"


def test_files_that_the_wheel_would_not_have_stop_the_build(tmp_path: Path) -> None:
    root = copy_sample(tmp_path)
    packages = f'packages = ["src/{PACKAGE}"]'
    edit(root, Edit("pyproject.toml", packages, f'{packages}\nexclude = ["**/smp/*.yml"]'))
    done = pip_wheel(root)
    assert (done.code, done.files) == (1, ())
    assert (
        "axhub: insurance-tools is not built: the wheel lacks files that were checked: "
        "tool_definitions/smp/smp_branch_search.yml, tool_definitions/smp/smp_exchange_inquiry.yml, "
        "tool_definitions/smp/smp_notice_lookup.yml. "
    ) in done.said


def test_files_that_come_into_the_wheel_from_elsewhere_stop_the_build(tmp_path: Path) -> None:
    root = copy_sample(tmp_path)
    write_files(root, {"other/app.py": "app = None\n"})
    packages = f'packages = ["src/{PACKAGE}"]'
    force = f'[tool.hatch.build.targets.wheel.force-include]\n"other/app.py" = "{PACKAGE}/more.py"\n'
    edit(root, Edit("pyproject.toml", packages, f"{packages}\n\n{force}"))
    done = pip_wheel(root)
    assert (done.code, done.files) == (1, ())
    assert "the wheel has files that are not those that were checked: more.py. Let the hook" in done.said


def test_code_outside_the_package_stops_the_build(tmp_path: Path) -> None:
    root = copy_sample(tmp_path)
    write_files(root, {"src/helpers/__init__.py": "", "src/helpers/call.py": "x = 1\n", "src/extra.py": "x = 1\n"})
    packages = f'packages = ["src/{PACKAGE}"]'
    more = f'packages = ["src/{PACKAGE}", "src/helpers"]\nforce-include = {{"src/extra.py" = "extra.py"}}'
    edit(root, Edit("pyproject.toml", packages, more))
    done = pip_wheel(root)
    assert (done.code, done.files) == (1, ())
    assert (
        "axhub: insurance-tools is not built: the wheel holds code outside the package: extra.py, helpers/. The check "
        "sees only the package: move the code into insurance_tools, or leave it out of the wheel."
    ) in done.said


@pytest.fixture
def on_setuptools(tmp_path: Path) -> Path:
    root = copy_sample(tmp_path)
    write_files(root, {"pyproject.toml": SETUPTOOLS + PACKAGE_DATA})
    return root


def test_setuptools_builds_a_good_service_with_a_receipt_that_matches(on_setuptools: Path, tmp_path: Path) -> None:
    done = pip_wheel(on_setuptools)
    assert (done.code, done.files) == (0, ("insurance_tools-1.0.0-py3-none-any.whl",)), done.said
    receipt = check_receipt(installed(done.wheel, tmp_path / "site"), PACKAGE)
    assert (receipt.project, receipt.drafts) == ("insurance-tools", ("ins_premium_estimate",))


def test_setuptools_builds_neither_sdist_nor_wheel_of_a_bad_service(on_setuptools: Path) -> None:
    edit(on_setuptools, WITH_ADDRESS)
    is_refused(build(on_setuptools))
    is_refused(pip_wheel(on_setuptools))


def test_setuptools_is_told_when_it_was_not_told_about_the_definitions(on_setuptools: Path) -> None:
    write_files(on_setuptools, {"pyproject.toml": SETUPTOOLS})
    done = pip_wheel(on_setuptools)
    assert (done.code, done.files) == (1, ())
    assert "the wheel lacks files that were checked: config/service.yaml, tool_definitions/cmm/" in done.said


def test_setuptools_is_told_of_code_outside_the_package_in_the_language_of_the_environment(on_setuptools: Path) -> None:
    write_files(on_setuptools, {"src/helpers/__init__.py": ""})
    done = pip_wheel(on_setuptools, language="ko_KR.UTF-8")
    assert (done.code, done.files) == (1, ())
    assert (
        "wheel에 패키지 밖의 코드가 있습니다: helpers/. 검사는 패키지만 봅니다. 코드를 insurance_tools 패키지 안으로 "
        "옮기거나 wheel에서 빼십시오."
    ) in done.said


def test_the_backend_for_setuptools_leaves_the_rest_to_setuptools(
    on_setuptools: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert setuptools_backend.build_editable == build_meta.build_editable
    monkeypatch.chdir(on_setuptools)
    assert setuptools_backend.get_requires_for_build_wheel() == ["axhub[toolkit]"]
    assert setuptools_backend.get_requires_for_build_sdist() == ["axhub[toolkit]"]
