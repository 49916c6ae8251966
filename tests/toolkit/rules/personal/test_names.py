"""Which names and descriptions are about personal data, and which only come near."""

import pytest

from axhub.toolkit.facts.service import Shape
from axhub.toolkit.rules.personal.names import Personal, personal_kind
from axhub.toolkit.rules.personal.values import ANONYMOUS, FoundValue, find_values
from support.toolkit_facts import field

pytestmark = pytest.mark.req("rule/TK516")


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("residentNo", Personal.RESIDENT),
        ("resident_registration_number", Personal.RESIDENT),
        ("custJuminNo", Personal.RESIDENT),
        ("rrn", Personal.RESIDENT),
        ("cardNo", Personal.CARD),
        ("card_number", Personal.CARD),
        ("paymentCardNumbers", Personal.CARD),
        ("cardNoMasked", Personal.CARD),
        ("cvc", Personal.CARD),
        ("bankAccountNo", Personal.ACCOUNT),
        ("acct_no", Personal.ACCOUNT),
        ("refundAccountNumber", Personal.ACCOUNT),
        ("phone", Personal.PHONE),
        ("customerPhoneNumber", Personal.PHONE),
        ("mobileNo", Personal.PHONE),
        ("telNo", Personal.PHONE),
        ("hpNo", Personal.PHONE),
        ("phone1", Personal.PHONE),
        ("password", Personal.PASSWORD),
        ("newPassword", Personal.PASSWORD),
        ("pin", Personal.PASSWORD),
        ("주민등록번호", Personal.RESIDENT),
        ("휴대폰번호", Personal.PHONE),
    ],
)
def test_names_of_personal_data_are_recognised(name: str, kind: Personal) -> None:
    assert personal_kind(field(f"/{name}")) is kind


@pytest.mark.parametrize(
    "name",
    [
        "cardName", "cardCount", "cardCompany", "discardNo", "cardNoLast4", "accountName", "accountStatus",
        "accountant", "phoneModel", "phoneType", "headphone2Type", "passwordChangedAt", "passwordErrorCount",
        "pinned", "spin", "claimNo", "contractNo", "residentCity", "automobile", "hotel", "panel", "branchPhone",
        "callCenterTel", "hospital_tel_no",
    ],
)  # fmt: skip
def test_names_that_come_near_are_not_personal(name: str) -> None:
    assert personal_kind(field(f"/{name}")) is None


@pytest.mark.parametrize(
    ("description", "kind"),
    [
        ("고객의 주민등록번호", Personal.RESIDENT),
        ("주민 번호 뒷자리 7자리. 하이픈 없음", Personal.RESIDENT),
        ("결제 카드 번호(16자리)", Personal.CARD),
        ("보험금을 받을 계좌번호입니다", Personal.ACCOUNT),
        ("휴대폰 번호를 입력합니다", Personal.PHONE),
        ("고객 연락처", Personal.PHONE),
        ("로그인 비밀번호", Personal.PASSWORD),
        ("Resident registration number of the insured", Personal.RESIDENT),
        ("The customer's phone number, with hyphens", Personal.PHONE),
        ("Account number to which the claim is paid", Personal.ACCOUNT),
        ("Card number", Personal.CARD),
        ("Password of the portal", Personal.PASSWORD),
    ],
)
def test_descriptions_of_personal_data_are_recognised(description: str, kind: Personal) -> None:
    assert personal_kind(field("/value", description=description)) is kind


@pytest.mark.parametrize(
    "description",
    [
        "계약번호. 주민등록번호는 넣지 않는다",
        "고객번호(주민등록번호 아님)",
        "비밀번호 변경일",
        "비밀번호 오류 횟수",
        "전화번호 등록 여부",
        "카드번호 끝 4자리",
        "카드 이름",
        "계좌 별칭",
        "고객센터 전화번호",
        "담당 지점 연락처",
        "정비소 전화번호",
        "암호화 방식",
        "Claim number, never a resident number",
        "Number of cards",
        "Last four digits of the card number",
        "Whether the phone number is confirmed",
        "Date on which the password was changed",
        "Phone number of the branch",
        "Kind of account number",
    ],
)
def test_descriptions_that_come_near_are_not_personal(description: str) -> None:
    assert personal_kind(field("/value", description=description)) is None


@pytest.mark.parametrize("shape", [Shape.SWITCH, Shape.CODE, Shape.OBJECT])
def test_a_switch_a_code_or_an_object_holds_no_number(shape: Shape) -> None:
    assert personal_kind(field("/password", shape=shape)) is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"a": "900101-1234567"}', [FoundValue(Personal.RESIDENT, 7)]),
        ('{"a": "9001011234568"}', [FoundValue(Personal.RESIDENT, 7)]),
        ('{"a": "4111-1111-1111-1111"}', [FoundValue(Personal.CARD, 7)]),
        ('{"a": 4111111111111111}', [FoundValue(Personal.CARD, 6)]),
        ("010-1234-5678", [FoundValue(Personal.PHONE, 0)]),
        ("01012345678", [FoundValue(Personal.PHONE, 0)]),
        ('{"acctNo": "110-234-567890"}', [FoundValue(Personal.ACCOUNT, 12)]),
        ('{"passwd": "hunter2"}', [FoundValue(Personal.PASSWORD, 12)]),
        ('{"비밀번호": "hunter2"}', [FoundValue(Personal.PASSWORD, 10)]),
    ],
)
def test_values_that_look_real_are_found(text: str, found: list[FoundValue]) -> None:
    assert find_values(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "901332-1234567",  # no such month
        "900101-9234567",  # no such century
        "9001011234567",  # without a hyphen the check digit must fit
        "1700000000000",  # a time in milliseconds
        "20260810093015123",
        "CLM202608100001",
        "4111-1111-1111-1112",  # the check digit does not fit
        "1588-1234",
        "010-12-5678",
        '{"acctNo": "110-***-***890"}',
        '{"acctNo": "000000001234"}',
        "010-0000-1234",
        "900101-1000000",
        '{"acctName": "110-234-567890"}',
        '{"password": "****"}',
        '{"password": null}',
        '{"passwordRule": "8 characters"}',
        *ANONYMOUS.values(),
        f'{{"acctNo": "{ANONYMOUS[Personal.ACCOUNT]}", "password": "{ANONYMOUS[Personal.PASSWORD]}"}}',
    ],
)
def test_anonymised_values_and_other_numbers_are_left_alone(text: str) -> None:
    assert find_values(text) == []
