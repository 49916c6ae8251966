"""Which sample a mock answers with (toolkit/B4)."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from axhub.toolkit.config.settings import HttpApiSettings
from axhub.toolkit.connectors.mock_systems import Asked, MockAnswer, MockSystems
from axhub.toolkit.connectors.samples import answer_in
from support.http_apis import api

PREFIX: Final = "/api/mock/http"
CLAIMS: Final = f"{PREFIX}/cmm_claim_search"


def systems(folder: Path, files: dict[str, Any], *apis: HttpApiSettings) -> MockSystems:
    for name, value in files.items():
        file = folder / "samples" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False), encoding="utf-8")
    return MockSystems(apis or [entry()], folder)


def entry(name: str = "claim", url: str = CLAIMS, **more: Any) -> HttpApiSettings:
    return api("http://localhost", url, name=name, **more)


def asked(path: str = CLAIMS, members: Any = None, method: str = "POST", **more: Any) -> Asked:
    body = b"" if members is None else json.dumps(members).encode()
    return Asked(method, path, body=body, **more)


def said(answer: MockAnswer) -> tuple[int, Any]:
    return answer.status, json.loads(answer.body)


@pytest.mark.req("toolkit/B4")
def test_a_sample_is_the_answer_as_it_stands(tmp_path: Path) -> None:
    mock = systems(tmp_path, {"cmm_claim_search/http-claim.json": {"이름": "가", "request": 1}})
    answer = mock.answer(asked())
    assert answer == MockAnswer(
        200,
        '{"이름":"가","request":1}'.encode(),
        "application/json;charset=utf-8",
        "claim",
        "samples/cmm_claim_search/http-claim.json",
    )


CASES: Final = {
    "cmm_claim_search/http-claim.json": {"answer": {"n": 1}, "request": {"clmNo": "A", "rows": 2}},
    "cmm_claim_search/http-claim-2.json": {"n": "else"},
    "cmm_claim_search/http-claim-3.json": {"request": {"clmNo": "B"}, "answer": {"why": "없음"}, "status": 404},
    "cmm_claim_search/http-claim-10.json": {"n": "never"},
}


@pytest.mark.req("toolkit/B4")
@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ({"clmNo": "A", "rows": 2, "more": []}, (200, {"n": 1})),
        ({"clmNo": "A", "rows": 3}, (200, {"n": "else"})),
        ({"clmNo": "A"}, (200, {"n": "else"})),
        ({"clmNo": "B"}, (404, {"why": "없음"})),
        ({}, (200, {"n": "else"})),
    ],
)
def test_a_sample_with_a_request_answers_requests_with_its_members_and_the_first_other_one_the_rest(
    members: dict[str, Any], expected: tuple[int, Any], tmp_path: Path
) -> None:
    assert said(systems(tmp_path, CASES).answer(asked(members=members))) == expected


@pytest.mark.req("toolkit/B4")
def test_a_query_is_compared_as_text(tmp_path: Path) -> None:
    mock = systems(tmp_path, CASES, entry(method="GET"))
    assert said(mock.answer(asked(method="GET", query="rows=2&clmNo=A"))) == (200, {"n": 1})


@pytest.mark.req("toolkit/B4")
def test_without_a_sample_for_a_request_the_answer_says_so(tmp_path: Path) -> None:
    mock = systems(tmp_path, {"t/http-claim.json": CASES["cmm_claim_search/http-claim.json"]})
    assert said(mock.answer(asked(members={"clmNo": "C"}))) == (
        404,
        {"mock": "no sample of samples/*/http-claim.json is for this request"},
    )
    assert said(systems(tmp_path, {}, entry("other", "/o")).answer(asked("/o"))) == (
        404,
        {"mock": "there is no sample samples/*/http-other.json"},
    )


@pytest.mark.req("toolkit/B4")
@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"a": ', "not readable as JSON in UTF-8 (JSONDecodeError)"),
        ('{"request": [], "answer": 1}', "request has to be an object with the members that a request must have"),
        ('{"request": {}, "answer": 1, "status": "404"}', "status has to be a number from 200 to 599"),
        ('{"request": {}, "answer": 1, "status": 99}', "status has to be a number from 200 to 599"),
    ],
)
def test_a_broken_sample_is_named(text: str, problem: str, tmp_path: Path) -> None:
    mock = systems(tmp_path, {"t/http-claim.json": text})
    assert said(mock.answer(asked())) == (500, {"mock": f"samples/t/http-claim.json: {problem}"})


@pytest.mark.req("toolkit/B4")
def test_samples_are_read_anew(tmp_path: Path) -> None:
    mock = systems(tmp_path, {"t/http-claim.json": {"n": 1}})
    assert said(mock.answer(asked())) == (200, {"n": 1})
    systems(tmp_path, {"t/http-claim.json": {"n": 2}})
    assert said(mock.answer(asked())) == (200, {"n": 2})


@pytest.mark.req("toolkit/B4")
def test_an_api_is_answered_at_the_path_of_its_entry_and_below_the_prefix(tmp_path: Path) -> None:
    mock = systems(
        tmp_path,
        {"cmm_a/http-claim.json": {"of": "a"}, "cmm_b/http-claim.json": {"of": "b"}},
        entry(url="/v1/%EC%B2%AD%EA%B5%AC?x=1"),
    )
    assert mock.paths_of("claim") == ("/v1/청구", f"{PREFIX}/claim", f"{PREFIX}/cmm_a", f"{PREFIX}/cmm_b")
    paths = ("/v1/청구", f"{PREFIX}/claim", f"{PREFIX}/cmm_a", f"{PREFIX}/cmm_b")
    found = [said(mock.answer(asked(path)))[1]["of"] for path in paths]
    assert found == ["a", "a", "a", "b"]


@pytest.mark.req("toolkit/B4")
def test_names_with_numbers_are_not_mixed_up(tmp_path: Path) -> None:
    files = {"t/http-claim.json": {"n": 1}, "t/http-claim-2.json": {"n": 2}}
    mock = systems(tmp_path, files, entry(), entry("claim-2", "/two"))
    assert said(mock.answer(asked("/two"))) == (200, {"n": 2})
    assert mock.samples_of("claim") == ("samples/t/http-claim.json",)


@pytest.mark.req("toolkit/B4")
def test_one_address_with_several_apis_is_told_apart_by_method_and_members(tmp_path: Path) -> None:
    files = {
        "t/http-a.json": {"request": {"kind": "a"}, "answer": {"n": "a"}},
        "t/http-b.json": {"request": {"kind": "b"}, "answer": {"n": "b"}},
        "t/http-c.json": {"n": "c"},
    }
    mock = systems(tmp_path, files, entry("a", "/x"), entry("b", "/x"), entry("c", "/x", method="GET"))
    assert said(mock.answer(asked("/x", {"kind": "b"}))) == (200, {"n": "b"})
    assert said(mock.answer(asked("/x", method="GET"))) == (200, {"n": "c"})
    assert said(mock.answer(asked("/x", method="PUT"))) == (405, {"mock": "this path is asked with POST or GET"})
    assert said(mock.answer(asked("/y"))) == (404, {"mock": "no API has the path /y; there are: /x, /x, /x"})


@pytest.mark.req("toolkit/B4")
@pytest.mark.parametrize("body", [b"{", b"[]", b"\xff", b"[" * 100_000])
def test_what_is_no_object_is_refused(body: bytes, tmp_path: Path) -> None:
    mock = systems(tmp_path, {"t/http-claim.json": {}})
    assert said(mock.answer(Asked("POST", CLAIMS, body=body))) == (
        400,
        {"mock": "the request is no JSON object in the charset it names"},
    )


@pytest.mark.req("toolkit/B4", "toolkit/H1")
def test_a_mock_speaks_the_charset_of_the_api(tmp_path: Path) -> None:
    files = {"t/http-claim.json": {"request": {"이름": "가"}, "answer": {"이름": "나"}}}
    mock = systems(tmp_path, files, entry(content_type="application/json;charset=EUC-KR"))
    answer = mock.answer(Asked("POST", CLAIMS, body='{"이름":"가"}'.encode("euc-kr")))
    assert (answer.body, answer.content_type) == ('{"이름":"나"}'.encode("euc-kr"), "application/json;charset=euc_kr")


@pytest.mark.req("toolkit/B4")
def test_the_answer_in_a_sample_is_known_to_others() -> None:
    assert answer_in({"request": {}, "answer": [1]}) == [1]
    assert answer_in({"answer": 1}) == {"answer": 1}
    assert answer_in([1]) == [1]


TWO_TOOLS: Final = {
    "cmm_claim_search/http-claim.json": {"n": "search"},
    "cmm_claim_count/http-claim.json": {"n": "count"},
}


@pytest.mark.req("toolkit/B4")
@pytest.mark.parametrize(
    ("tool", "expected"),
    [("cmm_claim_count", "count"), ("cmm_claim_search", "search"), ("", "search"), ("cmm_without_samples", "search")],
)
def test_a_tool_is_answered_from_its_own_samples_else_from_those_of_the_path(
    tool: str, expected: str, tmp_path: Path
) -> None:
    mock = systems(tmp_path, TWO_TOOLS)
    assert said(mock.answer(asked(tool=tool))) == (200, {"n": expected})


@pytest.mark.req("toolkit/B4")
@pytest.mark.parametrize(
    ("url", "hidden"),
    [
        (CLAIMS, ("samples/cmm_claim_search/http-claim-2.json", "samples/cmm_claim_search/http-claim-4.json")),
        (
            "/claims",
            (
                "samples/cmm_claim_search/http-claim.json",
                "samples/cmm_claim_search/http-claim-2.json",
                "samples/cmm_claim_search/http-claim-4.json",
            ),
        ),
    ],
    ids=["of-a-mock", "of-a-real-system"],
)
def test_samples_that_no_request_gets_are_known(url: str, hidden: tuple[str, ...], tmp_path: Path) -> None:
    more = {
        "cmm_claim_search/http-claim-2.json": {"n": "never"},
        "cmm_claim_search/http-claim-3.json": {"request": {"a": 1, "b": 2}, "answer": 1},
        "cmm_claim_search/http-claim-4.json": {"request": {"b": 2, "a": 1}, "answer": 2},
        "cmm_claim_search/http-claim-5.json": "{",
    }
    mock = systems(tmp_path, {**TWO_TOOLS, **more}, entry(url=url))
    assert mock.never_answered("claim") == hidden


@pytest.mark.req("toolkit/B4", "toolkit/H1")
def test_a_path_that_is_filled_from_the_request_is_answered_by_what_fills_it(tmp_path: Path) -> None:
    files = {
        "a/http-claim.json": {"request": {"no": "A", "row": 1}, "answer": "first"},
        "a/http-claim-2.json": {"request": {"no": "B"}, "answer": "second"},
    }
    mock = systems(tmp_path, files, entry(url="/c.d/{no}/{row}?x=1"))
    assert said(mock.answer(asked("/c.d/A/1"))) == (200, "first")
    assert said(mock.answer(asked("/c.d/B/2"))) == (200, "second")
    assert mock.answer(asked("/cxd/A/1")).status == 404
    assert mock.answer(asked("/c.d/A/1/2")).status == 404
