"""What agents send and get when they ask what a contract would cost."""

from typing import Annotated, Literal

from axhub.toolkit import Desc, Input, Output, output_schema

Plan = Literal["BASIC", "PLUS"]
EstimatedPlan = Literal["BASIC", "PLUS", "UNKNOWN"]


class PremiumEstimateRequest(Input):
    """For whom, and how much of it."""

    age: Annotated[int, Desc("가입 나이(만). 19세 이상 70세 이하", example=35, ge=19, le=70)]
    plan: Annotated[Plan, Desc("보장 구성. BASIC은 기본형, PLUS는 고급형", example="BASIC")]


@output_schema
class PremiumEstimateResponse(Output):
    """What it would cost."""

    plan: Annotated[EstimatedPlan, Desc("보장 구성 코드. 알려지지 않은 구성이면 UNKNOWN")]
    plan_label: Annotated[str, Desc("보장 구성 한글명")]
    monthly_premium: Annotated[int, Desc("예상 월 보험료(원)")]
