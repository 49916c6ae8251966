"""What to write for the keys of a definition (seed 003 §5)."""

from collections.abc import Mapping
from typing import Final

from axhub.toolkit.rules.model import Text

__all__ = ["DESCRIPTION_PARTS", "SAMPLES"]

DESCRIPTION_PARTS: Final = ("function", "when_to_use", "when_not_to_use", "io_limits")
SAMPLES: Final[Mapping[str, Text]] = {
    key: Text(f"`{sample}`", f"`{sample}`")
    for key, sample in (
        ("name", "name: cmm_claim_search"),
        ("display_name", "display_name: 보험금 청구 상태 조회"),
        ("version", 'version: "1.0.0"'),
        ("category_key", "category_key: cmm"),
        ("description", f"description: {{{': …, '.join(DESCRIPTION_PARTS)}: …}}"),
        ("display_description", "display_description: 보험금 청구 상태와 심사 결과를 조회합니다."),
        ("example_queries", "example_queries: [내 청구가 어디까지 진행됐는지 알려줘, …, …]"),
        ("parameters_schema", "parameters_schema: {type: object, properties: {…}, additionalProperties: false}"),
        ("tags", "tags: [보험금, 청구조회]"),
        ("required_env_keys", "required_env_keys: []"),
        ("owner_org", "owner_org: MCP_TOOL"),
    )
} | {
    "read_only": Text(
        "`read_only: true`, or false if the tool changes anything",
        "`read_only: true` (도구가 무엇이든 바꾸면 false)",
    ),
    "destructive": Text(
        "`destructive: false`, or true if the tool deletes or overwrites anything",
        "`destructive: false` (도구가 무엇이든 지우거나 덮어쓰면 true)",
    ),
    "idempotent": Text(
        "`idempotent: true`, or false if a second equal call does something again",
        "`idempotent: true` (같은 호출을 다시 하면 또 바뀌는 것이 있으면 false)",
    ),
    "legacy_interface_id": Text(
        "`legacy_interface_id: CLCNNB00001`, or null if there is none",
        "`legacy_interface_id: CLCNNB00001` (없으면 null)",
    ),
}
"""A line to write for each required key."""
