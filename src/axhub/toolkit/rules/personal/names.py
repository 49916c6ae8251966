"""Which fields hold personal data, by their name on the wire and the head of their description.

A noun phrase ends with its head in Korean and in compound names (`customerCardNo`), and has it before the first
preposition in English. So `cardName`, `passwordChangedAt`, 비밀번호 변경일 and "the number of cards" are others.
"""

import re
from enum import Enum
from functools import lru_cache
from typing import Final

from axhub.toolkit.facts.service import Field, Shape
from axhub.toolkit.facts.wording import is_korean, words
from axhub.toolkit.rules.model import Text

__all__ = ["Personal", "by_name", "personal_kind"]


class Personal(Enum):
    """Kinds of personal data that an answer leaves out (seed 003 §8.6)."""

    RESIDENT = "resident"
    CARD = "card"
    ACCOUNT = "account"
    PHONE = "phone"
    PASSWORD = "password"  # noqa: S105 - a kind of data, no secret

    @property
    def text(self) -> Text:
        """What it is called in messages."""
        return _TEXTS[self]


_TEXTS: Final = {
    Personal.RESIDENT: Text("a resident number", "주민등록번호"),
    Personal.CARD: Text("a card number", "카드번호"),
    Personal.ACCOUNT: Text("an account number", "계좌번호"),
    Personal.PHONE: Text("a phone number", "전화번호"),
    Personal.PASSWORD: Text("a password", "비밀번호"),
}
_NUMBER: Final = r"(?:no|num|number|nbr|nr)"
_NAMES: Final = {
    kind: re.compile(rf"(?:^| )(?:{pattern})$")
    for kind, pattern in {
        Personal.RESIDENT: rf"(?:resident|resident registration|alien registration|social security|jumin) {_NUMBER}|"
        r"resident id|jumin|rrn|rrno|ssn|juminno",
        Personal.CARD: rf"card {_NUMBER}|cardno|cardnum|cardnumber|cvc|cvv",
        Personal.ACCOUNT: rf"(?:account|acct|acnt) {_NUMBER}|bank account|accountno|acctno|acntno|accountnumber|iban",
        Personal.PHONE: rf"(?:phone|telephone|cellphone|handphone|mobile|tel)(?: {_NUMBER})?|(?:hp|contact) {_NUMBER}|"
        r"phoneno|phonenum|phonenumber|telno|mobileno|hpno",
        Personal.PASSWORD: r"password|passwd|pwd|passcode|pin|pin (?:no|number)",
    }.items()
}
"""Against the words of a name, singular, each ending at the last one."""
_TAILS: Final = frozenset({"masked", "encrypted", "enc", "hash", "hashed", "plain", "raw", "value", "confirm", "text"})
"""Last words that do not change what a field holds."""
_KOREAN: Final = {
    kind: re.compile(
        rf"(?:{pattern})\s*(?:(?:앞|뒤|뒷)\s*(?:자리)?)?\s*(?:[0-9]+\s*자리)?\s*(?:원문|값)?(?:입니다|이다)?$"
    )
    for kind, pattern in {
        Personal.RESIDENT: r"주민\s*(?:등록)?\s*번호|외국인\s*(?:등록)?\s*번호",
        Personal.CARD: r"카드\s*번호(?!\s*뒤)",
        Personal.ACCOUNT: r"계좌\s*번호(?!\s*뒤)",
        Personal.PHONE: r"(?:전화|휴대폰|휴대\s*전화|핸드폰|연락처)\s*번호(?!\s*뒤)|휴대폰|휴대\s*전화|핸드폰|연락처",
        Personal.PASSWORD: r"비밀\s*번호|패스워드|암호",
    }.items()
}
_ENGLISH: Final = {
    kind: re.compile(rf"\b(?:{pattern})s?$")
    for kind, pattern in {
        Personal.RESIDENT: r"resident(?: registration)? (?:number|no)|social security number",
        Personal.CARD: r"card (?:number|no)",
        Personal.ACCOUNT: r"(?:bank )?account (?:number|no)",
        Personal.PHONE: r"(?:tele)?phone(?: (?:number|no))?|mobile (?:number|no)",
        Personal.PASSWORD: r"password|passcode|pin",
    }.items()
}
_VERBS: Final = re.compile(r"(?:을|를)\s*(?:입력|넣|적|전달|쓰|말)\S*$")
_CLAUSE: Final = re.compile(r"[.,;:\n]| - ")
_BRACKETS: Final = re.compile(r"\([^)]*\)|\[[^\]]*\]")
_PREPOSITION: Final = re.compile(
    r"\b(?:of|for|to|that|which|where|on|in|with|by|from|at|used|is|was|are|has|without|under|as)\b"
)
_WHETHER: Final = re.compile(r"\b(?:whether|if)\b")
_OF_A_BUSINESS: Final = re.compile(
    r"지점|센터|대표|영업점|부서|병원|사업장|매장|기관|정비|회사|본사|고객\s*상담|업체|은행|보험사|"
    r"\b(?:branch|office|cent(?:er|re)|company|store|hospital|hotline|help ?desk|agency|department|shop)\b",
    re.IGNORECASE,
)


def personal_kind(field: Field) -> Personal | None:
    """Return which personal data a field seems to hold; numbers that a business publishes are none."""
    if field.shape in {Shape.SWITCH, Shape.CODE, Shape.OBJECT}:
        return None
    kind = by_name(field.name) or _by_description(field.description)
    about = f"{field.pointer.replace('/', ' ')} {' '.join(words(field.pointer))} {field.description}"
    return None if kind is Personal.PHONE and _OF_A_BUSINESS.search(about) else kind


@lru_cache(maxsize=4096)
def by_name(name: str) -> Personal | None:
    """Return which personal data a member of this name holds."""
    if is_korean(name):
        return _ending(_KOREAN, name)
    parts = list(words(name))
    while parts and (parts[-1] in _TAILS or parts[-1].isdigit()):
        parts.pop()
    if "last" in parts or not parts:
        return None
    plural = parts[-1].endswith("s") and len(parts[-1]) > len("pins")
    text = " ".join((*parts[:-1], parts[-1].removesuffix("s") if plural else parts[-1]))
    return _ending(_NAMES, text)


def _by_description(description: str) -> Personal | None:
    head = _CLAUSE.split(_BRACKETS.sub("", description.strip()), maxsplit=1)[0].strip()
    if is_korean(head):
        return _ending(_KOREAN, _VERBS.sub("", head))
    noun = _PREPOSITION.split(head.lower(), maxsplit=1)[0].strip()
    return None if _WHETHER.search(noun) else _ending(_ENGLISH, noun)


def _ending(patterns: dict[Personal, re.Pattern[str]], text: str) -> Personal | None:
    return next((kind for kind, pattern in patterns.items() if pattern.search(text)), None)
