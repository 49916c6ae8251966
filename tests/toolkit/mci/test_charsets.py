"""KS X 1001 to the letter, cp949 as it is, and no character that quietly becomes another one."""

import re
import unicodedata
from typing import Annotated

import pytest

from axhub.toolkit.mci import Charset, Layout, TelegramError, Text
from axhub.toolkit.mci.charsets import CHARSETS, Coding
from axhub.toolkit.mci.errors import FieldError

pytestmark = pytest.mark.req("toolkit/B1", "toolkit/B2")

FILLER = "\u3164"
KEPT = re.compile("[\u2126\u212b\uf900-\ufaff]")
PAIRS = [bytes((lead, trail)) for lead in range(0x81, 0xFF) for trail in range(0x41, 0xFF)]


def _characters() -> dict[bytes, str]:
    """Return every two-byte character of cp949."""
    found = {}
    for pair in PAIRS:
        try:
            found[pair] = pair.decode("cp949")
        except UnicodeDecodeError:
            continue
    return found


def _is_ks(pair: bytes) -> bool:
    return min(pair) >= 0xA1 and pair.decode("cp949") != FILLER


def test_euc_kr_has_the_characters_of_ks_x_1001_and_no_others() -> None:
    coding = Coding(CHARSETS["euc-kr"])
    refused = set()
    for pair, character in _characters().items():
        try:
            assert coding.encode(character) == pair
            assert coding.decode(pair, drop_tail=False) == character
        except FieldError:
            refused.add(pair)
    assert refused == {pair for pair in _characters() if not _is_ks(pair)}
    assert (
        len(_characters()) - len(refused) == 986 + 2350 + 4888 - 1 + 2
    )  # its signs, syllables, hanja; no filler; € and ®


def test_every_character_of_cp949_keeps_its_bytes() -> None:
    coding = Coding(CHARSETS["cp949"])
    for pair, character in _characters().items():
        assert coding.encode(character) == pair
        assert coding.decode(pair, drop_tail=False) == character


def test_cp949_has_no_character_that_would_be_put_together_with_another() -> None:
    joining = [one for one in _characters().values() if unicodedata.combining(one) or "\u1100" <= one <= "\u11ff"]
    assert joining == []
    assert [one for one in _characters().values() if not KEPT.fullmatch(one) and _changes(one)] == []


def _changes(character: str) -> bool:
    return not unicodedata.is_normalized("NFC", character)


@pytest.mark.parametrize("character", ["\uf9e1", "\u212b", "\u2126"])
def test_a_character_that_nfc_would_change_keeps_the_code_that_it_has(character: str) -> None:
    assert unicodedata.normalize("NFC", character) != character
    decomposed = unicodedata.normalize("NFD", "각")
    coding = Coding(CHARSETS["euc-kr"])
    assert coding.decode(coding.encode(character + decomposed), drop_tail=False) == character + "각"


def test_a_service_may_bring_the_codec_of_its_host() -> None:
    host = Charset("cp037", lambda text: text.encode("cp037"), lambda raw: raw.decode("cp037"))

    class Greeting(Layout, charset=host):
        word: Annotated[str, Text(4, overflow="cut")]
        mark: Annotated[str | None, Text(2, align="right")]

    value = Greeting(word="éa", mark="A")
    assert Greeting.__charset__ == "cp037"
    assert value.encode() == b"\x51\x81\x40\x40\x40\xc1"
    assert Greeting.decode(value.encode()) == value
    assert Greeting.decode(b"\x40" * 6) == Greeting(word="", mark=None)
    with pytest.raises(TelegramError, match=r"^Greeting\.word @byte 0: U\+AC01 is not in cp037$"):
        Greeting(word="각", mark=None).encode()
