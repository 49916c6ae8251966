"""The sample Tool Service is what an author would be proud of: it is checked, and its own tests pass."""

from collections import Counter

import pytest
import yaml

from support import tree
from support.author import run

pytestmark = pytest.mark.req("toolkit/T4")

PROJECT = tree.ROOT / "examples" / "insurance_tools"
PACKAGE = PROJECT / "src" / "insurance_tools"
KINDS = ("Rows(", "Packed(", "Date(", "scale=", 'sign="leading"', 'charset="cp949"')
DEFINITIONS = sorted(PACKAGE.glob("tool_definitions/*/*.yml"))


def test_nothing_is_to_be_found_in_it() -> None:
    ran = run(PROJECT, "axhub.cli.main", "check", "--strict")
    assert (ran.returncode, ran.stdout) == (
        0,
        (
            "samples not tried, since the tool writes: cmm_claim_register\n"
            "nothing found in 11 tools; under development, errors shown as warnings: ins_premium_estimate\n"
        ),
    )


@pytest.mark.timeout(300)
def test_its_own_tests_pass() -> None:
    ran = run(PROJECT, "pytest", "-q", "--strict-config", "-W", "error", seconds=280)
    assert ran.returncode == 0, ran.stdout


def test_it_has_all_kinds_of_tools_in_three_categories() -> None:
    definitions = [yaml.safe_load(path.read_text(encoding="utf-8")) for path in DEFINITIONS]
    assert Counter(definition["category_key"] for definition in definitions) == {"cmm": 4, "smp": 3, "ins": 4}
    assert [definition["name"] for definition in definitions if not definition["read_only"]] == ["cmm_claim_register"]
    assert [path.stem for path in DEFINITIONS] == [definition["name"] for definition in definitions]


@pytest.mark.req("toolkit/B1", "toolkit/B3")
def test_it_has_tools_before_http_apis_and_before_telegrams() -> None:
    settings = yaml.safe_load((PACKAGE / "config" / "service.yaml").read_text(encoding="utf-8"))["glow"][
        "communication"
    ]
    assert [system["name"] for system in settings["mci"]["system-list"]] == ["cfpa"]
    samples = Counter(path.name.partition("-")[0] for path in PACKAGE.glob("samples/*/*"))
    assert (samples["http"] > 8, samples["mci"]) == (True, 5)
    kinds = {
        kind for path in PACKAGE.glob("infra/mci/cfpa/io/*.py") for kind in KINDS if kind in path.read_text("utf-8")
    }
    assert kinds == set(KINDS)


def test_it_uses_the_toolkit_through_its_public_surface_only() -> None:
    inner = [
        f"{tree.shown(path)}:{line} {module}"
        for path in tree.python_files("examples/insurance_tools")
        for module, _, line in tree.imported_names(path)
        if module.split(".")[0] == "axhub"
        and module not in {"axhub.toolkit", "axhub.toolkit.mci", "axhub.toolkit.testing", "axhub.toolkit.testing_http"}
    ]
    assert inner == []
