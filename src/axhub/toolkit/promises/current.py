"""What a Tool Service would promise if it were released now."""

from collections.abc import Iterator, Mapping

from axhub.toolkit.facts.service import Facts, Imported, Kind, Settings
from axhub.toolkit.layout import DEFAULT_TIMEOUT_MILLIS
from axhub.toolkit.promises.lock import Lock, LockedTool, Retired
from axhub.toolkit.published.texts import read_texts
from axhub.toolkit.published.tool import Texts

__all__ = ["current_lock"]

_NO_SETTINGS = Settings("")


def current_lock(facts: Facts, retired: Mapping[str, Retired]) -> Lock | None:
    """Return the lock of a service as it is; None where its tools, or what they say, cannot be read.

    Args:
        facts: with what the import told.
        retired: what the lock so far says about tools that are gone; one that is back is none of them.
    """
    if facts.imported is None or facts.problems or any(not facts.is_draft(one.tool) for one in facts.unusable):
        return None
    settings = facts.settings or _NO_SETTINGS
    tools = dict(_tools(facts, facts.imported, settings))
    if any(tool is None for tool in tools.values()):
        return None
    return Lock(
        settings.bundle_id,
        settings.namespace,
        {name: tool for name, tool in tools.items() if tool is not None},
        {name: one for name, one in retired.items() if name not in tools},
    )


def _tools(
    facts: Facts, imported: Mapping[str, Imported], settings: Settings
) -> Iterator[tuple[str, LockedTool | None]]:
    disabled = {name.value for name in settings.disabled}
    for name, tool in imported.items():
        if facts.is_draft(name):
            continue
        definition = facts.definition_of(name)
        texts = None if definition is None else read_texts(definition)
        if not isinstance(texts, Texts):
            yield name, None
            continue
        timeout = settings.timeouts.get(name)
        yield (
            name,
            LockedTool(
                version=texts.version,
                title=texts.title,
                description=texts.description,
                hints={
                    "readOnly": texts.read_only,
                    "destructive": texts.destructive,
                    "idempotent": texts.idempotent,
                    "openWorld": texts.open_world,
                },
                input_schema=tool.input_schema,
                output_schema=_answers(tool),
                output_published=settings.publish_output_schema and tool.output_kind is not Kind.NONE,
                timeout_millis=DEFAULT_TIMEOUT_MILLIS if timeout is None else timeout.value,
                enabled=name not in disabled,
            ),
        )


def _answers(tool: Imported) -> object:
    """Return what a tool's answers fit: what it declares, else what its model writes."""
    declared = tool.output_schema if tool.output_kind is not Kind.NONE else None
    return declared if declared is not None else tool.answer_schema or None
