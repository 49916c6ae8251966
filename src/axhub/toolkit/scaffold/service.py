"""The files of a new Tool Service (toolkit/T5)."""

from axhub.toolkit.check.report import Language
from axhub.toolkit.layout import BUSINESS, CONFIGURATION, HTTP, INFRASTRUCTURE
from axhub.toolkit.scaffold.files import Planned
from axhub.toolkit.scaffold.names import ServiceNames
from axhub.toolkit.scaffold.rendering import render
from axhub.toolkit.scaffold.texts import words

__all__ = ["service_files"]


def service_files(names: ServiceNames, language: Language) -> tuple[Planned, ...]:
    """Return the files of a service without tools.

    Args:
        names: from `service_names`.
        language: of the words that a person must replace, and of what models read when a call fails.
    """
    values = {**words(language), "project": names.project, "package": names.package, "lang": language}
    folder = f"src/{names.package}"
    templates = {
        "pyproject.toml": "pyproject.toml",
        "README.md": "README.md",
        ".gitignore": "gitignore",
        f"{folder}/__init__.py": "package.py",
        f"{folder}/app.py": "app.py",
        f"{folder}/{CONFIGURATION}": "service.yaml",
        f"{folder}/{BUSINESS}/__init__.py": "biz.py",
        f"{folder}/{INFRASTRUCTURE}/__init__.py": "infra.py",
        f"{folder}/{INFRASTRUCTURE}/{HTTP}/__init__.py": "http.py",
    }
    return tuple(Planned(path, render(f"service/{template}", values)) for path, template in templates.items())
