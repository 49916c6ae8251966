"""Calls whose outcome nobody knows, on the page for people: approvers settle them with forms alone (agent/L6)."""

import pytest

from support.forms import Browser, Form, Page
from support.order_shop import Shop

HAPPENED = "It was done"
UNKNOWN = "It is not known whether these were done."


async def signed_in(shop: Shop, who: str = "boram", language: str = "en") -> tuple[Browser, Page]:
    browser = Browser(shop.port, language)
    (form,) = (await browser.get("/approvals")).forms
    return browser, await browser.send(form, token=shop.token(who))


async def state_of(shop: Shop, call: str) -> str:
    """Return what is stored of a call, as settling it once more with the same finding would tell."""
    for finding, state in (("happened", "DONE"), ("did_not_happen", "FAILED")):
        path = f"/api/v1/unknown-calls/{call}/finding"
        answer = await shop.call("POST", path, "boram", {"finding": finding})
        if answer.status == 200:
            assert answer.json["state"] == state
            return state
    raise AssertionError(call)


@pytest.mark.req("agent/L6", "agent/R5")
@pytest.mark.parametrize(
    ("finding", "notice", "other"),
    [
        ("happened", "Recorded: it was done.", "did_not_happen"),
        ("did_not_happen", "Recorded: it was not done.", "happened"),
    ],
)
async def test_an_approver_settles_a_call_with_forms_alone(shop: Shop, finding: str, notice: str, other: str) -> None:
    call = await shop.lost()
    browser, page = await signed_in(shop)
    assert UNKNOWN in page.text
    assert "Asked for by: minji" in page.text
    assert f"Call: {call}" in page.text
    assert page.pre == ['{\n  "order_id": "ORD-100"\n}']
    form = page.forms[-1]
    assert (form.method, form.action) == ("post", f"/approvals/unknown-calls/{call}/finding")
    assert form.buttons == [("finding", "happened"), ("finding", "did_not_happen")]
    for _ in range(2):
        done = await browser.send(form, finding=finding)
        assert (done.status, notice in done.text, UNKNOWN in done.text) == (200, True, False)
    late = await browser.send(form, finding=other)
    assert (late.status, "The other decision has been taken already." in late.text) == (409, True)
    assert await state_of(shop, call) == {"happened": "DONE", "did_not_happen": "FAILED"}[finding]


@pytest.mark.req("agent/L6", "threat/T14")
async def test_a_finding_from_elsewhere_settles_nothing(shop: Shop) -> None:
    call = await shop.lost()
    browser, page = await signed_in(shop)
    form = page.forms[-1]
    attempts = [
        await browser.send(form, finding="happened", csrf="-"),
        await browser.send(form, finding="happened", csrf=""),
        await browser.send(form, finding="happened", headers={"Sec-Fetch-Site": "cross-site"}),
        await browser.send(form, finding="happened", headers={"Origin": "https://forger.example"}),
        await Browser(shop.port).send(form, finding="happened"),
    ]
    assert [one.status for one in attempts] == [403] * len(attempts)
    form.fields.update(finding="perhaps")
    assert (await browser.send(form)).status == 400
    form.fields.update(finding="happened", comment="ok")
    assert (await browser.send(form)).status == 400
    shown = (await shop.call("GET", "/api/v1/unknown-calls", "boram")).json["calls"]
    assert [one["id"] for one in shown] == [call]


@pytest.mark.req("agent/L6", "agent/R2", "threat/T26")
async def test_only_another_approver_of_the_tenant_settles(shop: Shop) -> None:
    call = await shop.lost()
    browser, own = await signed_in(shop, "minji the approver")
    assert "Your own request: somebody else says it." in own.text
    assert len(own.forms) == 1
    csrf = {"csrf": own.forms[0].fields["csrf"]}
    refused = await browser.send(Form(f"/approvals/unknown-calls/{call}/finding", "post", csrf), finding="happened")
    assert (refused.status, "Somebody else has to decide on your own request." in refused.text) == (403, True)
    for who, status in (("haneul", 404), ("junho", 403)):
        theirs, page = await signed_in(shop, who)
        assert (call in str(page.attributes), UNKNOWN in page.text) == (False, False)
        secret = page.forms[0].fields["csrf"] if page.forms else await _csrf(theirs)
        form = Form(f"/approvals/unknown-calls/{call}/finding", "post", {"csrf": secret})
        assert (await theirs.send(form, finding="happened")).status in {status, 403}
    assert len((await shop.call("GET", "/api/v1/unknown-calls", "boram")).json["calls"]) == 1


async def _csrf(browser: Browser) -> str:
    """Return a field as somebody has it who is shown no form."""
    forms = (await browser.get("/approvals")).forms
    return forms[0].fields["csrf"] if forms else ""


async def test_a_call_that_there_is_not_is_not_found(shop: Shop) -> None:
    await shop.lost()
    browser, page = await signed_in(shop)
    for id_ in ("0" * 32, "a%00b"):
        form = Form(f"/approvals/unknown-calls/{id_}/finding", "post", dict(page.forms[-1].fields))
        assert (await browser.send(form, finding="happened")).status == 404


async def test_it_stands_beside_what_waits_and_not_where_there_is_none(shop: Shop) -> None:
    _, page = await signed_in(shop)
    assert UNKNOWN not in page.text
    await shop.lost()
    await shop.chat("ORD-101 환불해 주세요")
    _, page = await signed_in(shop)
    assert [[name for name, _ in form.buttons] for form in page.forms[1:]] == [["decision"] * 2, ["finding"] * 2]


async def test_it_speaks_korean(shop: Shop) -> None:
    await shop.lost()
    browser, page = await signed_in(shop, language="ko")
    assert "실행되었는지 알 수 없는 작업" in page.text
    assert "실행 여부를 알 수 없습니다." in page.text
    assert HAPPENED not in page.text
    assert "실행된 것으로 기록했습니다." in (await browser.send(page.forms[-1], finding="happened")).text
