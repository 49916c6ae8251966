"""How a measurement of selection looks on a terminal, in both languages: figures, each tool, misses, confusions."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from axhub.cli.tables import Column, bold, one_line, table
from axhub.configuration.languages import Language

if TYPE_CHECKING:
    from axhub.toolkit.check.selection import SelectionReport
    from axhub.toolkit.selection import Ranked

__all__ = ["selection_lines"]

_MOST_CONFUSED: Final = 12
"""Tools that the matrix shows: it has to fit beside their names."""
_WORDS: Final[Mapping[Language, Mapping[str, str]]] = {
    "en": {
        "examples": "{project}: {queries} example queries of {tools} tools",
        "held_out": "{project}: {queries} queries of {file} against {tools} tools",
        "r1": "the query's own tool is first for {hits} of {queries}",
        "r3": "it is among the first three for {hits} of {queries}",
        "repeated": "{count} of them are example queries too: they were at hand when the descriptions were written",
        "unmeasured": "not measured, since it cannot be read or its texts are not written: {files}",
        "tool": "TOOL",
        "ranks": "RANKS",
        "nearest": "READS MOST LIKE",
        "misses": "Queries that lead to another tool first:",
        "miss": '{place}: rank {rank}, first is {first}: "{query}"',
        "missing": "not in the description of {tool}: {words}",
        "matrix": "Whose queries (a line) lead to which tool first (a column):",
        "more": "{count} more tools are confused; --format json has all of them",
        "limits": "This compares characters, not meanings, and is no model's choice. Use it to see which words of its "
        "users a description lacks, and which tools read alike.",
        "nothing": "there are no queries to measure with",
    },
    "ko": {
        "examples": "{project}: 도구 {tools}개의 예시 질의 {queries}개",
        "held_out": "{project}: {file}의 질의 {queries}개, 도구 {tools}개",
        "r1": "질의의 도구가 첫 번째: {queries}개 중 {hits}개",
        "r3": "세 번째 안: {queries}개 중 {hits}개",
        "repeated": "이 중 {count}개는 예시 질의와 같습니다. 설명을 쓸 때 이미 보았던 질의입니다",
        "unmeasured": "읽을 수 없거나 설명이 작성되지 않아 측정하지 않음: {files}",
        "tool": "도구",
        "ranks": "순위",
        "nearest": "가장 비슷한 도구",
        "misses": "다른 도구가 첫 번째인 질의:",
        "miss": '{place}: {rank}번째, 첫 번째는 {first}: "{query}"',
        "missing": "{tool} 설명에 없는 말: {words}",
        "matrix": "어느 도구의 질의(행)가 어느 도구(열)로 이어지는가:",
        "more": "혼동되는 도구가 {count}개 더 있습니다. 전체는 --format json으로 볼 수 있습니다",
        "limits": "뜻이 아니라 글자를 견준 값이며 모델의 선택이 아닙니다. 설명에 사용자의 말이 빠지지 않았는지, 어느 "
        "도구가 비슷하게 읽히는지 보는 데 쓰십시오.",
        "nothing": "측정할 질의가 없습니다",
    },
}


def selection_lines(
    report: "SelectionReport", language: Language, *, prefix: str = "", limit: int | None = None, colour: bool = False
) -> Iterator[str]:
    """Yield the report.

    Args:
        report: what was measured.
        language: of everything that is said.
        prefix: the project's folder as seen from the reader's.
        limit: the terminal's columns, for tables; None: there is no terminal.
        colour: whether to paint for one.
    """
    words, found = _WORDS[language], report.measurement
    yield from _figures(report, words)
    if found.tools:
        yield ""
        yield from _headed(_tools(report, words, limit), colour)
    if report.missed:
        yield from ("", bold(words["misses"], colour))
        for one in report.missed:
            yield from _miss(one, words, "" if report.queries else prefix)
        yield from ("", bold(words["matrix"], colour), *_matrix(report, words))
    yield from ("", words["limits"])


def _figures(report: "SelectionReport", words: Mapping[str, str]) -> Iterator[str]:
    found = report.measurement
    head = words["examples" if report.queries is None else "held_out"]
    count = len(found.ranked)
    yield one_line(head.format(project=report.project.name, queries=count, tools=len(found.tools), file=report.queries))
    if not count:
        yield words["nothing"]
    for first in (1, 3) if count else ():
        hits = sum(rank <= first for rank in found.ranks())
        yield f"R@{first}  {hits / count:.2f}  {words[f'r{first}'].format(hits=hits, queries=count)}"
    if report.repeated:
        yield words["repeated"].format(count=report.repeated)
    if report.unmeasured:
        yield one_line(words["unmeasured"].format(files=", ".join(one.path for one in report.unmeasured)))


def _tools(report: "SelectionReport", words: Mapping[str, str], limit: int | None) -> list[str]:
    columns = (Column(words["tool"], 64), Column("R@1", 4), Column("R@3", 4), Column(words["ranks"]))
    rows = [(*_row(report, name), _near(report, name)) for name in report.measurement.tools]
    return table((*columns, Column(words["nearest"], 16)), rows, limit)


def _row(report: "SelectionReport", name: str) -> tuple[str, str, str, str]:
    found = report.measurement
    shares = [found.recall(first, name) for first in (1, 3)]
    one, three = ("-" if share is None else f"{share:.2f}" for share in shares)
    return name, one, three, " ".join(map(str, found.ranks(name)))


def _near(report: "SelectionReport", name: str) -> str:
    near = report.measurement.nearest.get(name)
    return "-" if near is None else f"{near.tool} ({near.share:.0%})"


def _miss(one: "Ranked", words: Mapping[str, str], prefix: str) -> Iterator[str]:
    place = one.asked.place
    seen = place._replace(file=PurePath(prefix, place.file).as_posix())
    yield one_line(words["miss"].format(place=seen, rank=one.rank, first=one.first, query=one.asked.query))
    if one.missing:
        yield "    " + one_line(words["missing"].format(tool=one.asked.tool, words=", ".join(one.missing)))


def _matrix(report: "SelectionReport", words: Mapping[str, str]) -> Iterator[str]:
    """Yield the confusion matrix of the tools that are confused at all; a dot is 0."""
    found = report.measurement
    wrong = {pair: count for pair, count in found.confusion.items() if pair[0] != pair[1]}
    weight = {name: sum(count for pair, count in wrong.items() if name in pair) for pair in wrong for name in pair}
    shown = sorted(sorted(weight, key=lambda name: (-weight[name], name))[:_MOST_CONFUSED])
    columns = [Column(""), *(Column(str(at), 2) for at in range(1, len(shown) + 1))]
    rows: Sequence[Sequence[str]] = [
        (f"{at} {name}", *(str(found.confusion.get((name, other), ".")) for other in shown))
        for at, name in enumerate(shown, 1)
    ]
    yield from table(columns, rows)
    if len(weight) > len(shown):
        yield words["more"].format(count=len(weight) - len(shown))


def _headed(lines: Sequence[str], colour: bool) -> Iterator[str]:
    head, *rest = lines
    yield bold(head, colour)
    yield from rest
