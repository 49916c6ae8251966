"""The manifest that the check looks at is byte for byte the one that the service publishes."""

from dataclasses import replace
from pathlib import Path

import pytest

from axhub.toolkit.check import find_project
from axhub.toolkit.check.collect.gather import gather
from axhub.toolkit.check.imports import importing, with_import
from axhub.toolkit.check.manifest import manifest_of
from axhub.toolkit.config.loading import load_service
from axhub.toolkit.facts.service import Facts
from axhub.toolkit.published.discovery import find_tools
from axhub.toolkit.published.manifest import entry_of, render_manifest
from axhub.toolkit.published.publish import Options, publish
from support.breaks import SAMPLE, Edit, copy_sample, edit

CONFIG = "src/insurance_tools/config/service.yaml"
CHANGES = (
    Edit(CONFIG, '  namespace: ""', "  namespace: ins_"),
    Edit(CONFIG, "language: ko", "language: ko\npublishOutputSchema: true\ndisabledTools: [cmm_claim_search]"),
)


def facts_of(root: Path) -> Facts:
    project = find_project(root)
    with importing(project) as inspection:
        return with_import(gather(project), inspection.result())


def published_by(root: Path) -> bytes:
    """Return what the sample publishes with the configuration of a copy of it."""
    settings = load_service(root / CONFIG, {}, "local")
    folder = SAMPLE / "src/insurance_tools"
    options = Options(settings.namespace, settings.disabled_tools, settings.timeouts_millis)
    found = publish(find_tools("insurance_tools", SAMPLE).tools, folder, SAMPLE, options)
    shown = [
        entry_of(tool, publish_output_schema=settings.publish_output_schema) for tool in found.tools if tool.register
    ]
    return render_manifest(settings.bundle_id, shown).body


@pytest.mark.req("toolkit/S1")
@pytest.mark.parametrize("changes", [(), CHANGES], ids=["as it is", "with all settings"])
def test_the_manifest_from_facts_is_that_of_the_service(changes: tuple[Edit, ...], tmp_path: Path) -> None:
    root = copy_sample(tmp_path)
    for change in changes:
        edit(root, change)
    manifest = manifest_of(facts_of(root))
    assert manifest is not None
    assert manifest.decode() == published_by(root).decode()


def test_without_models_or_configuration_there_is_none(tmp_path: Path) -> None:
    facts = facts_of(copy_sample(tmp_path))
    assert manifest_of(replace(facts, imported=None)) is None
    assert manifest_of(replace(facts, settings=None)) is None
