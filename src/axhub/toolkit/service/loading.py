"""Finds the `ToolService` that a command line names: `PACKAGE`, `PACKAGE:app`, `PACKAGE.module:name`."""

import importlib
import importlib.util
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Final

from axhub.toolkit.gate.files import RECEIPT
from axhub.toolkit.gate.receipt import ReceiptError, check_receipt
from axhub.toolkit.rules.model import SaidError, Text
from axhub.toolkit.rules.telling.python_errors import of_python
from axhub.toolkit.service.app import ToolService
from axhub.toolkit.service.options import StartError

__all__ = ["AppError", "load_app"]

_NAME: Final = "app"
_MODULE: Final = "app"


class AppError(SaidError):
    """There is no such app; the message says what was looked for and what to do."""


def load_app(target: str, folder: Path, *, sealed: bool) -> ToolService:
    """Import and return an app.

    Args:
        target: the package (its `app.py` has the app), or a module with `:` and the app's name.
        folder: where a package that is not installed is looked for, in it and in its `src`.
        sealed: whether the package must have passed the build gate; then nothing of it runs before that is known. A
            target that is a single module is no package and has no receipt: it is whoever starts the service.

    Raises:
        AppError: it cannot be found or imported.
        StartError: its receipt does not fit.
    """
    module_name, _, name = target.partition(":")
    if not all(part.isidentifier() for part in module_name.split(".")) or not (name or _NAME).isidentifier():
        raise AppError(
            Text(
                f"{target!r} names no package; write it like claim_tools, or claim_tools.app:app",
                f"{target!r}은(는) 패키지 이름이 아닙니다. claim_tools 또는 claim_tools.app:app처럼 쓰십시오",
            )
        )
    _make_importable(module_name, folder)
    if sealed:
        _check_seal(module_name)
    module = _imported(module_name)
    found = getattr(module, name or _NAME, None)
    if not isinstance(found, ToolService) and hasattr(module, "__path__"):
        inner = f"{module_name}.{_MODULE}"
        if importlib.util.find_spec(inner) is not None:
            module = _imported(inner)
            found = getattr(module, name or _NAME, None)
    if not isinstance(found, ToolService):
        package = module_name.partition(".")[0]
        mend = f'app = ToolService("{package}")'
        raise AppError(
            Text(
                f"{module.__name__} has no ToolService called {name or _NAME!r}; write in {package}/app.py: {mend}",
                f"{module.__name__}에 {name or _NAME!r}라는 ToolService가 없습니다. {package}/app.py에 쓰십시오: "
                f"{mend}",
            )
        )
    return found


def _make_importable(module_name: str, folder: Path) -> None:
    top = module_name.partition(".")[0]
    if importlib.util.find_spec(top) is None:
        here = [str(place) for place in (folder / "src", folder) if (place / top).is_dir()]
        sys.path[:0] = here
        importlib.invalidate_caches()
    if importlib.util.find_spec(top) is None:
        raise AppError(
            Text(
                f"there is no package {top!r}; install the project, or start in its folder (looked in {folder})",
                f"패키지 {top!r}이(가) 없습니다. 프로젝트를 설치하거나 그 폴더에서 시작하십시오(찾은 곳: {folder})",
            )
        )


def _check_seal(module_name: str) -> None:
    """Compare the receipt of the package that a module is in, with nothing but its files.

    Raises:
        StartError: there is none, or it does not fit.
    """
    packages = dict(_packages(module_name))
    if not packages:
        return
    with_receipt = [name for name, place in packages.items() if (place / RECEIPT).exists()]
    name = with_receipt[0] if with_receipt else list(packages)[-1]
    try:
        check_receipt(packages[name], name)
    except ReceiptError as error:
        raise StartError([error.text]) from None


def _packages(module_name: str) -> Iterator[tuple[str, Path]]:
    """Yield the packages that a module is in, outermost first, with their folders; nothing is imported for that."""
    top, *inner = module_name.split(".")
    found = importlib.util.find_spec(top)
    places = [Path(place) for place in (found and found.submodule_search_locations) or ()]
    for depth in range(len(inner) + 1):
        below = [place for root in places if (place := root.joinpath(*inner[:depth])).is_dir()]
        if not below:
            return
        yield ".".join((top, *inner[:depth])), below[0]


def _imported(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        own = [frame for frame in frames if "importlib" not in frame.filename and frame.filename != __file__]
        where = f" ({own[-1].filename}:{own[-1].lineno})" if own else ""
        if isinstance(error, SyntaxError):
            where = f" ({error.filename}:{error.lineno})"
        said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        korean = f"{type(error).__name__}: {error.msg}" if isinstance(error, SyntaxError) else said
        raise AppError(
            Text(
                f"{name} cannot be imported: {said}{where}",
                f"{name}을(를) 가져올(import) 수 없습니다: {of_python(korean).ko}{where}",
            )
        ) from error
