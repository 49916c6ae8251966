"""The lock beside `pyproject.toml`, as far as rules look at it (rule/TK106, rule/TK401)."""

from axhub.configuration.faults import ConfigError
from axhub.configuration.source import Section, read_yaml
from axhub.toolkit.check.collect import files
from axhub.toolkit.check.project import ToolProject
from axhub.toolkit.facts.released import Released, Unreadable
from axhub.toolkit.facts.service import Place
from axhub.toolkit.promises.lock import LOCK, LockError, read_lock

__all__ = ["released_in"]


def released_in(project: ToolProject) -> Released | None:
    """Return what the lock of a project says; None without one."""
    file = project.root / LOCK
    if not file.is_file():
        return None
    content = files.content_of(file)
    if isinstance(content, str):
        return Released(LOCK, problem=Unreadable(f"it cannot be read: {content}", f"읽을 수 없습니다: {content}"))
    try:
        lock = read_lock(content, LOCK)
    except LockError as error:
        plain = (said.removeprefix(f"{LOCK}: ") for said in error.text)
        return Released(LOCK, problem=Unreadable(*plain))
    return Released(
        LOCK,
        {name: tool.version for name, tool in lock.tools.items()},
        {name: one.reason for name, one in lock.retired.items()},
        _places(content),
    )


def _places(content: bytes) -> dict[str, Place]:
    """Return where the names of the tools stand."""
    try:
        root = read_yaml(content, LOCK)
    except ConfigError:  # JSON that is no YAML, or too much of it
        return {}
    tools = root.member("tools") if isinstance(root, Section) else None
    if tools is None or not isinstance(tools.value, Section):
        return {}
    return {one.name: Place(LOCK, one.place.line, one.place.column) for one in tools.value.members}
