"""Queries from a file: YAML, CSV and lines of JSON, and what is said about each that cannot be used."""

from pathlib import Path

import pytest

from axhub.toolkit.check import CannotCheckError
from axhub.toolkit.check.held_out import read_queries

TOOLS = ("cmm_claim_search", "smp_rate_inquiry")
BOTH = [("청구 어디까지 됐어", "cmm_claim_search"), ("달러 얼마야, 오늘", "smp_rate_inquiry")]


def written(folder: Path, name: str, content: str | bytes) -> Path:
    file = folder / name
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return file


def read(file: Path) -> list[tuple[str, str, int]]:
    return [(one.query, one.tool, one.place.line) for one in read_queries(file, TOOLS)]


CSV = 'query,tool\n청구 어디까지 됐어,cmm_claim_search\n\n"달러 얼마야, 오늘",smp_rate_inquiry\n'


@pytest.mark.parametrize(
    ("name", "content", "lines"),
    [
        ("q.yml", "cmm_claim_search:\n  - 청구 어디까지 됐어\nsmp_rate_inquiry:\n  - 달러 얼마야, 오늘\n", (2, 4)),
        ("q.YAML", '{cmm_claim_search: ["청구 어디까지 됐어"],\nsmp_rate_inquiry: ["달러 얼마야, 오늘"]}', (1, 2)),
        ("q.csv", CSV, (2, 4)),
        ("q.csv", CSV.encode("utf-8-sig"), (2, 4)),
        ("q.csv", CSV.encode("cp949"), (2, 4)),
        ("q.csv", CSV.replace("\n", "\r\n"), (2, 4)),
        (
            "q.csv",
            'no,도구,질의\n1,cmm_claim_search,청구 어디까지 됐어\n2,smp_rate_inquiry,"달러 얼마야, 오늘"\n',
            (2, 3),
        ),
        (
            "q.jsonl",
            (
                '{"query": "청구 어디까지 됐어", "tool": "cmm_claim_search", "by": "kim"}\n \n'
                '{"tool": "smp_rate_inquiry", "query": " 달러 얼마야, 오늘 "}'
            ),
            (1, 3),
        ),
    ],
    ids=["yaml", "flow", "csv", "bom", "cp949", "crlf", "columns", "jsonl"],
)
def test_each_form_is_read_with_its_lines(
    name: str, content: str | bytes, lines: tuple[int, int], tmp_path: Path
) -> None:
    assert read(written(tmp_path, name, content)) == [(*pair, line) for pair, line in zip(BOTH, lines, strict=True)]


def test_a_query_of_several_lines_stands_where_it_begins(tmp_path: Path) -> None:
    file = written(tmp_path, "q.csv", 'query,tool\n"한 줄\n두 줄",cmm_claim_search\n환율,smp_rate_inquiry\n')
    assert [line for _, _, line in read(file)] == [2, 4]


@pytest.mark.parametrize(
    ("name", "content", "en", "ko"),
    [
        (
            "q.csv",
            "query,tool\n환율,smp_rate_inqiry\n지점,xyz\n,smp_rate_inquiry\n환율\n",
            [
                ':2: there is no tool "smp_rate_inqiry" whose texts are written; did you mean "smp_rate_inquiry"?',
                ':3: there is no tool "xyz" whose texts are written',
                ':4: needed are "query" and "tool", both texts',
                ':5: needed are "query" and "tool", both texts',
            ],
            [
                ':2: 설명이 작성된 "smp_rate_inqiry" 도구가 없습니다. "smp_rate_inquiry" 도구를 뜻했습니까?',
                ':3: 설명이 작성된 "xyz" 도구가 없습니다.',
                ':4: "query"와 "tool"이 필요합니다. 둘 다 문자열이어야 합니다',
                ':5: "query"와 "tool"이 필요합니다. 둘 다 문자열이어야 합니다',
            ],
        ),
        (
            "q.csv",
            "질문,도구\n환율,smp_rate_inquiry\n",
            [':1: the first line has to name the columns "query" and "tool"'],
            [':1: 첫 줄에 "query"와 "tool" 열 이름이 필요합니다'],
        ),
        (
            "q.csv",
            'query,tool\n"환율" x,smp_rate_inquiry\n',
            [""":2: it is no CSV: ',' expected after '"'"""],
            [""":2: 올바른 CSV가 아닙니다: ',' expected after '"'"""],
        ),
        ("q.csv", b"query,tool\n\xff\xff,x\n", [": it is neither UTF-8 nor CP949"], [": UTF-8도 CP949도 아닙니다"]),
        (
            "q.jsonl",
            '{"query": "환율", "tool": "smp_rate_inquiry"}\n[1]\n{"query": 1, "tool": "x"}\n{"query"\n' + "[" * 100_000,
            [
                ":2: it is no JSON object",
                ':3: needed are "query" and "tool", both texts',
                ":4: it is no JSON object",
                ":5: it is no JSON object",
            ],
            [
                ":2: JSON 객체가 아닙니다",
                ':3: "query"와 "tool"이 필요합니다. 둘 다 문자열이어야 합니다',
                ":4: JSON 객체가 아닙니다",
                ":5: JSON 객체가 아닙니다",
            ],
        ),
        (
            "q.yml",
            "smp_rate_inquiry: 환율\ncmm_claim_search:\n  - [a]\nxyz: [환율]\n",
            [
                ':1: "smp_rate_inquiry" needs a list of queries below it',
                ':3: needed are "query" and "tool", both texts',
                ':4: there is no tool "xyz" whose texts are written',
            ],
            [
                ':1: "smp_rate_inquiry" 아래에 질의 목록이 필요합니다',
                ':3: "query"와 "tool"이 필요합니다. 둘 다 문자열이어야 합니다',
                ':4: 설명이 작성된 "xyz" 도구가 없습니다.',
            ],
        ),
        (
            "q.yml",
            "- 환율\n",
            [":1: needed: the names of tools, each with a list of queries"],
            [":1: 도구 이름마다 질의 목록을 쓰십시오"],
        ),
        (
            "q.yml",
            "a: 1\n\tb: 2\n",
            [
                (
                    r":2: text that is not YAML: found character '\t' that cannot start any token; needed: valid YAML "
                    "(indent with spaces, not with tabs)"
                )
            ],
            [r":2: YAML로 읽을 수 없습니다: text that is not YAML: found character '\t' that cannot start any token"],
        ),
        ("q.jsonl", "\n \n", [": it has no queries"], [": 질의가 없습니다"]),
        ("q.csv", "query,tool\n", [": it has no queries"], [": 질의가 없습니다"]),
        ("q.csv", b"", [':1: the first line has to name the columns "query" and "tool"'], None),
        (
            "q.txt",
            "x",
            [": its name has to end in .yml, .yaml, .csv or .jsonl"],
            [": 파일 이름은 .yml, .yaml, .csv, .jsonl 중 하나로 끝나야 합니다"],
        ),
        ("q.csv", b"a" * 1_048_577, [": it has more than 1048576 bytes"], [": 1048576바이트보다 큽니다"]),
    ],
)
def test_what_cannot_be_used_is_told_with_its_line(
    name: str, content: str | bytes, en: list[str], ko: list[str] | None, tmp_path: Path
) -> None:
    file = written(tmp_path, name, content)
    with pytest.raises(CannotCheckError) as refused:
        read_queries(file, TOOLS)
    assert str(refused.value).replace(str(file), "").split("\n") == en
    assert ko is None or refused.value.said("ko").replace(str(file), "").split("\n") == ko


def test_of_many_faults_the_first_are_told(tmp_path: Path) -> None:
    file = written(tmp_path, "q.jsonl", "1\n" * 30)
    with pytest.raises(CannotCheckError) as refused:
        read_queries(file, TOOLS)
    assert len(refused.value.faults) == 21
    assert str(refused.value).splitlines()[-1] == f"{file}: 10 more"
    assert refused.value.said("ko").splitlines()[-1] == f"{file}: 그 밖에 10건"


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(CannotCheckError) as refused:
        read_queries(tmp_path / "no.csv", TOOLS)
    assert str(refused.value) == f"{tmp_path / 'no.csv'}: it cannot be read: No such file or directory"
    assert refused.value.said("ko") == f"{tmp_path / 'no.csv'}: 읽을 수 없습니다: No such file or directory"
