"""What of an error body a model is shown (decision/D14)."""

import json
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from axhub.contract.errors import MAX_PUBLIC_BYTES, AxhubError, public_error_text

pytestmark = pytest.mark.req("decision/D14", "gateway/X4")


def shown(body: Any, *extra: str, problem: bool = False) -> Any:
    text = public_error_text(json.dumps(body, ensure_ascii=False).encode(), extra, problem=problem)
    return None if text is None else json.loads(text)


def test_the_public_text_of_an_error_is_kept_apart_from_its_detail() -> None:
    error = AxhubError("the tool is busy", "queue of bundle a is full")
    assert (str(error), error.public, error.detail) == (
        "the tool is busy",
        "the tool is busy",
        "queue of bundle a is full",
    )
    assert AxhubError("x").detail == ""


class TestErrorObject:
    def test_its_public_members_are_shown_and_no_others(self) -> None:
        body = {
            "error": {
                "code": "INVALID_ARGUMENTS",
                "message": "policyNo가 없습니다",
                "field": "policyNo",
                "fields": [
                    {"path": "policyNo", "message": "required", "value": "secret"},
                    {"path": "b"},
                    {"value": 1},
                    5,
                ],
                "trace": "at /srv/app/x.py",
            },
            "timestamp": 1,
            "path": "/internal",
        }
        assert shown(body) == {
            "error": {
                "code": "INVALID_ARGUMENTS",
                "message": "policyNo가 없습니다",
                "field": "policyNo",
                "fields": [{"path": "policyNo", "message": "required"}, {"path": "b"}],
            }
        }

    def test_the_text_is_compact(self) -> None:
        assert (
            public_error_text(b'{ "error" : { "message" : "no" , "code" : 40.10 } }', ())
            == '{"error":{"code":40.10,"message":"no"}}'
        )

    @pytest.mark.parametrize(
        "body",
        [
            {"error": "Not Found", "path": "/x", "message": "secret", "trace": "…"},
            {"error": {"detail": "secret"}},
            {"error": {"message": {"inner": "secret"}}},
            {"error": {"fields": [{"value": 1}]}},
            {"error": {"fields": {"path": "x"}}},
            {"error": None},
            {"detail": "Traceback …"},
            {"message": "secret"},
            {},
            [],
            "text",
            5,
        ],
    )
    def test_anything_else_is_not_public(self, body: Any) -> None:
        assert shown(body) is None

    @pytest.mark.parametrize(
        "body",
        [
            b"",
            b"<html>secret</html>",
            b'{"error":',
            b"\xff",
            b'{"error":{"message":"a"},"error":{}}',
            b"[" * 100_000,
            b'{"error":{"message":"\\ud800"}}',
        ],
    )
    def test_what_is_not_json_is_not_public(self, body: bytes) -> None:
        assert public_error_text(body, ("error",)) is None

    def test_an_error_object_with_a_name_twice_is_not_public(self) -> None:
        assert public_error_text(b'{"error":{"message":"a","message":"b"}}', ()) is None


class TestProblemDocument:
    BODY: Final = {
        "type": "urn:x",
        "title": "Bad",
        "detail": "no such order",
        "status": 400,
        "instance": "/srv",
        "trace": "x",
    }

    def test_title_and_detail_are_shown(self) -> None:
        assert shown(self.BODY, problem=True) == {"title": "Bad", "detail": "no such order"}

    def test_only_if_the_content_type_says_so(self) -> None:
        assert shown(self.BODY) is None

    def test_only_if_they_are_texts(self) -> None:
        assert shown({"title": "Bad", "detail": [{"loc": "secret"}]}, problem=True) == {"title": "Bad"}


class TestPublicErrorFields:
    def test_the_named_members_are_shown_as_they_are(self) -> None:
        body = b'{"reason": "no stock", "left": {"n": 1.10, "who": ["a\\u0007b"]}, "other": 1}'
        assert (
            public_error_text(body, ("reason", "left", "absent"))
            == '{"reason":"no stock","left":{"n":1.10,"who":["ab"]}}'
        )

    def test_they_come_beside_the_error_object(self) -> None:
        assert shown({"error": {"code": "a"}, "hint": "b"}, "hint") == {"error": {"code": "a"}, "hint": "b"}

    def test_a_named_error_is_shown_whole(self) -> None:
        assert shown({"error": {"code": "a", "more": 1}}, "error") == {"error": {"code": "a", "more": 1}}
        assert shown({"error": "text"}, "error", "error") == {"error": "text"}

    def test_a_named_title_is_shown_once(self) -> None:
        assert shown({"title": "a", "detail": "b"}, "title", problem=True) == {"detail": "b", "title": "a"}

    def test_a_text_that_is_too_long_is_cut_and_another_value_left_out(self) -> None:
        found = shown({"reason": "x" * 20_000, "rows": ["y"] * 9000}, "rows", "reason")
        assert list(found) == ["reason"]
        assert found["reason"].endswith("x…")


class TestBounds:
    @pytest.mark.parametrize(
        "text", ["x" * 100_000, "가" * 50_000, '"' * 50_000, "\u0001" * 10_000 + "y" * 9000, "👍" * 9000]
    )
    def test_a_long_message_is_cut_so_that_the_whole_fits(self, text: str) -> None:
        found = public_error_text(json.dumps({"error": {"code": "a", "message": text}}).encode(), ()) or ""
        assert len(found.encode()) <= MAX_PUBLIC_BYTES
        assert json.loads(found)["error"]["code"] == "a"

    def test_many_fields_are_shown_as_far_as_they_fit(self) -> None:
        body = {"error": {"fields": [{"path": f"p{at}", "message": "m" * 100} for at in range(1000)]}}
        text = public_error_text(json.dumps(body).encode(), ()) or ""
        assert len(text.encode()) <= MAX_PUBLIC_BYTES
        assert 50 < len(json.loads(text)["error"]["fields"]) < 100

    def test_members_that_no_longer_fit_are_left_out(self) -> None:
        body = {f"m{at}": ["x" * 900] for at in range(20)}
        assert list(shown(body, *body)) == [f"m{at}" for at in range(9)]

    def test_control_and_hidden_characters_are_removed(self) -> None:
        body = {"error": {"message": "a\u0000b\u001b[31m\u202ec\u200b\ud7a3\nline\ttab"}}
        assert shown(body) == {"error": {"message": "ab[31mc\ud7a3\nline\ttab"}}

    @given(
        st.fixed_dictionaries(
            {},
            optional={
                "error": st.dictionaries(
                    st.sampled_from(["code", "message", "field", "x"]), st.text(max_size=9000) | st.integers()
                ),
                "title": st.text(max_size=9000),
                "more": st.recursive(st.text(), st.lists, max_leaves=5),
            },
        ),
        st.booleans(),
    )
    def test_whatever_the_body_the_text_is_short_json_of_public_members(self, body: Any, problem: bool) -> None:
        text = public_error_text(json.dumps(body).encode(), ("more",), problem=problem)
        if text is not None:
            assert len(text.encode()) <= MAX_PUBLIC_BYTES
            found = json.loads(text)
            assert set(found) <= {"error", "title", "more"}
            assert "x" not in found.get("error", {})
