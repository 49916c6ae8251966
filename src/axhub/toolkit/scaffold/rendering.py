"""Fills in a template: `{{name}}` stands for a value, everything else for itself."""

import re
from collections.abc import Mapping
from importlib.resources import files
from typing import Final

__all__ = ["render"]

_NAME: Final = re.compile(r"\{\{([a-z_]+)\}\}")


def render(template: str, values: Mapping[str, str]) -> str:
    """Return the text of one generated file.

    Args:
        template: its name below `templates/`, without `.txt`: `tool/dto.py`.
        values: what the names in it stand for.

    Raises:
        KeyError: the template has a name that `values` lacks.
    """
    place = files("axhub.toolkit.scaffold") / "templates" / f"{template}.txt"
    return _NAME.sub(lambda found: values[found[1]], place.read_text(encoding="utf-8"))
