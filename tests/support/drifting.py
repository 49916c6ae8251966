"""What is common to the tests of TK401: names of the files, a model's schema, and how each finding begins."""

from typing import Any

from support.toolkit_facts import DTO, FOLDER

PARAMETERS = "/parameters_schema"
INPUT = "cmm/claim-input-schema.json"
FILE = f"{FOLDER}/tool_schemas/{INPUT}"
FIELD = f"{DTO}:6:5"
LINE = 'claimNo: {"type": "string", "description": "조회할 보험금 청구번호"}'
MODEL: dict[str, Any] = {
    "type": "object",
    "properties": {"claimNo": {"type": "string", "maxLength": 15, "enum": ["A", "B"], "description": "d"}},
    "required": ["claimNo"],
    "additionalProperties": False,
}


def drift(
    pointer: str, dto: str, english: str, korean: str, place: object, severity: str = "warning"
) -> tuple[str, str]:
    """Return what TK401 says about one difference, in both languages.

    Args:
        pointer: where the schemas differ.
        dto: where the request model says it.
        english: what differs, and the mend.
        korean: the same.
        place: of the finding.
        severity: of the finding.
    """
    start = f"{place}: {severity}: parameters_schema"
    mends = ("`axhub sync` writes what the model says.", "모델의 내용은 `axhub sync` 명령이 대신 씁니다.")
    return (
        f"{start} and ClaimSearchRequest ({dto}) differ at {pointer}: {english} {mends[0]}",
        f"{start}와 ClaimSearchRequest({dto})의 {pointer} 속성이 서로 다릅니다. {korean} {mends[1]}",
    )
