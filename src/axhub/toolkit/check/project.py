"""Finds the project of a Tool Service and reads what its `pyproject.toml` says about it (toolkit/S0, decision/D26)."""

import re
import tomllib
from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from axhub.configuration.languages import Language
from axhub.toolkit.facts.service import Located, Place, Project
from axhub.toolkit.rules.model import Text

__all__ = ["PYPROJECT", "CannotCheckError", "ToolProject", "find_project", "is_project", "read_project"]

PYPROJECT: Final = "pyproject.toml"
_LISTS: Final = ("categories", "owners", "workspace")
_KEYS: Final = ("categories", "owners", "package", "workspace")
_AT: Final = re.compile(r"(?P<why>.*) \(at line (?P<line>[0-9]+), column (?P<column>[0-9]+)\)", re.DOTALL)
"""What the reader of TOML says."""
_PACKAGE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class CannotCheckError(ValueError):
    """There is nothing that could be checked; the message says why, and what to do (exit code 2)."""

    def __init__(self, *faults: Text) -> None:
        super().__init__("\n".join(fault.en for fault in faults))
        self.faults = faults
        """All reasons, in both languages."""

    def said(self, language: Language) -> str:
        """Return the message in one language."""
        return "\n".join(fault.said(language) for fault in self.faults)


@dataclass(frozen=True, slots=True)
class ToolProject:
    """A project on disk."""

    root: Path
    """Its folder, absolute."""
    name: str
    """`[project] name`."""
    facts: Project
    workspace: tuple[Located[str], ...] = ()
    """Folders of other Tool Services, as written."""

    @property
    def folder(self) -> Path:
        """The package's folder."""
        return self.root / self.facts.folder


def find_project(start: Path) -> ToolProject:
    """Return the project that a file or folder belongs to: the nearest one at or above it.

    Raises:
        CannotCheckError: there is none, or its `pyproject.toml` cannot be used.
    """
    if not start.exists():
        raise CannotCheckError(
            Text(f"{start}: there is no such file or folder", f"{start}: 그런 파일이나 폴더가 없습니다")
        )
    place = start.resolve()
    for folder in (place, *place.parents):
        if is_project(folder):
            return read_project(folder)
    raise CannotCheckError(
        Text(
            f"{start}: no Tool Service project is here: neither this folder nor one above it has a {PYPROJECT} with a "
            "table [tool.axhub]; name the project's folder, or make one with `axhub new service NAME`",
            f"{start}: 도구 서비스 프로젝트가 아닙니다. 이 폴더와 상위 폴더에 [tool.axhub] 표가 있는 {PYPROJECT} "
            "파일이 없습니다. 프로젝트 폴더를 지정하거나 `axhub new service NAME` 명령으로 만드십시오",
        )
    )


def is_project(folder: Path) -> bool:
    """Say whether a folder's `pyproject.toml` names the table `[tool.axhub]`, also if it cannot be read otherwise.

    One that nobody may read may name it.
    """
    file = folder / PYPROJECT
    try:
        text = file.read_bytes().decode("utf-8", "replace")
    except (FileNotFoundError, NotADirectoryError):
        return file.is_symlink()
    except OSError:
        return True
    try:
        return isinstance(tomllib.loads(text).get("tool", {}).get("axhub"), dict)
    except (tomllib.TOMLDecodeError, AttributeError):
        return "[tool.axhub]" in text


def read_project(root: Path) -> ToolProject:
    """Read the project in a folder.

    Raises:
        CannotCheckError: its `pyproject.toml` cannot be used; every fault of it is named.
    """
    text = _text(root / PYPROJECT)
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise CannotCheckError(_no_toml(root / PYPROJECT, str(error))) from None
    reading = _Reading(root, text, document)
    faults = list(reading.faults())
    if faults:
        raise CannotCheckError(*faults)
    return reading.project()


def _text(file: Path) -> str:
    try:
        content = file.read_bytes()
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise CannotCheckError(
            Text(
                f"{file}: it cannot be read: {why}; give read permission",
                f"{file}: 읽을 수 없습니다: {why}. 읽기 권한을 주십시오",
            )
        ) from None
    if content.startswith(BOM_UTF8):
        raise CannotCheckError(
            Text(
                f"{file}:1: it begins with a byte order mark, which TOML does not allow; save it as UTF-8 without BOM",
                f"{file}:1: TOML에서 허용하지 않는 BOM으로 시작합니다. BOM 없는 UTF-8로 저장하십시오",
            )
        )
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise CannotCheckError(
            Text(
                f"{file}:{line}: it is not UTF-8; save it as UTF-8",
                f"{file}:{line}: UTF-8이 아닙니다. UTF-8로 저장하십시오",
            )
        ) from None


def _no_toml(file: Path, said: str) -> Text:
    found = _AT.fullmatch(said)
    place, why = (f"{file}:{found['line']}:{found['column']}", found["why"]) if found else (str(file), said)
    return Text(f"{place}: it is not valid TOML ({why})", f"{place}: 올바른 TOML이 아닙니다({why})")


def _unknown(key: str, close: list[str]) -> Text:
    known = ", ".join(_KEYS)
    return Text(
        f'unknown key "{key}" in [tool.axhub]; ' + (f'did you mean "{close[0]}"?' if close else f"known are {known}"),
        f'[tool.axhub]에 "{key}" 키가 없습니다. '
        + (f'"{close[0]}" 키를 뜻했다면 그렇게 쓰십시오' if close else f"쓸 수 있는 키: {known}"),
    )


class _Reading:
    """One `pyproject.toml` while it is read."""

    def __init__(self, root: Path, text: str, document: Mapping[str, Any]) -> None:
        self._root = root
        self._lines = text.splitlines()
        self._project: Any = document.get("project")
        self._own: Any = document["tool"]["axhub"]

    def faults(self) -> Iterator[Text]:
        """Yield each reason why nothing can be checked."""
        if not isinstance(self._own, dict):
            yield self._said("tool.axhub", "", Text("[tool.axhub] is a table", "[tool.axhub]는 표여야 합니다"))
            return
        yield from self._table_faults()
        if not isinstance(self._project, dict) or not isinstance(self._project.get("name"), str):
            needed = '[project] needs a name: name = "my-tools"'
            yield self._said("project", "name", Text(needed, '[project]에 이름이 필요합니다: name = "my-tools"'))
        elif self._names_package() and self._package_folder() is None:
            yield self._no_package()

    def project(self) -> ToolProject:
        """Return what was read, once there is no fault."""
        own, folder = self._own, self._package_folder()
        version = self._project.get("version")
        facts = Project(
            package=self._package(),
            folder=folder or "",
            categories=tuple(own["categories"]) if "categories" in own else None,
            owners=tuple(own["owners"]) if "owners" in own else None,
            version=version if isinstance(version, str) else "",
        )
        at = Place(PYPROJECT, self._line("tool.axhub", "workspace"), 1)
        return ToolProject(
            self._root, self._project["name"], facts, tuple(Located(path, at) for path in own.get("workspace", ()))
        )

    def _table_faults(self) -> Iterator[Text]:
        for key, value in self._own.items():
            if key not in _KEYS:
                close = get_close_matches(key, _KEYS, 1)
                yield self._said("tool.axhub", key, _unknown(key, close))
            elif key in _LISTS and not (isinstance(value, list) and all(isinstance(item, str) for item in value)):
                wanted = f'{key} = ["…"]'
                said = Text(f"{key} takes a list of texts: {wanted}", f"{key} 값은 문자열 목록입니다: {wanted}")
                yield self._said("tool.axhub", key, said)
            elif key == "package" and not self._names_package():
                wanted = 'package = "my_tools"'
                said = Text(
                    f"package takes the name of a package: {wanted}", f"package 값은 패키지 이름입니다: {wanted}"
                )
                yield self._said("tool.axhub", key, said)

    def _names_package(self) -> bool:
        given = self._own.get("package", "a")
        return isinstance(given, str) and _PACKAGE.fullmatch(given) is not None

    def _package(self) -> str:
        given = self._own.get("package")
        return given if isinstance(given, str) else re.sub(r"[-.]+", "_", str(self._project["name"]))

    def _package_folder(self) -> str | None:
        name = self._package()
        return next((folder for folder in (f"src/{name}", name) if (self._root / folder).is_dir()), None)

    def _no_package(self) -> Text:
        name = self._package()
        return self._said(
            *(("tool.axhub", "package") if "package" in self._own else ("project", "name")),
            Text(
                f'the package "{name}" is neither in src/{name} nor in {name}; make that folder, or name the package: '
                '[tool.axhub] package = "…"',
                f'패키지 "{name}"이(가) src/{name}에도 {name}에도 없습니다. 그 폴더를 만들거나 패키지 이름을 쓰십시오: '
                '[tool.axhub] package = "…"',
            ),
        )

    def _said(self, table: str, key: str, what: Text) -> Text:
        line = self._line(table, key)
        place = f"{self._root / PYPROJECT}:{line}" if line else f"{self._root / PYPROJECT}"
        return Text(f"{place}: {what.en}", f"{place}: {what.ko}")

    def _line(self, table: str, key: str) -> int:
        """Return the line of a key in a table, else that of the table, else 0; inline tables are not looked into."""
        within, header = False, 0
        for number, line in enumerate(self._lines, 1):
            stripped = line.strip()
            if stripped.startswith("["):
                within = stripped.split("#")[0].strip() == f"[{table}]"
                header = number if within else header
            elif within and re.match(rf"""["']?{re.escape(key)}["']?\s*=""", stripped):
                return number
        return header
