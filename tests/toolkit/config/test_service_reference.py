"""The page about a service's configuration is current, complete, and its sample is one."""

import re
from pathlib import Path

import pytest

from axhub.toolkit.config.keys import KEYS
from axhub.toolkit.config.loading import load_service
from axhub.toolkit.config.reference import FILE, main, reference_markdown
from support import tree

pytestmark = pytest.mark.req("toolkit/S0")


def test_the_page_is_current() -> None:
    written = (tree.ROOT / "docs" / "reference" / FILE).read_text(encoding="utf-8")
    assert written == reference_markdown(), "write it anew: make docs"


def test_make_docs_writes_it(tmp_path: Path) -> None:
    main(tmp_path)
    assert [(file.name, file.read_text(encoding="utf-8")) for file in tmp_path.iterdir()] == [
        (FILE, reference_markdown())
    ]
    assert "axhub.toolkit.config.reference docs/reference" in (tree.ROOT / "Makefile").read_text(encoding="utf-8")


def test_every_key_has_one_row_that_says_what_is_allowed_and_the_default() -> None:
    lines = reference_markdown().splitlines()
    table = [line for line in lines if line.startswith("| `")]
    assert [line.split("`")[1] for line in table] == [key.path for key in KEYS]
    assert (
        "| `mcp.bundleId` | the name of the bundle | **required** | What the gateway knows this service by. |" in lines
    )
    assert "| `server.port` | a whole number from 0 to 65535 | `8081` | Its port; 0: any free one. |" in lines
    assert "`server.port` is `AXHUB_SERVICE__SERVER__PORT`." in reference_markdown()


def test_the_sample_on_the_page_is_a_configuration(tmp_path: Path) -> None:
    sample = re.search(r"```yaml\n(.*?)```", reference_markdown(), re.DOTALL)
    assert sample is not None
    file = tmp_path / "service.yaml"
    file.write_text(sample[1], encoding="utf-8")
    settings = load_service(file, {"CLAIM_API_KEY": "secret"}, "local")
    assert (settings.bundle_id, settings.timeouts_millis) == ("claim-tools", {"cmm_claim_search": 5000})
    assert [(api.name, api.domain, api.url) for api in settings.apis] == [
        ("claim", "http://localhost:8081", "/api/mock/http/claim")
    ]
    assert [(system.name, system.host, system.port) for system in settings.systems] == [("cfpa", "localhost", 0)]


@pytest.mark.req("toolkit/B3")
def test_each_length_field_on_the_page_is_one(tmp_path: Path) -> None:
    fields = re.findall(r"^lengthField: (.*)$", reference_markdown(), re.MULTILINE)
    assert len(fields) == 7
    file = tmp_path / "service.yaml"
    for field in fields:
        system = f"- {{name: a, host: mci.example.com, port: 9, lengthField: {field}}}"
        file.write_text(
            f"mcp: {{bundleId: a}}\nglow:\n  communication:\n    mci:\n      system-list:\n        {system}\n",
            encoding="utf-8",
        )
        assert len(load_service(file, {}, "production").systems) == 1
