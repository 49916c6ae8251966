"""Queries that nobody had in mind when the descriptions were written, from a file of their own.

By the file's name: `.yml` or `.yaml` has the queries of each tool below its name; `.csv` has a head with the columns
`query` and `tool`; `.jsonl` has an object with these two members on each line. More of them are passed over.
"""

import csv
import io
import json
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from axhub.configuration.faults import ConfigError, excerpt
from axhub.configuration.source import MAX_BYTES, Items, Scalar, Section, Value, read_yaml
from axhub.toolkit.check.project import CannotCheckError
from axhub.toolkit.facts.source import Place
from axhub.toolkit.rules.model import Text
from axhub.toolkit.rules.telling.authored import is_blank, nearest
from axhub.toolkit.selection import Asked

__all__ = ["read_queries"]

_MAX_FAULTS: Final = 20
_QUERY: Final = frozenset({"query", "질의"})
_TOOL: Final = frozenset({"tool", "도구"})
_NEEDED: Final = Text('needed are "query" and "tool"', '"query"와 "tool"이 필요합니다')


class _Fault(NamedTuple):
    line: int
    said: Text


_Found = Asked | _Fault


def read_queries(file: Path, tools: Collection[str]) -> tuple[Asked, ...]:
    """Return the queries of a file with the tools that they are meant for.

    Args:
        file: places are named as it is.
        tools: the names that there are.

    Raises:
        CannotCheckError: it cannot be read, or some of it cannot be used; each fault is told with its line.
    """
    reader = _READERS.get(file.suffix.lower())
    if reader is None:
        raise _refused(file, [_Fault(0, _UNKNOWN_KIND)])
    found = [_known(one, tools) for one in reader(_content(file), str(file))]
    faults = [one for one in found if isinstance(one, _Fault)]
    if faults or not found:
        raise _refused(file, faults or [_Fault(0, Text("it has no queries", "질의가 없습니다"))])
    return tuple(one for one in found if isinstance(one, Asked))


_UNKNOWN_KIND: Final = Text(
    "its name has to end in .yml, .yaml, .csv or .jsonl",
    "파일 이름은 .yml, .yaml, .csv, .jsonl 중 하나로 끝나야 합니다",
)


def _content(file: Path) -> bytes:
    try:
        content = file.read_bytes()
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise _refused(file, [_Fault(0, Text(f"it cannot be read: {why}", f"읽을 수 없습니다: {why}"))]) from None
    if len(content) > MAX_BYTES:
        raise _refused(file, [_Fault(0, Text(f"it has more than {MAX_BYTES} bytes", f"{MAX_BYTES}바이트보다 큽니다"))])
    return content


def _refused(file: Path, faults: list[_Fault]) -> CannotCheckError:
    shown = [
        Text(f"{_at(file, fault.line)}: {fault.said.en}", f"{_at(file, fault.line)}: {fault.said.ko}")
        for fault in faults[:_MAX_FAULTS]
    ]
    if more := len(faults) - _MAX_FAULTS:
        shown += [Text(f"{file}: {more} more", f"{file}: 그 밖에 {more}건")] if more > 0 else []
    return CannotCheckError(*shown)


def _at(file: Path, line: int) -> str:
    return f"{file}:{line}" if line else str(file)


def _known(found: _Found, tools: Collection[str]) -> _Found:
    if isinstance(found, _Fault) or found.tool in tools:
        return found
    name, near = excerpt(found.tool), nearest(found.tool, sorted(tools))
    meant = Text(f'; did you mean "{near}"?', f' "{near}" 도구를 뜻했습니까?') if near else Text("", "")
    said = Text(
        f'there is no tool "{name}" whose texts are written{meant.en}',
        f'설명이 작성된 "{name}" 도구가 없습니다.{meant.ko}',
    )
    return _Fault(found.place.line, said)


def _pair(query: object, tool: object, place: Place) -> _Found:
    """Return one query with its tool, if both are texts."""
    if isinstance(query, str) and isinstance(tool, str) and not is_blank(query) and not is_blank(tool):
        return Asked(query.strip(), tool.strip(), place)
    return _Fault(place.line, Text(f"{_NEEDED.en}, both texts", f"{_NEEDED.ko}. 둘 다 문자열이어야 합니다"))


# --- YAML ------------------------------------------------------------------------------------------------------------


def _yaml(content: bytes, file: str) -> Iterator[_Found]:
    try:
        document = read_yaml(content, file, what="a file of queries")
    except ConfigError as error:
        fault = error.faults[0]
        yield _Fault(
            fault.place.line, Text(f"{fault.found}; needed: {fault.allowed}", f"YAML로 읽을 수 없습니다: {fault.found}")
        )
        return
    if not isinstance(document, Section):
        yield _Fault(
            document.place.line,
            Text("needed: the names of tools, each with a list of queries", "도구 이름마다 질의 목록을 쓰십시오"),
        )
        return
    for member in document.members:
        if isinstance(member.value, Items):
            yield from (_yaml_query(item, member.name, file) for item in member.value.items)
        else:
            yield _Fault(
                member.place.line,
                Text(
                    f'"{excerpt(member.name)}" needs a list of queries below it',
                    f'"{excerpt(member.name)}" 아래에 질의 목록이 필요합니다',
                ),
            )


def _yaml_query(item: Value, tool: str, file: str) -> _Found:
    text = item.text if isinstance(item, Scalar) else None
    return _pair(text, tool, Place(file, item.place.line, item.place.column))


# --- CSV -------------------------------------------------------------------------------------------------------------


def _csv(content: bytes, file: str) -> Iterator[_Found]:
    text = _decoded(content)
    if text is None:
        yield _Fault(0, Text("it is neither UTF-8 nor CP949", "UTF-8도 CP949도 아닙니다"))
        return
    rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        head = [cell.strip().casefold() for cell in next(rows, [])]
        query, tool = _column(head, _QUERY), _column(head, _TOOL)
        if query is None or tool is None:
            said = 'the first line has to name the columns "query" and "tool"'
            yield _Fault(1, Text(said, '첫 줄에 "query"와 "tool" 열 이름이 필요합니다'))
            return
        line = rows.line_num + 1
        for cells in rows:
            if any(cell.strip() for cell in cells):
                whole = [*cells, *[""] * len(head)]
                yield _pair(whole[query], whole[tool], Place(file, line, 1))
            line = rows.line_num + 1
    except csv.Error as error:
        yield _Fault(rows.line_num, Text(f"it is no CSV: {error}", f"올바른 CSV가 아닙니다: {error}"))


def _decoded(content: bytes) -> str | None:
    """Return the text; spreadsheets on Korean machines save CP949."""
    for charset in ("utf-8-sig", "cp949"):
        try:
            return content.decode(charset)
        except UnicodeDecodeError:
            continue
    return None


def _column(head: list[str], names: frozenset[str]) -> int | None:
    return next((at for at, cell in enumerate(head) if cell in names), None)


# --- JSON lines ------------------------------------------------------------------------------------------------------


def _json_lines(content: bytes, file: str) -> Iterator[_Found]:
    for line, written in enumerate(content.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        if not written.strip():
            continue
        try:
            found = json.loads(written)
        except (ValueError, RecursionError):
            yield _Fault(line, Text("it is no JSON object", "JSON 객체가 아닙니다"))
            continue
        if isinstance(found, dict):
            yield _pair(found.get("query"), found.get("tool"), Place(file, line, 1))
        else:
            yield _Fault(line, Text("it is no JSON object", "JSON 객체가 아닙니다"))


_READERS: Final[Mapping[str, Callable[[bytes, str], Iterator[_Found]]]] = {
    ".yml": _yaml,
    ".yaml": _yaml,
    ".csv": _csv,
    ".jsonl": _json_lines,
}
