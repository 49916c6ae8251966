"""Renders the manifest from facts, for the rules about all of it; byte for byte what the service would publish."""

from collections.abc import Iterable, Iterator

from axhub.toolkit.facts.service import Facts, Imported, Settings
from axhub.toolkit.layout import DEFAULT_TIMEOUT_MILLIS
from axhub.toolkit.published.manifest import Entry, render_manifest
from axhub.toolkit.published.texts import read_texts
from axhub.toolkit.published.tool import Texts

__all__ = ["manifest_of"]


def manifest_of(facts: Facts) -> bytes | None:
    """Return the manifest; None where the package was not imported or has no configuration that can be read."""
    if facts.imported is None or facts.settings is None:
        return None
    return render_manifest(facts.settings.bundle_id, _entries(facts, facts.imported.values(), facts.settings)).body


def _entries(facts: Facts, tools: Iterable[Imported], settings: Settings) -> Iterator[Entry]:
    disabled = {name.value for name in settings.disabled}
    for tool in tools:
        definition = facts.definition_of(tool.name)
        texts = None if definition is None else read_texts(definition)
        if facts.is_draft(tool.name) or not isinstance(texts, Texts):
            continue
        timeout = settings.timeouts.get(tool.name)
        yield Entry(
            name=settings.namespace + tool.name,
            texts=texts,
            input_schema=tool.input_schema,
            output_schema=tool.output_schema if settings.publish_output_schema else None,
            timeout_millis=DEFAULT_TIMEOUT_MILLIS if timeout is None else timeout.value,
            enabled=tool.name not in disabled,
        )
