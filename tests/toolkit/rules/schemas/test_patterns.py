"""Regular expressions that mean the same everywhere: TK407."""

import pytest

from axhub.toolkit.facts.service import Facts, Place
from axhub.toolkit.rules.schemas.patterns import TK407, portable
from support.telling import expect, said
from support.toolkit_facts import DTO, FOLDER, TOOL, facts, field, imported, resource

pytestmark = pytest.mark.req("rule/TK407")


def _with(pattern: str) -> Facts:
    return facts(imported={TOOL: imported(inputs=(field("/claimNo", pattern=pattern, place=Place(DTO, 6, 5)),))})


@pytest.mark.parametrize(
    ("pattern", "mended"),
    [
        (r"^CLM\d{12}$", "^CLM[0-9]{12}$"),
        (r"CLM[0-9]{12}", "^CLM[0-9]{12}$"),
        (r"^CLM[\d-]+$", "^CLM[0-9-]+$"),
        (r"^\w+$", "^[A-Za-z0-9_]+$"),
        (r"^\D+\s$", r"^[^0-9]+[ \t\r\n]$"),
        (r"\A[0-9]\Z", "^[0-9]$"),
        ("^A|B$", "^(?:A|B)$"),
        ("^A$|^B$", "^(?:A|B)$"),
        ("A(?:b|c)", "^A(?:b|c)$"),
        ("[|]", "^[|]$"),
        (r"a\|b", r"^a\|b$"),
        (r"5\$", r"^5\$$"),
        (r"^[\]|]$", r"^[\]|]$"),
        ("^[]|]$", "^[]|]$"),
    ],
)
def test_a_pattern_is_rewritten_so_that_it_is_ascii_and_about_the_whole_text(pattern: str, mended: str) -> None:
    assert portable(pattern) == mended
    assert portable(mended) == mended


@pytest.mark.parametrize(
    "pattern",
    ["^CLM[0-9]{12}$", "^(?:A|B)$", "^[가-힣]{2,10}$", "^[A-Z]{2}(?:-[0-9]+)?$", "^$", r"^\.[0-9]\\$", "^(a|b)$"],
)
def test_portable_patterns_are_left_alone(pattern: str) -> None:
    assert said(TK407, _with(pattern)) == []


@pytest.mark.parametrize(
    ("pattern", "severity", "english", "korean"),
    [
        (
            r"CLM\d{12}",
            "warning",
            r"The pattern of /claimNo does not mean the same in every engine: CLM\d{12}. Write ^CLM[0-9]{12}$",
            r"/claimNo의 정규식이 엔진에 따라 다른 뜻이 됩니다: CLM\d{12}. 다음과 같이 쓰십시오: ^CLM[0-9]{12}$",
        ),
        (
            "^(?!0)[0-9]+$",
            "warning",
            (
                "The pattern of /claimNo uses look-around or a back-reference, which many engines refuse: "
                "^(?!0)[0-9]+$. List the allowed forms with `|`, and check the rest in a validator of the model."
            ),
            (
                "/claimNo의 정규식이 여러 엔진이 거절하는 전후방 탐색이나 역참조를 사용합니다: ^(?!0)[0-9]+$. "
                "허용하는 형식을 `|`로 나열하고, 나머지는 모델의 validator에서 검사하십시오."
            ),
        ),
        (
            r"^\p{Hangul}+$",
            "warning",
            (
                "The pattern of /claimNo uses a named group, a flag or a Unicode class, which engines read "
                "differently: "
                r"^\p{Hangul}+$. Write plain groups `(?:…)` and explicit ranges such as `[A-Za-z]` or `[가-힣]`."
            ),
            (
                r"/claimNo의 정규식이 엔진마다 다르게 읽는 이름 그룹, 플래그, 유니코드 클래스를 사용합니다: "
                r"^\p{Hangul}+$. 일반 그룹 "
                "`(?:…)`과 `[A-Za-z]`, `[가-힣]` 같은 범위를 쓰십시오."
            ),
        ),
        (
            "^[0-9$",
            "error",
            (
                r"The pattern of /claimNo is no regular expression: ^[0-9$. Close every bracket, and escape signs "
                r"that are meant as such: `\[`, `\(`, `\.`."
            ),
            (
                r"/claimNo의 정규식이 올바르지 않습니다: ^[0-9$. 괄호를 모두 닫고, 기호 자체를 뜻하면 "
                r"이스케이프하십시오: `\[`, `\(`, `\.`."
            ),
        ),
        (
            "^a\u200bb$",
            "error",
            (
                "The gateway refuses the pattern of /claimNo: it contains the invisible character U+200B at "
                "character 3 where "
                r"neither a script nor an emoji needs it. Remove the character, or write it as an escape such as "
                r"`\u200b`."
            ),
            (
                "게이트웨이가 /claimNo의 정규식을 거절합니다. 보이지 않는 문자나 제어 문자가 있습니다(it contains "
                "the invisible character U+200B at character 3 where neither a script nor an emoji needs it). 그 "
                "문자를 지우거나 "
                r"`\u200b`처럼 이스케이프로 쓰십시오."
            ),
        ),
    ],
)
def test_a_pattern_is_told_with_what_to_write(pattern: str, severity: str, english: str, korean: str) -> None:
    expect(TK407, _with(pattern), f"{DTO}:6:5: {severity}: {english}", f"{DTO}:6:5: {severity}: {korean}")


@pytest.mark.parametrize("pattern", [r"^(a)\1$", "^(?<=a)b$", "^(?P<y>a)(?P=y)$", "^(?>a)$"])
def test_whatever_needs_backtracking_is_called_so(pattern: str) -> None:
    assert "look-around or a back-reference" in said(TK407, _with(pattern))[0]


@pytest.mark.parametrize("pattern", ["(?i)^clm$", "^(?P<no>[0-9]+)$", "^(?<no>[0-9]+)$", "^[[:digit:]]+$"])
def test_what_engines_read_differently_is_called_so(pattern: str) -> None:
    assert "a named group, a flag or a Unicode class" in said(TK407, _with(pattern))[0]


def test_patterns_of_answers_and_of_resources_are_looked_at_too() -> None:
    schema = {"type": "object", "properties": {"no": {"type": "string", "pattern": "[0-9]+"}}}
    file = f"{FOLDER}/tool_schemas/cmm/claim-input-schema.json"
    places = {"/properties/no/pattern": Place(file, 5, 18)}
    answer = field("/no", pattern="[0-9]+", place=Place(DTO, 14, 5))
    found = facts(
        imported={TOOL: imported(outputs=(answer,))},
        resources=(resource("cmm/claim-input-schema.json", schema, places=places),),
    )
    told = "warning: The pattern of /no does not mean the same in every engine: [0-9]+. Write ^[0-9]+$"
    assert said(TK407, found) == [f"{DTO}:14:5: {told}", f"{file}:5:18: {told}"]
