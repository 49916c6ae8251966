"""A tool without a request model is told once, whatever is described of its arguments (rule/TK401)."""

import pytest

from axhub.toolkit.rules.schemas.drift import TK401
from support.drifting import PARAMETERS
from support.telling import expect
from support.toolkit_facts import TOOL, definition, facts, imported

pytestmark = pytest.mark.req("rule/TK401")


def test_all_arguments_that_are_described_are_listed_in_one_finding() -> None:
    text = {"type": "string", "description": "조회할 값"}
    written = {
        "type": "object",
        "properties": dict.fromkeys(("claimNo", "contractNo", "limit"), text),
        "required": ["claimNo"],
        "additionalProperties": False,
    }
    nothing = {"type": "object", "properties": {}, "additionalProperties": False}
    broken = definition(parameters_schema=written)
    found = facts(broken, imported={TOOL: imported(model_schema=nothing, input_schema=nothing, request="", inputs=())})
    place = broken.places.get(f"key:{PARAMETERS}/properties/claimNo") or broken.place(
        f"{PARAMETERS}/properties/claimNo"
    )
    expect(
        TK401,
        found,
        f"{place}: warning: The tool takes no request model, so it has none of the arguments `claimNo`, `contractNo`, "
        "`limit`. Take `request: …Request`, or remove them here.",
        f"{place}: warning: 도구가 요청 모델을 받지 않으므로 `claimNo`, `contractNo`, `limit` 인자가 모두 없습니다. "
        "`request: …Request` 매개변수를 받거나 여기서 모두 지우십시오.",
    )
