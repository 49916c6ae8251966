"""What the description of a field says: order, completeness, conditions, the meaning of null (seed 003 §8).

Korean has words that contain the syllable looked for by accident, as 단순 or 순보험료 for 순, 화면 for 면, 때문 for 때.
"""

import re
from typing import Final

__all__ = ["is_conditional", "says_complete", "says_order", "says_what_null_means"]

_CONDITION: Final = re.compile(
    r"(?:이|으|하|되|나|오|가|라|다|니|시|르|리|기|지)면(?![가-힣])|때(?!문)|경우|동안|"
    r"전까지|전에는|후에만|한해|한하여|건만|에만|시에?만|\b(?:if|when|while|unless|until|once|only|after|before)\b",
    re.IGNORECASE,
)
_NULL: Final = re.compile(
    r"\bnull\b|null(?=[가-힣])|널|없|아니|비어|빈 ?값|미정|생략|해당하지 않|"
    r"\b(?:none|nothing|absent|missing|unknown|empty|blank|unset|undefined|omitted|unavailable|left out|n/a)\b|"
    r"\bnot (?:yet|set|given|known|available|applicable|counted|recorded)\b|\bno value\b|"
    r"\bif (?:there is|it has) no\b",
    re.IGNORECASE,
)
_BARE_NULL: Final = re.compile(
    r"\b(?:may|can|could|might) be (?:null|none|empty|missing|absent|unknown)\b|\bor (?:null|none)\b|"
    r"^\W*(?:null|none|n/a|nothing|널|없음|생략 ?가능)\W*$|"
    r"null(?:일 수(?:도)? 있|(?:을|도)? ?(?:가능|허용))[가-힣]*|(?:없|비어 있)을 수(?:도)? 있[가-힣]*",
    re.IGNORECASE,
)
"""That null may come, and not what it means."""
_ONLY: Final = re.compile(r"(?:때|시|경우|건|에)(?:에)?만|한해|한하여|\bonly\b", re.IGNORECASE)
_COMPLETE: Final = re.compile(
    r"전체|전부|모두|모든|전 ?건|빠짐없|\b(?:all|every|entire|complete|full)\b", re.IGNORECASE
)
_ACCIDENTS: Final = re.compile(r"(?<![가-힣])(?:단|모|불|[초중하상])순|월\s?[초중하상]순|순서\s?번호")
_ORDER: Final = re.compile(
    r"정렬|차순|순(?:으로|서|(?=$|[^가-힣]))|순(?:이다|입니다)|먼저|"
    r"(?:큰|작은|높은|낮은|많은|적은|빠른|늦은|이른|먼|가까운|오래된|최근|최신)(?: ?[가-힣]+){0,2}부터|"
    r"\b(?:un)?(?:ordered|sorted)\b|\bsort(?:ing)? (?:by|order)\b|\b(?:as|des)cending\b|"
    r"\b(?:in|by|no)(?: \w+){0,4} order\b|\border:|\balphabetical(?:ly)?\b|\bchronological(?:ly)?\b|"
    r"\b(?:ranked|grouped)\b|(?:^|[.,;:(] ?)by \w|\b(?:rising|falling|increasing|decreasing)\b|"
    r"\b(?:newest|latest|oldest|earliest|largest|smallest|highest|lowest|longest|shortest|recent|nearest|closest|"
    r"cheapest|best|worst)(?: \w+){0,3} (?:first|last)\b|\bfirst\b.{1,60}\bthen\b|, then\b",
    re.IGNORECASE,
)
_CODES_IN_ORDER: Final = re.compile(r"\b[A-Z][A-Z0-9_]+ (?:before|comes? first|first)\b")
"""Codes by their name: `BUY before SELL`."""


def is_conditional(description: str) -> bool:
    """Say whether a condition is stated."""
    return _CONDITION.search(description) is not None


def says_what_null_means(description: str) -> bool:
    """Say whether a word for null stands beside what it means; "only when …" says it too, and "may be null" nothing."""
    said = _BARE_NULL.sub(" ", description)
    return _NULL.search(said) is not None or _ONLY.search(description) is not None


def says_complete(description: str) -> bool:
    """Say whether a list is called complete."""
    return _COMPLETE.search(description) is not None


def says_order(description: str) -> bool:
    """Say whether an order is stated, or that there is none."""
    said = _ACCIDENTS.sub(" ", description)
    return _ORDER.search(said) is not None or _CODES_IN_ORDER.search(said) is not None
