"""Imports the package of a Tool Service and prints what its tools are, as one JSON document.

Runs in a process of its own, since importing runs the author's code: `python -m axhub.toolkit.inspecting PROJECT_FOLDER
PACKAGE`, which `check.inspection` starts. Whatever that code prints goes to the error output, apart from the document.
"""

import linecache
import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import msgspec
from pydantic_core import SchemaError

from axhub.toolkit.check.hanging import listen
from axhub.toolkit.check.inspection import Document, package_folder
from axhub.toolkit.facts.service import Imported, Located, Unusable
from axhub.toolkit.inspecting.fields import fields_of, leaks_of, qualified_name
from axhub.toolkit.inspecting.patterns import bad_pattern
from axhub.toolkit.published.discovery import Found, find_tools
from axhub.toolkit.published.publish import schemas_of
from axhub.toolkit.published.signatures import shown
from axhub.toolkit.published.tool import FoundTool
from axhub.toolkit.published.written import place_in

__all__ = ["look_at_package", "main"]

_MAX_MESSAGE: Final = 300


def main(arguments: list[str], inspect: Callable[[Path, str], Document]) -> None:
    """Inspect and print; ends the process, whatever threads the author's code has left behind.

    Args:
        arguments: the project's folder, the package, and the number of an open file for `hanging.listen`, if wanted.
        inspect: looks at the package.
    """
    answer = os.dup(1)
    os.dup2(2, 1)
    project, package, *frames = arguments
    if frames:
        listen(int(frames[0]))
    document = inspect(Path(project), package)
    with os.fdopen(answer, "wb") as output:
        output.write(msgspec.json.encode(document))
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def look_at_package(project: Path, package: str) -> tuple[Document, Found]:
    """Import a package and return its tools, or why it cannot be imported, with what was found itself.

    Args:
        project: the project's root.
        package: dotted name of the package, in `src` or the root.
    """
    root = project.resolve()
    folder = package_folder(root, package)
    sys.path.insert(0, str(folder.parent))
    try:
        found = find_tools(package, root)
        tools = [_imported(tool, folder, root) for tool in found.tools]
        tools += [_imported(one.tool, folder, root, one.annotation) for one in found.answerless]
    except BaseException as error:  # noqa: BLE001 - the author's module may raise anything, or ask the process to end
        return Document(problem=_problem(error, folder, root)), Found((), ())
    named: dict[str, Imported] = {}
    unusable = list(found.problems)
    for imported, problems in tools:
        named.setdefault(imported.name, imported)
        unusable += problems
    return Document(named, tuple(unusable)), found


def _imported(
    tool: FoundTool, folder: Path, root: Path, annotation: Any = None
) -> tuple[Imported, tuple[Unusable, ...]]:
    """Return the facts of one tool; `annotation` is what it returns if that is no model."""
    schemas = schemas_of(tool, folder, root)
    answers = tool.response if annotation is None else annotation
    imported = Imported(
        name=tool.name,
        input_schema=schemas.input,
        input_kind=schemas.input_kind,
        model_schema=schemas.model,
        output_schema=schemas.output,
        output_kind=schemas.output_kind,
        answer_schema=schemas.answer if annotation is None else {},
        request="" if tool.request is None else qualified_name(tool.request),
        response=qualified_name(tool.response) if annotation is None else shown(annotation),
        response_is_model=annotation is None,
        inputs=fields_of(tool.request, root, written=False),
        outputs=fields_of(tool.response, root, written=True),
        leaks=leaks_of(answers),
    )
    return imported, schemas.problems


def _problem(error: BaseException, folder: Path, root: Path) -> Located[str]:
    """Return what an import ended with, at the author's line that is nearest to it."""
    text = _said(error)
    if isinstance(error, SyntaxError) and error.filename:
        return Located(text, place_in(error.filename, root, error.lineno or 1, error.offset or 0))
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if Path(frame.filename).is_relative_to(folder)]
    if not own:
        return Located(text, place_in(folder / "__init__.py", root, 1))
    last = own[-1]
    found = bad_pattern(Path(last.filename), last.lineno or 1) if isinstance(error, SchemaError) else None
    if found is not None:
        text = f"the pattern of {found.field} is no regular expression: {found.cause}"
        return Located(text[:_MAX_MESSAGE], place_in(last.filename, root, found.line, found.column))
    return Located(text, place_in(last.filename, root, last.lineno or 1, _column(last)))


def _said(error: BaseException) -> str:
    """Return the type of an error and the first line of what it says."""
    kind = type(error)
    name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    said = (error.msg if isinstance(error, SyntaxError) else str(error)).strip().splitlines()
    return (f"{name}: {said[0]}" if said else name)[:_MAX_MESSAGE]


def _column(frame: traceback.FrameSummary) -> int:
    """Return the column in characters; 0 where Python does not know it."""
    if frame.colno is None or not frame.line:
        return 0
    written = linecache.getline(frame.filename, frame.lineno or 1)
    return len(written.encode()[: frame.colno].decode(errors="replace")) + 1
