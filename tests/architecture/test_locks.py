"""The locks hold what pyproject.toml asks for, agree with each other, and name no place to fetch from."""

import re
import tomllib
from collections.abc import Iterable
from typing import Final

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from support import tree

PIN: Final = re.compile(r"^(?P<name>[a-z0-9][a-z0-9._-]*)==(?P<version>\S+)(?P<rest>.*)$", re.MULTILINE)
PYPROJECT: Final = tomllib.loads((tree.ROOT / "pyproject.toml").read_text(encoding="utf-8"))
REGISTRIES: Final = [
    ".".join(parts)
    for parts in (
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("npmjs", "org"),
        ("npmjs", "com"),
        ("yarnpkg", "com"),
        ("docker", "io"),
        ("ghcr", "io"),
        ("quay", "io"),
        ("crates", "io"),
        ("proxy", "golang", "org"),
    )
]
"""Put together from parts, so that this file does not name what it forbids."""


def _pins(lock: str) -> dict[str, str]:
    text = (tree.ROOT / "requirements" / lock).read_text(encoding="utf-8")
    return {found["name"]: found["version"] for found in PIN.finditer(text)}


EXTRAS: Final = PYPROJECT["project"]["optional-dependencies"]
LOCKED: Final = {"run": ("client", "toolkit", "agent"), "dev": tuple(EXTRAS)}
"""The extras that each lock holds, by the dependency group that goes with them."""


def _asked_for(group: str, extras: Iterable[str]) -> list[Requirement]:
    """Return what pyproject.toml asks for: the project, some extras, and one dependency group."""
    texts = [*PYPROJECT["project"]["dependencies"], *(text for extra in extras for text in EXTRAS[extra])]
    groups = [group]
    while groups:
        for entry in PYPROJECT["dependency-groups"][groups.pop()]:
            if isinstance(entry, str):
                texts.append(entry)
            else:
                groups.append(entry["include-group"])
    return [Requirement(text) for text in texts]


@pytest.mark.parametrize(("lock", "group"), [("run.txt", "run"), ("dev.txt", "dev")])
def test_a_lock_pins_all_that_the_project_asks_for(lock: str, group: str) -> None:
    pins = _pins(lock)
    missing = [
        str(asked)
        for asked in _asked_for(group, LOCKED[group])
        if not asked.specifier.contains(pins.get(canonicalize_name(asked.name), "0"), prereleases=True)
    ]
    assert missing == [], "run `make lock`"


def test_what_make_run_installs_is_a_part_of_what_developers_install() -> None:
    assert _pins("run.txt").items() <= _pins("dev.txt").items()


def test_the_small_model_is_locked_by_itself_without_what_its_packages_ask_for() -> None:
    asked = (tree.ROOT / "requirements" / "model.in").read_text(encoding="utf-8")
    assert _pins("model.txt") == dict(re.findall(r"^([a-z0-9-]+)==(\S+)$", asked, re.MULTILINE))
    assert _pins("model.txt").keys() & _pins("dev.txt").keys() == set()


@pytest.mark.parametrize("lock", ["run.txt", "dev.txt", "model.txt"])
def test_every_pin_of_a_lock_carries_a_hash(lock: str) -> None:
    blocks = (tree.ROOT / "requirements" / lock).read_text(encoding="utf-8").split("\n")
    starts = [number for number, line in enumerate(blocks) if PIN.match(line)]
    assert [blocks[number] for number in starts if "--hash=sha256:" not in blocks[number + 1]] == []


def test_each_runtime_dependency_has_its_reason_in_the_decision_record() -> None:
    record = (tree.ROOT / "docs/decisions/0001-stack-and-dependencies.md").read_text(encoding="utf-8")
    explained = {canonicalize_name(name) for name in re.findall(r"^\| `([A-Za-z0-9._-]+)` \|", record, re.MULTILINE)}
    assert explained == {canonicalize_name(asked.name) for asked in _asked_for("run", EXTRAS)}


def test_no_file_of_the_repository_names_the_host_of_a_package_registry() -> None:
    named = [
        f"{tree.shown(path)} {host}"
        for path in tree.files("*")
        for text in [path.read_text(encoding="utf-8", errors="replace").lower()]
        for host in REGISTRIES
        if re.search(rf"\b{re.escape(host)}\b", text)
    ]
    assert named == []
