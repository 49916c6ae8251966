"""Between estimates as agents see them and as the pricing system makes them."""

from typing import Final

from insurance_tools.biz.ins.dto.premium import EstimatedPlan, Plan, PremiumEstimateRequest, PremiumEstimateResponse
from insurance_tools.infra.http.premium.io import PriceBody, PriceQuery

_TYPES: Final[dict[Plan, str]] = {"BASIC": "A", "PLUS": "B"}
_PLANS: Final[dict[str, tuple[EstimatedPlan, str]]] = {"A": ("BASIC", "기본형"), "B": ("PLUS", "고급형")}
_NEW_PLAN: Final[tuple[EstimatedPlan, str]] = ("UNKNOWN", "알 수 없음")


def to_http_request(request: PremiumEstimateRequest) -> PriceQuery:
    """Return the question to the pricing system."""
    return PriceQuery(insAge=request.age, planTp=_TYPES[request.plan])


def to_response(body: PriceBody) -> PremiumEstimateResponse:
    """Return the estimate."""
    plan, label = _PLANS.get(body.planTp, _NEW_PLAN)
    return PremiumEstimateResponse(plan=plan, plan_label=label, monthly_premium=int(body.mnPrm))
